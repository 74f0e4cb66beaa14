"""The pages of tournaments: the list of a club, an evening, the wall, and what people do there."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, action, or_guest, page
from accounts.clubs import clubs
from accounts.forms import Form
from accounts.models import Club, Right, User
from accounts.people.entry import as_guest
from accounts.shown import people_shown
from accounts.text.names import folded
from accounts.web import links, throttle
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest, whole
from games.board import shown as board
from games.board.shown import Comments
from games.ladders.views.access import club_or_404
from games.lobby.invite import qr_code
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.tournaments import (
    arenas,
    computing,
    contests,
    duplicate,
    evenings,
    events,
    guests,
    listing,
    scheduled,
    services,
    shown,
    teams,
)
from games.tournaments import page as pages
from games.tournaments.forms import LONGEST_NAMES, ComeForm, PairingForm, SeatForm
from games.tournaments.models import Tournament
from games.tournaments.page import EventPage
from games.tournaments.services import Ticked


def tournament_or_404(request: HttpRequest, slug: str, number: int) -> Tournament:
    """The tournament at this address, if the visitor may know of it."""
    found = pages.find(slug, number, request.user)
    if found is None:
        raise Http404
    return found


# Looking


@never_cache
@page(club_or_404)
def tournaments(request: HttpRequest, club: Club) -> HttpResponse:
    """The evenings and tournaments of a club."""
    found = listing.lists(club, request.user, request.GET.get("page", ""), timezone.now())
    member = clubs.member(club, request.user)
    context = {
        "club": club,
        "lists": found,
        "may": member is not None and Right.EVENTS in member.may,
        "moved": member is not None and club.histories.exists(),
    }
    return render(request, "tournaments/tournaments.html", context)


@never_cache
@page(tournament_or_404)
def show(request: HttpRequest, found: Tournament) -> HttpResponse:
    """An evening or another tournament."""
    return render_evening(request, found) if found.kind == Tournament.Kind.EVENING else render_contest(request, found)


def comments_on(tournament: Tournament, shown: EventPage) -> Comments | None:
    return board.comments(tournament.club, shown.member, tournament.comments, shut=tournament.comments_shut)


def render_contest(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    now = timezone.now()
    found = shown.shown(tournament, request.user, now)
    context = {
        "contest": found,
        "club": tournament.club,
        "regions": {name.replace("-", "_"): html for name, html in shown.regions(found).items()},
        "since": ms_of(now),
    }
    context["comments"] = comments_on(tournament, found)
    if found.may and tournament.closed_at is None and tournament.kind != Tournament.Kind.DEAL:
        context |= {"absent": pages.absent(found), "room": guests.room(tournament, found.standing)}
        if tournament.token:
            link = links.full(tournament.address("come_to_tournament", tournament.token))
            context |= {"link": link, "qr": qr_code(link)}
    return render(request, "tournaments/contest.html", context)


def render_evening(request: HttpRequest, tournament: Tournament, seating: SeatForm | None = None) -> HttpResponse:
    now = timezone.now()
    evening = pages.evening(tournament, request.user, now)
    drawn = pages.regions(evening)
    context = {
        "evening": evening,
        "club": tournament.club,
        "regions": {name.replace("-", "_"): html for name, html in drawn.items()},
        "since": ms_of(now),
        "comments": comments_on(tournament, evening),
    }
    if evening.seating:
        link = links.full(tournament.address("come_to_tournament", tournament.token))
        context |= {
            "seating": seating or SeatForm(game=tournament.rules, seats=tournament.seats),
            "absent": pages.absent(evening),
            "room": guests.room(tournament, evening.standing),
            "link": link,
            "qr": qr_code(link),
        }
    return render(request, "tournaments/evening.html", context)


@never_cache
@page(tournament_or_404)
def wall(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """An evening for all to see: large, and live."""
    evening = shown.shown(tournament, request.user, timezone.now())
    guests = evening.seating and bool(tournament.token)
    link = links.full(tournament.get_absolute_url())
    way_in = links.full(tournament.address("come_to_tournament", tournament.token)) if guests else link
    context = {
        "evening": evening,
        "regions": {name.replace("-", "_"): html for name, html in pages.wall(evening).items()},
        "guests": guests,
        "link": link,
        "shown_link": link.partition("://")[2],
        "qr": qr_code(way_in),
    }
    return render(request, "tournaments/wall.html", context)


# Players


taking_part = partial(action, tournament_or_404, or_guest(account_first), limit="ladder")


@taking_part()
def enter(request: UserRequest, tournament: Tournament) -> Match | None:
    """Say that one is there; begin to play a deal of the week."""
    if tournament.kind == Tournament.Kind.DEAL:
        return duplicate.play(tournament, request.user, timezone.now())
    services.enter(tournament, request.user, timezone.now())
    return None


@taking_part()
def decline(request: UserRequest, tournament: Tournament) -> HttpResponse | str:
    """Say no to a steward who asks."""
    services.decline(tournament, request.user, timezone.now())
    told = _("You’ve said no. Nobody asks you again.")
    if pages.find(tournament.club.slug, tournament.number, request.user):
        return told
    # Without the invitation somebody may know nothing of a private club.
    messages.success(request, told)
    return redirect("lobby")


@taking_part()
def bye(request: UserRequest, tournament: Tournament) -> None:
    """Ask for a bye in the next round, or take that back."""
    contests.ask_bye(tournament, request.user, bool(request.POST.get("wants")), timezone.now())


@taking_part()
def leave(request: UserRequest, tournament: Tournament) -> None:
    """Say that one is there no more."""
    services.leave(tournament, request.user, timezone.now())


@taking_part()
def pause(request: UserRequest, tournament: Tournament) -> None:
    """Get no table of an arena until one is ready again."""
    arenas.pause(tournament, request.user, timezone.now())


@taking_part()
def ready(request: UserRequest, tournament: Tournament) -> None:
    """Be paired again in an arena."""
    arenas.ready(tournament, request.user, timezone.now())


@taking_part()
def choose_team(request: UserRequest, tournament: Tournament) -> None:
    """Choose one's team."""
    teams.choose(tournament, request.user, _numbered(request, "team"), timezone.now())


@taking_part()
def move_up_in_team(request: UserRequest, tournament: Tournament) -> None:
    """Let somebody of one's team sit one board further up."""
    teams.move_up(tournament, request.user, _numbered(request, "player"), timezone.now())


def _numbered(request: UserRequest, name: str) -> int:
    """The number that a button sends; -1 if it is none."""
    found = whole(request.POST.get(name, ""))
    return -1 if found is None else found


class Welcome(NamedTuple):
    """What the link for guests opens."""

    tournament: Tournament
    token: str


def by_link(request: HttpRequest, slug: str, number: int, token: str) -> Welcome | HttpResponse:
    """The event to which a link for guests leads; whoever needs an account for it is sent to sign up."""
    found = pages.at(slug, number)
    if found is None or not services.opens(found, token):
        raise Http404
    if found.closed_at and pages.find(slug, number, request.user) is None:
        raise Http404
    if request.method == "POST" and found.pace == Match.Pace.DAILY and not found.closed_at:
        return account_first(request, request.path, request.path) or Welcome(found, token)
    return Welcome(found, token)


def come_form(request: HttpRequest, data: QueryDict | None, found: Welcome) -> Form:
    if not asks_name(request):
        return Form(data)
    return ComeForm(data, initial={"called": getattr(request.user, "guest_name", "")})


def asks_name(request: HttpRequest) -> bool:
    """Whether somebody comes as a guest, and can have a name as one."""
    return not request.user.is_authenticated or request.user.guest


def render_come(request: HttpRequest, found: Welcome, form: Form) -> HttpResponse:
    context = {"tournament": found.tournament, "club": found.tournament.club, "form": form}
    return render(request, "tournaments/come.html", context)


@never_cache
@page(by_link, form=come_form, show=render_come)
def come(request: HttpRequest, found: Welcome, form: Form) -> Tournament | HttpResponse:
    """Come by the link for guests. Who has no account comes as a guest of the site."""
    if found.tournament.closed_at:
        return render_come(request, found, form)
    user = as_guest(request)
    throttle.count("ladder", user.pk)
    guests.come(found.tournament, user, form.cleaned_data.get("called", ""), timezone.now(), found.token)
    return found.tournament


# Stewards


managing = partial(action, tournament_or_404, account_first, right=Right.EVENTS)


@managing()
def tick(request: UserRequest, tournament: Tournament) -> None:
    """Let members and others take part, by name: `member` from the list, `names` typed."""
    typed = _list(request, "names")
    wanted = [*request.POST.getlist("member"), *(name.strip() for name in typed.replace("\n", ",").split(","))]
    names = {folded(name): name for name in (name.replace("\0", "") for name in wanted) if name}
    came = Q(guest=False) | Q(pk__in=events.standing(tournament).entrants)
    people = list(User.objects.filter(came, folded__in=names, closed=False, is_active=True))
    ticked = services.tick(tournament, request.user, people, timezone.now())
    if unknown := [name for key, name in names.items() if key not in {each.folded for each in people}]:
        messages.error(request, _("No player is called %(names)s.") % {"names": ", ".join(unknown)})
    tell_ticked(request, ticked)


def tell_ticked(request: UserRequest, ticked: Ticked) -> None:
    """Say how many people have come, and how many were asked."""
    if ticked.here:
        text = ngettext("%(n)d person is here now.", "%(n)d people have come.", ticked.here)
        messages.success(request, text % {"n": ticked.here})
    if ticked.asked:
        text = ngettext(
            "%(n)d person has been asked, and comes by saying yes.",
            "%(n)d people have been asked, and come by saying yes.",
            ticked.asked,
        )
        messages.success(request, text % {"n": ticked.asked})


@managing()
def enter_names(request: UserRequest, tournament: Tournament) -> None:
    """Enter a list of names where people play with real cards."""
    now, network = timezone.now(), throttle.address(request)
    tell_ticked(request, guests.enter_names(tournament, request.user, _list(request, "list"), network, now))


def _list(request: UserRequest, field: str) -> str:
    """The names in a field. Raises Refused if they are too many: cut off, a name could be that of somebody else."""
    text = request.POST.get(field, "")
    if len(text) > LONGEST_NAMES:
        raise Refused(_("This list is too long: enter at most %(n)d letters at a time.") % {"n": LONGEST_NAMES})
    return text


@managing()
def name_guest(request: UserRequest, tournament: Tournament) -> str:
    """Give a guest another name, or none."""
    person = User.objects.filter(pk=whole(request.POST.get("player", "")) or 0, guest=True).first()
    if person is None:
        raise Refused(_("Only guests of this event can be given a name."))
    guests.rename(tournament, request.user, person, request.POST.get(f"called-{person.pk}", ""), timezone.now())
    return _("The guest is now called %(name)s.") % {"name": person.shown_name}


@managing()
def untick(request: UserRequest, tournament: Tournament) -> None:
    """Let somebody go."""
    person = User.objects.filter(pk=whole(request.POST.get("player", "")) or 0).first()
    if person:
        services.untick(tournament, request.user, person, timezone.now())


@managing()
def renew_link(request: UserRequest, tournament: Tournament) -> str:
    """Give guests a new link."""
    services.renew_link(tournament, request.user, timezone.now())
    return _("There’s a new link for guests. The old one no longer works.")


def seat_form(request: UserRequest, data: QueryDict, tournament: Tournament) -> SeatForm:
    return SeatForm(data, game=tournament.rules, seats=tournament.seats)


def render_seat(request: UserRequest, tournament: Tournament, form: SeatForm) -> HttpResponse:
    if tournament.kind == Tournament.Kind.EVENING:
        return render_evening(request, tournament, form)
    messages.error(request, _("The rounds of a tournament follow its plan."))
    return redirect(tournament)


@managing(form=seat_form, show=render_seat)
def seat(request: UserRequest, tournament: Tournament, form: SeatForm) -> Match | None:
    """Seat everybody: the next round of an evening."""
    if tournament.kind != Tournament.Kind.EVENING:
        raise Refused(_("The rounds of a tournament follow its plan."))
    now = timezone.now()
    how = {name: form.cleaned_data[name] for name in ("how", "size", "fill", "rounds")}
    evenings.seat_everybody(tournament, request.user, now, **how)
    mine = pages.evening(tournament, request.user, now).mine
    return mine.match if mine else None


@managing()
def begin(request: UserRequest, tournament: Tournament) -> None:
    """Begin a tournament with a plan."""
    contests.begin(tournament, request.user, timezone.now())


@managing()
def next_round(request: UserRequest, tournament: Tournament) -> Match | str | None:
    """Begin its next round; or, with `clock=stop`, let the clock begin no more of them."""
    rounds, now = whole(request.POST.get("rounds", "")), timezone.now()
    if request.POST.get("clock") == "stop":
        scheduled.stop_clock(tournament, request.user, now)
        return _("From now on a steward begins each round.")
    if tournament.kind != Tournament.Kind.DUPLICATE:
        contests.next_round(tournament, request.user, now, rounds)
        return None
    duplicate.seat_everybody(tournament, request.user, now, rounds)
    mine = shown.shown(tournament, request.user, now).mine
    return mine.match if mine else None


def pairing_form(request: UserRequest, data: QueryDict | None, tournament: Tournament) -> PairingForm:
    throttle.count("desk", request.user.pk)  # a large round takes seconds to draw
    standing = events.standing(tournament)
    stale = data is not None and data.get("seen") != str(standing.events)
    try:
        found = None if stale else contests.proposed(tournament, standing)
    except computing.Busy:
        found = None
    if found is None:
        if data is None:
            raise Http404
        return PairingForm(data, tables=[], byes=[], names={})
    people = people_shown({*(player for table in found.tables for player in table), *found.byes})
    return PairingForm(
        data,
        tables=[[*table] for table in found.tables],
        byes=[*found.byes],
        names={player: person.name for player, person in people.items()},
        initial={"seen": standing.events},
    )


def render_pairing(request: UserRequest, tournament: Tournament, form: PairingForm) -> HttpResponse:
    context = {"tournament": tournament, "club": tournament.club, "form": form}
    context["number"] = len(events.standing(tournament).rounds) + 1
    return render(request, "tournaments/pairing.html", context)


@page(tournament_or_404, account_first, right=Right.EVENTS, form=pairing_form, show=render_pairing)
def pair(request: UserRequest, tournament: Tournament, form: PairingForm) -> None:
    """Pair the next round by hand, and begin it."""
    contests.by_hand(tournament, request.user, form.pairing(), timezone.now())


@managing()
def make_team(request: UserRequest, tournament: Tournament) -> None:
    """Make a team, which people choose themselves."""
    teams.make(tournament, request.user, request.POST.get("name", ""), timezone.now())


@managing()
def remove_team(request: UserRequest, tournament: Tournament) -> None:
    """Remove a team before it begins."""
    teams.remove(tournament, request.user, _numbered(request, "team"), timezone.now())


@managing()
def make_last(request: UserRequest, tournament: Tournament) -> None:
    """Let no other deal of the week follow."""
    duplicate.make_last(tournament, request.user, timezone.now())


@managing()
def close(request: UserRequest, tournament: Tournament) -> None:
    """End an evening."""
    services.close(tournament, request.user, timezone.now())
