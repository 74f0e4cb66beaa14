from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from accounts.web.requests import HtmxRequest
from biblios_site.turns import STATUS

GetResponse = Callable[[HttpRequest], HttpResponse]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; img-src 'self' data:; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ABILITIES = (
    *("accelerometer", "camera", "display-capture", "encrypted-media", "fullscreen", "gamepad", "geolocation"),
    *("gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment"),
    *("picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
)
"""Browser features that these pages do not use. (They copy to the clipboard and, after a click, make sounds.)"""


def headers(get_response: GetResponse) -> GetResponse:
    """Forbid, with every answer, what its page does not need: inline script and style, content from other sites, being
    framed or read by other sites, features of the device. Unless it says otherwise, only its browser may cache it.

    Headers that a view has set itself stay. What Django exempts from X-Frame-Options is exempt here too.
    """
    fixed = {
        "Content-Security-Policy": POLICY,
        "Permissions-Policy": ", ".join(f"{ability}=()" for ability in ABILITIES),
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    framed = {
        **fixed,
        "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
        "Cross-Origin-Resource-Policy": "cross-origin",
    }

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        exempt = getattr(response, "xframe_options_exempt", False)
        for name, value in (framed if exempt else fixed).items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    return middleware


def nobody(get_response: GetResponse) -> GetResponse:
    """Let whoever asks for the status be nobody: who they are would have to be asked of a database that may be away."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path == STATUS:
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        return get_response(request)

    return middleware


def page_of(htmx: HtmxDetails) -> tuple[str, str] | None:
    """Path and query of the page from which htmx says that a request came; None if it says nothing that makes sense."""
    try:
        here = urlsplit(htmx.current_url_abs_path or "")
    except ValueError:
        return None
    return here.path, here.query


def boosted(get_response: GetResponse) -> GetResponse:
    """Let the answer to a request of htmx replace the page's content only if it is the same page; to any other page,
    with styles and scripts of its own, the browser navigates."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        htmx = cast(HtmxRequest, request).htmx
        if htmx and "Location" in response.headers:
            there = urlsplit(to := response.headers["Location"])
            if page_of(htmx) != (there.path, there.query):
                del response.headers["Location"]
                response.headers["HX-Redirect"] = to
                response.status_code = 204
        return response

    return middleware


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # it has no types
    """Serves static files, each read whole.

    WhiteNoise streams them with a synchronous iterator, which Django warns of under ASGI.
    """

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file:
            with found.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response
