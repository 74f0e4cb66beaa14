"""The elements of the table: what they offer, that they hold together, what is sent when they change."""

import gc
import re
from collections import Counter
from dataclasses import replace
from random import Random
from weakref import ref

import pytest

from accounts.shown import PlayerShown
from games.engine.biblios.cards import GOLD, TEXTS, VALUES
from games.engine.biblios.notation import (
    BID,
    DIE,
    MOVE_TEXTS,
    PAY_CARDS,
    PAY_GOLD,
    PLACE,
    SECOND_DIE,
    TAKE_GIFT,
)
from games.engine.registry import game_of
from games.faces.biblios import story
from games.faces.biblios.flights import flights
from games.table import board
from tests.engine.biblios.sitting import Sitting
from tests.faces.scenes import NAMES, ORDERS, Tags, Tale, offered, page_of, scene_at, words

pytestmark = [pytest.mark.usefixtures("static_files"), pytest.mark.once]
GAME = game_of("biblios", 1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("question", [PLACE, TAKE_GIFT, BID])
def test_a_form_offers_what_may_be_answered_and_nothing_else(seed, question):
    for scene in Tale(seed).asked(question):
        stage = page_of(scene)["stage"]
        assert sorted(set(offered(stage))) == sorted(MOVE_TEXTS[move] for move in scene.view.legal)


@pytest.mark.parametrize("options", [{"dual_church": "either"}, {"dual_church": "both"}], ids=str)
def test_a_church_card_offers_its_dice_those_of_a_second_question_too(options):
    seen = Counter()
    for seed in range(6):
        for scene in Tale(seed, **options).asked(DIE, SECOND_DIE):
            moves = offered(page_of(scene)["stage"])
            legal = [MOVE_TEXTS[move] for move in scene.view.legal]
            assert set(legal) <= set(moves)
            assert set(moves) - set(legal) <= {f"dice {die}{way}" for die in "MPHSF" for way in "+-"}
            dice = [move for move in moves if move != "dice none"]
            assert len(dice) == len(set(dice))
            seen[TEXTS[scene.view.card]] += 1
    assert len(seen) == 5


@pytest.mark.parametrize("options", [{"dual_church": "either"}, {"dual_church": "both"}], ids=str)
def test_each_pair_of_dice_that_is_offered_in_page_order_can_be_played(options):
    for seed in range(4):
        tale = Tale(seed, **options)
        for ply, state in enumerate(tale.states):
            if state.question != DIE:
                continue
            stage = page_of(tale.scene(ply, state.seat))["stage"]
            if 'data-count="2"' not in stage:
                continue
            dice = [move for move in offered(stage) if move != "dice none"]
            playable = {
                (MOVE_TEXTS[first], MOVE_TEXTS[second])
                for first in state.legal()
                if MOVE_TEXTS[first] != "dice none"
                for second in state.after(first).legal()
            }
            assert {die for pair in playable for die in pair} == set(dice)
            assert all(dice.index(first) < dice.index(second) for first, second in playable)


@pytest.mark.parametrize("penalty", GAME.choices["penalty"])
def test_whoever_pays_chooses_among_their_own_cards_in_the_order_of_the_log(penalty):
    for scene in Tale("pay 0", penalty=penalty).asked(PAY_GOLD, PAY_CARDS):
        view = scene.view
        moves = offered(page_of(scene)["stage"])
        legal = [MOVE_TEXTS[move] for move in view.legal]
        assert set(legal) <= set(moves)
        assert ("refuse" in moves) == ("refuse" in legal)
        if legal == ["refuse"]:
            assert moves == legal
            continue
        held = [kind for kind in view.hand if (GOLD <= kind <= view.bound) or view.question == PAY_CARDS]
        if view.question == PAY_CARDS:
            held = [kind for kind in held if kind >= view.bound]
        held.sort(reverse=view.question == PAY_GOLD)
        assert [move for move in moves if move != "refuse"] == [f"pay {TEXTS[kind]}" for kind in held]


def test_the_payment_that_is_chosen_beforehand_is_the_cheapest_and_can_be_played():
    tried = 0
    for seed in range(8):
        tale = Tale(f"cheap {seed}", seats=2)
        for ply, state in enumerate(tale.states):
            if state.question != PAY_GOLD or state.due != state.high:
                continue
            stage = page_of(tale.scene(ply, state.seat))["stage"]
            chosen = [attrs["value"] for tag, attrs in Tags(stage) if tag == "input" and "checked" in attrs]
            coins = [VALUES[kind] for kind in state.view(state.seat).hand if GOLD <= kind < GOLD + 3]
            if sum(coins) < state.due:
                assert chosen == []
                continue
            paid = sum(int(move[-1]) for move in chosen)
            assert paid == min(total for total in sums(coins) if total >= state.due)
            for move in chosen:
                state = state.after(GAME.move(move))
            assert state.question != PAY_GOLD
            tried += 1
    assert tried > 20


def sums(coins):
    totals = {0}
    for coin in coins:
        totals |= {total + coin for total in totals}
    return totals


def test_nobody_but_the_player_who_is_asked_gets_a_form_to_answer():
    tale = Tale(5)
    for ply in range(0, len(tale.states), 29):
        for me in (None, *range(len(tale.states[0].hands))):
            for more in ({}, {"playing": False}):
                scene = tale.scene(ply, me, **more)
                stage = page_of(scene)["stage"]
                answers = scene.playing and tale.states[ply].seat == me
                assert bool(offered(stage)) == answers
                assert ('id="answer"' in stage) == answers


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_element_of_every_position_is_one_well_formed_element_without_style_or_script(seed, seats):
    tale = Tale(f"{seed} {seats}", seats=seats)
    for ply in range(0, len(tale.states), 37):
        for me in (None, 0, 1):
            for id, html in page_of(tale.scene(ply, me)).items():
                tags = Tags(html)
                assert not tags.errors and not tags.open, f"{id}: {html}"
                assert tags.found[0][1]["id"] == id
                for tag, attrs in tags:
                    assert tag not in ("script", "style")
                    assert not [name for name in attrs if name == "style" or name.startswith("on")]


def test_what_is_drawn_has_a_name_for_those_who_hear_it():
    for seed in range(2):
        tale = Tale(f"names {seed}")
        for ply in range(0, len(tale.states), 31):
            for me in (None, 0):
                for html in page_of(tale.scene(ply, me)).values():
                    for tag, attrs in Tags(html):
                        classes = attrs.get("class", "").split()
                        if {"card", "die"} & set(classes):
                            assert attrs.get("aria-label") or attrs.get("aria-hidden") == "true"
                        if tag == "input" and attrs["type"] in ("radio", "checkbox"):
                            assert attrs["aria-label"]


@pytest.mark.slow
def test_keys_of_cards_are_unique_on_a_page_and_hidden_cards_have_none():
    for seed in range(3):
        tale = Tale(f"keys {seed}")
        for ply in range(0, len(tale.states), 23):
            for me in (None, 0, 1):
                page = "".join(page_of(tale.scene(ply, me)).values())
                keys = re.findall(r'data-card="([^"]*)"', page)
                assert len(keys) == len(set(keys))
                for tag, attrs in Tags(page):
                    if "back" in attrs.get("class", "").split():
                        assert "data-card" not in attrs and tag == "span"


def test_an_element_changes_only_if_what_it_shows_has_changed():
    """Ann bids; nothing that Bob sees of dice, hands or information is sent again."""
    sitting = Sitting.at_auction("G3 M2A", "G2 P2A", "G1 H1A", pile="F1A S1A")
    before = page_of(scene_at(sitting, 2))
    now = page_of(scene_at(sitting.play("1 bid 1"), 2))
    changed = {id for id in now if now[id] != before.get(id)}
    assert changed == {"ply", "canon", "stage", "d2", "l1"}
    later = page_of(scene_at(sitting, 0))
    assert later.keys() == now.keys()


def test_time_passing_changes_nothing_but_the_element_ply():
    sitting = Sitting.at_auction("G3", "G2", "G1")
    before = page_of(scene_at(sitting, 0))
    now = page_of(scene_at(sitting, 0, now=scene_at(sitting, 0).now + 9_000))
    assert {id for id in now if now[id] != before[id]} == {"ply"}


def test_an_update_sends_what_has_changed_and_adds_the_new_lines():
    sitting = Sitting.at_auction("G3 M2A", "G2 P2A", pile="F1A S1A")
    before = page_of(scene_at(sitting.play("1 pass"), 0))
    now = page_of(scene_at(sitting.play("0 bid 1", "0 pay G3", "0 bid 1"), 0))
    message = now.update(before)
    tops = Tags(message).top
    assert {"ply", "did-1"} <= {top.get("id") for top in tops}
    assert {"hx-swap-oob": "beforeend:#l1-a"} in tops
    whole = {top.get("id") for top in tops}
    assert whole.isdisjoint({"pages", "verso", "hand", "groups", "canon", "info", "l1", "l2"})
    (added,) = re.findall(r'<ol hx-swap-oob="beforeend:#log-lines">(.*?)</ol>', message, re.S)
    assert re.findall(r'<li id="([^"]+)"', added) == ["l2"]
    assert now.update(now) == ""


def test_an_ordinary_move_is_told_in_few_bytes():
    """Ann bids; Dan, who has passed, is sent what is new: the two rivals, the log, the headings."""
    sitting = Sitting.at_auction("G3 M2A", "G2 P2A", "G1 H1A", pile="F1A S1A").play("1 bid 1", "2 pass")
    before = page_of(scene_at(sitting, 2))
    message = page_of(scene_at(sitting.play("0 bid 2"), 2)).update(before)
    assert len(message.encode()) < 2000
    assert len(message) < len(before.update(None)) / 10


def test_a_board_drawn_on_from_an_older_one_is_the_board_drawn_anew():
    tale = Tale("on", seats=3)
    for me in (None, 0):
        older = None
        for ply in range(len(tale.states)):
            now = page_of(tale.scene(ply, me), older)
            if ply % 11 == 0:
                forget()
                assert now == page_of(tale.scene(ply, me))
            older = now


def test_so_it_is_whatever_one_thing_else_has_changed_at_the_table():
    """Who sits there, has left or agrees to what; watchers, orders, the pace of the bots, the end."""
    rng, tale = Random(5), Tale("else", seats=3)
    sitters, more, older = list(tale.scene(0, 0).sitters), {}, None
    people = {
        "person": lambda: PlayerShown(rng.choice(NAMES) + rng.choice("xyz"), bot=rng.random() < 0.2),
        "left": lambda: rng.choice(("", "resign")),
        "vote": lambda: rng.choice(("", "abort", "end")),
    }
    others = {
        "watchers": lambda: rng.randrange(3),
        "can_abort": lambda: rng.random() < 0.5,
        "playing": lambda: rng.random() < 0.7,
        "orders": lambda: rng.choice(ORDERS),
        "tempo": lambda: rng.choice(("", "calm", "instant")),
        "skips": lambda: rng.random() < 0.5,
        "since": lambda: rng.randint(0, ply),
        "status": lambda: rng.choice(("running", "running", "aborted")),
    }
    for ply in range(0, len(tale.moves), 2):
        for change in rng.sample((*people, *others), 3):
            if change in people:
                seat = rng.randrange(3)
                sitters[seat] = replace(sitters[seat], **{change: people[change]()})
            else:
                more[change] = others[change]()
            scene = tale.scene(ply, 0, sitters=[*sitters], **more)
            older = page_of(scene, older)
            forget()
            now = page_of(scene)
            assert older.board.slots == now.board.slots, change
            assert (older.board.facts, older.board.log) == (now.board.facts, now.board.log), change


def test_what_was_drawn_keeps_no_match_in_memory():
    scene = Tale("kept", seats=3).scene(9, None)
    page_of(scene)
    step = ref(scene.steps[-1])
    del scene
    gc.collect()
    assert step() is None


def test_whoever_leaves_is_sent_the_seat_that_was_not_on_their_page():
    tale = Tale("left", seats=3)
    playing, left = page_of(tale.scene(8, 1)), page_of(tale.scene(9, None))
    assert "seat-1" in {attributes.get("id") for _tag, attributes in Tags(left.update(playing))}


def forget():
    """As if no board had been drawn in this process."""
    story._stories.clear()


def test_an_update_of_nothing_is_the_whole_board_with_the_log_as_one_element():
    sitting = Sitting.at_auction("G3 M2A", "G2 P2A", pile="F1A S1A").play("1 pass")
    message = page_of(scene_at(sitting, 0)).update(None, says="Too late.")
    tops = Tags(message).top
    ids = [top["id"] for top in tops]
    roots = ["phase", "leave", "hint", "canon", "stage", "hand", "count", "info", "watchers", "pace-set", "leavers"]
    assert ids == ["ply", *roots, "log-lines", "says"]
    assert [top["hx-swap-oob"] for top in tops] == ["morph"] * (len(tops) - 1) + ["innerHTML"]
    assert words(message).endswith("Too late.")


def test_the_element_ply_says_who_is_asked():
    sitting = Sitting.at_auction("G3", "G2", "G1")
    facts = [dict(Tags(page_of(scene_at(sitting, me))["ply"]).found[0][1]) for me in (1, 0, None)]
    assert [one.get("data-asked") for one in facts] == ["1", None, None]
    assert [one.get("data-me") for one in facts] == ["1", "0", None]
    assert {one["data-mover"] for one in facts} == {"1"}


def test_names_cannot_smuggle_in_html():
    sitting = Sitting.at_auction("G3", "G2", "G1").play("1 bid 2", "2 pass", "0 pass")
    scene = scene_at(sitting, 0)
    evil = '<img src=x onerror="alert(1)">'
    sitters = [replace(s, person=PlayerShown(evil)) for s in scene.sitters]
    page = "".join(page_of(scene_at(sitting, 0, sitters=sitters)).values())
    assert "<img" not in page
    assert "&lt;img" in page


def test_the_end_shows_places_as_the_result_has_them_and_why():
    tale = Tale("end", seats=3)
    end = len(tale.moves)
    result = GAME.result(tale.states[-1]) | {"places": [3, 1, 2]}
    ratings = ((1500.4, 1516.2), (1500, 1492), None)
    stage = words(page_of(tale.scene(end, 0, result=result, ratings=ratings))["stage"])
    assert "You came third" in stage
    assert stage.index("1 B Bob") < stage.index("2 D Dan") < stage.index("3 A You")
    assert "1500 → 1516" in stage and "1500 → 1492" in stage
    for category in ("Monks", "Pigments", "Holy Books", "Manuscripts", "Forbidden Tomes"):
        assert category in stage
    assert "Rematch" in stage and "Review" in stage
    watched = words(page_of(tale.scene(end, None, result=result))["stage"])
    assert "Rematch" not in watched and "Bob won with" in watched


def test_a_tie_of_points_says_what_decided_it():
    sitting = Sitting.at_auction("M2A G1", "P2A G3", pile="C+", dice=(3, 3, 3, 3, 3)).play("1 pass", "0 pass")
    stage = words(page_of(scene_at(sitting, 0))["stage"])
    assert "Level on points: gold decided (Bob 3, You 1)." in stage
    assert "Bob won by gold, 3 to 3" in stage
    assert "Monks go to you2 against 0, for 3 points" in stage
    assert "Holy Books go to no oneNo one has a card" in stage


@pytest.mark.parametrize(("own", "passes"), [("G1 M2A", True), ("G3 M2A", False)])
def test_what_enter_presses_at_a_bid_is_to_pass_when_nothing_can_be_paid_with_and_without_scripts(own, passes):
    sitting = Sitting.at_auction(own, "G3 P2A", "G1 H1A", pile="F1A S1A").play("1 bid 1", "2 pass")
    stage = page_of(scene_at(sitting, 0))["stage"]
    [primary] = [attrs for tag, attrs in Tags(stage) if tag == "button" and "data-primary" in attrs]
    assert (primary.get("value") == "pass") == passes
    bluffs = [attrs for tag, attrs in Tags(stage) if tag == "input" and "data-bluff" in attrs]
    assert bluffs and all("checked" not in attrs for attrs in bluffs)
    shown = [attrs for tag, attrs in Tags(stage) if tag == "button" and attrs.get("class", "").endswith("primary big")]
    assert shown == [primary]
    assert 'form="answer-more"' in stage  # how one bluffs without scripts


def test_standing_orders_are_offered_while_others_bid_and_show_ones_own():
    sitting = Sitting.at_auction("G3 M2A", "G2 P2A", "G1 H1A", pile="F1A S1A")
    stage = page_of(scene_at(sitting, 0))["stage"]
    forms = [attrs for tag, attrs in Tags(stage) if tag == "form"]
    assert {form["action"] for form in forms} == {"/m/abcdefghijkm/orders"}
    assert "For this card, bid up to" in words(stage)
    given = page_of(scene_at(sitting, 0, orders=(("bid", "0 4"), ("gold", ""))))["stage"]
    assert "For this card: bid up to 4." in words(given)
    assert "You pass on all gold cards." in words(given)
    assert "/orders" not in page_of(scene_at(sitting, None))["stage"]


@pytest.mark.parametrize(
    ("seats", "bots", "counts", "says"),
    [
        (2, 0, True, "The game ends, and you lose it."),
        (2, 1, False, "The game ends, and you lose it."),
        (3, 1, False, "A bot plays on for you, and you come last."),
        (3, 2, False, "the game ends without a result."),
        (3, 2, True, "Those who left before you are placed after you."),
    ],
)
def test_whoever_may_resign_is_told_what_follows(seats, bots, counts, says):
    sitting = Sitting(seats)
    sitters = [
        replace(sitter, left="resign" if counts and bots and sitter.index >= seats - bots else "")
        if counts
        else replace(sitter, person=sitter.person._replace(bot=sitter.index >= seats - bots))
        for sitter in scene_at(sitting, 0).sitters
    ]
    assert says in words(page_of(scene_at(sitting, 0, sitters=sitters, counts=counts))["leave"])


def test_calling_off_is_offered_only_while_it_is_possible_and_says_who_agreed():
    sitting = Sitting(3)
    sitters = [replace(s, vote="abort" if s.index == 1 else "") for s in scene_at(sitting, 0).sitters]
    early = page_of(scene_at(sitting, 0, can_abort=True, sitters=sitters))
    assert "/vote" in early["leave"] and "For cancelling the game: Bob" in words(early["info"])
    assert "data-offer" in early["leave"], "the flag in the bar shows that there is something to answer"
    mine = page_of(scene_at(sitting, 1, can_abort=True, sitters=sitters))["leave"]
    assert "You’ve agreed." in words(mine) and "data-offer" not in mine
    late = page_of(scene_at(sitting, 0, sitters=sitters))
    assert "/vote" not in late["leave"] and "/resign" in late["leave"]
    assert "cancelling the game" not in words(late["info"])
    assert "/resign" not in page_of(scene_at(sitting, None))["leave"]


def test_ending_the_game_is_offered_once_somebody_has_left():
    sitting = Sitting(3)
    here = scene_at(sitting, 0).sitters
    assert "End the game" not in words(page_of(scene_at(sitting, 0, sitters=here))["leave"])
    left = [replace(s, left="resign" if s.index == 2 else "", vote="end" if s.index == 1 else "") for s in here]
    mine = page_of(scene_at(sitting, 0, sitters=left))
    assert "They share first place" in words(mine["leave"]) and "For ending the game: Bob" in words(mine["info"])
    watched = page_of(scene_at(sitting, None, sitters=left))
    assert "For ending the game: Bob" in words(watched["info"]) and "/vote" not in watched["leave"]
    alone = [replace(s, left="resign" if s.index else "") for s in here]
    assert "You win: everyone else has left." in words(page_of(scene_at(sitting, 0, sitters=alone))["leave"])


def test_whoever_did_not_pay_sees_what_was_drawn_and_others_do_not():
    sitting = Sitting.at_auction("M4H", "M2A P2A H1A", "P4I", pile="F1A S1A", draws="P2A H1A")
    sitting.play("1 bid 3", "2 pass", "0 pass", "1 refuse")
    victim, thief, other, watcher = (page_of(scene_at(sitting, me)) for me in (1, 2, 0, None))
    assert "You didn’t pay" in words(victim["stage"])
    assert "Dan drew Pigments 2 APigments 2 → 0" in words(victim["stage"])
    assert "Ann drew Holy Books 1 AHoly Books 1 → 0" in words(victim["stage"])
    assert "Dan draws Pigments 2 A from your hand." in words(victim["stage"]), "it is news, too"
    assert "You drew Pigments 2 A from BobPigments 4 → 6" in words(thief["stage"])
    assert "You draw Pigments 2 A from the hand of Bob." in words(thief["stage"])
    assert "Ann draws a card from the hand of Bob." in words(thief["stage"])
    for page in (other, watcher):
        assert "Dan draws a card from the hand of Bob." in words(page["stage"])
        assert "P2A" not in "".join(page[id] for id in ("stage", "l1"))
    assert "H1A" in victim["l1"] and "H1A" not in watcher["l1"]
    assert "data-read" in victim["stage"] and "data-read" not in watcher["stage"]
    sitting.play("2 bid 1", "0 pass")
    later = words(page_of(scene_at(sitting, 1))["stage"])
    assert "Dan drew Pigments 2 APigments 2 → 0" in later, "it stays until it is read"


def test_long_names_are_shortened_in_the_log_so_that_they_can_be_told_apart():
    from games.faces.biblios.log import short_names

    assert short_names(["Bernat", "Bernadette", "Al"]) == ("Bernat", "Bernad", "Al")
    assert short_names(["Bernat", "Aldhelm"]) == ("Ber", "Ald")
    assert short_names(["guest-7wk2nr", "guest-6xngxy", "Al"], 1) == ("7", "6", "A")
    assert short_names(["guest-7wk2nr", "Anna-Maria"]) == ("gue", "Ann")
    assert len(set(short_names(["guest-7wk2nr", "guest-6xngxy", "7wk2nr"]))) == 3


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_rows_of_the_scriptorium_are_the_seats_in_playing_order_from_the_viewer_on(seats):
    sitting = Sitting(seats)
    for me in range(seats):
        canon = page_of(scene_at(sitting, me))["canon"]
        assert re.findall(r'<tr id="row-(\d)"', canon) == [str((me + i) % seats) for i in range(seats)]
        assert words(canon.partition("<tbody>")[2]).startswith(f"{NAMES[me][0]}You")
        shown = re.findall(r"<bdi>(\w+)</bdi>", canon)
        assert shown == [NAMES[(me + i) % seats] for i in range(1, seats)]
    assert re.findall(r"<bdi>(\w+)</bdi>", page_of(scene_at(sitting, None))["canon"]) == list(NAMES[:seats])


@pytest.mark.slow
def test_what_flies_over_the_table_is_what_a_watcher_sees_and_the_same_for_all():
    """No page, whoever looks, is told the print of a card that lies face down."""
    flying = Counter()
    for seed in range(3):
        tale = Tale(f"flights {seed}")
        for ply in range(1, len(tale.states), 3):
            watching = tale.scene(ply, None)
            alike = board.common(watching)
            pages = [board.ply_of(board.draw(tale.scene(ply, me), alike)) for me in (None, 0, 1)]
            assert len({tuple(re.findall(r'data-flights="([^"]*)"', page)) for page in pages}) == 1
            shown = {step.move.partition(" ")[2] for step in watching.steps}
            shown |= {TEXTS[kind] for kind in (*watching.view.lots, *watching.view.discard)}
            for flight in flights(watching):
                what, _, way = flight.partition(":")
                assert what in ("back", "hammer") or what in shown
                flying[what if what in ("back", "hammer") else way.partition(":")[0]] += 1
    assert min(flying[what] for what in ("back", "hammer", "lot", "0")) > 0


def test_the_players_of_a_larger_table_are_told_at_once_who_has_left_and_may_end_the_game():
    sitting = Sitting(4)
    here = scene_at(sitting, 0).sitters
    assert "hidden" in page_of(scene_at(sitting, 0, sitters=here))["leavers"]
    left = [replace(s, left="resign" if s.index == 1 else "", vote="end" if s.index == 2 else "") for s in here]
    mine = page_of(scene_at(sitting, 0, sitters=left))["leavers"]
    assert "Bob resigned. A bot plays on for them." in words(mine) and "For ending the game: Dan" in words(mine)
    assert 'value="end"' in mine and "Agree to end the game" in words(mine)
    assert "Take it back" in words(page_of(scene_at(sitting, 2, sitters=left))["leavers"])
    for me in (None, 1):
        other = scene_at(sitting, me, sitters=left)
        assert "hidden" in page_of(replace(other, playing=False))["leavers"]
    alone = [replace(s, left="time" if s.index else "") for s in here]
    assert "End the game now" in words(page_of(scene_at(sitting, 0, sitters=alone))["leavers"])


def test_a_game_that_ends_early_says_so_in_the_bar():
    scene = replace(scene_at(Sitting(2), 0), status="finished", playing=False)
    assert "Game over turn 1 of 20" in words(page_of(scene)["phase"])
