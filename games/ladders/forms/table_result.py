"""The forms for a result from the real table, for what is wrong with it, and for a steward's decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from accounts.forms import Form, offer
from accounts.web import datetimes
from games.ladders.forms.desk import reason_field
from games.ladders.forms.vacation import day_field
from games.ladders.models import TableResult
from games.ladders.rules import ENTER_DAYS

POINTS = 9999
"""The most points that can be entered, above or below zero."""


class TableResultForm(Form):
    """Who played, with places and perhaps points, and on which day."""

    name = "table"

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        people: Sequence[tuple[int, str]],
        sizes: Sequence[int],
        now: datetime,
        me: int | None,
    ) -> None:
        """`people`: who may have played; `sizes`: the numbers of players of the games; `me`: the first of them."""
        super().__init__(data)
        self.sizes = sizes
        for number in range(1, max(sizes) + 1):
            about, needed = {"number": number}, number <= min(sizes)
            self.fields[f"player_{number}"] = forms.TypedChoiceField(
                label=__("Player %(number)d") % about,
                coerce=int,
                empty_value=None,
                required=needed,
                initial=me if number == 1 else None,
                error_messages={
                    "required": __("Please choose a player."),
                    "invalid_choice": __("This player isn’t on the ladder."),
                },
            )
            offer(self, f"player_{number}", [("", "—"), *people])
            self.fields[f"place_{number}"] = forms.TypedChoiceField(
                label=__("Place of player %(number)d") % about,
                coerce=int,
                choices=[(place, str(place)) for place in range(1, max(sizes) + 1)],
                initial=number,
            )
            wrong = __("Points are a whole number, or nothing.")
            self.fields[f"points_{number}"] = forms.IntegerField(
                label=__("Points of player %(number)d") % about,
                required=False,
                min_value=-POINTS,
                max_value=POINTS,
                error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), wrong),
            )
        self.fields["played_on"] = day_field(_("Day of the game"), _("Please enter the day of the game."))
        today = datetimes.local(now).date()
        self.fields["played_on"].initial = today
        earliest = today - timedelta(days=ENTER_DAYS)
        self.fields["played_on"].widget.attrs |= {"min": earliest.isoformat(), "max": today.isoformat()}

    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField, forms.BoundField]]:
        """The fields of each player."""
        numbers = range(1, max(self.sizes) + 1)
        return [(self[f"player_{number}"], self[f"place_{number}"], self[f"points_{number}"]) for number in numbers]

    def finished(self) -> list[tuple[int, int, int | None]]:
        """The players of a valid form: id, place, points."""
        entered = self.cleaned_data
        return [
            (entered[f"player_{number}"], entered[f"place_{number}"], entered[f"points_{number}"])
            for number in range(1, max(self.sizes) + 1)
            if entered[f"player_{number}"] is not None
        ]


class DisputeForm(Form):
    """What is wrong with a result."""

    name = "dispute"
    stays = False
    word = forms.CharField(
        label=_("What’s wrong?"),
        max_length=TableResult._meta.get_field("word").max_length,
        help_text=_("The other players and the stewards can read it."),
        error_messages={"required": _("Please say what’s wrong.")},
    )


class AskForm(Form):
    """Why a steward should decide about a result."""

    name = "ask"
    stays = False
    word = forms.CharField(
        label=_("Why should a steward decide?"),
        max_length=TableResult._meta.get_field("word").max_length,
        help_text=_("The other players and the stewards can read it."),
        error_messages={"required": _("Please say why a steward should decide.")},
    )


class DecideForm(Form):
    """A steward's reason."""

    name = "decide"
    stays = False
    reason = reason_field()
