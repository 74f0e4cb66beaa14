"""The filters of a person's archive of games."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as __
from django.utils.translation import gettext_lazy as _

from accounts.career.titles import TITLES
from accounts.forms import Form, offer
from accounts.models import ArchivedMatch, User
from accounts.text.names import folded
from accounts.text.numbers import number
from accounts.web import datetimes


class ArchiveFilter(Form):
    """Every field is optional; an empty form is valid and means all games."""

    name = "filter"

    opponent = forms.CharField(
        label=_("Opponent"),
        required=False,
        max_length=150,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    since = forms.CharField(label=_("From"), required=False, widget=forms.DateInput({"type": "date"}))
    until = forms.CharField(label=_("To"), required=False, widget=forms.DateInput({"type": "date"}))
    game = forms.ChoiceField(label=_("Game"), required=False)
    players = forms.ChoiceField(label=_("Players"), required=False)
    result = forms.ChoiceField(
        label=_("Result"), required=False, choices=[("", _("Any")), ("won", _("Won")), ("lost", _("Not won"))]
    )
    rated = forms.ChoiceField(
        label=_("Rating"), required=False, choices=[("", _("Any")), ("yes", _("Rated")), ("no", _("Casual"))]
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = TITLES.values()
        offer(self, "game", [("", _("Any")), *((game.slug, game.name) for game in games)])
        if len(games) < 2:
            del self.fields["game"]
        seats = sorted({number for game in games for number in game.seats})
        every = __("%(least)d to %(most)d") % {"least": seats[0], "most": seats[-1]}
        offer(self, "players", [("", every), *((each, number(each)) for each in seats)])

    def clean_opponent(self) -> User | None:
        name = self.cleaned_data["opponent"]
        person = User.objects.filter(folded=folded(name), guest=False, closed=False).first() if name else None
        if name and person is None:
            raise ValidationError(_("No player is called “%(name)s”."), params={"name": name})
        return person

    def clean_since(self) -> date | None:
        return self.day("since")

    def clean_until(self) -> date | None:
        return self.day("until")

    def day(self, name: str) -> date | None:
        text = self.cleaned_data[name]
        if not text:
            return None
        try:
            return datetime.strptime(text, "%Y-%m-%d").date()
        except ValueError:
            raise ValidationError(
                _("“%(text)s” isn’t a date. Write it like 2026-11-21."), params={"text": text}
            ) from None

    def clean(self) -> None:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", _("This is before the first date."))

    def of(self, rows: QuerySet[ArchivedMatch]) -> QuerySet[ArchivedMatch]:
        """The rows that match the filters. The form must be valid."""
        want, here = self.cleaned_data, datetimes.zone()
        if want["opponent"]:
            # unique (user, match)
            rows = rows.filter(match__in=ArchivedMatch.objects.filter(user=want["opponent"]).values("match"))
        if want["since"]:
            rows = rows.filter(ended_at__gte=datetime.combine(want["since"], time.min, here))
        if want["until"]:
            rows = rows.filter(ended_at__lte=datetime.combine(want["until"], time.max, here))
        if want.get("game"):
            rows = rows.filter(game=want["game"])
        if want["players"]:
            rows = rows.filter(seats=want["players"])
        if want["result"]:
            rows = rows.filter(won=want["result"] == "won")
        if want["rated"]:
            rows = rows.exclude(pool="") if want["rated"] == "yes" else rows.filter(pool="")
        return rows
