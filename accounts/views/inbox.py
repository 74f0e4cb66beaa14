"""The pages of private messages."""

from collections.abc import Callable
from functools import wraps
from typing import cast

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.career.views import person_or_404
from accounts.forms import Form
from accounts.models import LONGEST_MESSAGE, User
from accounts.people import inbox
from accounts.web import throttle
from accounts.web.guards import sign_in_first
from accounts.web.refused import Refused
from accounts.web.requests import UserRequest, ViewFunction

SHOWN = 100
"""The most conversations in the list."""


class MessageForm(Form):
    """A private message."""

    text = forms.CharField(
        label=gettext_lazy("Message"),
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea({"rows": 2}),
        error_messages={"required": gettext_lazy("The message is empty.")},
    )


def of_two(view: Callable[[UserRequest, User], HttpResponse]) -> ViewFunction:
    """Admits registered users to their conversation with another one."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, username: str) -> HttpResponse:
        if elsewhere := sign_in_first(request, inbox.address(username)):
            return elsewhere
        person = person_or_404(username)
        if person.closed or person == request.user:
            raise Http404
        return view(cast(UserRequest, request), person)

    return guarded


@never_cache
@require_safe
def conversations(request: HttpRequest) -> HttpResponse:
    """The conversations of the visitor."""
    if elsewhere := sign_in_first(request, request.path):
        return elsewhere
    found = inbox.conversations(cast(UserRequest, request).user)[:SHOWN]
    return render(request, "accounts/people/messages.html", {"conversations": found})


@require_http_methods(["GET", "HEAD", "POST"])
@of_two
def conversation(request: UserRequest, person: User) -> HttpResponse:
    """The conversation with somebody; a post sends a message."""
    form, status, wait_s = MessageForm(request.POST or None), 422 if request.POST else 200, 0
    now = timezone.now()
    if form.is_valid():
        try:
            inbox.send(request.user, person, form.cleaned_data["text"], now)
            return redirect(f"{inbox.address(person.username)}#newest")
        except Refused as refusal:
            form.add_error(None, str(refusal))
        except throttle.TooMany as often:
            # What was written is not lost.
            form.add_error(None, str(often))
            status, wait_s = 429, often.wait_s
    before = request.GET.get("before", "")
    found, more = inbox.read(
        request.user, person, now, int(before) if before.isdecimal() and len(before) < 18 else None
    )
    context = {
        "person": person,
        "form": form,
        "messages_of_two": found,
        "more": more,
        "before": before,
        "blocked": request.user.blocks.filter(blocked=person).exists(),
    }
    response = render(request, "accounts/people/conversation.html", context, status=status)
    if wait_s:
        response["Retry-After"] = str(wait_s)
    return response


@require_POST
@of_two
def delete(request: UserRequest, person: User) -> HttpResponse:
    """Deletes the conversation for the visitor."""
    inbox.delete(request.user, person)
    messages.success(request, _("The conversation is deleted. %(name)s still has it.") % {"name": person.username})
    return redirect("conversations")
