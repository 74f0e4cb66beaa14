"""How Biblios looks and speaks: the names and pictures of cards and dice.

The modules beside this one cover what happened, in sentences (`words`) and in notation (`story`, `log`), the table
(`board`, `plates`, `scriptorium`, `spread`), the questions and answers (`stage`, `ask`, `bidding`, `forms`), the result
(`result`) and the review (`review`). `face` joins them.
"""

from functools import cache, lru_cache

from django.utils.translation import gettext_lazy
from markupsafe import Markup

from games.engine.biblios.cards import HIDDEN, TEXTS
from games.faces.language import _, digits, language, number, signed
from games.faces.paint import PaintBox, plain, sheet, use

CATEGORIES = {
    "M": gettext_lazy("Monks"),
    "P": gettext_lazy("Pigments"),
    "H": gettext_lazy("Holy Books"),
    "S": gettext_lazy("Manuscripts"),
    "F": gettext_lazy("Forbidden Tomes"),
}
NAMES = CATEGORIES | {"G": gettext_lazy("Gold"), "C": gettext_lazy("Church")}

CHURCH = {
    "C+": (gettext_lazy("Church +1"), gettext_lazy("Church card: +1 on one die")),
    "C-": (gettext_lazy("Church −1"), gettext_lazy("Church card: −1 on one die")),
    "C++": (gettext_lazy("Church +1 on two dice"), gettext_lazy("Church card: +1 on two dice")),
    "C--": (gettext_lazy("Church −1 on two dice"), gettext_lazy("Church card: −1 on two dice")),
    "C+-": (gettext_lazy("Church ±1"), gettext_lazy("Church card: +1 or −1 on one die")),
    "C±": (gettext_lazy("Church +1 and −1"), gettext_lazy("Church card: +1 on one die, −1 on another")),
}
"""The name and the description of each Church card. `C±` is `C+-` under the option `dual_church=both`."""
EFFECTS = {
    "C+": gettext_lazy("Raises one die"),
    "C-": gettext_lazy("Lowers one die"),
    "C++": gettext_lazy("Raises two dice"),
    "C--": gettext_lazy("Lowers two dice"),
    "C+-": gettext_lazy("Raises or lowers one die"),
    "C±": gettext_lazy("Raises one die and lowers another"),
}
"""What each Church card does for whoever gets it."""
MARKS = {"C+": "+", "C-": "-", "C++": "++", "C--": "--", "C+-": "±", "C±": "+-"}
"""The dice printed on each Church card: up, down, either way."""
DICE = {"+": "<i></i>", "-": '<i class="down"></i>', "±": '<i class="either"></i>'}
BACK = "back"
"""Stands for a card that the viewer does not know."""


def categories() -> dict[str, str]:
    """The names of the categories, of gold and of the Church."""
    return _names(language())


def short_names() -> dict[str, str]:
    """The same, where there is little room: `Tomes`."""
    return _short_names(language())


@lru_cache
def _short_names(language: str) -> dict[str, str]:
    return _names(language) | {"F": _("Tomes")}


@lru_cache
def _names(language: str) -> dict[str, str]:
    return {letter: str(name) for letter, name in NAMES.items()}


def code_of(kind: int, both_ways: bool = False) -> str:
    """The code of a kind, `back` if it is hidden; `both_ways` is the option `dual_church=both`."""
    if kind == HIDDEN:
        return BACK
    text = TEXTS[kind]
    return "C±" if both_ways and text == "C+-" else text


def card_name(code: str) -> str:
    """A card in a sentence: `Monks 3 F`, `Gold 2`, `Church +1`."""
    return _card_name(language(), code)


@lru_cache(maxsize=2000)
def _card_name(language: str, code: str) -> str:
    if code in CHURCH:
        return str(CHURCH[code][0])
    if len(code) == 2:
        return _("Gold %(value)s") % {"value": digits(code[1])}
    words = {"category": categories()[code[0]], "value": digits(code[1]), "letter": code[2]}
    return _("%(category)s %(value)s %(letter)s") % words


def card_short(code: str) -> str:
    """The same, where there is little room: `Tomes 1 G`."""
    if code in CHURCH or len(code) == 2:
        return card_name(code)
    words = {"category": short_names()[code[0]], "value": digits(code[1]), "letter": code[2]}
    return _("%(category)s %(value)s %(letter)s") % words


def card_title(code: str) -> str:
    """A card in the caption under it: `Monks 3`, because the letter can be seen."""
    if len(code) == 3 and code not in CHURCH:
        return _("%(category)s %(value)s") % {"category": categories()[code[0]], "value": digits(code[1])}
    return _("Church card") if code in CHURCH else card_name(code)


def card_label(code: str) -> str:
    """A card for screen readers: `Monks 3, tie letter F`."""
    return _card_label(language(), code)


@lru_cache(maxsize=2000)
def _card_label(language: str, code: str) -> str:
    if code == BACK:
        return _("Face-down card")
    if code in CHURCH:
        return str(CHURCH[code][1])
    if len(code) == 2:
        return card_name(code)
    words = {"category": categories()[code[0]], "value": digits(code[1]), "letter": code[2]}
    return _("%(category)s %(value)s, tie letter %(letter)s") % words


def die_label(code: str) -> str:
    """A die for screen readers: `Manuscripts die: 5`."""
    return _("%(category)s die: %(value)s") % {"category": categories()[code[0]], "value": digits(code[1])}


# Fragments of the board, each drawn once for equal values.


def _step(mark: str) -> str:
    """By how much a Church card moves a die."""
    return "±" + number(1) if mark == "±" else signed(1 if mark == "+" else -1)


@lru_cache(maxsize=2000)
def _art(language: str, code: str) -> Markup:
    drawn = f'<svg><use href="{sheet(CARDS)}#%s"/></svg>'
    if code == BACK:
        return Markup(drawn % BACK)
    if code in CHURCH:
        marks, which, letter = MARKS[code], "C", ""
        value = _step(marks[0] if len(set(marks)) == 1 else "±")
        corner = f"<span>{''.join([DICE[mark] for mark in marks])}</span>"
    else:
        value, letter, which = digits(code[1]), code[2:], code
        corner = bare(f"s-{code[0]}")
    name = "" if code[0] == "G" else f"<s>{plain(categories()[code[0]])}</s>"
    best = f"<em>{letter}</em>" if letter else ""
    # A band with the value, a picture, the name and the letter: by their tags, because cards are in most messages.
    return Markup(f"<b>{value}{corner}</b><i>{drawn % which}</i>{name}{best}")


def card_art(code: str) -> Markup:
    """The inside of a card's frame."""
    return _art(language(), code)


@lru_cache(maxsize=4000)
def _picture(language: str, code: str, cls: str, key: str, source: str, id: str) -> Markup:
    back = " back" if code == BACK else ""
    attributes = [f' id="{id}"' if id else "", f' class="card{back}{" " if cls else ""}{cls}"']
    attributes.append("" if back else f' data-cat="{code[0]}"')
    attributes.append(f' role="img" aria-label="{plain(card_label(code))}"')
    attributes.append(f' data-card="{key}"' if key else "")
    attributes.append(f' data-from="{source}"' if source else "")
    return Markup(f"<span{''.join(attributes)}>{_art(language, code)}</span>")


def picture(code: str, cls: str = "", key: str = "", source: str = "", id: str = "") -> Markup:
    """A card; with a key it can be followed when it moves, from `source` if it is new."""
    return _picture(language(), code, cls, key, source, id)


@lru_cache(maxsize=500)
def _die(language: str, code: str, cls: str) -> Markup:
    return Markup(
        f'<span class="die{" " if cls else ""}{cls}" data-cat="{code[0]}" role="img"'
        f' aria-label="{plain(die_label(code))}">{bare(f"d-{code[1]}")}</span>'
    )


def die_face(code: str, cls: str = "") -> Markup:
    """A die such as `S5`."""
    return _die(language(), code, cls)


@lru_cache(maxsize=2000)
def _mini(language: str, code: str) -> Markup:
    label = plain(card_label(code) if code == BACK else card_name(code))
    if code == BACK:
        return Markup(f'<i class="back" role="img" aria-label="{label}"></i>')
    if code in CHURCH:
        inside = "".join([_step(mark) for mark in MARKS[code]])
    else:
        inside = digits(code[1]) + (f"<small>{code[2]}</small>" if code[2:] else "")
    # An image needs no marks inside: what it is called is read, and nothing in it.
    picture = bare(f"s-{code[0]}")
    return Markup(f'<i data-cat="{code[0]}" role="img" aria-label="{label}">{picture}{inside}</i>')


def mini(code: str) -> Markup:
    """A card as small as a word, to stand in a sentence: its symbol, value and letter on its colour."""
    return _mini(language(), code)


PICTURES = "biblios/pictures.svg"
"""The sprite sheet of Biblios: categories `s-M`, dice `d-1`, places `i-keep`."""
CARDS = "biblios/cards.svg"
"""What is on cards: an illumination for each card of a category, by its code, `G1` to `G3`, `C`, and their `back`."""


def own(id: str, cls: str = "") -> Markup:
    """A picture of Biblios."""
    return use(id, cls, PICTURES)


def bare(id: str) -> Markup:
    """The same inside of an image or of what is hidden, where it needs no mark to be hidden itself."""
    return Markup(f'<svg><use href="{sheet(PICTURES)}#{id}"/></svg>')


@cache
def symbol(category: str) -> Markup:
    """The sign of a category."""
    return Markup(f'<span class="symbol" data-cat="{category}">{own(f"s-{category}")}</span>')


box = PaintBox("biblios", card=picture, symbol=symbol, own=own)
"""The Jinja templates of Biblios."""
paint = box.paint
