"""Each question of Ex Libris refuses what is no answer to it, from the page and from hand-made messages."""

from random import Random

import pytest

from accounts.web.refused import Refused
from games.engine.core import RulesError
from games.engine.exlibris.frames import PLACE, QUESTIONS
from games.engine.exlibris.tiles import AUCTION_HOUSE, TILES
from games.engine.registry import game_of
from games.faces.exlibris.words import tile_name
from games.matches import access, history
from games.matches.models import LogEntry
from games.matches.turn import Stale, prepare
from tests.engine import promises
from tests.matches.matches import rushed, seated
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]
GAME = game_of("exlibris", 1)
MOVES = frozenset(GAME.text(move) for move in promises.moves_of(GAME))
NAMES = "ann", "bob", "dan", "eve"
NO_MOVES = (
    "",
    " ",
    "\0",
    "rook",
    "shelve A0",
    "SHELVE A1",
    "at 9,9",
    "at 0,٣",
    "send 3",
    "take #9",
    "pass " * 2000,
    "🂡",
)


@pytest.fixture(scope="module")
def asked():
    """A position of each question, from random games."""
    rng, found = Random(3), {}
    while len(found) < len(QUESTIONS):
        for state in promises.random_game(GAME, rng, libraries="special", conflict=True).positions():
            if not state.over:
                found.setdefault(state.question, state)
    return found


@pytest.fixture
def table(asked, question):
    """A match that is at this position, and who is asked."""
    state = asked[question].copy()
    match = seated(*NAMES[: len(state.hands)], game=GAME)
    replay = history.replay(match)
    before, replay.last = replay.last, state
    yield match, state
    replay.last = before


def outcome(match, seat, texts, ply=0):
    """How a list of moves is refused; empty if it is accepted."""
    try:
        prepare(match, seat, ply, texts)
    except (Refused, RulesError, Stale) as refusal:
        return type(refusal).__name__
    return ""


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_refuses_what_is_no_answer_to_it(at, static_files, table, question):
    match, state = table
    me, rng = state.seat, Random(question)
    legal = [GAME.text(move) for move in state.legal()]
    others = rng.sample(sorted(MOVES.difference(legal)), 40)
    assert {outcome(match, me, [text]) for text in legal} == {""}
    assert {outcome(match, me, [text]) for text in others} == {"IllegalMove"}
    assert {outcome(match, me, [text]) for text in NO_MOVES} == {"BadMove"}
    assert outcome(match, me, []) == "Refused" and outcome(match, me, legal[:1], ply=1) == "Stale"
    assert {outcome(match, seat, legal[:1]) for seat in range(len(state.hands)) if seat != me} <= {"WrongSeat"}
    for more in ([*legal[:1], "rook"], legal[:1] * 60, [*legal[-1:], *others[:1]]):
        assert outcome(match, me, more) in ("BadMove", "IllegalMove", "OtherAnswer")
    key = state.key()
    page = at(NAMES[me])
    for texts in (others[:1], others[1:2] * 3, [NO_MOVES[2]], [NO_MOVES[10]], [], [legal[0], "rook"]):
        reply = page.post(f"/m/{match.key}/play", {"ply": 0, "move": texts})
        assert reply.status_code == 409
    for name in {*NAMES[: len(state.hands)]} - {NAMES[me]}:
        assert at(name).post(f"/m/{match.key}/play", {"ply": 0, "move": legal[0]}).status_code == 409
    for name, status in (("cho", 404), ("", 302)):
        assert at(name).post(f"/m/{match.key}/play", {"ply": 0, "move": legal[0]}).status_code in (status, 403, 404)
    assert not LogEntry.objects.filter(match=match).exists()
    assert access.find(match.key).ply == 0 and history.replay(match).last.key() == key


def test_a_refused_answer_says_why_in_the_words_of_the_table(at, static_files):
    match = rushed(seated(*NAMES, game=GAME), lambda state: state.question == PLACE)
    state = history.replay(match).state(match.ply)
    away = next(tile for tile in TILES if tile not in (AUCTION_HOUSE, *state.tiles))
    wrong = {"ply": match.ply, "move": f"send {away}"}
    said = text(at(NAMES[state.seat]).post(f"/m/{match.key}/play", wrong))
    assert f"{tile_name(away)} isn’t in town now." in said
    other = NAMES[(state.seat + 1) % len(NAMES)]
    assert "It isn’t your turn now." in text(at(other).post(f"/m/{match.key}/play", wrong))
    assert "The table has moved on." in text(at(other).post(f"/m/{match.key}/play", wrong | {"ply": 0}))
