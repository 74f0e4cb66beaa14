"""Matches to test with: people at a table, played to where a test needs it."""

from itertools import count
from random import Random

from games.engine.biblios.notation import PAY_CARDS, REFUSE
from games.lobby import open_matches
from games.matches import access, history, play, shuffle
from games.matches.clocks import Clock, now_ms
from games.matches.models import LogEntry
from tests.people import person


def seated(*names, bots=0, **table):
    """A running match of these people, in seat order, then bots."""
    people = [person(name) for name in names]
    columns = ("pace", "bank_ms", "increment_ms", "days")
    clock = Clock(**{name: table.pop(name) for name in columns if name in table})
    fields = {"places": len(names) + bots, "options": {}, "bots": bots, "clock": clock}
    match = open_matches.open_match(people[0], **fields | table)
    for user in people[1:]:
        match = open_matches.join(match, user)
        if match.status == "open":
            match = open_matches.ready(match, user)
    if match.status == "shuffling":
        for user in people:
            shuffle.do_without(match, user)
    return access.find(match.key)


def answer(match, rng, at=None):
    """One random legal answer of whoever is asked; the match afterwards."""
    state = history.replay(match).state(match.ply)
    by = LogEntry.By.BOT if match.seats.all()[state.seat].plays_itself else LogEntry.By.PLAYER
    play.play(match, state.seat, match.ply, [match.rules.text(rng.choice(state.legal()))], by, at)
    return access.find(match.key)


def played(match, until=None, seed=1):
    """The match after random answers: to its end, or until `until(state)` holds."""
    rng = Random(seed)
    while match.status == "running" and not (until and until(history.replay(match).state(match.ply))):
        match = answer(match, rng)
    return match


def able_to_pay(least):
    return lambda state: state.question == PAY_CARDS and state.due >= least and state.legal() != (REFUSE,)


def paying(least, **table):
    """A match in which a payment of at least so many cards begins, and one way to pay: the moves."""
    for seed in count():
        match = played(seated("ann", "bob", **table), able_to_pay(least), seed)
        if match.status == "running":
            state, moves = history.replay(match).state(match.ply).copy(), []
            while state.question == PAY_CARDS:
                moves.append(state.legal()[-1])
                state.play(moves[-1])
            return match, [match.rules.text(move) for move in moves]


def rushed(match, until=None, seed=1):
    """As `played`, but all moves in one transaction: quick, and nobody is asked in between."""
    rng, state, at = Random(seed), history.replay(match).state(match.ply).copy(), now_ms()
    plays_itself = [seat.plays_itself for seat in match.seats.all()]
    rows, shown = [], []
    while not state.over and not (until and until(state)):
        forced = state.forced()
        move = rng.choice(state.legal()) if forced is None else forced
        by = LogEntry.By.PLAYER if forced is None else LogEntry.By.SERVER
        by = LogEntry.By.BOT if plays_itself[state.seat] and forced is None else by
        rows.append(history.Row(state.seat, match.rules.text(move), by, at))
        shown.append(state.shown(move))
        state.play(move)
    if rows:
        play.append(match, rows, shown, state, at, answered=rows[-1].seat)
    return access.find(match.key)
