"""What `page` and `action` make of a view: whom it lets on, and the answers to refusals."""

from types import SimpleNamespace

import pytest
from django import forms
from django.http import Http404, HttpResponse
from django.test import RequestFactory

from accounts.actions import account_first, action, or_guest, page, sign_in_first, when_posted
from accounts.forms import Form
from accounts.models import Right
from accounts.web import throttle
from accounts.web.refused import Refused
from tests.clubs.clubs import club_of
from tests.people import person

pytestmark = pytest.mark.django_db


class Word(Form):
    refusals = "word"
    word = forms.CharField()


class Thing:
    def get_absolute_url(self):
        return "/thing"

    def address(self, name):
        return f"/thing/{name}"


def find(request, key):
    if key == "nothing":
        raise Http404
    return Thing()


def show(request, thing, form):
    return HttpResponse(f"{form['word'].value()} {form.errors.as_json()}")


def asked(view, user=None, data=None, method="POST", script=False, **address):
    """The answer of a view, and the messages that it left."""
    request = getattr(RequestFactory(), method.lower())("/here?x=1", data or {})
    request.user = user or SimpleNamespace(is_authenticated=False, pk=None)
    request.htmx = SimpleNamespace(boosted=False) if script else None
    request.session, request._messages = {}, []
    request._messages = SimpleNamespace(add=lambda level, text, extra="": said.append(str(text)))
    said = []
    return view(request, **({"key": "key"} | address)), said


def refuses(request, *found, **rest):
    raise Refused("Not today.")


def limited(request, *found, **rest):
    raise throttle.TooMany(throttle.LIMITS["clubs"], 30)


@pytest.mark.parametrize(
    ("first", "who", "to"),
    [
        (sign_in_first, None, "/sign-in?next=/thing"),
        (sign_in_first, "guest", "/sign-up?next=%2Fthing"),
        (sign_in_first, "ann", None),
        (account_first, None, "/sign-up?next=%2Fthing"),
        (account_first, "guest", "/sign-up?next=%2Fthing"),
        (or_guest(account_first), None, "/sign-up?next=%2Fthing"),
        (or_guest(account_first), "guest", None),
        (when_posted(account_first), None, "/sign-up?next=%2Fthing"),
    ],
)
def test_a_guard_sends_those_it_does_not_let_on_away_and_back(first, who, to):
    user = who and person(who, guest=who == "guest")
    done = []
    view = action(find, first)(lambda request, thing: done.append(thing))
    answer, _said = asked(view, user)
    assert answer["Location"] == (to or "/thing") and bool(done) == (to is None)


def test_what_cannot_be_found_is_so_before_anybody_is_asked_who_they_are():
    with pytest.raises(Http404):
        asked(action(find, sign_in_first)(refuses), key="nothing")


def test_a_right_is_of_the_club_and_whoever_has_none_finds_nothing():
    club = club_of("ann", "bob").club
    view = action(lambda request, key: club, sign_in_first, right=Right.PEOPLE)(lambda request, club: "Done.")
    assert asked(view, person("ann"))[1] == ["Done."]
    with pytest.raises(Http404):
        asked(view, person("bob"))


def test_a_button_leads_to_its_page_with_what_was_done_or_why_not():
    answer, said = asked(action(find, to="desk")(lambda request, thing: "Done."))
    assert (answer["Location"], said) == ("/thing/desk", ["Done."])
    answer, said = asked(action(find, to="desk")(refuses))
    assert (answer["Location"], said) == ("/thing/desk", ["Not today."])
    with pytest.raises(throttle.TooMany):
        asked(action(find)(limited))


def test_a_form_keeps_what_was_typed_and_says_why_it_was_refused():
    new = page(find, form=Word, show=show)
    assert asked(new(refuses), method="GET")[0].status_code == 200
    empty = asked(new(refuses))[0]
    assert empty.status_code == 422 and "required" in empty.content.decode()
    refused = asked(new(refuses), data={"word": "abbey"})[0]
    assert refused.status_code == 422 and refused.content.decode().startswith("abbey")
    assert '"word"' in refused.content.decode() and "Not today." in refused.content.decode()
    often = asked(new(limited), data={"word": "abbey"})[0]
    assert (often.status_code, often["Retry-After"]) == (429, "30")


def test_a_form_that_no_page_has_sent_leads_nowhere():
    with pytest.raises(Http404):
        asked(action(find, form=Word)(refuses))


def test_a_script_is_told_in_a_sentence():
    assert asked(action(find)(refuses), script=True)[0].status_code == 409
    answer = asked(action(find)(limited), script=True)[0]
    assert (answer.status_code, answer["Retry-After"]) == (429, "30")


def test_a_board_answers_whatever_became_of_it_unless_the_view_does():
    at_board = action(find, after=lambda request, thing, says: HttpResponse(says or "As it stands."))
    answers = [asked(at_board(view), script=script)[0] for view in (refuses, limited) for script in (True, False)]
    assert [answer.status_code for answer in answers] == [409, 409, 429, 429]
    assert answers[0].content == answers[1].content == b"Not today." and answers[2]["Retry-After"] == "30"
    done = asked(at_board(lambda request, thing: None))[0]
    assert (done.status_code, done.content) == (200, b"As it stands.") and "no-store" in done["Cache-Control"]
    assert asked(at_board(lambda request, thing: thing))[0]["Location"] == "/thing"


def test_nothing_is_done_by_looking():
    assert asked(action(find)(refuses), method="GET")[0].status_code == 405
    assert asked(page(find)(lambda request, thing: HttpResponse()))[0].status_code == 405


def test_what_is_for_some_people_only_is_kept_by_no_cache():
    view = page(find, sign_in_first)(lambda request, thing: HttpResponse())
    assert "no-store" in asked(view, person("ann"), method="GET")[0]["Cache-Control"]
