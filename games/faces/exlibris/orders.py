"""The standing orders that a player who waits has given and may give: for their bid, and for their Sasquatch."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.exlibris.cards import LABELS
from games.engine.exlibris.libraries import CODES
from games.engine.exlibris.orders import PAY, STAY
from games.engine.exlibris.tiles import AUCTION_HOUSE
from games.faces.exlibris.art import Signs, card_name
from games.faces.exlibris.scene import Scene, signs_of
from games.faces.language import _, digits
from games.faces.paint import CSRF, plain
from games.faces.slots import Slots

SASQUATCH = CODES.index("SAS")


def orders(scene: Scene) -> Slots:
    """The slot of the orders; none where nothing can be ordered."""
    view, me = scene.view, scene.me
    if me is None or not scene.playing or view.over:
        return {}
    given = {kind: value.split(" ")[1:] for kind, value in scene.orders if value.split(" ")[0] == str(view.round)}
    bids = [guest >> 3 for guest in view.guests[AUCTION_HOUSE] if guest >> 1 & 3 == me and guest >> 3 <= len(view.hand)]
    bid = max(bids, default=0) if view.cards[AUCTION_HOUSE] else 0
    out = view.libraries[me] == SASQUATCH and view.special[me] > 0
    if not bid and not out:
        return {}
    pays = tuple(given[PAY]) if PAY in given else None
    stays = STAY in given if out else None
    return {
        "orders": (draw_orders, scene.key, view.round, bid, pays, view.hand if bid else (), signs_of(view, me), stays)
    }


def draw_orders(
    key: str,
    number: int,
    bid: int,
    pays: Sequence[str] | None,
    hand: Sequence[int],
    signs: Signs,
    stays: bool | None,
) -> str:
    """`pays`: the cards that are discarded for the bid, None without an order; `stays`: None without a Sasquatch."""
    title = _("Orders for when it’s my turn")
    explanation = _("Orders are answered at your usual pace, so nobody can tell.")
    rows = []
    if bid and pays is None:
        rows.append(_form(key, number, _choice(bid, hand, signs) + " " + _give(PAY, _("Discard these"))))
        rows.append(_form(key, number, _give(PAY, _("Decline at the Auction House"))))
    elif bid and pays is not None:
        cards = digits(", ".join(pays))
        said = _("At the Auction House you discard %(cards)s.") % {"cards": cards}
        if not pays:
            said = _("At the Auction House you decline.")
        rows.append(_form(key, number, f"<span>{said}</span> {_back(PAY)}"))
    if stays is False:
        rows.append(_form(key, number, _give(STAY, _("My Sasquatch stays this round"))))
    elif stays:
        said = _("Your Sasquatch stays this round.")
        rows.append(_form(key, number, f"<span>{said}</span> {_back(STAY)}"))
    short, on = _("Orders"), _("on")
    on = f' <span class="tag you">{on}</span>' if pays is not None or stays else ""
    return (
        f'<div id="orders"><button type="button" class="button" popovertarget="ordered">{short}{on}</button>'
        f'<div id="ordered" class="menu leaf ex-orders" popover role="dialog" aria-label="{title}"><b>{title}</b>'
        f'{"".join(rows)}<p class="muted small">{explanation}</p></div></div>'
    )


def _choice(bid: int, hand: Sequence[int], signs: Signs) -> str:
    """As many choices of a hand card as the bid has, each with another one set."""
    head = _("For your bid of %(bid)s, discard") % {"bid": bid}
    choices = []
    for index in range(bid):
        options = "".join(
            [
                f'<option value="{LABELS[card]}"{" selected" if at == index else ""}>{plain(card_name(card, signs))}'
                f"</option>"
                for at, card in enumerate(hand)
            ]
        )
        name = _("Card %(number)s") % {"number": index + 1}
        choices.append(f'<select class="input" name="value" aria-label="{name}">{options}</select>')
    return f"<span>{head}</span> {' '.join(choices)}"


def _form(key: str, number: int, row: str) -> str:
    return (
        f'<form method="post" action="/m/{key}/orders" hx-boost="true">{CSRF}'
        f'<input type="hidden" name="value" value="{number}"><p class="row">{row}</p></form>'
    )


def _give(kind: str, text: str) -> str:
    return f'<button type="submit" class="button small" name="order" value="{kind}">{text}</button>'


def _back(kind: str) -> str:
    return f'<button type="submit" class="button small quiet" name="clear" value="{kind}">{_("Take back")}</button>'
