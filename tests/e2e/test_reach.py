"""The table at the heights that people have: answers and hand are whole and to be seen, nothing overlaps or is cut."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from games.engine.biblios.cards import KIND, SPACE
from games.engine.biblios.notation import PLACE
from games.table import board
from tests.e2e.tables import signed_in
from tests.e2e.test_every_page import asks
from tests.engine.biblios.sitting import Sitting, kinds, mask
from tests.faces.scenes import scene_at
from tests.matches.matches import rushed, seated

DESKS = (1366, 625), (1280, 720), (1280, 800), (1024, 700), (1366, 768), (1920, 1080)
TABLET = (820, 1180)
PHONES = (360, 640), (390, 664), (390, 844)
ENLARGED = (640, 400), (683, 384)
"""1280x800 and 1366x768 at 200 %."""
HANDS = {
    5: ("M2A P3E H1E S2H G2", "P2A M3F H2H", "S1B F1A F2I", "H1A G1 M4H"),
    20: (
        "M2A M2C M3F M4H P2B P2D P3E P4I H1C H1E H1G S1A S1C S1E S2H F1B F1D G3 G2 G1",
        "M2B M3G P3F H1A H2I S1B F1A F2H G3 G2 G1",
        "M2D M3E P2C P4H H1B H1D S1D S2I F1C G3 G2",
        "P2A P3G H2H S1G F1E F1F F2I G1 G1",
    ),
}


def turn(seats, cards, deck, first=0):
    """A turn in the middle of the gifts, the first seat with so many cards in the hand; these are drawn next."""
    sitting = Sitting(seats, deck, first=first)
    state = sitting.state
    rest = list(state.deal.deck[len(deck.split()) :] + state.deal.removed)
    state.hands = []
    for seat, hand in enumerate(HANDS[cards][:seats]):
        held = []
        for kind in kinds(hand):
            if card := next((card for card in rest if KIND[card] == kind), None):
                rest.remove(card)
                held.append(card)
                state.flow = (state.flow, SPACE, seat, card, (1 << seats) - 1)
        state.hands.append(mask(held))
    sitting.start = state.copy()
    return sitting


def sale(seats, cards, lot):
    """The first seat bids last for this card; the others have bid and passed."""
    sitting = Sitting.at_auction(*HANDS[cards][:seats], pile=f"{lot} H1F", first=0, dice=(4, 2, 3, 5, 4))
    return sitting.play("1 bid 1", *[f"{seat} pass" for seat in range(2, seats)])


DRAWN = "M4I P3F S1F F1G H1F"


def positions(seats, cards):
    """Each kind of question: a sitting, in which the first seat is asked it."""
    last = seats - 1
    given = [f"{last} keep", *[f"{last} public"] * last, f"{last} auction"]
    yield "gift", turn(seats, cards, DRAWN).play("0 public")
    yield "changed", turn(seats, cards, f"C+- {DRAWN}").play("0 keep", "0 dice F+")
    yield "church one", turn(seats, cards, f"C+- {DRAWN}").play("0 keep")
    yield "church two", turn(seats, cards, f"C-- {DRAWN}").play("0 keep")
    yield "choose", turn(seats, cards, DRAWN, last).play(*given)
    yield "wait", turn(seats, cards, DRAWN, last).play(*given[:-1])
    yield "bid gold", sale(seats, cards, "M4I")
    yield "bid cards", sale(seats, cards, "G2")
    yield "pay gold", sale(seats, cards, "F1G").play("0 bid 2", "1 pass")
    yield "pay cards", sale(seats, cards, "G2").play("0 bid 2", "1 pass")
    yield "penalty", sale(seats, cards, "F1G").play("0 bid 30", "1 pass", "0 refuse")


def table_at(page, sitting, me=0):
    """Lay this position on the table that is open; one of the others has been away for a while."""
    scene = scene_at(sitting, me)
    scene = replace(scene, sitters=[replace(it, here=it.here and it.index == me) for it in scene.sitters])
    drawn = board.draw(scene, board.common(scene))
    elements = board.elements(drawn, "en")
    page.evaluate(
        """([elements, state]) => {
            for (const [id, html] of Object.entries(elements)) document.getElementById(id).outerHTML = html;
            document.body.dataset.state = state;
            document.querySelector("[data-gone]").textContent = "offline 12:32";
            document.dispatchEvent(new Event("change"));
        }""",
        [{id: elements[id] for id in ("phase", "canon", "stage", "hand")}, drawn.state],
    )


FAULTS = (Path(__file__).parent / "reach.js").read_text()


@pytest.mark.parametrize(("seats", "cards"), [(2, 20), (3, 5), (4, 5), (4, 20)])
def test_every_answer_and_the_hand_are_whole_at_every_height(visitor, site, seats, cards):
    page = visitor(viewport={"width": 1366, "height": 625}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    page.goto(site + rushed(seated("ann", "bob", pace="live", bank_ms=600_000), asks(PLACE)).get_absolute_url())
    expect(page.locator("body")).to_have_attribute("data-line", "open")  # from now on nothing changes by itself
    found = {}
    for name, sitting in positions(seats, cards):
        table_at(page, sitting)
        for width, height in (*DESKS, TABLET, *PHONES, *ENLARGED):
            page.set_viewport_size({"width": width, "height": height})
            found[name, width, height] = page.evaluate(FAULTS, (width, height) in ENLARGED)
        page.evaluate("document.documentElement.style.fontSize = '24px'")
        for width, height in ((1366, 768), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            found[name, width, height, "150 %"] = page.evaluate(FAULTS, True)
        page.evaluate("document.documentElement.style.fontSize = ''")
    told = [f"{where}: {fault}" for where, faults in found.items() for fault in faults]
    assert not told, "\n".join(told)


def test_a_tablet_held_upright_has_totals_hand_and_moves_in_the_page(visitor, site):
    page = visitor(viewport={"width": TABLET[0], "height": TABLET[1]}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    match = rushed(seated("ann", "bob", pace="live", bank_ms=600_000), asks(PLACE, lambda state: state.placed > 9))
    page.goto(site + match.get_absolute_url())
    for part in ("#canon tbody td", "#hand .card", "[data-pane=moves]", ".panels"):
        expect(page.locator(part).first).to_be_in_viewport(ratio=1)
    expect(page.locator(".dock")).to_be_hidden()
