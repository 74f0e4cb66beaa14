from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext, ngettext, pgettext
from jinja2 import Environment
from markupsafe import Markup

from games.faces import biblios


def environment(**options) -> Environment:
    """The Jinja2 environment of the board: escaping on, gettext with named placeholders."""
    env = Environment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"], **options)
    env.install_gettext_callables(gettext, ngettext, newstyle=True, pgettext=pgettext)
    env.globals |= {"static": static, "url": reverse}
    env.globals |= {"sprite": lambda: static("img/sprite.svg"), "csrf": Markup("<!--csrf-->")}
    env.globals |= {"art": biblios.card_art, "label": biblios.card_label, "die": biblios.die_face, "note": biblios.note}
    return env
