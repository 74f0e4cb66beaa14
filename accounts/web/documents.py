"""Documents that programs ask for again and again: they are sent only if they have changed."""

from __future__ import annotations

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control


def answer(request: HttpRequest, body: bytes, kind: str, *, fresh_s: int) -> HttpResponseBase:
    """The document, or that it has not changed (304), by its `ETag`: it has no date, which what is deleted would not
    change. `fresh_s`: how long nobody needs to ask again. Shared caches keep none: it comes with the cookies of whoever
    asked."""
    response = HttpResponse(body, content_type=kind)
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    response["ETag"] = etag
    response["X-Robots-Tag"] = "noindex"
    patch_cache_control(response, private=True, max_age=fresh_s)
    return get_conditional_response(request, etag=etag, response=response) or response
