"""The pages of private messages."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.actions import action, page, sign_in_first
from accounts.forms import Form
from accounts.models import LONGEST_MESSAGE, User
from accounts.people import inbox
from accounts.views.people import somebody_else
from accounts.web.requests import UserRequest, whole

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


@page(None, sign_in_first)
def conversations(request: UserRequest) -> HttpResponse:
    """The conversations of the visitor."""
    found = inbox.conversations(request.user)[:SHOWN]
    return render(request, "accounts/people/messages.html", {"conversations": found})


def render_conversation(request: UserRequest, person: User, form: MessageForm) -> HttpResponse:
    before = request.GET.get("before", "")
    found, more = inbox.read(request.user, person, timezone.now(), whole(before))
    context = {
        "person": person,
        "form": form,
        "messages_of_two": found,
        "more": more,
        "before": before,
        "blocked": request.user.blocks.filter(blocked=person).exists(),
    }
    return render(request, "accounts/people/conversation.html", context)


@page(somebody_else, sign_in_first, form=MessageForm, show=render_conversation)
def conversation(request: UserRequest, person: User, form: MessageForm) -> HttpResponse:
    """The conversation with somebody; a post sends a message."""
    inbox.send(request.user, person, form.cleaned_data["text"], timezone.now())
    return redirect(f"{inbox.address(person.username)}#newest")


def all_conversations(request: UserRequest, person: User) -> str:
    return reverse("conversations")


@action(somebody_else, sign_in_first, to=all_conversations)
def delete(request: UserRequest, person: User) -> str:
    """Deletes the conversation for the visitor."""
    inbox.delete(request.user, person)
    return _("The conversation is deleted. %(name)s still has it.") % {"name": person.username}
