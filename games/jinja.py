from typing import Any

from django.utils.translation import pgettext
from jinja2 import Environment
from markupsafe import Markup

from games.faces import paint
from games.faces.language import _, ngettext, number, signed
from games.faces.slots import placeholder


def environment(**options: Any) -> Environment:
    """The Jinja2 environment of boards: escaping on, gettext with named placeholders, what every face may use."""
    env = Environment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"], **options)
    env.install_gettext_callables(  # type: ignore[attr-defined]  # an extension's, put into the environment
        _, ngettext, newstyle=True, pgettext=pgettext
    )
    env.globals |= {"gettext": phrase, "ngettext": phrases}  # with numbers as they are read
    env.globals |= {
        "csrf": Markup(paint.CSRF),
        "placeholder": placeholder,
        "use": paint.use,
        "number": number,
        "signed": signed,
    }
    return env


def phrase(message: str, /, **words: Any) -> Markup:
    """A sentence with values put in."""
    return paint.said(_(message), **words)


def phrases(singular: str, plural: str, count: int, /, **words: Any) -> Markup:
    """A sentence in the form that fits a number, with values put in."""
    return paint.said(ngettext(singular, plural, count), **words)
