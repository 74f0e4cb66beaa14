"""Texts that people have written, on a page."""

from django import template
from django.utils.html import Urlizer, linebreaks
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


class Linking(Urlizer):
    """Addresses become links that open beside the site, and that no search engine counts as ours."""

    url_template = '<a href="{href}" rel="nofollow ugc noopener" target="_blank">{url}</a>'


linking = Linking()


@register.filter
def linked(text: str) -> SafeString:
    """A text as paragraphs, escaped, with links for the addresses in it."""
    return mark_safe(linebreaks(linking(str(text), autoescape=True)))  # the linking escapes
