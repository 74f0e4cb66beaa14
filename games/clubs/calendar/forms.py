"""The form for a date of a club."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from accounts.forms import Form
from accounts.models import Club
from accounts.text import plaintext
from games.calendar.models import LONGEST_ABOUT, LONGEST_PLACE, LONGEST_TITLE, CalendarEvent
from games.calendar.services import MOST_HOURS, EventPlan, revision


class DateForm(Form):
    """A date of a club. The time is UTC; a script shows it in local time."""

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TITLE)
    starts = forms.CharField(label=_("When"), max_length=40, widget=forms.TextInput({"type": "datetime-local"}))
    hours = forms.IntegerField(label=_("Hours"), min_value=1, max_value=MOST_HOURS, initial=3)
    place = forms.CharField(label=_("Where"), max_length=LONGEST_PLACE, required=False)
    about = forms.CharField(
        label=_("What"), max_length=LONGEST_ABOUT, required=False, widget=forms.Textarea({"rows": 4})
    )
    readers = forms.ChoiceField(
        label=_("Who can see it"),
        widget=forms.RadioSelect,
        choices=[("members", _("Members")), ("all", _("Everyone"))],
        initial="members",
        required=False,
        help_text=_("Who comes is shown to members only."),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)
    """The revision of the date that the steward looked at."""

    def __init__(self, *args: Any, club: Club, date: CalendarEvent | None = None, **kwargs: Any) -> None:
        self.date = date
        if date:
            kwargs["initial"] = {
                "title": date.title,
                "starts": date.starts_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M"),
                "hours": date.hours,
                "place": date.place,
                "about": date.about,
                "readers": "all" if date.public else "members",
                "seen": revision(date),
            }
        super().__init__(*args, **kwargs)
        if club.private:
            del self.fields["readers"]

    def clean_starts(self) -> datetime:
        try:
            starts = parse_datetime(self.cleaned_data["starts"].strip())
            if starts:
                return starts.astimezone(UTC) if starts.tzinfo else starts.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            pass
        raise forms.ValidationError(_("Please enter a day and a time."))

    def clean_title(self) -> str:
        return self._line("title")

    def clean_place(self) -> str:
        return self._line("place")

    def clean_about(self) -> str:
        return plaintext.lines(self.cleaned_data["about"])

    def _line(self, name: str) -> str:
        line = " ".join(plaintext.lines(self.cleaned_data[name]).split())
        if not line and self.fields[name].required:
            raise forms.ValidationError(self.fields[name].error_messages["required"])
        return line

    def refuse(self, refusal: Exception) -> None:
        super().refuse(refusal)
        if self.date:  # another steward may have changed it: with the next post, this one has seen that
            self.date.refresh_from_db()
            self.data = {**cast(QueryDict, self.data).dict(), "seen": str(revision(self.date))}

    @property
    def overtaken(self) -> bool:
        """Whether another steward has changed the date since this one began."""
        return self.date is not None and self.is_bound and self.cleaned_data.get("seen") != revision(self.date)

    def told(self) -> EventPlan:
        """What a valid form says."""
        data = self.cleaned_data
        public = data.get("readers") == "all"
        return EventPlan(data["title"], data["starts"], data["hours"], data["place"], data["about"], public)
