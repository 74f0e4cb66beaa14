"""The stewards' desk of a ladder: its rules, its order, its seasons, and corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Concatenate, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.career.titles import TITLES
from accounts.models import Right, User
from accounts.web import links, throttle
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest, ViewFunction
from games.ladders import events as ladders
from games.ladders import opening
from games.ladders.forms.desk import AddForm, CorrectForm, LastDayForm, ListForm, OrderForm, RulesForm, UndoForm
from games.ladders.forms.opening import NameForm
from games.ladders.models import Ladder
from games.ladders.pages import seasons, story
from games.ladders.pages.results import names_of
from games.ladders.rules import ENOUGH, ordered
from games.ladders.standing import UNDOABLE, Standing
from games.ladders.views.access import ladder_or_404, steward_first
from games.matches.clocks import instant

WAYS = {"up": -1, "down": 1}
"""The buttons that move one player in a draft of the order, and how far."""
MEANWHILE = 10
"""The most events shown to a steward whose draft the ladder has overtaken."""


def at_desk(view: Callable[Concatenate[UserRequest, Ladder, ...], HttpResponse]) -> ViewFunction:
    """A view for whoever may change the ladder of a club: it gets the ladder. For others there is nothing here."""

    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest, slug: str, number: int, **kwargs: object) -> HttpResponse:
        club, ladder = ladder_or_404(request, slug, number)
        elsewhere = steward_first(request, club, ladder.get_absolute_url(), Right.LADDER)
        return elsewhere or view(cast(UserRequest, request), ladder, **kwargs)

    return wrapped


def shown(request: HttpRequest, ladder: Ladder, name: str, status: int = 200, **context: object) -> HttpResponse:
    """A page of the desk."""
    address = f"{ladder.get_absolute_url()}/desk"
    parts = [("", _("Season and players")), ("/order", _("Order")), ("/rules", _("Rules"))]
    if ladder.closed_at:
        parts = []
    tabs = [(address + part, text, f"desk{part}".replace("/", "_") == name) for part, text in parts]
    context = {"club": ladder.club, "ladder": ladder, "address": address, "tabs": tabs, "steward": True, **context}
    return render(request, f"ladders/{name}.html", context, status=status)


# The first page


def render_desk(request: HttpRequest, ladder: Ladder, status: int = 200, **wrong: object) -> HttpResponse:
    standing = ladder.now_standing()
    outside = members(ladder, standing.players)
    context = {
        "standing": standing,
        "season": seasons.season(ladder, standing.season) if standing.season else None,
        "correct": CorrectForm(
            players=players(standing.order),
            initial={"player": request.GET.get("player"), "position": request.GET.get("rung")},
        ),
        "add": AddForm(members=outside),
        "outside": outside,
        "resumes": standing.resumes and moment(standing.resumes - 1),
        "begin": begin_form(standing),
        "move": LastDayForm(name="move", last=moment(standing.ends)),
        "pause": LastDayForm(name="pause"),
        "naming": NameForm(initial={"name_": ladder.name}),
        "closable": ladder.closed_at is None and any(each != ladder for each in opening.open_of(ladder.club)),
        "undoable": ladder.log.filter(kind__in=UNDOABLE).exists(),
        "frame": links.full(f"{ladder.get_absolute_url()}/embed"),
    }
    return shown(request, ladder, "desk", status, **(context | wrong))


def moment(at: int | None) -> datetime | None:
    return None if at is None else instant(at)


def players(order: Iterable[int]) -> list[tuple[int, str]]:
    """Players with their names, in this order."""
    names = names_of(order)
    return [(player, names[player]) for player in order]


def members(ladder: Ladder, but: Iterable[int]) -> list[tuple[int, str]]:
    """The members of the club except these, by name."""
    found = ladder.club.members.exclude(user__in=but).order_by("user__folded")
    return list(found.values_list("user", "user__username"))


@require_safe
@at_desk
def desk(request: UserRequest, ladder: Ladder) -> HttpResponse:
    """Seasons, corrections, players."""
    return render_desk(request, ladder)


# Seasons


def begin_form(standing: Standing, data: QueryDict | None = None) -> LastDayForm:
    """The form with which a season begins, for as long as the rules say."""
    usual = timezone.now() + timedelta(weeks=standing.rules.season_weeks)
    return LastDayForm(data, name="begin", last=usual)


def next_season(request: HttpRequest, ladder: Ladder, status: int = 200, **wrong: object) -> HttpResponse:
    """The order in which the next season would begin, before it does."""
    standing = ladder.now_standing()
    was, names = standing.positions(), story.PlayerLinks(ladder, standing.order)
    rows = [
        (story.Movement(player, names[player], was[player], position), standing.players[player])
        for position, player in enumerate(standing.next_order(), 1)
    ]
    context = {"standing": standing, "rows": rows, "begin": begin_form(standing), "enough": ENOUGH}
    return shown(request, ladder, "desk_season", status, **(context | wrong))


@require_http_methods(["GET", "HEAD", "POST"])
@at_desk
def season(request: UserRequest, ladder: Ladder) -> HttpResponse:
    """Look at the order of the next season; begin one, move its end, pause it, end it."""
    standing = ladder.now_standing()
    soft = standing.next_order() != standing.order
    if request.method != "POST":
        return next_season(request, ladder)
    acts: dict[str, tuple[Callable[..., None], str]] = {
        "start": (ladders.start_season, _("The season has begun.")),
        "move": (ladders.move_end, _("The season now ends on that day.")),
        "pause": (ladders.pause, _("The ladder is paused.")),
        "resume": (ladders.resume, _("The ladder goes on.")),
        "end": (ladders.end_season, _("The season has ended.")),
    }
    do = request.POST.get("do", "")
    if do not in acts:
        raise Http404
    act, done = acts[do]
    form = None
    page = next_season if do == "start" and soft else render_desk
    if do in ("start", "move", "pause"):
        form = begin_form(standing, request.POST) if do == "start" else LastDayForm(request.POST, name=do)
        if not form.is_valid():
            return page(request, ladder, 422, **{form.name: form})
    arguments: dict[str, Any] = {"ends": form.ends()} if form else {}
    if do == "start":
        throttle.count("openings", request.user.pk)
        # Whoever has not seen the order of a soft reset is shown it first.
        arguments["events"] = number(request.POST.get("events", ""))
    try:
        act(ladder, request.user, now=timezone.now(), **arguments)
    except Refused as refusal:
        ladder.refresh_from_db()
        wrong: dict[str, object] = {"refused": str(refusal)}
        return page(request, ladder, 422, **wrong | ({form.name: form} if form else {}))
    messages.success(request, done)
    return redirect(f"{ladder.get_absolute_url()}/desk")


def number(text: str) -> int:
    """A number that a page sends; -1 if it is none."""
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else -1


# Its name, and its end


@require_POST
@at_desk
def name(request: UserRequest, ladder: Ladder) -> HttpResponse:
    """Name the ladder."""
    form = NameForm(request.POST)
    if form.is_valid():
        try:
            opening.rename(ladder, request.user, form.cleaned_data["name_"], timezone.now())
        except Refused as refusal:
            form.add_error("name_", str(refusal))
    if form.errors:
        return render_desk(request, ladder, 422, naming=form)
    messages.success(request, _("The name is saved."))
    return redirect(f"{ladder.get_absolute_url()}/desk")


@require_POST
@at_desk
def close(request: UserRequest, ladder: Ladder) -> HttpResponse:
    """Close the ladder for good."""
    try:
        opening.close(ladder, request.user, timezone.now())
    except Refused as refusal:
        return render_desk(request, ladder, 422, refused=str(refusal))
    messages.success(request, _("The ladder is closed."))
    return redirect(f"{ladder.club.get_absolute_url()}/ladders")


# Corrections, players


@require_POST
@at_desk
def correct(request: UserRequest, ladder: Ladder) -> HttpResponse:
    """Put one player at another position."""
    form = CorrectForm(request.POST, players=players(ladder.now_standing().order))
    if not form.is_valid():
        return render_desk(request, ladder, 422, correct=form)
    entered = form.cleaned_data
    try:
        ladders.correct(ladder, request.user, entered["player"], entered["position"], entered["reason"], timezone.now())
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return render_desk(request, ladder, 422, correct=form)
    messages.success(request, _("The ladder has been corrected."))
    return redirect(f"{ladder.get_absolute_url()}/desk")


@require_POST
@at_desk
def add(request: UserRequest, ladder: Ladder) -> HttpResponse:
    """Put members on the ladder, at the bottom."""
    outside = members(ladder, ladder.now_standing().players)
    form = AddForm(request.POST, members=outside)
    if not form.is_valid():
        return render_desk(request, ladder, 422, add=form)
    known = User.objects.order_by("folded").in_bulk(form.chosen())
    people = [known[pk] for pk in form.chosen()]
    try:
        number = ladders.add(ladder, request.user, people, timezone.now())
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return render_desk(request, ladder, 422, add=form)
    told = ngettext("%(number)d member is now on the ladder.", "%(number)d members are now on the ladder.", number)
    messages.success(request, told % {"number": number})
    return redirect(f"{ladder.get_absolute_url()}/desk")


@require_http_methods(["GET", "HEAD", "POST"])
@at_desk
def undo(request: UserRequest, ladder: Ladder, event: int) -> HttpResponse:
    """Undo an event, for a reason."""
    row = ladder.log.filter(number=event, kind__in=UNDOABLE).select_related("by").first()
    if row is None:
        raise Http404
    (told,) = story.narrate(ladder, [row])
    if told.undone and request.method != "POST":
        messages.info(request, _("This has already been undone."))
        return redirect(f"{ladder.get_absolute_url()}/events?event={event}#e{event}")
    form = UndoForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            ladders.undo(ladder, request.user, event, form.cleaned_data["reason"], timezone.now())
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Undone. The ladder is back as it was."))
            return redirect(f"{ladder.get_absolute_url()}/events")
    moves = [] if told.undone else story.without(ladder, row)
    status = 422 if form.is_bound else 200
    later = story.last_order(ladder, event) if row.steps and not told.undone else []
    context = {"told": told, "moves": moves, "form": form, "number": event}
    context["later"] = story.narrate(ladder, later)
    return shown(request, ladder, "desk_undo", status, **context)


# Rules


@require_http_methods(["GET", "HEAD", "POST"])
@at_desk
def rules(request: UserRequest, ladder: Ladder) -> HttpResponse:
    """Set the rules."""
    sent = request.POST if request.method == "POST" else None
    form = RulesForm(sent, now=ladder.now_standing().rules, game=ladder.title)
    if form.is_valid():
        try:
            ladders.set_rules(ladder, request.user, form.rules(), timezone.now())
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Rules saved."))
            return redirect(f"{ladder.get_absolute_url()}/desk/rules")
    return shown(request, ladder, "desk_rules", 422 if form.is_bound else 200, form=form)


# Order


def draft(
    request: HttpRequest, ladder: Ladder, order: Sequence[int], status: int = 200, **context: object
) -> HttpResponse:
    """The page on which the ladder is reordered, as it would stand; nothing is saved."""
    standing = ladder.now_standing()
    context = {
        "rows": [(player, name, standing.position(player)) for player, name in players(order)],
        "order": ",".join(map(str, order)),
        "changed": tuple(order) != standing.order,
        "pools": TITLES[ladder.game].pools,
        "list": ListForm(club=ladder.club, standing=standing),
        "season": standing.ends is not None,
        "form": OrderForm(season=standing.ends is not None, reason=request.POST.get("reason", "")),
        **context,
    }
    return shown(request, ladder, "desk_order", status, **context)


def kept(
    request: HttpRequest, ladder: Ladder, wanted: Sequence[int], seen: int | None, **context: object
) -> HttpResponse:
    """The draft of a steward on the ladder as it stands by now, and what has happened since they began."""
    ladder.refresh_from_db()
    standing = ladder.now_standing()
    since = ladder.log.filter(number__gte=seen).order_by("-number")[:MEANWHILE] if seen is not None else []
    context |= {"since": story.narrate(ladder, list(since))}
    return draft(request, ladder, ordered(standing.order, wanted), 422, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@at_desk
def order(request: UserRequest, ladder: Ladder) -> HttpResponse:
    """Order the ladder: move players one by one, by rating, or by a list of names; then save the order."""
    standing = ladder.now_standing()
    if request.method != "POST":
        by = request.GET.get("by", "")
        if by not in ("", "club", *TITLES[ladder.game].pools):
            raise Http404
        return draft(request, ladder, seasons.by_rating(ladder, by) if by else standing.order, by=by)
    if request.POST.get("by") == "list":
        names = ListForm(request.POST, club=ladder.club, standing=standing)
        if not names.is_valid():
            return draft(request, ladder, standing.order, 422, list=names)
        return draft(request, ladder, ordered(standing.order, names.cleaned_data["names"]))
    form = OrderForm(request.POST, season=standing.ends is not None)
    wanted, seen = form.draft()
    moved = next(((way, request.POST[way]) for way in WAYS if way in request.POST), None)
    if moved:
        wanted = shifted(wanted, moved[1], WAYS[moved[0]])
    try:
        ladders.check_draft(ladder, wanted, seen)
        if moved:
            return draft(request, ladder, wanted, moved=moved)
        if form.errors:
            return draft(request, ladder, wanted, 422, form=form)
        ladders.order(ladder, request.user, wanted, timezone.now(), seen, form.cleaned_data["reason"])
    except ladders.Changed as refusal:
        return kept(request, ladder, wanted, seen, moved=moved, refused=str(refusal))
    except Refused as refusal:
        return draft(request, ladder, standing.order, 422, refused=str(refusal))
    messages.success(request, _("Order saved."))
    return redirect(f"{ladder.get_absolute_url()}/desk/order")


def shifted(order: list[int], player: str, places: int) -> list[int]:
    """The order with one player this many places lower, if they are in it."""
    order = list(order)
    if player.isdecimal() and player.isascii() and len(player) < 19 and int(player) in order:
        here = order.index(int(player))
        order.insert(max(0, here + places), order.pop(here))
    return order
