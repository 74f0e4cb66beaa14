"""Moves as numbers and as texts (rules: Decisions): the words, then what names no card, cards, and cells."""

from __future__ import annotations

from games.engine.exlibris.cards import CATEGORIES, LABELS
from games.engine.exlibris.libraries import CODES
from games.engine.exlibris.tiles import AUCTION_HOUSE, BIDS, DELAYED, NUMBERS

ROWS, COLUMNS = range(-2, 3), range(-31, 32)
"""The rows and columns of a shelf."""
PLACES = range(1, 5)
"""The places of face-down cards on a tile."""
HOME = 0
"""The own library, as a place to send an assistant to."""
DESTINATIONS = ((HOME, 0), *((tile, bid) for tile in NUMBERS for bid in (BIDS if tile == AUCTION_HOUSE else (0,))))
"""Where assistants can be sent: HOME or a tile, and the bid at the Auction House."""
RECALLS = tuple((seat, tile) for seat in range(4) for tile in DELAYED)
"""Whom the Assistants' Guild can send back: seat and tile."""

PASS, DRAW, MORE, STOP, NOTHING, LOSE, ALLOW, BACK, UP, DOWN = range(10)
KEEP = 10
"""`KEEP + library`."""
SEND = KEEP + len(CODES)
"""`SEND + index` sends a standard assistant to a place of DESTINATIONS ..."""
SPECIAL = SEND + len(DESTINATIONS)
"""... and `SPECIAL + index` the special one."""
NAME = SPECIAL + len(DESTINATIONS)
"""`NAME + category`."""
DROP = NAME + len(CATEGORIES) - 1
"""`DROP + tile`."""
RECALL = DROP + len(NUMBERS) + 1
"""`RECALL + index` sends one of RECALLS back."""
PEEK = RECALL + len(RECALLS) - 1
TAKE_PLACE = PEEK + len(PLACES)
DISCARD_PLACE = TAKE_PLACE + len(PLACES)
"""`DISCARD_PLACE + place`, from 1; so the two above."""
SHELVE = DISCARD_PLACE + len(PLACES) + 1
"""`SHELVE + card`; so the following."""
DISCARD, TAKE, SWAP, LAY, MOVE, GIVE = (SHELVE + n * len(LABELS) for n in range(1, 7))
AT = GIVE + len(LABELS)
"""`AT + index` of a cell in reading order: see `at`."""
OVER = AT + len(ROWS) * len(COLUMNS)
UNDER = OVER + len(ROWS) * len(COLUMNS)


def _place(tile: int, bid: int) -> str:
    return "home" if tile == HOME else f"{tile}:{bid}" if bid else str(tile)


MOVE_TEXTS = (
    *("pass", "draw", "more", "stop", "none", "lose", "allow", "back", "up", "down"),
    *(f"keep {code}" for code in CODES),
    *(f"{which} {_place(*where)}" for which in ("send", "special") for where in DESTINATIONS),
    *(f"cat {category}" for category in CATEGORIES),
    *(f"drop {tile}" for tile in NUMBERS),
    *(f"recall {seat}:{tile}" for seat, tile in RECALLS),
    *(f"{word} #{place}" for word in ("peek", "take", "discard") for place in PLACES),
    *(f"{word} {label}" for word in ("shelve", "discard", "take", "swap", "lay", "move", "give") for label in LABELS),
    *(f"{word} {row},{column}" for word in ("at", "over", "under") for row in ROWS for column in COLUMNS),
)
TURNED = "turn"
"""How others read `up` and `down` before the game has ended."""
