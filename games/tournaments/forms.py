"""The forms of evenings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.forms import Form, offer
from accounts.text.names import LONGEST_GUEST
from accounts.text.numbers import number
from accounts.web.requests import whole
from games.engine.core import Game
from games.tournaments.contests import HandPairing
from games.tournaments.evenings import RANDOM, RUNG, UNMET
from games.tournaments.services import LONGEST_REASON

LONGEST_NAMES = 2000
"""The most characters of a list of guests."""


class ComeForm(Form):
    """Coming by the link for guests: without an account by a name, if one likes."""

    called = forms.CharField(
        label=_("Your name here"),
        max_length=LONGEST_GUEST,
        required=False,
        widget=forms.TextInput({"autocomplete": "nickname"}),
        help_text=_("If you like. It stands, with the mark “guest”, wherever you play as a guest."),
    )


class TypedForm(Form):
    """The result of a table with real cards: the place of each, and the points if one likes."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        required=False,
        help_text=_("Needed if you change what was entered. Everyone who sees the table can read it."),
    )

    def __init__(
        self,
        *args: Any,
        names: list[str],
        decides: bool,
        places: Sequence[int] = (),
        points: Sequence[int] = (),
        **kwargs: Any,
    ) -> None:
        """`decides`: whether it is for a steward, who does not play there; `places`, `points`: those of the result that
        waits, if any."""
        super().__init__(*args, **kwargs)
        if not decides:
            del self.fields["reason"]
        self.size = len(names)
        for seat, name in enumerate(names):
            self.fields[f"place_{seat}"] = forms.TypedChoiceField(
                label=_("Place of %(name)s") % {"name": name},
                coerce=int,
                choices=[(place, str(place)) for place in range(1, self.size + 1)],
                initial=places[seat] if places else seat + 1,
            )
            self.fields[f"points_{seat}"] = forms.IntegerField(
                label=_("Points of %(name)s") % {"name": name},
                required=False,
                min_value=-999,
                max_value=999,
                initial=points[seat] if points else None,
            )
        self.order_fields([f"{field}_{seat}" for seat in range(self.size) for field in ("place", "points")])

    def places(self) -> list[int]:
        """By seat."""
        return [self.cleaned_data[f"place_{seat}"] for seat in range(self.size)]

    def points(self) -> list[int]:
        """Those that were told, by seat."""
        told = [self.cleaned_data[f"points_{seat}"] for seat in range(self.size)]
        return [points for points in told if points is not None]


def _text(places: tuple[int, ...]) -> str:
    return ",".join(map(str, places)) or "-"


def sizes(game: Game) -> list[tuple[int, str]]:
    """The numbers of people that can sit at a table."""
    return [(seats, number(seats)) for seats in game.seats if seats > 1]


class SeatForm(Form):
    """How to seat everybody in a round."""

    how = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=_("Who sits together"),
        choices=[(UNMET, _("New opponents")), (RUNG, _("Neighbours on the ladder")), (RANDOM, _("At random"))],
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


class PairingForm(Form):
    """A round, paired by hand: who sits where, as it is proposed until a steward changes it."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    """How many events the tournament had when the steward looked."""

    def __init__(
        self, *args: Any, tables: list[list[int]], byes: list[int], names: dict[int, str], **kwargs: Any
    ) -> None:
        """`names`: of all who get a seat or a bye, by their ids. Without anybody only `seen` is read: there is nothing
        to pair any more."""
        super().__init__(*args, **kwargs)
        self.sizes, self.resting, self.stays = [len(table) for table in tables], len(byes), bool(names)
        people = sorted(names.items(), key=lambda each: each[1].casefold())
        seats = {
            f"seat_{table}_{seat}": (
                _("Table %(table)d, seat %(seat)d") % {"table": table + 1, "seat": seat + 1},
                player,
            )
            for table, players in enumerate(tables)
            for seat, player in enumerate(players)
        }
        resting = {f"bye_{place}": (_("Bye"), player) for place, player in enumerate(byes)}
        for name, (label, player) in (seats | resting).items():
            self.fields[name] = forms.TypedChoiceField(label=label, coerce=int, choices=people, initial=player)
        if names:
            self.fields["reason"] = forms.CharField(
                label=_("Reason"), max_length=LONGEST_REASON, help_text=_("Everyone who sees the round can read it.")
            )

    def pairing(self) -> HandPairing:
        """What a valid form says."""
        data = self.cleaned_data
        tables = [[data[f"seat_{number}_{seat}"] for seat in range(size)] for number, size in enumerate(self.sizes)]
        byes = [data[f"bye_{number}"] for number in range(self.resting)]
        return HandPairing(tables, byes, data.get("reason", ""), data["seen"])


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
