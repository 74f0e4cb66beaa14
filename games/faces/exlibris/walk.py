"""What moves on the table with an answer: assistants and cards for static/js/motion.js, and what a rival does in a few
words, for static/exlibris/walk.js."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from games.engine.exlibris import frames
from games.faces.exlibris.items import LogItem, item_of
from games.faces.exlibris.log import kind_of, news_of, words_of
from games.faces.exlibris.scene import Scene
from games.faces.language import N_, _, digits
from games.faces.paint import marked, said
from games.faces.slots import Slot, uncached

BACK = "back"
MOST = 8
"""So many things fly with one answer."""


def answer_of(scene: Scene) -> int:
    """The first row of the last answer; what followed from it at once comes after it."""
    steps = scene.steps
    return len(steps) - sum(1 for _ in takewhile(lambda step: step.at == steps[-1].at, reversed(steps)))


def flights(scene: Scene) -> tuple[str, ...]:
    """What moves with the last answer, as all may see it: `what:from:to`.

    `scene`: a watcher's. `what`: the label of a card, `back`, or `pawn-` and a piece; a place is a seat, or the id of
    an element.
    """
    rows = range(answer_of(scene), len(scene.steps))
    items = [item_of(scene.steps, at) for at in rows if not scene.steps[at].quiet]
    return tuple([flight for item in items for flight in _of(item)][:MOST])


def _of(item: LogItem) -> list[str]:
    if not item.round:
        return []
    verb, _space, what = item.move.partition(" ")
    seat, here = item.seat, f"place-{item.tile}"
    found = []
    if item.question == frames.PLACE and item.tile:
        found.append(f"pawn-{2 * seat + (verb == 'special')}:{seat}:{here}")
    elif verb in ("discard", "take") and what.startswith("#"):
        found.append(f"{BACK}:{here}:{'discard' if verb == 'discard' else seat}")
    elif verb == "discard":
        found.append(f"{what}:{here if item.question in (frames.BURN, frames.SMUGGLE) else seat}:discard")
    elif verb == "take":
        source = "discard" if item.question in (frames.SEARCH_DUMP, frames.TAKE_TAX, frames.DIG) else here
        found.append(f"{what}:{source}:{seat}")
    elif verb in ("swap", "lay"):
        found.append(f"{what}:{seat}:{here}")
    elif verb in ("give", "lose"):
        found.append(f"{item.stolen or what}:{seat}:{item.other}")
    found += [f"{card}:{here}:{seat}" for card in item.got]
    source = here if item.tile else "facts"
    for place, draws in ((source, item.draws), *[(f"place-{tile}", draws) for tile, draws in item.later]):
        found += [f"{BACK}:{place}:{who}" for who, count in draws for _card in range(count)]
    return found


# Captions


def caption(scene: Scene) -> Slot:
    """The slot of the words about the last answer, if that was a rival's."""
    told = [_of_others(item, scene.me) for item in news_of(scene.steps, answer_of(scene))]
    item = next(filter(None, reversed(told)), None)
    return (draw_caption, item, marked(scene.names), scene.me) if item else (no_caption,)


def _of_others(item: LogItem, me: int | None) -> LogItem | None:
    """What of it rivals did, if that is told in a caption."""
    kind = caption_kind(item)
    if kind in DRAWS:
        draws = tuple([(seat, count) for seat, count in item.draws if seat != me])
        return item._replace(seat=draws[0][0], draws=draws) if draws else None
    return item if item.seat != me and kind in CAPTIONS else None


def caption_kind(item: LogItem) -> str:
    """The key of its caption: the Fire Imp burns what others discard."""
    kind = kind_of(item)
    return kind.replace("discard", "burn") if item.question == frames.BURN else kind


def no_caption() -> str:
    return '<p id="caption" hidden></p>'


@uncached
def draw_caption(item: LogItem, names: Sequence[str], me: int | None) -> str:
    """Words that the page shows for a moment (static/exlibris/walk.js), at a house or at a seat."""
    at_house = item.tile and (item.question == frames.PLACE or item.reason) and kind_of(item) not in AT_SEAT
    at = f"place-{item.tile}" if at_house else ""
    text = caption_text(item, names, me)
    return (
        f'<p id="caption" class="ex-caption" aria-hidden="true" data-owner="{item.seat + 1}" data-seat="{item.seat}" '
        f'data-at="{at}">{text}</p>'
    )


def caption_text(item: LogItem, names: Sequence[str], me: int | None) -> str:
    """What somebody does, in about five words. `names`: as HTML, by seat."""
    kind, words = caption_kind(item), words_of(item, names, me)
    if item.got:
        kind, words["card"] = "take", digits(", ".join(item.got))
    elif kind in DRAWS:
        words["count"] = item.draws[0][1]
    return str(said(_(CAPTIONS[kind]), **words))


DRAWS = "", "pass"
"""Of what a tile does by itself, and of a pass, only what is drawn is told."""
CAPTIONS = {
    **dict.fromkeys(DRAWS, N_("%(name)s draws %(count)s")),
    "keep": N_("%(name)s keeps the %(assistant)s"),
    "send home": N_("%(name)s sends one home"),
    "special home": N_("%(name)s sends the %(assistant)s home"),
    "send tile": N_("%(name)s sends one here"),
    "special tile": N_("%(name)s sends the %(assistant)s here"),
    "send bid": N_("%(name)s bids %(bid)s"),
    "special bid": N_("%(name)s: %(assistant)s bids %(bid)s"),
    "draw": N_("%(name)s draws 1"),
    "shelve": N_("%(name)s shelves %(card)s"),
    "shelve at": N_("%(name)s shelves %(card)s"),
    "shelve over": N_("%(name)s entombs a card"),
    "shelve under": N_("%(name)s entombs %(card)s"),
    "move": N_("%(name)s moves %(card)s"),
    "move at": N_("%(name)s moves %(card)s"),
    "discard": N_("%(name)s discards %(card)s"),
    "burn": N_("%(name)s: Fire Imp burns %(card)s"),
    "burn place": N_("%(name)s: Fire Imp burns one"),
    "take": N_("%(name)s takes %(card)s"),
    "take swap": N_("%(name)s takes %(card)s for %(put)s"),
    "take place": N_("%(name)s takes a card"),
    "peek place": N_("%(name)s looks at a card"),
    "lay": N_("%(name)s sells %(card)s"),
    "give": N_("%(name)s gives %(card)s to %(other)s"),
    "none": N_("%(name)s shows their hand"),
    "cat": N_("%(name)s names %(books)s"),
    "cat asked": N_("%(name)s asks for %(books)s"),
    "more": N_("%(name)s goes on"),
    "stop": N_("%(name)s takes the pot"),
    "lose": N_("%(name)s loses %(card)s"),
    "allow": N_("%(name)s lets the Cube work"),
    "back": N_("%(name)s takes the Sasquatch back"),
    "recall": N_("%(name)s sends one back"),
    "pass bid": N_("%(name)s declines to pay"),
}
"""By the kind of the answer."""
AT_SEAT = *DRAWS, "draw", "shelve", "shelve at", "shelve over", "shelve under", "move", "move at"
"""What is done at the own shelf."""
