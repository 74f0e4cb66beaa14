"""The shuffle of a match, between all seats taken and the first question: every game begins with it.

The commitment to the site's secret stands on the match's page from the first. Then

1. each player's browser draws 16 bytes, keeps them, and sends only their seal (`give_seal`), which is never replaced;
2. when all seals are in, or the time for them is over, they are published, and no other is taken;
3. each browser keeps that list, and gives its bytes (`open_seal`), which must fit its seal;
4. when all are open, or the time is over, the match begins. Nobody can hold it up, and there is no second shuffle.

If the site asks a beacon (`games.matches.beacon`; by default it does not), the list names a round that has yet to come,
and the match waits for it as well, but not longer than `beacon.MOST_MS` from the list on. It is fetched by a worker.

A seat without a browser gets bytes that follow from the secret (`chance.site_share`), and so does one that does not
open its seal. Whoever may not be there at the beginning can give bytes ahead (`give_ahead`), which count if their
browser seals nothing then. The record says of each seat which it was.

What it proves, if the browser of one player kept what it saw, and the record agrees with that:

- The site alone did not choose the shuffle: it had fixed its secret, and all other bytes, before it knew theirs.
- Nor did the site together with all other players, as long as this browser sealed and opened its bytes, but for this:
  of those whose seals were not opened, each could choose between two shuffles, if the site told them what would come.
- Bytes given ahead are known to the site. Of a game whose players all gave theirs ahead, but for the last to come, the
  site and the last one together could have chosen the shuffle.
- If all bytes are the site's, only that the deal was fixed when the match was created.
- With what a beacon said, if it is honest, even the site and all players together could decide no more than whether
  each seal was opened, and whether the beacon answered: each is a choice between two shuffles.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.web.refused import Refused
from games.engine import chance
from games.hub import nudges
from games.matches import beacon, play, rematches
from games.matches.clocks import instant, ms_of, now_ms
from games.matches.models import Match, Seat

From, Status = Seat.From, Match.Status

log = logging.getLogger(__name__)


def begin(match: Match, at: int) -> None:
    """Shuffle, and then begin, an open match whose seats are all taken and ready; in the caller's transaction.

    A hidden one begins at once, with the site's bytes alone, so that others with its secret have the same shuffle.
    """
    match.status = Status.SHUFFLING
    _wait(match, at + settings.SHUFFLE_MS)
    _proceed(match, list(match.seats.order_by("index")), at)


def begin_all(tables: Sequence[tuple[Match, Sequence[Seat]]], at: int) -> None:
    """Do the same for new matches, which are saved here with their seats: all of them in a few statements.

    Each goes on by itself, in a transaction of its own; but hidden ones, which wait for no browser, begin here.
    """
    for match, _seats in tables:
        match.status = Status.SHUFFLING
        match.wake_at = instant(at + settings.SHUFFLE_MS)
    Match.objects.bulk_create([match for match, _seats in tables])
    Seat.objects.bulk_create([seat for _match, seats in tables for seat in seats])
    for match, seats in tables:
        _proceed(match, seats, at)


def begin_at_once(match: Match, at: int) -> None:
    """Begin a match in whose shuffle no browser takes part; in the caller's transaction."""
    seats = list(match.seats.order_by("index"))
    _publish(match, seats, at)
    _start(match, seats, at)


@transaction.atomic
def give_ahead(match: Match, user: User, share: bytes) -> None:
    """Note the bytes of a player who may not be there when the match begins. The first ones count."""
    match, seats = _locked(match)
    seat = _seat_of(user, seats)
    if match.status != Status.OPEN:
        raise Refused(_("This game is being shuffled, or has begun: nothing can be given ahead any more."))
    if not seat.share_from:
        seat.share, seat.share_from = share, From.AHEAD
        seat.save(update_fields=["share", "share_from"])


@transaction.atomic
def give_seal(match: Match, user: User, seal: str) -> None:
    """Take the seal of a player's bytes, the first that they give, unless the seals are published already."""
    match, seats = _locked(match)
    seat = _seat_of(user, seats)
    if seat.seal == seal:
        return
    if not _collects(match):
        raise Refused(_("The seals of this shuffle are public already: no other is taken."))
    if seat.seal:
        raise Refused(_("Another page of yours has sealed its bytes for this seat already."))
    seat.seal, seat.share, seat.share_from = seal, b"", From.SEALED
    seat.save(update_fields=["seal", "share", "share_from"])
    _proceed(match, seats, now_ms())


@transaction.atomic
def do_without(match: Match, user: User) -> None:
    """Wait no longer for the seal of a player whose browser cannot make one."""
    match, seats = _locked(match)
    seat = _seat_of(user, seats)
    if _collects(match) and not seat.share_from:
        seat.share_from = From.SITE
        seat.save(update_fields=["share_from"])
        _proceed(match, seats, now_ms())


@transaction.atomic
def open_seal(match: Match, user: User, share: bytes) -> None:
    """Take the bytes of a player once all seals are published, if they are those that were sealed."""
    match, seats = _locked(match)
    seat = _seat_of(user, seats)
    if match.sealed_at is None:
        raise Refused(_("Not all seals are public yet: keep the bytes until then."))
    if not seat.seal or chance.seal(match.key, seat.index, share) != seat.seal:
        raise Refused(_("These aren’t the bytes that were sealed for this seat."))
    if seat.share_from == From.UNOPENED:
        raise Refused(_("The game has begun without these bytes: they came too late."))
    if match.status != Status.SHUFFLING or seat.share:
        return
    seat.share = share
    seat.save(update_fields=["share"])
    _proceed(match, seats, now_ms())


@transaction.atomic
def look(match: Match, at: int) -> None:
    """Go on without those for whom the time is over."""
    match, seats = _locked(match)
    if match.status == Status.SHUFFLING:
        _proceed(match, seats, at)


def ask_beacon(now: datetime) -> None:
    """Ask the beacon for the rounds that matches wait for. Only a worker may: this can take seconds."""
    sealed = Match.objects.filter(status=Status.SHUFFLING, beacon="").exclude(beacon_round="")
    for address in sealed.values_list("beacon_round", flat=True).distinct().order_by("beacon_round"):
        if beacon.is_due(address, ms_of(now)):
            try:
                said = beacon.ask(address)
            except beacon.Silent as error:
                log.warning("The beacon at %s said nothing that can be mixed in: %s", address, str(error))
            else:
                for match in sealed.filter(beacon_round=address):
                    hear(match, said)


@transaction.atomic
def hear(match: Match, said: str) -> None:
    """Take what the beacon said in the round of a match that has not begun, in hexadecimal."""
    match, seats = _locked(match)
    if match.status == Status.SHUFFLING and not match.beacon:
        match.beacon = said
        match.save(update_fields=["beacon"])
        _proceed(match, seats, now_ms())


def awaits_seal(match: Match, seat: Seat) -> bool:
    """Whether the browser of this seat should seal its bytes now."""
    return _collects(match) and bool(seat.user_id) and seat.share_from in ("", From.AHEAD)


def awaits_opening(match: Match, seat: Seat) -> bool:
    """Whether the browser of this seat should open its bytes now."""
    sealed = seat.share_from == From.SEALED and not seat.share
    return match.status == Status.SHUFFLING and match.sealed_at is not None and sealed


def awaits_beacon(match: Match) -> bool:
    """Whether the beacon has yet to say what goes into this shuffle."""
    return match.status == Status.SHUFFLING and bool(match.beacon_round) and not match.beacon


def _collects(match: Match) -> bool:
    return match.status == Status.SHUFFLING and match.sealed_at is None and not match.hidden


def _proceed(match: Match, seats: Sequence[Seat], at: int) -> None:
    """Take the steps that need wait for nobody."""
    nudges.changed(match.key)
    if match.hidden:
        begin_at_once(match, at)
        return
    if match.sealed_at is None:
        if not _over(match, at) and any(awaits_seal(match, seat) for seat in seats):
            return
        _publish(match, seats, at)
        match.beacon_round = beacon.coming(at)
        _wait(match, at + settings.SHUFFLE_MS)
    assert match.sealed_at is not None
    sealed_ms = ms_of(match.sealed_at)
    if at < sealed_ms + settings.SHUFFLE_MS and any(awaits_opening(match, seat) for seat in seats):
        return
    if at < sealed_ms + beacon.MOST_MS and awaits_beacon(match):
        _wait(match, sealed_ms + beacon.MOST_MS)
        return
    _start(match, seats, at)


def _wait(match: Match, until: int) -> None:
    """Give the next step its time."""
    match.wake_at = instant(until)
    match.save(update_fields=["status", "sealed_at", "beacon_round", "wake_at"])


def _over(match: Match, at: int) -> bool:
    return match.wake_at is not None and at >= ms_of(match.wake_at)


def _publish(match: Match, seats: Iterable[Seat], at: int) -> None:
    match.sealed_at = instant(at)
    for seat in seats:
        if seat.share_from == From.AHEAD:
            seat.seal = chance.seal(match.key, seat.index, bytes(seat.share))
        elif not seat.seal:
            seat.share_from = From.SITE
        seat.save(update_fields=["seal", "share_from"])


def _start(match: Match, seats: Iterable[Seat], at: int) -> None:
    for seat in seats:
        if not seat.share:
            seat.share = chance.site_share(bytes(match.secret), seat.index)
            seat.share_from = From.UNOPENED if seat.seal else From.SITE
            seat.save(update_fields=["share", "share_from"])
    play.start(match, at)


def _locked(match: Match) -> tuple[Match, list[Seat]]:
    """The match as it is now, locked until the end of the transaction, and its seats."""
    match = rematches.locked(match)
    return match, list(match.seats.order_by("index"))


def _seat_of(user: User, seats: Iterable[Seat]) -> Seat:
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None:
        raise Refused(_("You don’t have a seat at this table."))
    return seat
