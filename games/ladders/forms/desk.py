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
from accounts.text.numbers import number
from accounts.text.pasted import entries
from accounts.web import datetimes
from accounts.web.refused import Refused
from games.engine.core import Game
from games.ladders import terms
from games.ladders.challenging import tables_of
from games.ladders.forms.vacation import day_field, end_of
from games.ladders.models import LadderEvent
from games.ladders.rules import PRESETS, RANGES, Rules, preset, preset_of
from games.ladders.standing import Standing
from games.ladders.words import events as event_words
from games.ladders.words.rule_labels import EVERYDAY, GROUPS, PRESET_NAMES, RULES, Rule

if TYPE_CHECKING:
    from django.forms import BoundField
    from django_stubs_ext import StrOrPromise

LONGEST_LIST = 20_000
"""The most characters of a pasted list of names."""
AT_ONCE = 120
"""The most members that can be put on the ladder at once."""


def _field(name: str, rule: Rule) -> forms.Field:
    """The field of a rule, as far as it is the same for all ladders."""
    if name in ("sizes", "clocks", "presets"):
        return forms.MultipleChoiceField(
            label=rule.label,
            widget=forms.CheckboxSelectMultiple,
            choices=terms.clock_choices,
            required=name != "presets",
            error_messages={"required": gettext_lazy("Please tick at least one.")},
        )
    if name in ("usual_clock", "usual_preset"):
        return forms.ChoiceField(label=rule.label, choices=terms.clock_choices, required=name == "usual_clock")
    if name not in RANGES:
        return forms.BooleanField(label=rule.label, required=False)
    least, most = RANGES[name]
    return forms.IntegerField(label=rule.label, min_value=least, max_value=most)


def _usual(name: str) -> str:
    """The bounds of a rule, and its usual value."""
    usual = getattr(Rules(), name)
    if isinstance(usual, bool):
        return _("Usually yes.") if usual else _("Usually no.")
    if name not in RANGES:
        return ""
    least, most = RANGES[name]
    return _("%(least)s to %(most)s; usually %(default)s.") % {"least": least, "most": most, "default": usual}


class RulesForm(Form):
    """All rules of a ladder on which a game is played. `now`: the current ones; `chosen`: the name of a preset whose
    demands are put into the fields, to be saved or not."""

    name = "rules"

    def __init__(self, data: Mapping[str, Any] | None = None, *, now: Rules, game: Game, chosen: str = "") -> None:
        every = terms.presets(Rules(), game)
        now = preset(chosen, now) if chosen in PRESETS else now
        self.now, self.chosen = now, preset_of(now)
        super().__init__(data, initial=now.to_json() | {"presets": now.presets or every})
        self.fields = {name: _field(name, rule) for name, rule in RULES.items()}
        offer(self, "sizes", [(str(seats), number(seats)) for seats in tables_of(game)])
        self.every = every
        for name in ("presets", "usual_preset"):
            offer(self, name, [(preset, terms.label(preset)) for preset in every])
        for name, rule in RULES.items():
            self.fields[name].help_text = format_html('{} <span class="usual">{}</span>', rule.help, _usual(name))
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

    @property
    def preset_names(self) -> dict[str, Rule]:
        """The presets that can be chosen, with their words."""
        return PRESET_NAMES

    def everyday(self) -> list[BoundField]:
        """The fields that most clubs set."""
        return [self[name] for name in GROUPS[EVERYDAY]]

    def more(self) -> Iterator[tuple[StrOrPromise, list[BoundField]]]:
        """The other fields by topic."""
        for title, names in GROUPS.items():
            if title is not EVERYDAY:
                yield title, [self[name] for name in names]

    @property
    def changed_rules(self) -> int:
        """How many of the other rules are not as usual."""
        usual = Rules()
        return sum(
            getattr(self.now, field.name) != getattr(usual, field.name)
            for _title, each in self.more()
            for field in each
        )

    @property
    def wrong_below(self) -> bool:
        """Whether one of the other fields is wrong, so that they must not be folded."""
        return any(field.errors for _title, each in self.more() for field in each)


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
        choices = [(pk, f"{number(position)}. {name}") for position, (pk, name) in enumerate(players, 1)]
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

    def __init__(self, data: Mapping[str, Any] | None = None, *, event: LadderEvent) -> None:
        super().__init__(data)
        self.event = event


class DeskForm(Form):
    """What is decided by its button alone, or by more: why it was refused stands at the head of the desk."""

    def __init__(self, *args: Any, name: str = "", **kwargs: Any) -> None:
        self.name = name or self.name
        super().__init__(*args, **kwargs)

    def refuse(self, refusal: Exception) -> None:
        self.refusal = refusal


class LastDayForm(DeskForm):
    """The last day of a season or of a pause, in the reader’s zone."""

    last = day_field(gettext_lazy("Last day"), gettext_lazy("Please enter a day."))

    def __init__(self, data: Mapping[str, Any] | None = None, *, name: str, last: datetime | None = None) -> None:
        """`name`: what it is for; `last`: the end that is suggested."""
        shown = last and datetimes.local(last - timedelta(milliseconds=1)).date()
        super().__init__(data, name=name, initial={"last": shown})
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


class OrderForm(DeskForm):
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

    def clean(self) -> None:
        """What the page fills in itself is wrong only where the page is an old one."""
        if {"events", "order"} & self.errors.keys():
            wrong = _("The ladder has changed in the meantime. Check it and set the order again.")
            self.add_error(None, wrong)
            self.refuse(Refused(wrong))

    def draft(self) -> tuple[list[int], int | None]:
        """The order and the number of events of a form that was checked; no players and None if they are invalid."""
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
