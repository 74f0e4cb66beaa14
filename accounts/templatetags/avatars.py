from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.clubs.arms import shield
from accounts.models import User
from accounts.people.avatar import Worn, avatar
from accounts.shown import PlayerShown

register = template.Library()
register.simple_tag(avatar)
register.simple_tag(shield)


@register.simple_tag
def player(person: PlayerShown | User, address: str = "") -> SafeString:
    """The square and the name of somebody, as a link to another page of theirs or to the profile, if they have one."""
    shown = PlayerShown.of(person) if isinstance(person, User) else person
    if not (link := address or shown.address):
        return format_html('<span class="who">{}<bdi class="name">{}</bdi></span>', shown.square, shown.name)
    return format_html('<a class="who" href="{}">{}<bdi class="name">{}</bdi></a>', link, shown.square, shown.name)


@register.simple_tag
def worn_as(name: str, part: str, value: str, worn: Worn) -> SafeString:
    """The square of a player who would choose this value of one part of their avatar."""
    return avatar(name, str(worn._replace(**{part: value})))
