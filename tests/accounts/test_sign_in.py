from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.web import throttle

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet scriptorium"


@pytest.fixture
def ann():
    return User.objects.create_user("Ann", password=PASSWORD)


def sign_in(client, name="Ann", password=PASSWORD, address="/sign-in", **extra):
    return client.post(address, {"username": name, "password": password}, **extra)


@pytest.mark.parametrize("name", ["Ann", "ann", "ANN", " ann ", "Ａnn"])
def test_the_name_may_be_typed_in_any_case(client, ann, name):
    response = sign_in(client, name)
    assert (response.status_code, response["Location"]) == (302, "/play")
    assert client.session["_auth_user_id"] == str(ann.pk)


def test_it_is_not_told_whether_the_name_or_the_password_is_wrong(client, ann):
    wrong, unknown = sign_in(client, password="no"), sign_in(client, "Nobody", "no")
    assert wrong.status_code == unknown.status_code == 422
    assert "Wrong name or password." in wrong.content.decode()
    strip = [response.content.decode().split("<main")[1] for response in (wrong, unknown)]
    assert strip[0].replace("Ann", "").split("csrf")[0] == strip[1].replace("Nobody", "").split("csrf")[0]
    assert 'value="Ann"' in wrong.content.decode()


def test_guests_and_closed_accounts_have_no_password(client, ann):
    User.objects.create_user("guest-x", guest=True)
    assert sign_in(client, "guest-x", "").status_code == 422
    assert sign_in(client, "guest-x", "!").status_code == 422
    ann.is_active = False
    ann.save()
    assert sign_in(client).status_code == 422


@pytest.mark.parametrize("name", ["Ann", "Nobody"])
def test_after_five_wrong_passwords_the_name_rests_also_for_the_right_one(client, ann, name):
    answers = [sign_in(client, spelt, "wrong") for spelt in [name, name.lower(), name.upper(), name, name]]
    assert {answer.status_code for answer in answers} == {422}
    response = sign_in(client, name)
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert "Too many wrong passwords for this name" in response.content.decode()
    assert "/account/forgot" in response.content.decode()
    assert "_auth_user_id" not in client.session


def test_it_rests_for_this_network_only(client, ann):
    for number in range(6):
        sign_in(client, password="wrong", REMOTE_ADDR=f"2001:db8::{number}")
    assert sign_in(client, REMOTE_ADDR="2001:db8::ffff").status_code == 429
    assert sign_in(client, REMOTE_ADDR="2001:db8:0:1::1").status_code == 302


def test_after_a_while_one_may_try_again(client, ann, monkeypatch):
    answers = [sign_in(client, password="wrong") for _ in range(6)]
    now = throttle.clock()
    monkeypatch.setattr(throttle, "clock", lambda: now + int(answers[-1]["Retry-After"]))
    assert sign_in(client).status_code == 302


def test_the_right_password_forgets_the_wrong_ones(client, ann):
    for _ in range(2):
        for _ in range(4):
            assert sign_in(client, password="wrong").status_code == 422
        assert sign_in(client).status_code == 302
        client.post("/sign-out")


@pytest.fixture
def at_home(client, ann):
    """A browser in which ann has signed in before, and nobody is signed in."""
    sign_in(client)
    client.post("/sign-out")
    return client


def guess(name, network):
    return sign_in(Client(), name, "wrong", REMOTE_ADDR=network).status_code


def test_many_networks_guess_slowly_at_one_name_and_its_owner_comes_in_where_they_were_before(at_home):
    answers = [guess("ann", f"192.0.2.{number}") for number in range(40)]
    assert answers == [422] * 30 + [429] * 10
    assert sign_in(Client(), REMOTE_ADDR="198.51.100.7").status_code == 429
    assert guess("bob", "192.0.2.1") == 422
    assert sign_in(at_home, REMOTE_ADDR="198.51.100.7").status_code == 302


def test_the_wide_network_guesses_no_faster(ann):
    answers = [guess("ann", f"2001:db8:0:{number:x}::1") for number in range(25)]
    assert answers == [422] * 20 + [429] * 5


def test_one_network_cannot_try_one_password_on_many_names_and_locks_nobody_out_who_was_there(at_home, at_most):
    at_most("sign-ins", 10)
    assert {guess(f"name{number}", "192.0.2.7") for number in range(10)} == {422}
    assert guess("name10", "192.0.2.7") == 429
    assert sign_in(Client(), REMOTE_ADDR="192.0.2.7").status_code == 429
    assert sign_in(at_home, REMOTE_ADDR="192.0.2.7").status_code == 302


def test_who_signs_in_rightly_uses_up_nothing_that_is_others(ann, at_most):
    at_most("sign-ins", 1)
    for name in ("bob", "cho"):
        User.objects.create_user(name, password=PASSWORD)
        assert sign_in(Client(), name).status_code == 302


def test_a_browser_that_knows_a_name_guesses_no_faster_either(at_home):
    assert [sign_in(at_home, password="wrong").status_code for _ in range(6)] == [422] * 5 + [429]


def test_a_browser_knows_the_names_of_five_and_vouches_for_nobody_else(at_home, ann):
    def knows(name, network):
        at_home.post("/sign-out")
        at_home.cookies["browser"] = value
        for _ in range(30):
            throttle.count("guesses elsewhere", name)
        return sign_in(at_home, name, REMOTE_ADDR=network).status_code == 302

    for name in ("bob", "cho", "dan", "eve", "fay"):
        User.objects.create_user(name, password=PASSWORD)
    for name in ("bob", "cho", "dan", "eve"):
        sign_in(at_home, name)
        at_home.post("/sign-out")
    value = at_home.cookies["browser"].value
    assert [knows(name, "192.0.2.1") for name in ("ann", "bob", "fay")] == [True, True, False]


def test_guests_take_no_place_among_the_names_that_a_browser_knows(at_home):
    known = at_home.cookies["browser"].value
    assert at_home.post("/guest").status_code == 302
    assert at_home.cookies["browser"].value == known


@pytest.mark.parametrize("value", ["", ".", "a", "a.b", "a.b.c", "." * 5000, "é.é"])
def test_a_made_up_cookie_is_that_of_a_stranger(ann, value):
    client = Client()
    client.cookies["browser"] = value
    assert [sign_in(client, password="wrong").status_code for _ in range(6)] == [422] * 5 + [429]
    assert sign_in(Client()).status_code == 429


def test_who_signs_in_often_waits(client, ann, at_most):
    at_most("entries", 2)
    assert [sign_in(Client()).status_code for _ in range(3)] == [302, 302, 429]


def test_whoever_has_to_wait_anyway_has_no_password_checked(client, ann, at_most, monkeypatch):
    at_most("entries", 0)
    monkeypatch.setattr("django.contrib.auth.backends.ModelBackend.authenticate", None)
    assert [sign_in(client, password=password).status_code for password in (PASSWORD, "wrong")] == [429, 429]


def test_where_one_was_before_one_comes_in_whatever_others_enter_in_the_network(at_home, at_most):
    at_most("network passwords", 2)  # one of them to come in there at all
    User.objects.create_user("bob", password=PASSWORD)
    assert [sign_in(Client(), "bob").status_code for _ in range(2)] == [302, 429]
    assert sign_in(at_home).status_code == 302


@pytest.mark.parametrize(
    ("next_page", "leads_to"),
    [
        ("/m/abc", "/m/abc"),
        ("https://evil.example", "/play"),
        ("//evil.example", "/play"),
        ("javascript:x", "/play"),
        ("0", "/play"),
    ],
)
def test_it_leads_where_one_wanted_to_go_but_never_off_the_site(client, ann, next_page, leads_to):
    assert sign_in(client, address=f"/sign-in?next={next_page}")["Location"] == leads_to


def test_the_theme_and_the_language_of_the_account_come_along(client, ann, settings):
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    User.objects.update(theme="dark", language="de")
    response = sign_in(client)
    assert (response.cookies["theme"].value, response.cookies["django_language"].value) == ("dark", "de")


def test_signing_out_takes_a_post_and_ends_the_session(client, ann):
    sign_in(client)
    assert client.get("/sign-out").status_code == 405
    assert client.post("/sign-out")["Location"] == "/"
    assert "_auth_user_id" not in client.session
    assert not ann.sessions.exists()


def test_forms_from_elsewhere_are_refused(static_files, ann):
    careful = Client(enforce_csrf_checks=True)
    for address in ("/sign-in", "/sign-up", "/sign-out", "/guest", "/account/theme", "/account/close"):
        assert careful.post(address).status_code == 403


def test_sign_in_writes_when_it_was(client, ann):
    sign_in(client)
    ann.refresh_from_db()
    assert timezone.now() - ann.last_login < timedelta(minutes=1)


def test_the_way_back_is_kept_between_signing_in_and_signing_up(client):
    for page, other in (("sign-up", "sign-in"), ("sign-in", "sign-up")):
        html = client.get(f"/{page}?next=/c/abbey/invited/abc").content.decode()
        # in the header and beside the form
        assert html.count(f'href="/{other}?next=%2Fc%2Fabbey%2Finvited%2Fabc"') == 2, page
