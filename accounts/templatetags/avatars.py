from urllib.parse import quote

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.avatar import avatar as letter_and_pattern

register = template.Library()


@register.simple_tag
def avatar(name: str) -> SafeString:
    """The square of a player. The name itself must stand beside it."""
    letter, pattern = letter_and_pattern(name)
    return format_html('<span class="avatar {}" aria-hidden="true">{}</span>', pattern, letter)


@register.simple_tag
def player(name: str) -> SafeString:
    """The square and the name of a player, as a link to the profile."""
    return format_html(
        '<a class="who" href="/@/{}">{}<bdi class="name">{}</bdi></a>', quote(name, safe=""), avatar(name), name
    )
