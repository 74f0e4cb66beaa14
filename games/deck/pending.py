"""What of one's deck waits today."""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.deck import deck
from games.faces.paint import said
from games.lobby.pending import Act, PendingAction


def actions(user: User, now: datetime) -> list[PendingAction]:
    """The decisions that come back to somebody today, as one thing."""
    number = len(deck.due(user, deck.today(now)))
    if not number:
        return []
    text = ngettext(
        "%(number)s decision of yours is back: what would you do now?",
        "%(number)s decisions of yours are back: what would you do now?",
        number,
    )
    return [
        PendingAction(
            said(text, number=number),
            (Act(_("Answer"), reverse("again"), True),),
            unasked=True,
            shown_on=reverse("again"),
        )
    ]
