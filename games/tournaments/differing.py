"""What the worker does for events in which the deal was the same for all: once one is over and all its games are open,
it looks for the questions in which its tables differed most, in a process beside it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import OperationalError, transaction

from accounts.models import User
from games.deck import gathering
from games.engine.differing import NAMED, Differences, PlayedTable, SharedQuestion, differences
from games.engine.judging import PlainGame
from games.hub import nudges
from games.matches import history
from games.matches.models import LogEntry, Match
from games.tournaments import deals, events
from games.tournaments.models import DealDifferences, Tournament

log = logging.getLogger(__name__)


class DealTable(NamedTuple):
    """A table that is compared, and the row of its log of each move."""

    match: Match
    table: PlayedTable
    plies: Sequence[int]


def look(now: datetime) -> None:
    """Look at the event that ended last of those that have not been looked at."""
    new = Tournament.objects.filter(kind__in=Tournament.SAME_DEAL, closed_at__isnull=False, differences=None)
    try:
        for tournament in new.order_by("-closed_at", "-pk")[:1]:
            look_or_mark(tournament)
    finally:
        gathering.thinker.close()


def look_or_mark(tournament: Tournament) -> None:
    """Look at one event; one that is odd is not tried again, and so does not hold up the others."""
    try:
        put(tournament, *found(tournament))
    except gathering.Stopped:
        pass  # it is taken again
    except OperationalError:
        raise  # not the event's fault: the database is away
    except Exception:
        log.exception("The tables of the tournament %s cannot be compared.", tournament.pk)
        put(tournament, "", [])


def found(tournament: Tournament) -> tuple[str, list[dict[str, Any]]]:
    """By what the answers were judged, and the questions of all deals in which its tables differed most. Raises
    Stopped when the worker ends."""
    version, questions = "", list[tuple[SharedQuestion, dict[str, Any]]]()
    for comparison in deals.comparisons(events.standing(tournament)):
        if gathering.stopping.is_set():
            raise gathering.Stopped
        places = list(places_of(deals.keys(comparison)))
        if len(places) > 1:
            key = tournament.settings["commitments"][comparison.deal]
            told: Differences = gathering.thinker.call(differences, [place.table for place in places], key)
            version = told.version or version
            questions += [(it, plain(it, comparison.deal, places)) for it in told.questions]
    questions.sort(key=lambda one: -one[0].weight)
    return version, [question for _found, question in questions[:NAMED]]


def places_of(keys: Iterable[str]) -> Iterator[DealTable]:
    """The tables of these matches that can be compared. One that is odd is left out."""
    matches = Match.objects.filter(key__in=keys, status=Match.Status.FINISHED, hidden=False).seated().order_by("pk")
    for match in matches:
        try:
            yield place_of(match)
        except OperationalError:
            raise
        except Exception:
            log.exception("The match %s cannot be compared with others of its deal.", match.key)


def place_of(match: Match) -> DealTable:
    """The table of a match. Answers of closed accounts are not compared."""
    people = {seat.index for seat in match.sitting if seat.user and not seat.user.closed}
    rows = LogEntry.objects.filter(match=match).exclude(move__startswith="!").order_by("ply")
    moves = list(rows.values_list("ply", "seat", "move", "by"))
    start = history.start_of(match, history.seed_of(match, match.sitting))
    asked = PlainGame(match.rules, start, [move for _ply, _seat, move, _by in moves], match.key, "")
    theirs = [number for number, (_, seat, _, by) in enumerate(moves) if by == LogEntry.By.PLAYER and seat in people]
    return DealTable(match, PlayedTable(asked, frozenset(theirs)), [ply for ply, *_row in moves])


def plain(question: SharedQuestion, deal: int, places: Sequence[DealTable]) -> dict[str, Any]:
    """A question as JSON."""
    answers = [
        {
            "text": answer.text,
            "share": answer.share,
            "given": [[places[table].match.key, places[table].plies[number]] for table, number in answer.places],
        }
        for answer in question.answers
    ]
    return {"deal": deal, "seat": question.seat, "answers": answers}


@transaction.atomic
def put(tournament: Tournament, version: str, questions: list[dict[str, Any]]) -> None:
    """Store what was found, without those who have closed their accounts meanwhile, and tell open pages."""
    keys = {key for question in questions for answer in question["answers"] for key, _ply in answer["given"]}
    people = User.objects.select_for_update(no_key=True).filter(seats__match__key__in=keys)
    gone = {user.pk for user in people.order_by("pk") if user.closed}
    for key, seat in Match.objects.filter(key__in=keys, seats__user__in=gone).values_list("key", "seats__index"):
        take_out(questions, key, seat)
    new = DealDifferences(tournament=tournament, version=version, questions=questions)
    DealDifferences.objects.bulk_create([new], ignore_conflicts=True)  # another worker may be first
    nudges.tournament_changed(tournament.pk)


def take_out(questions: list[dict[str, Any]], key: str, seat: int) -> None:
    """Take the answers of a seat of a match out of these questions."""
    for question in questions:
        if question["seat"] == seat:
            for answer in question["answers"]:
                answer["given"] = [it for it in answer["given"] if it[0] != key]
            question["answers"] = [answer for answer in question["answers"] if answer["given"]]


def forget(user: User) -> None:
    """Take all answers of somebody whose account is closed out. In the caller's transaction."""
    seats = user.seats.filter(match__agreed__startswith="tournaments/", match__club__isnull=False)
    seats = seats.order_by("match__club", "match__agreed")  # the same order for all who lock rows here
    for key, club, agreed, seat in seats.values_list("match__key", "match__club", "match__agreed", "index"):
        number = int(agreed.partition("/")[2])
        mine = DealDifferences.objects.select_for_update().filter(tournament__club=club, tournament__number=number)
        for row in mine:
            take_out(row.questions, key, seat)
            row.save(update_fields=["questions"])
