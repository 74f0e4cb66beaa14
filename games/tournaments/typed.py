"""Results of tables where people play with real cards: one person enters them, another player confirms, and they count.

Each service is one transaction under the lock of the tournament, so that of two people who answer at the same moment
one is first. A result that nobody answers counts after `CONFIRM`; one that is disputed, when a steward decides. No
steward lets count what they have entered of a table at which they play, unless nobody else there could confirm it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.clubs import clubs, decisions
from accounts.models import Right, User
from accounts.notices import notices
from accounts.text import plaintext
from accounts.web.refused import Refused
from accounts.web.requests import Visitor
from games.matches import real_table
from games.tournaments import events
from games.tournaments.models import Tournament, TypedResult
from games.tournaments.payloads import TableFinished, TableVoided
from games.tournaments.services import LONGEST_REASON, are_places
from games.tournaments.standing import RoundTable

CONFIRM = timedelta(hours=real_table.CONFIRM_HOURS)
"""How long the other players can confirm or dispute a result before it counts."""
NOTICE = "result-typed"
"""What the others of the table are told while a result waits."""


@transaction.atomic
def enter(
    tournament: Tournament,
    user: User,
    number: int,
    index: int,
    places: Sequence[int],
    points: Sequence[int],
    reason: str,
    now: datetime,
) -> None:
    """Enter the places of a table, by seat, and its points or none. A player's waits for another player, and whoever of
    these enters the same confirms it; that of a steward who does not play there counts, with a reason if it changes
    what was said. So does that of a steward who plays with guests alone who have no device."""
    tournament, table, waiting = _locked(tournament, number, index)
    steward, plays = clubs.may(tournament.club, user, Right.EVENTS), user.pk in table.players
    real_table.check_enters(plays=plays, steward=steward)
    _check_not_expelled(tournament, user)
    if tournament.closed_at is not None and (plays or not steward):
        raise Refused(_("It’s over. Only a steward who doesn’t play there can still enter results."))
    if plays and (number, index) in events.overdue(tournament, events.standing(tournament), now):
        raise Refused(_("The deadline of this round has passed. A steward can still set the places."))
    _check_result(table, places, points)
    said = reason.strip()[:LONGEST_REASON]
    if steward and not plays:
        same = waiting is None or waiting.places == list(places)
        if not same and not said:
            raise Refused(_("Say why you change this result: everyone can read it."))
        _count(tournament, number, index, places, points, user, said, now)
        if waiting:
            _forget(waiting)
        decisions.record(tournament.club, "decided", user, now, reason=said, says=decisions.Titled(tournament.name))
    elif steward and waiting is None and alone(tournament, table.players, user.pk):
        _count(tournament, number, index, places, points, user, said, now)
        decisions.record(tournament.club, "decided_own", user, now, reason=said, says=decisions.Titled(tournament.name))
    elif waiting is None:
        entered = tournament.typed.create(
            round=number,
            table=index,
            places=list(places),
            points=list(points),
            entered_by=user,
            entered_at=now,
            until=now + CONFIRM,
        )
        others = User.objects.filter(pk__in=table.players).exclude(pk=user.pk)
        page = tournament.address("enter_tournament_result", number + 1, index + 1)
        notices.notify(
            *(others, NOTICE, page, now),
            by=user,
            name=user.shown_name,
            event=tournament.name,
            number=entered.pk,
        )
    elif waiting.entered_by == user:
        raise Refused(_("You’ve already entered this result. It waits for another player; withdraw it if it’s wrong."))
    elif waiting.places == list(places) and waiting.points == list(points):
        _confirm(tournament, waiting, user, now)
    else:
        told = _("%(name)s has entered another result. Confirm it, or say what’s wrong.")
        raise Refused(told % {"name": waiting.entered_by.shown_name})
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def confirm(tournament: Tournament, user: User, number: int, index: int, seen: str, now: datetime) -> None:
    """Another player of the table says that the result is right: it counts. `seen`: the result they were shown, as
    `TypedResult.said`."""
    tournament, waiting = _asked(tournament, user, number, index)
    if waiting.said != seen:
        raise Refused(_("This has changed since you looked. Is the result right?"))
    _confirm(tournament, waiting, user, now)
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def dispute(tournament: Tournament, user: User, number: int, index: int, word: str, now: datetime) -> None:
    """Another player of the table says what is wrong: a steward decides."""
    tournament, waiting = _asked(tournament, user, number, index)
    word = plaintext.lines(word).strip()[:LONGEST_REASON]
    disputed = waiting.disputed_by is not None
    real_table.check_disputes(word, entered=waiting.entered_by == user, disputed=disputed)
    waiting.disputed_by, waiting.word = user, word
    waiting.save(update_fields=["disputed_by", "word"])
    notices.take_back(NOTICE, waiting.pk)
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def withdraw(tournament: Tournament, user: User, number: int, index: int, now: datetime) -> None:
    """Whoever entered it takes it back. A disputed one is a steward's to decide, if there is one who does not play
    there, as long as this is open: to enter it again would be a way past the dispute."""
    tournament, _table, waiting = _locked(tournament, number, index)
    real_table.check_withdraws(entered=waiting is not None and waiting.entered_by == user)
    assert waiting
    if not withdraws(tournament, waiting, user):
        raise Refused(_("This result is disputed. A steward decides."))
    _forget(waiting)
    events.schedule_wakeup(tournament, now)


def withdraws(tournament: Tournament, waiting: TypedResult, user: Visitor) -> bool:
    """Whether somebody has entered a result and can take it back."""
    if waiting.entered_by_id != user.pk or not waiting.disputed_by_id or tournament.closed_at is not None:
        return waiting.entered_by_id == user.pk
    players = events.standing(tournament).rounds[waiting.round].tables[waiting.table].players
    return not clubs.having(tournament.club, Right.EVENTS).exclude(pk__in=players).exists()


@transaction.atomic
def count_all(tournament: Tournament, steward: User, now: datetime) -> None:
    """Let all results count that nobody disputes, but for what the steward has entered themselves."""
    tournament = events.locked(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    waiting = tournament.typed.filter(disputed_by=None).order_by("round", "table")
    if not waiting:
        raise Refused(_("No result waits to be confirmed."))
    waiting = waiting.exclude(entered_by=steward)
    if not waiting:
        raise Refused(_own())
    _count_waiting(tournament, waiting, steward, now)


@transaction.atomic
def count_before_round(tournament: Tournament, steward: User, now: datetime, rounds: int | None) -> None:
    """Let the results count that nobody disputes, because a steward begins the next round. Raises Refused, and counts
    none, if the round cannot begin: a result is disputed, or, but at a night, missing. `rounds`: how many there were
    when the steward looked."""
    tournament = events.locked(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    standing, waiting = events.standing(tournament), list(tournament.typed.order_by("round", "table"))
    if not waiting or (rounds is not None and rounds != len(standing.rounds)):
        return
    if any(each.disputed_by_id for each in waiting):
        raise Refused(_("A result is disputed. Decide it first, then begin the next round."))
    if any(each.entered_by_id == steward.pk for each in waiting):
        raise Refused(_own())
    missing = sum(not table.over for each in standing.rounds for table in each.tables) - len(waiting)
    if missing and tournament.kind != Tournament.Kind.EVENING:
        told = ngettext("%(n)d table has no result yet.", "%(n)d tables have no result yet.", missing)
        raise Refused(told % {"n": missing})
    _count_waiting(tournament, waiting, steward, now)


def work(tournament: Tournament, now: datetime) -> None:
    """Let the results of a locked tournament count that nobody has answered in time. To be settled by the caller."""
    due = tournament.typed.filter(disputed_by=None, until__lte=now).order_by("round", "table")
    for each in due.select_related("entered_by"):
        _count(tournament, each.round, each.table, each.places, each.points, each.entered_by, "", now)
        _forget(each)


def void(tournament: Tournament, number: int, index: int, at: datetime) -> None:
    """The deadline of a table of a locked tournament has come without a result, or with one that is disputed: it does
    not count, for no clock says who was late. A steward can still set the places, as a correction."""
    events.write(tournament, TableVoided(number, index), at)
    for each in tournament.typed.filter(round=number, table=index):
        _forget(each)


def alone(tournament: Tournament, players: Sequence[int], player: int) -> bool:
    """Whether nobody but one of these players could confirm their result: the others are guests without a device."""
    others = {*players} - {player}
    return tournament.named_guests.filter(user__in=others).count() == len(others)


def _own() -> str:
    return _(
        "You’ve entered the result of your own table. Another player there must confirm it, or another steward; "
        "otherwise it counts after 48 hours."
    )


def _locked(tournament: Tournament, number: int, index: int) -> tuple[Tournament, RoundTable, TypedResult | None]:
    """The tournament, locked, one of its tables that has no result yet, and the result that waits there."""
    tournament = events.locked(tournament)
    if not tournament.at_table:
        raise Refused(_("These games are played here: their results come by themselves."))
    rounds = events.standing(tournament).rounds
    if not (0 <= number < len(rounds) and 0 <= index < len(rounds[number].tables)):
        raise Refused(_("There’s no such table."))
    table = rounds[number].tables[index]
    if table.over:
        raise Refused(_("This table already has its result. A steward can correct it."))
    waiting = tournament.typed.select_related("entered_by").filter(round=number, table=index).first()
    return tournament, table, waiting


def _check_not_expelled(tournament: Tournament, user: User) -> None:
    if tournament.club.expulsions.filter(user=user).exists():
        raise Refused(_("You’ve been expelled from this club. The others at your table can enter the result."))


def _check_result(table: RoundTable, places: Sequence[int], points: Sequence[int]) -> None:
    if not are_places(places, table.size):
        raise Refused(_("These places can’t be: after a shared place the next ones are left out, as in 1, 2, 2, 4."))
    real_table.check_points(places, points)


def _asked(tournament: Tournament, user: User, number: int, index: int) -> tuple[Tournament, TypedResult]:
    """The locked tournament, and the result about which this player is asked."""
    tournament, table, waiting = _locked(tournament, number, index)
    real_table.check_answers(plays=user.pk in table.players)
    _check_not_expelled(tournament, user)
    if waiting is None:
        raise Refused(_("This result no longer waits for anyone."))
    return tournament, waiting


def _confirm(tournament: Tournament, waiting: TypedResult, user: User, now: datetime) -> None:
    real_table.check_confirms(entered=waiting.entered_by == user, disputed=waiting.disputed_by is not None)
    _count(tournament, waiting.round, waiting.table, waiting.places, waiting.points, user, "", now)
    _forget(waiting)


def _count_waiting(tournament: Tournament, waiting: Iterable[TypedResult], steward: User, now: datetime) -> None:
    for each in waiting:
        _count(tournament, each.round, each.table, each.places, each.points, steward, "", now)
        _forget(each)
    decisions.record(tournament.club, "decided", steward, now, says=decisions.Titled(tournament.name))
    events.schedule_wakeup(tournament, now)


def _forget(waiting: TypedResult) -> None:
    """It waits no more, and nobody is told of it any more."""
    notices.take_back(NOTICE, waiting.pk)
    waiting.delete()


def _count(
    tournament: Tournament,
    number: int,
    index: int,
    places: Sequence[int],
    points: Sequence[int],
    by: User,
    reason: str,
    now: datetime,
) -> None:
    events.write(tournament, TableFinished(number, index, tuple(places), tuple(points)), now, by, reason)
