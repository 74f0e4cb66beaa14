from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from games.table.board import CSRF, chat_line

register = template.Library()


@register.simple_tag(takes_context=True)
def region(context, id):
    """A region of the board, its forms with the token that a browser without scripts needs."""
    token = format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', context.get("csrf_token", ""))
    return mark_safe(context["regions"][id].replace(CSRF, token))


@register.simple_tag
def chat_lines(lines):
    """The lines of the chat."""
    return format_html_join("", "{}", ((chat_line(line),) for line in lines))
