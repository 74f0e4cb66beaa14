"""Play on from here: a new match that begins in the middle of one that has ended, for one person among bots.

It is practice: not rated, in no list and no archive; whoever has the link may watch, and see it later, but of a game of
a private club only its members. Its header says from where it is played on, and the hash of its first position; its
record has that position. With the same cards that is the position of the other match, with all that chance decides
later; dealt again it is one that the seat could not have told apart (`Game.sample`), so that anybody can check it:
`check`. As the cards then agree with what that seat knew alone, nobody goes on from there in another seat.
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
from games.lobby import open_matches, rematches
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
        raise Refused(_("You can play on from a game once it is over and everybody may see its cards."))
    if access.is_open_elsewhere(origin):
        raise Refused(_("Others still play this deal. You can play on when all have finished."))
    if origin.watch == Match.Watch.CLUB and not (origin.club and clubs.has_locked_member(origin.club, user)):
        raise Refused(_("Only members of the club can play on from its games."))
    if _dealt_for(origin) not in (None, seat):
        raise Refused(_("The cards of this game were dealt again for one seat. You can play on in that seat only."))
    replay = history.replay(origin)
    while replay.state(ply).forced() is not None and ply < origin.ply:
        ply += 1  # the server has made the only move: what follows is the question
    state = replay.state(ply)
    if state.over:
        raise Refused(_("The game was already over here. Go back to an earlier move, and play on from there."))
    rematches.make_room(user)
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


def _dealt_for(origin: Match) -> int | None:
    """The seat for which the cards of a match, or of one before it, were dealt again; None if they never were."""
    match: Match | None = origin
    while match is not None and match.beginning:
        if match.beginning["again"]:
            return int(match.beginning["seat"])
        match = match.played_from
    return None


def _sit(seats: list[Seat], mine: int) -> None:
    """Put the first of these at a seat, and the others around it."""
    order = [mine, *(index for index in range(len(seats)) if index != mine)]
    for seat, index in zip(seats, order, strict=True):
        seat.index = index


def check(match: Match) -> None:
    """Raise WrongBeginning if a match that says where it begins, or is played on from another, does not begin there."""
    told, origin = match.beginning, match.played_from
    if told is None or origin is None:
        raise WrongBeginning(
            f"match {match.key} says where it begins, or from which match it is played on, but not both"
        )
    try:
        ply, seat = told["ply"], told["seat"]
        if told["match"] != origin.key:
            raise WrongBeginning(f"match {match.key} says another match than the one that it is played on from")
        if ply not in range(origin.ply + 1) or seat not in range(origin.places):
            raise WrongBeginning(f"match {match.key} says a move or a seat that match {origin.key} does not have")
        first, there = history.start_of(match, b""), history.replay(origin).state(ply)
        if told["again"]:
            same = first.view(seat) == there.view(seat)
        else:  # what chance still decides stands in the position, and in no key
            same = position.written(match.rules, there) == told["position"]
    except (RulesError, *position.ODD) as error:
        raise WrongBeginning(f"match {match.key} begins with nothing that can be read: {error}") from error
    if not same:
        raise WrongBeginning(f"match {match.key} does not begin where match {origin.key} was at {ply}")
