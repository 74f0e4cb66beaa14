"""Pages and actions: one line above a view says what it needs, and a refusal becomes an answer here.

@action(club_or_404, account_first, limit="clubs")
def leave(request: UserRequest, club: Club) -> HttpResponse: ...

@page(club_or_404, sign_in_first, right=Right.PEOPLE, form=expel_form, show=render_expel, to="club_members")
def expel(request: UserRequest, club: Club, form: ExpelForm, username: str) -> str: ...
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass
from functools import partial, wraps
from inspect import signature
from typing import Any, ClassVar, Protocol, cast

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.clubs import clubs
from accounts.forms import Form
from accounts.models import Club, Right
from accounts.web import swaps, throttle
from accounts.web.refused import Refused
from accounts.web.requests import HtmxRequest, ViewFunction


class HasAddress(Protocol):
    """Anything that has a page of its own, such as a club or a match."""

    def get_absolute_url(self) -> str: ...


Outcome = HttpResponseBase | HasAddress | str | None
"""What a view does in the end: an answer; or a thing to whose page it leads; or a sentence that says what was done, on
the page to which the view leads by its declaration; or nothing, and it leads there in silence."""
Find = Callable[..., object]
"""What finds the object of a view: it gets the request and those values of the address that it names. It raises
Http404, or returns an answer that sends the visitor elsewhere."""
Guard = Callable[[HttpRequest, str, str], HttpResponse | None]
"""Who may go on: an answer that sends others away, or None. It gets the request and two addresses: one for people who
come back from signing in, and one for those who come back from signing up."""
MakeForm = type[Form] | Callable[..., Form | None]
"""A form that needs nothing but the data; or what makes it from the request, the data (None unless posted), the object
and the rest of the address. None: there is nothing to fill in."""


def sign_in_first(request: HttpRequest, here: str, new: str) -> HttpResponse | None:
    """Registered users go on; guests are asked to sign up, others to sign in."""
    return account_first(request, here, new) if request.user.is_authenticated else redirect_to_login(here)


def account_first(request: HttpRequest, here: str, new: str) -> HttpResponse | None:
    """Registered users go on; all others are asked to sign up."""
    if request.user.is_authenticated and not request.user.guest:
        return None
    return redirect(f"{reverse('sign_up')}?{urlencode({'next': new})}")


def or_guest(first: Guard) -> Guard:
    """Guests go on, too."""
    return lambda request, here, new: None if request.user.is_authenticated else first(request, here, new)


def when_posted(first: Guard) -> Guard:
    """Everybody may look; only what is done is for those whom `first` lets on."""
    return lambda request, here, new: first(request, here, new) if request.method == "POST" else None


@dataclass(frozen=True)
class page:
    """A page. Without a `form` the view draws it; with one, `show` does, and the view is what a valid form does."""

    find: Find | None = None
    """The view gets the object after the request, and by name the values of the address that `find` does not take."""
    first: Guard | None = None
    """None: everybody may go on."""
    _: KW_ONLY
    right: Right | Collection[Right] = ()
    """Which right in the club of the object one needs, or one of several: for all others there is nothing here."""
    limit: str = ""
    """Counted for each time that something is done; by a right, the limit of the desk counts as well."""
    form: MakeForm | None = None
    """The view gets it after the object."""
    show: Callable[..., HttpResponse] | None = None
    """Gets the request, the object, the form and the rest of the address. The status becomes 422 if the form is wrong
    or refused, 429 beyond a limit."""
    to: str | Callable[..., str] = ""
    """Where it leads when done: the name of a page of the object (`address`), or what makes the address from request,
    object and the rest of the address; by default the object's own page."""

    after: Callable[..., HttpResponse] | None = None
    """What answers when nothing else does and when the view refuses: gets the request, the object, why it was refused
    (empty if it was not) and the rest of the address. The status of a refusal becomes 409, or 429 beyond a limit."""

    METHODS: ClassVar[tuple[str, ...]] = ("GET", "HEAD")

    def __call__(self, view: Callable[..., Outcome]) -> ViewFunction:
        taken = list(signature(self.find).parameters)[1:] if self.find else []

        @require_http_methods([*self.METHODS, *(["POST"] if self.form else [])])
        @wraps(view)
        def answer(request: HttpRequest, **rest: object) -> HttpResponse:
            found = [self.find(request, *[rest.pop(name) for name in taken])] if self.find else []
            if found and isinstance(found[0], HttpResponse):
                return found[0]
            if elsewhere := self._elsewhere(request, *found, **rest):
                return elsewhere
            form = self._filled_in(request, *found, **rest)
            shown = partial(self.show, request, *found, form, **rest) if self.show else None
            if self.form and (form is None or not form.is_valid()):
                if shown is None:
                    raise Http404
                return _with_status(shown(), 422 if request.method == "POST" else 200)
            try:
                if self.limit:
                    throttle.count(self.limit, request.user.pk)
                outcome = view(request, *found, *([form] if form else []), **rest)
                return self._done(request, outcome, *found, **rest)
            except Refused as refusal:
                if self.after:
                    return _with_status(self.after(request, *found, str(refusal), **rest), 409, refusal)
                if (htmx := cast(HtmxRequest, request).htmx) and not htmx.boosted:
                    return _told(refusal)
                if form and shown and form.stays:
                    form.refuse(refusal)
                    return _with_status(shown(), 422, refusal)
                if isinstance(refusal, throttle.TooMany):
                    raise  # the middleware has a page for it
                messages.error(request, str(refusal))
                return redirect(self._back(request, *found, **rest))

        return never_cache(answer) if self.first or self.after else answer

    def _elsewhere(self, request: HttpRequest, *found: Any, **rest: object) -> HttpResponse | None:
        """Where the visitor must go first. Raises Http404 if they lack the right."""
        if self.first:
            here = request.get_full_path() if "GET" in self.METHODS else self._back(request, *found, **rest)
            new = found[0].get_absolute_url() if self.right else here
            if elsewhere := self.first(request, here, new):
                return elsewhere
        if self.right:
            needed = {self.right} if isinstance(self.right, Right) else {*self.right}
            [thing] = found
            club = thing if isinstance(thing, Club) else thing.club
            if club.closed_at is not None:
                messages.error(request, _("This club is closed."))
                return redirect(club)
            if not needed & {*clubs.rights(club, request.user)}:
                raise Http404
            if request.method == "POST":
                throttle.count("desk", request.user.pk)
        return None

    def _filled_in(self, request: HttpRequest, *found: object, **rest: object) -> Form | None:
        data = request.POST if request.method == "POST" else None
        if self.form is None or isinstance(self.form, type):
            return self.form(data) if self.form else None
        return self.form(request, data, *found, **rest)

    def _done(self, request: HttpRequest, outcome: Outcome, *found: object, **rest: object) -> HttpResponse:
        if outcome is None and self.after:
            return self.after(request, *found, "", **rest)
        if isinstance(outcome, HttpResponseBase):
            return cast(HttpResponse, outcome)
        if outcome is not None and not isinstance(outcome, str):
            return redirect(outcome)
        if outcome:
            messages.success(request, outcome)
        return redirect(self._back(request, *found, **rest))

    def _back(self, request: HttpRequest, *found: Any, **rest: object) -> str:
        if callable(self.to):
            return self.to(request, *found, **rest)
        if not found:
            return reverse(self.to)
        address: str = found[0].address(self.to) if self.to else found[0].get_absolute_url()
        return address


class action(page):
    """Something that is done by a POST, declared as a `page` is. Without `show`, the page to which it leads tells why
    it was refused; then a wrong form, which no page of ours has sent, gets a 404."""

    METHODS = ("POST",)


def _told(refusal: Refused) -> HttpResponse:
    """Why something was refused, for htmx."""
    return _with_status(HttpResponse(swaps.refusal(str(refusal))), 409, refusal)


def _with_status(response: HttpResponse, status: int, refusal: Exception | None = None) -> HttpResponse:
    """The response with this status; with 429 beyond a limit. One that leads elsewhere stays as it is."""
    if 300 <= response.status_code < 400:
        return response
    wait_s = getattr(refusal, "wait_s", 0)
    response.status_code = 429 if wait_s else status
    if wait_s:
        response["Retry-After"] = str(wait_s)
    return response
