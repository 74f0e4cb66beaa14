"""Access to the pages of a club and of its ladders, and where others are sent."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse

from accounts.clubs import clubs
from accounts.models import Club, Right
from accounts.web import throttle
from accounts.web.guards import account_first
from games.ladders.models import Ladder
from games.ladders.pages import ladder as ladder_page


def club_or_404(request: HttpRequest, slug: str) -> Club:
    """The club at this address, if the visitor may know of it."""
    club = clubs.find(slug, request.user)
    if club is None:
        raise Http404
    return club


def ladder_or_404(request: HttpRequest, slug: str, number: int) -> tuple[Club, Ladder]:
    """The club at this address and its ladder of this number, if the visitor may know of it."""
    ladder = ladder_page.find(slug, number, request.user)
    if ladder is None:
        raise Http404
    return ladder.club, ladder


def steward_first(request: HttpRequest, club: Club, page: str, *rights: Right) -> HttpResponse | None:
    """Send people who must sign in or up to be known as stewards, and then back to `page`, the public one.

    Raises Http404 for whoever has none of these rights, as there is nothing here for them, and TooMany for others
    beyond their limit."""
    if not request.user.is_authenticated:
        return redirect_to_login(f"{page}/desk")
    if elsewhere := account_first(request, page):
        return elsewhere
    if not set(rights) & set(clubs.rights(club, request.user)):
        raise Http404
    if request.method == "POST":
        throttle.count("desk", request.user.pk)
    return None
