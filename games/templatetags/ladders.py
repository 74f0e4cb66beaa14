"""Values for sentences about ladders and their challenges."""

from collections.abc import Iterable

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.ladders.words import rules

register = template.Library()
register.filter(rules.days)
register.filter(rules.rungs)
register.filter(rules.challenges)


@register.filter
def bold_names(names: Iterable[str]) -> SafeString:
    """Several names in a sentence."""
    return format_html_join(", ", "<b><bdi>{}</bdi></b>", ((name,) for name in names))
