"""Checks the proof in a record by the record alone, as anybody can: everything in it is made again from its secret and
its moves, and compared; the shuffle, the chain, the receipts kept of it.

`games.matches.verify` checks a match against everything that the database holds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from accounts.journal.chain import canonical
from games.engine import chance, record
from games.engine.core import BadRecord, Move, RulesError, State
from games.matches import chain, clocks, places
from games.matches.places import CALLED_OFF

UNPROVED = ("ratings",)
"""The keys of a record that nothing in it proves: what a game changes depends on others."""
FORGOTTEN = re.compile(r"closed-\d+", re.ASCII)
"""What a record calls a person whose account is closed: nothing in it proves who that was."""


def links(document: Mapping[str, Any]) -> list[bytes]:
    """The links of the chain of a record, from its first to its last. Raises BadRecord unless everything in it, but for
    `UNPROVED` and the names of closed accounts, is what follows from its header, secret and moves."""
    checked = record.record_of(dict(document))
    _end, moves = checked.replay()
    try:
        start = _start(document, checked)
        lines, shown = _lines(document, chance_of(document["proof"]), start, moves)
        found = chain.links(document["proof"]["header"], lines)
        again = _again(document, checked, start, moves) | {name: document[name] for name in UNPROVED}
        again["proof"] = _proof(document) | {"shown": shown, "link": found[-1].hex()}
        _same("the list of keys", sorted(document), sorted(again))
        _same("the list of keys in the proof", sorted(document["proof"]), sorted(again["proof"]))
        for name in again["proof"]:
            _same(f"“{name}” in the proof", document["proof"][name], again["proof"][name])
        for name in again:
            _same(f"“{name}”", document[name], again[name])
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadRecord(f"the proof is not complete: {type(error).__name__} {error}") from error
    except RulesError as error:
        if isinstance(error, BadRecord):
            raise
        raise BadRecord(f"these moves were not possible with the cards that the seed gives: {error}") from error
    return found


def chance_of(proof: Mapping[str, Any]) -> bytes:
    """The seed of a match, from the proof in its record."""
    shares = [bytes.fromhex(share) for share in proof["shares"]]
    return chance.mix(bytes.fromhex(proof["secret"]), shares, bytes.fromhex(proof["beacon"]))


def _start(document: Mapping[str, Any], checked: record.Record) -> State:
    """The first position, as header, secret and bytes of the seats give it."""
    proof = document["proof"]
    header, secret, beacon = proof["header"], bytes.fromhex(proof["secret"]), bytes.fromhex(proof["beacon"])
    _same("“game” and “version” in the header", f"{header['game']}-record/{header['version']}", document["format"])
    _same("“places” in the header", header["places"], len(checked.players))
    _same("the hash of the secret", chance.commitment(secret), header["commitment"])
    for seat, (share, seal, where) in enumerate(
        zip(map(bytes.fromhex, proof["shares"]), header["seals"], header["shares_from"], strict=True)
    ):
        if where in ("sealed", "ahead"):
            _same(f"the seal of the bytes of seat {seat}", seal, chance.seal(document["match"], seat, share))
        else:
            _same(f"the bytes of seat {seat}, by the secret", share.hex(), chance.site_share(secret, seat).hex())
            _same(f"where the bytes of seat {seat} come from", where, "unopened" if seal else "site")
    if beacon:
        _same("the number of bytes of the beacon, which was asked", len(beacon), 32 if header["beacon_round"] else 0)
    if "from" in header or "position" in document:
        start = hashlib.sha256(secret + canonical(document["position"])).hexdigest()
        _same("the hash of the first position, with the secret", start, header["from"]["position"])
        return checked.start
    return checked.game.start(header["places"], chance_of(proof), header["options"])


def _lines(
    document: Mapping[str, Any], seed: bytes, start: State, moves: list[Move]
) -> tuple[list[str], dict[str, str]]:
    """The rows of the log as the chain has them, the moves with the events between them; and what others read of those
    that they do not read whole, by ply."""
    events = {event["ply"]: event for event in document["events"]}
    state, coming, lines, shown = start.copy(), iter(moves), list[str](), dict[str, str]()
    made = document["proof"]["rows"]
    _same("the number of rows", len(made), len(events) + len(moves))
    for ply, (by, at) in enumerate(made):
        if ply in events:
            seat, text = events[ply]["seat"], "!" + events[ply]["event"]
            public = text
        else:
            move = next(coming, None)
            if move is None or state.seat is None:
                raise BadRecord(f"row {ply} is neither a move nor an event of the record")
            seat, text, public = state.seat, state.text(move), state.shown(move)
            state.play(move)
        if public != text:
            shown[str(ply)] = public
        lines.append(chain.line(seed, ply, seat, by, at, text, public))
    return lines, shown


def _again(document: Mapping[str, Any], checked: record.Record, start: State, moves: list[Move]) -> dict[str, Any]:
    """The record without its proof and what is `UNPROVED`, made from the proof and the moves."""
    header, made = document["proof"]["header"], document["proof"]["rows"]
    bots = [player.get("bot", "") for player in header["players"]]
    events = [
        event_of(event["ply"], event["seat"], event["event"], made[event["ply"]][1]) for event in document["events"]
    ]
    left: list[tuple[str, int] | None] = [None for _bot in bots]
    for event in events:
        if event["event"] in places.ENDED:
            left[event["seat"]] = event["event"], event["ply"]
    last = events[-1]["event"] if events and events[-1]["ply"] == len(made) - 1 else ""
    ended, final = None, list[int]()
    if last == "end":
        ended, final = places.how_ended(bots, left), places.stopped_places(bots, left)
    elif last:
        ended = CALLED_OFF
    again = record.export(checked.game, start, moves, _names(document), ended, document.get("position"))
    if not ended:
        final = places.final_places(again["result"]["places"], left)
    if document["ratings"] and not header["rated"]:
        raise BadRecord("it has ratings, but was not rated")
    return again | {
        "match": header["key"],
        "started": clocks.instant(header["started"]).isoformat(),
        "ended": clocks.instant(made[-1][1]).isoformat(),
        "rated": header["rated"],
        "bots": bots,
        "events": events,
        "final_places": final,
    }


def event_of(ply: int, seat: int, event: str, at: int) -> dict[str, Any]:
    """A row of the log that is not a move, as a record has it; of an outage also the time that the clock got back."""
    what = {"ply": ply, "seat": seat, "event": event, "at": clocks.instant(at).isoformat()}
    name, _space, seconds = event.partition(" ")
    return what | {"credit_ms": 1000 * int(seconds)} if name == "outage" else what


def _names(document: Mapping[str, Any]) -> list[str]:
    """By seat, the names that the header covers; those of closed accounts, which are forgotten, as the record says."""
    names = []
    for seat, (player, known, told) in enumerate(
        zip(document["proof"]["header"]["players"], document["proof"]["names"], document["players"], strict=True)
    ):
        if known is not None:
            name, salt = known
            _same(f"the name of seat {seat} at the start", chain.name_hash(bytes.fromhex(salt), name), player["name"])
        else:
            name = player["name"] if "bot" in player else told
            if "bot" not in player and not FORGOTTEN.fullmatch(told):
                raise BadRecord(f"the name of seat {seat} is {told!r}, but nothing proves it")
        names.append(name)
    return names


def _proof(document: Mapping[str, Any]) -> dict[str, Any]:
    """The proof of a record as it must be written."""
    proof = document["proof"]
    return {
        "commitment": proof["header"]["commitment"],
        "secret": bytes.fromhex(proof["secret"]).hex(),
        "shares": [bytes.fromhex(share).hex() for share in proof["shares"]],
        "beacon": bytes.fromhex(proof["beacon"]).hex(),
        "header": proof["header"],
        "names": [known and [known[0], bytes.fromhex(known[1]).hex()] for known in proof["names"]],
        "rows": proof["rows"],
    }


def compare(receipt: Mapping[str, Any], links: list[bytes], match: str) -> None:
    """Raise BadRecord unless the chain with these links of a match continues what a receipt says."""
    try:
        if receipt["format"] != chain.RECEIPT:
            raise BadRecord(f"a receipt has the format {chain.RECEIPT}; found {receipt['format']!r}")
        _same("the match of the receipt", receipt["match"], match)
        ply, link = receipt["ply"], receipt["link"]
    except (KeyError, TypeError) as error:
        raise BadRecord(f"this isn’t a receipt: {error}") from error
    if type(ply) is not int or not 0 <= ply < len(links) or links[ply].hex() != link:
        raise BadRecord(f"row {ply}: the link of the receipt is not in this record's chain")


def _same(what: str, found: object, expected: object) -> None:
    # As they are written: true and 1.0 equal 1 in Python.
    if canonical(found) != canonical(expected):
        raise BadRecord(f"{what} is {str(found)[:80]}; expected {str(expected)[:80]}")
