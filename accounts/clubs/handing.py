"""Handing a club over in one step, with the consent of who takes it. Each service is one transaction."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.clubs import clubs, decisions
from accounts.models import Club, Handover, Member, Right, User
from accounts.people import blocks
from accounts.web.refused import Refused


@transaction.atomic
def offer(club: Club, steward: User, person: User, stays: bool, now: datetime) -> None:
    """Offer a member all rights; `stays`: whether the steward remains one when they accept. Until then it can be taken
    back."""
    club = clubs.at_desk(club, steward, Right.CLUB)
    if Handover.objects.filter(club=club).exists():
        raise Refused(_("The club has already been offered to somebody. A steward can take the offer back."))
    if person == steward:
        raise Refused(_("Choose another member."))
    member = clubs.member(club, person)
    if member is None:
        raise Refused(_("%(name)s is no longer a member of the club.") % {"name": person.username})
    if stays and member.role == Member.Role.STEWARD:
        raise Refused(_("%(name)s is already a steward.") % {"name": person.username})
    offered = Handover.objects.create(club=club, by=steward, to=person, stays=stays, at=now)
    decisions.record(club, "offered", steward, now, people=[person])
    if person.pk not in blocks.away_from(steward, [person.pk]):
        clubs.notify([person], "handing", club, now, by=steward, name=steward.username, number=offered.pk)


@transaction.atomic
def take_back(club: Club, steward: User) -> None:
    """Take an offer back that nobody has answered, one's own or another steward's."""
    club = clubs.at_desk(club, steward, Right.CLUB)
    offered = Handover.objects.filter(club=club).select_related("to").first()
    if offered is None:
        raise Refused(_("There is no such offer any more."))
    clubs.end_offers(Handover.objects.filter(pk=offered.pk))
    decisions.record(club, "unoffered", steward, people=[offered.to])


@transaction.atomic
def accept(club: Club, user: User, now: datetime) -> None:
    """Take the club over."""
    club, offered = _offered(club, user)
    clubs.check(club, offered.by, Right.CLUB)
    before, after = clubs.member(club, offered.by), clubs.member(club, user)
    assert before and after, "an offer goes with the membership of either"
    clubs.end_offers(Handover.objects.filter(pk=offered.pk))
    clubs.make_steward(after)
    if not offered.stays:
        before.role = Member.Role.MEMBER
        before.save(update_fields=["role"])
    decisions.record(club, "handed", offered.by, now, people=[user])
    clubs.notify([offered.by], "handed", club, now, by=user, name=user.username)


@transaction.atomic
def decline(club: Club, user: User, now: datetime) -> None:
    """Do not take the club over. Everything stays as it is."""
    club, offered = _offered(club, user)
    clubs.end_offers(Handover.objects.filter(pk=offered.pk))
    decisions.record(club, "refused", offered.by, people=[user])
    clubs.notify([offered.by], "declined", club, now, by=user, name=user.username)


def _offered(club: Club, user: User) -> tuple[Club, Handover]:
    club = clubs.locked(club)
    clubs.check_open(club)
    offered = Handover.objects.filter(club=club, to=user).select_related("by").first()
    if offered is None:
        raise Refused(_("There is no such offer any more."))
    return club, offered
