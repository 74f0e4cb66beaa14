"""How Biblios is named and told."""

import re
from pathlib import Path

import pytest

from games.faces.biblios import art, words
from games.faces.paint import bdi
from tests.engine.biblios.sitting import Sitting
from tests.faces.scenes import scene_at

NAMES = ["Ann", "Bob", "Dan"]


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_has_as_many_pips_as_its_value_each_in_its_own_place(value):
    (die,) = re.findall(rf'<symbol id="d-{value}".*</symbol>', Path("static", art.PICTURES).read_text())
    pips = [(int(x), int(y)) for x, y in re.findall(r'cx="(\d+)" cy="(\d+)"', die)]
    assert len(set(pips)) == len(pips) == value
    assert sorted(pips) == sorted((44 - x, 44 - y) for x, y in pips)


@pytest.mark.parametrize(
    ("code", "name", "label"),
    [
        ("M3F", "Monks 3 F", "Monks 3, tie letter F"),
        ("G2", "Gold 2", "Gold 2"),
        ("C+", "Church +1", "Church card: +1 on one die"),
        ("C--", "Church −1 on two dice", "Church card: −1 on two dice"),
        ("C+-", "Church ±1", "Church card: +1 or −1 on one die"),
        ("C±", "Church +1 and −1", "Church card: +1 on one die, −1 on another"),
    ],
)
def test_every_sort_of_card_has_a_name_and_a_description(code, name, label):
    assert (art.card_name(code), art.card_label(code)) == (name, label)


def said(step, me):
    """A row of the log in words."""
    return words.in_words(words.item_of(step), NAMES, me)


def told(sitting, me):
    """The log in words, as seat `me` may read it."""
    return [said(step, me) for step in scene_at(sitting, me).steps]


def test_a_turn_of_gifts_is_told_to_each_as_they_saw_it():
    sitting = Sitting(3, "M2A G1 P2B G2").play("0 keep", "0 public", "0 auction", "0 public", "1 take G2", "2 take G1")
    assert told(sitting, 0) == [
        "You keep Monks 2 A.",
        "You give Gold 1.",
        "You send Pigments 2 B to auction.",
        "You give Gold 2.",
        "Bob takes Gold 2.",
        "Dan takes Gold 1.",
    ]
    assert told(sitting, 1) == [
        "Ann keeps a card.",
        "Ann gives Gold 1.",
        "Ann sends a card to auction.",
        "Ann gives Gold 2.",
        "You take Gold 2.",
        "Dan takes Gold 1.",
    ]
    assert told(sitting, None)[0] == "Ann keeps a card."


def test_a_church_card_that_is_kept_is_told_to_everybody():
    sitting = Sitting(3, "C-- C+").play("0 keep", "0 dice P-", "0 dice H-", "0 public")
    assert told(sitting, 1) == [
        "Ann keeps Church −1 on two dice.",
        "Ann lowers Pigments from 3 to 2.",
        "Ann lowers Holy Books from 3 to 2.",
        "Ann gives Church +1.",
    ]
    assert told(sitting, 0)[1] == "You lower Pigments from 3 to 2."
    declined = Sitting(3, "C+").play("0 keep", "0 dice none")
    assert told(declined, 0)[-1] == "You leave the dice as they are."
    assert told(declined, 1)[-1] == "Ann leaves the dice."
    raised = Sitting(3, "C+").play("0 keep", "0 dice F+")
    assert told(raised, 2)[-1] == "Ann raises Forbidden Tomes from 3 to 4."
    assert told(raised, 0)[-1] == "You raise Forbidden Tomes from 3 to 4."


def test_an_auction_in_gold_is_told():
    sitting = Sitting.at_auction("M2A", "G3 G2", "G1", pile="F2H S1A")
    sitting.play("1 bid 1", "2 pass", "0 bid 3", "1 bid 4", "0 pass", "1 pay G3", "1 pay G2")
    assert told(sitting, 2) == [
        "Bob bids 1 gold.",
        "You pass.",
        "Ann bids 3 gold.",
        "Bob bids 4 gold.",
        "Ann passes.",
        "Bob pays Gold 3.",
        "Bob pays Gold 2 and gets Forbidden Tomes 2 H.",
    ]
    assert told(sitting, 1)[-2:] == ["You pay Gold 3.", "You pay Gold 2 and get Forbidden Tomes 2 H."]


def test_a_payment_for_gold_is_told_in_full_only_to_whoever_pays():
    sitting = Sitting.at_auction("M2A", "M2B P2A", "G1", pile="G3 S1A")
    sitting.play("1 bid 2", "2 pass", "0 pass", "1 pay M2B", "1 pay P2A")
    assert told(sitting, 0)[0] == "Bob bids 2 cards."
    assert told(sitting, 0)[-2:] == ["Bob pays 1 card face down.", "Bob pays the last card face down and gets Gold 3."]
    assert told(sitting, 1)[-2:] == [
        "You pay Monks 2 B face down.",
        "You pay Pigments 2 A face down and get Gold 3.",
    ]


def test_a_card_that_nobody_wants_is_told():
    sitting = Sitting.at_auction("M2A", "M2B", pile="F1A S1A").play("1 pass", "0 pass")
    assert told(sitting, 1) == ["You pass.", "Ann passes. Forbidden Tomes 1 A is discarded unsold."]


def test_a_refusal_is_told_with_what_each_may_know_of_the_cards_drawn():
    sitting = Sitting.at_auction("M4H", "M2A P2A", "P4I", pile="F1A S1A", draws="P2A M2A")
    sitting.play("1 bid 3", "2 pass", "0 pass", "1 refuse")
    assert [told(sitting, me)[-1] for me in (1, 2, 0, None)] == [
        "You don’t pay. Dan draws Pigments 2 A from your hand. Ann draws Monks 2 A from your hand.",
        "Bob doesn’t pay. You draw Pigments 2 A from the hand of Bob. Ann draws a card from the hand of Bob.",
        "Bob doesn’t pay. Dan draws a card from the hand of Bob. You draw Monks 2 A from the hand of Bob.",
        "Bob doesn’t pay. Dan draws a card from the hand of Bob. Ann draws a card from the hand of Bob.",
    ]


def test_a_discard_as_penalty_is_told_to_everybody():
    sitting = Sitting.at_auction("M4H", "M2A", pile="F1A S1A", draws="M2A", penalty="discard")
    sitting.play("1 bid 3", "0 pass", "1 refuse")
    assert told(sitting, 0)[-1] == "Bob doesn’t pay. Bob loses Monks 2 A, drawn at random."
    assert told(sitting, 1)[-1] == "You don’t pay. You lose Monks 2 A, drawn at random."


@pytest.mark.parametrize(
    ("event", "mine", "others"),
    [
        ("!time", "Your time ran out.", "Bob’s time ran out."),
        ("!resign", "You resigned.", "Bob resigned."),
        ("!leave", "You left.", "Bob left."),
        ("!abort", "You cancelled the game.", "Bob cancelled the game."),
        (
            "!outage 245",
            "The site was away; your clock was given 4:05 back.",
            "The site was away; the clock of Bob was given 4:05 back.",
        ),
    ],
)
def test_an_event_is_told(event, mine, others):
    step = scene_at(Sitting(3, "M2A").play("0 keep"), 0).steps[0]
    step = type(step)(0, 1, event, False, False, 0, step.before, step.after)
    assert (said(step, 1), said(step, 0)) == (mine, others)


def test_a_name_is_marked_and_escaped_in_a_sentence():
    step = scene_at(Sitting(3, "M2A").play("0 keep"), 1).steps[0]
    item = words.item_of(step)
    assert words.told(item, [bdi("<b>"), "Bob", "Dan"], 1) == "<bdi>&lt;b&gt;</bdi> keeps a card."
    assert words.in_words(item, ["<b>", "Bob", "Dan"], 1) == "<b> keeps a card."
