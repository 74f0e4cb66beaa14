"""The common beginning and end of views: they send on people without accounts, and show refusals."""

from collections.abc import Callable
from typing import Protocol

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode

from accounts.web.refused import Refused


class HasAddress(Protocol):
    """Anything that has a page of its own, such as a club or a match."""

    def get_absolute_url(self) -> str: ...


def sign_in_first(request: HttpRequest, back: str) -> HttpResponse | None:
    """Send visitors to sign in and then to a page, guests to sign up. None for registered users."""
    if not request.user.is_authenticated:
        return redirect_to_login(back)
    return redirect("sign_up") if request.user.guest else None


def account_first(request: HttpRequest, back: str) -> HttpResponse | None:
    """Send visitors and guests, who have no account, to sign up and then back to a page. None for registered users."""
    if not request.user.is_authenticated or request.user.guest:
        return redirect(f"/sign-up?{urlencode({'next': back})}")
    return None


def attempt(
    request: HttpRequest, act: Callable[[], HttpResponse | HasAddress | str | None], back: HasAddress | str
) -> HttpResponse:
    """Do something and redirect to the page that it returns, or back to another one, which shows why it was refused."""
    try:
        to = act() or back
    except Refused as refusal:
        messages.error(request, str(refusal))
        to = back
    return to if isinstance(to, HttpResponse) else redirect(to)
