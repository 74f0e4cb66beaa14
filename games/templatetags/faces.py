"""What pages ask of the faces of games."""

from collections.abc import Mapping

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.engine.registry import title
from games.faces.registry import FACES, face_of

register = template.Library()


@register.simple_tag
def statistics(game: str, won: Mapping[str, int], games: int) -> SafeString:
    """What was won in so many games of a title: `won` counts by code."""
    face = face_of(title(game))
    return render_to_string(f"board/{face.slug}/statistics.html", face.statistics(won, games))


@register.simple_tag
def pictures() -> SafeString:
    """The style sheets of the small pictures of all games, which any page may show."""
    sheets = [(static(sheet),) for face in FACES.values() for sheet in face.styles]
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', sheets)
