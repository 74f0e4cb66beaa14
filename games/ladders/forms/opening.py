"""The forms by which a club gets a further ladder, and one its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import Form, offer
from accounts.text.numbers import number
from games.engine.registry import title, titles
from games.faces.registry import face_of
from games.ladders.challenging import tables_of
from games.ladders.models import LONGEST_NAME, Ladder
from games.ladders.rules import Rules

ANYBODY, STEWARDS = "anybody", "stewards"


class NameForm(Form):
    """The name of a ladder."""

    name = "naming"
    refusals = "name_"
    name_ = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)


class OpeningForm(Form):
    """A further ladder of a club that has these ones. It begins with the rules of the first, but for what is asked."""

    name_ = forms.CharField(
        label=_("Name"), max_length=LONGEST_NAME, help_text=_("For example: Two players, Beginners, Correspondence.")
    )
    first = forms.CharField(
        label=_("Name of the present ladder"),
        max_length=LONGEST_NAME,
        help_text=_("It has none yet. With two ladders, notices and lists say which one they mean."),
    )
    game = forms.ChoiceField(label=_("Game"))
    sizes = forms.TypedMultipleChoiceField(
        label=_("Players at a table"), coerce=int, widget=forms.CheckboxSelectMultiple
    )
    who = forms.ChoiceField(
        label=_("Who is on it"),
        choices=[(ANYBODY, _("Every member who joins it")), (STEWARDS, _("Members whom stewards put on it"))],
        widget=forms.RadioSelect,
        initial=ANYBODY,
    )

    def __init__(self, *args: Any, ladders: Sequence[Ladder], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ladders = ladders
        offer(self, "game", [(game.slug, str(face_of(game).name)) for game in titles()])
        sizes = sorted({seats for game in titles() for seats in tables_of(game)})
        offer(self, "sizes", [(seats, number(seats)) for seats in sizes])
        self.fields["sizes"].initial = sizes
        self.fields["game"].initial = ladders[0].game
        if all(ladder.name for ladder in ladders):
            del self.fields["first"]

    @property
    def slug(self) -> str:
        """The slug of the title chosen in a valid form."""
        return str(self.cleaned_data["game"])

    def rules(self) -> Rules:
        """The rules chosen in a valid form."""
        data, model = self.cleaned_data, self.ladders[0]
        rules = model.now_standing().rules
        if title(self.slug) != model.game_rules:
            rules = replace(rules, presets=(), usual_preset="")
        stewards = data["who"] == STEWARDS
        joins = rules.members_join and not stewards
        return replace(rules, sizes=tuple(sorted(data["sizes"])), stewards_add=stewards, members_join=joins)
