"""The 18 tiles as data (rules: Tiles); what they do stands in `effects`."""

from __future__ import annotations

from typing import NamedTuple

SOURCED, INFERRED, RECONSTRUCTED = "S", "I", "R"
"""Where an effect comes from: it is known; it is known in a line or by its function; it is this project's own."""


class Tile(NamedTuple):
    """A location."""

    number: int
    name: str
    source: str
    """SOURCED, INFERRED or RECONSTRUCTED."""
    instant: bool
    """Whether it acts at once; else in the resolution."""
    cards: int
    """The number of cards that it gets in each round, in places 1, 2, 3 ..."""
    face_down: bool
    spaces: tuple[int, int, int]
    """Spaces at all times, more with 3 or more players, more with 4."""
    basic: bool = True
    """Whether it is in the game with `libraries=basic`."""
    peaceful: bool = True
    """Whether it is in the game with `conflict=false`."""
    solo: bool = False
    """Whether it is in the solo game."""


(
    DIVINERS_HUT,
    BOOK_SWAP,
    AUCTION_HOUSE,
    GAMBLING_HOUSE,
    GARBAGE_DUMP,
    GARAGE_SALE,
    BACK_STREET_TAVERN,
    BOOKSELLER,
    SHELFMASONS_GUILD,
    ASSISTANTS_GUILD,
    TAX_COLLECTOR,
    BOOK_COLLECTOR,
    LIBRARY_LODGE,
    WISHING_WELL,
    DONATION_HOUSE,
    SEALED_ARCHIVE,
    SMUGGLERS_CELLAR,
    READING_ROOM,
) = NUMBERS = range(1, 19)

S, I, R = SOURCED, INFERRED, RECONSTRUCTED  # noqa: E741
TILES = {
    tile.number: tile
    for tile in (
        Tile(1, "Diviner's Hut", S, True, 0, False, (1, 0, 0), solo=True),
        Tile(2, "Book Swap", S, True, 3, False, (1, 1, 1), solo=True),
        Tile(3, "Auction House", S, False, 4, False, (4, 0, 0), basic=False, peaceful=False),
        Tile(4, "Gambling House", I, False, 0, False, (2, 1, 1), basic=False, peaceful=False),
        Tile(5, "Garbage Dump", I, True, 0, False, (1, 1, 0), solo=True),
        Tile(6, "Garage Sale", I, False, 0, False, (1, 0, 1), basic=False),
        Tile(7, "Back-street Tavern", I, False, 0, False, (3, 1, 1)),
        Tile(8, "Bookseller", R, False, 5, False, (2, 1, 1)),
        Tile(9, "Shelfmasons' Guild", R, True, 0, False, (1, 1, 0), solo=True),
        Tile(10, "Assistants' Guild", R, True, 0, False, (1, 0, 0), basic=False, peaceful=False),
        Tile(11, "Tax Collector", R, False, 0, False, (1, 0, 0), peaceful=False),
        Tile(12, "Book Collector", R, True, 1, False, (1, 1, 0), basic=False, solo=True),
        Tile(13, "Library Lodge", R, False, 0, False, (2, 1, 1), basic=False, solo=True),
        Tile(14, "Wishing Well", R, True, 0, False, (1, 1, 0), solo=True),
        Tile(15, "Donation House", R, True, 0, False, (2, 0, 0), solo=True),
        Tile(16, "Sealed Archive", R, False, 4, True, (1, 1, 1)),
        Tile(17, "Smuggler's Cellar", R, True, 3, True, (1, 1, 0), solo=True),
        Tile(18, "Reading Room", R, True, 0, False, (2, 1, 0), solo=True),
    )
}
DELAYED = tuple(tile.number for tile in TILES.values() if not tile.instant)
BIDS = range(1, 5)
"""The spaces of the Auction House."""
