"""What to do about an unpleasant person: tell the stewards, or block them."""

import re
from collections.abc import Callable
from functools import partial, wraps
from typing import cast
from urllib.parse import quote

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.career import lines
from accounts.career.views import person_or_404
from accounts.forms import Form
from accounts.models import Report, User
from accounts.people import blocks, inbox
from accounts.web import throttle
from accounts.web.guards import sign_in_first
from accounts.web.requests import UserRequest, ViewFunction


class ReportForm(Form):
    """A complaint about a person."""

    text = forms.CharField(
        label=gettext_lazy("What happened?"),
        max_length=2000,
        widget=forms.Textarea({"rows": 6}),
        error_messages={"required": gettext_lazy("Please say what happened.")},
    )
    match = forms.CharField(
        label=gettext_lazy("In which game? (optional)"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("The address of its page, or the part after /m/."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    messages = forms.BooleanField(
        label=gettext_lazy("Show the stewards our last private messages"),
        required=False,
    )

    def clean_match(self) -> str:
        """The key of a match, from its address or alone."""
        found = re.search(r"(?:^|/m/)([A-Za-z0-9]{12})(?:[/?#].*)?$", self.cleaned_data["match"])
        if self.cleaned_data["match"] and not found:
            raise forms.ValidationError(_("That isn’t the address of a game."))
        return found[1] if found else ""


def about_somebody_else(view: Callable[[UserRequest, User], HttpResponse], guests: bool = False) -> ViewFunction:
    """Admits registered users to a view about another person, who may be a guest only if `guests`, and passes both to
    it."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, username: str) -> HttpResponse:
        # A form cannot be sent again after the detour through the sign-in page.
        back = request.path if request.method == "GET" else f"/@/{quote(username)}"
        if elsewhere := sign_in_first(request, back):
            return elsewhere
        person = person_or_404(username, guests)
        if person.closed or person == request.user:
            raise Http404
        return view(cast(UserRequest, request), person)

    return guarded


@require_http_methods(["GET", "HEAD", "POST"])
@partial(about_somebody_else, guests=True)
def report(request: UserRequest, person: User) -> HttpResponse:
    """Tell the stewards of the site about somebody: also about a guest, who can be met at a table only."""
    form = ReportForm(request.POST or None, initial={"match": request.GET.get("match", "")[:200]})
    said = inbox.transcript(request.user, person)
    if not said:
        del form.fields["messages"]
    status, wait_s = 422 if form.is_bound else 200, 0
    if form.is_valid():
        try:
            throttle.count("reports", request.user.pk)
        except throttle.TooMany as often:
            # What was written is not lost.
            form.add_error(None, str(often))
            status, wait_s = 429, often.wait_s
        else:
            shown = said if form.cleaned_data.pop("messages", False) else ""
            Report.objects.create(by=request.user, about=person, messages=shown, **form.cleaned_data)
            messages.success(request, _("Thank you. The stewards of the site will read your report."))
            game = f"/m/{form.cleaned_data['match']}" if form.cleaned_data["match"] else "/"
            return redirect(game if person.guest else lines.address(person))
    response = render(request, "accounts/report.html", {"person": person, "form": form}, status=status)
    if wait_s:
        response["Retry-After"] = str(wait_s)
    return response


@require_POST
@about_somebody_else
def block(request: UserRequest, person: User) -> HttpResponse:
    """Block somebody, or no longer."""
    if blocks.toggle(request.user, person):
        messages.success(request, _("You’ve blocked %(name)s.") % {"name": person.username})
    else:
        messages.success(request, _("You no longer block %(name)s.") % {"name": person.username})
    return redirect(lines.address(person))
