"""Pages of a list, newest first, that start where the last page ended: late pages are as fast as early ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class BadCursor(Exception):
    """A text that names no place in a list."""


@dataclass(frozen=True)
class Page:
    rows: list[Any]
    newer: str = ""
    """The cursor of the page before; empty if there is none."""
    older: str = ""


def cursor(row: Any) -> str:
    """The place of a row in the order of `ended_at` and `id`."""
    return f"{(row.ended_at - EPOCH) // timedelta(microseconds=1)}-{row.pk}"


def place(text: str) -> tuple[datetime, int]:
    """The `ended_at` and `id` that a cursor names. Raises BadCursor."""
    if not re.fullmatch(r"[0-9]{1,17}-[0-9]{1,18}", text, re.ASCII):
        raise BadCursor(text)
    micros, pk = map(int, text.split("-"))
    return EPOCH + timedelta(microseconds=micros), pk


def page(rows: QuerySet[Any], size: int, *, older: str = "", newer: str = "") -> Page:
    """At most `size` rows, newest first: from the top, or those older or newer than a cursor.

    Needs an index that ends with (-ended_at, -id). Raises BadCursor.
    """
    if newer:
        at, pk = place(newer)
        found = rows.filter(Q(ended_at__gt=at) | Q(id__gt=pk), ended_at__gte=at).order_by("ended_at", "id")
        near = list(found[: size + 1])
        shown = near[:size][::-1]
        more_newer, more_older = len(near) > size, bool(shown)
    else:
        if older:
            at, pk = place(older)
            rows = rows.filter(Q(ended_at__lt=at) | Q(id__lt=pk), ended_at__lte=at)
        near = list(rows.order_by("-ended_at", "-id")[: size + 1])
        shown = near[:size]
        more_newer, more_older = bool(older and shown), len(near) > size
    return Page(shown, cursor(shown[0]) if more_newer else "", cursor(shown[-1]) if more_older else "")
