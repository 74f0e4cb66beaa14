from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from typing import Self as Same

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate, password_validation
from django.forms.utils import flatatt
from django.http import HttpRequest, QueryDict
from django.utils import translation
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts.models import LONGEST_ABOUT, User
from accounts.people import guesses
from accounts.people.avatar import MOTIFS, PATTERNS, TINTS
from accounts.text import names
from accounts.web import datetimes, throttle
from accounts.web.requests import UserRequest

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def offer(form: forms.Form, name: str, choices: Iterable[tuple[object, StrOrPromise]]) -> None:
    """Set what can be chosen in a field of a form."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


class Field(forms.BoundField):
    """A field as templates/field.html draws it: what one types into, or chooses from a list, is an `input`."""

    def build_widget_attrs(self, attrs: dict[str, Any], widget: forms.Widget | None = None) -> dict[str, Any]:
        attrs = super().build_widget_attrs(attrs, widget)
        if not isinstance(widget or self.field.widget, forms.RadioSelect | forms.CheckboxInput):
            attrs.setdefault("class", "input")
        return attrs


class Form(forms.Form):
    """A form in the style of the site. Several may stand on one page: `name` keeps their ids apart."""

    bound_field_class = Field
    name = ""
    refusals: str | None = None
    """The field beside which it is said why what the form asks for was refused; None: above all of them."""
    refusal: Exception | None = None
    """Why it was."""
    stays = True
    """Whether its page still shows it after a refusal; if not, the page says why without it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["auto_id"] = f"{self.name}-%s" if self.name else "id_%s"
        super().__init__(*args, **kwargs)

    def is_valid(self) -> bool:
        """Whether the form is valid; if not, the first wrong field gets the focus."""
        valid = super().is_valid()
        wrong = next((name for name in self.fields if name in self.errors), None)
        if wrong:
            self.fields[wrong].widget.attrs["autofocus"] = True
        return valid

    def refuse(self, refusal: Exception) -> None:
        """Say in a valid form why what it asks for was refused."""
        self.refusal = refusal
        self.add_error(self.refusals, str(refusal))


def password_field(label: StrOrPromise, use: str, help_text: StrOrPromise = "") -> forms.CharField:
    """A field for the current password or, with `new-password`, for one that must meet the password rules."""
    return forms.CharField(
        label=label,
        strip=False,
        max_length=1000,
        widget=forms.PasswordInput({"autocomplete": use}),
        help_text=help_text,
    )


class NewPassword(Form):
    """A form for choosing a password."""

    new_password = password_field(_("New password"), "new-password", help_text=_("At least 8 characters."))

    def named(self) -> User:
        """The user whom the password is for: it must not resemble their name or address."""
        raise NotImplementedError

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # not in the stubs
        password = self.cleaned_data.get("new_password")
        if password:
            try:
                password_validation.validate_password(password, self.named())
            except forms.ValidationError as error:
                self.add_error("new_password", error.error_list[0])  # one at a time


class SignUp(NewPassword):
    username = forms.CharField(
        label=_("Name at the table"),
        strip=True,
        max_length=150,
        widget=forms.TextInput({"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
        help_text=_("2 to 20 letters, digits, hyphens or underscores. Everyone can see it."),
    )
    new_password = password_field(_("Password"), "new-password", help_text=_("At least 8 characters."))
    email = forms.EmailField(
        label=_("Email (optional)"),
        required=False,
        widget=forms.EmailInput({"autocomplete": "email"}),
        help_text=_("Used only to reset your password, and never shown. We’ll send a link to confirm it."),
    )
    field_order = ["username", "new_password", "email"]
    taken = _("This name is taken.")

    def clean_username(self) -> str:
        name = names.normal(self.cleaned_data["username"])
        names.validate(name)
        if User.objects.filter(folded=names.folded(name)).exists():
            raise forms.ValidationError(self.taken, "unique")
        if User.objects.filter(skeleton=names.skeleton(name)).exists():
            raise forms.ValidationError(_("This name looks too much like one that’s taken."), "alike")
        return name

    def named(self) -> User:
        return User(username=self.cleaned_data.get("username", ""), email=self.cleaned_data.get("email", ""))


class SignIn(Form):
    username = forms.CharField(
        label=_("Name at the table"),
        max_length=150,
        widget=forms.TextInput({"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    password = password_field(_("Password"), "current-password")

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.user: User | None = None

    def clean(self) -> None:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name and password:
            throttle.check("entries", names.folded(name))  # before the password, which is dear
            self.user = authenticate(self.request, username=names.normal(name), password=password)
            if not self.user:
                guesses.wrong(self.request)
                raise forms.ValidationError(_("Wrong name or password."), "unknown")


class Confirmed(Form):
    """A form that asks for the password of the user who is signed in."""

    password = password_field(_("Your password"), "current-password")

    def __init__(self, request: UserRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    @classmethod
    def of(cls, request: UserRequest, data: QueryDict | None) -> Same:
        """The form as a view makes it."""
        return cls(request, data)

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not authenticate(self.request, username=self.request.user.username, password=password):
            guesses.wrong(self.request)
            raise forms.ValidationError(_("That isn’t your password."), "wrong")
        guesses.right(self.request)
        return password


class ChangeEmail(Confirmed):
    name = "email"
    email = forms.EmailField(
        label=_("Email"),
        required=False,
        widget=forms.EmailInput({"autocomplete": "email"}),
        help_text=_("Leave it empty for none."),
    )
    field_order = ["email", "password"]


class ChangePassword(Confirmed, NewPassword):
    name = "password"
    field_order = ["password", "new_password"]

    def named(self) -> User:
        return self.request.user


class CloseAccount(Confirmed):
    name = "close"


def languages() -> list[tuple[str, StrOrPromise]]:
    """What one may choose as the language of the pages."""
    known = [(code, translation.get_language_info(code)["name_local"]) for code, _name in settings.LANGUAGES]
    return [("", _("Match browser")), *known]


def yes_or_no(label: StrOrPromise, help_text: StrOrPromise = "") -> forms.TypedChoiceField:
    """A choice of two, of which a browser always sends one: an unticked box says as little as a missing one."""
    return forms.TypedChoiceField(
        label=label,
        choices=[("on", _("Yes")), ("off", _("No"))],
        coerce=lambda value: value == "on",
        widget=forms.RadioSelect,
        help_text=help_text,
    )


class Play(Form):
    """How one plays: the columns of `accounts.people.habits`."""

    name = "play"
    tempo = forms.ChoiceField(
        label=_("Pace of the bots"),
        choices=User.Tempo.choices,
        widget=forms.RadioSelect,
        help_text=_("At the tables that you open from now on. At a table you can change it at any time."),
    )
    volume = forms.IntegerField(
        label=_("Volume of the sounds"),
        min_value=0,
        max_value=100,
        widget=forms.NumberInput({"type": "range", "step": 5}),
    )
    written = forms.ChoiceField(label=_("Write the moves"), choices=User.Written.choices, widget=forms.RadioSelect)
    confirms = yes_or_no(_("Press twice to answer"), _("Your answer is sent by a second press on the same button."))
    letters = yes_or_no(_("Single letters and digits are shortcuts"))
    text = forms.ChoiceField(label=_("Size of the text"), choices=User.Text.choices, widget=forms.RadioSelect)
    patterns = yes_or_no(_("Patterns on coloured cards"), _("Each colour gets a pattern of its own."))
    reviewed = yes_or_no(_("Always look at the decisions of my games"), _("When a game has ended, on its review."))


class Look(Form):
    name = "look"
    theme = forms.ChoiceField(label=_("Theme"), choices=User.Theme.choices, widget=forms.RadioSelect)
    language = forms.ChoiceField(label=_("Language"), required=False, choices=languages)


def zones() -> list[tuple[str, StrOrPromise]]:
    """The time zones that one may choose."""
    return [("", _("Match browser")), *((zone, zone.replace("_", " ")) for zone in datetimes.zones())]


class LongSelect(forms.Select):
    """A list of hundreds of options. Django draws each by two templates, which takes as long as the rest of a page."""

    def _render(self, template_name: str, context: dict[str, Any], renderer: Any = None) -> SafeString:
        widget = context["widget"]
        options = format_html_join(
            "\n",
            '<option value="{}"{}>{}</option>',
            (
                (option["value"], flatatt(option["attrs"]), option["label"])
                for _name, options, _index in widget["optgroups"]
                for option in options
            ),
        )
        return format_html('<select name="{}"{}>\n{}\n</select>', widget["name"], flatatt(widget["attrs"]), options)


class Dates(Form):
    """How days and times are written."""

    name = "dates"
    zone = forms.ChoiceField(label=_("Time zone"), required=False, choices=zones, widget=LongSelect)
    dates = forms.ChoiceField(label=_("Dates"), required=False, choices=User.Dates.choices)
    clock = forms.ChoiceField(label=_("Times"), required=False, choices=User.Clock.choices)


class Self(Form):
    """What one shows of oneself."""

    name = "self"
    about = forms.CharField(
        label=_("About you"),
        required=False,
        max_length=LONGEST_ABOUT,
        widget=forms.Textarea({"rows": 2}),
        help_text=_("On your profile. Everyone can read it."),
    )
    motif = forms.ChoiceField(label=_("Picture"), choices=[*MOTIFS.items()], widget=forms.RadioSelect)
    tint = forms.ChoiceField(label=_("Colour"), choices=[*TINTS.items()], widget=forms.RadioSelect)
    pattern = forms.ChoiceField(label=_("Pattern"), choices=[*PATTERNS.items()], widget=forms.RadioSelect)
    unseen = yes_or_no(_("Never show that I am online"))

    def clean_about(self) -> str:
        return " ".join(self.cleaned_data["about"].split())


class ForgotPassword(Form):
    email = forms.EmailField(label=_("Email"), max_length=254, widget=forms.EmailInput({"autocomplete": "email"}))


class ResetPassword(NewPassword):
    """A new password for somebody who followed the link in a mail."""

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def named(self) -> User:
        return self.user
