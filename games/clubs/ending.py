"""The pages on which a club is handed over, closed and opened again."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.actions import account_first, action, page, sign_in_first
from accounts.career.views import person_or_404
from accounts.clubs import closing, handing
from accounts.forms import Form
from accounts.models import LONGEST_SLUG, Club, Handover, Right
from accounts.web.requests import UserRequest
from games.ladders.views.access import club_or_404


class HandOverForm(Form):
    """Who takes the club over, and what becomes of who hands it over."""

    name = "hand_over"
    member = forms.ChoiceField(label=gettext_lazy("Member"))
    remains = forms.ChoiceField(
        label=gettext_lazy("And you"),
        choices=[("", gettext_lazy("become an ordinary member")), ("1", gettext_lazy("stay a steward"))],
        required=False,
    )

    def __init__(self, data: QueryDict | None = None, *, names: list[str]) -> None:
        super().__init__(data)
        field = self.fields["member"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, name) for name in names]


class CloseForm(Form):
    """The confirmation, in writing."""

    name = "closing"
    slug = forms.CharField(label=gettext_lazy("Short name of the club"), max_length=LONGEST_SLUG)


def hand_over_form(request: UserRequest, data: QueryDict | None, club: Club) -> HandOverForm:
    others = club.members.exclude(user=request.user).order_by("user__folded").values_list("user__username", flat=True)
    return HandOverForm(data, names=list(others))


def render_hand_over(request: HttpRequest, club: Club, form: HandOverForm) -> HttpResponse:
    offered = Handover.objects.filter(club=club).select_related("to", "by").first()
    return render(request, "clubs/hand_over.html", {"club": club, "form": form, "offered": offered})


@page(club_or_404, sign_in_first, right=Right.CLUB, form=hand_over_form, show=render_hand_over, to="club_hand_over")
def hand_over(request: UserRequest, club: Club, form: HandOverForm) -> str:
    """Offer the club to a member."""
    person = person_or_404(form.cleaned_data["member"])
    handing.offer(club, request.user, person, bool(form.cleaned_data["remains"]), timezone.now())
    return _("%(name)s has been asked.") % {"name": person.username}


@action(club_or_404, sign_in_first, right=Right.CLUB, to="club_hand_over")
def take_back(request: UserRequest, club: Club) -> None:
    """Take the offer back."""
    handing.take_back(club, request.user)


@action(club_or_404, account_first, limit="clubs")
def accept(request: UserRequest, club: Club) -> str:
    """Take the club over."""
    handing.accept(club, request.user, timezone.now())
    return _("You’re now a steward.")


@action(club_or_404, account_first, limit="clubs")
def decline(request: UserRequest, club: Club) -> None:
    """Do not take the club over."""
    handing.decline(club, request.user, timezone.now())


def render_close(request: HttpRequest, club: Club, form: CloseForm) -> HttpResponse:
    now = timezone.now()
    goes = {
        "ladders": club.ladders.filter(closed_at=None).count(),
        "coming": club.calendar.filter(cancelled_at=None, starts_at__gt=now).count(),
        "posts": club.posts.count(),
    }
    return render(request, "clubs/close.html", {"club": club, "form": form, "days": closing.WAY_BACK.days, **goes})


@page(club_or_404, sign_in_first, right=Right.CLUB, form=lambda request, data, club: CloseForm(data), show=render_close)
def close(request: UserRequest, club: Club, form: CloseForm) -> str:
    """Close the club."""
    closing.close(club, request.user, form.cleaned_data["slug"], timezone.now())
    return _("The club is closed.")


@action(club_or_404, account_first, limit="clubs")
def reopen(request: UserRequest, club: Club) -> str:
    """Open the club again."""
    closing.reopen(club, request.user, timezone.now())
    return _("The club is open again.")
