"""Play on from here: a new match that begins in the middle of one that has ended, for one person among bots.

It is practice: not rated, in no list and no archive; whoever has the link may watch, and see it later, but of a game of
a private club only its members. Its header says from where it is played on, and the hash of its first position; its
record has that position. With the same cards that is the position of the other match; dealt again it is one that the
seat could not have told apart (`Game.sample`), so that anybody can check it: `check`.
"""

from __future__ import annotations

from random import SystemRandom

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.clubs import clubs
from accounts.models import User
from accounts.web.refused import Refused
from games.engine import position
from games.engine.core import RulesError
from games.lobby import open_matches
from games.matches import access, history, shuffle
from games.matches.clocks import NO_CLOCK, now_ms
from games.matches.models import Match, Seat
from games.review.page import ENDED


class WrongBeginning(Exception):
    """A match does not begin where it says."""


@transaction.atomic
def play_on(origin: Match, ply: int, seat: int, again: bool, user: User) -> Match:
    """The match in which somebody plays on from a match that they may see, at its `ply`, in this seat, with the same
    cards or `again` dealt those that the seat did not know; it has begun. Raises Refused."""
    open_matches.hold(user)
    if origin.status not in ENDED or origin.hidden:
        raise Refused(_("One can play on from a game only when it is over, and its cards are known to all."))
    if access.is_open_elsewhere(origin):
        raise Refused(_("Others still play this deal. You can play on when all have finished."))
    if origin.watch == Match.Watch.CLUB and not (origin.club and clubs.has_locked_member(origin.club, user)):
        raise Refused(_("Only members of the club can play on from its games."))
    replay = history.replay(origin)
    while replay.state(ply).forced() is not None and ply < origin.ply:
        ply += 1  # the server has made the only move: what follows is the question
    state = replay.state(ply)
    if state.over:
        raise Refused(_("Here the game was over. Go back to an earlier move, and play on from there."))
    open_matches.check_room_for(user, guest=True)
    game = origin.rules
    if again:
        try:
            state = game.sample(state.view(seat), SystemRandom())
        except RulesError as error:
            raise Refused(_("These cards can’t be dealt again. You can play on with the same ones.")) from error
    match, seats = open_matches.arranged(
        game,
        [user],
        [user],
        origin.places - 1,
        options=origin.options,
        clock=NO_CLOCK,
        listed=False,
        watch=Match.Watch.CLUB if origin.watch == Match.Watch.CLUB else Match.Watch.LINK,
        club=origin.club if origin.watch == Match.Watch.CLUB else None,
        played_from=origin,
        beginning={
            "match": origin.key,
            "ply": ply,
            "seat": seat,
            "again": again,
            "position": position.written(game, state),
        },
    )
    _sit(seats, seat)
    match.save()
    Seat.objects.bulk_create(seats)
    shuffle.begin_at_once(match, now_ms())
    return match


def _sit(seats: list[Seat], mine: int) -> None:
    """Put the first of these at a seat, and the others around it."""
    order = [mine, *(index for index in range(len(seats)) if index != mine)]
    for seat, index in zip(seats, order, strict=True):
        seat.index = index


def check(match: Match) -> None:
    """Raise WrongBeginning if a match that is played on does not begin where it says."""
    assert match.beginning and match.played_from
    told = match.beginning
    first = history.start_of(match, b"")
    there = history.replay(match.played_from).state(told["ply"])
    if told["match"] != match.played_from.key:
        raise WrongBeginning(f"match {match.key} says another match than the one that it is played on from")
    same = first.view(told["seat"]) == there.view(told["seat"]) if told["again"] else first.key() == there.key()
    if not same:
        raise WrongBeginning(f"match {match.key} does not begin where match {told['match']} was at {told['ply']}")
