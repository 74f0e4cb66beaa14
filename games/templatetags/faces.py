"""What pages ask of the faces of games."""

from collections.abc import Mapping

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.engine.registry import title
from games.faces.registry import face_of

register = template.Library()


@register.simple_tag
def statistics(game: str, won: Mapping[str, int], games: int) -> SafeString:
    """What was won in so many games of a title: `won` counts by code."""
    face = face_of(title(game))
    return render_to_string(f"board/{face.slug}/statistics.html", face.statistics(won, games))
