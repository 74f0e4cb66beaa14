"""The evenings that wait for a person: a member can say that they are there."""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.faces.paint import bdi, said
from games.lobby.waits import ROWS, Act, Wait
from games.tournaments import events
from games.tournaments.models import Tournament


def waits(user: User, now: datetime) -> list[Wait]:
    """The open evenings of a person's clubs at which they are not yet."""
    found = Tournament.objects.filter(
        kind=Tournament.Kind.EVENING, closed_at=None, club__members__user=user
    ).select_related("club")
    told = []
    evenings = list(found.order_by("-pk")[:ROWS])
    standings = events.standings(evenings)
    for evening in evenings:
        here = standings[evening.pk].here
        if user.pk in here:
            continue
        where = [evening.club.slug, evening.number]
        name = format_html('<a href="{}"><b>{}</b></a>', evening.get_absolute_url(), bdi(evening.name))
        many = ngettext("%(n)d person is here", "%(n)d people are here", len(here)) % {"n": len(here)}
        told.append(
            Wait(
                said(_("Tonight in the club %(club)s: %(event)s."), club=bdi(evening.club.name), event=name),
                (Act(_("I’m here"), reverse("enter_tournament", args=where), True, True),),
                [many],
                club=evening.club_id,
                shown_on=evening.get_absolute_url(),
            )
        )
    return told
