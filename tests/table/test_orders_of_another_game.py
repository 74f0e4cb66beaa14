"""Standing orders in Ex Libris: given on the page by who waits, answered by the worker, seen by nobody else."""

from itertools import count

import pytest

from games import worker
from games.engine.exlibris.cards import CARD, labels_of
from games.engine.exlibris.frames import PAY_BID
from games.engine.registry import game_of
from games.faces.exlibris.art import card_name
from games.matches import access, history
from games.matches.models import LogEntry, StandingOrder
from tests.matches.matches import rushed, seated
from tests.reading import text
from tests.security.test_who_may import timeless

pytestmark = [pytest.mark.django_db, pytest.mark.once]
GAME = game_of("exlibris", 1)
NAMES = "ann", "bob", "dan"


def bidder(state):
    """Who has placed a bid of two cards or more, can pay it, and is not asked; and the bid."""
    for guest in state.guests[3]:
        seat, bid = guest >> 1 & 3, guest >> 3
        alone = sum((other >> 1 & 3) == seat for other in state.guests[3]) == 1
        if alone and seat != state.seat and bid > 1 and state.hands[seat].bit_count() >= bid and state.on_tile(3):
            return seat, bid
    return None


def bidding():
    """A match in which somebody waits for the Auction House, who that is, and their bid."""
    for seed in count():
        match = rushed(seated(*NAMES, game=GAME), bidder, seed)
        if match.status == "running":
            return match, *bidder(history.replay(match).last)


def test_who_waits_for_the_auction_house_says_what_they_will_discard(at, static_files):
    match, seat, bid = bidding()
    state, address = history.replay(match).last, match.get_absolute_url()
    hand = labels_of(card for card in range(152) if state.hands[seat] >> card & 1)
    page = text(at(NAMES[seat]).get(address))
    assert f"For your bid of {bid}, discard" in page
    assert all(f"{label}: {card_name(CARD[label]).split(': ')[1].split(';')[0]}" in page for label in hand)
    wrong = at(NAMES[seat]).post(f"{address}/orders", {"order": "pay", "value": [state.round, hand[0], hand[0]]})
    assert "Choose different cards of your hand, as many as your bid." in text(wrong)
    cards = hand[-bid:]
    at(NAMES[seat]).post(f"{address}/orders", {"order": "pay", "value": [state.round, *cards]})
    assert f"At the Auction House you discard {', '.join(cards)}." in text(at(NAMES[seat]).get(address))
    for name in {*NAMES, "cho", ""} - {NAMES[seat]}:
        assert "you discard" not in at(name).get(address).content.decode()
    at(NAMES[seat]).post(f"{address}/orders", {"clear": "pay"})
    assert f"For your bid of {bid}, discard" in text(at(NAMES[seat]).get(address))


def test_an_order_changes_no_byte_of_what_anybody_else_gets(at, static_files):
    match, seat, bid = bidding()
    state, address = history.replay(match).last, match.get_absolute_url()
    hand = labels_of(card for card in range(152) if state.hands[seat] >> card & 1)
    pages = address, f"{address}/board", f"{address}/{match.ply}"

    def seen():
        others = {*NAMES, "cho", ""} - {NAMES[seat]}
        return {(name, page): timeless(at(name).get(page).content) for name in others for page in pages}

    before = seen()
    for kind, *cards in (("pay", *hand[:bid]), ("pay",), ("stay",)):
        at(NAMES[seat]).post(f"{address}/orders", {"order": kind, "value": [state.round, *cards]})
        assert StandingOrder.objects.get(kind=kind).value == " ".join([str(state.round), *cards])
        assert seen() == before


def bids_several(state):
    return state.question == PAY_BID and state.stack[-1][3] > 1


def test_the_worker_pays_the_whole_bid_as_one_answer(at):
    for seed in count():
        match = rushed(seated(*NAMES, game=GAME), bids_several, seed)
        if match.status == "running":
            break
    state = history.replay(match).last
    seat, bid = state.seat, state.stack[-1][3]
    cards = labels_of(card for card in range(152) if state.hands[seat] >> card & 1)[:bid]
    at(NAMES[seat]).post(f"{match.get_absolute_url()}/orders", {"order": "pay", "value": [state.round, *cards]})
    match = access.find(match.key)
    worker.attend(match, match.wake_at)
    rows = LogEntry.objects.filter(match=match, ply__gte=match.ply).order_by("ply").values_list("seat", "move", "by")
    answer = [(seat, f"discard {card}", LogEntry.By.PLAYER) for card in cards]
    assert list(rows)[:bid] == answer, "as if they had answered themselves"
