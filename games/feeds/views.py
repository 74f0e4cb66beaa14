"""The feeds of a club, the page with their addresses, and the desk where stewards add webhooks."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.actions import account_first, action, page, sign_in_first
from accounts.clubs import clubs
from accounts.models import Club, Right
from accounts.web import documents, links, throttle
from accounts.web.requests import UserRequest
from games.feeds import documents as written
from games.feeds import news, services
from games.feeds.forms import WebhookForm
from games.feeds.models import Webhook
from games.feeds.sending import shown_secret
from games.ladders.views.access import club_or_404

FRESH_S = 120
KINDS = {
    "atom": (written.atom, "application/atom+xml; charset=utf-8"),
    "json": (written.json_feed, "application/feed+json; charset=utf-8"),
}


@require_safe
def feed(request: HttpRequest, slug: str, kind: str, token: str = "") -> HttpResponseBase:
    """The news of a public club, for everybody and every website; of a private one for whoever has a member's token."""
    club = opened(slug, token) if token else clubs.find(slug, AnonymousUser())
    if club is None:
        raise Http404
    throttle.count("feeds", throttle.address(request))
    write, content_type = KINDS[kind]
    body = write(club, news.of(club), links.full(request.path))
    response = documents.answer(request, body, content_type, fresh_s=FRESH_S)
    if not club.private:
        response["Access-Control-Allow-Origin"] = "*"
    return response


def opened(slug: str, token: str) -> Club | None:
    """The club that this token opens to programs."""
    return services.opened(slug, token) if clubs.SLUG.fullmatch(slug) and token.isalnum() else None


@never_cache
@page(club_or_404)
def addresses(request: HttpRequest, club: Club) -> HttpResponse:
    """The addresses of the feeds: of a private club those of the visitor, who belongs to it."""
    if club.private and clubs.member(club, request.user) is None:
        raise Http404
    token = services.token_of(club, request.user) if club.private else ""
    where, names = list[str](), ("club_atom", "club_json")
    if club.private:
        where, names = [token], ("private_atom", "private_json")
    feeds = [links.full(club.address(name, *where)) for name in names] if token or not club.private else []
    return render(request, "clubs/feeds.html", {"club": club, "feeds": feeds})


@action(club_or_404, account_first, to="club_feeds")
def token(request: UserRequest, club: Club) -> None:
    """Give the visitor new addresses of the feeds of a private club, or none."""
    if clubs.member(club, request.user) is None:
        raise Http404
    act = services.close if request.POST.get("do") == "none" else services.renew
    act(club, request.user)


class ShownWebhook(NamedTuple):
    """A webhook at the desk."""

    hook: Webhook
    topics: list[str]
    waiting: int
    secret: str
    on_its_own: bool
    """Whether who added it has no right to announcements any more."""


def render_desk(request: HttpRequest, club: Club, form: WebhookForm | None = None) -> HttpResponse:
    """The webhooks."""
    announce = club.members.filter(clubs.with_right(Right.ANNOUNCEMENTS), user=OuterRef("by"))
    hooks = Webhook.objects.filter(club=club).select_related("by").order_by("pk").annotate(on_its_own=~Exists(announce))
    context = {
        "club": club,
        "hooks": [shown(hook, hook.on_its_own) for hook in hooks],
        "form": form or WebhookForm(),
        "most": services.MOST,
    }
    return render(request, "clubs/webhooks.html", context)


def shown(hook: Webhook, on_its_own: bool) -> ShownWebhook:
    topics = [str(label) for topic, label in news.TOPICS.items() if topic in hook.topics]
    secret = shown_secret(hook) if hook.format == Webhook.Format.JSON else ""
    return ShownWebhook(hook, topics, hook.deliveries.count(), secret, on_its_own)


desk = page(club_or_404, sign_in_first, right=Right.ANNOUNCEMENTS)(render_desk)
at_desk = partial(action, club_or_404, sign_in_first, right=Right.ANNOUNCEMENTS, limit="webhooks", to="club_webhooks")


@at_desk(form=WebhookForm, show=render_desk)
def add(request: UserRequest, club: Club, form: WebhookForm) -> str:
    """Add a webhook."""
    data = form.cleaned_data
    services.add(club, request.user, data["address"], data["format"], data["topics"], timezone.now())
    return _("The webhook is added. Send it a test.")


@at_desk()
def test(request: UserRequest, club: Club, number: int) -> str:
    """Send a test to a webhook."""
    services.test(club, request.user, number, timezone.now())
    return _("A test is on its way. Load this page again in a few seconds to see what came of it.")


@at_desk(limit="")
def remove(request: UserRequest, club: Club, number: int) -> str:
    """Remove a webhook."""
    services.remove(club, request.user, number)
    return _("The webhook is removed.")
