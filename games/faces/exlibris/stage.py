"""The question, with the answers that stand nowhere else on the page; or who is awaited; or the result."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.exlibris import frames
from games.engine.exlibris.cards import CATEGORIES as LETTERS
from games.engine.exlibris.cards import LABELS
from games.engine.exlibris.libraries import CODES, HOME_ACTION_SOURCE, LIBRARIES, MUM
from games.engine.exlibris.rows import advised
from games.engine.exlibris.shelf import place_of
from games.engine.exlibris.tiles import AUCTION_HOUSE, TILES
from games.engine.exlibris.view import ExLibrisView
from games.faces.exlibris.art import Signs, back, bare, book, card_name, pawn, picture, source_tag
from games.faces.exlibris.asking import Ask, ask_of
from games.faces.exlibris.outcomes import Outcome, act_text
from games.faces.exlibris.players import books_of, choice_text
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.shelf import Worth, final_shelf, outcome, reasons
from games.faces.exlibris.why import ASKED, Why, odds, reason, why_of
from games.faces.exlibris.words import (
    LINES,
    TITLES,
    ability,
    assistant_name,
    category_name,
    doing,
    library_name,
    tile_name,
)
from games.faces.language import N_, _, digits, ngettext, number
from games.faces.paint import CSRF, plain
from games.faces.slots import Slot, placeholder


def question_of(scene: Scene) -> Ask | None:
    """What is asked of the viewer now; None if nothing is."""
    view = scene.view
    if view.over or not scene.playing or scene.status != "running" or view.seat != scene.me or scene.me is None:
        return None
    row: Sequence[int] = ()
    if view.question == frames.TURN:
        row = advised(view, scene.me, final_shelf(view, scene.me))[0]
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
    if asks.kind == "flip":
        return draw_flip, scene.key, scene.ply, asks, signs, final_shelf(view, me), worth, view.setup.solo
    if asks.question == frames.CHOOSE_LIBRARY:
        return draw_libraries, scene.key, scene.ply, state, asks, me, view.setup.seats, view.setup.assistants
    laid = view.laid if asks.question == frames.LAY_OUT else ()
    bids = _bids(scene, names) if asks.question == frames.PAY_BID else ()
    acts = tuple([outcome(view, asks, worth, *it) for it in asks.acts])
    odd = tuple([odds(view, category)[0] for category in range(6)]) if asks.question in NAMED else ()
    entombs = asks.kind == "shelve" and view.libraries[me] == MUM and view.stack[-1][1] & 1 == 1
    facts = why_of(scene), names, signs, view.libraries[me]
    return draw_asked, scene.key, scene.ply, state, asks, *facts, laid, bids, acts, odd, entombs


NAMED = (frames.BET, frames.WISH)
"""The questions whose answer is a category to look for among cards not seen."""


def _bids(scene: Scene, names: tuple[str, ...]) -> tuple[tuple[int, int, str, int], ...]:
    """The bids at the Auction House, the highest first: bid, piece, name, library of a special assistant."""
    view = scene.view
    guests = sorted(view.guests[AUCTION_HOUSE], reverse=True)
    return tuple(
        [
            (guest >> 3, guest & 7, names[guest >> 1 & 3], view.libraries[guest >> 1 & 3] if guest & 1 else -1)
            for guest in guests
        ]
    )


def _form(key: str, ply: int, asks: Ask) -> str:
    """The beginning of the form that answers."""
    return (
        f'<form id="answer" class="ex-answers" method="post" action="/m/{key}/play" ws-send data-answer="{asks.kind}"'
        f' data-least="{asks.least}" data-most="{asks.most}">{CSRF}<input type="hidden" name="ply" value="{ply}">'
    )


ROOM = 4
"""So many buttons stand in the question; more of them lie in a tray over the shelf."""


def draw_asked(
    key: str,
    ply: int,
    state: str,
    asks: Ask,
    why: Why,
    names: Sequence[str],
    signs: Signs,
    library: int,
    laid: Sequence[int],
    bids: Sequence[tuple[int, int, str, int]],
    acts: Sequence[Outcome],
    odds: Sequence[int],
    entombs: bool,
) -> str:
    title = _(TITLES[asks.question])
    own = asks.question == frames.SMUGGLE  # then the card lies beside the hand
    cards = [picture(card, signs) for card in laid]
    cards += [] if own else [_pick(move, card, signs) for move, card in asks.picks]
    chosen = f'<div class="ex-picks ex-tray">{"".join(cards)}</div>' if cards else ""
    primary = ""
    if asks.kind not in ("press", "act"):
        label = f"<span data-label>{_primary(asks)}</span>"
        primary = f'<button type="submit" class="button primary" data-primary>{label}</button>'
    buttons = "".join([_button(move, asks, names, odds) for move in asks.buttons])
    many = " ex-tray" if len(asks.buttons) > ROOM or asks.question == frames.RECALL else ""
    ladder = _ladder(bids, asks.about) if len(bids) > 1 else ""
    home = placeholder("go-0") if asks.question == frames.PLACE else ""
    return (
        f'<section id="stage" class="leaf stage ex-question" tabindex="-1" data-state="{state}">'
        f'<div class="ex-ask" tabindex="0"><h1 id="title">{title}</h1>{ladder}'
        f'<div class="ex-about">{_about(asks, reason(why, why.asked, names), library)}</div></div>'
        f'{_form(key, ply, asks)}{chosen}{home}<div class="ex-buttons{many}">{buttons}{_acts(acts)}'
        f"{TOMBS if entombs else ''}{primary}</div></form></section>"
    )


def _acts(acts: Sequence[Outcome]) -> str:
    """What can be done with the cards of the shelf: the page shows what belongs to the one that is chosen."""
    buttons = "".join(
        [
            f'<button type="submit" class="button ex-act" name="move" value="{it.move}" data-on="{LABELS[it.target]}">'
            f"<span data-label>{plain(act_text(it))}</span></button>"
            for it in acts
        ]
    )
    return f'<span class="ex-acts">{buttons}</span>' if acts else ""


TOMBS = "".join(
    [
        f'<button type="button" class="button primary" data-entomb="{way}" hidden><span data-label></span></button>'
        for way in ("over", "under")
    ]
)
"""The two ways of the Mummy with the two cards that are chosen: the page says what each does."""


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


def _about(asks: Ask, why: str, library: int) -> str:
    """Why it is asked; for who sends an assistant, what the special one does."""
    by = CODES.index(asks.by) if asks.by else library
    source = ""
    if asks.tile:
        source = source_tag(TILES[asks.tile].source)
    elif asks.by:
        source = source_tag(LIBRARIES[by].source)
    elif asks.question == frames.HOME_ACTION:
        source = source_tag(HOME_ACTION_SOURCE)
    if asks.question != frames.PLACE:
        return f'<p class="ex-hint">{why} {source}</p>'
    special = ""
    if library >= 0:
        special = (
            f'<p class="ex-special"><b>{plain(assistant_name(library))}.</b> '
            f"{plain(ability(library, asks.from_shelf))} {source_tag(LIBRARIES[library].source)}</p>"
        )
    return f'<p class="ex-hint" data-about>{why}</p>{special}'


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
    return f'<ol class="ex-ladder ex-tray" aria-label="{title}">{"".join(items)}</ol>'


def _pick(move: str, card: int, signs: Signs) -> str:
    if card < 0:
        place = move.rpartition("#")[2]
        name, shown = _("the card in place %(place)s") % {"place": digits(place)}, back()
        key = ""
    else:
        name, shown, key = card_name(card, signs), bare(card, signs), f' data-n="{card}" data-books="{books_of(card)}"'
    says = plain(choice_text(move))
    return (
        f'<label class="ex-choice" title="{plain(name)}"{key}><input type="radio" name="move" value="{move}"'
        f' data-says="{says}" aria-label="{says}: {plain(name)}">{shown}</label>'
    )


# Libraries


def draw_libraries(key: str, ply: int, state: str, asks: Ask, me: int, seats: int, assistants: int) -> str:
    """The two libraries as doors, with what comes next."""
    title, why = _(TITLES[asks.question]), _(ASKED[asks.question])
    doors = "".join([_library(move, me, asks.from_shelf) for move in asks.buttons])
    besides = ngettext(
        "Besides, you have %(count)s standard assistant.",
        "Besides, you have %(count)s standard assistants.",
        assistants,
    ) % {"count": number(assistants)}
    if seats > 1:
        after = _(
            "When all have chosen, the town opens with %(tiles)s tiles. Each player gets six cards and a secret focus."
        ) % {"tiles": number(seats)}
    else:
        after = _("Then the town opens with its six tiles, and you get six cards and a secret focus.")
    return (
        f'<section id="stage" class="leaf stage ex-libraries" tabindex="-1" data-state="{state}">'
        f'<h1 id="title">{title}</h1><p class="ex-hint">{why} {besides}</p>'
        f'{_form(key, ply, asks)}{doors}</form><p class="ex-next">{after}</p></section>'
    )


def _library(move: str, me: int, from_shelf: bool) -> str:
    """A library to keep: a door in which its assistant stands, with what it does, and the name of the library."""
    index = CODES.index(move.partition(" ")[2])
    it = LIBRARIES[index]
    keep = _("Keep the %(assistant)s") % {"assistant": assistant_name(index)}
    return (
        f'<div class="ex-library"><span class="ex-door">{pawn(me, index)}</span><b>{plain(assistant_name(index))}</b>'
        f'<p class="muted small">{plain(library_name(index))} {source_tag(it.name_source)}</p>'
        f"<p>{plain(ability(index, from_shelf))} {source_tag(it.source)}</p>"
        f'<button type="submit" class="button primary" name="move" value="{move}"><span data-label>{plain(keep)}</span>'
        f"</button></div>"
    )


# Buttons


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
    "lose": N_("Lose a random card"),
    "allow": N_("Let them draw and shelve"),
    "back": N_("Take it back"),
    "up": N_("Leave up"),
    "down": N_("Turn down"),
}


def _button(move: str, asks: Ask, names: Sequence[str], odds: Sequence[int] = ()) -> str:
    verb, _space, what = move.partition(" ")
    key, shown, more = "", "", ""
    if verb == "pass":
        text, key = _(PASSES[asks.question]), ' data-key="p"'
    elif verb == "cat":
        category = LETTERS.index(what)
        text, shown = category_name(category), book(category)
        more = f' <b class="number">{number(odds[category])}</b>' if odds else ""
    elif verb == "drop":
        text = _("Drop %(tile)s") % {"tile": f"{digits(what)} {tile_name(int(what))}"}
    elif verb == "recall":
        seat, tile = map(int, what.split(":"))
        words = {"name": names[seat], "tile": f"{number(tile)} {tile_name(tile)}"}
        text = _("%(name)s’s assistant at %(tile)s") % words
        shown = pawn(seat)
    elif verb == "discard":
        text = choice_text(move)
    else:
        text = _(PRESSES[verb])
    label = f"<span data-label>{plain(text)}</span>{more}"
    return f'<button type="submit" class="button" name="move" value="{move}"{key}>{shown}{label}</button>'


# The last step


def draw_flip(
    key: str,
    ply: int,
    asks: Ask,
    signs: Signs,
    shelf: Sequence[tuple[int, int, int, bool]],
    worth: Worth | None,
    solo: bool,
) -> str:
    """All cards of the shelf on one page, each a switch; the advice is set."""
    title, form = _(TITLES[asks.question]), _form(key, ply, asks)
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
    hidden = "".join(
        [
            f'<input type="checkbox" name="move" value="{"up" if up else "down"}" data-of="{card}" checked disabled '
            f"hidden>"
            for card, up in asks.flips
        ]
    )
    up = sum(advice.values())
    go = _("Turn %(down)s down, keep %(up)s") % {"down": number(len(advice) - up), "up": number(up)}
    text = _(
        "Read row by row. What stays up must increase. The suggestion is set: of all rows that increase it scores "
        "most. A card turned down still fills its cell."
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
    again = _("Back to the suggestion")
    secret = _("The others see it when all have answered.")
    if solo:
        secret = _("Your library is read when you press the button.")
    return (
        f'<section id="stage" class="leaf stage ex-flip" tabindex="-1" data-state="flip"><header class="ex-head">'
        f'<h1 id="title">{title}</h1><p class="muted small">{secret}</p></header>'
        f'<div class="ex-flip-body"><div class="ex-flip-side"><p class="small muted">{text}</p>'
        f'<div class="ex-scroll" tabindex="0"><div class="ex-flip-grid">{rows}</div></div></div>'
        f'<div class="ex-live">{table}'
        f'<p class="ex-warning small" hidden></p>{form}{hidden}'
        f'<button type="submit" class="button primary wide" data-primary><span data-label>{go}</span></button>'
        f'<button type="button" class="button small quiet" data-suggest>{again}</button>'
        f'<div class="ex-plain"><p>{one}</p>{plainly}</div></form></div></div></section>'
    )


def _switch(card: int, up: bool, advice: dict[int, int], signs: Signs) -> str:
    if card not in advice:  # it has been answered for, or lay face down before
        state = _("up") if up else _("face down")
        shown = picture(card, signs, "" if up else "down")
        kept = f' data-kept="{card}" data-books="{books_of(card)}"' if up else ""
        return f'<span class="ex-switch fixed"{kept}>{shown}<span class="ex-state">{state}</span></span>'
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


def draw_wait(
    state: str, question: int, mover: str, why: Why, names: Sequence[str], me: int | None, paced: bool, ordered: bool
) -> str:
    title = plain(title_text(state, question, mover, ""))
    told = reason(why, me, names) if state == "wait" else ""
    about = f'<p class="ex-hint">{told}</p>' if told else ""
    pace = (placeholder("pace") if paced else "") + (placeholder("orders") if ordered else "")
    rematch = f'<div class="ex-tray">{placeholder("rematch")}</div>' if state == "aborted" else ""
    return (
        f'<section id="stage" class="leaf stage ex-question wait" tabindex="-1" data-state="{state}">'
        f'<div class="ex-ask" tabindex="0"><h1 id="title">{title}</h1><div class="ex-about">{about}</div></div>'
        f'<div class="ex-answers">{pace}{rematch}</div></section>'
    )
