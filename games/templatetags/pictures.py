"""Pictures of the site's sprite sheet."""

from django import template
from markupsafe import Markup

from games.faces.paint import use

register = template.Library()


@register.simple_tag
def symbol(id: str, cls: str = "") -> Markup:
    """A picture, hidden from screen readers."""
    return use(id, cls)
