"""The paint box of all faces: their templates, and common tools."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from django.template import engines
from django.template.backends.jinja2 import Jinja2
from django.templatetags.static import static
from jinja2 import Environment, Template
from markupsafe import Markup, escape

from accounts.text import numbers
from games.faces.language import _, language, number, signed
from games.faces.slots import CSRF as CSRF
from games.faces.slots import Slot


def environment() -> Environment:
    """The Jinja environment with the templates of the board."""
    engine = engines["jinja2"]
    assert isinstance(engine, Jinja2)
    return engine.env


def gone(name: str) -> str:
    """The place at the seat of somebody without a connection where static/js/presence.js says so, and since when."""
    return f'<span class="gone" data-gone="{plain(name)}"></span>'


class PaintBox:
    """The Jinja2 templates of one folder of `templates/board`, with the functions that only they may call."""

    def __init__(self, folder: str, **tools: Any) -> None:
        self.folder = folder
        self.tools = tools
        self.templates: dict[str, Template] = {}

    def paint(self, template: str, **context: Any) -> Markup:
        """A template, drawn."""
        return Markup(self._template(template).render(context).strip())

    def slot(self, template: str, **facts: Any) -> Slot:
        """A slot that draws a template with these facts, which can be hashed."""
        return self.draw, template, *facts.items()

    def draw(self, template: str, *facts: tuple[str, Any]) -> str:
        """Paints a `slot`."""
        return self.paint(template, **dict(facts))

    def lines(self, template: str, block: str, **context: Any) -> list[str]:
        """The lines of one block of a template as text, without those that are empty."""
        drawn = self.block(template, block, **context).unescape()
        return [text for line in drawn.splitlines() if (text := line.strip())]

    def block(self, template: str, block: str, **context: Any) -> Markup:
        """One block of a template, drawn."""
        found = self._template(template)
        return Markup("".join(found.blocks[block](found.new_context(context))).strip())

    def _template(self, template: str) -> Template:
        found = self.templates.get(template)
        if found is None:
            name = f"{self.folder}/{template}"
            found = self.templates[template] = environment().get_template(name, globals=self.tools)
        return found


plain = lru_cache(maxsize=4000)(lambda text: str(escape(text)))
"""A name as it stands in HTML."""


def bdi(name: str) -> Markup:
    """A name that keeps its own direction inside a sentence."""
    return Markup("<bdi>%s</bdi>") % name


@lru_cache(maxsize=1000)
def marked(names: tuple[str, ...]) -> tuple[Markup, ...]:
    """Names as they stand in sentences."""
    return tuple([bdi(name) for name in names])


def said(text: str, /, **words: object) -> Markup:
    """A sentence with values put in, which are escaped."""
    return Markup(
        text % {word: escape(number(value) if type(value) is int else value) for word, value in words.items()}
    )


def outside(address: str, text: str, cls: str = "") -> str:
    """A link that does not leave the page, with HTML as its text: it opens in a new tab, and says so."""
    shown = f' class="{cls}"' if cls else ""
    says = _("(opens in a new tab)")
    return (
        f'<a{shown} href="{plain(address)}" target="_blank" rel="noopener">{text}'
        f'<span class="visually-hidden"> {says}</span></a>'
    )


def rating_change(before: float, after: float) -> Markup:
    """What became of a rating. A script may count from the old one to the new one (`data-count`)."""
    old, new = round(before), round(after)
    gained = new - old
    trend = "up" if gained > 0 else "down" if gained < 0 else "level"
    sign = signed(gained) if gained else "±" + number(0)
    return Markup(
        f'<span class="number change">{number(old)} → <b data-count="{old}" data-to="{new}">{number(new)}</b>'
        f' <em class="{trend}">{sign}</em></span>'
    )


def clock(ms: int) -> str:
    """Milliseconds on a clock: 7:05, 1:02:09, and days and hours if at least a day is left."""
    hours = -(-max(0, ms) // 1000) // 3600
    if hours >= 24:
        return _("%(days)s d %(hours)s h") % {"days": hours // 24, "hours": hours % 24}
    return numbers.clock(ms, language())


SPRITE = "img/sprite.svg"
"""The sprite sheet of the site."""


@cache
def sheet(path: str) -> str:
    """The address of a sprite sheet."""
    return static(path)


@cache
def use(id: str, cls: str = "", path: str = SPRITE) -> Markup:
    """A picture of a sprite sheet, hidden from screen readers."""
    shown = f' class="{cls}"' if cls else ""
    return Markup(f'<svg{shown} aria-hidden="true"><use href="{sheet(path)}#{id}"/></svg>')


def icon(id: str, cls: str = "icon") -> Markup:
    """A small picture beside words."""
    return use(f"i-{id}", cls)
