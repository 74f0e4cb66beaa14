"""Checks a season of a ladder that was downloaded from an Armarium site: python3 verify.py

It needs no network, and nothing but Python 3.11 or later and the files beside it. It says what it has checked and what
it cannot know, and ends with 1 at the first thing that is wrong. README.txt tells what is in the files.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any, NoReturn

HERE = Path(__file__).resolve().parent
CODE = "code"
"""The folder of the site's own code."""
MANIFEST = "manifest.json"
FORMAT = "ladder-season/1"


def main() -> None:
    check_files()
    # Only now: nothing of the code has run before it was found unchanged.
    sys.dont_write_bytecode = True
    sys.path[:] = [str(HERE / CODE), *(path for path in sys.path if Path(path or ".").resolve() != HERE)]
    season = json.loads((HERE / "season.json").read_text(encoding="utf-8"))
    if season["format"] != FORMAT:
        wrong(f"season.json has the format {season['format']}; this script knows {FORMAT}")
    rows = check_events(season)
    accounts = check_games(season, rows)
    check_result(season, rows)
    tell_limits(season, rows, accounts)


def wrong(text: str) -> NoReturn:
    print(f"WRONG  {text}")
    sys.exit(1)


def right(text: str) -> None:
    print(f"ok     {text}")


def check_files() -> None:
    """Every file is there, and as the manifest says; there is no other."""
    try:
        text = (HERE / MANIFEST).read_bytes()
        hashes: dict[str, str] = json.loads(text)
        if text != written(hashes):
            wrong(f"{MANIFEST} is not as it was written")
    except (OSError, ValueError, TypeError) as error:
        wrong(f"{MANIFEST} cannot be read: {error}")
    found = {path.relative_to(HERE).as_posix() for path in HERE.rglob("*") if path.is_file() or path.is_symlink()}
    if missing := sorted(hashes.keys() - found):
        wrong(f"{missing[0]} is missing")
    if strange := sorted(found - hashes.keys() - {MANIFEST}):
        wrong(f"{strange[0]} does not belong to this season: move it elsewhere, and try again")
    for name, digest in hashes.items():
        if hashlib.sha256((HERE / name).read_bytes()).hexdigest() != digest:
            wrong(f"{name} has been changed")
    right(f"{len(hashes)} files are as they were when they were downloaded")


def written(hashes: dict[str, str]) -> bytes:
    """The manifest as a file."""
    return (json.dumps(hashes, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def check_events(season: dict[str, Any]) -> list[Any]:
    """The chain of the events holds, and the ladder follows from them. Returns the events."""
    from games.ladders import chain
    from games.ladders.follow import WrongLadder, follow, rounded, table
    from games.ladders.tally import Past

    link, rows = chain.begun(bytes.fromhex(season["origin"])), []
    for line in (HERE / "events.jsonl").read_bytes().splitlines():
        columns = json.loads(line)
        told = columns.pop("link")
        link = chain.linked(link, columns)
        if link.hex() != told:
            wrong(f"event {columns['number']} of the ladder is not as it was written: its link does not follow from it")
        rows.append(Past(columns["number"], columns["kind"], columns["data"], columns["steps"], columns["at"] // 1000))
    if (len(rows), link.hex()) != (season["events"], season["head"]):
        wrong(f"the ladder has {season['events']} events up to the link {season['head']}; found {len(rows)}")
    right(f"the chain of the {len(rows)} events of the ladder holds; its head is {link.hex()}")
    try:
        standing = follow(rows)
    except WrongLadder as error:
        wrong(f"the ladder does not follow from its events: {error}")
    if rounded(table(standing)) != rounded(season["standing"]):
        wrong("the ladder that follows from the events is not the one in season.json")
    right(
        f"the ladder was computed again from all events: {len(standing.order)} players, every rung and rating as told"
    )
    return rows


def check_games(season: dict[str, Any], rows: list[Any]) -> dict[int, str]:
    """Every game can be replayed, and is the one that its event tells of. Returns the accounts of the players."""
    from games.engine.core import BadRecord
    from games.ladders.standing import Kind
    from games.review import proof

    results = {row.data["match"]: row for row in rows if row.kind == Kind.RESULT}
    accounts: dict[int, str] = {}
    moves = 0
    for key in season["games"]:
        document = json.loads((HERE / "games" / f"{key}.json").read_text(encoding="utf-8"))
        try:
            proof.links(document)
        except BadRecord as error:
            wrong(f"game {key}: {error}")
        moves += sum("move" in entry for entry in document["moves"])
        if document["match"] != key or key not in results:
            wrong(f"game {key} is not one of this ladder")
        check_game(season, key, document, results[key].data, accounts)
    right(
        f"{len(season['games'])} games with {moves} moves were replayed by the rules: each was possible, chance was "
        "as the sealed seed says, the chain of each log holds, and the result is the one that moved the ladder"
    )
    return accounts


def check_game(
    season: dict[str, Any], key: str, document: dict[str, Any], told: dict[str, Any], accounts: dict[int, str]
) -> None:
    """A record has the players and the places of its event."""
    from games.engine import record
    from games.matches.places import final_places

    players = told["players"]
    if document["players"] != [season["names"][str(player)] for player in players]:
        wrong(f"game {key} was played by others than the ladder says")
    for player, seat in zip(players, document["proof"]["header"]["players"], strict=True):
        if accounts.setdefault(player, seat["account"]) != seat["account"]:
            wrong(f"game {key}: {season['names'][str(player)]} plays there by another account")
    events = [(event["event"], event["seat"], event["ply"]) for event in document["events"]]
    leaving = {seat: (name, ply) for name, seat, ply in events if name.split(" ")[0] in ("resign", "time", "leave")}
    left = [leaving[seat][1] if seat in leaving else None for seat in range(len(players))]
    state, _moves = record.record_of(document).replay()
    early = "ended" in document["result"]
    places = [1] * len(players) if early else record.record_of(document).game.result(state)["places"]
    if not final_places(places, left) == document["final_places"] == told["places"]:
        wrong(f"game {key} has other places than the ladder says: {told['places']}")
    if told["late"] != [players[seat] for seat in range(len(players)) if leaving.get(seat, ("",))[0] == "time"]:
        wrong(f"game {key}: others ran out of time than the ladder says")


def check_result(season: dict[str, Any], rows: list[Any]) -> None:
    """The table and the awards of the season follow from the events."""
    from games.ladders.awards import awards
    from games.ladders.standing import Kind
    from games.ladders.tally import tallies

    undone = {row.data["event"] for row in rows if row.kind == Kind.UNDO}
    first, last = season["first"], season["last"]
    began, end = rows[first], rows[last] if last is not None else None
    if (began.kind, began.data.get("number")) != (Kind.SEASON, season["season"]):
        wrong(f"event {first} does not begin season {season['season']}")
    if end is not None and (end.kind, end.data.get("number")) != (Kind.SEASON_END, season["season"]):
        wrong(f"event {last} does not end season {season['season']}")
    own = rows[first + 1 : None if last is None else last + 1]
    final = season["standing"] if end is None else end.data["final"]
    order = [player for player, *_ in final]
    counted = tallies(own, undone, order)
    table = [
        {"rung": rung, "player": player, "name": season["names"][str(player)], "rating": rating, "games": games}
        | {name: getattr(counted[player], name) for name in ("won", "shared", "lost", "best", "change")}
        for rung, (player, rating, games) in enumerate(final, 1)
    ]
    if table != season["table"]:
        wrong("the table of the season does not follow from the events")
    found = {
        award.value: {"value": won.value, "players": [*won.players], "rung": won.rung}
        for award, won in awards(own, undone, order).items()
    }
    if found != season["awards"]:
        wrong("the awards of the season do not follow from the events")
    right(f"the table and the awards of season {season['season']} were computed again, and are as told")


def tell_limits(season: dict[str, Any], rows: list[Any], accounts: dict[int, str]) -> None:
    """Say what was not checked."""
    from games.ladders.standing import Kind

    own = rows[season["first"] : season["last"]]
    played = sum(row.kind == Kind.RESULT for row in own)
    at_table = sum(row.kind == Kind.AT_TABLE for row in own)
    judged = len(own) - played - at_table
    print()
    print("What this cannot tell:")
    if lacking := played - len(season["games"]):
        print(f"- {lacking} of {played} results have no game here: you may not see it. They are taken as written.")
    if at_table:
        print(f"- {at_table} results are of games at a real table: they are taken as their players, or a steward, say.")
    print(f"- {judged} other events of the season (rules, challenges, vacations, stewards) are taken as written:")
    print("  that they happened, and when, is known to the site alone.")
    print(f"- Who the people behind the {len(accounts)} accounts in these games are.")
    print("- Whoever writes all these files anew can make them agree. Compare the head above with the public log:")
    print(
        f"  {season['site']}/c/{season['slug']}/ladders/{season['ladder']}/proof.json has it as the log has it, "
        "after so many events."
    )


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.exit(1)
    except (ImportError, SyntaxError) as error:
        wrong(f"this needs Python 3.11 or later: {error}")
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        wrong(f"the files do not fit together: {type(error).__name__} {error}")
