from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import pgettext
from jinja2 import Environment
from markupsafe import Markup

from games.faces import biblios
from games.faces.language import _, ngettext


def environment(**options) -> Environment:
    """The Jinja2 environment of the board: escaping on, gettext with named placeholders."""
    env = Environment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"], **options)
    env.install_gettext_callables(_, ngettext, newstyle=True, pgettext=pgettext)
    env.globals |= {"static": static, "url": reverse}
    env.globals |= {"sprite": biblios.sprite, "csrf": Markup("<!--csrf-->"), "slot": biblios.SLOT}
    env.globals |= {
        "art": biblios.card_art,
        "label": biblios.card_label,
        "card": biblios.picture,
        "die": biblios.die_face,
        "note": biblios.note,
    }
    env.globals |= {"use": biblios.use, "icon": biblios.icon, "symbol": biblios.symbol}
    env.globals["clock"] = biblios.clock
    return env
