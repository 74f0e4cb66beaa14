"""What to do about an unpleasant person: tell the stewards, or block them."""

import re

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.actions import action, page, sign_in_first
from accounts.forms import Form
from accounts.models import Report, User
from accounts.people import blocks, inbox
from accounts.views.people import somebody_else, somebody_met
from accounts.web.requests import UserRequest


class ReportForm(Form):
    """A complaint about a person."""

    said = ""
    """The last private messages of the two, which the stewards may see if whoever complains wants it."""

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


def report_form(request: UserRequest, data: QueryDict | None, person: User) -> ReportForm:
    post = request.GET.get("post", "")
    about = (
        _("About post %(number)s on the board of a club.") % {"number": post}
        if re.fullmatch("[0-9]{1,9}", post)
        else ""
    )
    form = ReportForm(data, initial={"match": request.GET.get("match", "")[:200], "text": about})
    form.said = inbox.transcript(request.user, person)
    if not form.said:
        del form.fields["messages"]
    return form


def render_report(request: UserRequest, person: User, form: ReportForm) -> HttpResponse:
    return render(request, "accounts/report.html", {"person": person, "form": form})


@page(somebody_met, sign_in_first, limit="reports", form=report_form, show=render_report)
def report(request: UserRequest, person: User, form: ReportForm) -> HttpResponse:
    """Tell the stewards of the site about somebody: also about a guest, who can be met at a table only."""
    shown = form.said if form.cleaned_data.pop("messages", False) else ""
    Report.objects.create(by=request.user, about=person, messages=shown, **form.cleaned_data)
    messages.success(request, _("Thank you. The stewards of the site will read your report."))
    game = f"/m/{form.cleaned_data['match']}" if form.cleaned_data["match"] else "/"
    return redirect(game if person.guest else person)


@action(somebody_else, sign_in_first)
def block(request: UserRequest, person: User) -> str:
    """Block somebody, or no longer."""
    if blocks.toggle(request.user, person):
        return _("You’ve blocked %(name)s.") % {"name": person.username}
    return _("You no longer block %(name)s.") % {"name": person.username}
