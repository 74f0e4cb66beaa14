"""A match as a portable JSON document, and back: export, reading, replay with every check.

A record is complete: the rules suffice to replay it, without knowing how the cards were shuffled. `export` writes
one; `read` parses a text; `Record.replay` plays it through and compares everything it says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import position
from games.engine.core import BadRecord, Game, Move, RulesError, State, quoted
from games.engine.registry import FORMATS


def export(
    game: Game,
    start: State,
    moves: Iterable[Move],
    players: Sequence[str],
    ended: str | None = None,
    beginning: Mapping[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """The record of a match that began with `start` (left unchanged).

    `beginning`: the same position as plain data, if it is no first position that was dealt.

    `ended` says how a match ended that stops before the end of the game ("resignation", "time", "abandoned").
    `more` are further keys: dates, ratings, the proof of the shuffle. Raises IllegalMove.
    """
    state = start.copy()
    entries: list[dict[str, Any]] = []
    for move in moves:
        entry = {"seat": state.seat, "move": game.text(move)}
        if state.forced() == move:
            entry["forced"] = True
        state.check(move)
        draws = state.draws
        state.play(move)
        entries.append(entry)
        entries += state.chance_since(draws)
    return {
        "format": game.format,
        "options": start.options,
        "players": list(players),
        **(game.deal_to_json(start, state) if beginning is None else {"position": beginning}),
        "moves": entries,
        "result": {"ended": ended} if ended else game.result(state),
        **more,
    }


@dataclass(frozen=True)
class Record:
    """A well-formed record; `replay` tells whether its game is right too."""

    game: Game
    start: State
    document: Mapping[str, Any]

    @property
    def players(self) -> list[str]:
        """The names, in seat order."""
        return list(self.document["players"])

    def replay(self) -> tuple[State, list[Move]]:
        """The last state and all moves. Raises BadRecord at the first thing that contradicts the rules."""
        if "position" not in self.document:
            return self._replayed()
        try:
            return self._replayed()
        except position.ODD as error:
            raise BadRecord("these moves cannot follow from the position") from error

    def _replayed(self) -> tuple[State, list[Move]]:
        entries = self.document["moves"]
        state = self.start.copy()
        moves: list[Move] = []
        legal, play, parse = state.legal, state.play, self.game.move
        draws = state.draws
        index, end = 0, len(entries)
        while index < end:
            entry = entries[index]
            index += 1
            try:
                if "chance" in entry:
                    raise BadRecord("chance decides nothing here; expected a move")
                move = parse(entry["move"])
                answers = legal()
                if move not in answers or entry["seat"] != state.seat:
                    state.check(move, entry["seat"])
                if len(answers) > 1 and entry.get("forced"):
                    others = ", ".join(self.game.text(answer) for answer in answers if answer != move)
                    raise BadRecord(f"{quoted(entry['move'])} is marked as forced, but there was also: {others}")
                play(move)
                if state.draws != draws:
                    for drawn in state.chance_since(draws):
                        found = entries[index] if index < end else {}
                        if not drawn.items() <= found.items():
                            raise BadRecord(f"expected {_chance(drawn)} to follow, found {_chance(found)}")
                        index += 1
                    draws = state.draws
            except RulesError as error:
                raise BadRecord(f"move {len(moves) + 1} ({_entry(entry)}): {error}", len(moves)) from error
            moves.append(move)
        self._check_end(state, moves)
        return state, moves

    def _check_end(self, state: State, moves: Sequence[Move]) -> None:
        result = self.document["result"]
        expected = {"": {} if "position" in self.document else self.game.deal_to_json(self.start, state)}
        if "ended" in result:
            if state.over:
                raise BadRecord(
                    "“result.ended” says that the match stopped early, but its moves reach the end of the game"
                )
        elif not state.over:
            raise BadRecord(
                f"the moves stop after {len(moves)}, before the end of the game; "
                "expected more, or “ended” in the result",
                len(moves),
            )
        else:
            expected["result."] = self.game.result(state)
        for where, values in expected.items():
            found = result if where else self.document
            for key, value in values.items():
                if key not in found:
                    raise BadRecord(f"“{where}{key}” is missing; the replay gives {json.dumps(value)}")
                # true and 1.0 equal 1 in Python, but are written otherwise
                if value != found[key] or (where and repr(value) != repr(found[key])):
                    raise BadRecord(f"“{where}{key}” differs from the replay, which gives {json.dumps(value)}")


def read(text: str | bytes) -> Record:
    """Read a record from the text of one JSON document. Raises BadRecord."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        document = json.loads(text, parse_constant=_no_number, object_pairs_hook=_distinct)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"this is no JSON: {str(error)[:200]}; is the file complete?") from None
    return record_of(document)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return document


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def record_of(document: object) -> Record:
    """Read a record from a parsed JSON document. Raises BadRecord."""
    if not isinstance(document, dict):
        raise BadRecord(f"a record is a JSON object; found {quoted(document)}")
    format_ = _key(document, "format", str)
    if format_ not in FORMATS:
        raise BadRecord(f"unknown format {quoted(format_)}; expected one of: {', '.join(FORMATS)}")
    game = FORMATS[format_]
    given = _key(document, "options", dict)
    players = _key(document, "players", list)
    try:
        "".join(players).encode()
    except (TypeError, UnicodeEncodeError):
        raise BadRecord("players is no list of names") from None
    result = _key(document, "result", dict)
    if "ended" in result and not (isinstance(result["ended"], str) and result["ended"]):
        raise BadRecord(f"“result.ended” is {quoted(result['ended'])}; expected a text that says how the match ended")
    draws = _check_moves(_key(document, "moves", list), len(players))
    try:
        options = game.options(given)
        if missing := [name for name in options if name not in given]:
            raise BadRecord(f"options lacks {', '.join(missing)}")
        game.check_seats(len(players))
        if "position" in document:
            start = position.read(game, len(players), options, _key(document, "position", dict))
        else:
            deal = game.deal_from_json(len(players), options, document, draws)
            start = game.start(len(players), b"", options, deal=deal)
    except BadRecord:
        raise
    except RulesError as error:
        raise BadRecord(str(error)) from error
    return Record(game, start, document)


def _check_moves(entries: Sequence[object], seats: int) -> list[Mapping[str, Any]]:
    """Check the form of the moves. Returns the entries of chance among them."""
    draws: list[Mapping[str, Any]] = []
    ply = 0
    for entry in entries:
        if not isinstance(entry, dict):
            raise BadRecord(f"move {ply + 1} is {quoted(entry)}; expected an object", ply)
        if "chance" in entry:
            if not all(type(entry.get(key, 0)) is int for key in ("from", "to")):
                raise BadRecord(f"after move {ply}: {_chance(entry)}; expected seats under “from” and “to”", ply)
            draws.append(entry)
            continue
        if "move" not in entry or "seat" not in entry:
            lacking = "move" if "move" not in entry else "seat"
            raise BadRecord(f"move {ply + 1} has no “{lacking}”", ply)
        if type(entry["seat"]) is not int or not 0 <= entry["seat"] < seats:
            raise BadRecord(f"move {ply + 1}: no seat {quoted(entry['seat'])}; expected 0 to {seats - 1}", ply)
        if type(entry.get("forced", False)) is not bool:
            raise BadRecord(f"move {ply + 1}: “forced” is {quoted(entry['forced'])}; expected true or false", ply)
        ply += 1
    return draws


def _key(document: Mapping[str, Any], key: str, kind: type[str | list[Any] | dict[str, Any]]) -> Any:
    if key not in document:
        raise BadRecord(f"the record has no “{key}”")
    if not isinstance(document[key], kind):
        expected = "a text" if kind is str else "a list" if kind is list else "an object"
        raise BadRecord(f"“{key}” is {quoted(document[key])}; expected {expected}")
    return document[key]


def _entry(entry: Mapping[str, Any]) -> str:
    return _chance(entry) if "chance" in entry else f"seat {entry['seat']}, {quoted(entry['move'])}"


def _chance(entry: Mapping[str, Any]) -> str:
    if "chance" not in entry:
        return "no entry of chance"
    return ", ".join(f"{key} {quoted(value)}" for key, value in entry.items())
