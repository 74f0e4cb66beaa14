"""Downloads of matches that have ended: one as a record or as text, all of a person's as JSON lines."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.career.views import person_or_404
from accounts.database import keyset
from accounts.models import ArchivedMatch, User
from accounts.web import throttle
from accounts.web.requests import Visitor
from games.matches import access, history
from games.review import page as review
from games.review import records
from games.table import present
from games.table.views import ended_or_404

AT_ONCE = 4
"""The number of matches read and written in one go."""


@require_safe
@cache_control(private=True)
def record(request: HttpRequest, key: str) -> HttpResponse:
    """A match as one JSON document that programs can replay."""
    match = ended_or_404(request, key)
    review.count(request, match, review.ALL)
    document = records.document(match, history.replay(match), present.rating_changes(match))
    response = HttpResponse(written(document) + "\n", content_type="application/json")
    response["Content-Disposition"] = f'inline; filename="{match.game}-{match.key}.json"'
    return response


@require_safe
@cache_control(private=True)
def text(request: HttpRequest, key: str) -> HttpResponse:
    """A match as text to read."""
    match = ended_or_404(request, key)
    review.count(request, match, review.ALL)
    response = HttpResponse(records.text(match), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{match.game}-{match.key}.txt"'
    return response


@require_safe
def games(request: HttpRequest, username: str) -> StreamingHttpResponse:
    """All finished games of a person that the visitor may see, newest first: one record a line."""
    person = person_or_404(username)
    if person.closed:
        raise Http404
    throttle.count("exports", throttle.visitor(request))
    response = StreamingHttpResponse(lines(person, request.user), content_type="application/jsonl")
    response["Content-Disposition"] = f'attachment; filename="games-{person.pk}.jsonl"'
    return response


async def lines(person: User, viewer: Visitor) -> AsyncIterator[str]:
    """The records of the person's matches that a viewer may see, a few read at a time."""
    older = ""
    while True:
        text, older = await sync_to_async(some_lines)(person, viewer, older)
        if text:
            yield text
        if not older:
            return


def some_lines(person: User, viewer: Visitor, older: str) -> tuple[str, str]:
    """The next few records, and the cursor of the rest; empty if there is none.

    Gives the connection to the database back: the client may read as slowly as it likes.
    """
    rows = ArchivedMatch.objects.filter(user=person)  # index accounts_archive_page
    page = keyset.page(rows, AT_ONCE, "ended_at", "id", older=older)
    keys = [row.match for row in page.rows]
    closed = access.closed_keys(keys, viewer)
    documents = records.documents([key for key in keys if key not in closed])
    text = "".join(written(document) + "\n" for document in documents)
    if not connection.in_atomic_block:
        connection.close()
    return text, page.older


def written(document: dict[str, Any]) -> str:
    """A document as JSON in one line."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
