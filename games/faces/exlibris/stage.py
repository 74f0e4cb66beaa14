"""The question, with the answers that stand nowhere else on the page; or who is awaited; or the result."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CATEGORIES as LETTERS
from games.engine.exlibris.cards import LABELS
from games.engine.exlibris.libraries import CODES, LIBRARIES
from games.engine.exlibris.rows import advised
from games.engine.exlibris.shelf import place_of
from games.engine.exlibris.tiles import TILES
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.art import Signs, back, bare, book, card_name, pawn, picture, source_tag
from games.faces.exlibris.asking import Ask, ask_of
from games.faces.exlibris.players import books_of, choice_text
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.shelf import Worth, final_shelf, reasons
from games.faces.exlibris.words import (
    LINES,
    TILE_EFFECTS,
    TITLES,
    ability,
    assistant_name,
    category_name,
    doing,
    tile_name,
)
from games.faces.language import N_, _, digits, ngettext, number
from games.faces.paint import CSRF, bdi, plain, said
from games.faces.slots import Slot, placeholder


def question_of(scene: Scene) -> Ask | None:
    """What is asked of the viewer now; None if nothing is."""
    view = scene.view
    if view.over or not scene.playing or scene.status != "running" or view.seat != scene.me or scene.me is None:
        return None
    row: Sequence[int] = ()
    if view.question == frames.TURN:
        row = advised(view, scene.me)[0]
    return ask_of(view, tuple(row))


def title_text(state: str, question: int, mover: str, over: str) -> str:
    """The heading of the page, as text. `mover`: who is asked, empty for the viewer; `over`: the result."""
    if state == "over":
        return over or _("The game is over")
    if state == "aborted":
        return _("The game is cancelled")
    if state == "wait":
        if not mover:
            return _("The game goes on")
        return doing(question) % {"name": mover}
    return _(TITLES[question])


def question(view: ExLibrisView) -> str:
    """What the player is asked, in a few words."""
    return _(TITLES[view.question])


def asked(scene: Scene, asks: Ask, names: tuple[str, ...], worth: Worth | None, state: str) -> Slot:
    """The slot `stage` for whoever is asked."""
    view, me = scene.view, scene.me
    assert me is not None
    signs = view.prominent, view.banned, view.focus[me]
    shown = final_shelf(view, me) if asks.kind == "flip" else ()
    laid = view.laid if asks.question in (frames.BUY, frames.LAY_OUT) else ()
    pot = view.cards[4] if asks.question == frames.GAMBLE else ()
    table = tuple([card for card in (*laid, *pot) if card >= 0 and asks.question != frames.BUY])
    bids = _bids(scene, names) if asks.question == frames.PAY_BID else ()
    seen = worth if asks.kind == "flip" else None
    return draw_asked, scene.key, scene.ply, state, asks, names, signs, me, view.libraries[me], shown, table, bids, seen


def _bids(scene: Scene, names: tuple[str, ...]) -> tuple[tuple[int, int, str, int], ...]:
    """The bids at the Auction House, the highest first: bid, piece, name, library of a special assistant."""
    view = scene.view
    guests = sorted(view.guests[3], reverse=True)
    return tuple(
        [
            (guest >> 3, guest & 7, names[guest >> 1 & 3], view.libraries[guest >> 1 & 3] if guest & 1 else -1)
            for guest in guests
        ]
    )


def draw_asked(
    key: str,
    ply: int,
    state: str,
    asks: Ask,
    names: Sequence[str],
    signs: Signs,
    me: int,
    library: int,
    shelf: Sequence[tuple[int, int, int, bool]],
    table: Sequence[int],
    bids: Sequence[tuple[int, int, str, int]],
    worth: Worth | None,
) -> str:
    title = _(TITLES[asks.question])
    pane = "shelf" if state == "shelve" else "town"
    form = (
        f'<form id="answer" class="ex-answers" method="post" action="/m/{key}/play" ws-send data-answer="{asks.kind}"'
        f' data-least="{asks.least}" data-most="{asks.most}">{CSRF}<input type="hidden" name="ply" value="{ply}">'
    )
    buttons = "".join([_button(move, asks, names) for move in asks.buttons])
    if asks.kind == "flip":
        return _flip(title, form, asks, signs, shelf, worth)
    picks = "".join([_pick(move, card, signs, asks) for move, card in asks.picks])
    if asks.question == frames.CHOOSE_LIBRARY:
        picks = "".join([_library(move, me) for move in asks.buttons])
        buttons = ""
    chosen = f'<div class="ex-picks">{picks}</div>' if picks else ""
    if table:
        chosen = f'<div class="ex-picks">{"".join([picture(card, signs) for card in table])}</div>' + chosen
    primary = ""
    if asks.kind != "press":
        label = f"<span data-label>{_primary(asks)}</span>"
        primary = f'<button type="submit" class="button primary" data-primary>{label}</button>'
    ladder = _ladder(bids, asks.about) if bids else ""
    home = placeholder("go-0") if asks.question == frames.PLACE else ""
    return (
        f'<section id="stage" class="leaf stage ex-question" tabindex="-1" data-state="{state}" data-show="{pane}">'
        f'<div class="ex-ask"><div class="ex-title"><h1 id="title">{title}</h1>{ladder}</div><div '
        f'class="ex-about">{_about(asks, names, library)}</div></div>'
        f'{form}{chosen}{home}<div class="ex-buttons">{buttons}{primary}</div></form></section>'
    )


def _primary(asks: Ask) -> str:
    """What the main button says before anything is chosen."""
    if asks.question == frames.PLACE:
        return _("Send")
    if asks.kind == "shelve":
        return _("Shelve")
    if asks.kind == "some":
        return _("Discard") if asks.question == frames.PAY_BID else _("Lay out")
    moves = (*asks.hand, *asks.picks, *asks.shelf)
    verb = moves[0][0].partition(" ")[0] if moves else ""
    words = {"discard": _("Discard"), "take": _("Take"), "give": _("Give"), "swap": _("Swap"), "peek": _("Look")}
    return words.get(verb, _("Choose"))


def _about(asks: Ask, names: Sequence[str], library: int) -> str:
    """What may be chosen, and what the tile or assistant does that asks."""
    parts = []
    if hint := _hint(asks, names):
        parts.append(f'<p class="ex-hint">{hint}</p>')
    if asks.tile:
        it = TILES[asks.tile]
        parts.append(
            f"<p><b>{number(asks.tile)} {plain(tile_name(asks.tile))}.</b> {plain(str(TILE_EFFECTS[asks.tile]))} "
            f"{source_tag(it.source)}</p>"
        )
    elif asks.by:
        index = CODES.index(asks.by)
        parts.append(
            f"<p><b>{plain(assistant_name(index))}.</b> {plain(ability(index))} "
            f"{source_tag(LIBRARIES[index].source)}</p>"
        )
    elif asks.question == frames.PLACE:
        text = _("Choose a pawn at a tile, or one to send home, to draw or to shelve there.")
        parts.append(f"<p data-about>{text}</p>")
        if library >= 0:
            parts.append(
                f'<p class="ex-special"><b>{plain(assistant_name(library))}.</b> {plain(ability(library))}'
                f" {source_tag(LIBRARIES[library].source)}</p>"
            )
    elif asks.kind == "shelve":
        text = _(
            "Choose a card, then a dashed cell. A tick: in order; a number: so many more cards would lie face down."
        )
        parts.append(f'<p class="muted">{text}</p>')
    return "".join(parts)


def _hint(asks: Ask, names: Sequence[str]) -> str:
    words = {"card": digits(LABELS[asks.card]) if asks.card >= 0 else ""}
    if asks.question in (frames.CHOOSE_CELL, frames.CHOOSE_NEW_CELL):
        return _("Choose a dashed cell for %(card)s.") % words
    if asks.question == frames.SWAP_IN:
        return _("You took %(card)s.") % words
    if asks.question == frames.PAY_BID:
        return ngettext(
            "Discard %(count)s hand card, and take all cards there.",
            "Discard %(count)s hand cards, and take all cards there.",
            asks.least,
        ) % {"count": asks.least}
    if asks.question == frames.GIVE:
        return _("The Goblin asks for %(books)s.") % {"books": category_name(asks.about)}
    if asks.question == frames.NAME_BOOKS:
        return str(said(_("You ask %(name)s."), name=bdi(names[asks.about])))
    if asks.question == frames.FACE_CUBE:
        return str(said(_("It belongs to %(name)s."), name=bdi(names[asks.about])))
    if asks.question == frames.TAKE_BACK:
        return _("Somebody comes to %(tile)s.") % {"tile": plain(tile_name(asks.about))}
    if asks.question == frames.GAMBLE:
        return _("You bet on %(books)s. The pot:") % {"books": category_name(asks.about)}
    return ""


def _ladder(bids: Sequence[tuple[int, int, str, int]], now: int) -> str:
    """The bids, the highest first."""
    items = []
    for bid, piece, name, library in bids:
        state = _("asked now") if bid == now else _("passed over") if bid > now else _("next")
        mark = ' class="now" aria-current="step"' if bid == now else ' class="out"' if bid > now else ""
        items.append(
            f'<li{mark}><b class="number">{number(bid)}</b>{pawn(piece >> 1, library)}<span><bdi>{plain(name)}</bdi>'
            f"<small>{state}</small></span></li>"
        )
    title = _("Bids, the highest first")
    return f'<ol class="ex-ladder" aria-label="{title}">{"".join(items)}</ol>'


def _pick(move: str, card: int, signs: Signs, asks: Ask) -> str:
    if card < 0:
        place = move.rpartition("#")[2]
        name, shown = _("the card in place %(place)s") % {"place": digits(place)}, back()
        key = ""
    else:
        name, shown, key = card_name(card, signs), bare(card, signs), f' data-n="{card}" data-books="{books_of(card)}"'
    says = plain(choice_text(move))
    verb = f'<b class="ex-verb">{says}</b>' if asks.question == frames.SMUGGLE else ""
    only = " checked" if asks.question == frames.SMUGGLE and move.startswith("shelve") else ""
    return (
        f'<label class="ex-choice" title="{plain(name)}"{key}><input type="radio" name="move" value="{move}"'
        f' data-says="{says}" aria-label="{says}: {plain(name)}"{only}>{shown}{verb}</label>'
    )


def _library(move: str, me: int) -> str:
    """A library to keep, with what its assistant does."""
    index = CODES.index(move.partition(" ")[2])
    keep = _("Keep the %(assistant)s") % {"assistant": assistant_name(index)}
    return (
        f'<div class="ex-library">{pawn(me, index)}<b>{plain(assistant_name(index))}</b><p>{plain(ability(index))} '
        f'{source_tag(LIBRARIES[index].source)}</p><button type="submit" class="button" name="move" value="{move}">'
        f"{plain(keep)}</button></div>"
    )


PASSES: dict[int, str] = {
    frames.HOME_ACTION: N_("Neither"),
    frames.MAY_DRAW: N_("Don’t draw"),
    frames.MAY_SHELVE: N_("Don’t shelve"),
    frames.SWAP_FOR: N_("Don’t swap"),
    frames.PAY_BID: N_("Decline"),
    frames.LAY_OUT: N_("Enough"),
    frames.BUY: N_("Take none"),
    frames.REBUILD: N_("Enough"),
    frames.RECALL: N_("Nobody"),
    frames.TAKE_TAX: N_("Take none"),
    frames.COLLECT: N_("Enough"),
    frames.MAY_WISH: N_("No wish"),
    frames.DONATE: N_("Enough"),
    frames.NAME_BOOKS: N_("Ask for nothing"),
    frames.TAKE_BACK: N_("Stay"),
    frames.MAY_WORK_ON: N_("Enough"),
    frames.BURN: N_("Enough"),
    frames.DIG: N_("Take none"),
    frames.MAY_MOVE: N_("Move none"),
}
PRESSES: dict[str, str] = {
    "draw": N_("Draw"),
    "more": N_("One more card"),
    "stop": N_("Take the pot"),
    "none": N_("I have none: show my hand to the Goblin’s owner"),
    "lose": N_("Lose a random hand card"),
    "allow": N_("Let them draw 1 and shelve 1"),
    "back": N_("Take it back"),
    "up": N_("Leave up"),
    "down": N_("Turn down"),
}


def _button(move: str, asks: Ask, names: Sequence[str]) -> str:
    verb, _space, what = move.partition(" ")
    key, shown = "", ""
    if verb == "pass":
        text, key = _(PASSES[asks.question]), ' data-key="p"'
    elif verb == "cat":
        category = LETTERS.index(what)
        text, shown = category_name(category), book(category)
    elif verb == "drop":
        text = _("Drop %(tile)s") % {"tile": f"{digits(what)} {tile_name(int(what))}"}
    elif verb == "recall":
        seat, tile = map(int, what.split(":"))
        words = {"name": names[seat], "tile": f"{number(tile)} {tile_name(tile)}"}
        text = _("%(name)s’s assistant at %(tile)s") % words
        shown = pawn(seat)
    elif verb == "keep":
        text = assistant_name(CODES.index(what))
    else:
        text = _(PRESSES[verb])
    label = f"<span data-label>{plain(text)}</span>"
    return f'<button type="submit" class="button" name="move" value="{move}"{key}>{shown}{label}</button>'


# The last step


def _flip(
    title: str,
    form: str,
    asks: Ask,
    signs: Signs,
    shelf: Sequence[tuple[int, int, int, bool]],
    worth: Worth | None,
) -> str:
    """All cards of the shelf on one page, each a switch; the advice is set."""
    advice = dict(asks.flips)
    switches = {place_of(cell): _switch(card, up, advice, signs) for cell, card, _under, up in shelf}
    numbers, columns = [range(min(them), max(them) + 1) for them in zip(*switches, strict=True)]
    gap = '<span class="ex-switch none"><span class="ex-card"></span></span>'
    rows = "".join(
        [
            f'<div class="ex-row">{"".join([switches.get((line, column), gap) for column in columns])}</div>'
            for line in numbers
        ]
    )
    size = f'data-columns="{min(16, max(5, len(columns)))}" data-rows="{max(3, len(numbers))}"'
    hidden = "".join(
        [
            f'<input type="checkbox" name="move" value="{"up" if up else "down"}" data-of="{card}" checked disabled '
            f"hidden>"
            for card, up in asks.flips
        ]
    )
    up = sum(advice.values())
    go = _("Turn %(down)s down, keep %(up)s") % {"down": len(advice) - up, "up": up}
    text = _(
        "Read row by row. What stays up must increase. The suggestion is set: of all rows that increase it scores "
        "most. "
        "A card turned down still fills its cell."
    )
    one = _("Card by card: %(card)s") % {"card": digits(LABELS[asks.card])}
    plainly = "".join([_button(move, asks, ()) for move in asks.buttons])
    table = ""
    if worth is not None:
        lines = "".join(
            [
                f'<tr><th scope="row">{_(name)}<span>{plain(why)}</span></th><td class="number" '
                f"data-line>{number(points)}</td></tr>"
                for name, why, points in zip(LINES, reasons(worth, signs), worth.lines, strict=True)
            ]
        )
        table = (
            f'<table class="ex-lines"><tbody>{lines}</tbody><tfoot><tr><th scope="row">{_("Sum")}</th>'
            f'<td class="number" data-sum>{number(worth.points)}</td></tr></tfoot></table>'
        )
    secret = _("The others see it when all have answered.")
    if worth is not None and worth.solo:
        secret = _("Your library is read when you press the button.")
    again = _("Back to the suggestion")
    return (
        f'<section id="stage" class="leaf stage ex-flip" tabindex="-1" data-state="flip"><header class="ex-head"><h1 '
        f'id="title">{title}</h1>'
        f'<p class="muted small">{secret}</p></header><div class="ex-flip-body"><div class="ex-flip-side"><p '
        f'class="small '
        f'muted">{text}</p>'
        f'<div class="ex-scroll" tabindex="0"><div class="ex-flip-grid" {size}>{rows}</div></div></div>'
        f'<div class="ex-live">{table}'
        f'<p class="ex-warning small" hidden></p>{form}{hidden}<button type="submit" class="button primary wide" '
        f"data-primary>"
        f"<span data-label>{go}</span></button>"
        f'<button type="button" class="button small quiet" data-suggest>{again}</button>'
        f'<div class="ex-plain"><p>{one}</p>{plainly}</div></form></div></div></section>'
    )


def _switch(card: int, up: bool, advice: dict[int, int], signs: Signs) -> str:
    if card not in advice:  # it has been answered for, or lay face down before
        state = _("up") if up else _("face down")
        shown = picture(card, signs, "" if up else "down")
        return f'<span class="ex-switch fixed">{shown}<span class="ex-state">{state}</span></span>'
    on = bool(advice[card])
    above, below, turned = _("up"), _("down"), _("check turns it")
    words = f'data-up="{above}" data-down="{below}" data-check="{turned}"'
    return (
        f'<button type="button" class="ex-switch{"" if on else " off"}" role="switch" aria-checked="{str(on).lower()}"'
        f' data-flip="{card}" data-books="{books_of(card)}" data-advice="{int(on)}" '
        f'aria-label="{plain(card_name(card, signs))}"'
        f" {words}>{bare(card, signs)}"
        f'<span class="ex-state">{above if on else below}</span></button>'
    )


# Waiting


def draw_wait(state: str, question: int, mover: str, tile: int, paced: bool, ordered: bool) -> str:
    title = plain(title_text(state, question, mover, ""))
    about = ""
    if tile:
        effect = f"{plain(str(TILE_EFFECTS[tile]))} {source_tag(TILES[tile].source)}"
        about = f"<p><b>{number(tile)} {plain(tile_name(tile))}.</b> {effect}</p>"
    pace = (placeholder("pace") if paced else "") + (placeholder("orders") if ordered else "")
    rematch = placeholder("rematch") if state == "aborted" else ""
    return (
        f'<section id="stage" class="leaf stage ex-question wait" tabindex="-1" data-state="{state}"><div '
        f'class="ex-ask"><div class="ex-title"><h1 id="title">{title}</h1></div><div class="ex-about">{about}</div>'
        f"</div><div "
        f'class="ex-answers">{pace}{rematch}</div>'
        f"</section>"
    )
