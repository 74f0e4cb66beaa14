"""What holds of a ladder after whatever may happen to it."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.ladders.payloads import (
    GAME_KINDS,
    UNDOABLE,
    Added,
    AtTable,
    Back,
    Corrected,
    Declined,
    Event,
    GameResult,
    JoinedLadder,
    Left,
    Ordered,
    Overdue,
    Paused,
    Resumed,
    RulesSet,
    SeasonBegun,
    SeasonEnded,
    SeasonMoved,
    Sunk,
    TakenOff,
    Unanswered,
    Undone,
    Vacation,
    Withdrawn,
)
from games.ladders.rules import DAY_MS, WEEK_MS, Rules
from games.ladders.standing import Standing, replay, undone_by
from games.matches.clocks import instant
from tests.ladders.standings import Club, says

pytestmark = [pytest.mark.once, pytest.mark.slow]


def due_at(standing, player):
    return standing.players[player].sinks_at(standing.rules)


@st.composite
def histories(draw, most=40, undo=True):
    """Events as services write them: what people and stewards do, and what follows by the clock."""
    rng = draw(st.randoms(use_true_random=False))
    events, standing, at = [], Standing(), 0

    def add(what, when=None, **data):
        nonlocal standing
        if what == SeasonBegun:
            data["rules"] = standing.rules.to_json()
        events.append(Event(len(events), at if when is None else when, says(what, **data)))
        standing = replay(events)

    add(
        RulesSet,
        rules=replace(Rules(), soft_reset=rng.random() < 0.5, most_late=2, cheap_refusals=rng.randrange(3)).to_json(),
    )
    for player in range(1, 8):
        add(JoinedLadder, player=player)
    add(SeasonBegun, number=1, ends=WEEK_MS)
    for _ in range(draw(st.integers(1, most))):
        at += rng.randrange(4 * DAY_MS)
        everybody = sorted(standing.players)
        if len(everybody) < 4:
            add(JoinedLadder, player=rng.randrange(1, 12))
            continue
        if standing.resumes is not None and standing.resumes <= at:
            add(Resumed, standing.resumes)
        if standing.ends is not None:
            if standing.ends <= at:
                add(SeasonEnded, number=standing.season, final=[])
                if rng.random() < 0.7:
                    add(SeasonBegun, number=standing.season + 1, ends=at + 10 * WEEK_MS)
            elif standing.resumes is None:
                due = [player for player in reversed(standing.order) if due_at(standing, player) <= at]
                for player in sorted(due, key=lambda player: due_at(standing, player)):
                    add(Sunk, due_at(standing, player), player=player)
        elif rng.random() < 0.3:
            add(SeasonBegun, number=standing.season + 1, ends=at + 10 * WEEK_MS)
        some = rng.sample(everybody, rng.choice((2, 2, 2, 3, 4)))
        match rng.choice(
            ("result",) * 6
            + ("join", "leave", "silent", "withdrawn", "overdue", "away", "back", "order", "correct", "rules", "undo")
            + ("add", "moved", "pause", "resume", "at-table")
        ):
            case "result":
                points = [rng.randrange(4) for _ in some]
                late = [player for player in some if rng.random() < 0.2]
                places = [1 + sum(other > mine for other in points) for mine in points]
                soon = [player for player in some if rng.random() < 0.1]
                add(GameResult, challenge=1, match="m", link="", players=some, places=places, late=late, soon=soon)
                for player in late:
                    if standing.too_late(player, at):
                        add(TakenOff, player=player)
            case "at-table":
                places, played = [rng.randrange(1, 4) for _ in some], instant(at - rng.randrange(8 * DAY_MS)).date()
                about = {"result": 1, "points": None, "played": played.isoformat(), "entered": some[0]}
                add(AtTable, players=some, places=places, **about)
            case "join":
                add(JoinedLadder, player=rng.randrange(1, 12))
            case "leave":
                add(Left, player=some[0])
            case "silent":
                kind = rng.choice((Unanswered, Declined))
                add(kind, challenge=1, player=some[0], other=some[1])
            case "withdrawn":
                add(Withdrawn, challenge=1, player=some[0], others=some[1:])
            case "overdue":
                late = rng.sample(some, rng.randrange(1, len(some)))
                add(Overdue, challenge=1, match="m", player=some[0], players=some, late=late, ply=0)
            case "away":
                known = standing.players[some[0]]
                if not known.vacation or known.vacation[1] <= at:
                    begins = at + rng.randrange(3 * DAY_MS)
                    add(Vacation, player=some[0], begins=begins, ends=begins + rng.randrange(1, 9 * DAY_MS))
            case "back":
                add(Back, player=rng.choice([*standing.taken_off(), some[0]]))
            case "order":
                add(Ordered, order=some)
            case "correct":
                add(Corrected, player=some[0], position=rng.randrange(1, len(everybody) + 1))
            case "rules":
                days = {"idle_days": rng.randrange(3, 30), "sink_days": rng.randrange(1, 9)}
                add(RulesSet, rules=replace(standing.rules, **days).to_json())
            case "add":
                add(Added, players=rng.sample(range(1, 12), 3))
            case "moved" if standing.ends is not None:
                add(SeasonMoved, number=standing.season, ends=max(at, standing.resumes or 0) + 2 * WEEK_MS)
            case "pause" if standing.ends is not None and standing.ends > at and standing.resumes is None:
                add(Paused, ends=at + rng.randrange(1, 20 * DAY_MS))
            case "resume" if standing.resumes is not None:
                add(Resumed)
            case "undo" if undo:
                gone = undone_by(events)
                can = [each.number for each in events if each.kind in UNDOABLE and each.number not in gone]
                if can:
                    add(Undone, event=rng.choice(can))
    return events


RANDOM = settings(max_examples=40, deadline=None, derandomize=True, database=None)


@RANDOM
@given(histories())
def test_order_and_those_taken_off_are_always_a_permutation_of_the_players(events):
    for length in range(len(events) + 1):
        standing = replay(events[:length])
        assert sorted([*standing.order, *standing.taken_off()]) == sorted(standing.players)
        assert all(known.vacation_ms >= 0 for known in standing.players.values())


@RANDOM
@given(histories(undo=False))
def test_replaying_all_events_gives_the_same_as_applying_one_after_the_other(events):
    standing = Standing()
    for event in events:
        before, copy = Standing.from_json(standing.to_json()), standing.after(event)
        assert standing == before, "what was before an event stays as it was"
        standing.apply(event)
        assert copy == standing
    assert standing == replay(events)


@RANDOM
@given(histories())
def test_every_standing_comes_back_from_json(events):
    standing = replay(events)
    assert Standing.from_json(json.loads(json.dumps(standing.to_json()))) == standing


@RANDOM
@given(histories())
def test_sinking_never_swaps_two_idle_players_and_moves_one_by_one_place(events):
    for event in events:
        if event.kind == Sunk.kind:
            before, after = replay(events[: event.number]), replay(events[: event.number + 1])
            idle = [player for player in before.order if before.players[player].idle(event.at, before.rules)]
            assert event.payload.player in idle
            assert [player for player in after.order if player in idle] == idle
            player = event.payload.player
            assert after.position(player) - before.position(player) in (0, 1)


@RANDOM
@given(histories(undo=False), st.data())
def test_undoing_gives_the_order_of_a_history_without_the_event(events, data):
    numbers = [event.number for event in events if event.kind in UNDOABLE]
    if not numbers:
        return
    number = data.draw(st.sampled_from(numbers))
    undone = replay([*events, Event(len(events), events[-1].at, Undone(number))])
    without = replay(event for event in events if event.number != number)
    kind = events[number].kind
    if kind in GAME_KINDS and any(event.kind == Sunk.kind for event in events):
        return  # players are not idle: whether others have passed them by sinking is open
    assert undone.order == without.order
    assert undone.met == without.met
    assert {one: (known.rating, known.games, known.form, known.held) for one, known in undone.players.items()} == {
        one: (known.rating, known.games, known.form, known.held) for one, known in without.players.items()
    }
    if kind not in (*GAME_KINDS, Sunk.kind):
        assert undone == without


@RANDOM
@given(histories())
def test_nobody_is_idle_before_their_time_and_idle_time_is_never_negative(events):
    standing = replay(events)
    if standing.ends is None:
        return
    for known in standing.players.values():
        due = known.sinks_at(standing.rules)
        assert known.idle_ms(events[-1].at) >= 0
        # They sink when their idle time has become as long as the club is patient.
        if not (known.vacation and known.vacation[0] > known.idle_from + known.patience_ms(standing.rules)):
            assert known.idle_ms(due) == known.patience_ms(standing.rules)


def test_two_thousand_events_of_sixty_players_are_replayed_in_one_go():
    """With many of them undone too, each event is looked at once."""
    club = Club(*range(60))
    for number in range(1000):
        club.result(number % 60, (number + 1 + number % 59) % 60)
        club.undo(len(club.events) - 1) if number % 2 else club.add(Sunk, player=number % 60)
    applied = []
    standing = Standing()
    kinds = {event.number: event.kind for event in club.events}
    original = Standing.apply

    def counted(self, event):
        applied.append(event.number)
        original(self, event)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Standing, "apply", counted)
        standing = replay(club.events)
    assert sorted(standing.order) == list(range(60))
    assert len(applied) == len(set(applied))
    assert all(kinds[number] != Undone.kind for number in applied)
