"""What one may not know is in no byte of the page and in no key of it (see `tests/engine/biblios/twins.py`)."""

import re
from dataclasses import replace
from html import escape
from random import Random

import pytest

from games.engine.biblios.cards import KIND
from games.engine.biblios.notation import PLACE
from games.engine.exlibris.game import ExLibris
from games.faces.registry import face_of
from games.faces.slots import SlotGroup
from games.matches import chain
from tests.engine.biblios.sitting import GAME, lively_game
from tests.engine.biblios.twins import Twins, twins
from tests.engine.exlibris.test_blindness import games
from tests.engine.exlibris.twins import twins as twins_of_ex_libris
from tests.engine.promises import check_blind, viewers
from tests.faces.scenes import NOW, Tale, moves_between, page_of, scene_of

pytestmark = [pytest.mark.usefixtures("static_files"), pytest.mark.once, pytest.mark.slow]

EX_LIBRIS = ExLibris()


def shown(scene):
    """What a page shows, and all that it is drawn from."""
    page = page_of(scene)
    return page, page.board._replace(memory=None, made=None)


def test_a_page_is_the_same_for_positions_that_its_viewer_cannot_tell_apart(game):
    """The log aside."""
    rng = Random(3)
    for seats in game.seats:
        for number in range(2):
            states = [state for state in Tale(f"{seats} {number}", seats, game).states if not state.over]
            for state in rng.sample(states, min(12, len(states))):
                for me in viewers(state):
                    check_blind(game, state, me, rng, lambda state, me: shown(scene_of([state], [], me, game)))


@pytest.mark.parametrize("penalty", GAME.choices["penalty"])
def test_a_page_with_its_log_and_news_is_the_same_for_games_that_its_viewer_cannot_tell_apart(penalty):
    compared = 0
    for pair in twins(Random(penalty), 4, penalty=penalty):
        assert told(pair) == told(pair, other=True), f"seat {pair.me} is shown what it may not know ({pair.kind})"
        compared += 1
    assert compared > 30


def test_a_page_with_its_log_and_news_is_the_same_whatever_others_have_offered_under_seal(toy):
    compared = 0
    for pair in sealed_twins(toy, Random(2), 30):
        assert told(pair, toy) == told(pair, toy, other=True), f"seat {pair.me} is shown what it may not know"
        compared += 1
    assert compared > 50


@pytest.mark.parametrize("seats", [1, 3])
def test_a_page_and_a_review_of_ex_libris_are_the_same_for_games_that_their_viewer_cannot_tell_apart(seats):
    rng, compared = Random(seats), 0
    for pair in twins_of_ex_libris(games(rng, 2, seats), rng):
        sides = (pair.states, pair.moves), (pair.others, pair.other_moves)
        scenes = [scene_of(*side, pair.me, EX_LIBRIS, since=0, playing=pair.me is not None) for side in sides]
        for page in (shown, reviewed):
            assert page(scenes[0]) == page(scenes[1]), f"seat {pair.me} is shown what it may not know ({pair.kind})"
        compared += 1
    assert compared > 5 * seats


def reviewed(scene):
    """What the review of a running game shows from one seat: the position, and the moves in words."""
    face = face_of(scene.game)
    chronicle = face.chronicle()
    for step in scene.steps:
        chronicle.add(step)
    names = [sitter.person.name for sitter in scene.sitters]
    moves = face.listed(chronicle, names, scene.me, "/m/x/{ply}"), face.plain(chronicle, names)
    return face.position(scene, chronicle, []), moves, chronicle.stops, chronicle.phases


def told(pair, game=GAME, other=False, leak=None):
    """What the last page of one of the twins shows to their viewer, who has missed everything."""
    states = pair.others if other else pair.states
    scene = replace(scene_of(states, moves_between(states), pair.me, game, since=0), playing=pair.me is not None)
    return leak(*shown(scene), states[-1]) if leak else shown(scene)


def sealed_twins(toy, rng, games):
    """Games in which one sealed offer is another."""
    for _ in range(games):
        tale = Tale(rng.random(), rng.choice((2, 3)), toy)
        for ply, state in enumerate(tale.states[1:], 1):
            seat = rng.randrange(len(state.offers))
            if state.offers[seat] is not None and state.offers[-1] is None:
                at, offer = ply - state.seat + seat, rng.randrange(state.coins[seat] + 1)
                others = tale.states[: at + 1]
                for move in (offer, *tale.moves[at + 1 : ply]):
                    others = [*others, others[-1].after(move)]
                for me in {None, *range(len(state.offers))} - {seat}:
                    yield Twins("sealed", me, tale.states[: ply + 1], others)


@pytest.mark.parametrize("penalty", GAME.choices["penalty"])
def test_the_chain_of_games_that_its_viewer_cannot_tell_apart_differs_in_hashes_alone(penalty):
    compared = 0
    for pair in twins(Random(penalty), 4, penalty=penalty):
        messages = []
        for states in (pair.states, pair.others):
            moves = moves_between(states)
            lines = [
                chain.line(bytes(32), ply, state.seat, 0, NOW + ply, GAME.text(move), state.shown(move))
                for ply, (state, move) in enumerate(zip(states, moves, strict=False))
            ]
            scenes = [scene_of(states[: ply + 1], moves[:ply], pair.me, lines=lines) for ply in (0, len(moves))]
            older, page = map(page_of, scenes)
            sent = page.update(older)
            rows = escape("\n".join(lines), quote=False)
            assert sent.partition("</div>")[0].endswith(rows)
            messages.append(re.sub("#[0-9a-f]{64}", "#", rows))
        assert messages[0] == messages[1], f"seat {pair.me} is told by a row what it may not know ({pair.kind})"
        compared += 1
    assert compared > 30


# Leaks, planted


def drawn_card_for_everybody(state, me):
    view = state.view(me)
    return replace(view, drawn=KIND[state.deal.deck[state.placed]]) if state.question == PLACE else view


def hands_for_everybody(state, me):
    return replace(state.view(me), hands=tuple(state.view(seat).hand for seat in range(len(state.hands))))


def kept_card_for_everybody(state, me):
    return replace(state.view(me), kept=state.view(state.active).kept)


def true_history_for_everybody(state, me):
    views = [state.view(seat) for seat in range(len(state.hands))]
    return replace(state.view(me), flow=tuple(max(moves) for moves in zip(*(v.flow for v in views), strict=True)))


@pytest.mark.parametrize("leak", [hands_for_everybody, true_history_for_everybody])
def test_the_check_finds_what_leaks_into_the_page(leak):
    def leaking(state, me):
        return page_of(replace(scene_of([state], [], me), view=leak(state, me)))

    rng = Random(1)
    with pytest.raises(AssertionError, match="is shown what it may not know"):
        for state in lively_game(rng, 3).positions():
            if not state.over:
                check_blind(GAME, state, rng.choice(viewers(state)), rng, leaking)


@pytest.mark.parametrize("leak", [drawn_card_for_everybody, true_history_for_everybody])
def test_the_check_finds_what_leaks_into_the_log(leak):
    def leaking(states, me):
        moves = moves_between(states)
        views = [leak(state, me) for state in states]
        scene = scene_of(states, moves, me, since=0)
        steps = [replace(s, before=views[s.ply], after=views[s.ply + 1]) for s in scene.steps]
        return page_of(replace(scene, steps=steps))

    assert any(
        leaking(pair.states, pair.me) != leaking(pair.others, pair.me)
        for pair in twins(Random(7), 4, penalty="transfer")
    )


def into_a_slot_of_all(page, keys, state):
    """The next card of the draw pile, in a key that does not show it."""
    return page, keys._replace(common=SlotGroup((*keys.common.parts, {"next": (next_card(state),)})))


def into_a_line_of_the_log(page, keys, state):
    return page, keys._replace(log=keys.log._replace(lines=[*keys.log.lines, next_card(state)]))


def into_the_facts(page, keys, state):
    return page, keys._replace(facts=(*keys.facts, next_card(state)))


def next_card(state):
    return KIND[state.deal.deck[state.placed]] if state.question == PLACE else None


@pytest.mark.parametrize("leak", [into_a_slot_of_all, into_a_line_of_the_log, into_the_facts])
def test_the_check_finds_what_leaks_into_a_key_and_not_into_the_page(leak):
    assert any(
        told(pair, leak=leak) != told(pair, other=True, leak=leak) for pair in twins(Random(7), 4, penalty="transfer")
    )


def test_the_check_finds_an_offer_that_is_not_sealed(toy):
    def leak(page, keys, state):
        return page, keys._replace(facts=(*keys.facts, state.offers))

    for pair in sealed_twins(toy, Random(2), 3):
        same = pair.states[-1].offers == pair.others[-1].offers
        assert (told(pair, toy, leak=leak) == told(pair, toy, other=True, leak=leak)) == same
