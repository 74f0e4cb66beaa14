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
FORMAT = "ladder-season/2"
CALLED = ("site", "club", "slug", "ladder", "name")
"""The keys of season.json that nothing proves: what the site calls itself, the club and its ladder."""
KEYS = {
    *("format", "game", "season", "first", "last", "origin", "events", "head", "names", "standing", "table", "awards"),
    *("games", *CALLED),
}
"""All keys of season.json."""


def main() -> None:
    check_files()
    # Only now: nothing of the code has run before it was found unchanged.
    sys.dont_write_bytecode = True
    sys.path[:] = [str(HERE / CODE), *(path for path in sys.path if Path(path or ".").resolve() != HERE)]
    season = json.loads((HERE / "season.json").read_text(encoding="utf-8"))
    if season["format"] != FORMAT:
        wrong(f"season.json has the format {season['format']}; this script knows {FORMAT}")
    if season.keys() != KEYS:
        wrong(f"season.json has other keys than it was written with: {sorted(season.keys() ^ KEYS)}")
    events = check_events(season)
    check_names(season, events)
    accounts = check_games(season, events)
    check_result(season, events)
    tell_limits(season, events, accounts)


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
    from accounts.journal import chain
    from games.ladders.follow import Written, WrongLadder, follow, rounded, table

    link, rows = chain.first_link(bytes.fromhex(season["origin"])), []
    for line in (HERE / "events.jsonl").read_bytes().splitlines():
        columns = json.loads(line)
        told = columns.pop("link")
        link = chain.next_link(link, columns)
        if link.hex() != told:
            wrong(f"event {columns['number']} of the ladder is not as it was written: its link does not follow from it")
        rows.append(
            Written(columns["number"], columns["at"] // 1000, *(columns[each] for each in ("kind", "data", "steps")))
        )
    if (len(rows), link.hex()) != (season["events"], season["head"]):
        wrong(f"the ladder has {season['events']} events up to the link {season['head']}; found {len(rows)}")
    right(f"the chain of the {len(rows)} events of the ladder holds; its head is {link.hex()}")
    try:
        standing, events = follow(rows)
    except WrongLadder as error:
        wrong(f"the ladder does not follow from its events: {error}")
    if rounded(table(standing)) != rounded(season["standing"]):
        wrong("the ladder that follows from the events is not the one in season.json")
    right(
        f"the ladder was computed again from all events: {len(standing.order)} players, every rung and rating as told"
    )
    return events


def check_names(season: dict[str, Any], events: list[Any]) -> None:
    """The names of the players are those whose hashes the events have."""
    from games.ladders.follow import named
    from games.matches.chain import name_hash

    said, told = named(events), season["names"]
    if told.keys() != {str(player) for player in said}:
        wrong("season.json names others than those whom the events have put on the ladder")
    for player, digest in said.items():
        name, salt = told[str(player)]["name"], told[str(player)]["salt"]
        if name_hash(bytes.fromhex(salt), name) != digest if salt else name != f"closed-{player}":
            wrong(f"player {player} was not called {name} when they came on the ladder")
    open_accounts = sum(bool(one["salt"]) for one in told.values())
    right(f"{open_accounts} players have the names with which the events put them on the ladder")


def check_games(season: dict[str, Any], events: list[Any]) -> dict[int, str]:
    """Every game can be replayed, and is the one that its event tells of. Returns the accounts of the players."""
    from games.engine import record
    from games.engine.core import BadRecord
    from games.ladders.payloads import GameResult
    from games.review import proof

    payloads = [event.payload for event in span(season, events)]
    results = {payload.match: payload for payload in payloads if isinstance(payload, GameResult)}
    if {path.name for path in HERE.glob("games/*")} != {f"{key}.json" for key in season["games"]}:
        wrong("the files in games/ are not the games that season.json names")
    if season["games"] != [key for key in results if key in season["games"]]:
        wrong("the games of the season do not stand in the order of its events, or are not all its own")
    accounts: dict[int, str] = {}
    moves = 0
    for key in season["games"]:
        try:
            document = record.read((HERE / "games" / f"{key}.json").read_bytes()).document
            link = proof.links(document)[-1].hex()
        except BadRecord as error:
            wrong(f"game {key}: {error}")
        moves += sum("move" in entry for entry in document["moves"])
        if (document["match"], link) != (key, results[key].link):
            wrong(f"game {key} is another than the one that its event tells of: its last link is {link}")
        check_game(season, key, document, results[key], accounts)
    right(
        f"{len(season['games'])} games with {moves} moves were replayed by the rules: each was possible, chance was "
        "as the sealed seed says, the chain of each log leads to the link in its event, and the result is the one that "
        "moved the ladder"
    )
    return accounts


def span(season: dict[str, Any], events: list[Any]) -> list[Any]:
    """The events of the season after its beginning."""
    first, last = season["first"], season["last"]
    return events[first + 1 : None if last is None else last + 1]


def check_game(season: dict[str, Any], key: str, document: Any, told: Any, accounts: dict[int, str]) -> None:
    """A record has the title of the ladder, and the players and the places of its event."""
    players, header = told.players, document["proof"]["header"]
    if header["game"] != season["game"]:
        wrong(f"game {key} is {header['game']}, but {season['game']} is played on this ladder")
    if document["players"] != [season["names"][str(player)]["name"] for player in players]:
        wrong(f"game {key} was played by others than the ladder says")
    for player, seat in zip(players, header["players"], strict=True):
        if accounts.setdefault(player, seat["account"]) != seat["account"]:
            wrong(f"game {key}: {season['names'][str(player)]['name']} plays there by another account")
    if document["final_places"] != [*told.places]:
        wrong(f"game {key} has other places than the ladder says: {[*told.places]}")
    late = {event["seat"] for event in document["events"] if event["event"] == "time"}
    if [*told.late] != [player for seat, player in enumerate(players) if seat in late]:
        wrong(f"game {key}: others ran out of time than the ladder says")


def check_result(season: dict[str, Any], events: list[Any]) -> None:
    """The table and the awards of the season follow from the events."""
    from games.ladders.awards import awards
    from games.ladders.payloads import SeasonBegun, SeasonEnded
    from games.ladders.standing import undone_by
    from games.ladders.tally import tallies

    undone, number = undone_by(events), season["season"]
    first, last = season["first"], season["last"]
    began, end = events[first].payload, events[last].payload if last is not None else None
    if not isinstance(began, SeasonBegun) or began.number != number:
        wrong(f"event {first} does not begin season {number}")
    if end is not None and (not isinstance(end, SeasonEnded) or end.number != number):
        wrong(f"event {last} does not end season {number}")
    own = span(season, events)
    if end is None and any(isinstance(event.payload, SeasonEnded) for event in own):
        wrong(f"season {number} has ended, but season.json does not say so")
    final = season["standing"] if end is None else end.final
    order = [player for player, *_ in final]
    counted = tallies(own, undone, order)
    table = [
        {"rung": rung, "player": player, "name": season["names"][str(player)]["name"], "rating": rating, "games": games}
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
    right(f"the table and the awards of season {number} were computed again, and are as told")


def tell_limits(season: dict[str, Any], events: list[Any], accounts: dict[int, str]) -> None:
    """Say what was not checked."""
    from games.ladders.payloads import AtTable, GameResult

    own = span(season, events)
    played = sum(isinstance(event.payload, GameResult) for event in own)
    at_table = sum(isinstance(event.payload, AtTable) for event in own)
    judged = len(own) - played - at_table
    closed = sum(not one["salt"] for one in season["names"].values())
    print()
    print("What this cannot tell:")
    if lacking := played - len(season["games"]):
        print(f"- {lacking} of {played} results have no game here: you may not see it. They are taken as written, with")
        print("  the last links of their games: whoever may see one can compare its record.")
    if at_table:
        print(f"- {at_table} results are of games at a real table: they are taken as their players, or a steward, say.")
    print(f"- {judged} other events of the season (rules, challenges, vacations, stewards) are taken as written:")
    print("  that they happened, and when, is known to the site alone.")
    print(f"- Who the people behind the {len(accounts)} accounts in these games are.")
    if closed:
        print(f"- What {closed} of the players were called: their accounts are closed, and their names forgotten.")
    print("- The ratings of the site in the records of the games (“ratings”): they depend on games elsewhere.")
    print(f"- What the site, the club and the ladder are called ({', '.join(CALLED)}), and what README.txt and")
    print("  LICENSE say.")
    if not season["games"]:
        print("- Which game is played on this ladder (game), as there is none here.")
    print(f"- That verify.py and {CODE}/ are the site's own: if in doubt, take them from its source code.")
    print("- Whoever writes all these files anew can make them agree, but not with the public log, which has the head")
    print("  above: it covers all events, and with them the names and the games. Compare it with the log:")
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
