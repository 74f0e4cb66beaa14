"""No more mails, by the link in each: without signing in, and by a mail program itself (RFC 8058)."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.clubs import mail_invitations
from accounts.mails import addresses
from accounts.models import User
from accounts.notices import notices
from accounts.web import links


def link(user: User, topics: Sequence[str]) -> str:
    """The whole address where mails about these topics end. It works for as long as the user has this mail address."""
    named = ".".join(topics)
    return links.full(reverse("unsubscribe", args=[addresses.named(user), named, signature(user, named)]))


def signature(user: User, topic: str) -> str:
    """What shows that a link comes from a mail to the user."""
    return salted_hmac("accounts.unsubscribe", f"{user.pk} {topic} {user.email}", algorithm="sha256").hexdigest()[:32]


@csrf_exempt  # whoever has the link may
@never_cache
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, uid: str, topic: str, signature: str) -> HttpResponse:
    """Asks once more, since programs that read mail follow links too; a post ends the mails, `all` of them or these."""
    user, topics = addresses.whose(uid), topic.split(".")
    if not user or not notices.TOPICS.keys() >= set(topics) or not signed(user, topic, signature):
        return render(request, "accounts/notices/stale_link.html", status=404)
    if request.method == "POST":
        ended = notices.TOPICS if "all" in request.POST else topics
        notices.choose(user, {*user.silenced, *(f"{each}:mail" for each in ended)}, timezone.now())
    context = {
        "address": user.email,
        "topic": ", ".join(str(notices.TOPICS[each].label) for each in topics),
        "none": all(f"{each}:mail" in user.silenced for each in topics),
        "none_at_all": all(f"{each}:mail" in user.silenced for each in notices.TOPICS),
    }
    return render(request, "accounts/notices/unsubscribe.html", context)


def signed(user: User, topic: str, given: str) -> bool:
    """Whether this is the signature of a link."""
    return bool(user.email) and constant_time_compare(given, signature(user, topic))


@csrf_exempt  # whoever has the link may
@never_cache
@require_http_methods(["GET", "POST"])
def uninvited(request: HttpRequest, digest: str, signature: str) -> HttpResponse:
    """The same for invitations to clubs, which go to addresses without an account, too."""
    if not constant_time_compare(signature, mail_invitations.signature(digest)):
        return render(request, "accounts/notices/stale_link.html", status=404)
    if request.method == "POST":
        mail_invitations.close(digest)
    return render(request, "accounts/notices/uninvited.html", {"done": request.method == "POST"})
