"""The link to a table as a picture for the cameras of phones."""

from __future__ import annotations

from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe

BORDER = 3
"""The white margin, in modules of the code: readers need some."""


@lru_cache(maxsize=256)
def qr_code(link: str) -> SafeString:
    """An address as an SVG for a page: dark on light in every theme, as readers need it."""
    code = segno.make(link, micro=False, error="m", boost_error=False)
    return mark_safe(code.svg_inline(border=BORDER, light="#fff", omitsize=True, svgclass="room-code", lineclass=None))
