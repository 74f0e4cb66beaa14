"""Downloads of a ladder: its standing, its results, a season; as JSON, or as CSV for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.web import links
from games.ladders.challenging import SIZES
from games.ladders.models import Challenge, Ladder
from games.ladders.pages import seasons, tallies
from games.ladders.pages.results import game_of, names_of, undone_of
from games.ladders.pages.seasons import Season
from games.ladders.payloads import AtTable
from games.matches.clocks import instant, ms_of
from games.matches.models import Match

Rows = list[dict[str, Any]]
SEATS = SIZES[-1]
"""The most players of one game."""
DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet could take a text that begins with one of these for a formula."""


def standings(ladder: Ladder, now: datetime) -> Rows:
    """All players of the ladder, the top first; then, without a position, those taken off until they are back."""
    standing = ladder.now_standing()
    names = names_of(standing.players)
    rows = []
    for player in (*standing.order, *standing.taken_off()):
        known = standing.players[player]
        rows.append(
            {
                "position": standing.position(player),
                "player": names[player],
                "rating": round(known.rating),
                "games": known.games,
                "form": known.form,
                "joined": _time(instant(known.joined)),
                "away_until": _time(instant(known.vacation[1])) if known.vacation and known.away(ms_of(now)) else None,
            }
        )
    return rows


def results(ladder: Ladder, season: Season | None = None) -> Rows:
    """All results, oldest first. `from` and `to` are positions; for a player who did not move they are equal or
    unknown; `points` are those of the game. `at_table`: the day of a game at a real table, which has neither a page
    nor a challenger, and points only if they were entered. Undone results are marked."""
    events = list(seasons.results(ladder, season).order_by("number"))
    undone = undone_of(ladder)
    names = names_of({player for event in events for player in game_of(event).players})
    challengers = dict(ladder.challenges.filter(status=Challenge.Status.PLAYED).values_list("pk", "challenger"))
    played_for = Match.objects.filter(challenge__ladder=ladder, status=Match.Status.FINISHED)
    points = {key: result and result["points"] for key, result in played_for.values_list("key", "result")}
    rows = []
    for event in events:
        game = game_of(event)
        here = None if isinstance(game, AtTable) else game
        scored = (game.points if isinstance(game, AtTable) else points[game.match]) or [None] * len(game.players)
        ranked = sorted(zip(game.places, game.players, scored, strict=True), key=lambda each: each[0])
        played = []
        for place, player, point in ranked:
            before, after = event.steps.get(str(player), (None, None))
            late = here is not None and player in here.late
            row = {"player": names[player], "place": place, "points": point, "from": before, "to": after}
            played.append({**row, "late": late})
        rows.append(
            {
                "event": event.number,
                "time": _time(event.at),
                "game": here and links.full(f"/m/{here.match}"),
                "at_table": game.played if isinstance(game, AtTable) else None,
                "undone": event.number in undone,
                "challenger": here and names[challengers[here.challenge]],
                "players": played,
            }
        )
    return rows


def final(ladder: Ladder, season: Season) -> Rows:
    """The final table of a season; the present standing while it runs. `games`: those so far on the ladder; `won`,
    `shared`, `lost`, `best` and `change` (rungs gained): those of the season."""
    ranks = seasons.ranks(ladder, season)
    counted, _awards = tallies.of_season(ladder, season, (player for player, *_ in ranks))
    names = names_of(player for player, *_ in ranks)
    return [
        {
            "season": season.number,
            "position": position,
            "player": names[player],
            "rating": round(rating),
            "games": games,
            **{name: getattr(counted[player], name) for name in ("won", "shared", "lost", "best", "change")},
        }
        for position, (player, rating, games) in enumerate(ranks, 1)
    ]


def about(ladder: Ladder, now: datetime) -> dict[str, Any]:
    """The head of each JSON document."""
    named = {"club": ladder.club.name, "slug": ladder.club.slug, "number": ladder.number, "name": ladder.name}
    return {**named, "game": ladder.game, "written": _time(now)}


def of_season(season: Season) -> dict[str, Any]:
    """The part of a JSON document about a season."""
    ended = _time(season.ended.at) if season.ended else None
    return {"season": season.number, "began": _time(season.began.at), "ended": ended}


def flat(rows: Rows) -> Rows:
    """Results with columns for each of their players: `player_1`, `place_1` and so on, by place."""
    empty = {f"{column}_{number}": None for number in range(1, SEATS + 1) for column in PLAYED}
    return [
        {name: value for name, value in row.items() if name != "players"}
        | empty
        | {f"{column}_{number}": played[column] for number, played in enumerate(row["players"], 1) for column in PLAYED}
        for row in rows
    ]


def written(rows: Rows, columns: Sequence[str]) -> str:
    """CSV that every spreadsheet reads correctly: with a byte order mark, and no text that could be a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([_cell(row.get(column)) for column in columns] for row in rows)
    return "\ufeff" + text.getvalue()


PLAYED = ("player", "place", "points", "from", "to", "late")
LADDER = ("position", "player", "rating", "games", "form", "joined", "away_until")
SEASON = ("season", "position", "player", "rating", "games", "won", "shared", "lost", "best", "change")
RESULTS = (
    *("event", "time", "game", "at_table", "undone", "challenger"),
    *(f"{column}_{seat}" for seat in range(1, SEATS + 1) for column in PLAYED),
)
"""The columns of each file."""


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value.startswith(DANGEROUS):
        return f"'{value}"
    return "" if value is None else value


def _time(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")
