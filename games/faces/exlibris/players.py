"""The players beside the board, and one's own hand: shelves small, assistants, books, and the cards one knows of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from accounts.shown import PlayerShown
from games.engine.exlibris import frames
from games.engine.exlibris.cards import BOOKS, CATEGORIES, LABELS, books_in, mask_of
from games.engine.exlibris.libraries import LIBRARIES
from games.engine.exlibris.shelf import Shelf, face_up
from games.engine.exlibris.view import ExLibrisView
from games.engine.exlibris.zones import READY
from games.faces.exlibris.art import Signs, bare, book, card_name, pawn, picture, source_tag
from games.faces.exlibris.asking import Ask, Picks
from games.faces.exlibris.scene import Scene
from games.faces.exlibris.shelf import mini, shelf_label, worth_of_seat
from games.faces.exlibris.words import ability, assistant_name, library_name, points_text
from games.faces.language import N_, _, digits, ngettext, number
from games.faces.levels import bot_label
from games.faces.paint import clock, gone, icon, plain
from games.faces.slots import Slots, placeholder, uncached


def players(scene: Scene) -> Slots:
    """The slots of all players that everybody sees alike, from the scene of a watcher."""
    view = scene.view
    signs = view.prominent, view.banned, None
    slots: Slots = {"public": (draw_public, books_in(mask_of(view.discard)) if view.setup.solo else (), view.banned)}
    # Of the focus of others nobody knows, and who looks is not asked here.
    public = view if set(view.focus) == {None} else replace(view, focus=(None,) * len(view.focus))
    for it in scene.sitters:
        seat, left_ms = it.index, scene.clock(it.index)
        worth = worth_of_seat(public, seat)
        library = view.libraries[seat]
        left = view.ready[seat], view.special[seat] == READY and library >= 0
        turn = seat == view.seat and scene.status == "running"
        points = None if worth is None or view.over else worth.points
        who = seat, it.person, it.left, it.here
        facts = view.shelves[seat], signs, library, left, view.open[seat], view.counts[seat]
        setup, full = view.setup, view.setup.counted(view.shelves[seat])
        # A shelf may grow on in the last round.
        limit = 0 if setup.solo or full > setup.cells else setup.cells
        cells = full, limit, setup.counts_cards
        first, timed = seat == view.marker, left_ms is not None
        slots[f"player-{seat}"] = draw_player, *who, *facts, cells, first, turn, timed, points, setup.from_shelf
        if timed:
            slots[f"clock-{seat}"] = draw_clock, seat, left_ms
    return slots


def known(view: ExLibrisView, seats: int) -> Slots:
    """What the viewer alone knows of the hands of others, and the order of the others."""
    me = view.me
    order = tuple([seat for seat in range(seats) if seat != me])
    slots: Slots = {"people": (draw_people, order, view.prominent is not None and not view.over)}
    for seat in order:
        slots[f"person-{seat}"] = draw_person, seat
        more = tuple([card for card in view.hands[seat] if card not in view.open[seat]])
        slots[f"known-{seat}"] = draw_known, seat, more, (view.prominent, view.banned, None)
    return slots


def draw_people(order: Sequence[int], scored: bool) -> str:
    """The others. `scored`: their points are shown, but not for their focus."""
    inside = "".join([placeholder(f"person-{seat}") for seat in order])
    alone = _("You play alone, against the public library: the discard pile.")
    alone = f'<p class="muted small">{alone}</p>'
    note = _("Without their secret focus.")
    note = f'<p class="tiny muted">{note}</p>' if inside and scored else ""
    return f'<div id="people" class="ex-people">{inside or alone}{placeholder("public")}{note}</div>'


def draw_person(seat: int) -> str:
    """A player, and what only the viewer knows of them."""
    return (
        f'<div id="person-{seat}" class="ex-person">{placeholder(f"player-{seat}")}{placeholder(f"known-{seat}")}</div>'
    )


def draw_public(books: Sequence[int], banned: int | None) -> str:
    """The public library of a solo game: the books of the discard pile."""
    if not books or banned is None:
        return '<section id="public" hidden></section>'
    title = _("Public library")
    strip = "".join([f"<li>{book(category)}{number(count)}</li>" for category, count in enumerate(books)])
    least = min(number for category, number in enumerate(books) if category != banned)
    words = {"banned": number(-books[banned]), "variety": 3 * least}
    text = (
        _("Banned %(banned)s, variety %(variety)s. Its focus is secret; a tie of prominent books is its own.") % words
    )
    return (
        f'<section id="public" class="ex-other" aria-label="{title}"><header><b>{title}</b></header>'
        f'<ul class="ex-strip">{strip}</ul><p class="tiny muted">{text}</p></section>'
    )


@uncached
def draw_clock(seat: int, left_ms: int) -> str:
    return f'<b id="clock-{seat}" data-left="{left_ms}">{clock(left_ms)}</b>'


def draw_known(seat: int, cards: Sequence[int], signs: Signs) -> str:
    if not cards:
        return f'<p id="known-{seat}" hidden></p>'
    shown = "".join([picture(card, signs) for card in cards])
    only = _("Only you saw:")
    return f'<p id="known-{seat}" class="ex-known tiny">{only} {shown}</p>'


def _bot(name: str) -> str:
    """The mark of a bot."""
    label = bot_label(name)
    return f'<span class="tag" title="{label}">{icon("bot")}<span class="visually-hidden">{label}</span></span>'


def draw_player(
    seat: int,
    person: PlayerShown,
    how_left: str,
    here: bool | None,
    shelf: Shelf,
    signs: Signs,
    library: int,
    left: tuple[int, bool],
    open_: Sequence[int],
    count: int,
    cells: tuple[int, int, bool],
    first: bool,
    turn: bool,
    timed: bool,
    points: int | None,
    from_shelf: bool,
) -> str:
    name = plain(person.name)
    data_here = "" if here is None else f' data-here="{str(here).lower()}"'
    who = f"<bdi>{name}</bdi>"
    if person.username:
        who = f'<a href="/@/{plain(person.username)}" target="_blank" rel="noopener">{who}</a>'
    begins, away = _("1st"), _("Not connected")
    marks = "".join(
        [
            f'<span class="tag">{begins}</span>' if first else "",
            _bot(person.bot) if person.bot else "",
            f'<span class="tag">{_(LEFT[how_left])}</span>' if how_left else "",
            f'<span title="{away}">{icon("weak")}</span>{gone(person.name)}' if here is False else "",
        ]
    )
    filled, limit, counts_cards = cells
    if limit:
        said = _("%(count)s of %(limit)s cards") if counts_cards else _("%(count)s of %(limit)s cells")
    elif counts_cards:
        said = ngettext("%(count)s card", "%(count)s cards", filled)
    else:
        said = ngettext("%(count)s cell", "%(count)s cells", filled)
    shelved = said % {"count": number(filled), "limit": number(limit)}
    cards = ngettext("%(count)s hand card", "%(count)s hand cards", count) % {"count": number(count)}
    ready, special = left
    pawns = pawn(seat) * ready + (pawn(seat, library) if special else "")
    assistants = ngettext("%(count)s left", "%(count)s left", ready + special) % {"count": number(ready + special)}
    score = ""
    if points is not None:
        title = _("As if the game ended now, without the focus, which is secret")
        score = f'<span title="{title}">{plain(points_text(points))}</span>'
    special_one = ""
    if library >= 0:
        special_one = (
            f'<details class="tiny"><summary>{plain(assistant_name(library))}</summary>'
            f"<p>{plain(ability(library, from_shelf))} {source_tag(source_of(library))}</p>"
            f"<p>{plain(library_name(library))} {source_tag(LIBRARIES[library].name_source)}</p></details>"
        )
    rating = f'<span class="tiny number">{plain(digits(person.rating))}</span>' if person.rating else ""
    seen = ""
    if open_:
        all_saw = _("Hand cards that all have seen:")
        seen = f'<p class="ex-known">{all_saw} {"".join([picture(card, signs) for card in open_])}</p>'
    numbers = books_in(mask_of(face_up(shelf)))
    strip = "".join([f"<li>{book(category)}{number(count)}</li>" for category, count in enumerate(numbers)])
    books = _("Books on the shelf")
    return (
        f'<section id="player-{seat}" class="seat ex-other{" turn" if turn else ""}" data-seat="{seat}"{data_here}'
        f' aria-label="{name}"><div class="ex-who"><header>{pawn(seat)}<b>{who}</b>{marks}'
        f"</header><p>{score}{placeholder(f'clock-{seat}') if timed else ''}</p>"
        f'<p class="number">{shelved}</p><p><span class="ex-count" title="{cards}">{icon("cards")}{number(count)}'
        f'<span class="visually-hidden">{cards}</span></span> <span data-home title="{assistants}">{pawns}'
        f'<span class="visually-hidden">{assistants}</span></span></p></div>'
        f'<button type="button" class="ex-mini" data-enlarge aria-label="{plain(shelf_label(person.name))}">'
        f'{mini(shelf, signs)}</button><div class="ex-more">{rating}{special_one}{seen}'
        f'<ul class="ex-strip" aria-label="{books}">{strip}</ul></div></section>'
    )


LEFT = {"time": N_("time"), "resign": N_("resigned"), "leave": N_("left")}


def source_of(library: int) -> str:
    """Where the ability of an assistant comes from: S, I or R."""
    return LIBRARIES[library].source


# The own hand


def own_hand(scene: Scene, asks: Ask | None) -> Slots:
    """The slot of the viewer's hand."""
    view, me = scene.view, scene.me
    assert me is not None
    signs = view.prominent, view.banned, view.focus[me]
    kind = asks.kind if asks else ""
    picks = asks.hand if asks else ()
    cells = bool(asks and kind == "shelve")
    special = view.libraries[me] if view.special[me] == READY else -1
    new = asks.picks if asks and asks.question == frames.SMUGGLE else ()
    return {
        "hand": (draw_hand, me, scene.names[me], view.hand, signs, picks, new, kind, cells, view.ready[me], special)
    }


CHOICE = {
    "shelve": N_("Shelve %(card)s"),
    "discard": N_("Discard %(card)s"),
    "lay": N_("Lay out %(card)s"),
    "swap": N_("Put %(card)s there"),
    "give": N_("Give %(card)s"),
    "take": N_("Take %(card)s"),
    "peek": N_("Look at %(card)s"),
}


def choice_text(move: str) -> str:
    """What the button says when a card is chosen: `Take A3`."""
    verb, _space, what = move.partition(" ")
    return _(CHOICE[verb]) % {"card": digits(what)}


def draw_hand(
    me: int,
    name: str,
    cards: Sequence[int],
    signs: Signs,
    picks: Picks,
    new: Picks,
    kind: str,
    with_cell: bool,
    ready: int,
    special: int,
) -> str:
    """The hand, and the assistants who can still be sent.

    `new`: the card that came up in the Cellar, which lies beside the hand and is chosen; `special`: the library of a
    special assistant, -1 without.
    """
    moves = {card: move for move, card in picks}
    shown = "".join([_card(card, signs, move, kind, " checked") for move, card in new])
    shown += "".join([_card(card, signs, moves.get(card, ""), kind) for card in cards])
    # A card and its cell are one answer: the page fills in the cell.
    cell = '<input type="checkbox" name="move" value="" form="answer" id="cell" disabled hidden>' if with_cell else ""
    head = _("Your hand, in rank order")
    pawns = pawn(me) * ready + (pawn(me, special) if special >= 0 else "")
    left = ready + (special >= 0)
    send = ngettext("%(count)s to send", "%(count)s to send", left) % {"count": number(left)}
    held = ngettext("%(count)s card", "%(count)s cards", len(cards)) % {"count": number(len(cards))}
    return (
        f'<section id="hand" class="leaf ex-hand" data-pane="hand" aria-label="{head}"><header><h2>{_("Hand")}</h2>'
        f'<span class="ex-ready" data-home>{pawns}</span><b class="ex-me"><bdi>{plain(name)}</bdi></b>'
        f'<bdi class="ex-count">{held}</bdi> '
        f'<bdi class="ex-count">{send}</bdi></header><div class="ex-held">{shown}</div>{cell}</section>'
    )


def _card(card: int, signs: Signs, move: str, kind: str, only: str = "") -> str:
    label = LABELS[card]
    key = f' data-card="{label}" data-n="{card}" data-books="{books_of(card)}"'
    if not move:
        return picture(card, signs, more=key)
    box = "checkbox" if kind == "some" else "radio"
    name = plain(card_name(card, signs))
    cls = "ex-choice new" if only else "ex-choice"
    return (
        f'<label class="{cls}" title="{name}"{key}><input type="{box}" name="move" value="{move}" form="answer"'
        f' data-says="{plain(choice_text(move))}" aria-label="{name}"{only}>{bare(card, signs)}</label>'
    )


def books_of(card: int) -> str:
    """The letters of the categories on a card: `CHS`."""
    return "".join([CATEGORIES[category] for category in sorted(BOOKS[card])])
