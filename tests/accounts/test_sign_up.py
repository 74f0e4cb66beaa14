import pytest

from accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet scriptorium"


def sign_up(client, name="Ann", password=PASSWORD, email="", address="/sign-up"):
    return client.post(address, {"username": name, "new_password": password, "email": email})


def test_a_name_and_a_password_are_enough(client):
    response = sign_up(client)
    assert (response.status_code, response["Location"]) == (302, "/play")
    ann = User.objects.get()
    assert (ann.username, ann.email, ann.guest) == ("Ann", "", False)
    assert ann.check_password(PASSWORD)
    assert client.session["_auth_user_id"] == str(ann.pk)


def test_an_email_address_waits_until_it_is_confirmed(client):
    response = client.get(sign_up(client, email="ann@Example.ORG")["Location"])
    ann = User.objects.get()
    assert (ann.email, ann.new_email) == ("", "ann@example.org")
    assert "Check your inbox" in response.content.decode()


@pytest.mark.parametrize(
    ("name", "password", "email", "said"),
    [
        ("", PASSWORD, "", "This field is required"),
        ("a b", PASSWORD, "", "2 to 20 letters"),
        ("guest-x", PASSWORD, "", "are reserved"),
        ("BOB", PASSWORD, "", "This name is taken."),
        ("Ann", "", "", "This field is required"),
        ("Ann", "short", "", "too short"),
        ("Ann", "password1", "", "too common"),
        ("Hildegard", "hildegard1", "", "too similar to the username"),
        ("Ann", PASSWORD, "nowhere", "Enter a valid email address"),
        ("Ann", PASSWORD + "\0", "", "Null characters"),
    ],
)
def test_the_form_says_beside_the_field_what_is_wrong_and_keeps_what_was_typed(client, name, password, email, said):
    User.objects.create_user("bob")
    response = sign_up(client, name, password, email)
    html = response.content.decode()
    assert response.status_code == 422
    assert said in html
    assert 'aria-invalid="true"' in html
    assert f'value="{name}"' in html or not name
    assert f'value="{email}"' in html or not email
    assert PASSWORD not in html
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["Воb", "B0b", "ВОВ"])
def test_a_name_that_looks_like_one_that_is_taken_is_refused(client, name):
    User.objects.create_user("Bob")
    response = sign_up(client, name)
    assert response.status_code == 422
    assert User.objects.count() == 1


def test_it_is_said_that_it_looks_like_another_and_signing_in_needs_the_very_name(client):
    User.objects.create_user("Gisela", password=PASSWORD)
    assert "looks too much like one that’s taken" in sign_up(client, "GiseIa").content.decode()
    for name, status in (("GiseIa", 422), ("gisela", 302)):
        assert client.post("/sign-in", {"username": name, "password": PASSWORD}).status_code == status


def test_the_name_is_kept_in_one_way_of_writing(client):
    sign_up(client, "Ａｎｎ")
    assert User.objects.get().username == "Ann"


def test_it_leads_where_one_wanted_to_go_but_never_off_the_site(client):
    assert sign_up(client, address="/sign-up?next=/m/abc")["Location"] == "/m/abc"
    client.logout()
    assert sign_up(client, "Bob", address="/sign-up?next=https://evil.example/")["Location"] == "/play"
    client.logout()
    assert sign_up(client, "Cho", address="/sign-up?next=//evil.example")["Location"] == "/play"


def test_what_the_browser_remembers_becomes_the_choice_of_the_account(client):
    client.cookies["theme"] = "dark"
    sign_up(client)
    assert User.objects.get().theme == "dark"


def test_one_address_makes_only_so_many_accounts_an_hour(client, at_most):
    at_most("newcomers", 2)
    for name in ("Ann", "Bob"):
        sign_up(client, name)
        client.logout()
    response = sign_up(client, "Cho")
    assert response.status_code == 429
    assert int(response["Retry-After"]) == 5400
    assert "That was a lot" in response.content.decode()
    assert User.objects.count() == 2


def test_behind_a_proxy_the_address_is_the_one_that_the_proxy_noted(client, settings, at_most):
    at_most("newcomers", 1)
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    for name, noted, status in [("Ann", "6.6.6.6, 1.1.1.1", 302), ("Bob", "2.2.2.2", 302), ("Cho", "1.1.1.1", 429)]:
        form = {"username": name, "new_password": PASSWORD}
        assert client.post("/sign-up", form, headers={"X-Forwarded-For": noted}).status_code == status
        client.logout()


def test_whoever_has_an_account_is_not_asked_again(client):
    sign_up(client)
    assert client.get("/sign-up").status_code == client.get("/sign-in").status_code == 302


def test_a_guest_who_signs_up_has_been_counted_before(client, at_most):
    at_most("newcomers", 1)
    client.post("/guest")
    assert sign_up(client, "Ann").status_code == 302
    client.post("/sign-out")
    assert sign_up(client, "Bob").status_code == 429
