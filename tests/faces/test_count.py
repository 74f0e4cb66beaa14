"""The card counter says where each card is, and is right whenever it says so."""

from collections import Counter

import pytest

from games.engine.biblios.cards import CHURCH, GOLD, KIND, TEXTS, cards_of, kinds_of
from games.engine.biblios.notation import PLACE
from games.engine.biblios.options import REMOVED_OF_EACH_GOLD
from games.faces.biblios.count import GONE, MINE, OPEN, SENT, tallied
from games.faces.biblios.story import own_story, watched_story
from tests.engine.biblios.sitting import Sitting
from tests.faces.scenes import Tags, Tale, page_of, scene_at, words

pytestmark = [pytest.mark.usefixtures("static_files"), pytest.mark.once]


def counted(tale, ply, me):
    scene = tale.scene(ply, me)
    story = own_story(scene, watched_story(tale.scene(ply, None)))
    return scene.view, story, tallied(scene.view, story)


def places_of(state, me):
    """Where each card truly is, among the places that the counter knows."""
    found = {}
    for seat, hand in enumerate(state.hands):
        found |= dict.fromkeys(cards_of(hand), MINE if seat == me else str(seat))
    found |= dict.fromkeys(cards_of(state.discard | state.buried), GONE)
    found |= dict.fromkeys(cards_of(state.space), OPEN)
    found |= dict.fromkeys(state.pile[state.sold + 1 :] if state.pile else cards_of(state.given), SENT)
    found |= dict.fromkeys(cards_of(state.kept), MINE)
    if state.question == PLACE:
        found[state.deal.deck[state.placed]] = OPEN
    return found | ({state.card: OPEN} if state.card >= 0 else {})


@pytest.mark.parametrize("penalty", ["transfer", "discard", "honest"])
def test_each_card_is_where_the_counter_says_and_none_that_was_seen_is_missing(penalty):
    for seats in (2, 3, 4):
        tale = Tale(f"count {seats}", seats, penalty=penalty)
        copies = Counter(KIND) - Counter({kind: REMOVED_OF_EACH_GOLD[seats] for kind in range(GOLD, CHURCH)})
        for ply in range(0, len(tale.states), 7):
            state = tale.states[ply]
            for me in (None, 0, seats - 1):
                view, story, (states, seen, sent) = counted(tale, ply, me)
                truth = places_of(state, me)
                told = {kind: said for kind, said in enumerate(states[:GOLD]) if said}
                assert all(count <= copies[kind] for kind, count in enumerate(seen)) or any(story.doubt)
                for kind, said in told.items():
                    if said.isdecimal() and not view.over and story.doubt[int(said)]:
                        continue
                    assert said == truth[kind], f"{TEXTS[kind]} at ply {ply}"
                if me is not None:
                    assert {kind for kind, said in told.items() if said == MINE} >= {
                        kind for kind in kinds_of(state.hands[me]) if kind < GOLD
                    }
                    assert all(truth[kind] == SENT for kind in sent if kind < GOLD)


def cells_of(page):
    """What the counter marks each card as."""
    return {attrs["id"]: attrs.get("class") for tag, attrs in Tags(page["count"]) if tag == "td" and "id" in attrs}


def test_the_counter_shows_what_one_sent_to_auction_until_it_is_sold():
    sitting = Sitting.at_auction("G3 M2A", "G2 P2A", pile="F1A S1A")
    page = page_of(scene_at(sitting, 0))
    assert "Yours in the auction pile" in words(page["count"])
    watched = page_of(scene_at(sitting, None))["count"]
    assert "Yours" not in words(watched) and "yours" not in words(watched)
    cells = cells_of(page)
    assert (cells["k-MA"], cells["k-FA"], cells["k-SA"]) == ("mine", "open", None)
    assert len(cells) == 45
    sitting.play("1 bid 1", "0 pass", "1 pay G2")
    cells = cells_of(page_of(scene_at(sitting, 0)))
    assert (cells["k-FA"], cells["k-SA"]) == ("seen", "open")
    shown = [attrs.get("aria-label") for _tag, attrs in Tags(page_of(scene_at(sitting, None))["count"])]
    assert shown[-3] == "Gold 2", "what was paid is the last of the discards"


def test_a_move_changes_few_cells_of_the_counter():
    sitting = Sitting.at_auction("G3 M2A", "G2 P2A", pile="F1A S1A").play("1 bid 1", "0 pass")
    before = page_of(scene_at(sitting, 0))
    message = page_of(scene_at(sitting.play("1 pay G2"), 0)).update(before)
    ids = [attrs["id"] for _tag, attrs in Tags(message) if attrs.get("id", "").startswith(("k-", "count"))]
    assert ids == ["k-SA", "k-FA"]
