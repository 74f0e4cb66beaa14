"""Matches that have ended as documents: complete records with the proof of their shuffle, and text to read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import ArchivedMatch
from accounts.text.numbers import number
from games.engine import record
from games.faces.registry import terms_of
from games.matches.history import Replay, Row
from games.matches.models import LogEntry, Match
from games.matches.places import CALLED_OFF
from games.review import page, proof

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ENDED = Match.Status.FINISHED, Match.Status.ABORTED
"""Other matches have no record yet."""
EARLY: dict[str, StrOrPromise] = {
    "resignation": gettext_lazy("The game ended when a player resigned; no cards were counted."),
    "time": gettext_lazy("The game ended when a player ran out of time; no cards were counted."),
    "abandoned": gettext_lazy("The game ended when a player left; no cards were counted."),
    "agreement": gettext_lazy("Those who stayed agreed to end the game; no cards were counted."),
}


def document(match: Match, replay: Replay, ratings: Iterable[tuple[float, float] | None] = ()) -> dict[str, Any]:
    """The record of a match that has ended. `ratings`: by seat, before and after it, of a rated one."""
    assert match.started_at and match.ended_at
    seats = match.sitting
    moves = [match.rules.move(row.move) for row in replay.rows if not row.is_event]
    # A person may have had another name then, as a guest.
    names = [seat.name or seat.shown_name for seat in seats]
    ended = CALLED_OFF if match.result is None else match.result.get("ended")
    result = record.export(match.rules, replay.states[0], moves, names, ended, (match.beginning or {}).get("position"))
    return result | {
        "match": match.key,
        "started": match.started_at.isoformat(),
        "ended": match.ended_at.isoformat(),
        "rated": match.rated,
        "ratings": [change and {"before": change[0], "after": change[1]} for change in ratings],
        "bots": [seat.bot for seat in seats],
        "events": [
            proof.event_of(ply, row.seat, row.move[1:], row.at) for ply, row in enumerate(replay.rows) if row.is_event
        ],
        "final_places": match.result["places"] if match.result else [],
        "proof": proof_of(match, replay),
    }


def proof_of(match: Match, replay: Replay) -> dict[str, Any]:
    """What a browser needs to check the shuffle and the chain of the log, once the match has ended.

    `shares` are the bytes of each seat that went into the shuffle: the header has their seals, and where they are from.
    `beacon` is what the beacon said in the header's `beacon_round`, or empty. `link` is the last link of the chain,
    `header` what its first one was made of, `rows` by whom and when each row was made, `shown` the rows of which others
    read less than stands in the log: ply and what they read. `names`: by seat, the name at the start of a person whose
    account is not closed, and the salt of its hash in the header.
    """
    return {
        "commitment": match.commitment,
        "secret": bytes(match.secret).hex(),
        "shares": [bytes(seat.share).hex() for seat in match.sitting],
        "beacon": match.beacon,
        "header": match.header,
        "names": [[seat.name, bytes(seat.salt).hex()] if seat.salt else None for seat in match.sitting],
        "rows": [[row.by, row.at] for row in replay.rows],
        "shown": {str(ply): text for ply, text in enumerate(replay.shown) if text != replay.rows[ply].move},
        "link": bytes(match.link).hex(),
    }


def documents(keys: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The records of these matches that have ended, in this order, in a fixed number of queries."""
    keys = list(keys)
    matches = {match.key: match for match in Match.objects.seated().filter(key__in=keys, status__in=ENDED)}
    logs: defaultdict[int, list[Row]] = defaultdict(list)
    entries = LogEntry.objects.filter(match__in=matches.values()).order_by("match_id", "ply")
    for pk, seat, move, by, at in entries.values_list("match_id", "seat", "move", "by", "at"):
        logs[pk].append(Row(seat, move, by, at))
    changes: defaultdict[str, dict[int, tuple[float, float]]] = defaultdict(dict)
    rated = ArchivedMatch.objects.filter(match__in=keys).exclude(pool="")  # index accounts_archive_match
    for key, seat, before, after in rated.values_list("match", "seat", "before", "after"):
        if before is not None and after is not None:
            changes[key][seat] = before, after
    for match in (matches[key] for key in keys if key in matches):
        replay = Replay(match)
        replay.add(logs[match.pk])
        ratings = [changes[match.key].get(seat) for seat in range(match.places)] if match.key in changes else []
        yield document(match, replay, ratings)


def text(match: Match) -> str:
    """A match that has ended, as text: the players, what happened turn by turn with all cards open, and the end."""
    assert match.started_at and match.ended_at
    seats = match.sitting
    names = [seat.shown_name for seat in seats]
    reading = page.reading(match, page.ALL)
    face = reading.face
    lines = [
        _("%(game)s, match %(key)s") % {"game": face.name, "key": match.key},
        ", ".join(names),
        _("Began %(at)s, ended %(end)s (UTC)") % {"at": written(match.started_at), "end": written(match.ended_at)},
        _("Rated") if match.rated else _("Casual"),
        *terms_of(match.rules, match.places, match.options),
        "",
    ]
    for heading, sentences in face.plain(reading.chronicle, names):
        lines += [heading, *("  " + sentence for sentence in sentences), ""]
    if match.result is None:
        return "\n".join([*lines, _("The game was cancelled."), ""])
    places, points = match.result["places"], match.result["points"]
    lines.append(_("Result"))
    early = match.result.get("ended")
    for seat in sorted(seats, key=lambda seat: places[seat.index]):
        words = {"place": places[seat.index], "name": seat.shown_name, "points": number(points[seat.index])}
        if early:
            line = _("%(place)s. %(name)s")
        else:
            line = ngettext(
                "%(place)s. %(name)s, %(points)s point", "%(place)s. %(name)s, %(points)s points", points[seat.index]
            )
        line %= words
        if seat.left:
            line = _("%(standing)s (%(left)s)") % {"standing": line, "left": seat.get_left_display()}
        lines.append("  " + line)
    others = [face.other_winners[winner] for winner in match.result["winners"] if winner in face.other_winners]
    lines += ["  " + _("%(name)s wins.") % {"name": name} for name in others]
    if early:
        lines.append(f"  {EARLY[early]}")
    return "\n".join([*lines, ""])


def written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(" ", "minutes")
