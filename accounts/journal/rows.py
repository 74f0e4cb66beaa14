"""The rows of journals: what has happened, or was decided. Appended, never changed or deleted."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, NoReturn, Self, TypeVar

from django.conf import settings
from django.db import models

from accounts.journal import chain
from accounts.journal.payload import Payload
from accounts.signals import journal_appended


def new_origin() -> bytes:
    """16 random bytes, with which the chain of a new journal begins."""
    return secrets.token_bytes(16)


class JournalRow(models.Model):
    """A row of a journal. The database itself refuses to change or delete it."""

    kind = models.CharField(max_length=16)
    """The kind of its payload."""
    at = models.DateTimeField()
    """When it takes effect: when it was due, if the clock did it; otherwise when it was entered."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    """The person who did it; None if the clock, or a table, did."""
    data = models.JSONField(default=dict)
    """Its payload, as JSON: see `accounts.journal.payload`."""
    reason = models.CharField(max_length=500, blank=True)
    """The reason given by a steward."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("a row of a journal is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("a row of a journal is never deleted")

    @classmethod
    def of(cls, payload: Payload, **columns: Any) -> Self:
        """A row that says this, not yet written."""
        return cls(kind=payload.kind, data=payload.to_json(), **columns)


class ChainedRow(JournalRow):
    """A row of a journal about one thing, with its number there and its link in the chain."""

    number = models.PositiveIntegerField()
    """The index of the row, from 0."""
    link = models.BinaryField(max_length=32, editable=False)

    MORE: ClassVar[tuple[str, ...]] = ()
    """Further columns that its link covers."""

    class Meta:
        abstract = True

    @property
    def columns(self) -> dict[str, Any]:
        """Everything that its link covers."""
        return {
            "number": self.number,
            "kind": self.kind,
            "at": chain.microseconds(self.at),
            "by": self.by_id,
            "data": self.data,
            "reason": self.reason,
            **{name: getattr(self, name) for name in self.MORE},
        }


Row = TypeVar("Row", bound=ChainedRow)


def append(rows: Sequence[Row], log: models.Manager[Row], origin: bytes | memoryview) -> None:
    """Write these as the next rows of a journal, under the lock of what it is about: two queries."""
    if not rows:
        return
    last = log.filter(number=rows[0].number - 1).values_list("link", flat=True).first()
    link = chain.first_link(bytes(origin)) if last is None else bytes(last)
    for row in rows:
        row.link = link = chain.next_link(link, row.columns)
    log.bulk_create(rows)
    journal_appended.send(type(rows[0]), rows=rows)


def links(rows: Iterable[ChainedRow], origin: bytes | memoryview) -> Iterator[bytes]:
    """The link that each of these rows has, all of a journal in order, if none was changed."""
    link = chain.first_link(bytes(origin))
    for row in rows:
        link = chain.next_link(link, row.columns)
        yield link


def first_changed(rows: Iterable[ChainedRow], origin: bytes | memoryview) -> int | None:
    """The number of the first row whose link does not follow from it and the link before; None if every one does."""
    rows = list(rows)
    return next(
        (row.number for row, link in zip(rows, links(rows, origin), strict=True) if bytes(row.link) != link), None
    )
