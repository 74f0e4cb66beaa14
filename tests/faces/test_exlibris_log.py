"""What the log of Ex Libris says, and what moves on its table."""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from markupsafe import Markup

from games.engine.exlibris.cards import labels_of, mask_of
from games.engine.exlibris.game import ExLibris
from games.engine.exlibris.tiles import SEALED_ARCHIVE
from games.faces.exlibris.items import item_of
from games.faces.exlibris.log import Telling, ended, heading, lines_of, sentence
from games.faces.exlibris.walk import caption, flights
from games.matches.scene import Step
from tests.engine.exlibris.sitting import Sitting
from tests.faces.scenes import NAMES, Tale, page_of, scene_of, words

pytestmark = pytest.mark.usefixtures("static_files")
GAME = ExLibris()
DECK = "W1 W2 W3 W4 W5 V1 V2 V3"


class Seen(Sitting):
    """A sitting whose positions are kept for the log."""

    def __init__(self, *libraries, tile, seats=2, deck=DECK, **more):
        self.states = []
        super().__init__(seats, *libraries, tiles=[tile], deck=deck, **more)
        self.set_hand(0, "T1 T2 T3")

    def play(self, *answers):
        for answer in answers:
            self.states = self.states or [self.state]
            super().play(answer)
            self.states.append(self.state)
        return self

    def scene(self, me=0):
        return scene_of(self.states, self.moves, me, GAME)

    def log(self, me=0):
        """The lines as text, but for those of libraries; headings with a colon at the end."""
        lines = [item for item in lines_of(self.scene(me).steps) if not item.move.startswith(("keep", "round"))]
        text = [sentence(item, NAMES, me) if item.seat >= 0 else f"{heading(item.move)}:" for item in lines]
        return [str(Markup(line).striptags()) for line in text]


EFFECTS = [
    (lambda: Seen(tile=1), "0 send 1", ["You send an assistant to 1 Diviner’s Hut. You draw 1 card."]),
    (
        lambda: Seen(tile=2),
        "0 send 2|0 take W2|0 swap T3|0 shelve W2|0 at 0,0",
        ["Book Swap: You take W2 and put T3 in its place.", "Book Swap: You shelve W2 as the first card."],
    ),
    (
        lambda: Seen(tile=3),
        "0 send 3:1|1 send 3:4|resolution|1 pass|0 discard T2",
        [
            "Resolution: 3 Auction House:",
            "Auction House: Bob declines to pay.",
            "Auction House: You discard T2. You take W1, W2, W3, W4.",
        ],
    ),
    (
        lambda: Seen(tile=4, deck="B4 A2 A1 C5"),
        "0 send 4|resolution|0 cat M|0 more",
        [
            "Resolution: 4 Gambling House:",
            "Gambling House: You name Monster Manuals. Turned up: B4, A2.",
            "Gambling House: You go on. Turned up: A1. You lose the pot.",
        ],
    ),
    (
        lambda: Seen(tile=6, seats=3),
        "0 send 6|resolution|0 lay T1|0 lay T2|0 pass|1 take T2|2 pass|0 shelve T1|0 at 0,0",
        [
            "Resolution: 6 Garage Sale:",
            "Garage Sale: You draw 1 card.",
            "Garage Sale: You lay out T1, T2.",
            "Garage Sale: Bob takes T2.",
            "Garage Sale: You draw 1 card.",
            "Garage Sale: You shelve T1 as the first card.",
        ],
    ),
    (
        lambda: Seen("WIZ", "GOL", "WIT", tile=7, seats=3),
        "0 send 7|1 send home|1 pass|2 special 7|0 send 7|resolution",
        ["Resolution: 7 Back-street Tavern:", "Back-street Tavern: You draw 3 cards. Dan draws 4 cards."],
    ),
    (
        lambda: Seen(tile=8),
        "0 send 8|1 send 8|resolution|0 take W4|0 take W1|1 take W2",
        ["Resolution: 8 Bookseller:", "Bookseller: You take W4, W1.", "Bookseller: Bob takes W2."],
    ),
    (
        lambda: Seen(tile=9).set_shelf(0, {(0, 0): "A1 A2 A3"}),
        "0 send 9|0 move A3|0 at 0,-1|0 discard A3",
        ["Shelfmasons’ Guild: You move A3: to the left of A1.", "Shelfmasons’ Guild: You discard A3."],
    ),
    (
        lambda: Seen(tile=11, seats=3).set_hand(2, "B1 B2 B3 B4 B5"),
        "0 send 11|resolution|1 discard U1|2 discard B3|0 take B3",
        [
            "Resolution: 11 Tax Collector:",
            "Tax Collector: You draw 1 card.",
            "Tax Collector: Bob discards U1.",
            "Tax Collector: Dan discards B3.",
            "Tax Collector: You take B3.",
        ],
    ),
    (
        lambda: Seen(tile=14).set_deck("B4 A2 A1 A3"),
        "0 send 14|0 discard T2|0 cat M",
        ["Wishing Well: You discard T2.", "Wishing Well: You name Monster Manuals. Turned up: B4, A2. You take A2."],
    ),
    (
        lambda: Seen(tile=15).set_shelf(0, {(0, 0): "A1 A2 A3"}),
        "0 send 15|0 discard A3|0 discard T1",
        ["Donation House: You discard A3, T1. You draw 3 cards."],
    ),
    (
        lambda: Seen(tile=17),
        "0 send 17|0 discard W1|0 shelve W2|0 at 0,0",
        ["Smuggler’s Cellar: You discard W1.", "Smuggler’s Cellar: You shelve W2 as the first card."],
    ),
    (
        lambda: Seen("GOB", "WIZ", tile=7, first=1).set_hand(1, "B4 A5"),
        "1 send 7|0 special 7|0 cat R|1 give A5|0 pass",
        ["Goblin Sneak: You ask Bob for Reference Texts.", "Goblin Sneak: Bob gives A5 to you."],
    ),
    (
        lambda: Seen("AUT", "WIZ", tile=7),
        "0 send 7|1 send home|1 pass|0 special 7|0 draw",
        ["You send the Automaton to 7 Back-street Tavern.", "Automaton: You draw a card."],
    ),
    (
        lambda: Seen("CUB", "WIZ", tile=18).set_hand(1, "A1 A2"),
        "0 special 18|0 pass|1 send 18|1 allow|0 draw|0 shelve T1|0 at 0,0",
        [
            "Gelatinous Cube: Bob lets you draw 1 and shelve 1.",
            "Gelatinous Cube: You draw a card.",
            "Gelatinous Cube: You shelve T1 as the first card.",
        ],
    ),
    (
        lambda: Seen("SAS", "WIZ", tile=18),
        "0 special 18|0 pass|1 send 18|0 back",
        ["Bob sends an assistant to 18 Reading Room.", "Sasquatch: You take the Sasquatch back."],
    ),
    (
        lambda: Seen("WRM", "WIZ", tile=18),
        "0 special home|0 draw|0 pass|0 discard T1|0 draw",
        ["Bookworm: You draw a card.", "Bookworm: You discard T1.", "Bookworm: You draw a card."],
    ),
    (
        lambda: Seen("IMP", "WIZ", tile=2),
        "0 special 2|0 discard W1|0 pass|0 pass",
        ["Fire Imp: You discard W1.", "Fire Imp: You draw 1 card."],
    ),
    (
        lambda: Seen("GOL", "WIZ", tile=18).set_discard("A1 A2"),
        "0 special 18|0 pass|0 take A1|0 discard T1",
        ["Golem: You take A1.", "Golem: You discard T1."],
    ),
    (
        lambda: Seen("WIZ", "GOL", tile=18).set_shelf(0, {(0, 0): "A1 A2 A3"}),
        "0 special 18|0 pass|0 move A3|0 at 0,-1",
        ["Wizard: You move A3: to the left of A1."],
    ),
    (
        lambda: Seen("WIT", "WIZ", tile=18),
        "0 special home|0 draw|0 discard T1",
        ["You send the Witch home.", "You draw 2 cards.", "Witch: You discard T1."],
    ),
    (
        lambda: Seen("MUM", "WIZ", tile=18).set_shelf(0, {(0, 0): "A1"}),
        "0 special 18|0 shelve T1|0 under 0,0|0 shelve T2|0 at 0,1",
        ["Reading Room: You entomb T1 under A1.", "Reading Room: You shelve T2 to the right of A1."],
    ),
]


@pytest.mark.parametrize(("sat", "moves", "lines"), EFFECTS, ids=[moves for _sat, moves, _lines in EFFECTS])
def test_the_log_says_what_follows_from_a_visit_and_why(sat, moves, lines):
    sitting = sat()
    for move in moves.split("|"):
        sitting.to_the_resolution() if move == "resolution" else sitting.play(move)
    assert sitting.log()[-len(lines) :] == lines


def test_only_a_bid_that_is_declined_is_told_of_those_who_pass():
    sitting = Seen(tile=3).play("0 send 3:1", "1 send home", "1 pass").to_the_resolution().play("0 pass")
    passed = [sitting.states[ply].seat for ply, move in enumerate(sitting.moves) if GAME.text(move) == "pass"]
    assert len(passed) > 3
    assert [line for line in sitting.log(1) if "pass" in line or "decline" in line] == [
        "Auction House: Ann declines to pay."
    ]


def test_what_the_log_says_was_drawn_is_what_came_unseen_from_the_deck():
    for seats, seed in ((1, 0), (2, 1), (3, 2), (4, 3), (4, 4)):
        tale = Tale(f"draws {seed}", seats, GAME)
        steps = tale.scene(len(tale.moves), None).steps
        for ply, (before, after) in enumerate(pairwise(tale.states)):
            item, drawn = item_of(steps, ply), Counter()
            for draws in (item.draws, *[draws for _tile, draws in item.later]):
                drawn.update(dict(draws))
            view, sealed = after.view(None), mask_of(card for card in before.cards[SEALED_ARCHIVE] if card >= 0)
            for seat in range(seats) if before.round and not after.over else ():
                new = after.hands[seat] & ~before.hands[seat] & ~sealed & ~mask_of(view.open[seat])
                assert drawn[seat] == new.bit_count(), f"seat {seat} at ply {ply}: {item}"


def test_a_log_that_grows_is_the_same_as_one_that_is_told_at_once():
    tale = Tale("grows", 3, GAME)
    for me in (None, 1):
        steps = tale.scene(len(tale.moves), me).steps
        told = Telling()
        for count in range(0, len(steps) + 1, 7):
            told = told.and_(steps[:count])
            assert told.lines == lines_of(steps[:count])
        others = tale.scene(60, 0).steps
        assert told.and_(others).lines == lines_of(others)


def test_a_game_that_ends_with_the_clock_says_so_and_who_has_won():
    scene = Seen(tile=1, first=0).play("0 send 1").scene()
    events = [
        Step(len(scene.steps) + at, 0, move, False, False, 0, scene.view, scene.view)
        for at, move in enumerate(("!time", "!end"))
    ]
    lines = ended(lines_of([*scene.steps, *events]), scene.view, (1,))[-2:]
    said = [" ".join(str(Markup(sentence(item, NAMES, me)).striptags()) for item in lines) for me in (0, 1, None)]
    assert said == [
        "Your time ran out. The game ended here. Bob wins.",
        "Ann’s time ran out. The game ended here. You win.",
        "Ann’s time ran out. The game ended here. Bob wins.",
    ]


def test_nothing_moves_for_whoever_wants_the_moves_of_bots_at_once():
    scene = Seen(tile=1, first=1).play("1 send 1").scene()
    moves = {tempo: page_of(replace(scene, tempo=tempo)) for tempo in ("normal", "instant")}
    assert "Bob sends one here" in words(moves["normal"]["caption"])
    assert 'data-flights="pawn-2:1:place-1 back:place-1:1"' in moves["normal"]["ply"]
    assert "data-flights" not in moves["instant"]["ply"] and not words(moves["instant"]["caption"])


@pytest.mark.parametrize(
    ("tile", "burnt", "says"),
    [(2, "W1", "Ann: Fire Imp burns W1"), (SEALED_ARCHIVE, "#1", "Ann: Fire Imp burns one")],
)
def test_a_caption_says_what_the_fire_imp_burns_or_that_it_burns_a_card_that_lies_face_down(tile, burnt, says):
    scene = Seen("IMP", "WIZ", tile=tile).play(f"0 special {tile}", f"0 discard {burnt}").scene(1)
    draw, *facts = caption(scene)
    assert words(draw(*facts)) == says


def test_what_moves_and_what_a_caption_says_of_it_is_known_to_all():
    """Flights are the same for all. A caption names no card that a watcher has not seen, whoever reads it."""
    flown, said = Counter(), Counter()
    for seed in range(3):
        tale = Tale(f"walks {seed}", 3, GAME, libraries="special", conflict=True)
        for ply in range(1, len(tale.states), 2):
            watching = tale.scene(ply, None)
            public = {card for step in watching.steps for card in step.move.split()}
            view = watching.view
            public |= {
                *labels_of([card for place in (*view.open, view.discard, *view.cards) for card in place if card >= 0])
            }
            for flight in flights(watching):
                what = flight.partition(":")[0]
                assert what in public or what == "back" or what.startswith("pawn-")
                flown[what if what == "back" else what[:4]] += 1
            for me in tale.viewers:
                drawn = caption(tale.scene(ply, me))
                text = words(drawn[0](*drawn[1:]))
                assert {*re.findall(r"\b[A-Z]\d{1,2}\b", text)} <= public
                assert me is None or not text or NAMES[me] != text.split()[0].strip(":")
                said[bool(text)] += 1
    assert flown["back"] and flown["pawn"] and len(flown) > 9 and said[True] > said[False]


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_assistants_stand_out_from_light_and_dark_grounds():
    """On a light ground by their line, on a dark one by their colour; the line shows on the colour on both."""
    css = Path(finders.find("exlibris/pieces.css")).read_text()
    line = re.search(r"--pw-line:light-dark\((#\w+),(#\w+)\)", css).groups()
    fills = re.findall(r"--pw:light-dark\((#\w+),(#\w+)\)", css)
    assert len(fills) == 4
    assert min(contrast(line[0], ground) for ground in ("#fcf5e4", "#e8d3a8", "#b98f66")) > 4.5
    for light, dark in fills:
        assert contrast(light, line[0]) > 3 and contrast(dark, line[1]) > 3
        assert min(contrast(dark, ground) for ground in ("#1f1b16", "#3a2a1a", "#4a3f34")) > 3
