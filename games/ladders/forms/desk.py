"""The forms at the desk of a ladder: each says what it expected where something is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.clubs import MOST_MEMBERS
from accounts.forms import Form, offer
from accounts.models import Club, User
from accounts.names import folded
from games.ladders.models import LadderEvent
from games.ladders.rules import RANGES, Rules
from games.ladders.standing import Standing
from games.ladders.words import events as event_words

if TYPE_CHECKING:
    from django.forms import BoundField
    from django_stubs_ext import StrOrPromise

LONGEST_LIST = 20_000
"""The most characters of a pasted list of names."""
AT_ONCE = 120
"""The most members that can be put on the ladder at once."""
DEFAULTS = Rules()
GROUPS = (
    (gettext_lazy("Who may challenge whom"), ("reach", "reach_a_seat", "most_out", "most_in", "rest_days")),
    (gettext_lazy("Answers and games"), ("accept_days", "finish_days", "decline_yields")),
    (gettext_lazy("Out of time"), ("late_keeps_place", "most_late", "late_days", "back_drop")),
    (gettext_lazy("Idle, and on vacation"), ("idle_days", "sink_days", "vacation_days")),
    (gettext_lazy("Seasons"), ("season_weeks", "season_follows", "soft_reset")),
)
"""The rules of the form, by topic."""
HELP = {
    "reach": gettext_lazy("At tables of two, players may challenge anybody up to this many rungs above them."),
    "reach_a_seat": gettext_lazy(
        "At larger tables, this many rungs for each seat: with 2, at a table of three, the first and the last of the "
        "table are at most 6 rungs apart."
    ),
    "most_out": gettext_lazy("The open challenges that a player may have made, including games being played."),
    "most_in": gettext_lazy("The challenges by others that a player may be in, including games being played."),
    "rest_days": gettext_lazy("The time after a challenge before the same two meet again; 0: they may at once."),
    "accept_days": gettext_lazy("The time to answer a challenge. After it, the challenger moves up."),
    "finish_days": gettext_lazy("The time in which an agreed game must be over; otherwise those at fault give way."),
    "decline_yields": gettext_lazy("If not, declining a challenge changes nothing."),
    "late_keeps_place": gettext_lazy("If not, players who run out of time lose their places like any other loser."),
    "most_late": gettext_lazy("Players late this often are off the ladder until they say they are back."),
    "late_days": gettext_lazy("Being late is forgotten after this many days."),
    "back_drop": gettext_lazy("The most rungs that a player loses by being taken off."),
    "idle_days": gettext_lazy("Players who have finished no game for this long sink by one rung; the leader too."),
    "sink_days": gettext_lazy("One more rung each time this many days have passed."),
    "vacation_days": gettext_lazy("On an announced vacation, players keep their places and are not challenged."),
    "season_weeks": gettext_lazy("The length of a season. A change applies from the next season on."),
    "season_follows": gettext_lazy("When a season ends by the clock, the next one begins at once."),
    "soft_reset": gettext_lazy("A new season begins halfway between the old order and the order of the ratings."),
}
"""An explanation of each rule."""


def _rule(name: str) -> forms.Field:
    label = event_words.RULES[name]
    if name not in RANGES:
        return forms.BooleanField(label=label, required=False)
    least, most = RANGES[name]
    return forms.IntegerField(label=label, min_value=least, max_value=most)


def _usual(name: str) -> str:
    """The bounds of a rule, and its usual value."""
    usual = getattr(DEFAULTS, name)
    if name not in RANGES:
        return _("Usually yes.") if usual else _("Usually no.")
    least, most = RANGES[name]
    return _("%(least)s to %(most)s; usually %(default)s.") % {"least": least, "most": most, "default": usual}


Fields = type("Fields", (Form,), {name: _rule(name) for name in event_words.RULES})
"""A field for each rule of a ladder."""


class RulesForm(Fields):  # type: ignore[valid-type,misc]  # made at run time
    """All rules of a ladder; `now` are the current ones."""

    name = "rules"

    def __init__(self, data: Mapping[str, Any] | None = None, *, now: Rules) -> None:
        super().__init__(data, initial=now.to_json())
        for name, help_text in HELP.items():
            self.fields[name].help_text = format_html('{} <span class="usual">{}</span>', help_text, _usual(name))
        for name, (least, most) in RANGES.items():
            expected = _("“%(rule)s” takes a whole number from %(least)d to %(most)d.")
            says = expected % {"rule": self.fields[name].label, "least": least, "most": most}
            self.fields[name].error_messages = dict.fromkeys(("required", "invalid", "min_value", "max_value"), says)

    def rules(self) -> Rules:
        """The rules as entered."""
        return Rules(**self.cleaned_data)

    def groups(self) -> Iterator[tuple[StrOrPromise, list[BoundField]]]:
        """The fields by topic."""
        for title, names in GROUPS:
            yield title, [self[name] for name in names]


def reason_field() -> forms.CharField:
    """A field for the reason of a steward's decision."""
    return forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LadderEvent._meta.get_field("reason").max_length,
        help_text=gettext_lazy("Everybody who sees the ladder can read it."),
        error_messages={"required": gettext_lazy("Please give a reason.")},
    )


class CorrectForm(Form):
    """Moves one player to another position, with a reason."""

    name = "correct"
    player = forms.TypedChoiceField(label=gettext_lazy("Player"), coerce=int, empty_value=None)
    position = forms.IntegerField(label=gettext_lazy("New rung"))
    reason = reason_field()

    def __init__(self, data: Mapping[str, Any] | None = None, *, players: Sequence[tuple[int, str]]) -> None:
        super().__init__(data)
        choices = [(pk, f"{position}. {name}") for position, (pk, name) in enumerate(players, 1)]
        offer(self, "player", [("", "—"), *choices])
        self.fields["player"].error_messages |= {
            "required": _("Please choose a player."),
            "invalid_choice": _("This player is not on the ladder."),
        }
        position, last = self.fields["position"], max(len(players), 1)
        assert isinstance(position, forms.IntegerField)
        position.min_value, position.max_value = 1, last
        expected = _("A rung of this ladder is a whole number from 1 to %(last)d.") % {"last": last}
        position.validators = [_within(1, last, expected)]
        position.error_messages |= dict.fromkeys(("required", "invalid"), expected)
        position.widget.attrs |= {"min": 1, "max": last}


def _within(least: int, most: int, says: str) -> Callable[[int], None]:
    def check(number: int) -> None:
        if not least <= number <= most:
            raise forms.ValidationError(says)

    return check


class UndoForm(Form):
    """The reason for undoing an event."""

    name = "undo"
    reason = reason_field()


class AddForm(Form):
    """Members to put on the ladder."""

    name = "add"
    players = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Members"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": gettext_lazy("Please choose at least one member."),
            "invalid_choice": gettext_lazy(
                "One of them is no longer a member of the club, or is on the ladder already."
            ),
        },
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, members: Sequence[tuple[int, str]]) -> None:
        super().__init__(data)
        offer(self, "players", members[:AT_ONCE])
        self.more = max(0, len(members) - AT_ONCE)
        """The number of further members."""


class OrderForm(Form):
    """An order of the ladder in the making: its players, and the number of events when it was begun."""

    name = "order"
    events = forms.IntegerField(min_value=0)
    order = forms.RegexField(r"\A[0-9]{1,18}(,[0-9]{1,18})*\Z", max_length=LONGEST_LIST)

    def draft(self) -> tuple[list[int], int | None]:
        """The order and the number of events; no players and None if the data is invalid."""
        if not self.is_valid():
            return [], None
        return [int(player) for player in self.cleaned_data["order"].split(",")], self.cleaned_data["events"]


class ListForm(Form):
    """The names of players, the first on top, separated by lines or commas; numbers before them do not matter."""

    name = "list"
    names = forms.CharField(
        label=gettext_lazy("Names, the first on top"),
        max_length=LONGEST_LIST,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocapitalize": "none"}),
        help_text=gettext_lazy(
            "One in each line, or separated by commas. Players not in the list stay below, in the present order."
        ),
        error_messages={"required": gettext_lazy("There is no name in this list.")},
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, club: Club, standing: Standing) -> None:
        super().__init__(data)
        self.club, self.standing = club, standing

    def clean_names(self) -> list[int]:
        """The ids of the players or, for each wrong name, a sentence."""
        wanted = named(self.cleaned_data["names"])
        if not wanted:
            raise forms.ValidationError(self.fields["names"].error_messages["required"])
        if len(wanted) > MOST_MEMBERS:
            raise forms.ValidationError(_("Please give at most %(most)d names.") % {"most": MOST_MEMBERS})
        found = User.objects.filter(folded__in={folded(name) for name in wanted}).values_list("folded", "pk")
        known = {name: pk for name, pk in found if pk in self.standing.players}
        order: list[int] = []
        wrong = []
        for name in wanted:
            player, shown = known.get(folded(name)), format_html("<bdi>{}</bdi>", name)
            if player is None:
                wrong.append(event_words.put(_("%(name)s is not on this ladder."), name=shown))
            elif player not in self.standing.order:
                wrong.append(event_words.put(_("%(name)s is taken off the ladder until they are back."), name=shown))
            elif player in order:
                wrong.append(event_words.put(_("%(name)s is in the list more than once."), name=shown))
            else:
                order.append(player)
        if wrong:
            raise forms.ValidationError(list(dict.fromkeys(wrong)))
        return order


def named(text: str) -> list[str]:
    """The names in a list, without line numbers."""
    parts = (re.sub(r"^\s*\d+\s*[.):\t]?\s*|^\s*[-*•]\s+", "", part) for part in re.split(r"[\n\r,;]+", text))
    return [name for part in parts if (name := part.strip().removeprefix("@").strip())]
