"""Tags that ask the faces of games."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.engine.registry import title
from games.faces.registry import FACES, face_of

register = template.Library()


@register.simple_tag
def pictures() -> SafeString:
    """The style sheets of the small pictures of all games, which any page may show."""
    sheets = [(static(sheet),) for face in FACES.values() for sheet in face.styles]
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', sheets)


@register.simple_tag
def description() -> str:
    """What the site is about, in a sentence or two: as the first game says it."""
    return str(face_of(title()).description)
