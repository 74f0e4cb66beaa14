"""The invitations to clubs that wait for a person and, for stewards, the requests to join."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.clubs.clubs import with_right
from accounts.models import Asking, Block, Club, Handover, Member, Right, User
from games.faces.paint import bdi, said
from games.lobby.pending import ROWS, Act, PendingAction


def actions(user: User, now: datetime) -> list[PendingAction]:
    """The invitations of a person, newest first, and the requests to join their clubs, all those of a club in one.

    Invitations by people whom they block are left out: such a steward must not reach them.
    """
    mine = Member.objects.filter(with_right(Right.PEOPLE), user=user).values("club")
    concerned = Q(user=user, by__isnull=False) & ~Q(by__in=Block.objects.filter(user=user).values("blocked"))
    concerned |= Q(by=None, club__in=mine)
    askings = Asking.objects.filter(concerned).select_related("club", "by", "user").order_by("-at", "-pk")
    invited, wanted = [], dict[Club, list[Asking]]()
    for asking in askings[:ROWS]:
        if asking.by:
            invited.append(_invited(asking.club, asking.by.username))
        else:
            wanted.setdefault(asking.club, []).append(asking)
    blocked = Block.objects.filter(user=user).values("blocked")
    offers = Handover.objects.filter(to=user).exclude(by__in=blocked).select_related("club", "by")
    offered = [_offered(each.club, each.by.username) for each in offers]
    return [
        *offered,
        *invited,
        *(_wanted(club, [each.user.username for each in those]) for club, those in wanted.items()),
    ]


def _invited(club: Club, by: str) -> PendingAction:
    return _asked(club, by, _("%(name)s invites you to the club %(club)s."), "decline_club", _("Join"), "join_club")


def _offered(club: Club, by: str) -> PendingAction:
    sentence = _("%(name)s wants to hand the club %(club)s over to you.")
    return _asked(club, by, sentence, "refuse_club", _("Accept"), "accept_club")


def _asked(club: Club, by: str, sentence: str, no: str, yes: str, accept: str) -> PendingAction:
    """What somebody asks for a club; `no` and `accept` are the names of the addresses of the two answers."""
    name = format_html('<a href="{}"><b>{}</b></a>', club.get_absolute_url(), bdi(club.name))
    return PendingAction(
        said(sentence, name=bdi(by), club=name),
        (
            Act(_("Decline"), reverse(no, args=[club.slug]), posts=True),
            Act(yes, reverse(accept, args=[club.slug]), True, True),
        ),
        club=club.pk,
    )


def _wanted(club: Club, names: list[str]) -> PendingAction:
    if len(names) == 1:
        sentence = said(_("%(name)s wants to join the club %(club)s."), name=bdi(names[0]), club=bdi(club.name))
    else:
        text = ngettext(
            "%(number)s person wants to join the club %(club)s.",
            "%(number)s people want to join the club %(club)s.",
            len(names),
        )
        sentence = said(text, number=len(names), club=bdi(club.name))
    act = Act(_("Answer"), reverse("club_desk", args=[club.slug]), True)
    return PendingAction(sentence, (act,), club=club.pk, number=len(names), at_club=True)
