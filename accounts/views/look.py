"""The buttons for theme and language on every page."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts import services
from accounts.models import User
from accounts.people.look import keep_language, keep_theme
from accounts.views.next import next_page


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Changes the theme; without `next` in the form the answer is empty."""
    chosen = request.POST.get("theme", "")
    if chosen not in User.Theme.values:
        return HttpResponseBadRequest()
    if request.user.is_authenticated:
        services.change_look(request.user, chosen, request.user.language)
    response = redirect(next_page(request)) if "next" in request.POST else HttpResponse(status=204)
    keep_theme(response, chosen)
    return response


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Changes the language of the pages."""
    chosen = request.POST.get("language", "")
    if chosen not in dict(settings.LANGUAGES):
        return HttpResponseBadRequest()
    if request.user.is_authenticated:
        services.change_look(request.user, request.user.theme, chosen)
    response = redirect(next_page(request))
    keep_language(response, chosen)
    return response
