"""The forms of evenings."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.forms import Form, offer
from accounts.text.numbers import number
from accounts.web.requests import whole
from games.engine.core import Game
from games.faces.registry import face_of
from games.lobby.times import LENGTH, ClockField, time_with_pace
from games.matches.clocks import DAILY, LIVE
from games.tournaments.contests import Plan
from games.tournaments.evenings import RANDOM, RUNG, UNMET
from games.tournaments.models import Tournament
from games.tournaments.services import LONGEST_REASON, GameTerms
from games.tournaments.settings import SETTINGS

LONGEST_NAMES = 2000
"""The most characters of a list of guests."""


def _text(places: tuple[int, ...]) -> str:
    return ",".join(map(str, places)) or "-"


def sizes(game: Game) -> list[tuple[int, str]]:
    """The numbers of people that can sit at a table."""
    return [(seats, number(seats)) for seats in game.seats if seats > 1]


class EveningForm(Form):
    """The choices for a new evening."""

    name_ = forms.CharField(label=_("Name"), max_length=60, initial=_("Club night"))
    seats = forms.TypedChoiceField(
        widget=forms.RadioSelect,
        label=_("Players at a table"),
        coerce=int,
        help_text=_("If the numbers don’t work out, some tables have one more or fewer."),
    )
    time = ClockField(LIVE, label=_("Time each"), initial=LIVE[0], help_text=LENGTH)
    preset = forms.ChoiceField(label=_("Rules"))
    rated = forms.BooleanField(
        label=_("Games are rated"),
        required=False,
        help_text=_("Games are casual with bots, guests or people whom a steward has ticked, and in a private club."),
    )

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game, face = game, face_of(game)
        offer(self, "seats", sizes(game))
        self.fields["seats"].initial = 3 if 3 in game.seats else sizes(game)[0][0]
        offer(self, "preset", [(name, preset.label) for name, preset in face.presets.items()])

    def terms(self) -> GameTerms:
        """The terms chosen in a valid form."""
        data = self.cleaned_data
        return GameTerms(data["seats"], data["time"], self.game.preset(data["preset"]), data["rated"])


class ContestForm(Form):
    """The choices for a new tournament with a plan."""

    name_ = forms.CharField(label=_("Name"), max_length=60)
    kind = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=_("Kind"),
        choices=[(kind.value, kind.label) for kind in Tournament.Kind if kind != Tournament.Kind.EVENING],
        initial=Tournament.Kind.SWISS.value,
    )
    seats = forms.TypedChoiceField(
        widget=forms.RadioSelect,
        label=_("Players at a table"),
        coerce=int,
        help_text=_("Round robin, knock-out and box league are for two. A deal of the week fills its table with bots."),
    )
    pace = ClockField(
        (*LIVE, *DAILY[:2]),
        label=_("Time each"),
        words=time_with_pace,
        help_text=_("Live is for one evening, and for the same deal; a box league is played by correspondence."),
    )
    days = forms.IntegerField(
        label=_("Days for a round, by correspondence"),
        min_value=SETTINGS["days"].least,
        max_value=SETTINGS["days"].most,
        initial=28,
        help_text=_(
            "For all games of a round robin, and for a turn of a league. A game that isn’t over then is decided by the "
            "clocks: whoever has used more than their share of the time comes after the others."
        ),
    )
    rounds = forms.IntegerField(
        label=_("Rounds, if it’s Swiss or the same deal"), min_value=1, max_value=SETTINGS["rounds"].most, initial=5
    )
    box = forms.TypedChoiceField(
        widget=forms.RadioSelect,
        label=_("Players in a box"),
        coerce=int,
        choices=[(number, number) for number in range(SETTINGS["box"].least, SETTINGS["box"].most + 1)],
        initial=5,
        help_text=_("If the numbers don’t work out, some boxes have one more or fewer."),
    )
    seeds = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=_("Order at the beginning"),
        choices=[(RUNG, _("By the ladder")), (RANDOM, _("At random"))],
        initial=RUNG,
    )
    weekly = forms.BooleanField(
        label=_("A new deal every week"),
        required=False,
        help_text=_("When a deal of the week closes that someone has played, the next one opens by itself."),
    )
    preset = forms.ChoiceField(label=_("Rules"))
    rated = forms.BooleanField(
        label=_("Games are rated"),
        required=False,
        help_text=_(
            "Games are casual with the same deal, with guests or people whom a steward has ticked, and in a private "
            "club."
        ),
    )

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game, face = game, face_of(game)
        offer(self, "seats", sizes(game))
        self.fields["seats"].initial = sizes(game)[0][0]
        offer(self, "preset", [(name, preset.label) for name, preset in face.presets.items()])

    def terms(self) -> GameTerms:
        """The terms chosen in a valid form."""
        data = self.cleaned_data
        return GameTerms(data["seats"], data["pace"], self.game.preset(data["preset"]), data["rated"])

    def plan(self) -> Plan:
        """The plan chosen in a valid form."""
        data = self.cleaned_data
        return Plan(data["seeds"], data["rounds"], data["days"], data["box"])


class SeatForm(Form):
    """How to seat everybody in a round."""

    how = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=_("Who sits together"),
        choices=[(UNMET, _("Who haven’t met")), (RUNG, _("Neighbours on the ladder")), (RANDOM, _("At random"))],
        initial=UNMET,
    )
    size = forms.TypedChoiceField(widget=forms.RadioSelect, label=_("Players at a table"), coerce=int)
    fill = forms.BooleanField(label=_("Bots fill the tables"), required=False)
    rounds = forms.IntegerField(min_value=0, max_value=10_000, widget=forms.HiddenInput)
    """How many there were on the page."""

    def __init__(self, *args: Any, game: Game, seats: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "size", sizes(game))
        self.fields["size"].initial = seats


class ResultForm(Form):
    """The places at a table, set by a steward; without `names` it can only be struck out."""

    counts = forms.BooleanField(label=_("This game counts"), required=False, initial=True)
    reason = forms.CharField(
        label=_("Reason"), max_length=LONGEST_REASON, help_text=_("Everyone who sees the table can read it.")
    )

    looked = forms.CharField(required=False, widget=forms.HiddenInput)
    """The places that were there when the page was made."""

    def __init__(self, *args: Any, names: list[str], places: tuple[int, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.size = len(names)
        self.fields["looked"].initial = _text(places)
        for seat, name in enumerate(names):
            self.fields[f"place_{seat}"] = forms.TypedChoiceField(
                label=name,
                coerce=int,
                choices=[(place, str(place)) for place in range(1, self.size + 1)],
                initial=places[seat] if places else seat + 1,
            )
        if not names:
            del self.fields["counts"]
        self.order_fields([*(f"place_{seat}" for seat in range(self.size)), "counts", "reason"])

    def seen(self) -> list[int] | None:
        """The places that the steward was shown; None if the form does not say."""
        text = self.cleaned_data["looked"]
        known = [whole(each) for each in text.split(",")]
        return [each for each in known if each is not None] if text else None

    def look_again(self, places: tuple[int, ...]) -> None:
        """Let the form, which is shown again, know the present places. Its data can be changed."""
        cast(QueryDict, self.data)["looked"] = _text(places)

    def places(self) -> list[int]:
        """The chosen places by seat; none if the game does not count."""
        data = self.cleaned_data
        return [data[f"place_{seat}"] for seat in range(self.size)] if data.get("counts") else []
