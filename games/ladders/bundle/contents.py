"""A season to take away: its games, the events of the ladder, and a script that replays everything without the site."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connection

from accounts.models import User
from accounts.web import links
from accounts.web.requests import Visitor
from games.ladders import follow, tally
from games.ladders.awards import awards
from games.ladders.bundle import verify
from games.ladders.models import Ladder
from games.ladders.pages.seasons import Season
from games.ladders.payloads import Event, GameResult
from games.ladders.standing import undone_by
from games.matches import access
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.review import records

AT_ONCE = 4
"""The number of games read and written in one go."""
WRITTEN = (1980, 1, 1, 0, 0, 0)
"""The time that a zip gives its files: the same files make the same zip."""
MODULES = (
    *("accounts/career/ratings.py", "accounts/journal/chain.py", "accounts/journal/payload.py"),
    *(f"games/ladders/{name}.py" for name in ("awards", "follow", "payloads", "rules", "standing", "tally")),
    *("games/matches/chain.py", "games/matches/clocks.py", "games/matches/places.py", "games/review/proof.py"),
)
"""What the script needs of our code, besides the engine: nothing of it needs anything but Python."""
README = """\
Season {season} of the ladder of {club}, as it was downloaded.

To check it, on any computer with Python 3.11 or later and without a network:

    python3 verify.py

It replays every game by the rules, computes the ladder again from its first event, and says what it has checked and
what it cannot know. It ends with 1, and says what is wrong, if a single byte has been changed; and if everything was
written anew so that it agrees, the head that it prints is another than that in the public log of the site.

season.json    the result: the table, the awards, which games, and who the players are: by the numbers that the events
               use, the names, and the bytes with which the events have their hashes
events.jsonl   all events of the ladder since it began, one a line, each with its link in the chain (the hash of the
               link before and of the event); times are microseconds since 1970, UTC
games/         the records of the season's games that you may see, each with the proof of its shuffle
code/          the site's own code by which verify.py replays: the rules of the game and of the ladder
manifest.json  the SHA-256 of every file
LICENSE        the licence of the code
"""


def events_of(ladder: Ladder) -> tuple[list[dict[str, Any]], list[Event]]:
    """All events of a ladder: as the file has them, and as `games.ladders.tally` takes them. One query."""
    lines, events = [], []
    for row in ladder.log.order_by("number"):
        lines.append(row.columns | {"link": bytes(row.link).hex()})
        events.append(Event(row.number, ms_of(row.at), row.payload, row.steps))
    return lines, events


def keys_of(events: list[Event], season: Season, viewer: Visitor) -> list[str]:
    """The games of a season that a viewer may see, in the order in which they ended. Two queries."""
    payloads = (event.payload for event in span(events, season))
    played = [payload.match for payload in payloads if isinstance(payload, GameResult)]
    over = set(Match.objects.filter(key__in=played, status=Match.Status.FINISHED).values_list("key", flat=True))
    over -= access.closed_keys(over, viewer)
    return [key for key in played if key in over]


def span(events: list[Event], season: Season) -> list[Event]:
    """The events of a season after its beginning."""
    return events[season.began.number + 1 : season.ended.number + 1 if season.ended else None]


def result(ladder: Ladder, season: Season, lines: list[dict[str, Any]], events: list[Event]) -> dict[str, Any]:
    """The result of a season, and what the script needs to know of it. One query."""
    standing = ladder.now_standing()
    now = follow.table(standing)
    final = season.final if season.ended else now
    order = [player for player, *_ in final]
    undone = undone_by(events)
    counted = tally.tallies(span(events, season), undone, order)
    won = awards(span(events, season), undone, order)
    people = User.objects.filter(pk__in=follow.named(events)).order_by("pk").values_list("pk", "username", "salt")
    names = {pk: {"name": name, "salt": bytes(salt).hex()} for pk, name, salt in people}
    return {
        "format": verify.FORMAT,
        "site": links.full(""),
        "club": ladder.club.name,
        "slug": ladder.club.slug,
        "ladder": ladder.number,
        "name": ladder.name,
        "game": ladder.game,
        "season": season.number,
        "first": season.began.number,
        "last": season.ended.number if season.ended else None,
        "origin": bytes(ladder.origin).hex(),
        "events": len(lines),
        "head": lines[-1]["link"],
        "names": {str(player): named for player, named in names.items()},
        "standing": now,
        "table": [
            {"rung": rung, "player": player, "name": names[player]["name"], "rating": rating, "games": games}
            | {name: getattr(counted[player], name) for name in ("won", "shared", "lost", "best", "change")}
            for rung, (player, rating, games) in enumerate(final, 1)
        ],
        "awards": {
            award.value: {"value": each.value, "players": [*each.players], "rung": each.rung}
            for award, each in won.items()
        },
    }


def code() -> Iterator[tuple[str, Path]]:
    """Our own code that goes along: the name of each file, and where it is."""
    root = Path(settings.BASE_DIR)
    engine = [path for path in (root / "games" / "engine").rglob("*") if path.suffix in (".py", ".csv", ".json")]
    own = [*engine, *(root / name for name in MODULES)]
    packages = {folder / "__init__.py" for path in own for folder in path.parents if folder.is_relative_to(root)}
    for path in sorted({*own, *(package for package in packages if package.exists())}):
        yield f"{verify.CODE}/{path.relative_to(root).as_posix()}", path
    yield "LICENSE", root / "LICENSE"
    yield "verify.py", Path(verify.__file__)


def files(ladder: Ladder, season: Season, viewer: Visitor) -> Iterator[tuple[str, bytes]]:
    """The files of a season for a viewer, one after the other; the manifest is the last."""
    lines, events = events_of(ladder)
    keys = keys_of(events, season, viewer)
    hashes = {}

    def known(name: str, content: bytes) -> tuple[str, bytes]:
        hashes[name] = hashlib.sha256(content).hexdigest()
        return name, content

    yield known("README.txt", README.format(season=season.number, club=ladder.full_name).encode())
    for name, path in code():
        yield known(name, path.read_bytes())
    document = result(ladder, season, lines, events) | {"games": keys}
    yield known("season.json", (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode())
    yield known("events.jsonl", "".join(_line(columns) + "\n" for columns in lines).encode())
    for at in range(0, len(keys), AT_ONCE):
        for record in records.documents(keys[at : at + AT_ONCE]):
            yield known(f"games/{record['match']}.json", (_line(record) + "\n").encode())
    yield verify.MANIFEST, verify.written(hashes)


def _line(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


class _Pieces(io.RawIOBase):
    """A file that cannot be sought in, whose content is taken away piece by piece."""

    def __init__(self) -> None:
        self.taken = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self.taken += piece
        return len(piece)

    def take(self) -> bytes:
        piece = bytes(self.taken)
        self.taken.clear()
        return piece


def zipped(ladder: Ladder, season: Season, viewer: Visitor) -> Iterator[bytes]:
    """The same files as the pieces of a zip, in a folder of their own; a few games are in memory at a time."""
    pieces, folder = _Pieces(), f"{ladder.file_name}-season-{season.number}"
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files(ladder, season, viewer):
            about = zipfile.ZipInfo(f"{folder}/{name}", WRITTEN)
            about.external_attr = 0o644 << 16
            archive.writestr(about, content, zipfile.ZIP_DEFLATED)
            yield pieces.take()
    yield pieces.take()


async def streamed(ladder: Ladder, season: Season, viewer: Visitor) -> AsyncIterator[bytes]:
    """The same, without holding up other requests; between two pieces the connection to the database is given back, for
    the client may read as slowly as it likes."""
    pieces = zipped(ladder, season, viewer)

    def some() -> bytes:
        piece = next(pieces, b"")
        if not connection.in_atomic_block:
            connection.close()
        return piece

    while piece := await sync_to_async(some)():
        yield piece
