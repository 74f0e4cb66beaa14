"""Invitations to tournaments: whom a steward ticks is asked, and comes when they say yes on a page of their own."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notices
from accounts.web import throttle
from accounts.web.refused import Refused
from games.tournaments.models import EventInvitation, Tournament


def invite(tournament: Tournament, steward: User, people: Collection[User], now: datetime) -> int:
    """Invite people to a locked tournament. Returns how many have yet to answer; who was asked before hears nothing.

    Raises Refused for who has said no, and TooMany for a steward who asks too many.
    """
    before = {found.user_id: found for found in tournament.invitations.filter(user__in=people)}
    for person in people:
        if person.pk in before and before[person.pk].declined:
            raise Refused(_("%(name)s has said no. They can still come by themselves.") % {"name": person.shown_name})
    new = [person for person in people if person.pk not in before]
    counts: list[tuple[str, object]] = [("event invitations", steward.pk) for _person in new]
    counts += [("event invitations to", f"{steward.pk} {person.pk}") for person in new]
    throttle.count_all(counts, 1)
    EventInvitation.objects.bulk_create(
        EventInvitation(tournament=tournament, user=person, by=steward, at=now) for person in new
    )
    members = set(tournament.club.members.values_list("user", flat=True))
    notices.notify(
        new,
        "event-invited",
        tournament.get_absolute_url(),
        now,
        by=steward,
        # Strangers read nothing that the stewards of a club have written.
        own={person.pk: {"event": tournament.name if person.pk in members else None} for person in new},
        name=steward.username,
    )
    return len(people)


def find(tournament: Tournament, user: User) -> EventInvitation | None:
    """Somebody's invitation that they have not answered."""
    return tournament.invitations.filter(user=user, declined=False).first()


def invited(tournament: Tournament) -> list[User]:
    """Those who have not answered, in the order in which they were asked."""
    asked = User.objects.filter(event_invitations__tournament=tournament, event_invitations__declined=False)
    return list(asked.order_by("event_invitations__at", "event_invitations__pk"))


def decline(tournament: Tournament, user: User) -> None:
    """Note that somebody has said no. Raises Refused if nobody asks them."""
    if not tournament.invitations.filter(user=user, declined=False).update(declined=True):
        raise Refused(_("Nobody asks you any more."))


def note_no(tournament: Tournament, user: User, now: datetime) -> None:
    """Note that somebody has said no whom nobody asks at this moment: nobody asks them again."""
    answer = {"by": user, "at": now, "declined": True}
    EventInvitation.objects.update_or_create(tournament=tournament, user=user, defaults=answer)


def take_back(tournament: Tournament, people: Collection[int]) -> None:
    """Forget invitations that have not been declined, or that are answered by coming. `people`: whose, by their ids."""
    tournament.invitations.filter(user__in=people, declined=False).delete()
