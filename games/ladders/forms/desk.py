"""The forms at the desk of a ladder: each says what it expected where something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.clubs.clubs import MOST_MEMBERS
from accounts.forms import Form, offer
from accounts.models import Club, User
from accounts.text.names import folded
from accounts.text.pasted import entries
from accounts.web import datetimes
from games.engine.core import Game
from games.ladders import terms
from games.ladders.challenging import tables_of
from games.ladders.forms.vacation import day_field, end_of
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
    (
        gettext_lazy("Who can challenge whom"),
        ("reach", "reach_a_seat", "placement", "most_out", "most_in", "stall_days", "neighbour", "rest_days"),
    ),
    (gettext_lazy("Terms"), ("sizes", "drawn", "clocks", "usual_clock", "presets", "usual_preset")),
    (
        gettext_lazy("Answers and games"),
        ("accept_days", "finish_days", "decline_yields", "cheap_refusals", "free_withdrawals"),
    ),
    (gettext_lazy("At the real table"), ("at_table",)),
    (gettext_lazy("Out of time"), ("late_keeps_place", "most_late", "late_days", "back_drop")),
    (gettext_lazy("Idle, and on vacation"), ("idle_days", "sink_days", "vacation_days")),
    (gettext_lazy("Seasons"), ("season_weeks", "season_follows", "soft_reset")),
    (gettext_lazy("New members"), ("members_join", "stewards_add")),
)
"""The rules of the form, by topic."""
HELP = {
    "reach": gettext_lazy("At tables of two, players can challenge anyone up to this many rungs above them."),
    "reach_a_seat": gettext_lazy(
        "At larger tables, this many rungs per seat. With 2, the first and last player at a table of three are at "
        "most 6 rungs apart."
    ),
    "sizes": gettext_lazy("The tables of this ladder. Challenges offer only these."),
    "drawn": gettext_lazy(
        "At a table of three or four, players challenge one, and the others are drawn at random, among all who could "
        "sit there. If off, the challenger chooses, perhaps friends."
    ),
    "clocks": gettext_lazy("Of these, challenges offer those by which a game can be over in time."),
    "usual_clock": gettext_lazy("What a challenge proposes unless the challenger changes it."),
    "presets": gettext_lazy("Challenges offer only these; if you tick none, all."),
    "usual_preset": gettext_lazy("What a challenge proposes unless the challenger changes it."),
    "most_out": gettext_lazy("How many open challenges a player can have made, including games being played."),
    "most_in": gettext_lazy("How many challenges by others a player can be in, including games being played."),
    "placement": gettext_lazy("Only the first one, so that strong newcomers need not climb rung by rung."),
    "stall_days": gettext_lazy(
        "A live game agreed on this long ago, and not begun, no longer keeps other challenges away from those "
        "challenged, or from a challenger who has waited at its table."
    ),
    "neighbour": gettext_lazy(
        "Even if the player above is in as many challenges as they can be. If off, friends can keep them busy."
    ),
    "rest_days": gettext_lazy("How long after a challenge the same two can meet again; 0 means right away."),
    "accept_days": gettext_lazy(
        "How long players have to answer a challenge. After that, at tables of two, the challenger goes just above "
        "them, as if they had lost, unless this refusal costs one rung only (see below). At larger tables they go down "
        "one rung."
    ),
    "finish_days": gettext_lazy("How long an agreed game can take. After that, whoever is at fault gives way."),
    "decline_yields": gettext_lazy("If off, declining a challenge changes nothing."),
    "cheap_refusals": gettext_lazy(
        "At tables of two: for this many refusals within the “days in which they count”, the challenger goes up one "
        "rung only. With 0, the challenger always goes just above whoever doesn’t answer, declines, or doesn’t come."
    ),
    "free_withdrawals": gettext_lazy(
        "How many challenges a player can withdraw without the rest that follows every other challenge."
    ),
    "late_keeps_place": gettext_lazy(
        "If off, players who run out of time lose their place like any other loser. If on, the winner gets nothing."
    ),
    "most_late": gettext_lazy("Players who are late this often are off the ladder until they say they’re back."),
    "late_days": gettext_lazy("Being late, and refusing, is forgotten after this many days."),
    "back_drop": gettext_lazy("The most rungs a player can lose by being taken off."),
    "idle_days": gettext_lazy("Players who finish no game for this long sink by one rung, the leader too."),
    "sink_days": gettext_lazy("One more rung for each further period of this many days."),
    "vacation_days": gettext_lazy("Players on an announced vacation keep their place and can’t be challenged."),
    "season_weeks": gettext_lazy("How long a season lasts. Changes apply from the next season."),
    "season_follows": gettext_lazy("When a season’s time is up, the next one starts right away."),
    "soft_reset": gettext_lazy(
        "A new season starts halfway between the old order and the order by rating. Who has played fewer than 5 games "
        "in the old season keeps their rung."
    ),
    "at_table": gettext_lazy(
        "Players enter the results of games at a real table, and they count once all of them, or a steward, confirm "
        "them. No one can check such a game; you can undo it."
    ),
    "members_join": gettext_lazy("New members are put on the ladder right away, at the bottom."),
    "stewards_add": gettext_lazy("For a ladder of some members only. Others can’t join it by themselves."),
}
"""An explanation of each rule."""


def _rule(name: str) -> forms.Field:
    label = event_words.RULES[name]
    if name in ("sizes", "clocks", "presets"):
        required = {"required": gettext_lazy("Please tick at least one.")}
        return forms.MultipleChoiceField(
            label=label,
            widget=forms.CheckboxSelectMultiple,
            choices=[*terms.CLOCKS.items()],
            required=name != "presets",
            error_messages=required,
        )
    if name in ("usual_clock", "usual_preset"):
        return forms.ChoiceField(label=label, choices=[*terms.CLOCKS.items()], required=name == "usual_clock")
    if name not in RANGES:
        return forms.BooleanField(label=label, required=False)
    least, most = RANGES[name]
    return forms.IntegerField(label=label, min_value=least, max_value=most)


def _usual(name: str) -> str:
    """The bounds of a rule, and its usual value."""
    usual = getattr(DEFAULTS, name)
    if isinstance(usual, bool):
        return _("Usually yes.") if usual else _("Usually no.")
    if name not in RANGES:
        return ""
    least, most = RANGES[name]
    return _("%(least)s to %(most)s; usually %(default)s.") % {"least": least, "most": most, "default": usual}


Fields = type("Fields", (Form,), {name: _rule(name) for name in event_words.RULES})
"""A field for each rule of a ladder."""


class RulesForm(Fields):  # type: ignore[valid-type,misc]  # made at run time
    """All rules of a ladder on which a game is played; `now` are the current ones."""

    name = "rules"

    def __init__(self, data: Mapping[str, Any] | None = None, *, now: Rules, game: Game) -> None:
        every = terms.presets(Rules(), game)
        super().__init__(data, initial=now.to_json() | {"presets": now.presets or every})
        offer(self, "sizes", [(str(seats), str(seats)) for seats in tables_of(game)])
        self.every = every
        for name in ("presets", "usual_preset"):
            offer(self, name, [(preset, terms.label(preset)) for preset in every])
        for name, help_text in HELP.items():
            self.fields[name].help_text = format_html('{} <span class="usual">{}</span>', help_text, _usual(name))
        for name, (least, most) in RANGES.items():
            expected = _("“%(rule)s” takes a whole number from %(least)d to %(most)d.")
            says = expected % {"rule": self.fields[name].label, "least": least, "most": most}
            self.fields[name].error_messages = dict.fromkeys(("required", "invalid", "min_value", "max_value"), says)

    def rules(self) -> Rules:
        """The rules as entered."""
        data = self.cleaned_data
        presets = () if set(data["presets"]) in (set(), {*self.every}) else tuple(data["presets"])
        usual = "" if data["usual_preset"] == self.every[0] else data["usual_preset"]
        sizes = tuple(sorted(int(seats) for seats in data["sizes"]))
        chosen = {"sizes": sizes, "clocks": tuple(data["clocks"]), "presets": presets, "usual_preset": usual}
        return Rules(**(data | chosen))

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("clocks") and data.get("usual_clock") not in (None, *data["clocks"]):
            self.add_error("usual_clock", _("Please choose one of the clocks that you have ticked."))
        if data.get("presets") and data.get("usual_preset") not in (None, "", *data["presets"]):
            self.add_error("usual_preset", _("Please choose one of the rules that you have ticked."))
        if not self.errors and any(not terms.clocks(self.rules(), int(seats)) for seats in data["sizes"]):
            self.add_error("clocks", _("By none of these can a game of every size be over within the days to finish."))
        if data.get("members_join") and data.get("stewards_add"):
            self.add_error(
                "stewards_add", _("Choose one: new members join at once, or only stewards put members on it.")
            )
        return data

    def groups(self) -> Iterator[tuple[StrOrPromise, list[BoundField]]]:
        """The fields by topic."""
        for title, names in GROUPS:
            yield title, [self[name] for name in names]


def reason_field() -> forms.CharField:
    """A field for the reason of a steward's decision."""
    return forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LadderEvent._meta.get_field("reason").max_length,
        help_text=gettext_lazy("Everyone who can see the ladder can read it."),
        error_messages={"required": gettext_lazy("Please give a reason.")},
    )


class CorrectForm(Form):
    """Moves one player to another position, with a reason."""

    name = "correct"
    player = forms.TypedChoiceField(label=gettext_lazy("Player"), coerce=int, empty_value=None)
    position = forms.IntegerField(label=gettext_lazy("New rung"))
    reason = reason_field()

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        players: Sequence[tuple[int, str]],
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        choices = [(pk, f"{position}. {name}") for position, (pk, name) in enumerate(players, 1)]
        offer(self, "player", [("", "—"), *choices])
        self.fields["player"].error_messages |= {
            "required": _("Please choose a player."),
            "invalid_choice": _("This player isn’t on the ladder."),
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


class LastDayForm(Form):
    """The last day of a season or of a pause, in the reader’s zone."""

    last = day_field(gettext_lazy("Last day"), gettext_lazy("Please enter a day."))

    def __init__(self, data: Mapping[str, Any] | None = None, *, name: str, last: datetime | None = None) -> None:
        """`name`: what it is for; `last`: the end that is suggested."""
        self.name = name
        super().__init__(data, initial={"last": last and datetimes.local(last - timedelta(milliseconds=1)).date()})
        self.fields["last"].required = name != "begin"
        self.fields["last"].label = _("Last day of the pause") if name == "pause" else _("Last day of the season")

    def ends(self) -> datetime | None:
        """The end of that day; None for a season that lasts as long as the rules say."""
        last = self.cleaned_data["last"]
        return last and end_of(last)


class AddForm(Form):
    """Members to put on the ladder: ticked, or in a list of names as `accounts.text.pasted` reads them."""

    name = "add"
    everybody = forms.BooleanField(required=False)
    players = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Members"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "invalid_choice": gettext_lazy("One of them is no longer a member, or is already on the ladder."),
        },
    )
    names = forms.CharField(
        label=gettext_lazy("Or paste their names"),
        max_length=LONGEST_LIST,
        required=False,
        widget=forms.Textarea({"rows": 3, "spellcheck": "false", "autocapitalize": "none"}),
        help_text=gettext_lazy("One per line, or separated by commas. They’re added in the order of the list."),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, members: Sequence[tuple[int, str]]) -> None:
        super().__init__(data)
        offer(self, "players", members[:AT_ONCE])
        self.members = members
        self.more = max(0, len(members) - AT_ONCE)
        """The number of further members."""
        self.fields["everybody"].label = _("All %(number)d of them") % {"number": len(members)}

    def clean_names(self) -> list[int]:
        """The ids of the members or, for each wrong name, a sentence."""
        outside = {folded(name): pk for pk, name in self.members}
        wanted = [entry.name or entry.text for entry in entries(self.cleaned_data["names"])]
        wrong = dict.fromkeys(name for name in wanted if folded(name) not in outside)
        if wrong:
            says = _("%(name)s isn’t a member of the club, or is already on the ladder.")
            raise forms.ValidationError(
                [event_words.put(says, name=format_html("<bdi>{}</bdi>", name)) for name in wrong]
            )
        return list(dict.fromkeys(outside[folded(name)] for name in wanted))

    def clean(self) -> None:
        if not self.errors and not self.chosen():
            self.add_error("players", _("Please choose at least one member."))

    def chosen(self) -> list[int]:
        """The ids of the members to put on the ladder."""
        if self.cleaned_data["everybody"]:
            return [player for player, _name in self.members]
        ticked = [player for player, _name in self.members if player in self.cleaned_data["players"]]
        return list(dict.fromkeys([*self.cleaned_data["names"], *ticked]))


class OrderForm(Form):
    """An order of the ladder in the making: its players, and the number of events when it was begun."""

    name = "order"
    events = forms.IntegerField(min_value=0)
    order = forms.RegexField(r"\A[0-9]{1,18}(,[0-9]{1,18})*\Z", max_length=LONGEST_LIST)
    reason = reason_field()

    def __init__(self, data: Mapping[str, Any] | None = None, *, season: bool, reason: str = "") -> None:
        """`season`: whether one is running, so that a reason is needed; `reason`: what was typed so far."""
        super().__init__(data, initial={"reason": reason})
        self.fields["reason"].required = season
        self.fields["reason"].help_text = _("A season is running: everyone can read it, and whoever moves is told.")

    def draft(self) -> tuple[list[int], int | None]:
        """The order and the number of events; no players and None if they are invalid."""
        self.is_valid()
        entered = self.cleaned_data
        if "order" not in entered or "events" not in entered:
            return [], None
        return [int(player) for player in entered["order"].split(",")], entered["events"]


class ListForm(Form):
    """The names of players, the first on top, as `accounts.text.pasted` reads them. A part of the form of the order."""

    use_required_attribute = False  # it would keep an order from being saved without a list
    name = "list"
    names = forms.CharField(
        label=gettext_lazy("Names, first at the top"),
        max_length=LONGEST_LIST,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocapitalize": "none", "form": "order-form"}),
        help_text=gettext_lazy(
            "One per line, or separated by commas. Players not listed stay below, in their current order."
        ),
        error_messages={"required": gettext_lazy("There are no names in this list.")},
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, club: Club, standing: Standing) -> None:
        super().__init__(data)
        self.club, self.standing = club, standing

    def clean_names(self) -> list[int]:
        """The ids of the players or, for each wrong name, a sentence."""
        wanted = entries(self.cleaned_data["names"])
        if not wanted:
            raise forms.ValidationError(self.fields["names"].error_messages["required"])
        if len(wanted) > MOST_MEMBERS:
            raise forms.ValidationError(_("Enter at most %(most)d names.") % {"most": MOST_MEMBERS})
        found = User.objects.filter(folded__in={folded(entry.name) for entry in wanted}).values_list("folded", "pk")
        known = {name: pk for name, pk in found if pk in self.standing.players}
        order: list[int] = []
        wrong = []
        for text, name, _address in wanted:
            player = known.get(folded(name))
            shown = format_html("<bdi>{}</bdi>", text if player is None else name)
            if player is None:
                wrong.append(event_words.put(_("%(name)s isn’t on this ladder."), name=shown))
            elif player not in self.standing.order:
                wrong.append(event_words.put(_("%(name)s is off the ladder until they’re back."), name=shown))
            elif player in order:
                wrong.append(event_words.put(_("%(name)s is in the list more than once."), name=shown))
            else:
                order.append(player)
        if wrong:
            raise forms.ValidationError(list(dict.fromkeys(wrong)))
        return order
