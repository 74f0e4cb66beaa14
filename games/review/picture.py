"""The picture of a result, as previews of links show it: only of finished games that anybody may see."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from accounts.web import throttle
from games.faces.language import drawing
from games.faces.lettering import fonts
from games.faces.registry import face_of
from games.matches import access
from games.matches.models import Match
from games.table import present

KEPT = 64
"""The number of pictures that each process keeps; 70 kB each."""
KEPT_S = 24 * 3600
"""How long others may reuse one without asking: names in it may still be changed or forgotten."""
WAIT_S = 10
"""How long a request waits for its turn: a process draws one at a time."""
DRAW_S = 20
WAITING = 3
"""So many requests may be here at a time, the others are put off: each of them holds a connection to the database."""

_kept: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
_room = threading.BoundedSemaphore(WAITING)
_turn = threading.Lock()


@require_safe
def result(request: HttpRequest, key: str) -> HttpResponse:
    """The picture; for whoever asks, as long as anybody may see the match."""
    match = access.find(key)
    if match is None or match.status != Match.Status.FINISHED or not access.may_see(match, None):
        raise Http404
    name = (match.key, *[seat.shown_name for seat in match.sitting])
    drawn = _kept.get(name)
    if drawn is None:
        throttle.count("reviews", throttle.visitor(request))
        with my_turn() as mine:
            if not mine:
                return HttpResponse(status=503, headers={"Retry-After": str(WAIT_S)})
            drawn = _kept.get(name) or draw(match)
            _kept[name] = drawn
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    response = HttpResponse(drawn, content_type="image/png")
    patch_cache_control(response, public=True, max_age=KEPT_S)
    return response


@contextmanager
def my_turn() -> Iterator[bool]:
    """Waits until nobody else draws; False if that takes too long, or too many wait already."""
    if not _room.acquire(blocking=False):
        yield False
        return
    try:
        mine = _turn.acquire(timeout=WAIT_S)
        try:
            yield mine
        finally:
            if mine:
                _turn.release()
    finally:
        _room.release()


def draw(match: Match) -> bytes:
    """The picture as PNG, in the site's own language: nobody knows who will look at it."""
    assert match.ended_at
    site = settings.SITE_URL.partition("//")[2]
    with translation.override(settings.LANGUAGE_CODE), drawing():
        when = date_format(match.ended_at, "DATE_FORMAT")
        svg = face_of(match.rules).poster(present.MatchSnapshot(match).watched, when, f"{site}/m/{match.key}")
    program = [sys.executable, "-I", str(Path(__file__).with_name("rasterize.py")), *fonts()]
    return subprocess.run(program, input=svg.encode(), capture_output=True, timeout=DRAW_S, check=True).stdout
