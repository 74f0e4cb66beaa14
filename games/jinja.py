from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import pgettext
from jinja2 import Environment
from markupsafe import Markup

from games.faces.biblios import art
from games.faces.language import _, ngettext


def environment(**options) -> Environment:
    """The Jinja2 environment of the board: escaping on, gettext with named placeholders."""
    env = Environment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"], **options)
    env.install_gettext_callables(_, ngettext, newstyle=True, pgettext=pgettext)
    env.globals |= {"static": static, "url": reverse}
    env.globals |= {"sprite": art.sprite, "csrf": Markup("<!--csrf-->"), "slot": art.SLOT}
    env.globals |= {
        "art": art.card_art,
        "label": art.card_label,
        "card": art.picture,
        "die": art.die_face,
        "note": art.note,
    }
    env.globals |= {"use": art.use, "icon": art.icon, "symbol": art.symbol}
    env.globals["clock"] = art.clock
    return env
