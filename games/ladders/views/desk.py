"""The stewards' desk of a ladder: its rules, its order, its seasons, and corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.actions import action, page, sign_in_first
from accounts.career.titles import TITLES
from accounts.forms import Form
from accounts.models import Right, User
from accounts.web import links, throttle
from accounts.web.requests import UserRequest, whole
from games.ladders import events, opening
from games.ladders.forms.desk import (
    AddForm,
    CorrectForm,
    DeskForm,
    LastDayForm,
    ListForm,
    OrderForm,
    RulesForm,
    UndoForm,
)
from games.ladders.forms.opening import NameForm
from games.ladders.models import Ladder
from games.ladders.pages import seasons, story
from games.ladders.pages.results import names_of
from games.ladders.payloads import UNDOABLE
from games.ladders.rules import ENOUGH, ordered
from games.ladders.standing import Standing
from games.ladders.views.access import ladder_or_404
from games.matches.clocks import instant

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WAYS = {"up": -1, "down": 1}
"""The buttons that move one player in a draft of the order, and how far."""
MEANWHILE = 10
"""The most events shown to a steward whose draft the ladder has overtaken."""


at_desk = partial(action, ladder_or_404, sign_in_first, right=Right.LADDER)
desk_page = partial(page, ladder_or_404, sign_in_first, right=Right.LADDER)


def shown(request: HttpRequest, ladder: Ladder, name: str, form: Form | None = None, **context: object) -> HttpResponse:
    """A page of the desk."""
    parts = [("desk", _("Season and players")), ("desk_order", _("Order")), ("desk_rules", _("Rules"))]
    if ladder.closed_at:
        parts = []
    tabs = [(ladder.address(f"ladder_{part}"), text, part == name) for part, text in parts]
    context = {
        "club": ladder.club,
        "ladder": ladder,
        "address": ladder.address("ladder_desk"),
        "tabs": tabs,
        "steward": True,
        "form": form,
        "refused": form.refusal if isinstance(form, DeskForm) else None,
        **context,
    }
    return render(request, f"ladders/{name}.html", context)


# The first page


def render_desk(request: HttpRequest, ladder: Ladder, form: Form | None = None) -> HttpResponse:
    """Seasons, corrections, players; `form`: one that was refused."""
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
        "frame": links.full(ladder.address("ladder_embed")),
    }
    return shown(request, ladder, "desk", form, **(context | ({form.name: form} if form else {})))


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


desk = desk_page()(render_desk)


# Seasons

ACTS: dict[str, tuple[Callable[..., None], StrOrPromise]] = {
    "start": (events.start_season, gettext_lazy("The season has begun.")),
    "move": (events.move_end, gettext_lazy("The season now ends on that day.")),
    "pause": (events.pause, gettext_lazy("The ladder is paused.")),
    "resume": (events.resume, gettext_lazy("The ladder goes on.")),
    "end": (events.end_season, gettext_lazy("The season has ended.")),
}
"""What can be done with a season, and what is said then."""


def begin_form(standing: Standing, data: QueryDict | None = None) -> LastDayForm:
    """The form with which a season begins, for as long as the rules say."""
    usual = timezone.now() + timedelta(weeks=standing.rules.season_weeks)
    return LastDayForm(data, name="begin", last=usual)


def season_form(request: UserRequest, data: QueryDict | None, ladder: Ladder) -> DeskForm:
    if data is None:
        return begin_form(ladder.now_standing())
    do = data.get("do", "")
    if do not in ACTS:
        raise Http404
    if do == "start":
        return begin_form(ladder.now_standing(), data)
    return LastDayForm(data, name=do) if do in ("move", "pause") else DeskForm(data, name=do)


def render_season(request: HttpRequest, ladder: Ladder, form: DeskForm) -> HttpResponse:
    """The order in which the next season would begin, before it does; or the desk, if that would be the present one."""
    ladder.refresh_from_db()
    standing = ladder.now_standing()
    soft = standing.next_order() != standing.order
    if form.is_bound and not (form.name == "begin" and soft):
        return render_desk(request, ladder, form)
    was, names = standing.positions(), story.PlayerLinks(ladder, standing.order)
    rows = [
        (story.Movement(player, names[player], was[player], position), standing.players[player])
        for position, player in enumerate(standing.next_order(), 1)
    ]
    context = {"standing": standing, "rows": rows, "begin": form, "enough": ENOUGH}
    return shown(request, ladder, "desk_season", form, **context)


@desk_page(form=season_form, show=render_season, to="ladder_desk")
def season(request: UserRequest, ladder: Ladder, form: DeskForm) -> str:
    """Look at the order of the next season; begin one, move its end, pause it, end it."""
    do = request.POST["do"]
    act, done = ACTS[do]
    arguments: dict[str, Any] = {"ends": form.ends()} if isinstance(form, LastDayForm) else {}
    if do == "start":
        throttle.count("openings", request.user.pk)
        # Whoever has not seen the order of a soft reset is shown it first.
        seen = whole(request.POST.get("events", ""))
        arguments["events"] = -1 if seen is None else seen
    act(ladder, request.user, now=timezone.now(), **arguments)
    return str(done)


# Its name, and its end


@at_desk(form=NameForm, show=render_desk, to="ladder_desk")
def name(request: UserRequest, ladder: Ladder, form: NameForm) -> str:
    """Name the ladder."""
    opening.rename(ladder, request.user, form.cleaned_data["name_"], timezone.now())
    return _("The name is saved.")


@at_desk(form=DeskForm, show=render_desk, to=lambda request, ladder: ladder.club.address("ladders"))
def close(request: UserRequest, ladder: Ladder, form: DeskForm) -> str:
    """Close the ladder for good."""
    opening.close(ladder, request.user, timezone.now())
    return _("The ladder is closed.")


# Corrections, players


def correct_form(request: UserRequest, data: QueryDict, ladder: Ladder) -> CorrectForm:
    return CorrectForm(data, players=players(ladder.now_standing().order))


@at_desk(form=correct_form, show=render_desk, to="ladder_desk")
def correct(request: UserRequest, ladder: Ladder, form: CorrectForm) -> str:
    """Put one player at another position."""
    entered = form.cleaned_data
    events.correct(ladder, request.user, entered["player"], entered["position"], entered["reason"], timezone.now())
    return _("The ladder has been corrected.")


def add_form(request: UserRequest, data: QueryDict, ladder: Ladder) -> AddForm:
    return AddForm(data, members=members(ladder, ladder.now_standing().players))


@at_desk(form=add_form, show=render_desk, to="ladder_desk")
def add(request: UserRequest, ladder: Ladder, form: AddForm) -> str:
    """Put members on the ladder, at the bottom."""
    known = User.objects.order_by("folded").in_bulk(form.chosen())
    number = events.add(ladder, request.user, [known[pk] for pk in form.chosen()], timezone.now())
    told = ngettext("%(number)d member is now on the ladder.", "%(number)d members are now on the ladder.", number)
    return told % {"number": number}


def undo_form(request: UserRequest, data: QueryDict | None, ladder: Ladder, event: int) -> UndoForm:
    row = ladder.log.filter(number=event, kind__in=UNDOABLE).select_related("by").first()
    if row is None:
        raise Http404
    return UndoForm(data, event=row)


def render_undo(request: HttpRequest, ladder: Ladder, form: UndoForm, event: int) -> HttpResponse:
    row = form.event
    (told,) = story.narrate(ladder, [row])
    if told.undone and not form.is_bound:
        messages.info(request, _("This has already been undone."))
        return redirect(f"{ladder.address('ladder_history')}?event={event}#e{event}")
    moves = [] if told.undone else story.without(ladder, row)
    later = story.last_order(ladder, event) if row.steps and not told.undone else []
    context = {"told": told, "moves": moves, "number": event, "later": story.narrate(ladder, later)}
    return shown(request, ladder, "desk_undo", form, **context)


@desk_page(form=undo_form, show=render_undo, to="ladder_history")
def undo(request: UserRequest, ladder: Ladder, form: UndoForm, event: int) -> str:
    """Undo an event, for a reason."""
    events.undo(ladder, request.user, event, form.cleaned_data["reason"], timezone.now())
    return _("Undone. The ladder is back as it was.")


# Rules


def rules_form(request: UserRequest, data: QueryDict | None, ladder: Ladder) -> RulesForm:
    chosen = request.GET.get("preset", "")
    return RulesForm(data, now=ladder.now_standing().rules, game=ladder.game_rules, chosen=chosen)


def render_rules(request: HttpRequest, ladder: Ladder, form: RulesForm) -> HttpResponse:
    return shown(request, ladder, "desk_rules", form)


@desk_page(form=rules_form, show=render_rules, to="ladder_desk_rules")
def rules(request: UserRequest, ladder: Ladder, form: RulesForm) -> str:
    """Set the rules."""
    events.set_rules(ladder, request.user, form.rules(), timezone.now())
    return _("Rules saved.")


# Order


def draft(
    request: HttpRequest, ladder: Ladder, order: Sequence[int], form: Form | None = None, **context: object
) -> HttpResponse:
    """The page on which the ladder is reordered, as it would stand; nothing is saved."""
    standing = ladder.now_standing()
    fresh = OrderForm(season=standing.ends is not None, reason=request.POST.get("reason", ""))
    context = {
        "rows": [(player, name, standing.position(player)) for player, name in players(order)],
        "order": ",".join(map(str, order)),
        "changed": tuple(order) != standing.order,
        "pools": TITLES[ladder.game].pools,
        "list": ListForm(club=ladder.club, standing=standing),
        "season": standing.ends is not None,
        "order_form": fresh if form is None or not form.errors else form,
        **context,
    }
    return shown(request, ladder, "desk_order", form, **context)


def moved_by(request: HttpRequest) -> tuple[str, str] | None:
    """Which button of a draft was pressed to move a player, and which player."""
    return next(((way, request.POST[way]) for way in WAYS if way in request.POST), None)


def order_form(request: UserRequest, data: QueryDict | None, ladder: Ladder) -> OrderForm | ListForm:
    standing = ladder.now_standing()
    if data and data.get("by") == "list":
        return ListForm(data, club=ladder.club, standing=standing)
    return OrderForm(data, season=standing.ends is not None and not moved_by(request))


def render_order(request: HttpRequest, ladder: Ladder, form: OrderForm | ListForm) -> HttpResponse:
    """The present order, or one by rating; or the draft of a steward, on the ladder as it stands by now."""
    if form.is_bound:
        ladder.refresh_from_db()
    standing = ladder.now_standing()
    if isinstance(form, ListForm):
        return draft(request, ladder, standing.order, list=form)
    if not form.is_bound:
        by = request.GET.get("by", "")
        if by not in ("", "club", *TITLES[ladder.game].pools):
            raise Http404
        return draft(request, ladder, seasons.by_rating(ladder, by) if by else standing.order, by=by)
    wanted, seen = form.draft()
    moved = moved_by(request)
    since = ladder.log.filter(number__gte=seen).order_by("-number")[:MEANWHILE] if seen is not None else []
    told = story.narrate(ladder, list(since))
    return draft(request, ladder, ordered(standing.order, shifted(wanted, moved)), form, since=told, moved=moved)


@desk_page(form=order_form, show=render_order, to="ladder_desk_order")
def order(request: UserRequest, ladder: Ladder, form: OrderForm | ListForm) -> HttpResponse | str:
    """Order the ladder: move players one by one, by rating, or by a list of names; then save the order."""
    if isinstance(form, ListForm):
        return draft(request, ladder, ordered(ladder.now_standing().order, form.cleaned_data["names"]))
    wanted, seen = form.draft()
    moved = moved_by(request)
    if moved:
        events.check_draft(ladder, wanted, seen)
        return draft(request, ladder, shifted(wanted, moved), moved=moved)
    events.order(ladder, request.user, wanted, timezone.now(), seen, form.cleaned_data["reason"])
    return _("Order saved.")


def shifted(order: Sequence[int], moved: tuple[str, str] | None) -> list[int]:
    """The order with one player a place higher or lower, if a button says so and they are in it."""
    order = list(order)
    player = whole(moved[1]) if moved else None
    if moved and player in order:
        here = order.index(player)
        order.insert(max(0, here + WAYS[moved[0]]), order.pop(here))
    return order
