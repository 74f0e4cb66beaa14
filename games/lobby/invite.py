"""The link to a table: as a picture for the cameras of phones, and what messengers show of it."""

from __future__ import annotations

from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.matches.models import Match
from games.table.preview import Preview

BORDER = 3
"""The white margin, in modules of the code: readers need some."""


@lru_cache(maxsize=256)
def qr_code(link: str) -> SafeString:
    """An address as an SVG for a page: dark on light in every theme, as readers need it."""
    code = segno.make(link, micro=False, error="m", boost_error=False)
    return mark_safe(code.svg_inline(border=BORDER, light="#fff", omitsize=True, svgclass="room-code", lineclass=None))


def preview(match: Match, link: str) -> Preview:
    """What messengers show of the link to a table by link: who invites to what."""
    host = next((seat.shown_name for seat in match.sitting if seat.user_id == match.host_id), "")
    title = _("%(name)s invites you to a game of %(game)s") % {"name": host, "game": match.game_name}
    return Preview(title, _("Open the link and take the seat: the game starts when all are there."), link)
