"""Tags that ask the faces of games."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine.core import Game
from games.faces.registry import FACES, face_of

register = template.Library()


@register.simple_tag
def pictures(patterns: object = False) -> SafeString:
    """The style sheets of the small pictures of all games, which any page may show; with `patterns`, of those too."""
    sheets = [sheet for face in FACES.values() for sheet in (*face.styles, *(face.pattern_styles if patterns else ()))]
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', [(static(sheet),) for sheet in sheets])


@register.filter
def game_name(game: Game) -> str:
    """What a game is called."""
    return str(face_of(game).name)


@register.simple_tag
def description() -> str:
    """What the site is about, in a sentence or two."""
    games = ", ".join(str(face.name) for face in FACES.values())
    return _(
        "Card games of books and libraries: %(games)s. Play free in your browser, with people, with bots or alone."
    ) % {"games": games}
