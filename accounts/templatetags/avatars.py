from urllib.parse import quote

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.people.avatar import Worn, avatar

register = template.Library()
register.simple_tag(avatar)


@register.simple_tag
def player(name: str, worn: str = "") -> SafeString:
    """The square and the name of a player, as a link to the profile; `worn` is their `User.avatar`."""
    return format_html(
        '<a class="who" href="/@/{}">{}<bdi class="name">{}</bdi></a>', quote(name, safe=""), avatar(name, worn), name
    )


@register.simple_tag
def worn_as(name: str, part: str, value: str, worn: Worn) -> SafeString:
    """The square of a player who would choose this value of one part of their avatar."""
    return avatar(name, str(worn._replace(**{part: value})))
