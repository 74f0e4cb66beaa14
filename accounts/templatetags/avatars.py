from urllib.parse import quote

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.avatar import avatar

register = template.Library()
register.simple_tag(avatar)


@register.simple_tag
def player(name: str) -> SafeString:
    """The square and the name of a player, as a link to the profile."""
    return format_html(
        '<a class="who" href="/@/{}">{}<bdi class="name">{}</bdi></a>', quote(name, safe=""), avatar(name), name
    )
