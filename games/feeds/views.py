"""The feeds of a club, the page with their addresses, and the desk where stewards add webhooks."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.clubs import clubs
from accounts.models import Club, Right
from accounts.web import documents, links, throttle
from accounts.web.guards import account_first, attempt
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest
from games.clubs.views import add_refusal, answer, at_desk, desk_action
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
@require_safe
def addresses(request: HttpRequest, slug: str) -> HttpResponse:
    """The addresses of the feeds: of a private club those of the visitor, who belongs to it."""
    club = club_or_404(request, slug)
    if club.private and clubs.member(club, request.user) is None:
        raise Http404
    token = services.token_of(club, request.user) if club.private else ""
    where, names = [club.slug], ("club_atom", "club_json")
    if club.private:
        where, names = [club.slug, token], ("private_atom", "private_json")
    feeds = [links.full(reverse(name, args=where)) for name in names] if token or not club.private else []
    return render(request, "clubs/feeds.html", {"club": club, "feeds": feeds})


@require_POST
def token(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the visitor new addresses of the feeds of a private club, or none."""
    club = club_or_404(request, slug)
    page = reverse("club_feeds", args=[club.slug])
    if elsewhere := account_first(request, page):
        return elsewhere
    assert request.user.is_authenticated
    if clubs.member(club, request.user) is None:
        raise Http404
    act = services.close if request.POST.get("do") == "none" else services.renew
    return attempt(request, partial(act, club, request.user), page)


class ShownWebhook(NamedTuple):
    """A webhook at the desk."""

    hook: Webhook
    topics: list[str]
    waiting: int
    secret: str
    on_its_own: bool
    """Whether who added it has no right to announcements any more."""


def render_desk(request: HttpRequest, club: Club, form: WebhookForm) -> HttpResponse:
    announce = club.members.filter(clubs.having(Right.ANNOUNCEMENTS), user=OuterRef("by"))
    hooks = Webhook.objects.filter(club=club).select_related("by").order_by("pk").annotate(on_its_own=~Exists(announce))
    context = {
        "club": club,
        "hooks": [shown(hook, hook.on_its_own) for hook in hooks],
        "form": form,
        "most": services.MOST,
    }
    return render(request, "clubs/webhooks.html", context)


def shown(hook: Webhook, on_its_own: bool) -> ShownWebhook:
    topics = [str(label) for topic, label in news.TOPICS.items() if topic in hook.topics]
    secret = shown_secret(hook) if hook.format == Webhook.Format.JSON else ""
    return ShownWebhook(hook, topics, hook.deliveries.count(), secret, on_its_own)


@require_safe
@at_desk(Right.ANNOUNCEMENTS)
def desk(request: UserRequest, club: Club) -> HttpResponse:
    """The webhooks."""
    return render_desk(request, club, WebhookForm())


@require_POST
@at_desk(Right.ANNOUNCEMENTS)
def add(request: UserRequest, club: Club) -> HttpResponse:
    """Add a webhook."""
    form, wait_s = WebhookForm(request.POST), 0
    if form.is_valid():
        data = form.cleaned_data
        try:
            throttle.count("webhooks", request.user.pk)
            services.add(club, request.user, data["address"], data["format"], data["topics"], timezone.now())
            messages.success(request, _("The webhook is added. Send it a test."))
            return redirect("club_webhooks", slug=club.slug)
        except (Refused, throttle.TooMany) as refusal:
            wait_s = add_refusal(form, "address", refusal)
    return answer(render_desk(request, club, form), form, wait_s)


@desk_action(Right.ANNOUNCEMENTS, "club_webhooks")
def test(request: UserRequest, club: Club, number: int) -> None:
    """Send a test to a webhook."""
    throttle.count("webhooks", request.user.pk)
    services.test(club, request.user, number, timezone.now())
    messages.success(request, _("A test is on its way. Load this page again in a few seconds to see what came of it."))


@desk_action(Right.ANNOUNCEMENTS, "club_webhooks")
def remove(request: UserRequest, club: Club, number: int) -> None:
    """Remove a webhook."""
    services.remove(club, request.user, number)
    messages.success(request, _("The webhook is removed."))
