"""Where tables of one deal differed: the same question is the same view, and what answers were worth is looked at
where it was not chosen."""

from random import Random

from games.engine import differing
from games.engine.differing import PlayedTable, differences
from games.engine.judging import PlainGame
from games.engine.verdicts import version_of
from tests.toy.expert import ToyExpert, twins
from tests.toy.game import Toy

TOY = Toy()
START = TOY.begin(2, {"rounds": 3}, TOY.start(2, bytes(32), {}).deal._replace(prizes=(1, 6, 6)))


class Unjudged(Toy):
    """The same, where nothing judges."""

    def expert(self, seats, options):
        return None


def table(*moves, people=(0, 1), game=TOY, start=START):
    """A game that goes on with random answers after these; those of `people` count."""
    rng, state, seats, texts = Random(len(moves)), start.copy(), [], []
    for move in moves:
        seats.append(state.seat)
        texts.append(game.text(move))
        state.play(move)
    answered = frozenset(number for number, seat in enumerate(seats) if seat in people)
    while not state.over:
        move = rng.choice(state.legal())
        texts.append(game.text(move))
        state.play(move)
    return PlayedTable(PlainGame(game, start, texts, "k", ""), answered)


def test_one_table_differs_from_nothing():
    assert differences([], "d").questions == differences([table(5)], "d").questions == []


def test_the_question_that_was_answered_differently_is_told_with_who_gave_what_and_what_it_was_worth():
    found = differences([table(20), table(300), table(20)], "d")
    [asked] = found.questions
    assert found.version == version_of(ToyExpert()) and asked.seat == 0 and asked.weight > 200
    assert [(it.text, it.places) for it in asked.answers] == [
        ("offer 20", ((0, 0), (2, 0))),
        ("offer 300", ((1, 0),)),
    ]
    little, everything = (it.share for it in asked.answers)
    assert little.low > everything.high
    assert found == differences([table(20), table(300), table(20)], "d")


def test_a_question_is_the_same_by_what_the_seat_saw_alone():
    """Seat 1 does not see what seat 0 has offered: its question is the same at both tables, and so is what it is worth
    in another deal of what it cannot know."""
    one, two = table(20, 30, people=(1,)), table(50, 40, people=(1,))
    [asked] = differences([one, two], "d").questions
    assert asked.seat == 1 and [it.places for it in asked.answers] == [((0, 1),), ((1, 1),)]
    other = twins(START, 1, Random(5))
    same = [table(20, 30, people=(1,), start=other), table(50, 40, people=(1,), start=other)]
    assert differences(same, "d").questions == [asked]
    seen = [table(20, 30, 301, 10, people=(1,)), table(50, 40, 301, 20, people=(1,))]
    assert differences(seen, "d").questions == [asked]  # what was offered then lies open: the next ones are others


def test_where_all_did_the_same_or_a_bot_answered_there_is_nothing():
    assert differences([table(20), table(20)], "d").questions == []
    assert differences([table(20), table(30, people=())], "d").questions == []


def test_without_a_judge_those_come_first_in_which_most_pairs_differ():
    tables = [table(20, at, game=Unjudged()) for at in (1, 1, 2, 3)]
    tables += [table(40, 1, game=Unjudged())]
    found = differences(tables, "d")
    assert found.version == "" and [(it.seat, it.weight) for it in found.questions] == [(1, 7), (0, 4)]
    assert {answer.share for it in found.questions for answer in it.answers} == {None}


def test_a_table_that_contradicts_the_rules_is_left_out():
    odd = table(30)
    odd = odd._replace(asked=odd.asked._replace(moves=["offer 30", "offer 301", *odd.asked.moves[2:]]))
    [asked] = differences([table(20), odd, table(40)], "d").questions
    assert [it.text for it in asked.answers] == ["offer 20", "offer 40"]


def test_the_work_is_bounded(monkeypatch):
    monkeypatch.setattr(differing, "MOST_ANSWERS", 2)
    monkeypatch.setattr(differing, "MOST_TABLES", 4)
    [asked] = differences([table(at) for at in (10, 20, 30, 40, 50)], "d").questions
    assert [it.share is not None for it in asked.answers] == [True, True, False, False]
    monkeypatch.setattr(differing, "MOST_JUDGED", 0)
    assert differences([table(10), table(20)], "d").questions == []
