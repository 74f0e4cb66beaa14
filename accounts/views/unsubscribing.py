"""Ending mails by a link in one of them, without signing in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.clubs import mail_invitations
from accounts.mails import addresses
from accounts.notices import notices
from accounts.notices.unsubscribing import signed


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
