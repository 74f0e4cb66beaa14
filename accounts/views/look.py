"""The language and the theme of the pages: for everybody, kept in a cookie and with the account."""

from django.conf import settings
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.views.next import next_page
from biblios_site.context import THEMES

YEAR_S = 365 * 24 * 3600


@require_POST
def theme(request):
    """Changes the theme; without `next` in the form the answer is empty."""
    chosen = request.POST.get("theme")
    if chosen not in THEMES:
        return HttpResponseBadRequest()
    if request.user.is_authenticated:
        request.user.theme = chosen
        request.user.save(update_fields=["theme"])
    response = redirect(next_page(request)) if "next" in request.POST else HttpResponse(status=204)
    keep_theme(response, chosen)
    return response


@require_POST
def language(request):
    """Changes the language of the pages."""
    chosen = request.POST.get("language")
    if chosen not in dict(settings.LANGUAGES):
        return HttpResponseBadRequest()
    if request.user.is_authenticated:
        request.user.language = chosen
        request.user.save(update_fields=["language"])
    response = redirect(next_page(request))
    keep_language(response, chosen)
    return response


def keep_theme(response, chosen: str) -> None:
    """The browser remembers the theme."""
    response.set_cookie("theme", chosen, max_age=YEAR_S, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax")


def keep_language(response, chosen: str) -> None:
    """The browser remembers the language, in a cookie; empty: it goes by its own wishes again."""
    name = settings.LANGUAGE_COOKIE_NAME
    if chosen:
        response.set_cookie(name, chosen, max_age=YEAR_S, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax")
    else:
        response.delete_cookie(name, samesite="Lax")
