"""What the pages of a club and of its ladders are about: found by their addresses, for those who may know of it."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from accounts.clubs import clubs
from accounts.models import Club
from games.ladders.models import Ladder
from games.ladders.pages import ladder as ladder_page


def club_or_404(request: HttpRequest, slug: str) -> Club:
    """The club at this address, if the visitor may know of it."""
    club = clubs.find(slug, request.user)
    if club is None:
        raise Http404
    return club


def ladder_or_404(request: HttpRequest, slug: str, number: int) -> Ladder:
    """The ladder of this number of the club at this address, if the visitor may know of it."""
    ladder = ladder_page.find(slug, number, request.user)
    if ladder is None:
        raise Http404
    return ladder
