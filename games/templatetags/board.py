from collections.abc import Iterable

from django import template
from django.template import RequestContext
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from games.faces import paint
from games.matches.models import ChatLine
from games.table.board import CSRF, chat_line

register = template.Library()


@register.simple_tag(takes_context=True)
def element(context: RequestContext, id: str) -> SafeString:
    """An element of the board, its forms with the token that a browser without scripts needs."""
    elements: dict[str, str] = context["elements"]
    token = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', context.get("csrf_token", ""))
    return mark_safe(elements[id].replace(CSRF, token))


@register.simple_tag
def chat_lines(lines: Iterable[ChatLine]) -> SafeString:
    """The lines of the chat."""
    return format_html_join("", "{}", ((chat_line(line),) for line in lines))


@register.simple_tag
def outside(address: str, text: str, cls: str = "") -> SafeString:
    """A link that opens in a new tab, and says so."""
    return mark_safe(paint.outside(address, escape(text), cls))
