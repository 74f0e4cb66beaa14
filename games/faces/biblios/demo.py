"""Three auctions that play by themselves on the home page: lots 1, 3 and 15 of a game that three bots played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from accounts.people.avatar import avatar, of_bot
from games.faces.biblios.art import card_title, picture
from games.faces.language import _

ME = 2
"""The seat of whoever looks on."""
NAMES = ("Odo", "Gisela", "")
FACE = "fox-saffron-3"
"""The picture of whoever looks on."""
LOTS: Sequence[tuple[str, Sequence[tuple[int, int]]]] = (
    ("P4H", ((1, 2), (2, 3), (0, 0), (1, 4), (2, 5), (1, 0))),
    ("F1B", ((0, 2), (1, 3), (2, 0), (0, 4), (1, 0))),
    ("S1C", ((0, 2), (1, 3), (2, 4), (0, 0), (1, 0))),
)
"""Each card, and who then bid how much in turn; 0 for a pass."""


class DemoBid(NamedTuple):
    """What somebody does about a lot."""

    bid: int
    """0: they pass."""
    step: int
    """When, counted from the card on."""
    until: int
    """When somebody bids more, or they do something else; 0 if that stands until the end."""
    again: bool
    """Whether it is they who do something else."""

    @property
    def coins(self) -> range:
        """As many as they bid."""
        return range(self.bid)


def lot(card: str, bids: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """One auction for the template: by seat the name, empty for whoever looks on, the face, and what they do."""
    acts = list(enumerate(bids, 1))
    rows: list[tuple[str, str, list[DemoBid]]] = [
        (name, avatar(name, str(of_bot(name)) if name else FACE), []) for name in NAMES
    ]
    for step, (seat, bid) in acts:
        again = next((at for at, (who, _more) in acts if at > step and who == seat), 0)
        beaten = next((at for at, (_who, more) in acts if at > step and more), 0) if bid else 0
        rows[seat][2].append(DemoBid(bid, step, again or beaten, bool(again)))
    winner, price = max(bids, key=lambda each: each[1])
    words = {"name": rows[winner][0], "bid": price, "card": card_title(card)}
    sold, told = _("Sold to %(name)s for %(bid)d"), _("%(name)s gets %(card)s for %(bid)d gold.")
    if winner == ME:
        sold, told = _("Yours for %(bid)d"), _("You get %(card)s for %(bid)d gold.")
    return {
        "card": picture(card),
        "rows": rows,
        "winner": rows[winner][0],
        "end": len(acts) + 1,
        "sold": sold % words,
        "told": told % words,
    }


def demo() -> dict[str, Any]:
    """The context of `demo.html`."""
    return {"lots": [lot(card, bids) for card, bids in LOTS]}
