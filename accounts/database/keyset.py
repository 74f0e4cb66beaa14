"""Pages of a list, newest first, that start where the last page ended: late pages are as fast as early ones.

The order of a list is the names of the fields it is sorted by, all from high to low; together they are unique, and an
index ends with them. A cursor is the place of a row in this order, as a text for addresses: `1763770000000000-17`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db.models import DateTimeField, Model, Q, QuerySet

M = TypeVar("M", bound=Model)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class BadCursor(Exception):
    """A text that names no place in a list."""


@dataclass(frozen=True)
class Page(Generic[M]):
    rows: list[M]
    newer: str = ""
    """The cursor of the page before; empty if there is none."""
    older: str = ""


def cursor(row: Model, *order: str) -> str:
    """The place of a row; its fields are times or numbers, none of them negative."""
    values = [getattr(row, name) for name in order]
    return "-".join(str((each - EPOCH) // MICROSECOND if isinstance(each, datetime) else each) for each in values)


def place(rows: QuerySet[M], text: str, *order: str) -> list[Any]:
    """The values of the fields that a cursor names. Raises BadCursor."""
    if not re.fullmatch("-".join(["[0-9]{1,17}"] * len(order)), text, re.ASCII):
        raise BadCursor(text)
    fields = [rows.model._meta.get_field(name) for name in order]
    return [
        EPOCH + int(part) * MICROSECOND if isinstance(field, DateTimeField) else int(part)
        for field, part in zip(fields, text.split("-"), strict=True)
    ]


def beyond(order: Sequence[str], values: Sequence[Any], side: str) -> Q:
    """A condition for rows beyond a place in this order; `side` is `lt` for older rows, `gt` for newer ones."""
    (name, *names), (value, *others) = order, values
    strictly = Q(**{f"{name}__{side}": value})
    return Q(**{f"{name}__{side}e": value}) & (strictly | beyond(names, others, side)) if names else strictly


def page(rows: QuerySet[M], size: int, *order: str, older: str = "", newer: str = "") -> Page[M]:
    """At most `size` rows in this order: from the top, or those older or newer than a cursor. Raises BadCursor."""
    if newer:
        near = list(rows.filter(beyond(order, place(rows, newer, *order), "gt")).order_by(*order)[: size + 1])
        shown = near[:size][::-1]
        more_newer, more_older = len(near) > size, bool(shown)
    else:
        if older:
            rows = rows.filter(beyond(order, place(rows, older, *order), "lt"))
        near = list(rows.order_by(*(f"-{name}" for name in order))[: size + 1])
        shown = near[:size]
        more_newer, more_older = bool(older and shown), len(near) > size
    return Page(shown, cursor(shown[0], *order) if more_newer else "", cursor(shown[-1], *order) if more_older else "")
