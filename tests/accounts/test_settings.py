import pytest
from django.test import Client

from accounts.models import User
from tests.reading import source

pytestmark = pytest.mark.django_db

PASSWORD, ANOTHER = "a quiet scriptorium", "a loud refectory"


@pytest.fixture
def ann():
    return User.objects.create_user("ann", "ann@example.org", PASSWORD)


@pytest.fixture
def desk(client, ann):
    client.force_login(ann)
    return client


@pytest.mark.parametrize("address", ["", "/email", "/password", "/sessions", "/close", "/keep", "/look", "/play"])
def test_cho_who_is_not_signed_in_is_sent_to_sign_in(client, address):
    response = client.get("/account") if not address else client.post(f"/account{address}")
    assert response["Location"].startswith("/sign-in?next=/account")


@pytest.mark.parametrize("address", ["email", "password", "sessions", "close", "keep"])
def test_what_changes_something_takes_a_post(desk, address):
    assert desk.get(f"/account/{address}").status_code == 405


def test_the_theme_and_the_language_are_changed_on_the_page(desk, ann, settings):
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    assert "Deutsch" in source(desk.get("/account"))
    response = desk.post("/account/look", {"theme": "dark", "language": "de"})
    ann.refresh_from_db()
    assert (ann.theme, ann.language) == ("dark", "de")
    assert response.cookies["django_language"].value == "de"
    response = desk.post("/account/look", {"theme": "auto", "language": ""})
    assert response.cookies["django_language"].value == ""
    assert 'data-theme="auto"' in source(desk.get("/account"))


OLD = "not offered as your page had it, and stays as it was"


@pytest.mark.parametrize(
    "wish, named",
    [
        ({"theme": "pink", "language": ""}, "Theme"),
        ({"theme": "light", "language": "xx"}, "Language"),
        ({"ink": "3"}, "ink"),
    ],
)
def test_what_an_old_page_sends_gets_a_sentence_and_the_rest_is_kept(desk, ann, wish, named):
    response = desk.post("/account/look", wish, follow=True)
    html = source(response)
    assert OLD in html and f"“{named}”" in html
    ann.refresh_from_db()
    assert (ann.theme, ann.language) == (wish["theme"] if wish.get("theme") == "light" else "auto", "")


def test_several_settings_of_an_old_page_are_named_in_one_sentence(desk, ann):
    said = desk.post(
        "/account/play", {"tempo": "warp", "sparkle": "1", "text": "large"}, headers={"HX-Request": "true"}
    )
    assert "stay as they were: Pace of the bots, sparkle" in said.content.decode()
    ann.refresh_from_db()
    assert (ann.tempo, ann.text) == ("normal", "large")


def test_a_field_is_kept_at_once_and_says_so(desk, ann):
    said = desk.post("/account/play", {"written": "notation"}, headers={"HX-Request": "true"})
    assert said.content.decode() == '<p id="kept-play" hx-swap-oob="innerHTML">Kept.</p>'
    ann.refresh_from_db()
    assert ann.written == "notation" and ann.letters  # what was not sent stays
    plain = desk.post("/account/play", {"letters": "off", "confirms": "on"})
    assert plain["Location"] == "/account#play"
    ann.refresh_from_db()
    assert not ann.letters and ann.confirms


def test_what_others_see_is_kept_field_by_field(desk, ann):
    for field, value in {"motif": "owl", "tint": "woad", "about": "Plays\n at  night.", "unseen": "on"}.items():
        said = desk.post("/account/self", {field: value}, headers={"HX-Request": "true"})
        assert said.content.decode() == '<p id="kept-self" hx-swap-oob="innerHTML">Kept.</p>'
    ann.refresh_from_db()
    assert ann.avatar.startswith("owl-woad-")
    assert (ann.about, ann.unseen) == ("Plays at night.", True)
    desk.post("/account/self", {"unseen": "off", "about": "x" * 1000, "pattern": "0"})
    ann.refresh_from_db()
    assert (ann.avatar, ann.about, ann.unseen) == ("owl-woad-0", "Plays at night.", False)


@pytest.mark.parametrize("volume", ["-1", "101", "loud", "9" * 400])
def test_a_volume_that_is_none_stays_as_it_was(desk, ann, volume):
    assert OLD in source(desk.post("/account/play", {"volume": volume}, follow=True))
    ann.refresh_from_db()
    assert ann.volume == 25


def test_what_is_chosen_is_there_for_styles_and_scripts_on_every_page(desk, ann):
    assert "data-patterns" not in source(desk.get("/rules")).split("<head>")[0]
    desk.post("/account/play", {"patterns": "on", "text": "larger", "volume": "80", "confirms": "on", "letters": "off"})
    top = source(desk.get("/rules")).split("<head>")[0]
    for mark in (
        'data-patterns="True"',
        'data-text="larger"',
        'data-volume="80"',
        "data-confirms",
        'data-letters="off"',
    ):
        assert mark in top
    assert "biblios/patterns." in source(desk.get("/rules")) and "biblios/patterns." not in source(
        Client().get("/rules")
    )
    assert "data-volume" not in source(Client().get("/rules")).split("<head>")[0]


def test_a_guest_has_the_sections_of_playing_and_keeps_them_on_signing_up(client):
    client.post("/guest")
    html = source(client.get("/account"))
    assert 'href="#play"' in html and 'href="#password"' not in html
    client.post("/account/play", {"tempo": "slow"})
    client.post("/sign-up", {"username": "dan", "new_password": PASSWORD})
    assert User.objects.get(username="dan").tempo == "slow"


def test_a_wrong_form_comes_back_in_its_own_section(desk):
    html = source(desk.post("/account/password", {"password": "x", "new_password": "y"}))
    assert '<section class="leaf open" id="password"' in html
    assert html.count('class="leaf open"') == 1


def test_the_theme_button_answers_a_script_with_nothing_and_a_form_with_the_page(desk, client, ann):
    assert desk.post("/account/theme", {"theme": "dark"}).status_code == 204
    ann.refresh_from_db()
    assert ann.theme == "dark"
    response = desk.post("/account/theme", {"theme": "light", "next": "/rules?x=1"})
    assert response["Location"] == "/rules?x=1"
    assert desk.post("/account/theme", {"theme": "light", "next": "//evil.example"})["Location"] == "/"
    assert desk.post("/account/theme", {"theme": "pink"}).status_code == 400


def test_without_an_account_the_browser_remembers_the_theme(client):
    client.post("/account/theme", {"theme": "dark"})
    html = source(client.get("/sign-in"))
    assert 'data-theme="dark"' in html
    assert 'name="theme" value="light"' in html
    client.cookies["theme"] = '"><script>'
    assert 'data-theme="auto"' in source(client.get("/sign-in"))


def test_the_footer_offers_the_languages_where_there_are_several(client, settings):
    assert 'name="language"' not in source(client.get("/sign-in"))
    settings.LANGUAGES = [("en", "English"), ("fa", "Persian")]
    html = source(client.get("/sign-in"))
    assert 'value="fa" lang="fa" dir="rtl">فارسی' in html
    response = client.post("/account/language", {"language": "fa", "next": "/sign-in"})
    assert (response["Location"], response.cookies["django_language"].value) == ("/sign-in", "fa")
    assert '<html lang="fa" dir="rtl"' in source(client.get("/sign-in"))
    assert client.post("/account/language", {"language": "xx"}).status_code == 400


def test_a_signed_in_user_keeps_the_language_of_the_footer(desk, ann, settings):
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    desk.post("/account/language", {"language": "de"})
    ann.refresh_from_db()
    assert ann.language == "de"


def test_the_email_address_is_changed_with_the_password_only(desk, ann):
    response = desk.post("/account/email", {"email": "new@example.org", "password": "wrong"})
    assert response.status_code == 422
    assert "That isn’t your password." in source(response)
    assert 'value="new@example.org"' in source(response)
    ann.refresh_from_db()
    assert ann.email == "ann@example.org"

    assert desk.post("/account/email", {"email": "new@example.org", "password": PASSWORD}).status_code == 302
    ann.refresh_from_db()
    assert (ann.email, ann.new_email) == ("ann@example.org", "new@example.org")


def test_the_field_that_is_wrong_has_the_focus(desk):
    html = source(desk.post("/account/password", {"password": PASSWORD, "new_password": "short"}))
    [focused] = [tag for tag in html.split("<input")[1:] if "autofocus" in tag.split(">")[0]]
    assert 'name="new_password"' in focused
    assert "autofocus" not in source(desk.get("/account"))


def test_what_was_saved_is_said(desk, settings):
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    assert "Kept." in source(desk.post("/account/look", {"theme": "auto", "language": ""}, follow=True))
    assert "All other browsers are signed out." in source(desk.post("/account/sessions", follow=True))
    assert "That browser is signed out." in source(desk.post("/account/sessions", {"session": "x"}, follow=True))


def test_one_may_do_without_an_address(desk, ann):
    desk.post("/account/email", {"email": "", "password": PASSWORD})
    ann.refresh_from_db()
    assert ann.email == ""
    assert "Without an address, you can’t reset your password" in source(desk.get("/account"))


def test_a_new_password_keeps_this_browser_and_signs_out_all_others(desk, ann):
    phone = Client()
    phone.force_login(ann)
    assert desk.post("/account/password", {"password": PASSWORD, "new_password": ANOTHER}).status_code == 302
    ann.refresh_from_db()
    assert ann.check_password(ANOTHER)
    assert desk.get("/account").status_code == 200
    assert phone.get("/account").status_code == 302
    assert ann.sessions.count() == 1


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("wrong", ANOTHER, "That isn’t your password."),
        ("", ANOTHER, "This field is required."),
        (PASSWORD, "", "This field is required."),
        (PASSWORD, "short", "too short"),
        (PASSWORD, "12345678", "too common"),
        (PASSWORD, "ann@example", "too similar to the email address"),
    ],
)
def test_a_wrong_change_of_password_says_why_and_changes_nothing(desk, ann, old, new, fault):
    response = desk.post("/account/password", {"password": old, "new_password": new})
    assert response.status_code == 422
    assert fault in source(response)
    ann.refresh_from_db()
    assert ann.check_password(PASSWORD)


def test_the_settings_are_no_place_to_guess_a_password_either(desk, ann):
    guesses = [desk.post("/account/email", {"email": "x@y.org", "password": f"guess {n}"}) for n in range(6)]
    assert [response.status_code for response in guesses] == [422] * 5 + [429]
    assert desk.post("/account/email", {"email": "x@y.org", "password": PASSWORD}).status_code == 429


def test_right_passwords_count_too_and_wrong_ones_do_not_count_as_right(desk, at_most):
    at_most("passwords", 2)
    form = {"email": "", "password": PASSWORD}
    answers = [desk.post("/account/email", form | wrong).status_code for wrong in ({"password": "x"}, {}, {}, {})]
    assert answers == [422, 302, 302, 429]


def test_a_guest_has_looks_only_and_is_asked_to_sign_up(client):
    client.force_login(User.objects.create_user("guest-x", guest=True))
    html = source(client.get("/account"))
    assert "You’re playing as a guest" in html
    assert "/account/password" not in html
    for address in ("email", "password", "sessions", "close", "keep"):
        assert client.post(f"/account/{address}")["Location"] == "/sign-up?next=%2Faccount" + (
            "" if address == "keep" else f"%23{address}"
        )
    assert client.post("/account/look", {"theme": "dark"})["Location"].startswith("/account")
