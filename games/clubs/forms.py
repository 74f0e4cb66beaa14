"""The forms of clubs. They know only what a field may hold; `accounts.clubs.clubs` decides what a club may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from django import forms
from django.http import QueryDict
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from accounts.clubs.arms import Arms
from accounts.clubs.clubs import LANGUAGES, MOST_NAMES, wrong_slug
from accounts.forms import Form, offer
from accounts.models import LONGEST_REASON, LONGEST_SLUG, LONGEST_TEXT, Club, Member, Right
from accounts.people.avatar import SIGNS, TINTS
from games.engine.registry import titles
from games.faces.registry import face_of

LONGEST_LIST = 10_000
"""The most characters of a pasted list of names."""


WHAT = {
    Right.PEOPLE: _("People: invite, answer requests to join, expel and readmit"),
    Right.LADDER: _("Ladder: its rules, seasons, order and corrections"),
    Right.EVENTS: _("Calendar: meetings, club nights and tournaments"),
    Right.ANNOUNCEMENTS: _("Announcements: write and delete them; delete posts on the board"),
}
"""What can be done with each right that ordinary members can be given."""


class ClubFields(TypedDict):
    """What a club says of itself, as `clubs.found` and `clubs.change` take it."""

    name: str
    slug: str
    description: str
    language: str
    private: bool
    joining: str


class ClubForm(Form):
    """The name, description and settings of a club."""

    name = "settings"
    clubname = forms.CharField(label=_("Name"), min_length=2, max_length=60)
    slug = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_SLUG,
        required=False,
        help_text=_(
            "Lower-case letters, digits and hyphens: the part after /c/. Leave it empty to make it from the name."
        ),
        widget=forms.TextInput({"autocapitalize": "none", "spellcheck": "false"}),
    )
    description = forms.CharField(
        label=_("Who you are, and when you play"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea({"rows": 4}),
    )
    language = forms.ChoiceField(label=_("Language"), required=False)
    visible = forms.ChoiceField(
        label=_("Who sees it"),
        widget=forms.RadioSelect,
        choices=[("all", _("Everyone")), ("members", _("Members only"))],
        initial="all",
        help_text=_("A members-only club is invitation-only, and only members see its games."),
    )
    joining = forms.ChoiceField(
        label=_("Who can join"),
        widget=forms.RadioSelect,
        choices=Club.Joining.choices,
        initial=Club.Joining.FREE,
        required=False,
    )
    """Of a club that everybody sees; the field is hidden for others."""

    def __init__(self, *args: Any, club: Club | None = None, **kwargs: Any) -> None:
        if club:
            kwargs["initial"] = {
                "clubname": club.name,
                "slug": club.slug,
                "description": club.description,
                "language": club.language,
                "visible": "members" if club.private else "all",
                "joining": club.joining,
            }
        super().__init__(*args, **kwargs)
        known = [(code, translation.get_language_info(code)["name_local"]) for code in LANGUAGES]
        offer(self, "language", [("", _("Any")), *known])

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        if slug and (wrong := wrong_slug(slug)):
            raise forms.ValidationError(wrong)
        return slug

    def clean(self) -> None:
        if self.cleaned_data.get("visible") == "all" and self.cleaned_data.get("joining") == "":
            self.add_error("joining", forms.Field.default_error_messages["required"])

    def told(self) -> ClubFields:
        """The terms in a valid form."""
        data = self.cleaned_data
        return {
            "name": data["clubname"],
            "slug": data["slug"],
            "description": data["description"],
            "language": data["language"],
            "private": data["visible"] == "members",
            "joining": data["joining"] or Club.Joining.INVITATION,
        }


class FoundingForm(ClubForm):
    """A new club, and what is played for its ladder."""

    game = forms.ChoiceField(label=_("The game of its ladder"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "game", [(game.slug, face_of(game).name) for game in titles()])


class InviteForm(Form):
    """A pasted list of names."""

    name = "invite"
    refusals = "names"
    names = forms.CharField(
        label=_("Names or mail addresses"),
        max_length=LONGEST_LIST,
        widget=forms.Textarea({"rows": 5, "spellcheck": "false"}),
        help_text=_(
            "Paste the list you have: one person per line, or separated by commas; at most %(most)d. Addresses get a "
            "mail with a link."
        )
        % {"most": MOST_NAMES},
        error_messages={"required": _("There are no names in this list.")},
    )
    outcome: Sequence[tuple[str, list[str], bool]] = ()
    """What became of a list, in parts: a heading, the names, and whether it went well."""

    def done(self, left: Iterable[str], outcome: Sequence[tuple[str, list[str], bool]]) -> None:
        """Show what became of the list, and only what is `left` of it."""
        self.data, self.outcome = {"names": "\n".join(left)}, outcome


class ArmsForm(Form):
    """The arms of a club."""

    name = "arms"
    charge = forms.ChoiceField(label=_("Picture"), required=False, choices=[("", _("None")), *SIGNS.items()])
    field = forms.ChoiceField(label=_("First colour"), choices=[*TINTS.items()])
    other = forms.ChoiceField(label=_("Second colour"), choices=[*TINTS.items()])

    def __init__(self, *args: Any, club: Club | None = None, **kwargs: Any) -> None:
        if club and (arms := Arms.read(club.arms)):
            kwargs["initial"] = arms._asdict()
        super().__init__(*args, **kwargs)

    def told(self) -> str:
        """The arms, as a club keeps them."""
        data = self.cleaned_data
        return str(Arms(data["charge"], data["field"], data["other"])) if data["charge"] else ""


class AnnouncementForm(Form):
    """A message from the stewards to the club."""

    name = "announcement"
    refusals = "text"
    text = forms.CharField(label=_("Announcement"), max_length=LONGEST_TEXT, widget=forms.Textarea({"rows": 3}))
    readers = forms.ChoiceField(
        label=_("Who can read it"),
        widget=forms.RadioSelect,
        choices=[("members", _("Members")), ("all", _("Everyone"))],
        initial="members",
        required=False,
        help_text=_("All members get it, by mail too if they want mails of their clubs."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if club.private:
            del self.fields["readers"]

    def public(self) -> bool:
        """Whether a valid form is for everybody who sees the club."""
        return self.cleaned_data.get("readers") == "all"


class RightsForm(Form):
    """The rights of an ordinary member."""

    name = "rights"
    given = forms.MultipleChoiceField(
        label=_("Rights"),
        choices=[(right.value, text) for right, text in WHAT.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Only stewards change the club’s settings, and say who has which rights."),
    )
    seen = forms.MultipleChoiceField(
        choices=[(right.value, "") for right in WHAT], required=False, widget=forms.MultipleHiddenInput
    )
    """Those that the steward saw."""

    def __init__(self, *args: Any, member: Member, **kwargs: Any) -> None:
        self.member = member
        known = [right.value for right in member.may]
        super().__init__(*args, initial={"given": known, "seen": known}, **kwargs)

    def refuse(self, refusal: Exception) -> None:
        super().refuse(refusal)
        self.member.refresh_from_db()  # another steward may have changed them: what is shown now is what they are
        self.data = QueryDict(mutable=True)
        for name in ("given", "seen"):
            self.data.setlist(name, [right.value for right in self.member.may])


class ExpelForm(Form):
    """The reason for expelling somebody."""

    name = "expel"
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        help_text=_("They’ll be told. Apart from them, only stewards can read it."),
    )

    def __init__(self, *args: Any, member: Member, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.member = member
