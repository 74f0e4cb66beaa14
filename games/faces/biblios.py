"""How Biblios looks and speaks: names, sentences and what its templates need."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

CATEGORIES = {
    "M": gettext_lazy("Monks"),
    "P": gettext_lazy("Pigments"),
    "H": gettext_lazy("Holy Books"),
    "S": gettext_lazy("Manuscripts"),
    "F": gettext_lazy("Forbidden Tomes"),
}

# Centres of the pips of a die, on a square of 44 by 44.
NEAR, MIDDLE, FAR = 11, 22, 33
PIPS = {
    1: [(MIDDLE, MIDDLE)],
    2: [(NEAR, NEAR), (FAR, FAR)],
    3: [(NEAR, NEAR), (MIDDLE, MIDDLE), (FAR, FAR)],
    4: [(NEAR, NEAR), (FAR, NEAR), (NEAR, FAR), (FAR, FAR)],
    5: [(NEAR, NEAR), (FAR, NEAR), (MIDDLE, MIDDLE), (NEAR, FAR), (FAR, FAR)],
    6: [(NEAR, NEAR), (FAR, NEAR), (NEAR, MIDDLE), (FAR, MIDDLE), (NEAR, FAR), (FAR, FAR)],
}


def card(code: str) -> dict:
    """What `games/biblios/card.html` shows for a card such as `M4I`."""
    category, value, letter = code
    name = CATEGORIES[category]
    label = _("%(category)s %(value)s, tie letter %(letter)s")
    return {
        "category": category,
        "symbol": f"s-{category}",
        "art": f"a-{category}",
        "name": name,
        "value": value,
        "letter": letter,
        "label": label % {"category": name, "value": value, "letter": letter},
    }


def die(code: str) -> dict:
    """What `games/biblios/die.html` shows for a die such as `S5`."""
    category, value = code
    label = _("%(category)s die: %(value)s") % {"category": CATEGORIES[category], "value": value}
    return {"category": category, "symbol": f"s-{category}", "label": label, "pips": PIPS[int(value)]}


def plate() -> dict:
    """The picture on the home page: five dice under their arcade, five cards before it."""
    return {
        "dice": [die(code) for code in ("M4", "P2", "H3", "S5", "F4")],
        "cards": [card(code) for code in ("M4I", "P3E", "H2H", "S1D", "F2I")],
    }
