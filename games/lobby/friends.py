"""With a friend: a casual table of two, for whoever opens its link first."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from games.engine.core import Game
from games.lobby import open_matches
from games.lobby.forms import sizes
from games.matches.clocks import USUAL
from games.matches.models import Match, Seat


@transaction.atomic
def table(host: User, game: Game) -> Match:
    """Open a table by link for `host` and one other, guests too; the one that they keep open already is found instead.

    Raises Refused.
    """
    open_matches.hold(host)  # two presses at once find the same table
    places, watch = min(sizes(game)), Match.Watch.LINK
    own = Match.objects.filter(host=host, game=game.slug, places=places, status=Match.Status.OPEN)
    usual = own.filter(listed=False, watch=watch, rated=False, options=game.options({}), **USUAL._asdict())
    free = Exists(Seat.objects.filter(match=OuterRef("pk"), user=None, bot=""))
    standing = usual.filter(free, rematch_of=None, invitations=None).first()
    return standing or open_matches.open_match(
        host, game=game, places=places, options={}, clock=USUAL, listed=False, watch=watch
    )
