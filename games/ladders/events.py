"""Changes to a ladder. Each service is one transaction: it locks the ladder, appends events, and so moves it.

The standing of a ladder is the result of replaying its events (`games.ladders.standing.replay`). Everything that
stewards, players and the clock do is written by `write` alone. `Refused` tells the person who asked why something is
not possible.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.clubs import clubs, decisions
from accounts.journal.rows import append
from accounts.models import Club, Right, User
from accounts.notices import notices
from accounts.web.refused import Refused
from games.engine.registry import title
from games.hub import nudges
from games.ladders import overdue, payloads
from games.ladders.agenda import agenda
from games.ladders.awards import awards
from games.ladders.challenging import Pending, Situation
from games.ladders.follow import table
from games.ladders.models import Challenge, Ladder, LadderEvent, Party, TableResult, past
from games.ladders.payloads import OF_STEWARDS, UNDOABLE, AnyPayload, Event, Ranked
from games.ladders.rules import DAY_MS, STALL_DAYS, WEEK_MS, Rules, shortest
from games.ladders.standing import Standing, replay, steps, undone_by
from games.ladders.words.rules import days
from games.matches.chain import name_of
from games.matches.clocks import instant, ms_of
from games.matches.models import Match

DAY = timedelta(days=1)
PLAYED_IN = DAY
"""The least time to finish a live game that has begun."""
LONGEST_SEASON = timedelta(days=366)
LONGEST_PAUSE = timedelta(days=60)


def create(club: Club, game: str | None = None, *, number: int = 1, name: str = "") -> Ladder:
    """Create a ladder of a club, for a title (None: the first one), without players and without a season: the first
    one of a new club, or see `games.ladders.opening`."""
    slug, standing = game or title().slug, Standing().to_json()
    return Ladder.objects.create(club=club, game=slug, number=number, name=name, standing=standing)


def choose_title(club: Club, slug: str) -> None:
    """Choose the title of the ladder of a new club."""
    Ladder.objects.filter(club=club, number=1, events=0).update(game=slug)


@transaction.atomic
def arrive(
    ladder: Ladder, by: User, now: datetime, site: str, head: str, there: Standing, rungs: Sequence[Ranked]
) -> None:
    """Let a new ladder go on as it stood at another site, with these rungs."""
    ladder = locked(ladder)
    assert not ladder.events
    people = User.objects.in_bulk([rung.player for rung in rungs])
    names = tuple(name_of(people[rung.player]) for rung in rungs)
    write(ladder, payloads.MovedHere(site, head, there.season, there.rules, tuple(rungs), names), now, by)
    schedule_wakeup(ladder)


def locked(ladder: Ladder) -> Ladder:
    """The ladder as it stands now; nobody else changes it or its challenges before the transaction ends."""
    return Ladder.objects.select_for_update(of=("self",)).select_related("club").get(pk=ladder.pk)


def all_locked(club: Club) -> list[Ladder]:
    """All ladders of a club, `locked`, in the order of their numbers."""
    found = Ladder.objects.select_for_update(of=("self",)).select_related("club")
    return list(found.filter(club=club).order_by("number"))


def open_ladder(ladder: Ladder) -> Ladder:
    """The ladder, `locked`. Raises Refused if it is closed."""
    ladder = locked(ladder)
    ladder.club.refresh_from_db(fields=["closed_at"])  # PostgreSQL reads a joined row as it was before the lock
    check_open(ladder)
    return ladder


def check_open(ladder: Ladder) -> None:
    """Raises Refused for a ladder that stewards have closed, or whose club is closed."""
    clubs.check_open(ladder.club)
    if ladder.closed_at is not None:
        raise Refused(_("This ladder is closed."))


def write(ladder: Ladder, payload: AnyPayload, at: datetime, by: User | None = None, reason: str = "") -> LadderEvent:
    """Append one event to a locked ladder, and move it accordingly."""
    before, event = ladder.now_standing(), Event(ladder.events, ms_of(at), payload)
    undoes = isinstance(payload, payloads.Undone)
    after = replay([*past(ladder.log.all()), event]) if undoes else before.after(event)
    ladder.standing, ladder.events = after.to_json(), ladder.events + 1
    ladder.save(update_fields=["standing", "events"])
    row = LadderEvent.of(payload, number=event.number, at=at, by=by, reason=reason)
    row.ladder, row.steps = ladder, steps(before, after)
    append([row], ladder.log, ladder.origin)
    if by and payload.kind in OF_STEWARDS:
        decisions.record(ladder.club, "ladder", by, at, says=decisions.OfLadder(ladder.number, event.number))
    return row


def schedule_wakeup(ladder: Ladder) -> None:
    """Set when the worker must look again. Belongs to the transaction of every change of a ladder or its challenges."""
    items = agenda(ladder)
    ladder.wake_at = items[0].at if items else None
    ladder.save(update_fields=["wake_at"])
    nudges.ladder_changed(ladder.pk)


def situation(ladder: Ladder, now: datetime, without: Challenge | None = None) -> Situation:
    """Everything that decides who may challenge whom. `without`: a challenge that is to be left out of it."""
    standing = ladder.now_standing()
    parties = Party.objects.filter(challenge__ladder=ladder, challenge__status__in=Challenge.ALIVE)
    parties = parties.exclude(challenge=without) if without else parties
    together: dict[Challenge, list[int]] = {}
    needed = ("number", "user", *(f"challenge__{name}" for name in ("status", "agreed_at", "starts_at")))
    for party in parties.order_by("challenge", "number").select_related("challenge").only(*needed):
        together.setdefault(party.challenge, []).append(party.user_id)
    since = now - timedelta(days=STALL_DAYS)
    stalled = [challenge for challenge in together if stalls(challenge, since)]
    for challenge in together:
        challenge.ladder = ladder
    visits = overdue.all_visits(stalled, now)
    pending = tuple(
        Pending(challenger, tuple(others), challenge in stalled, frozenset(visits.get(challenge.page, ())))
        for challenge, (challenger, *others) in together.items()
    )
    return Situation(standing, pending, ms_of(now))


def stalls(challenge: Challenge, since: datetime) -> bool:
    """Whether a game was agreed for no certain time by then, and has not begun."""
    agreed = challenge.agreed_at if challenge.status == Challenge.Status.AGREED else None
    return agreed is not None and challenge.starts_at is None and agreed <= since


# Players


@transaction.atomic
def join(ladder: Ladder, user: User, now: datetime) -> None:
    """Put a member of the club on the ladder, at the bottom, at their wish."""
    ladder = open_ladder(ladder)
    if not ladder.club.members.filter(user=user).exists():
        raise Refused(_("Only members of the club can be on its ladder."))
    if ladder.now_standing().rules.stewards_add:
        raise Refused(_("Only stewards put members on this ladder."))
    if user.pk in ladder.now_standing().players:
        raise Refused(_("You’re already on the ladder."))
    write(ladder, payloads.JoinedLadder(user.pk, name_of(user)), now, user)
    schedule_wakeup(ladder)


@transaction.atomic
def add(ladder: Ladder, steward: User, people: Sequence[User], now: datetime) -> int:
    """Put members on the ladder for a steward, at the bottom, in this order, and tell them where.

    Returns how many were not there before.
    """
    ladder = locked(ladder)
    check_steward(ladder, steward)
    members = set(ladder.club.members.filter(user__in=people).values_list("user", flat=True))
    new = [one for one in people if one.pk in members and one.pk not in ladder.now_standing().players]
    if new:
        names = tuple(name_of(one) for one in new)
        write(ladder, payloads.Added(tuple(one.pk for one in new), names), now, steward)
    positions = ladder.now_standing().positions()
    own = {one.pk: {"position": positions[one.pk]} for one in new if one != steward}
    notify(ladder, own, "added", now, by=steward, own=own)
    schedule_wakeup(ladder)
    return len(new)


@transaction.atomic
def joined(club: Club, user: User, now: datetime) -> None:
    """Somebody is a new member of the club: `accounts.signals.club_joined`. They stand on those of its ladders whose
    rules say so."""
    for ladder in all_locked(club):
        if ladder.closed_at is None and ladder.now_standing().rules.members_join:
            write(ladder, payloads.JoinedLadder(user.pk, name_of(user)), now, user)
            schedule_wakeup(ladder)


@transaction.atomic
def vacation(ladder: Ladder, user: User, begins: datetime, ends: datetime, now: datetime) -> None:
    """Announce a player's vacation from `begins` until `ends`: they keep their place and are not challenged.

    Challenges to them wait that much longer for their answer; running games go on.
    """
    ladder = open_ladder(ladder)
    standing = ladder.now_standing()
    known = standing.players.get(user.pk)
    if known is None:
        raise Refused(_("You aren’t on the ladder."))
    if standing.ends is None:
        raise Refused(_("No season is running, so there’s no need for a vacation."))
    if standing.resumes is not None:
        raise Refused(_("The ladder is paused. You can announce a vacation when it goes on."))
    if known.vacation and ms_of(now) < known.vacation[1]:
        raise Refused(_("You’ve already announced a vacation. Say you’re back first."))
    begins = max(begins, now)
    if ends <= begins:
        raise Refused(_("A vacation ends after it begins, and not before today."))
    if ms_of(begins) >= standing.ends:
        raise Refused(_("This season ends before the vacation begins."))
    left_ms = standing.rules.vacation_days * DAY_MS - known.vacation_ms
    if ms_of(ends) - ms_of(begins) > left_ms:
        raise Refused(_too_long(-(-(ms_of(ends) - ms_of(begins)) // DAY_MS), max(0, left_ms // DAY_MS)))
    write(ladder, payloads.Vacation(user.pk, ms_of(begins), ms_of(ends)), now, user)
    _put_off(ladder, user, begins, ends - begins)
    schedule_wakeup(ladder)


def _too_long(asked: int, left: int) -> str:
    """Why a vacation of `asked` days is refused when `left` whole days are left."""
    if not left:
        return _("You have no vacation days left this season.")
    return ngettext(
        "You asked for %(asked)s of vacation, but only %(left)d day is left this season.",
        "You asked for %(asked)s of vacation, but only %(left)d days are left this season.",
        left,
    ) % {"asked": days(asked), "left": left}


@transaction.atomic
def back(ladder: Ladder, user: User, now: datetime) -> None:
    """Record that a player is back, from a vacation before it ends or after they were taken off the ladder."""
    ladder = open_ladder(ladder)
    known = ladder.now_standing().players.get(user.pk)
    if known is None:
        raise Refused(_("You aren’t on the ladder."))
    if known.held is None and not (known.vacation and ms_of(now) < known.vacation[1]):
        raise Refused(_("You aren’t away."))
    write(ladder, payloads.Back(user.pk), now, user)
    if known.vacation and (saved_ms := known.vacation_ms - ladder.now_standing().players[user.pk].vacation_ms):
        _put_off(ladder, user, instant(known.vacation[1]), -timedelta(milliseconds=saved_ms))
    schedule_wakeup(ladder)


def _put_off(ladder: Ladder, user: User, after: datetime, longer: timedelta) -> None:
    """Lengthen or shorten the wait of challenges to this player that would wait for their answer beyond `after`.

    That of others at the table does not count: friends could keep somebody's challenges taken by it.
    """
    waiting = ladder.challenges.filter(status=Challenge.Status.OPEN, answer_by__gt=after)
    for challenge in waiting.filter(parties__user=user, parties__number=1, parties__agrees=False):
        challenge.answer_by += longer
        if challenge.propose_by > after:
            challenge.propose_by += longer
        challenge.save(update_fields=["answer_by", "propose_by"])


# Stewards


@transaction.atomic
def set_rules(ladder: Ladder, steward: User, rules: Rules, now: datetime) -> None:
    """Set all rules of the ladder. They apply to what happens from now on."""
    ladder = locked(ladder)
    check_steward(ladder, steward)
    if rules == ladder.now_standing().rules:
        return
    write(ladder, payloads.RulesSet(rules), now, steward)
    schedule_wakeup(ladder)


@transaction.atomic
def start_season(
    ladder: Ladder, steward: User, now: datetime, ends: datetime | None = None, events: int | None = None
) -> None:
    """Begin a season, which ends by itself at `ends` or after the number of weeks in the rules.

    `events`: the number of events when the steward looked at its first order; raises Changed if that has changed.
    """
    ladder = locked(ladder)
    check_steward(ladder, steward)
    standing = ladder.now_standing()
    if standing.ends is not None:
        raise Refused(_("A season is already running."))
    if len(standing.order) < 2:
        raise Refused(_("A season needs at least two players. Put members on the ladder first."))
    if ends is not None:
        _check_end(ends, now)
    if events is not None and events != ladder.events and standing.next_order() != standing.order:
        raise Changed(_("The ladder has changed in the meantime. Look at the new order again."))
    begin_season(ladder, now, steward, ends)
    schedule_wakeup(ladder)


@transaction.atomic
def move_end(ladder: Ladder, steward: User, ends: datetime, now: datetime) -> None:
    """Let the running season end at another time, and tell the players."""
    ladder = locked(ladder)
    check_steward(ladder, steward)
    standing = ladder.now_standing()
    if standing.ends is None:
        raise Refused(_("No season is running."))
    if standing.resumes is not None and ms_of(ends) <= standing.resumes:
        raise Refused(_("The ladder is paused until then or longer. Choose a later day."))
    _check_end(ends, now)
    if ms_of(ends) == standing.ends:
        return
    write(ladder, payloads.SeasonMoved(standing.season, ms_of(ends)), now, steward)
    notify(ladder, standing.players, "season-moved", now, by=steward, number=standing.season, day=ms_of(ends) - 1)
    schedule_wakeup(ladder)


def _check_end(ends: datetime, now: datetime) -> None:
    if not now + DAY <= ends <= now + LONGEST_SEASON:
        raise Refused(_("A season can end from tomorrow on, and at most a year from now."))


@transaction.atomic
def pause(ladder: Ladder, steward: User, ends: datetime, now: datetime) -> None:
    """Pause the ladder until `ends`, and tell the players: see `payloads.Paused`. All deadlines of challenges wait."""
    ladder = locked(ladder)
    check_steward(ladder, steward)
    standing = ladder.now_standing()
    if standing.ends is None:
        raise Refused(_("No season is running."))
    if standing.resumes is not None:
        raise Refused(_("The ladder is already paused."))
    if not now < ends <= now + LONGEST_PAUSE:
        raise Refused(_("A pause ends after today, and lasts at most %(days)s.") % {"days": days(LONGEST_PAUSE.days)})
    write(ladder, payloads.Paused(ms_of(ends)), now, steward)
    _move_deadlines(ladder, now, ends - now, now)
    notify(ladder, standing.players, "paused", now, by=steward, day=ms_of(ends) - 1)
    schedule_wakeup(ladder)


@transaction.atomic
def resume(ladder: Ladder, steward: User, now: datetime) -> None:
    """End the pause before its time."""
    ladder = locked(ladder)
    check_steward(ladder, steward)
    if ladder.now_standing().resumes is None:
        raise Refused(_("The ladder isn’t paused."))
    go_on(ladder, now, steward)
    schedule_wakeup(ladder)


def go_on(ladder: Ladder, at: datetime, by: User | None = None) -> None:
    """End the pause of a locked ladder; every deadline is at least a day away."""
    resumes = ladder.now_standing().resumes
    assert resumes is not None
    write(ladder, payloads.Resumed(), at, by)
    _move_deadlines(ladder, at, min(timedelta(), at - instant(resumes)), at + DAY)
    if by is not None:
        notify(ladder, ladder.now_standing().players, "resumed", at, by=by)


def _move_deadlines(ladder: Ladder, now: datetime, longer: timedelta, earliest: datetime) -> None:
    """Move the deadlines of all challenges and results that wait, none to before `earliest`."""
    for entry in ladder.table_results.filter(status__in=TableResult.ALIVE):
        entry.until = max(earliest, entry.until + longer)
        entry.save(update_fields=["until"])
    for challenge in ladder.challenges.select_for_update().filter(status__in=Challenge.ALIVE):
        if challenge.status == Challenge.Status.OPEN:
            challenge.answer_by = max(earliest, challenge.answer_by + longer)
            if challenge.propose_by > now:
                challenge.propose_by = max(earliest, challenge.propose_by + longer)
        elif challenge.finish_by is not None:
            challenge.finish_by = max(earliest, challenge.finish_by + longer)
            if challenge.starts_at is not None:
                challenge.finish_by = max(challenge.finish_by, challenge.starts_at + PLAYED_IN)
        challenge.save(update_fields=["answer_by", "propose_by", "finish_by"])


@transaction.atomic
def end_season(ladder: Ladder, steward: User, now: datetime) -> None:
    """End the season early; none follows automatically."""
    ladder = locked(ladder)
    check_steward(ladder, steward)
    if ladder.now_standing().ends is None:
        raise Refused(_("No season is running."))
    close_season(ladder, now, steward)
    schedule_wakeup(ladder)


def begin_season(ladder: Ladder, at: datetime, by: User | None = None, ends: datetime | None = None) -> None:
    """Begin a season on a locked ladder."""
    standing = ladder.now_standing()
    number, usual = standing.season + 1, ms_of(at) + standing.rules.season_weeks * WEEK_MS
    last = usual if ends is None else ms_of(ends)
    write(ladder, payloads.SeasonBegun(number, last, standing.rules), at, by)
    notify(ladder, ladder.now_standing().players, "season-begun", at, by=by, number=number)


def close_season(ladder: Ladder, at: datetime, by: User | None = None) -> None:
    """End the season of a locked ladder; the next one follows at once if the clock has ended it and the rules say so.

    If none follows, challenges whose games have not begun are void; running games go on, and count only if another
    season has begun by their end.
    """
    standing = ladder.now_standing()
    write(ladder, payloads.SeasonEnded(standing.season, table(standing)), at, by)
    own = {player: {"position": place} for player, place in standing.positions().items()}
    notify(ladder, own, "season-ended", at, by=by, own=own, number=standing.season)
    tell_awards(ladder, standing, at)
    if by is None and standing.rules.season_follows:
        begin_season(ladder, at)
        return
    for challenge in ladder.challenges.filter(status__in=(Challenge.Status.OPEN, Challenge.Status.AGREED)):
        end(challenge, Challenge.Status.WITHDRAWN, at)


def tell_awards(ladder: Ladder, standing: Standing, at: datetime) -> None:
    """Tell those who have won an award of the season that ends with this standing."""
    events = past(ladder.log.all())
    began = max(event.number for event in events if event.kind == payloads.SeasonBegun.kind)
    for award, won in awards(events[began + 1 :], undone_by(events), standing.order).items():
        people = User.objects.filter(pk__in=won.players)
        address = ladder.address("ladder_season", standing.season)
        club, number = ladder.full_name, standing.season
        notices.notify(people, f"award-{award}", address, at, by=ladder.club, club=club, number=number, value=won.value)


class Changed(Refused):
    """The ladder has changed since a steward began to think about it."""


def check_draft(ladder: Ladder, players: Sequence[int], events: int | None) -> None:
    """Raises Changed for a new order of the whole ladder if its players, or its number of events, have changed
    meanwhile."""
    if events != ladder.events or sorted(players) != sorted(ladder.now_standing().order):
        raise Changed(_("The ladder has changed in the meantime. Check it and set the order again."))


@transaction.atomic
def order(
    ladder: Ladder, steward: User, players: Sequence[int], now: datetime, events: int | None = None, reason: str = ""
) -> None:
    """Put these players on top in this order, all others below as they stood.

    While a season runs it needs a reason that everybody can read, and everybody else who moves is told. `events`: the
    number of events when the steward began; see `check_draft` for when it is refused.
    """
    ladder = locked(ladder)
    check_steward(ladder, steward)
    if events is not None:
        check_draft(ladder, players, events)
    standing = ladder.now_standing()
    if len(set(players)) < len(players) or not set(players) <= set(standing.order):
        raise Refused(_("Each of them must be on the ladder and named only once."))
    if standing.order[: len(players)] == tuple(players):
        return
    if standing.ends is not None:
        _check_reason(reason)
    written = write(ladder, payloads.Ordered(shortest(standing.order, players)), now, steward, reason)
    if standing.ends is not None:
        moved = {int(player): {"position": after} for player, (_before, after) in written.steps.items()}
        moved.pop(steward.pk, None)
        notify(ladder, moved, "reordered", now, by=steward, own=moved, reason=reason)
    schedule_wakeup(ladder)


@transaction.atomic
def correct(ladder: Ladder, steward: User, player: int, position: int, reason: str, now: datetime) -> None:
    """Put a player at a position for a steward, with a reason that everybody can read."""
    ladder = locked(ladder)
    check_steward(ladder, steward)
    _check_reason(reason)
    standing = ladder.now_standing()
    if player not in standing.order:
        raise Refused(_("This player isn’t on the ladder."))
    if not 1 <= position <= len(standing.order):
        raise Refused(_("The rungs of this ladder go from 1 to %(last)d.") % {"last": len(standing.order)})
    if standing.position(player) == position:
        raise Refused(_("This player is already there."))
    write(ladder, payloads.Corrected(player, position), now, steward, reason)
    notify(ladder, [player], "corrected", now, by=steward, position=position, reason=reason)
    schedule_wakeup(ladder)


@transaction.atomic
def undo(ladder: Ladder, steward: User, number: int, reason: str, now: datetime) -> None:
    """Undo an event for a steward, with a reason that everybody can read: the ladder is as if it had not happened."""
    ladder = locked(ladder)
    check_steward(ladder, steward)
    _check_reason(reason)
    event = ladder.log.filter(number=number).first()
    if event is None or event.kind not in UNDOABLE:
        raise Refused(_("This can’t be undone. Results, challenges, sinking, orders and corrections can."))
    if ladder.log.filter(kind=payloads.Undone.kind, data__event=number).exists():
        raise Refused(_("This has already been undone."))
    undone = write(ladder, payloads.Undone(number), now, steward, reason)
    notify(ladder, [int(player) for player in undone.steps], "undone", now, by=steward, reason=reason)
    schedule_wakeup(ladder)


def check_steward(ladder: Ladder, user: User) -> None:
    """Raises Refused for anybody without the right to change the ladder, and if it is closed."""
    clubs.check(ladder.club, user, Right.LADDER)
    check_open(ladder)


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused(_("Please give a reason. Everyone in the club can read it."))


# Challenges that end, and notices


def withdraw(ladder: Ladder, challenge: Challenge, at: datetime, by: User | None, status: str) -> None:
    """The challenger of an open challenge of the locked ladder takes it back, or goes, or it counts as if they did.

    `by`: None if the clock did it.
    """
    others = tuple(party.user_id for party in challenge.parties.all() if party.number)
    write(ladder, payloads.Withdrawn(challenge.pk, challenge.challenger_id, others), at, by)
    end(challenge, status, at)


def refuse(
    ladder: Ladder,
    challenge: Challenge,
    how: type[payloads.Declined | payloads.Unanswered],
    at: datetime,
    by: User | None = None,
) -> None:
    """End an open challenge of the locked ladder by such an event: the challenged does not want to play."""
    status = Challenge.Status.DECLINED if how is payloads.Declined else Challenge.Status.EXPIRED
    challenged = challenge.parties.get(number=1).user_id
    write(ladder, how(challenge.pk, challenge.challenger_id, challenged), at, by)
    end(challenge, status, at)


def void(ladder: Ladder, challenge: Challenge, at: datetime, why: payloads.Why) -> None:
    """The game of a challenge does not count for the locked ladder, however it ends."""
    players = tuple(party.user_id for party in challenge.parties.all())
    key = challenge.match.key if challenge.match else ""
    write(ladder, payloads.Voided(challenge.pk, key, players, why), at)
    end(challenge, Challenge.Status.VOID, at)


def take_off(ladder: Ladder, late: Collection[int], at: datetime) -> None:
    """Take those of these players off the ladder who were late too often."""
    for player in late:
        if ladder.now_standing().too_late(player, ms_of(at)):
            write(ladder, payloads.TakenOff(player), at)
            notify(ladder, [player], "off", at)


def end(challenge: Challenge, status: str, at: datetime) -> None:
    """Close a challenge, and the waiting room that may be open for it."""
    match = challenge.match
    # First the match, as in everything that starts one: otherwise two could wait for each other.
    waiting = Match.objects.filter(challenge=challenge, status__in=Match.WAITING)
    if match and waiting.update(status=Match.Status.CLOSED, wake_at=None):
        nudges.changed(match.key, lobby=True)
    challenge.status, challenge.ended_at = status, at
    challenge.save(update_fields=["status", "ended_at"])


def lapse(entry: TableResult, at: datetime) -> None:
    """A result from the table was not confirmed, or decided about, in time; or one of its players has left."""
    end_entry(entry, TableResult.Status.LAPSED, at)
    told = User.objects.filter(pk__in=[*entry.players.values_list("user", flat=True), entry.entered_by_id])
    ladder = entry.ladder
    notices.notify(told, "table-lapsed", entry.get_absolute_url(), at, by=ladder.club, club=ladder.full_name)


def end_entry(entry: TableResult, status: str, at: datetime) -> None:
    """Close a result from the table."""
    entry.status, entry.ended_at = status, at
    entry.save(update_fields=["status", "ended_at"])


def notify(
    ladder: Ladder, players: Collection[int], kind: str, at: datetime, *, by: User | None = None, **values: Any
) -> None:
    """Send players a notice about their ladder. `by`: None if the clock or a game did it."""
    people = User.objects.filter(pk__in=players)
    notices.notify(people, kind, ladder.get_absolute_url(), at, by=by or ladder.club, club=ladder.full_name, **values)
