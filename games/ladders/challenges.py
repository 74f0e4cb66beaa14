"""Challenges, from the proposal to the table. Each service is one transaction under the lock of the ladder.

The challenge holds its terms, and `Party.agrees` tells who accepts them as they are. When everybody does, it is
agreed: its table opens at once, or at the agreed time (`due`). `results` records how the game ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notices
from accounts.web import datetimes
from accounts.web.refused import Refused
from games.ladders import agenda, events, overdue
from games.ladders.challenging import Situation, drawn, refusal, table_refusal, tables_of
from games.ladders.models import Challenge, Ladder, Party
from games.ladders.payloads import Declined, Overdue, Unanswered
from games.ladders.rules import DAY_MS, MOST_REDRAWN, Rules, ends_in_time
from games.ladders.standing import Standing
from games.ladders.terms import CUSTOM, Terms, clock_name, label, presets, revision
from games.ladders.words import reasons
from games.ladders.words.rules import days as in_days
from games.lobby import open_matches
from games.matches.clocks import instant, ms_of
from games.matches.models import Match

APART = timedelta(minutes=30)
"""Nobody agrees to begin another live game so soon before or after one."""
MOST_TIMES = 3
"""The most times that may be suggested for a live game."""
Status = Challenge.Status


@transaction.atomic
def challenge(
    ladder: Ladder, user: User, others: Sequence[User], terms: Terms, now: datetime, seats: int | None = None
) -> Challenge:
    """`user` challenges the first of `others`, and wants the rest of them at the table too.

    `seats`: the number of players; those who are not named are drawn at random. None: nobody else.
    """
    ladder = events.open_ladder(ladder)
    game = ladder.game_rules
    seats = seats or 1 + len(others)
    situation = events.situation(ladder, now)
    if seats not in tables_of(game, situation.standing.rules):
        raise Refused(_("This ladder has no tables of this size."))
    if seats > 1 + len(others):
        others = _with_drawn(situation, user, others[0], seats)
    if refused := table_refusal(situation, user.pk, tuple(other.pk for other in others)):
        names = {person.pk: person.username for person in (user, *others)}
        raise Refused(reasons.about(refused, situation, user.pk, names, seats))
    made = Challenge(
        ladder=ladder, game=game.slug, version=game.version, challenger=user, proposed_by=user, made_at=now
    )
    _set_terms(made, terms, seats, situation.standing.rules, now)
    made.answer_by = made.propose_by = _answer_by(situation.standing, others[0], now)
    made.save()
    Party.objects.bulk_create(
        Party(challenge=made, number=number, user=person, agrees=not number)
        for number, person in enumerate([user, *others])
    )
    _notify(made, others[:1], "challenged", now, by=user, name=user.username)
    _ask(made, others[1:], now)
    events.schedule_wakeup(ladder)
    return made


def _with_drawn(situation: Situation, user: User, first: User, seats: int) -> list[User]:
    """The challenged, and those who are drawn to join them. Raises Refused if there are not enough."""
    if why := refusal(situation, user.pk, first.pk, seats):
        raise Refused(reasons.sentence(why, situation, user.pk, first.pk, first.username, seats))
    more = drawn(situation, user.pk, (first.pk,), seats, SystemRandom())
    if more is None:
        raise Refused(_("There aren’t enough players who could join you at a table of %(seats)d.") % {"seats": seats})
    people = User.objects.in_bulk(more)
    return [first, *(people[player] for player in more)]


@transaction.atomic
def accept(
    challenge: Challenge, user: User, now: datetime, time_ms: int | None = None, seen: str | None = None
) -> Challenge:
    """`user` agrees to the terms as they are, and to one of the suggested times if there are several.

    When everybody agrees, the table opens, at once or at the agreed time. `seen`: the `revision` of the terms that they
    were shown, refused if it is not the present one; None: the present one.
    """
    # Whoever agrees on two ladders at once agrees to one after the other.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    ladder, challenge = _locked(challenge)
    party, rules = _awaited(challenge, user, now), ladder.now_standing().rules
    if seen is not None and seen != revision(challenge, rules):
        raise Refused(_("The terms have changed: look at them again."))
    _check_days(challenge.days, challenge.parties.count(), rules)
    if challenge.times:
        if challenge.starts_at:
            time_ms = ms_of(challenge.starts_at)
        elif time_ms is None and len(challenge.times) == 1:
            time_ms = challenge.times[0]
        if time_ms is None or time_ms not in challenge.times:
            raise Refused(_("Choose one of the suggested times."))
        if time_ms < ms_of(now):
            raise Refused(_("That time has passed. Choose another, or propose other times."))
        challenge.starts_at = instant(time_ms)
        if other := engaged(user, challenge.starts_at):
            told = _(
                "You’ve agreed to another game at %(time)s. Choose a time at least half an hour before or after it."
            )
            raise Refused(told % {"time": datetimes.full(other)})
    party.agrees = True
    party.save(update_fields=["agrees"])
    if not _agreed(ladder, challenge, now):
        _notify(challenge, _others(challenge, user), "accepted", now, by=user, name=user.username)
    events.schedule_wakeup(ladder)
    return challenge


def _agreed(ladder: Ladder, challenge: Challenge, now: datetime) -> bool:
    """Save a challenge; it is agreed if everybody agrees. Returns whether its table has opened: then all are told so,
    and need no other notice."""
    if all(each.agrees for each in _parties(challenge)):
        standing = ladder.now_standing()
        finish = timedelta(days=standing.rules.finish_days)
        challenge.status, challenge.agreed_at = Status.AGREED, now
        challenge.finish_by = instant(standing.deadlines_from(ms_of(now))) + finish
        if challenge.starts_at:
            challenge.finish_by = max(challenge.finish_by, challenge.starts_at + events.PLAYED_IN)
    challenge.save()
    opens = challenge.status == Status.AGREED and not challenge.starts_at
    if opens:
        # To agree is not yet to come to the table: nobody is ready before they say so there.
        _open_match(ladder, challenge, now, ready=[] if challenge.pace == Match.Pace.LIVE else None)
    return opens


def engaged(user: User, at: datetime) -> datetime | None:
    """When another live game is to begin, on any ladder, to which a player has agreed, perhaps before the others: if it
    is about then."""
    agreed = Challenge.objects.filter(
        parties__user=user, parties__agrees=True, status__in=(Status.OPEN, Status.AGREED), match=None
    )
    near = agreed.filter(starts_at__gt=at - APART, starts_at__lt=at + APART)
    return near.order_by("starts_at").values_list("starts_at", flat=True).first()


@transaction.atomic
def decline(challenge: Challenge, user: User, now: datetime) -> Challenge:
    """`user` does not want to play. If they are the challenged, the challenge ends, and they give way if the rules of
    the ladder say so; others at its table are replaced, and it costs them nothing."""
    ladder, challenge = _locked(challenge)
    party = _awaited(challenge, user, now)
    if user.pk == challenge.challenger_id:
        raise Refused(_("This is your own challenge. Withdraw it if you don’t want to play."))
    if party.number == 1:
        events.refuse(ladder, challenge, Declined, now, user)
        _notify(challenge, _others(challenge, user), "declined", now, by=user, name=user.username)
    else:
        redraw(ladder, challenge, [user], now)
    events.schedule_wakeup(ladder)
    return challenge


def redraw(ladder: Ladder, challenge: Challenge, out: Sequence[User], at: datetime) -> None:
    """Draw others for those who were asked to the table of an open challenge, and do not sit there.

    If nobody else can, or `MOST_REDRAWN` have been replaced, it becomes a smaller table; if there can be none, or the
    time suggested for it has passed, the challenge ends, and moves nobody. Whoever has agreed stands by it: who sits
    there besides the two was never theirs to choose.
    """
    standing, game = ladder.now_standing(), challenge.rules
    situation = events.situation(ladder, at, without=challenge)
    gone = {one.pk for one in out}
    kept = [party for party in _parties(challenge)[1:] if party.user_id not in gone]
    room = min(len(out), max(0, MOST_REDRAWN - len(challenge.passed)))
    challenge.passed = [*challenge.passed, *gone]
    last = challenge.starts_at or (instant(max(challenge.times)) if challenge.times else None)
    possible = range(room, -1, -1) if last is None or last > at else ()
    others, sizes = tuple(party.user_id for party in kept), tables_of(game, standing.rules)
    for more in (more for more in possible if 1 + len(kept) + more in sizes):
        seats = 1 + len(kept) + more
        found = drawn(situation, challenge.challenger_id, others, seats, SystemRandom(), challenge.passed)
        if found is not None:
            break
    else:
        challenge.save(update_fields=["passed"])
        events.void(ladder, challenge, at, "alone")
        people = [party.user for party in _parties(challenge) if party.user_id not in gone]
        _notify(challenge, people, "alone", at)
        return
    challenge.parties.filter(user__in=out).delete()
    for number, party in enumerate(kept, 1):
        party.number = number
        party.save(update_fields=["number"])
    new = User.objects.in_bulk(found)
    Party.objects.bulk_create(
        Party(challenge=challenge, number=number, user=new[player])
        for number, player in enumerate(found, 1 + len(kept))
    )
    if kept[0].agrees:  # the challenged has to answer in their own time
        challenge.answer_by = max(challenge.answer_by, _answer_by(standing, None, at))
    challenge.reminded = None
    if not _agreed(ladder, challenge, at):
        _ask(challenge, [new[player] for player in found], at)
        for one in (challenge.challenger, *(party.user for party in kept)):
            names = ", ".join(other.username for other in _others(challenge, one))
            _notify(challenge, [one], "company", at, names=names)


def _ask(challenge: Challenge, people: Sequence[User], at: datetime) -> None:
    """Tell those who are asked to a table beside the challenged that they are."""
    _notify(challenge, people, "asked", at, by=challenge.challenger, name=challenge.challenger.username)


@transaction.atomic
def withdraw(challenge: Challenge, user: User, now: datetime) -> Challenge:
    """The challenger withdraws, which is possible until everybody has agreed."""
    ladder, challenge = _locked(challenge)
    if user.pk != challenge.challenger_id:
        raise Refused(_("Only the challenger can withdraw a challenge."))
    _check_open(challenge)
    events.withdraw(ladder, challenge, now, user, Status.WITHDRAWN)
    _notify(challenge, _others(challenge, user), "withdrawn", now, by=user, name=user.username)
    events.schedule_wakeup(ladder)
    return challenge


@transaction.atomic
def counter(challenge: Challenge, user: User, terms: Terms, now: datetime) -> Challenge:
    """One of the players proposes other terms: all others must answer anew, and have the full time for it.

    After the first time to answer only the challenger can, so that nobody delays an answer for ever.
    """
    ladder, challenge = _locked(challenge)
    _awaited(challenge, user, now)
    standing = ladder.now_standing()
    if not may_propose(challenge, user, now):
        raise Refused(_("It’s too late to propose other terms. Accept or decline."))
    _set_terms(challenge, terms, challenge.parties.count(), standing.rules, now)
    challenge.proposed_by, challenge.starts_at = user, None
    challenged = next(
        (party.user for party in _parties(challenge) if party.number == 1 and party.user_id != user.pk), None
    )
    challenge.answer_by = max(challenge.answer_by, _answer_by(standing, challenged, now))
    challenge.save()
    challenge.parties.update(agrees=False)
    challenge.parties.filter(user=user).update(agrees=True)
    _notify(challenge, _others(challenge, user), "countered", now, by=user, name=user.username)
    events.schedule_wakeup(ladder)
    return challenge


def may_propose(challenge: Challenge, user: User, now: datetime) -> bool:
    """Whether one of the players may still propose other terms."""
    return user.pk == challenge.challenger_id or now < challenge.propose_by


@transaction.atomic
def open_room(challenge: Challenge, user: User, now: datetime) -> Match:
    """Open the waiting room of an agreed live game, again if it has closed. The game begins when everybody is there."""
    ladder, challenge = _locked(challenge)
    if user.pk not in {party.user_id for party in _parties(challenge)}:
        raise Refused(_("Only the players of this challenge can open its table."))
    if challenge.match and challenge.match.status in Match.ALIVE:
        return challenge.match
    if challenge.status != Status.AGREED:
        raise Refused(_("This challenge hasn’t been agreed, or it’s over."))
    if challenge.starts_at:
        raise Refused(_("The table opens automatically at the agreed time."))
    match = _open_match(ladder, challenge, now, ready=[user])
    events.schedule_wakeup(ladder)
    return match


def start(ladder: Ladder, challenge: Challenge, now: datetime) -> None:
    """Begin the game of a locked ladder's challenge at the agreed time, with all clocks running."""
    assert challenge.finish_by
    challenge.finish_by = max(challenge.finish_by, now + events.PLAYED_IN)  # the site may have been away
    challenge.save(update_fields=["finish_by"])
    _open_match(ladder, challenge, now, ready=None)


def unanswered(ladder: Ladder, challenge: Challenge, at: datetime) -> None:
    """A challenge was not answered in time. If the challenged is silent, they give way, and if the challenger is, it
    counts as withdrawn; others who are silent are replaced."""
    silent = [party.user for party in _parties(challenge) if not party.agrees]
    if challenge.challenger in silent:
        events.withdraw(ladder, challenge, at, None, Status.EXPIRED)
        _notify(challenge, [challenge.challenger], "missed", at, name=challenge.proposed_by.username)
        _notify(challenge, _others(challenge, challenge.challenger), "lapsed", at, name=challenge.challenger.username)
        return
    challenged = _parties(challenge)[1].user
    _notify(challenge, silent, "missed", at, name=challenge.challenger.username)
    if challenged in silent:
        events.refuse(ladder, challenge, Unanswered, at)
        _notify(challenge, [challenge.challenger], "unanswered", at, name=challenged.username)
    else:
        redraw(ladder, challenge, silent, at)


def unfinished(ladder: Ladder, challenge: Challenge, at: datetime) -> None:
    """End a challenge whose game did not end in time: those at fault (`overdue.late`) give way to the challenger.

    If the challenger is one of them, nobody moves. A game that is being played goes on, but no longer counts.
    """
    ply = Match.objects.filter(challenge=challenge).values_list("ply", flat=True).first() or 0
    late = overdue.late(challenge, at, ply)
    parties = _parties(challenge)
    payload = Overdue(
        challenge=challenge.pk,
        match=challenge.match.key if challenge.match else "",
        player=challenge.challenger_id,
        players=tuple(party.user_id for party in parties),
        late=tuple(late),
        ply=ply,
    )
    events.write(ladder, payload, at)
    events.end(challenge, Status.EXPIRED, at)
    for party in parties:
        names = ", ".join(other.username for other in _others(challenge, party.user))
        kind = "overdue" if party.user_id in late else "unfinished"
        _notify(challenge, [party.user], kind, at, names=names)
    events.take_off(ladder, late, at)


def remind(challenge: Challenge, due: datetime, now: datetime) -> None:
    """Remind those concerned of the agreed time or the deadline that comes, for a reminder that was `due` by now.

    A late one is left out if the next one is due as well, or what it reminds of has gone by.
    """
    challenge.reminded = due
    challenge.save(update_fields=["reminded"])
    until = agenda.comes(challenge)
    if until <= now or any(at <= now for at in agenda.reminders(challenge)):
        return
    open_ = challenge.status == Status.OPEN
    kind = "answer-soon" if open_ else "starts-soon" if agenda.starts(challenge) else "finish-soon"
    for party in _parties(challenge):
        if open_ and not party.agrees:
            _notify(challenge, [party.user], kind, now, name=challenge.proposed_by.username, until=ms_of(until))
        elif not open_:
            names = ", ".join(other.username for other in _others(challenge, party.user))
            _notify(challenge, [party.user], kind, now, names=names, until=ms_of(until))


def _locked(challenge: Challenge) -> tuple[Ladder, Challenge]:
    """The ladder, locked, and the challenge as it stands now."""
    ladder = events.locked(challenge.ladder)
    fresh = Challenge.objects.select_related("challenger", "proposed_by", "match").get(pk=challenge.pk)
    fresh.ladder = ladder
    return ladder, fresh


def _parties(challenge: Challenge) -> list[Party]:
    return list(challenge.parties.select_related("user"))


def _others(challenge: Challenge, user: User) -> list[User]:
    return [party.user for party in _parties(challenge) if party.user_id != user.pk]


def _check_open(challenge: Challenge) -> None:
    if challenge.status != Status.OPEN:
        raise Refused(_("This challenge is no longer waiting for an answer."))


def _awaited(challenge: Challenge, user: User, now: datetime) -> Party:
    """The party that has yet to answer. Raises Refused for everybody else."""
    _check_open(challenge)
    if challenge.answer_by <= now:
        raise Refused(_("The time to answer this challenge is up."))
    party = challenge.parties.filter(user=user).first()
    if party is None:
        raise Refused(_("You aren’t part of this challenge."))
    if party.agrees:
        raise Refused(_("You’ve already agreed; the others must answer."))
    return party


def _answer_by(standing: Standing, challenged: User | None, now: datetime) -> datetime:
    """The deadline for an answer. Neither the rest of a pause counts towards it, nor an announced vacation of the
    challenged, if they must answer."""
    since = standing.deadlines_from(ms_of(now))
    until = instant(since) + timedelta(days=standing.rules.accept_days)
    away = standing.players[challenged.pk].vacation if challenged else None
    if away and away[0] < ms_of(until) and since < away[1]:
        until += timedelta(milliseconds=away[1] - max(away[0], since))
    return until


def _check_days(days: int, players: int, rules: Rules) -> None:
    """Raises Refused for a correspondence game that cannot be over in time."""
    if not ends_in_time(rules, days, players):
        raise Refused(
            _(
                "At %(days)s a move, a game of %(players)d can’t finish within %(finish)s, as this ladder "
                "requires. Agree on less time a move, or on a live game."
            )
            % {"days": in_days(days), "players": players, "finish": in_days(rules.finish_days)}
        )


def _set_terms(challenge: Challenge, terms: Terms, players: int, rules: Rules, now: datetime) -> None:
    """Raises Refused for terms under which no game can be played in time."""
    finish_days = rules.finish_days
    live = terms.clock.pace == Match.Pace.LIVE
    if not terms.clock.runs:
        raise Refused(_("A game for the ladder needs a clock."))
    if not live:
        _check_days(terms.clock.days, players, rules)
    if (name := clock_name(terms.clock)) not in rules.clocks:
        raise Refused(_("This ladder isn’t played with this clock: %(clock)s.") % {"clock": label(name)})
    times = tuple(sorted(set(terms.times))) if live else ()
    if len(times) > MOST_TIMES:
        raise Refused(_("Suggest at most %(most)d times.") % {"most": MOST_TIMES})
    if times and not ms_of(now) < times[0] <= times[-1] <= ms_of(now) + finish_days * DAY_MS:
        raise Refused(_("Suggest times within the next %(days)d days.") % {"days": finish_days})
    challenge.clock, challenge.times = terms.clock, list(times)
    challenge.options = challenge.rules.options(terms.options or {})
    preset = challenge.rules.preset_of(challenge.options) or CUSTOM
    if preset not in presets(rules, challenge.rules):
        raise Refused(_("This ladder isn’t played by these rules."))


def _open_match(ladder: Ladder, challenge: Challenge, now: datetime, ready: Sequence[User] | None) -> Match:
    """Open its table, with all seats taken. `ready`: the players who are ready; None: all, and it begins at once."""
    people = [party.user for party in _parties(challenge)]
    challenge.match = open_matches.arrange(
        challenge.rules,
        people,
        people if ready is None else ready,
        # What moves the ratings of the site is played before everybody's eyes.
        rated=bool(challenge.rules.pool(len(people))) and not ladder.club.private,
        listed=not ladder.club.private,
        watch=Match.Watch.CLUB if ladder.club.private else Match.Watch.ANYBODY,
        club=ladder.club,
        agreed=challenge.page,
        options=challenge.options,
        clock=challenge.clock,
    )
    challenge.save(update_fields=["match"])
    open_matches.begin_if_ready(challenge.match, ms_of(now))
    challenge.refresh_from_db(fields=["status"])
    for person in people:
        names = ", ".join(other.username for other in people if other != person)
        page = challenge.match.get_absolute_url()
        notices.notify([person], "table", page, now, by=ladder.club, club=ladder.full_name, names=names)
    return challenge.match


def _notify(
    challenge: Challenge, people: Sequence[User], kind: str, now: datetime, *, by: User | None = None, **values: Any
) -> None:
    """`by`: None if the clock did it."""
    ladder = challenge.ladder
    notices.notify(
        people, kind, challenge.get_absolute_url(), now, by=by or ladder.club, club=ladder.full_name, **values
    )
