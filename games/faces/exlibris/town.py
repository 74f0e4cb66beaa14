"""The town: its tiles in ascending number, with their cards and spaces. The same for all, but for where one may go."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.exlibris.assistants import snowman_keeps_out
from games.engine.exlibris.cards import HIDDEN, LABELS, NONE
from games.engine.exlibris.libraries import HOME_ACTION_SOURCE
from games.engine.exlibris.tiles import AUCTION_HOUSE, BIDS, GAMBLING_HOUSE, SEALED_ARCHIVE, TILES
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.art import Signs, back, own, pawn, picture, source_tag
from games.faces.exlibris.asking import Ask
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.words import ASKED_OF, TILE_SIGNS, assistant_name, tile_effect, tile_name
from games.faces.language import N_, _, digits, ngettext, number
from games.faces.paint import plain, use
from games.faces.slots import Slots, placeholder


def town(scene: Scene, names: tuple[str, ...]) -> Slots:
    """The slots that all see alike, from the scene of a watcher."""
    view = scene.view
    signs = view.prominent, view.banned, None
    slots: Slots = {}
    for tile in view.tiles:
        guests = view.guests[tile]
        cards = tuple([_seen_by_all(tile, card) for card in view.cards[tile]])
        facts = cards, guests, tuple([_library(view, guest) for guest in guests]), names
        pinned = tile not in view.came
        spaces = view.setup.spaces[tile]
        slots[f"tile-{tile}"] = draw_tile, tile, *facts, pinned, spaces, signs, view.peeked, view.setup.from_shelf
    return slots


def _seen_by_all(tile: int, card: int) -> int:
    """A card on a tile; those of the Archive are seen by nobody but whoever looked at them."""
    return card if card == NONE or (card >= 0 and tile != SEALED_ARCHIVE) else HIDDEN


def _library(view: ExLibrisView, guest: int) -> int:
    return view.libraries[guest >> 1 & 3] if guest & 1 else -1


HOUSES = "exlibris/street.svg"
"""The pictures of the street."""
MORNING, DUSK = 1, 5


def light_of(round_: int, last: bool, solo: bool) -> int:
    """The light of the day in a round, from MORNING to DUSK; only the last round is at dusk."""
    if last:
        return DUSK
    return max(MORNING, min(DUSK - 1, round_ if solo else 1 + round_ // 2))


def draw_town(tiles: Sequence[int], lit: int, resolving: bool, light: int) -> str:
    """The street. `lit`: the tile that acts, or 0."""
    label = _("The town, in the order of resolution")
    rail = "".join(
        [
            f'<a class="{kind(tile)}" href="#place-{tile}"{_current(tile, lit)} title="{plain(tile_name(tile))}">'
            f"{number(tile)}</a>"
            for tile in tiles
        ]
    )
    inside = "".join([placeholder(f"place-{tile}") for tile in tiles])
    numbers = _("Houses by their numbers")
    lights = " lights" if resolving else ""
    return (
        f'<div id="town" class="ex-town{lights}" data-light="{light}">{use("skyline", "ex-sky", HOUSES)}'
        f'<nav class="ex-rail" aria-label="{numbers}">{rail}</nav>'
        f'<ol class="ex-street" aria-label="{label}">{inside}</ol></div>'
    )


def kind(tile: int) -> str:
    """How style sheets call a tile: `inst` or `del`."""
    return "inst" if TILES[tile].instant else "del"


def _current(tile: int, lit: int) -> str:
    return ' aria-current="step"' if tile == lit else ""


def draw_tile(
    tile: int,
    cards: Sequence[int],
    guests: Sequence[int],
    libraries: Sequence[int],
    names: Sequence[str],
    pinned: bool,
    spaces: int,
    signs: Signs,
    peeked: Sequence[int],
    from_shelf: bool,
) -> str:
    """A house: roof, number, sign, awning or lantern, cards, and who stands at the door."""
    tag = source_tag(TILES[tile].source)
    full = guests[-1] >> 3 == BIDS[-1] if guests and tile == AUCTION_HOUSE else len(guests) >= spaces
    stays = _("Stays in town")
    pin = f'<span title="{stays}">{own("s-pin")}<span class="visually-hidden">{stays}</span></span>' if pinned else ""
    said = _("full")
    shut = f'<span class="ex-full">{said}</span>' if full else ""
    word, lamp = (_("Instant"), own("s-bolt")) if TILES[tile].instant else (_("Delayed"), use("lantern", "", HOUSES))
    name, effect = plain(tile_name(tile)), plain(tile_effect(tile, from_shelf))
    return (
        f'<div id="tile-{tile}" class="ex-house{" full" if full else ""}">'
        f'<div class="ex-roof">{use(f"roof-{tile}", "", HOUSES)}{use(f"top-{tile}", "ex-top", HOUSES)}</div>'
        f'<b class="ex-number number">{number(tile)}{pin}</b>'
        f'<div class="ex-sign" tabindex="0"><b class="ex-name">{name}</b>{tag}'
        f'<span class="ex-short" aria-hidden="true">{plain(str(TILE_SIGNS[tile]))}</span>'
        f'<span class="ex-whole"><b aria-hidden="true">{name}</b><span class="ex-effect">'
        f'<b class="ex-word {kind(tile)}">{when_word(tile)}</b> {effect}</span></span></div>'
        f'<p class="ex-when"><span>{lamp}{word}</span>{shut}</p>'
        f'<div class="ex-cards">{_cards(tile, cards, signs, names, peeked)}</div>'
        f'<div class="ex-doors">{_doors(tile, guests, libraries, names, spaces)}</div></div>'
    )


def when_word(tile: int) -> str:
    """`Instant.` or `Delayed.`"""
    return _("Instant.") if TILES[tile].instant else _("Delayed.")


def _cards(tile: int, cards: Sequence[int], signs: Signs, names: Sequence[str], peeked: Sequence[int]) -> str:
    parts = []
    for place, card in enumerate(cards, start=1):
        if card >= 0:
            parts.append(picture(card, signs, more=f' data-card="{LABELS[card]}"'))
        elif card != NONE:
            name = _("Card in place %(place)s, face down") % {"place": place}
            if tile == SEALED_ARCHIVE and place <= len(peeked) and peeked[place - 1]:
                who = ", ".join([name for seat, name in enumerate(names) if peeked[place - 1] >> seat & 1])
                name = _("Card in place %(place)s, face down; seen by %(names)s") % {"place": place, "names": who}
            parts.append(back(name=name))
        elif tile == SEALED_ARCHIVE:
            parts.append('<span class="ex-gone"></span>')  # its places keep their windows
    if tile == GAMBLING_HOUSE and parts:
        pot = ngettext("Pot: %(cards)s card", "Pot: %(cards)s cards", len(parts)) % {"cards": number(len(parts))}
        parts.insert(0, f'<b class="ex-pot">{pot}</b>')
    return "".join(parts)


def _doors(tile: int, guests: Sequence[int], libraries: Sequence[int], names: Sequence[str], spaces: int) -> str:
    """Who stands there in the order of arrival, and the free spaces."""
    if tile == AUCTION_HOUSE:
        there = {guest >> 3: at for at, guest in enumerate(guests)}
        return "".join(
            [
                f'<span class="ex-bid"><b class="number">{number(bid)}</b>'
                f"{_guest(guests[there[bid]] & 7, libraries[there[bid]], names) if bid in there else _free()}</span>"
                for bid in BIDS
            ]
        )
    taken = [_guest(guest & 7, library, names) for guest, library in zip(guests, libraries, strict=True)]
    return "".join(taken) + _free() * (spaces - len(taken))


def _guest(piece: int, library: int, names: Sequence[str]) -> str:
    who = _("%(name)s: %(assistant)s") % {"name": names[piece >> 1], "assistant": assistant_name(library)}
    return f'<span class="ex-door">{pawn(piece >> 1, library, who, f"pawn-{piece}")}</span>'


def _free() -> str:
    title = _("free space")
    return f'<span class="ex-door ex-space" title="{title}"></span>'


# Where one may go


def draw_place(tile: int, lit: bool) -> str:
    """A tile, and what only its viewer sees there."""
    seen = placeholder("seen") if tile == SEALED_ARCHIVE else ""
    return (
        f'<li id="place-{tile}" class="ex-tile {kind(tile)}{" lit" if lit else ""}" data-tile="{tile}">'
        f'<div class="ex-lot">{placeholder(f"tile-{tile}")}{seen}{placeholder(f"go-{tile}")}</div></li>'
    )


def ways(view: ExLibrisView, asks: Ask | None) -> Slots:
    """The town as one viewer sees it: by tile, where they may go, or why not; `go-0`, in the question, is their own
    library."""
    resolving = view.resolving
    lit = ASKED_OF.get(view.question, 0) if resolving is None else resolving
    light = light_of(view.round, view.last, view.setup.solo)
    slots: Slots = {"town": (draw_town, view.tiles, lit, resolving is not None, light)}
    placing = asks is not None and bool(asks.town)
    me = view.me or 0
    library = view.libraries[me] if view.me is not None else -1
    for tile in view.tiles:
        moves: tuple[str, ...] = ()
        why = ""
        if placing and asks is not None:
            moves = tuple(sorted([move for move in asks.town if _goes_to(move, tile)], key=_bid))
            why = "" if moves else why_not(view, tile)
        slots[f"place-{tile}"] = draw_place, tile, tile == lit
        slots[f"go-{tile}"] = draw_go, tile, moves, why, me, library
    if placing and asks is not None:
        home = tuple([move for move in asks.town if move.endswith(" home")])
        slots["go-0"] = draw_go, 0, home, "", me, library
    if SEALED_ARCHIVE in view.tiles:
        seen = tuple(
            [
                (place, card)
                for place, card in enumerate(view.cards[SEALED_ARCHIVE], start=1)
                if card >= 0 and view.me is not None
            ]
        )
        slots["seen"] = draw_seen, seen, (view.prominent, view.banned, None)
    return slots


def draw_seen(seen: Sequence[tuple[int, int]], signs: Signs) -> str:
    """The cards of the Archive that the viewer has looked at."""
    if not seen:
        return '<div id="seen" hidden></div>'
    label = _("You looked at:")
    cards = "".join(
        [f'<span class="ex-saw" data-place="{place}">{picture(card, signs)}</span>' for place, card in seen]
    )
    return f'<div id="seen" class="ex-seen" title="{label}"><span class="visually-hidden">{label}</span>{cards}</div>'


def _bid(move: str) -> str:
    """The bid of a move, so that both kinds of assistants stand together; else nothing."""
    return move.partition(":")[2]


def _goes_to(move: str, tile: int) -> bool:
    return move.partition(" ")[2].partition(":")[0] == str(tile)


def why_not(view: ExLibrisView, tile: int) -> str:
    """Why no assistant who is left can go to a tile of the town, as a key of WHY."""
    guests = view.guests[tile]
    if snowman_keeps_out(view, tile):  # type: ignore[arg-type]  # it reads what views have too
        return "snowman"
    if view.setup.solo and guests:
        return "one"
    if tile == AUCTION_HOUSE:
        return "bid"
    return "full" if len(guests) >= view.setup.spaces[tile] else "no"


WHY = {
    "full": N_("Full"),
    "snowman": N_("A Snowman keeps you out"),
    "one": N_("You are there already"),
    "bid": N_("No higher bid is left"),
    "no": N_("Not for your assistant"),
}


def send_text(move: str, library: int) -> str:
    """What a button says that sends an assistant."""
    word, _space, where = move.partition(" ")
    special = word == "special"
    who = assistant_name(library) if special else ""
    tile, _colon, bid = where.partition(":")
    words = {"assistant": who, "tile": digits(tile), "bid": digits(bid)}
    if where == "home":
        return (_("Send the %(assistant)s home") if special else _("Send home")) % words
    if bid:
        return (_("Bid %(bid)s with the %(assistant)s") if special else _("Bid %(bid)s")) % words
    return (_("Send the %(assistant)s to %(tile)s") if special else _("Send to %(tile)s")) % words


def draw_go(tile: int, moves: Sequence[str], why: str, me: int, library: int) -> str:
    if why:
        return f'<p id="go-{tile}" class="ex-why">{own("s-no")}{_(WHY[why])}</p>'
    if not moves:
        return f'<p id="go-{tile}" hidden></p>'
    ways = []
    for move in moves:
        says = plain(send_text(move, library))
        special = move.startswith("special")
        bid = move.partition(":")[2]
        mark = f'<b class="number">{digits(bid)}</b>' if bid else "" if tile else f"<b>{_('Home')}</b>"
        ways.append(
            f'<label class="ex-way" title="{says}"><input type="radio" name="move" value="{move}" form="answer"'
            f' data-says="{says}" aria-label="{says}">{mark}{pawn(me, library if special else -1)}</label>'
        )
    home = "" if tile else source_tag(HOME_ACTION_SOURCE)
    return f'<p id="go-{tile}" class="ex-go">{"".join(ways)}{home}</p>'
