"""The pages and documents of the public log, and the proof that a match or a ladder is in it."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from accounts.actions import page
from accounts.web import throttle
from games.ladders.models import Ladder
from games.ladders.views.access import ladder_or_404
from games.table.views import match_or_404, open_match_or_404
from games.transparency import checkpoint, documents, stored
from games.transparency import feed as atom
from games.transparency import receipt as receipts
from games.transparency.checkpoint import Checkpoint
from games.transparency.models import TreeHead, TreeLeaf

FRESH_S = 300
"""How long a browser may keep a document that can grow ..."""
FIXED_S = 86_400
"""... and one that cannot."""
SHOWN = 14
"""The number of days on the page."""


@require_safe
@cache_control(private=True)
def show(request: HttpRequest) -> HttpResponse:
    """What the log is, its latest heads, and how to check it."""
    throttle.count("log", throttle.address(request))
    heads = list(TreeHead.objects.order_by("-day")[:SHOWN])
    key = checkpoint.written(Checkpoint.read(heads[0].note).key) if heads else ""
    latest, replacing = heads[0] if heads else None, TreeHead.objects.filter(note__contains="\nreplaces ")
    context = {"heads": heads, "latest": latest, "key": key, "replacing": list(replacing)}
    return render(request, "transparency/log.html", context)


@require_safe
def heads(request: HttpRequest) -> HttpResponse:
    """The latest heads, or those before a day."""
    before = request.GET.get("before", "")
    return public(request, documents.heads(day(before) if before else None), FRESH_S)


@require_safe
def head(request: HttpRequest, written: str) -> HttpResponse:
    """The head of one day."""
    found = TreeHead.objects.filter(day=day(written)).first()
    if found is None:
        raise Http404
    return public(request, {"heads": [documents.head(found)]}, FIXED_S)


@require_safe
def consistency(request: HttpRequest, old: int, new: int) -> HttpResponse:
    """The proof that the tree of one size begins the tree of another."""
    if not old <= new <= size():
        raise Http404
    return public(request, documents.consistency(old, new), FIXED_S)


@require_safe
def hashes(request: HttpRequest, page: int) -> HttpResponse:
    """A page of the hashes of all leaves, one a line."""
    throttle.count("log", throttle.address(request))
    whole = size()
    if page * documents.HASHES > whole:
        raise Http404
    lines = documents.hashes(page, whole)
    response = HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")
    full = len(lines) == documents.HASHES
    patch_cache_control(response, private=True, max_age=FIXED_S if full else FRESH_S)
    return response


@require_safe
def feed(request: HttpRequest) -> HttpResponse:
    """The heads as an Atom feed."""
    throttle.count("log", throttle.address(request))
    response = HttpResponse(atom.latest(), content_type="application/atom+xml; charset=utf-8")
    patch_cache_control(response, private=True, max_age=FRESH_S)
    return response


@require_safe
@cache_control(private=True)
def match(request: HttpRequest, key: str) -> HttpResponse:
    """The proof that a match is in the log, for whoever may see it."""
    return proof(TreeLeaf.objects.filter(match=open_match_or_404(request, key)).first())


@cache_control(private=True)
@page(ladder_or_404)
def ladder(request: HttpRequest, found: Ladder) -> HttpResponse:
    """The proof that a ladder is in the log as it last was, for whoever may see it."""
    return proof(found.leaves.order_by("-index").first())


@never_cache
@require_safe
def receipt(request: HttpRequest, key: str) -> HttpResponse:
    """What the site says of the match now, to be kept."""
    match = match_or_404(request, key)
    if match.started_at is None:
        raise Http404
    throttle.count("receipts", throttle.visitor(request))
    response = JsonResponse(receipts.document(match), json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{match.game}-{match.key}-{match.ply}-receipt.json"'
    return response


def proof(leaf: TreeLeaf | None) -> HttpResponse:
    """The proof for a leaf by the latest head; Http404 before it is in it."""
    last = stored.latest()
    if leaf is None or last is None or leaf.index >= last.size:
        raise Http404
    return JsonResponse(documents.inclusion(leaf, last))


def public(request: HttpRequest, document: dict[str, Any], seconds: int) -> HttpResponse:
    """A document that everybody may read. Shared caches keep none: it comes with the cookies of whoever asked."""
    throttle.count("log", throttle.address(request))
    response = JsonResponse(document)
    patch_cache_control(response, private=True, max_age=seconds)
    return response


def size() -> int:
    """The number of leaves under the latest head."""
    last = stored.latest()
    return last.size if last else 0


def day(written: str) -> date:
    """The day of an address. Raises Http404."""
    try:
        return date.fromisoformat(written)
    except ValueError as error:
        raise Http404 from error
