from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import User

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
    assert "Name and password do not match." in wrong.content.decode()
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
    assert [answer.status_code for answer in answers] == [422] * 4 + [429]
    response = sign_in(client, name)
    assert response.status_code == 429
    assert "Too many wrong passwords" in response.content.decode()
    assert "_auth_user_id" not in client.session


def test_it_rests_for_this_address_only(client, ann):
    for _ in range(5):
        sign_in(client, password="wrong")
    assert sign_in(client, REMOTE_ADDR="9.9.9.9").status_code == 302


def test_after_a_quarter_of_an_hour_one_may_try_again(client, ann):
    for _ in range(6):
        sign_in(client, password="wrong")
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=15, seconds=1))
    assert sign_in(client).status_code == 302


def test_the_right_password_forgets_the_wrong_ones(client, ann):
    for _ in range(2):
        for _ in range(4):
            assert sign_in(client, password="wrong").status_code == 422
        assert sign_in(client).status_code == 302
        client.logout()


def test_what_was_typed_as_a_password_is_written_down_nowhere(client, ann):
    sign_in(client, password="almost right")
    assert "almost" not in str(AccessAttempt.objects.values())


def test_one_address_cannot_try_one_password_on_many_names(client, ann):
    answers = [sign_in(client, f"name{n}", "").status_code for n in range(100)]
    assert set(answers) == {422}
    assert sign_in(client).status_code == 429


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
