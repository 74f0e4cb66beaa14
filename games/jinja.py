from functools import cache

from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import pgettext
from jinja2 import Environment
from markupsafe import Markup

from games.faces import biblios
from games.faces.language import _, ngettext


@cache
def sprite() -> str:
    """The address of the pictures."""
    return static("img/sprite.svg")


def environment(**options) -> Environment:
    """The Jinja2 environment of the board: escaping on, gettext with named placeholders."""
    env = Environment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"], **options)
    env.install_gettext_callables(_, ngettext, newstyle=True, pgettext=pgettext)
    env.globals |= {"static": static, "url": reverse}
    env.globals |= {"sprite": sprite, "csrf": Markup("<!--csrf-->")}
    env.globals |= {"art": biblios.card_art, "label": biblios.card_label, "die": biblios.die_face, "note": biblios.note}
    env.globals["clock"] = biblios.clock
    return env
