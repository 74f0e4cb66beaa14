"""The form of an event: only what its kind asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from zoneinfo import ZoneInfo

from django import forms
from django.forms import BoundField
from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from accounts.forms import Form
from accounts.models import Club
from accounts.text import plaintext
from accounts.text.numbers import number
from accounts.web import datetimes
from games.calendar.models import LONGEST_ABOUT, LONGEST_PLACE, LONGEST_TITLE, CalendarEvent
from games.calendar.services import FARTHEST, LONGEST_PAUSE, MOST_HOURS, MOST_WEEKS, EventPlan, revision
from games.clubs.calendar.kinds import EventKind
from games.engine.core import Game
from games.faces.registry import face_of
from games.ladders.models import Ladder
from games.lobby.times import LENGTH, ClockField, time_a_move, time_with_pace
from games.matches.clocks import DAILY, LIVE, USUAL, Clock
from games.tournaments.evenings import RANDOM, RUNG
from games.tournaments.models import Tournament
from games.tournaments.services import MOST_PLAYERS, GameTerms
from games.tournaments.settings import CHOICES, CHOICES_OF, SETTINGS

FOLDED = ("halves", "third", "breaks")
"""Settings that few need."""
ONCE = [name for name, each in SETTINGS.items() if each.most == 1]
"""Settings that are a yes or a no."""
NOW, LATER = "now", "later"
HERE, AT_TABLE = "here", "table"
MOST_RATING = 4000
MOST_GAMES = 1000
ENTRY = ((15, _("15 minutes before it begins")), (60, _("1 hour before")), (1440, _("1 day before")))
"""Until when one can enter, in minutes before it begins."""


def segments(label: Any, choices: Any, **kwargs: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, widget=forms.RadioSelect, **kwargs)


def whole(label: Any, least: int, most: int, **kwargs: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=most, **kwargs)


def moment_field(label: Any) -> forms.CharField:
    """A moment by the clocks of the form's `zone`."""
    return forms.CharField(
        label=label, max_length=40, required=False, widget=forms.TextInput({"type": "datetime-local"})
    )


class EventForm(Form):
    """A new event of a kind, or an event to change. Its times are by the clocks of `zone`."""

    zone = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)
    """The zone of the reader; if the site does not know it, a script names that of the browser, and UTC is meant
    without one."""
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
    """The revision of the event that the steward looked at."""

    def __init__(
        self,
        *args: Any,
        club: Club,
        kind: EventKind,
        game: Game,
        ladders: list[Ladder],
        event: CalendarEvent | None = None,
        **kwargs: Any,
    ) -> None:
        """`event`: the one to change; what has been opened for it stays as it is."""
        self.club, self.kind, self.game, self.ladders, self.event = club, kind, game, ladders, event
        self.opened = event is not None and Tournament.objects.filter(calendar=event).exists()
        kwargs["initial"] = {
            "zone": datetimes.zone_name(),
            **(self._of(event) if event else {}),
            **kwargs.get("initial", {}),
        }
        super().__init__(*args, **kwargs)
        if not self.opened:
            self._add_name()
        if kind.tournament and not self.opened:
            self._add_game()
        if kind.event:
            self._add_time()
            if kind.tournament:
                self._add_conditions()

    def _add_name(self) -> None:
        named = self.kind.label if self.kind.tournament else ""
        self.fields["name_"] = forms.CharField(label=_("Name"), max_length=LONGEST_TITLE, initial=named)

    def _add_game(self) -> None:
        kind, game, fields = self.kind, self.game, self.fields
        if kind.at_table:
            played = [(HERE, _("On this site")), (AT_TABLE, _("At the real table"))]
            fields["played"] = segments(_("Played"), played, initial=HERE)
        sizes = [seats for seats in game.seats if seats > 1]
        if not kind.for_two and len(sizes) > 1:
            fields["seats"] = forms.TypedChoiceField(
                label=_("Players at a table"),
                coerce=int,
                widget=forms.RadioSelect,
                choices=[(seats, number(seats)) for seats in sizes],
                initial=3 if 3 in sizes and kind.tournament == Tournament.Kind.EVENING else sizes[0],
            )
        clocks = ((*LIVE,) if kind.live else ()) + (DAILY[:2] if kind.daily else ())
        words = time_with_pace if kind.live and kind.daily else time_a_move
        usual = USUAL if kind.live else DAILY[1]
        help_text = LENGTH if kind.live and not kind.daily else ""
        fields["time"] = ClockField(clocks, label=_("Time each"), words=words, initial=usual, help_text=help_text)
        for name in (*kind.settings, *(("days",) if kind.daily else ())):
            if name == "weekly":
                fields[name] = forms.BooleanField(
                    label=_("A new deal every week"),
                    required=False,
                    help_text=_("When a deal closes that someone has played, the next one opens by itself."),
                )
            elif SETTINGS[name].most == 1:
                fields[name] = forms.BooleanField(label=SETTINGS[name].label, required=False)
            else:
                each = SETTINGS[name]
                fields[name] = whole(each.label, each.least, each.most, initial=each.default)
        for name in CHOICES_OF.get(kind.tournament or "", ()):
            choice = CHOICES[name]
            fields[name] = forms.ChoiceField(label=choice.label, choices=[*choice.options.items()], required=False)
        if "days" in fields:
            fields["days"].help_text = _(
                "A game that isn’t over then is decided by the clocks: whoever has used more than their share of the "
                "time comes after the others."
            )
        face = face_of(game)
        presets = [(name, preset.label) for name, preset in face.presets.items()]
        fields["preset"] = forms.ChoiceField(label=_("Rules"), choices=presets, initial=presets[0][0])
        if kind.tournament not in Tournament.SAME_DEAL:
            fields["rated"] = forms.BooleanField(
                label=_("Games are rated"),
                required=False,
                help_text=_(
                    "Games are casual with bots, guests or people whom a steward has ticked, and in a private club."
                ),
            )
        if kind.planned:
            fields["seeds"] = segments(
                _("Order at the beginning"), [(RUNG, _("By the ladder")), (RANDOM, _("At random"))], initial=RUNG
            )
        if len(self.ladders) > 1 and kind.tournament not in Tournament.SAME_DEAL:
            fields["ladder"] = forms.TypedChoiceField(
                label=_("Ladder that seats people"),
                coerce=int,
                choices=[(ladder.number, ladder.label) for ladder in self.ladders],
            )

    def _add_time(self) -> None:
        kind, fields = self.kind, self.fields
        if kind.tournament and not self.event:
            fields["begins"] = segments(_("When"), [(NOW, _("Now")), (LATER, _("Later"))], initial=NOW)
        fields["starts"] = moment_field(_("Day and time"))
        fields["hours"] = whole(_("Length in hours"), 1, MOST_HOURS, initial=3)
        fields["place"] = forms.CharField(label=_("Where"), max_length=LONGEST_PLACE, required=False)
        if not self.event:
            fields["weeks"] = whole(
                _("How many weeks in a row"), 1, MOST_WEEKS, initial=1, help_text=_("1 means only once.")
            )
        elif self.event.series:
            fields["following"] = segments(
                _("Change"),
                [("", _("This one")), ("1", _("This one and those that follow"))],
                required=False,
                initial="",
            )
        fields["about"] = forms.CharField(
            label=_("What to know"), max_length=LONGEST_ABOUT, required=False, widget=forms.Textarea({"rows": 3})
        )
        if not self.club.private:
            fields["readers"] = segments(
                _("Who can see it"),
                [("members", _("Members")), ("all", _("Everyone"))],
                required=False,
                initial="members",
                help_text=_("Who comes is shown to members only. An open tournament is shown as the club is."),
            )

    def _add_conditions(self) -> None:
        fields = self.fields
        fields["entry"] = forms.TypedChoiceField(
            label=_("Entry until"),
            coerce=int,
            empty_value=None,
            required=False,
            choices=[("", _("No limit")), *ENTRY],
        )
        fields["most"] = whole(_("Most people"), 2, MOST_PLAYERS, required=False)
        fields["least_rating"] = whole(_("Lowest rating"), 0, MOST_RATING, required=False)
        fields["most_rating"] = whole(_("Highest rating"), 0, MOST_RATING, required=False)
        fields["least_games"] = whole(_("Rated games, at least"), 1, MOST_GAMES, required=False)
        if self.kind.by_round and (not self.event or not self.opened):
            fields["by_clock"] = forms.BooleanField(
                label=_("Rounds begin by the clock"),
                required=False,
                initial=self.kind.tournament != Tournament.Kind.EVENING,
                help_text=_(
                    "The first at the start, the others after a pause. The first of an event that begins now is begun "
                    "by you, once all are there."
                ),
            )
            fields["pause"] = whole(_("Minutes between rounds"), 0, LONGEST_PAUSE, initial=5)

    def _of(self, event: CalendarEvent) -> dict[str, Any]:
        """What the fields show of an event."""
        zone = ZoneInfo(datetimes.zone_name() or "UTC")
        entry = event.entry_until and (event.starts_at - event.entry_until) // timedelta(minutes=1)
        opens = event.opens
        return {
            "name_": event.title,
            "starts": event.starts_at.astimezone(zone).strftime("%Y-%m-%dT%H:%M"),
            "readers": "all" if event.public else "members",
            "entry": entry,
            "seen": revision(event),
            "played": AT_TABLE if opens.get("at_table") else HERE,
            "time": opens.get("clock"),
            **{name: opens[name] for name in ("seats", "preset", "rated", "ladder") if name in opens},
            **opens.get("settings", {}),
            **{
                name: getattr(event, name)
                for name in (
                    *("hours", "place", "about", "most", "least_rating", "most_rating", "least_games"),
                    *("by_clock", "pause"),
                )
            },
        }

    # The groups of the page

    @property
    def asked(self) -> Iterator[BoundField]:
        """The few fields that are always open: those of the kind."""
        return self._those("name_", "played", "seats", "time", *self.kind.settings, "days", without=FOLDED)

    @property
    def when(self) -> Iterator[BoundField]:
        about = () if self.kind.tournament else ("about",)
        return self._those("begins", "starts", "hours", "place", "weeks", *about, "readers", "following")

    @property
    def who(self) -> list[BoundField]:
        return [*self._those("entry", "most", "least_rating", "most_rating", "least_games")]

    @property
    def more(self) -> list[BoundField]:
        about = ("about",) if self.kind.tournament else ()
        return [*self._those("by_clock", "pause", "preset", "rated", "seeds", "ladder", *FOLDED, *about)]

    @property
    def who_open(self) -> bool:
        """Whether the folded part has something to see: an error, or a condition."""
        return any(field.errors or field.value() for field in self.who)

    @property
    def more_open(self) -> bool:
        return any(field.errors for field in self.more)

    def _those(self, *names: str, without: Sequence[str] = ()) -> Iterator[BoundField]:
        return (self[name] for name in names if name in self.fields and name not in without)

    # What is sent

    def clean_name_(self) -> str:
        return self._line("name_")

    def clean_place(self) -> str:
        return self._line("place")

    def clean_about(self) -> str:
        return plaintext.lines(self.cleaned_data["about"])

    def _line(self, name: str) -> str:
        line = " ".join(plaintext.lines(self.cleaned_data[name]).split())
        if not line and self.fields[name].required:
            raise forms.ValidationError(self.fields[name].error_messages["required"])
        return line

    def clean_zone(self) -> str:
        zone: str = self.cleaned_data["zone"]
        return zone if zone in datetimes.all_zones() else "UTC"

    @property
    def at_once(self) -> bool:
        """Whether it is to begin now."""
        return self.cleaned_data.get("begins") == NOW

    def clean(self) -> None:
        data = self.cleaned_data
        if "starts" in self.fields and "starts" not in self.errors and not self.at_once:
            try:
                data["starts"] = self._moment(data["starts"], ZoneInfo(data.get("zone", "UTC")))
            except forms.ValidationError as wrong:
                self.add_error("starts", wrong)
        least, most = data.get("least_rating"), data.get("most_rating")
        if least is not None and most is not None and least > most:
            self.add_error("most_rating", _("This is below the lowest rating."))

    @staticmethod
    def _moment(text: str, zone: ZoneInfo) -> datetime:
        """The moment that clocks in a zone show so; the first one, if they show it twice."""
        try:
            at = parse_datetime(text.strip())
            found = at and (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)
        except (ValueError, OverflowError):
            at = found = None
        if at is None or found is None:
            raise forms.ValidationError(_("Please enter a day and a time."))
        if not at.tzinfo and found.astimezone(zone).replace(tzinfo=None) != at:
            raise forms.ValidationError(
                _("There’s no such time on this day: summer time begins. Choose an hour before or after it.")
            )
        now = timezone.now()
        if found <= now:
            raise forms.ValidationError(_("This has passed. Choose a time to come."))
        if found > now + FARTHEST:
            raise forms.ValidationError(_("That’s too far away. Choose a day within the next two years."))
        return found

    def refuse(self, refusal: Exception) -> None:
        super().refuse(refusal)
        if self.event:  # another steward may have changed it: with the next post, this one has seen that
            self.event.refresh_from_db()
            self.data = {**cast(QueryDict, self.data).dict(), "seen": str(revision(self.event))}

    @property
    def overtaken(self) -> bool:
        """Whether another steward has changed the event since this one began."""
        return self.event is not None and self.is_bound and self.cleaned_data.get("seen") != revision(self.event)

    # What it says

    @property
    def draft(self) -> dict[str, Any]:
        """What the fields say as they are now, those left out that are wrong."""
        if self.is_bound:
            self.is_valid()  # cleans it, once: why it was refused stays
            return self.cleaned_data
        given = {name: self.get_initial_for_field(field, name) for name, field in self.fields.items()}
        filled = type(self)(
            given, club=self.club, kind=self.kind, game=self.game, ladders=self.ladders, event=self.event
        )
        return filled.draft

    def terms(self) -> GameTerms:
        """By what rules and clocks the games of a valid form are played."""
        data = self.cleaned_data
        return GameTerms(self.seats, data["time"], self.game.preset(data["preset"]), data.get("rated", False))

    @property
    def seats(self) -> int:
        return self.cleaned_data.get("seats") or min(seats for seats in self.game.seats if seats > 1)

    def settings(self) -> dict[str, Any]:
        """The settings of its kind in a valid form."""
        data = self.cleaned_data
        clock: Clock = data["time"]
        names = [*self.kind.settings, *(("days",) if clock.days else ()), *(("seeds",) if self.kind.planned else ())]
        names += CHOICES_OF.get(self.kind.tournament or "", ())
        return {name: int(data[name]) if name in ONCE else data[name] for name in names}

    def opens(self) -> dict[str, Any]:
        """What is opened for it: `games.tournaments.scheduled` reads it."""
        data = self.cleaned_data
        if not self.kind.tournament:
            return {}
        if self.opened and self.event:
            return cast(dict[str, Any], self.event.opens)
        return {
            "kind": self.kind.tournament.value,
            "game": self.game.slug,
            "seats": self.seats,
            "clock": data["time"].code,
            "preset": data["preset"],
            "rated": data.get("rated", False),
            "at_table": data.get("played") == AT_TABLE,
            "ladder": data.get("ladder") or self.ladders[0].number,
            "settings": self.settings(),
        }

    def told(self, now: datetime) -> EventPlan:
        """What a valid form says."""
        data, event = self.cleaned_data, self.event
        assert self.kind.event
        starts = now if self.at_once else data["starts"]
        entry = data.get("entry")
        conditions = ("most", "least_rating", "most_rating", "least_games")
        return EventPlan(
            title=data["name_"] if "name_" in data else cast(CalendarEvent, event).title,
            starts_at=starts,
            hours=data["hours"],
            place=data["place"],
            about=data["about"],
            public=data.get("readers") == "all",
            kind=self.kind.event,
            zone=event.zone if event else data["zone"],
            opens=self.opens(),
            entry_until=None if entry is None else starts - timedelta(minutes=entry),
            **{name: data.get(name) for name in conditions},
            by_clock=data["by_clock"] if "by_clock" in data else bool(event and event.by_clock),
            pause=data.get("pause", event.pause if event else 0),
        )
