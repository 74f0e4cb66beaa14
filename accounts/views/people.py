"""The people whom one follows."""

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.career import lines
from accounts.models import User
from accounts.people import following
from accounts.views.next import next_page
from accounts.views.reports import about_somebody_else
from accounts.web import throttle
from accounts.web.guards import attempt, sign_in_first
from accounts.web.requests import UserRequest


@require_POST
@about_somebody_else
def follow(request: UserRequest, person: User) -> HttpResponse:
    """Follow somebody, or no longer."""
    throttle.count("follows", request.user.pk)

    def act() -> None:
        if request.POST.get("follow") == "no":
            following.unfollow(request.user, person)
            messages.success(request, _("You no longer follow %(name)s.") % {"name": person.username})
        else:
            following.follow(request.user, person)
            messages.success(request, _("You follow %(name)s.") % {"name": person.username})

    return attempt(request, act, next_page(request) if "next" in request.POST else lines.address(person))


@never_cache
@require_safe
def followed(request: HttpRequest) -> HttpResponse:
    """Whom one follows, and who of them is online."""
    if elsewhere := sign_in_first(request, request.path):
        return elsewhere
    people = following.followed(cast(UserRequest, request).user)
    return render(request, "accounts/people/following.html", {"people": people})
