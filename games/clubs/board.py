"""The pages of a club's board, and of the comments on its events and tournaments."""

from __future__ import annotations

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.actions import account_first, action, page
from accounts.clubs import clubs
from accounts.database import keyset
from accounts.models import Club, Member, Right, User
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest
from games.board import services
from games.board.models import Post
from games.clubs.calendar import page as calendar_page
from games.ladders.views.access import club_or_404
from games.tournaments import events
from games.tournaments import page as tournament_page
from games.tournaments.models import Tournament

PAGE = 30
"""The number of posts on a page."""


class CommentedOn(NamedTuple):
    """What is commented on."""

    title: str
    address: str
    takes_part: list[int]
    shut: bool
    """Whether nobody may comment yet."""


def topic(club: Club, user: User, under: str) -> CommentedOn:
    """What a member comments on. Raises Http404 if there is no such thing that they may know of."""
    room, _slash, number = under.partition("/")
    if not number.isdecimal() or len(number) > 9:
        raise Http404
    tournament = None
    if room == "calendar":
        event = calendar_page.visible(club, member=True).filter(pk=int(number)).first()
        if event is None or under != f"calendar/{event.pk}":
            raise Http404
        tournament = Tournament.objects.filter(calendar=event).first()
        if tournament is None:
            coming = [answer.user_id for answer in event.answers.all() if answer.comes != "no"]
            event.club = club
            return CommentedOn(event.title, event.get_absolute_url(), coming, False)
    elif room == "tournaments":
        tournament = tournament_page.find(club.slug, int(number), user)
    if tournament is None or tournament.comments != under:
        raise Http404
    here = list(events.standing(tournament).here)
    return CommentedOn(tournament.name, tournament.get_absolute_url(), here, tournament.comments_shut)


def shown(club: Club, member: Member, older: str, newer: str) -> dict[str, object]:
    """A page of the board as a member sees it. Raises Http404 for a wrong cursor."""
    try:
        found = keyset.page(services.posts(club, member.user_id), PAGE, "id", older=older, newer=newer)
    except keyset.BadCursor as error:
        raise Http404 from error
    return {
        "posts": found.rows,
        "newer": found.newer and urlencode({"newer": found.newer}),
        "older": found.older and urlencode({"older": found.older}),
        "may_delete": Right.ANNOUNCEMENTS in member.may,
    }


def written_or_404(request: HttpRequest, slug: str) -> Club:
    """The club at this address, if the visitor may know of it, or has written there."""
    if request.user.is_authenticated and (club := services.left_behind(request.user).filter(slug=slug).first()):
        return club
    return club_or_404(request, slug)


@never_cache
@page(written_or_404, account_first)
def board(request: UserRequest, club: Club) -> HttpResponse:
    """The board of a club, for its members; who has left it finds what they wrote there, to delete it."""
    member = clubs.member(club, request.user)
    if member is None:
        posts = list(club.posts.filter(by=request.user).select_related("by").order_by("-pk"))
        if not posts:
            raise Http404
        return render(request, "board/own.html", {"club": club, "posts": posts})
    clubs.check_open(club)
    older, newer = request.GET.get("older", ""), request.GET.get("newer", "")
    context = shown(club, member, older, newer) | {"club": club, "live": not (older or newer)}
    return render(request, "board/board.html", context)


def members_only(club: Club, user: User) -> None:
    """For others than members there is nothing here."""
    if clubs.member(club, user) is None:
        raise Http404


def where(request: UserRequest, club: Club) -> str:
    """The page on which somebody writes."""
    under = request.POST.get("under", "")
    return f"{topic(club, request.user, under).address}#comments" if under else club.address("club_board")


@action(club_or_404, account_first, to=where)
def post(request: UserRequest, club: Club) -> None:
    """Write on the board, or a comment."""
    members_only(club, request.user)
    under, text, now = request.POST.get("under", ""), request.POST.get("text", ""), timezone.now()
    if not under:
        services.write(club, request.user, text, now, address=club.address("club_board"))
        return
    about = topic(club, request.user, under)
    if about.shut:
        raise Refused(_("The same deal is still being played: comments open when this closes."))
    services.write(
        club,
        request.user,
        text,
        now,
        under=under,
        address=about.address,
        title=about.title,
        takes_part=about.takes_part,
    )


def post_or_404(request: HttpRequest, club: Club, number: int) -> Post:
    found = Post.objects.select_related("by", "club").filter(club=club, pk=number).first()
    if found is None:
        raise Http404
    return found


@action(written_or_404, account_first)
def delete(request: UserRequest, club: Club, number: int) -> HttpResponse:
    """Delete a post of one's own, also when one has left; stewards delete any."""
    found = post_or_404(request, club, number)
    if clubs.member(club, request.user) is None:
        if found.by_id != request.user.pk:
            raise Http404
        services.delete(found, request.user)
        return redirect(club.address("club_board") if club.posts.filter(by=request.user).exists() else "clubs")
    back = topic(club, request.user, found.under).address if found.under else club.address("club_board")
    services.delete(found, request.user)
    return redirect(back)
