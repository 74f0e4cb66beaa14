"""Somebody else: who they are to a visitor with an account, and the people whom one follows."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.actions import action, page, sign_in_first
from accounts.career.views import person_or_404
from accounts.models import User
from accounts.people import following
from accounts.views.next import next_page
from accounts.web.requests import UserRequest


def somebody_else(request: HttpRequest, username: str) -> User:
    """The person of this name, if they have an account and are not the visitor."""
    return other_or_404(request, person_or_404(username))


def somebody_met(request: HttpRequest, username: str) -> User:
    """The person of this name, who may be a guest met at a table, if they are not the visitor."""
    return other_or_404(request, person_or_404(username, guests=True))


def other_or_404(request: HttpRequest, person: User) -> User:
    if person.closed or person == request.user:
        raise Http404
    return person


def where_it_was(request: HttpRequest, person: User) -> str:
    """The page on which a button of their own was pressed."""
    return next_page(request, person.get_absolute_url())


@action(somebody_else, sign_in_first, limit="follows", to=where_it_was)
def follow(request: UserRequest, person: User) -> str:
    """Follow somebody, or no longer."""
    if request.POST.get("follow") == "no":
        following.unfollow(request.user, person)
        return _("You no longer follow %(name)s.") % {"name": person.username}
    following.follow(request.user, person)
    return _("You follow %(name)s.") % {"name": person.username}


@page(None, sign_in_first)
def followed(request: UserRequest) -> HttpResponse:
    """Whom one follows, and who of them is online."""
    return render(request, "accounts/people/following.html", {"people": following.followed(request.user)})
