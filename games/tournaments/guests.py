"""Guests and their names: those who come by a link, and those whom a steward enters where people play with real cards.

No two guests of an event have names that look the same, so that everybody at its tables knows who is who.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import services as accounts
from accounts.clubs import clubs, decisions
from accounts.models import Right, User
from accounts.text import names, pasted
from accounts.web import throttle
from accounts.web.refused import Refused
from games.tournaments import events, playing, services
from games.tournaments.models import NamedGuest, Tournament
from games.tournaments.services import MOST_PLAYERS, Ticked
from games.tournaments.standing import TournamentStanding


@transaction.atomic
def come(tournament: Tournament, user: User, name: str, now: datetime, token: str) -> None:
    """Let somebody take part who has the link (`token`), a guest by this name; empty: by the one that the site gave."""
    playing.held([user.pk])
    services.enter(tournament, user, now, token)
    if user.guest:
        _name(events.locked(tournament), user, name, now)


@transaction.atomic
def rename(tournament: Tournament, steward: User, guest: User, name: str, now: datetime) -> None:
    """Give a guest of an event another name for a steward, or none; everybody reads in the decisions that it was done,
    not what the names are."""
    playing.held([guest.pk])
    tournament = events.locked(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    entrant = events.standing(tournament).entrants.get(guest.pk)
    if not guest.guest or entrant is None:
        raise Refused(_("Only guests of this event can be given a name."))
    if name.strip() and (tournament.closed_at is not None or not entrant.here):
        raise Refused(_("This guest is no longer here: you can only remove the name."))
    if _name(tournament, guest, name, now):
        decisions.record(tournament.club, "renamed", steward, now, says=decisions.Titled(tournament.name))


@transaction.atomic
def enter_names(tournament: Tournament, steward: User, text: str, network: object, now: datetime) -> Ticked:
    """Enter a list of names for a steward, where people play with real cards: of members as `services.tick` does; each
    other becomes a guest of this name, who is in at once. Who is in already stays so. All of the list, or Refused.

    `network`: for which the new guests count.
    """
    tournament = events.locked(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    if tournament.closed_at is not None:
        raise Refused(_("This is over."))
    if not tournament.at_table:
        raise Refused(_("Only where you play with real cards can people take part who have no device of their own."))
    standing = events.standing(tournament)
    members, new = _people(tournament, standing, text)
    if len(new) > (most := room(tournament, standing)):
        raise Refused(_("There’s room for %(most)d more people, and %(n)d are new.") % {"most": most, "n": len(new)})
    made = []
    for name in new:
        guest = accounts.guest()
        accounts.name_guest(guest, name)
        made.append(guest)
    came = services.admit_all(tournament, made, now, steward)
    NamedGuest.objects.bulk_create(NamedGuest(tournament=tournament, user=guest, by=steward) for guest in made)
    ticked = services.tick(tournament, steward, members, now)
    if new:
        throttle.count("newcomers", network, len(new))
    return Ticked(ticked.here + came, ticked.asked)


def room(tournament: Tournament, standing: TournamentStanding) -> int:
    """How many more people can take part."""
    most = tournament.calendar.most if tournament.calendar else None
    return max(0, min(MOST_PLAYERS, MOST_PLAYERS if most is None else most) - len(standing.here))


def _people(tournament: Tournament, standing: TournamentStanding, text: str) -> tuple[list[User], list[str]]:
    """The members in a list and the names of new guests. Raises Refused for what is neither, and for names twice."""
    members, new, seen = list[User](), list[str](), dict[str, str]()
    by_name = {each.folded: each for each in User.objects.filter(memberships__club=tournament.club, is_active=True)}
    here = _skeletons(standing)
    for entry in pasted.entries(text):
        name = names.normal(entry.name)
        if not name:
            raise Refused(_("“%(text)s” has no name in it.") % {"text": entry.text})
        key = names.skeleton_of_club(name)
        if key in seen:
            told = _("“%(name)s” and “%(other)s” look the same. Add something to one of them, or leave it out.")
            raise Refused(told % {"name": seen[key], "other": name})
        seen[key] = name
        if member := by_name.get(names.folded(name)):
            members.append(member)
        elif key not in here:
            _check(name)
            new.append(name)
    if not members and not new:
        raise Refused(_("Everybody on this list is already here. Write one name a line."))
    return members, new


def _check(name: str) -> None:
    """Raises Refused, with the name, if no guest may have it."""
    try:
        accounts.check_guest_name(name)
    except Refused as refusal:
        if name in str(refusal):
            raise
        raise Refused(_("“%(name)s” can’t be entered. %(why)s") % {"name": name, "why": refusal}) from None


def _skeletons(standing: TournamentStanding, but: Collection[int] = ()) -> set[str]:
    """What the names look like that guests of an event have."""
    found = User.objects.filter(pk__in=standing.entrants, guest=True).exclude(pk__in=but).exclude(guest_name="")
    return {names.skeleton_of_club(name) for name in found.values_list("guest_name", flat=True)}


def _name(tournament: Tournament, guest: User, name: str, now: datetime) -> bool:
    """Name a guest of a locked event, and tell its pages. Returns whether that is another name."""
    name = names.normal(name)
    if name == guest.guest_name:
        return False
    if name:
        look = names.skeleton_of_club(name)
        if look in _skeletons(events.standing(tournament), [guest.pk]):
            raise Refused(_("Another guest here is called “%(name)s”. Add something to it.") % {"name": name})
        # A name goes with a guest from event to event.
        elsewhere = Tournament.objects.filter(log__by=guest, closed_at=None).exclude(pk=tournament.pk).distinct()
        if any(look in _skeletons(each, [guest.pk]) for each in events.standings(elsewhere).values()):
            told = _("Where the guest plays too, another one is called “%(name)s”. Add something to it.")
            raise Refused(told % {"name": name})
    accounts.name_guest(guest, name)
    events.schedule_wakeup(tournament, now)
    return True
