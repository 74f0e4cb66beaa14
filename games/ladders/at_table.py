"""Results of games at a real table: one person enters them, the others confirm, and they count.

Each service is one transaction under the lock of the ladder, so that of two people who answer at the same moment one is
first. Nobody loses a rung by silence: what is not confirmed in time lapses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.clubs import clubs
from accounts.models import Right, User
from accounts.notices import notices
from accounts.web import datetimes
from accounts.web.refused import Refused
from games.ladders import agenda, events
from games.ladders.challenging import table_game_refusal, tables_of
from games.ladders.models import Ladder, TablePlayer, TableResult
from games.ladders.payloads import AtTable
from games.ladders.rules import DECIDE_DAYS, ENTER_DAYS
from games.ladders.words import reasons
from games.matches import real_table
from games.matches.clocks import instant, ms_of
from games.matches.real_table import CONFIRM_HOURS

MOST_WAITING = 5
"""The most results of their own games that a player may have waiting for others."""
Status = TableResult.Status


class Finished(NamedTuple):
    """How a game ended for one of its players."""

    user: User
    place: int
    """Those of ties are equal; which numbers they are does not matter otherwise."""
    points: int | None = None


@transaction.atomic
def enter(ladder: Ladder, user: User, finished: Sequence[Finished], played_on: date, now: datetime) -> TableResult:
    """Enter the result of a game of `user`, or for a steward one of others. All its other players must confirm it."""
    ladder = events.open_ladder(ladder)
    people = [one.user for one in finished]
    plays = user in people
    real_table.check_enters(plays=plays, steward=clubs.may(ladder.club, user, Right.LADDER))
    if plays and _waiting(ladder).filter(entered_by=user, players__user=user).count() >= MOST_WAITING:
        raise Refused(_("You’ve entered %(most)d results that still wait for the others.") % {"most": MOST_WAITING})
    _check_terms(ladder, finished, played_on, now)
    check(ladder, people, played_on, now, entering=True)
    others = _waiting(ladder).exclude(status=Status.DISPUTED)
    for one in people:
        for other in people:
            if one.pk < other.pk and others.filter(players__user=one).filter(players__user=other).exists():
                told = _("A result of %(one)s and %(other)s is already waiting. Confirm it, dispute it, or wait.")
                raise Refused(told % {"one": one.username, "other": other.username})
    _check_rejected(ladder, user, people, now)
    made = TableResult.objects.create(
        ladder=ladder, entered_by=user, played_on=played_on, entered_at=now, until=now + timedelta(hours=CONFIRM_HOURS)
    )
    TablePlayer.objects.bulk_create(
        TablePlayer(
            result=made,
            number=number,
            user=one.user,
            place=1 + sum(other.place < one.place for other in finished),
            points=one.points,
            confirms=one.user == user,
        )
        for number, one in enumerate(sorted(finished, key=lambda one: one.place))
    )
    _tell(made, [one for one in people if one != user], "entered", now, by=user, until=ms_of(made.until))
    events.schedule_wakeup(ladder)
    return made


def check(ladder: Ladder, people: Sequence[User], played_on: date, now: datetime, *, entering: bool) -> None:
    """Raises Refused if a game of these people on that day cannot count."""
    situation, players = events.situation(ladder, now), [person.pk for person in people]
    names = {person.pk: person.username for person in people}
    refused = table_game_refusal(situation, players, played_on.isoformat(), entering=entering)
    if refused:
        raise Refused(reasons.at_table(refused, situation, names))


def _check_terms(ladder: Ladder, finished: Sequence[Finished], played_on: date, now: datetime) -> None:
    standing, today = ladder.now_standing(), datetimes.local(now).date()
    if not standing.rules.at_table:
        raise Refused(_("On this ladder, only games played here count."))
    if len(finished) not in tables_of(ladder.game_rules, standing.rules):
        raise Refused(_("This ladder has no tables of this size."))
    if len({one.user for one in finished}) < len(finished):
        raise Refused(_("Each player can be named only once."))
    if not today - timedelta(days=ENTER_DAYS) <= played_on <= today:
        raise Refused(_("Enter a game of the last %(days)d days.") % {"days": ENTER_DAYS})
    if standing.ends is not None and played_on < datetimes.local(instant(standing.began)).date():
        raise Refused(_("This season began after the game."))
    real_table.check_points([one.place for one in finished], [one.points for one in finished])


def _check_rejected(ladder: Ladder, user: User, people: Sequence[User], now: datetime) -> None:
    """Raises Refused for somebody whose last result with one of them a steward has rejected a short time ago."""
    rest = timedelta(days=max(1, ladder.now_standing().rules.rest_days))
    rejected = ladder.table_results.filter(entered_by=user, status=Status.REJECTED, ended_at__gt=now - rest)
    for one in people:
        if one != user and rejected.filter(players__user=one).exists():
            told = _("A steward has rejected a result with %(name)s that you entered. Let them enter this one.")
            raise Refused(told % {"name": one.username})


@transaction.atomic
def confirm(result: TableResult, user: User, now: datetime) -> TableResult:
    """One of the players says that it is right; once all do, it counts."""
    ladder, result = _locked(result)
    player = _concerned(result, user, now)
    real_table.check_confirms(entered=user == result.entered_by, disputed=result.status == Status.DISPUTED)
    if player.confirms:
        raise Refused(_("You’ve already confirmed this result."))
    player.confirms = True
    player.save(update_fields=["confirms"])
    if not result.players.filter(confirms=False).exists():
        _count(ladder, result, user, now)
    events.schedule_wakeup(ladder)
    return result


@transaction.atomic
def dispute(result: TableResult, user: User, word: str, now: datetime) -> TableResult:
    """One of the other players says that it is wrong, and what is: then a steward decides."""
    ladder, result = _locked(result)
    _concerned(result, user, now)
    real_table.check_disputes(word, entered=user == result.entered_by, disputed=result.status == Status.DISPUTED)
    concerned = {one.pk: one for one in (*_people(result), result.entered_by) if one != user}
    _call(ladder, result, user, Status.DISPUTED, word, now)
    _tell(result, concerned.values(), "disputed", now, by=user, reason=word)
    able = [one for one in deciders(result) if one.pk not in concerned and one != user]
    _tell(result, able, "decide", now, by=user, reason=word, until=ms_of(result.until))
    events.schedule_wakeup(ladder)
    return result


@transaction.atomic
def ask(result: TableResult, user: User, word: str, now: datetime) -> TableResult:
    """One of those who say that it is right asks a steward to decide, for others do not answer; they still can."""
    ladder, result = _locked(result)
    player = _concerned(result, user, now)
    if result.status in TableResult.DECIDED:
        raise Refused(_("A steward has already been asked."))
    if not player.confirms:
        raise Refused(_("Confirm this result, or dispute it."))
    if not word.strip():
        raise Refused(_("Please say why a steward should decide."))
    _call(ladder, result, user, Status.ASKED, word, now)
    _tell(result, deciders(result), "ask-steward", now, by=user, reason=word, until=ms_of(result.until))
    events.schedule_wakeup(ladder)
    return result


def _call(ladder: Ladder, result: TableResult, user: User, status: str, word: str, now: datetime) -> None:
    """From now on a steward may decide."""
    result.status, result.called_by, result.word = status, user, word
    result.until = instant(ladder.now_standing().deadlines_from(ms_of(now))) + timedelta(days=DECIDE_DAYS)
    result.reminded = None
    result.save(update_fields=["status", "called_by", "word", "until", "reminded"])


@transaction.atomic
def withdraw(result: TableResult, user: User, now: datetime) -> TableResult:
    """Whoever entered it takes it back."""
    ladder, result = _locked(result)
    real_table.check_withdraws(entered=user == result.entered_by)
    _check_alive(result, now)
    events.end_entry(result, Status.WITHDRAWN, now)
    _tell(result, [one for one in _people(result) if one != user], "table-withdrawn", now, by=user)
    events.schedule_wakeup(ladder)
    return result


@transaction.atomic
def decide(result: TableResult, steward: User, counts: bool, reason: str, now: datetime) -> TableResult:
    """A steward who did not play confirms it, or rejects it, with a reason, once one of the players has asked for it:
    until then it is theirs to confirm, and lapses without them."""
    ladder, result = _locked(result)
    events.check_steward(ladder, steward)
    real_table.check_decides(plays=result.players.filter(user=steward).exists())
    _check_alive(result, now)
    if result.status not in TableResult.DECIDED:
        raise Refused(
            _("No player has disputed this result, or asked a steward. It waits for the others to confirm it.")
        )
    if not reason.strip():
        raise Refused(_("Please give a reason. The players can read it."))
    result.decided_by, result.reason = steward, reason
    result.save(update_fields=["decided_by", "reason"])
    if counts:
        _count(ladder, result, steward, now)
    else:
        events.end_entry(result, Status.REJECTED, now)
        told = {one.pk: one for one in (*_people(result), result.entered_by) if one != steward}
        _tell(result, told.values(), "table-rejected", now, by=steward, reason=reason)
    events.schedule_wakeup(ladder)
    return result


def deciders(result: TableResult) -> list[User]:
    """The stewards who can decide about it: those who did not play."""
    able = result.ladder.club.members.filter(clubs.with_right(Right.LADDER)).values("user")
    return list(User.objects.filter(pk__in=able).exclude(pk__in=[one.pk for one in _people(result)]))


def remind(result: TableResult, due: datetime, now: datetime) -> None:
    """Remind those who can still confirm it, or decide about it, by a reminder that was `due` by now; not if the next
    one is due as well, or it is too late."""
    result.reminded = due
    result.save(update_fields=["reminded"])
    if result.until <= now or any(at <= now for at in agenda.entry_reminders(result)):
        return
    if result.status != Status.DISPUTED:
        people = [player.user for player in result.players.select_related("user").filter(confirms=False)]
        _tell(result, people, "confirm-soon", now, until=ms_of(result.until))
    if result.status in TableResult.DECIDED:
        _tell(result, deciders(result), "decide-soon", now, until=ms_of(result.until))


def _waiting(ladder: Ladder) -> QuerySet[TableResult]:
    return ladder.table_results.filter(status__in=TableResult.ALIVE)


def _locked(result: TableResult) -> tuple[Ladder, TableResult]:
    """The ladder, locked, and the result as it is now."""
    ladder = events.locked(result.ladder)
    fresh = TableResult.objects.select_related("entered_by").get(pk=result.pk)
    fresh.ladder = ladder
    return ladder, fresh


def _people(result: TableResult) -> list[User]:
    return [player.user for player in result.players.select_related("user")]


def _concerned(result: TableResult, user: User, now: datetime) -> TablePlayer:
    """Their part in a game whose result may still count. Raises Refused for everybody else, and if it is too late."""
    player = result.players.filter(user=user).first()
    real_table.check_answers(plays=player is not None)
    assert player
    _check_alive(result, now)
    return player


def _check_alive(result: TableResult, now: datetime) -> None:
    if result.status == Status.COUNTED:
        raise Refused(_("This result already counts. A steward can undo it."))
    if not result.alive:
        raise Refused(_("This result no longer waits for anyone."))
    if result.until <= now:
        raise Refused(_("The time for it is up: this result doesn’t count."))


def _count(ladder: Ladder, result: TableResult, by: User, now: datetime) -> None:
    """Let a result move the locked ladder, as it stands now."""
    players = list(result.players.select_related("user"))
    check(ladder, [player.user for player in players], result.played_on, now, entering=False)
    event = events.write(ladder, payload(result, players), now, by, result.reason)
    events.end_entry(result, Status.COUNTED, now)
    others = [player.user for player in players if player.user != by]
    steps = {one.pk: event.steps[str(one.pk)] for one in others if str(one.pk) in event.steps}
    own = {player: {"position": after, "before": before} for player, (before, after) in steps.items()}
    events.notify(ladder, own, "result", now, by=by, own=own)
    _tell(result, [one for one in others if one.pk not in own], "table-counted", now, by=by)


def payload(result: TableResult, players: Sequence[TablePlayer]) -> AtTable:
    """What the event of a result that counts says; `players`: its own."""
    points = tuple(player.points for player in players if player.points is not None)
    return AtTable(
        result=result.pk,
        players=tuple(player.user_id for player in players),
        places=tuple(player.place for player in players),
        points=points if len(points) == len(players) else None,
        played=result.played_on.isoformat(),
        entered=result.entered_by_id,
    )


def _tell(
    result: TableResult, people: Iterable[User], kind: str, now: datetime, *, by: User | None = None, **values: Any
) -> None:
    """`by`: None if the clock did it."""
    ladder = result.ladder
    if by is not None:
        values["name"] = by.username
    notices.notify(people, kind, result.get_absolute_url(), now, by=by or ladder.club, club=ladder.full_name, **values)
