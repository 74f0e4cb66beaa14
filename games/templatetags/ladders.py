"""Values for sentences about ladders and their challenges."""

from collections.abc import Iterable

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.ladders.words import rules
from games.ladders.words.events import put

register = template.Library()
register.filter(rules.days)
register.filter(rules.rungs)
register.filter(rules.challenges)


@register.filter
def bold_names(names: Iterable[str]) -> SafeString:
    """Several names in a sentence."""
    return format_html_join(", ", "<b><bdi>{}</bdi></b>", ((name,) for name in names))


@register.filter
def rung_moves(moves: Iterable[tuple[str, int, int]]) -> SafeString:
    """Moves on the ladder: the names, each with the rungs from and to."""
    one = _("%(name)s from rung %(before)d to %(after)d")
    named = ((format_html("<bdi>{}</bdi>", name), before, after) for name, before, after in moves)
    return format_html_join(", ", "{}", ((put(one, name=n, before=b, after=a),) for n, b, a in named))
