from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django import template
from django.template import RequestContext
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from games.faces import paint
from games.matches.chat import PHRASES
from games.table.board import CSRF, chat_lines

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

register = template.Library()


@register.simple_tag(takes_context=True)
def element(context: RequestContext, id: str) -> SafeString:
    """An element of the board, its forms with the token that a browser without scripts needs."""
    elements: dict[str, str] = context["elements"]
    token = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', context.get("csrf_token", ""))
    return mark_safe(elements[id].replace(CSRF, token))


register.simple_tag(chat_lines)


@register.simple_tag
def phrases() -> Iterable[tuple[str, StrOrPromise]]:
    """What can be said with one press: name and words."""
    return PHRASES.items()


@register.simple_tag
def outside(address: str, text: str, cls: str = "") -> SafeString:
    """A link that opens in a new tab, and says so."""
    return mark_safe(paint.outside(address, escape(text), cls))
