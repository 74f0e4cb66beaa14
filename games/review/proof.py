"""Checks the proof in a record by the record alone, as anybody can: the shuffle, the chain, the receipts kept of it.

`games.matches.verify` checks a match against everything that the database holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.engine import chance, record
from games.engine.core import BadRecord, RulesError, State
from games.matches import chain


def links(document: Mapping[str, Any]) -> list[bytes]:
    """The links of the chain of a record, from its first to its last. Raises BadRecord at whatever does not fit."""
    checked = record.record_of(dict(document))
    _end, moves = checked.replay()
    try:
        return list(_links(document, checked, moves))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRecord(f"the proof is not complete: {type(error).__name__} {error}") from error


def _links(document: Mapping[str, Any], checked: record.Record, moves: list[Any]) -> Iterator[bytes]:
    proof, game = document["proof"], checked.game
    header = proof["header"]
    _same("“key” in the header", header["key"], document["match"])
    _same("“game” and “version” in the header", f"{header['game']}-record/{header['version']}", document["format"])
    for name, told in (
        ("options", document["options"]),
        ("rated", document["rated"]),
        ("places", len(checked.players)),
    ):
        _same(f"“{name}” in the header", header[name], told)
    secret = bytes.fromhex(proof["secret"])
    _same("the hash of the secret", chance.commitment(secret), header["commitment"])
    _same("“commitment”", proof["commitment"], header["commitment"])
    shares = [bytes.fromhex(share) for share in proof["shares"]]
    for seat, (share, seal, where) in enumerate(zip(shares, header["seals"], header["shares_from"], strict=True)):
        if where in ("sealed", "ahead"):
            _same(f"the seal of the bytes of seat {seat}", seal, chance.seal(document["match"], seat, share))
        else:
            _same(f"the bytes of seat {seat}, by the secret", share, chance.site_share(secret, seat))
            _same(f"where the bytes of seat {seat} come from", where, "unopened" if seal else "site")
    beacon = bytes.fromhex(proof["beacon"])
    if beacon:
        _same("the number of bytes of the beacon, which was asked", len(beacon), 32 if header["beacon_round"] else 0)
    seed = chance.mix(secret, shares, beacon)
    start = game.start(len(checked.players), seed, document["options"])
    ended = document["result"].get("ended")
    try:
        again = record.export(game, start, moves, checked.players, ended)
    except RulesError as error:
        raise BadRecord(f"these moves were not possible with the cards that the seed gives: {error}") from error
    for name in again.keys() - {"result"}:
        _same(f"“{name}” by the seed", again[name], document[name])
    for seat, (player, known) in enumerate(zip(header["players"], proof["names"], strict=True)):
        if known is not None:
            name, salt = known
            _same(f"the name of seat {seat} at the start", chain.name_hash(bytes.fromhex(salt), name), player["name"])
    link = chain.first_link(header)
    yield link
    for line in _lines(document, seed, start, moves):
        link = chain.next_link(link, line)
        yield link
    _same("the last link", link.hex(), proof["link"])


def _lines(document: Mapping[str, Any], seed: bytes, start: State, moves: list[Any]) -> Iterator[str]:
    """The rows of the log as the chain has them: the moves with the events between them."""
    events = {event["ply"]: event for event in document["events"]}
    state, coming, shown = start.copy(), iter(moves), {}
    made = document["proof"]["rows"]
    _same("the number of rows", len(made), len(events) + len(moves))
    for ply, (by, at) in enumerate(made):
        if ply in events:
            seat, text = events[ply]["seat"], "!" + events[ply]["event"]
            public = text
        else:
            move = next(coming)
            assert state.seat is not None
            seat, text, public = state.seat, state.text(move), state.shown(move)
            state.play(move)
        if public != text:
            shown[str(ply)] = public
        yield chain.line(seed, ply, seat, by, at, text, public)
    _same("“shown” in the proof", document["proof"]["shown"], shown)


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
    if found != expected:
        raise BadRecord(f"{what} is {str(found)[:80]}; expected {str(expected)[:80]}")
