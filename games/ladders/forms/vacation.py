"""The form for a vacation from a ladder."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.forms import Form

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WHICH = _("Please enter the first and the last day.")


def _day(label: StrOrPromise) -> forms.DateField:
    """A field for a day as a browser sends it, not centuries away."""
    return forms.DateField(
        label=label,
        widget=forms.DateInput({"type": "date"}),
        input_formats=["%Y-%m-%d"],
        validators=[MinValueValidator(date(2000, 1, 1), WHICH), MaxValueValidator(date(2199, 12, 31), WHICH)],
        error_messages={"required": WHICH, "invalid": WHICH},
    )


class VacationForm(Form):
    """The first and the last day of a vacation, which are those of UTC."""

    first = _day(_("First day"))
    last = _day(_("Last day"))

    def __init__(self, data: Mapping[str, Any] | None = None, *, now: datetime) -> None:
        super().__init__(data)
        self.today = now.date()
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
        """The end of the last day."""
        return _midnight(self.cleaned_data["last"]) + timedelta(days=1)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, datetime.min.time()), timezone.get_default_timezone())
