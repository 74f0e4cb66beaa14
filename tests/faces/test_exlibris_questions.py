"""What the questions of Ex Libris say: why they are asked, to each who reads it, and what answers would do."""

import re
from random import Random

import pytest
from markupsafe import Markup

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CARD, OF_CATEGORY, cards_of, labels_of
from games.engine.exlibris.game import ExLibris
from games.engine.exlibris.notation import MOVE_TEXTS
from games.faces.exlibris.outcomes import Outcome, cell_text
from games.faces.exlibris.refusal import refusal
from games.faces.exlibris.why import ASKED, AWAITED, YOURS, reason, why_of
from games.matches.scene import Step
from tests.engine.exlibris.sitting import Sitting, cell
from tests.faces.scenes import NAMES, NOW, Tale, page_of, scene_of, words

pytestmark = pytest.mark.usefixtures("static_files")
GAME = ExLibris()
HAND = "T1 T2 T3"
DECK = "W1 W2 W3 W4 W5 V1 V2 V3"


def at(tile, *libraries, **more):
    """A sitting with a tile in play, whose cards begin the deck, and a hand of seat 0."""
    libraries = libraries or ("WIZ", "GOL")
    return Sitting(len(libraries), *libraries, tiles=[tile], deck=DECK, **more).set_hand(0, HAND)


def scene(sitting, me, *sent):
    """What a viewer has before them. `sent`: who was sent where, written as moves of a sitting."""
    view = sitting.state.view(me)
    steps = [Step(ply, int(it[0]), it[2:], False, False, NOW, view, view) for ply, it in enumerate(sent)]
    return scene_of([sitting.state], [], me, GAME, steps=steps)


def told(sitting, *answers):
    """By viewer, what is said after these answers."""
    sitting.play(*answers)
    return {me: why(scene(sitting, me, *answers), me) for me in (*range(len(sitting.state.hands)), None)}


def drawn(sitting, id):
    """An element of the page of whoever is asked."""
    page = page_of(scene(sitting, sitting.asked))
    whole = "".join(page.roots.values())
    return whole[whole.index(f'id="{id}"') :].partition("</section>")[0]


def why(scene, me):
    return str(Markup(reason(why_of(scene), me, NAMES)).striptags())


def test_the_tax_collector_of_somebody_says_how_many_cards_one_has():
    sitting = at(11, "WIZ", "GOL", "AUT").set_hand(1, "A1 A2").set_hand(2, "B1 B2 B3 B4 B5")
    sitting.play("0 send 11").to_the_resolution()
    assert told(sitting) == {
        0: "Your Tax Collector: Dan has five cards or more, and discards one.",
        1: "Ann’s Tax Collector: Dan has five cards or more, and discards one.",
        2: "Ann’s Tax Collector: you have 5 cards, so discard one.",
        None: "Ann’s Tax Collector: Dan has five cards or more, and discards one.",
    }
    assert told(sitting, "2 discard B3")[0] == "Tax Collector: one of the cards discarded for it can be yours."


def test_whoever_meets_the_cube_learns_whose_it_is_and_its_owner_why_they_may_draw():
    found = told(at(18, "CUB", "WIZ"), "0 special 18", "0 pass", "1 send 18")
    assert found[1] == "Ann’s Gelatinous Cube is at the Reading Room: lose a random card, or let them draw and shelve."
    assert found[0] == "Bob meets your Gelatinous Cube at the Reading Room."
    sitting = at(18, "CUB", "WIZ")
    found = told(sitting, "0 special 18", "0 pass", "1 send 18", "1 allow")
    assert found[0] == "Bob visits your Gelatinous Cube at the Reading Room: draw a card, then shelve one."
    assert found[1] == "You visit Ann’s Gelatinous Cube, and let them draw and shelve."
    assert found[None] == "Bob visits Ann’s Gelatinous Cube at the Reading Room, and lets them draw and shelve."
    sitting.play("0 draw")
    shelving = scene(sitting, 0, "0 special 18", "1 send 18")
    assert why(shelving, 0) == "Bob visits your Gelatinous Cube at the Reading Room: you may shelve a card."


def test_the_sasquatch_hears_who_comes_and_where():
    found = told(at(13, "SAS", "WIZ"), "0 special 13", "1 send 13")
    assert found[0] == "Bob comes to your Sasquatch at the Library Lodge. Taken back, it is placed again."
    assert found[1] == "You come to Ann’s Sasquatch at the Library Lodge."
    assert found[None] == "Bob comes to Ann’s Sasquatch at the Library Lodge."


def test_a_goblin_says_whom_it_meets_and_asks_for_and_what_it_got():
    sitting = at(7, "GOB", "WIZ", first=1).set_hand(1, "B4 A2")
    found = told(sitting, "1 send 7", "0 special 7")
    assert found[0].startswith("Your Goblin Sneak meets Bob at the Back-street Tavern: they give you a card")
    assert found[1] == "Ann’s Goblin Sneak meets you at the Back-street Tavern, and may ask you for a card."
    sitting.play("0 cat M")
    found = {me: why(scene(sitting, me, "1 send 7", "0 special 7"), me) for me in (0, 1, None)}
    assert found == {
        0: "Your Goblin Sneak asks Bob for Monster Manuals.",
        1: "Ann’s Goblin Sneak asks for Monster Manuals: give a card that has it.",
        None: "Ann’s Goblin Sneak asks Bob for Monster Manuals.",
    }
    sitting.play("1 give A2")
    assert why(scene(sitting, 0, "0 special 7"), 0) == "Your Goblin Sneak got A2, and you may shelve it."


def test_only_whoever_has_no_such_card_is_told_so():
    sitting = at(7, "GOB", "WIZ", first=1).set_hand(1, "B4 A5").play("1 send 7", "0 special 7", "0 cat M")
    found = {me: why(scene(sitting, me, "0 special 7"), me) for me in (0, 1)}
    assert found[1] == "Ann’s Goblin Sneak asks for Monster Manuals: you have none, so show Ann your hand."
    assert found[0] == "Your Goblin Sneak asks Bob for Monster Manuals."


def test_a_garage_sale_names_the_seller():
    sitting = at(6, "WIZ", "GOL", "AUT").play("0 send 6").to_the_resolution().play("0 lay T1", "0 lay T2", "0 pass")
    assert told(sitting) == {
        0: "Your Garage Sale: Bob may take one of the cards, and you draw one for it.",
        1: "Ann’s Garage Sale: one of these cards can be yours for nothing. Ann draws one for it.",
        2: "Ann’s Garage Sale: Bob may take one of the cards.",
        None: "Ann’s Garage Sale: Bob may take one of the cards.",
    }


def test_a_special_assistant_that_takes_or_gives_a_card_is_named():
    witch = at(18, "WIT", "WIZ")
    assert told(witch, "0 special home", "0 draw")[0] == "Your Witch drew one card more, so discard one."
    golem = at(18, "GOL", "WIZ").set_discard("A1 A2")
    found = told(golem, "0 special 18", "0 pass", "0 take A1")
    assert found[0] == "Your Golem took a card, so discard one."
    assert found[1] == "Ann’s Golem took a card, so they discard one."
    worm = at(18, "WRM", "WIZ")
    assert told(worm, "0 special home")[0] == "Your Bookworm is home: draw a card, then shelve one."
    found = told(worm, "0 draw", "0 pass")
    assert found[0] == "Your Bookworm works on if you discard a card: draw one, or shelve one."
    worm.play("0 discard T1")
    assert why(scene(worm, 0, "0 special home"), 0) == "Your Bookworm works on: draw a card, or shelve one."
    imp = told(at(2, "IMP", "WIZ"), "0 special 2")
    assert imp[0] == "Your Fire Imp is at the Book Swap: discard up to two of its cards, then draw one."
    automaton = at(7, "AUT", "WIZ").play("0 send home", "0 pass", "1 send home", "1 pass", "0 send home", "0 pass")
    found = told(automaton, "1 send home", "1 pass", "0 special home")
    assert found[0] == "Your Automaton: draw a card, or shelve one. 2 more such actions follow."


def test_what_a_tile_offers_says_the_tile_and_the_card():
    swap = at(2)
    assert told(swap, "0 send 2")[1] == "Ann is at the Book Swap."
    found = told(swap, "0 take W2")
    assert found[0] == "Book Swap: you took W2, so leave one of your cards in its place."
    swap.play("0 swap T3")
    assert why(scene(swap, 0, "0 send 2"), 0) == "Book Swap: you took W2, and may shelve it."
    assert why(scene(at(18).play("0 send 18"), 0, "0 send 18"), 0) == (
        "Reading Room: you may shelve up to 2 cards, one by one."
    )
    bid = at(3).play("0 send 3:2").to_the_resolution()
    assert told(bid)[0] == "Auction House: you bid 2. Discard as many cards, and all cards there are yours."
    assert told(at(17), "0 send 17")[0] == (
        "Smuggler’s Cellar: W1 comes up. Shelve it, or discard it and see the next."
    )


def test_the_card_from_the_archive_is_named_to_nobody_else():
    sitting = at(16).play("0 send 16", "0 peek #3", "0 peek #1").to_the_resolution().play("0 take #3")
    found = told(sitting)
    assert found[0] == "Sealed Archive: you took W3, and may shelve it."
    assert found[1] == found[None] == "Ann is at the Sealed Archive."


def test_a_gambler_reads_hits_misses_and_how_many_cards_not_seen_have_the_category():
    sitting = at(4).play("0 send 4").to_the_resolution()
    spare = [card for card in sitting.state.deck[sitting.state.drawn :] if not OF_CATEGORY[3] >> card & 1]
    hit = next(card for card in sitting.state.deck[sitting.state.drawn :] if OF_CATEGORY[3] >> card & 1)
    sitting.set_deck(" ".join(labels_of([spare[0], hit])))
    view = sitting.state.view(0)
    seen = {card for cards in (view.discard, *view.hands, *view.cards) for card in cards if card >= 0}
    seen |= {spare[0], hit}
    left = len(set(cards_of(OF_CATEGORY[3])) - seen)
    assert f"Monster Manuals {left + 1}" in words(drawn(sitting, "stage")), "before the first card is turned up"
    sitting.play("0 cat M")
    assert told(sitting)[0] == (
        f"You bet on Monster Manuals. Hits: 1 of 5. Misses: 1, a second loses the pot. Of {152 - len(seen)} cards you "
        f"have not seen, {left} have it."
    )
    assert told(sitting)[1] == "Ann bets on Monster Manuals at the Gambling House. Hits: 1 of 5. Misses: 1 of 2."


@pytest.mark.parametrize("question", frames.QUESTIONS)
def test_every_question_has_a_reason_in_the_bar_of_whoever_is_asked(question, games):
    told = 0
    for tale in games:
        for scene in tale.asked(question):
            text = why(scene, scene.me)
            assert text or question == frames.TURN
            assert "%" not in text and text[-1:] in (".", "?", "")
            told += 1
        if told:
            return
    raise AssertionError("no game has asked it")


@pytest.fixture(scope="module")
def games():
    seeds = (6, 4), (3, 4), (0, 1)
    return [Tale(f"reach {seed}", seats, GAME, libraries="special", conflict=True) for seed, seats in seeds]


def test_no_reason_stands_there_in_vain():
    """Each key is one that a question can have."""
    assert {key for key in ASKED if isinstance(key, int)} <= {*frames.QUESTIONS}
    assert {*AWAITED, *YOURS} <= {*ASKED, "tax"}


# What answers would do


def test_a_card_of_the_shelf_is_chosen_first_and_both_results_stand_in_the_question():
    sitting = at(9).set_shelf(0, {(0, 0): "A1 A2 A3"}).play("0 send 9")
    shelf = drawn(sitting, "shelf")
    assert 'name="card" value="A3"' in shelf and 'name="move"' not in shelf
    acts = re.findall(r'value="(\w+ A3)" data-on="A3"><span data-label>(.*?)</span>', drawn(sitting, "stage"))
    assert [move for move, _text in acts] == ["discard A3", "move A3"]
    assert re.fullmatch(r"Discard A3: (0|[+−]\d+)", acts[0][1]) and acts[1][1] == "Move A3"


def test_each_new_cell_says_in_words_where_it_is_and_what_changes():
    sitting = at(9).set_shelf(0, {(0, 0): "A1 A2 A3"}).play("0 send 9", "0 move A1")
    says = dict(re.findall(r'value="(at [^"]*)" form="answer" data-says="([^"]*)"', drawn(sitting, "shelf")))
    assert says["at 0,3"] == "Move A1 to the right of A3: −5"
    assert says["at -1,1"].startswith("Move A1 above A2: ")
    put = Outcome("at 0,3", CARD["T1"], cell(0, 3), -1, 2)
    assert cell_text(put, sitting.state.shelves[0]) == "Put T1 to the right of A3: −1, turned down: 2"


def test_the_mummy_has_both_ways_in_the_question_with_what_is_lost():
    sitting = at(18, "MUM", "WIZ").set_shelf(0, {(0, 0): "A1"}).play("0 special home", "0 shelve T1")
    acts = dict(re.findall(r'value="(\w+ 0,0)" data-on="A1"><span data-label>(.*?)</span>', drawn(sitting, "stage")))
    assert re.fullmatch(r"Put T1 over A1: (0|[+−]\d+), A1 is lost", acts["over 0,0"])
    assert acts["under 0,0"] == "Put T1 under A1: +2"
    before = at(18, "MUM", "WIZ").set_shelf(0, {(0, 0): "A1"}).play("0 special home")
    assert 'data-over="over 0,0" data-under="under 0,0" data-below="A1"' in drawn(before, "shelf")
    assert drawn(before, "stage").count("data-entomb") == 2


def test_the_cellar_shows_its_card_once_among_what_can_be_pressed():
    stage, hand, shelf = (drawn(at(17).play("0 send 17"), id) for id in ("stage", "hand", "shelf"))
    assert re.findall(r'data-n="(\d+)"', stage + hand + shelf).count(str(CARD["W1"])) == 1
    assert 'value="shelve W1"' in hand and 'value="discard W1"' in stage


# What is refused


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (["shelve T1", "at 0,1"], "A card lies there already."),
        (["shelve T1", "at 1,2"], "A card must touch another."),
        (["shelve T1", "at -1,0"], "A shelf has at most three rows."),
        (["shelve T1", "over 0,0"], "Only the Mummy can entomb a card."),
        (["shelve A1", "at 0,2"], "A1 isn’t in your hand."),
        (["at 0,2"], ""),
        (["send 18"], ""),
        (["cat M"], ""),
        (["rook"], ""),
    ],
)
def test_a_refused_cell_says_why(move, why):
    sitting = at(18).set_shelf(0, {(0, 0): "A1 A2", (1, 0): "B1", (2, 0): "C1"}).play("0 send 18")
    assert refusal(sitting.state.view(0), move) == why


def test_a_refused_way_says_why():
    sitting = at(18, "SNO", "WIZ").play("0 send 18", "0 pass")
    assert refusal(sitting.state.view(0), ["pass"]) == "It isn’t your turn now."
    sitting.play("1 send 18", "1 pass", "0 special home", "0 pass")
    assert refusal(sitting.state.view(1), ["send 18"]) == "The Reading Room is full."
    assert refusal(sitting.state.view(1), ["send 9"]) == "Shelfmasons’ Guild isn’t in town now."
    snowman = at(18, "SNO", "WIZ").play("0 special 18", "0 pass")
    assert refusal(snowman.state.view(1), ["send 18"]) == "A Snowman keeps all others out of the Reading Room."
    assert refusal(at(3).play("0 send 3:2").state.view(1), ["send 3:1"]) == "A bid must be higher than all before it."


def test_nothing_that_is_asked_is_refused():
    rng = Random(5)
    tale = Tale("refused", 2, GAME)
    for ply in rng.sample(range(len(tale.moves)), 30):
        state = tale.states[ply]
        assert refusal(state.view(state.seat), [GAME.text(tale.moves[ply])]) == ""


def test_whatever_is_sent_is_refused_without_a_fault_by_what_the_player_knows(games):
    rng = Random(6)
    for tale in games:
        for state in rng.sample(tale.states, 60):
            for me in range(len(state.hands)):
                view = state.view(me)
                lists = [rng.sample(MOVE_TEXTS, rng.randint(1, 3)) for _ in range(60)]
                lists += [], [""], ["rook"], ["at 9,9"]
                if state.seat == me:
                    lists += [[MOVE_TEXTS[state.legal()[0]], *it] for it in lists]
                for moves in lists:
                    assert "%" not in refusal(view, moves)
