"""Whether an answer is accepted, and every byte that says so, is the same whatever cards its player cannot know of.

Below the page stands the real match, whose hidden cards are exchanged for others that fit what the player knows.
"""

import re
from random import Random

import pytest

from accounts.web.refused import Refused
from games.engine.biblios.rules import Position
from games.engine.core import RulesError, State
from games.engine.exlibris.game import ExLibris
from games.matches import access, history
from games.matches.turn import prepare
from tests.engine.biblios.sitting import GAME
from tests.engine.promises import moves_of
from tests.matches.matches import rushed, seated
from tests.people import person
from tests.toy.game import Toy

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.slow]
NAMES = "ann", "bob", "dan", "eve"
EX_LIBRIS = ExLibris()


def at_some_ply(game, rng, names, **options):
    """A match somewhere in the middle."""
    while True:
        plies = iter(range(rng.randrange(4 if game.slug == Toy.slug else 160)))
        match = seated(*names, game=game, options=options)
        match = rushed(match, lambda state, plies=plies: next(plies, None) is None, rng.random())
        if match.status == "running":
            return match


def lists_of(game, state, rng):
    """Lists of up to four moves, some of which fit what comes, and some that are none."""
    moves, lists = moves_of(game), [[], [""], ["rook"], ["\0"]]
    for _ in range(40):
        going_on, texts = state.copy(), []
        for _ in range(rng.randrange(1, 5)):
            move = rng.choice(going_on.legal() if not going_on.over and rng.random() < 0.9 else moves)
            texts.append(game.text(move))
            if move in going_on.legal():
                going_on.play(move)
        lists.append(texts if rng.random() < 0.95 else [*texts, "rook"])
    return [*lists, ["keep"] * 60, *([text] * 2 for text in rng.choice(lists))]


def outcome(match, seat, texts):
    """Why an answer is refused, and more than a page is told of it; empty if it is accepted."""
    try:
        prepare(match, seat, match.ply, texts)
    except (Refused, RulesError) as refusal:
        return f"{type(refusal).__name__}: {refusal}"
    return ""


def told(match, rng):
    """Check that no list tells a seat which of several states it is in. Returns how many were accepted and refused."""
    replay, seats = history.replay(match), len(match.sitting)
    truth, found = replay.last, {True: 0, False: 0}
    for me in {match.mover, rng.randrange(seats)} - {None}:
        twins = [truth, *(match.rules.sample(truth.view(me), rng) for _ in range(4))]
        for texts in [texts for twin in twins for texts in lists_of(match.rules, twin, rng)]:
            outcomes = set()
            for replay.last in twins:
                outcomes.add(outcome(match, me, texts))
            assert len(outcomes) == 1, f"seat {me} learns from {texts}: {outcomes}"
            found[outcomes == {""}] += 1
    replay.last = truth
    return found


TABLES = pytest.mark.parametrize(
    ("game", "names", "options"),
    [
        *((GAME, NAMES[:seats], GAME.preset(name)) for seats in GAME.seats for name in GAME.presets),
        *((GAME, NAMES[:seats], {"penalty": name}) for seats in GAME.seats for name in GAME.choices["penalty"]),
        *((EX_LIBRIS, NAMES[:seats], {}) for seats in EX_LIBRIS.seats),
        *((Toy(), NAMES[:seats], {}) for seats in Toy.seats),
    ],
    ids=lambda value: value.slug if hasattr(value, "slug") else str(len(value)),
)


@TABLES
def test_no_list_of_moves_asks_what_is_hidden(toy, game, names, options):
    rng = Random(f"{game.slug} {names} {options}")
    found = told(at_some_ply(game, rng, names, **options), rng)
    assert found[True] and found[False]


def goes_on_without_a_check(state, moves, seat):
    shown = []
    for move in moves:
        state.check(move, seat)
        shown.append(state.shown(move))
        state.play(move)
    return shown


def test_a_service_that_goes_on_without_a_check_is_caught(monkeypatch):
    monkeypatch.setattr(State, "answer", goes_on_without_a_check)
    rng = Random(1)
    with pytest.raises(AssertionError, match="learns from"):
        for _ in range(20):
            told(at_some_ply(GAME, rng, NAMES[:2]), rng)


def test_a_question_that_looks_at_the_deck_is_caught(monkeypatch):
    legal = Position.legal

    def fitting(state):
        moves = legal(state)
        return moves if len(moves) == 1 or sum(state.deal.deck[state.placed + 1 :][:1]) % 2 else moves[1:]

    monkeypatch.setattr(Position, "legal", fitting)
    rng = Random(2)
    with pytest.raises(AssertionError, match="learns from"):
        for _ in range(20):
            told(at_some_ply(GAME, rng, NAMES[:2]), rng)


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "script"])
def test_every_byte_of_a_refusal_is_the_same(client, static_files, headers):
    rng = Random(3)
    for _ in range(3):
        match = at_some_ply(GAME, rng, NAMES[:2], penalty="honest")
        replay = history.replay(match)
        truth, me = replay.last, match.mover
        client.force_login(person(NAMES[me]), backend="django.contrib.auth.backends.ModelBackend")
        twins = [truth, *(match.rules.sample(truth.view(me), rng) for _ in range(2))]
        lists = [texts for twin in twins for texts in lists_of(GAME, twin, rng) if outcome(match, me, texts)]
        for texts in rng.sample(lists, 4):
            replies = set()
            for replay.last in twins:
                reply = client.post(f"/m/{match.key}/play", {"ply": match.ply, "move": texts}, headers=headers)
                html = reply.content.decode()
                text = re.sub(r'data-remaining="\d+"|name="csrfmiddlewaretoken" value="\w+"', "", html)
                replies.add((reply.status_code, text))
            assert {status for status, _ in replies} == {409}
            assert len(replies) == 1
        replay.last = truth
        assert access.find(match.key).ply == match.ply
