"""The forms of the lobby."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.forms import Form, offer
from accounts.models import Club
from accounts.web.refused import Refused
from games.engine.chance import SHARE_BYTES
from games.engine.core import Game, RulesError
from games.engine.registry import title
from games.faces import levels
from games.faces.face import CUSTOM
from games.faces.registry import face_of
from games.lobby.times import LENGTH, ClockField, time_control
from games.matches.clocks import DAILY, LIVE, USUAL, Clock
from games.matches.models import Match
from games.matches.playable import Pace

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LIMITS = {"min_value": _("At least %(limit_value)s."), "max_value": _("At most %(limit_value)s.")}
SHARE = re.compile(rf"[0-9a-f]{{{2 * SHARE_BYTES}}}")
SEAL = re.compile(r"[0-9a-f]{64}")


CLUB = "club-"
"""With the address of a club after it: its members alone may join."""
SHOWN_CLUBS = 2
"""With more clubs than that, who may join is chosen from a list."""


def read_share(text: str) -> bytes:
    """The bytes that a browser gives to the shuffle. Raises Refused for anything else."""
    if not SHARE.fullmatch(text):
        raise Refused(_("These are no bytes for the shuffle: 32 hexadecimal digits were expected."))
    return bytes.fromhex(text)


def read_seal(text: str) -> str:
    """The seal of the bytes of a browser. Raises Refused for anything else."""
    if not SEAL.fullmatch(text):
        raise Refused(_("This is no seal for the shuffle: 64 hexadecimal digits were expected."))
    return text


def read_game(fields: Mapping[str, str]) -> Game | None:
    """The title named in the fields of an address or a form, the first one by default; None if there is none."""
    try:
        return title(fields.get("game", ""))
    except RulesError:
        return None


def usual_places(game: Game) -> int:
    """The proposed number of players: three, or as near to that as the game allows."""
    return min(game.seats, key=lambda places: abs(places - 3))


def sizes(game: Game) -> list[int]:
    """The numbers of players of a game for several."""
    return [places for places in game.seats if places > 1]


def read_places(post: QueryDict, game: Game) -> int | None:
    """The requested number of players of a game for several; None if the game cannot be played so."""
    text = post.get("places", "")
    return int(text) if text in {str(places) for places in sizes(game)} else None


def read_level(post: QueryDict, game: Game) -> int | None:
    """The requested difficulty of a game of one player; None if the game has no such."""
    text = post.get("level", "")
    return int(text) if text in {str(level) for level in game.levels} else None


def read_bot(fields: Mapping[str, str], game: Game) -> str | None:
    """The requested bot, by default the usual one; None if the game does not offer it."""
    name = fields.get("bot", game.bot)
    return name if name in levels.offered(game) else None


class MatchForm(Form):
    """The choices for a new match of several players."""

    places = forms.TypedChoiceField(widget=forms.RadioSelect, label=_("Players"), coerce=int)
    pace = forms.ChoiceField(
        widget=forms.RadioSelect, label=_("Pace"), choices=Match.Pace.choices, initial=Match.Pace.LIVE
    )
    time = ClockField(LIVE, own=_("Custom"), label=_("Time each"), required=False, help_text=LENGTH)
    minutes = forms.IntegerField(
        widget=forms.NumberInput({"inputmode": "numeric"}),
        label=_("Minutes each"),
        min_value=1,
        max_value=60,
        initial=10,
        required=False,
        error_messages=LIMITS,
    )
    seconds = forms.IntegerField(
        widget=forms.NumberInput({"inputmode": "numeric"}),
        label=_("Seconds a move"),
        min_value=0,
        max_value=60,
        initial=15,
        required=False,
        error_messages=LIMITS,
    )
    days = forms.TypedChoiceField(
        widget=forms.RadioSelect,
        label=_("Time for each move"),
        coerce=int,
        choices=lambda: [(clock.days, time_control(clock)) for clock in DAILY],
        initial=3,
        required=False,
        empty_value=3,  # type: ignore[arg-type]  # any value will do
    )
    bots = forms.TypedChoiceField(
        widget=forms.RadioSelect,
        label=_("Bots"),
        coerce=int,
        initial=0,
        required=False,
        empty_value=0,  # type: ignore[arg-type]  # any value will do
    )
    bot = forms.ChoiceField(widget=forms.RadioSelect, label=_("Level of the bots"), required=False)
    preset = forms.ChoiceField(label=_("Rules"))
    kind = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=_("Game type"),
        choices=[("rated", _("Rated")), ("casual", _("Casual"))],
        initial="rated",
        required=False,
    )
    access = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=_("Who can join"),
        choices=[("all", _("Anyone")), ("link", _("People with the link"))],
        initial="all",
    )
    watch = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=_("Who can watch"),
        choices=[(each.value, each.label) for each in (Match.Watch.ANYBODY, Match.Watch.LINK, Match.Watch.NOBODY)],
        initial=Match.Watch.ANYBODY,
    )

    def __init__(self, *args: Any, game: Game, clubs: Sequence[Club] = (), bot: str = "", **kwargs: Any) -> None:
        """`clubs`: those for whose members the table can be. `bot`: the one proposed, by default the usual one."""
        kwargs["label_suffix"] = ""
        super().__init__(*args, **kwargs)
        self.clubs = {f"{CLUB}{club.slug}": club for club in clubs}
        self.game, self.face = game, face_of(game)
        self.presets = {**self.face.presets, "custom": CUSTOM}
        offer(self, "places", [(n, str(n)) for n in sizes(game)])
        self.fields["places"].initial = usual_places(game)
        offer(self, "bots", [(n, str(n)) for n in range(game.seats[-1])])
        if bots := levels.choice(game):
            offer(self, "bot", bots.items())
            self.fields["bot"].initial = bot or game.bot
            self.fields["bot"].help_text = levels.only(game)
        else:
            del self.fields["bot"]
        if self.clubs:
            self._offer_clubs()
        offer(self, "preset", [(name, preset.label) for name, preset in self.presets.items()])
        self.fields["preset"].initial = next(iter(self.presets))
        for name, option in self.face.choices.items():
            if name == game.difficulty:
                continue
            self.fields[f"option_{name}"] = forms.ChoiceField(
                label=option.label,
                choices=[(str(value).lower(), option.values[value]) for value in self.game.choices[name]],
                initial=str(self.game.choices[name][0]).lower(),
                required=False,
            )

    def _offer_clubs(self) -> None:
        field = self.fields["access"]
        assert isinstance(field, forms.ChoiceField)
        members = [(name, _("Members of %(club)s") % {"club": club.name}) for name, club in self.clubs.items()]
        choices = [*self.fields["access"].choices, *members]  # type: ignore[attr-defined]
        if len(self.clubs) > SHOWN_CLUBS:
            field.widget = forms.Select()
        offer(self, "access", choices)
        if any(club.private for club in self.clubs.values()):
            field.help_text = _("A table of a private club is casual, and only its members can know of it.")

    @property
    def club(self) -> Club | None:
        """The club for whose members alone the table is to be."""
        return self.clubs.get(self.cleaned_data.get("access", ""))

    @property
    def opened(self) -> bool:
        """Whether the choices behind the first ones are shown from the start: some are made already."""
        return self.is_bound or bool(self.initial)

    def usual(self) -> list[StrOrPromise]:
        """What the choices behind the first ones are before anybody changes them, in a word or two each."""
        return [time_control(USUAL), next(iter(self.presets.values())).label, _("Rated")]

    def own_time(self) -> list[forms.BoundField]:
        """The fields of a time control that is not one of the usual ones."""
        return [self["minutes"], self["seconds"]]

    def preset_explanations(self) -> list[StrOrPromise]:
        """The meaning of each preset, in order."""
        return [preset.explanation for preset in self.presets.values()]

    def options(self) -> list[forms.BoundField]:
        """The fields of the table options, for rules of one's own."""
        return [self[name] for name in self.fields if name.startswith("option_")]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("pace") == Match.Pace.LIVE and "time" in data and data["time"] is None:
            for name in ("minutes", "seconds"):
                if name not in self.errors and data.get(name) is None:
                    self.add_error(name, _("Please enter a whole number."))
        if data.get("bots", 0) >= data.get("places", self.game.seats[-1]):
            self.add_error("bots", _("One of the seats is yours: choose fewer bots."))
        if data.get("watch", Match.Watch.ANYBODY) != Match.Watch.ANYBODY and not self.errors and self.rated():
            self.add_error("watch", _("Anyone can watch a rated game. To play unwatched, choose a casual game."))
        return data

    def rated(self) -> bool:
        """Whether the match is to be rated; where that is not possible, the form does not offer it."""
        data = self.cleaned_data
        clock, pool = data["pace"] != Match.Pace.NONE, self.game.pool(data["places"])
        private = self.club is not None and self.club.private
        return data["kind"] == "rated" and not (data["bots"] or private) and clock and bool(pool)

    def chosen(self) -> dict[str, Any]:
        """The choices in a valid form, as `open_matches.open_match` takes them."""
        data = self.cleaned_data
        return {
            "game": self.game,
            "places": data["places"],
            "clock": self.chosen_clock(),
            "bots": data["bots"],
            "bot": data.get("bot", ""),
            "rated": self.rated(),
            "listed": data["access"] != "link",
            "club": self.club,
            "watch": data["watch"],
            "options": self.chosen_options(),
        }

    def chosen_clock(self) -> Clock:
        """The time control of a valid form."""
        data = self.cleaned_data
        if data["pace"] == Pace.LIVE:
            chosen: Clock | None = data["time"]
            return chosen or Clock.live(data["minutes"], data["seconds"])
        return Clock.daily(data["days"]) if data["pace"] == Pace.DAILY else Clock()

    def chosen_options(self) -> dict[str, Any]:
        """All table options, from the preset or one by one."""
        preset = self.cleaned_data["preset"]
        if preset != "custom":
            return self.game.preset(preset)
        texts = {name: self.cleaned_data.get(f"option_{name}", "") for name in self.game.choices}
        return self.game.options({name: self.game.option(name, text) for name, text in texts.items() if text})
