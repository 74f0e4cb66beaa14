"""The forms for a challenge, and for other terms for one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from accounts.forms import offer
from accounts.models import User
from accounts.text import numbers
from games.engine.core import Game
from games.ladders.challenges import MOST_TIMES
from games.ladders.challenging import SIZES, ChallengeRefusal, Situation, refusal, table_refusal, tables_of
from games.ladders.models import Challenge
from games.ladders.rules import Rules
from games.ladders.terms import CUSTOM, Terms, clock_name, clock_words, clocks, presets, usual_clock
from games.ladders.words import reasons
from games.lobby.forms import MatchForm
from games.lobby.times import time_control
from games.matches.clocks import DAILY, instant, ms_of
from games.matches.models import Match

PACES = [(Match.Pace.LIVE, _("Live")), (Match.Pace.DAILY, _("Correspondence"))]
BEGINS = [("now", _("As soon as everyone is there")), ("times", _("At an agreed time"))]


class TermsForm(MatchForm):
    """The terms of a challenge. Times are UTC; a script shows them in local time."""

    begins = forms.ChoiceField(widget=forms.RadioSelect, label=_("When"), choices=BEGINS, initial="now", required=False)

    def __init__(self, *args: Any, now: datetime, rules: Rules, players: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.now, self.finish_days = now, rules.finish_days
        for name in ("places", "bots", "bot", "kind", "access", "watch"):
            self.fields.pop(name, None)
        names, usual = clocks(rules, players), usual_clock(rules, players)
        daily = {clock.code: clock for clock in DAILY}
        live = [(name, clock_words(name)) for name in names if name not in daily]
        fits = [(clock.days, time_control(clock)) for name, clock in daily.items() if name in names]
        able = {Match.Pace.LIVE: live, Match.Pace.DAILY: fits}
        offer(self, "pace", [(pace, label) for pace, label in PACES if able[pace]])
        offer(self, "time", live)
        # Days that do not fit are not shown; if a form names them anyway, the answer says why not.
        self.fields["days"].widget.choices = fits
        first = fits[0][0] if fits else DAILY[0].days
        self.fields["days"].initial = daily[usual].days if usual in daily else first
        self.fields["pace"].initial = Match.Pace.DAILY if usual in daily else Match.Pace.LIVE
        self.fields["time"].initial = live[0][0] if live and usual in daily else usual
        self.presets = {name: self.presets[name] for name in presets(rules, self.game)}
        offer(self, "preset", [(name, preset.label) for name, preset in self.presets.items()])
        self.fields["preset"].initial = next(iter(self.presets))
        if CUSTOM not in self.presets:
            for name in [name for name in self.fields if name.startswith("option_")]:
                del self.fields[name]
        for number in range(MOST_TIMES):
            self.fields[f"time_{number}"] = forms.CharField(
                widget=forms.TextInput({"type": "datetime-local"}),
                label=__("Suggestion %(number)d") % {"number": number + 1},
                required=False,
                max_length=40,
            )

    def suggestions(self) -> list[forms.BoundField]:
        """The fields of the suggested times."""
        return [self[f"time_{number}"] for number in range(MOST_TIMES)]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        data["times"] = ()
        if data.get("pace") == Match.Pace.LIVE and data.get("begins") == "times":
            times = [self._moment(f"time_{number}") for number in range(MOST_TIMES)]
            data["times"] = tuple(sorted({ms_of(time) for time in times if time}))
            if not data["times"] and not any(f"time_{number}" in self.errors for number in range(MOST_TIMES)):
                self.add_error("time_0", __("Suggest at least one time."))
        return data

    def _moment(self, name: str) -> datetime | None:
        """The suggested time; None if there is none, or no valid one."""
        text = (self.cleaned_data.get(name) or "").strip()
        if not text:
            return None
        try:
            time = parse_datetime(text)
        except ValueError:
            time = None
        if time is None:
            self.add_error(name, __("Please enter a day and a time."))
            return None
        try:
            time = time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
            days = (time - self.now).total_seconds() / 86400
        except OverflowError:
            days = -1.0
        if not 0 < days <= self.finish_days:
            says = __("Suggest a time within the next %(days)d days.") % {"days": self.finish_days}
            self.add_error(name, says)
            return None
        return time

    def terms(self) -> Terms:
        """The terms in a valid form."""
        data = self.cleaned_data
        return Terms(self.chosen_clock(), self.chosen_options(), data["times"])


class Seats(forms.RadioSelect):
    """The numbers of seats; those of `closed` cannot be chosen."""

    closed: Collection[int] = ()

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"]["disabled"] = value in self.closed
        return option


class ChallengeForm(TermsForm):
    """A challenge: the number of seats, the players, and the terms."""

    seats = forms.TypedChoiceField(widget=Seats, label=_("Players"), coerce=int, initial=2)
    third = forms.TypedChoiceField(label=_("You also invite"), coerce=int, required=False, empty_value=None)
    fourth = forms.TypedChoiceField(label=_("And"), coerce=int, required=False, empty_value=None)
    field_order = ("seats", "third", "fourth")

    def __init__(self, *args: Any, first: User, guests: Guests, rules: Rules, **kwargs: Any) -> None:
        sizes = tables_of(kwargs["game"], rules)
        super().__init__(*args, rules=rules, players=min(sizes, default=SIZES[0]), **kwargs)
        self.first, self.guests = first, guests
        offer(self, "seats", [(seats, numbers.number(seats)) for seats in sizes])
        self.initial.setdefault("seats", next((seats for seats in sizes if not guests.closed[seats]), 2))
        self.fields["seats"].widget.closed = [seats for seats, why in guests.closed.items() if why]
        # Players who cannot be invited are not shown; if a form names one anyway, the answer says why not.
        if rules.drawn:
            del self.fields["third"], self.fields["fourth"]
            return
        people = [(guest.player, guest.name) for guest in guests.people]
        for name in ("third", "fourth"):
            offer(self, name, [("", __("Choose")), *people])
            free = [(guest.player, getattr(guest, f"as_{name}")) for guest in guests.free]
            self.fields[name].widget.choices = [("", __("Choose")), *free]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        for seats, name in ((3, "third"), (4, "fourth")):
            asked = name in self.fields and name not in self.errors and data.get("seats", 0) >= seats
            if asked and data.get(name) is None:
                self.add_error(name, __("Choose who to invite."))
        return data

    def others(self) -> tuple[int, ...]:
        """The players that a valid form challenges: the first, and those who are invited too, unless they are drawn."""
        data = self.cleaned_data
        more = [data[name] for name in ("third", "fourth") if name in self.fields]
        return (self.first.pk, *more[: data["seats"] - 2])


@dataclass(frozen=True)
class Guest:
    """A possible third or fourth player."""

    player: int
    name: str
    position: int
    why: str
    """Why they cannot be invited; empty if they can."""
    far: bool = False
    """Whether it is because they stand too far away."""
    only_four: bool = False
    """Whether they can only be invited to a table of four."""

    @property
    def as_third(self) -> str:
        """How a list of possible third players shows them."""
        if not self.only_four:
            return self.as_fourth
        return __("%(guest)s (only at a table of four)") % {"guest": self.as_fourth}

    @property
    def as_fourth(self) -> str:
        return f"{numbers.number(self.position)} · {self.name}"


@dataclass(frozen=True)
class Guests:
    """The possible guests at the table of a challenge."""

    people: Sequence[Guest]
    closed: Mapping[int, str]
    """By number of seats on this ladder, why there can be no such table; empty if there can be."""

    @property
    def free(self) -> list[Guest]:
        return [guest for guest in self.people if not guest.why]

    @property
    def barred(self) -> list[Guest]:
        """Those who cannot be invited, without the many who stand too far away."""
        return [guest for guest in self.people if guest.why and not guest.far]

    @property
    def far(self) -> list[Guest]:
        return [guest for guest in self.people if guest.far]

    @property
    def open(self) -> bool:
        """Whether there is any table to which the player can be challenged."""
        return not all(self.closed.values())


def guests(situation: Situation, game: Game, me: int, first: int, names: Mapping[int, str]) -> Guests:
    """The players that `me` could invite to a table with `first`, and why not the others."""
    order = situation.standing.order
    closed = {}
    for seats in tables_of(game, situation.standing.rules):
        why = refusal(situation, me, first, seats)
        closed[seats] = reasons.sentence(why, situation, me, first, names[first], seats) if why else ""
    three, four = closed.get(3) == "", closed.get(4) == ""
    others = [player for player in order if player not in (me, first)]
    at_three = [player for player in others if three and not _alone(situation, me, first, player, 3)]
    near = [player for player in others if four and not _alone(situation, me, first, player, 4)]
    at_four: set[int] = set()
    for pair in combinations(near, 2):
        if not set(pair) <= at_four and table_refusal(situation, me, (first, *pair)) is None:
            at_four.update(pair)
    if three and not at_three:
        closed[3] = __("There’s no one to invite to a table of three.")
    if four and not at_four:
        closed[4] = __("There aren’t enough players to invite to a table of four.")
    people = []
    for player in others:
        free = player in at_three or player in at_four
        why = None if free else _alone(situation, me, first, player, 4) or ChallengeRefusal.TOO_FAR
        words = reasons.on_row(why, situation, me, player, 4) if why else ""
        position = order.index(player) + 1
        only_four = free and three and player not in at_three
        people.append(Guest(player, names[player], position, words, why == ChallengeRefusal.TOO_FAR, only_four))
    return Guests(people, closed)


def _alone(situation: Situation, me: int, first: int, player: int, seats: int) -> ChallengeRefusal | None:
    """Why a player cannot be invited to a table of this many seats, whoever else is."""
    refused = table_refusal(situation, me, (first, *[player] * (seats - 2)))
    # If `first` cannot be challenged, or somebody is named twice, the reason does not lie with this player.
    own = refused is not None and refused[0] == player and refused[1] != ChallengeRefusal.YOURSELF
    return refused[1] if refused and own else None


def terms_form(rules: Rules, challenge: Challenge, now: datetime, sent: QueryDict | None = None) -> TermsForm:
    """The form for other terms of a challenge."""
    players = len(challenge.parties.all())
    return TermsForm(sent, game=challenge.rules, initial=initial_of(challenge), now=now, rules=rules, players=players)


def initial_of(challenge: Challenge) -> dict[str, Any]:
    """The initial values of a form for other terms: the present ones."""
    found: dict[str, Any] = {
        "pace": challenge.pace,
        "preset": challenge.rules.preset_of(challenge.options) or CUSTOM,
        "begins": "times" if challenge.times else "now",
    }
    clock = challenge.clock
    if clock.pace == Match.Pace.LIVE:
        found |= {"minutes": clock.minutes, "seconds": clock.seconds, "time": clock_name(clock)}
    else:
        found["days"] = clock.days
    found |= {f"option_{name}": str(value).lower() for name, value in challenge.options.items()}
    found |= {f"time_{number}": typed(instant(ms)) for number, ms in enumerate(challenge.times)}
    return found


def typed(at: datetime) -> str:
    """A moment as a date and time field holds it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M")
