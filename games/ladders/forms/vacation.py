"""The form for a vacation from a ladder."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from accounts.forms import Form
from accounts.web import datetimes

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WHICH = _("Please enter the first and the last day.")


def day_field(label: StrOrPromise, wrong: StrOrPromise = WHICH) -> forms.DateField:
    """A field for a day as a browser sends it, not centuries away; `wrong`: what is said if it is none."""
    return forms.DateField(
        label=label,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
        validators=[MinValueValidator(date(2000, 1, 1), wrong), MaxValueValidator(date(2199, 12, 31), wrong)],
        error_messages={"required": wrong, "invalid": wrong},
    )


class VacationForm(Form):
    """The first and the last day of a vacation, in the reader’s zone."""

    first = day_field(_("First day"))
    last = day_field(_("Last day"))

    def __init__(self, data: Mapping[str, Any] | None = None, *, now: datetime) -> None:
        super().__init__(data)
        self.today = datetimes.local(now).date()
        for field in self.fields.values():
            field.widget.attrs["min"] = self.today.isoformat()

    def clean_first(self) -> date:
        first: date = self.cleaned_data["first"]
        if first < self.today:
            raise forms.ValidationError(_("The first day has passed."))
        return first

    def begins(self) -> datetime:
        """The start of the first day."""
        return _midnight(self.cleaned_data["first"])

    def ends(self) -> datetime:
        """The end of the last day; an hour earlier after a day of 25 hours, as days of vacation are counted."""
        first, last = self.cleaned_data["first"], self.cleaned_data["last"]
        return min(end_of(last), self.begins() + timedelta(days=(last - first).days + 1))


def end_of(day: date) -> datetime:
    """The end of a day, in the reader's zone."""
    return _midnight(day + timedelta(days=1))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), datetimes.zone()).astimezone(UTC)
