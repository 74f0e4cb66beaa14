from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import services
from accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet scriptorium"
NOW = timezone.now()


def long_ago(user, days=8):
    User.objects.filter(pk=user.pk).update(date_joined=NOW - timedelta(days=days))
    return user


def test_one_button_makes_a_guest(client):
    response = client.post("/guest")
    assert response["Location"] == "/play"
    guest = User.objects.get()
    assert guest.guest
    assert guest.username.startswith("guest-")
    assert not guest.has_usable_password()
    assert client.session["_auth_user_id"] == str(guest.pk)


def test_the_same_browser_stays_the_same_guest(client):
    client.post("/guest")
    client.post("/guest?next=/rules")
    assert User.objects.count() == 1


def test_whoever_only_looks_is_no_guest(client):
    assert client.get("/guest").status_code == 405
    assert not User.objects.exists()


def test_one_address_makes_only_so_many_guests_an_hour(client, at_most):
    at_most("newcomers", 1)
    client.post("/guest")
    client.logout()
    assert client.post("/guest").status_code == 429
    assert User.objects.count() == 1


def test_a_guest_who_signs_up_stays_the_same_row(client):
    client.post("/guest")
    guest = User.objects.get()
    assert "keep the games you played as a guest" in client.get("/sign-up").content.decode()
    client.post("/sign-up", {"username": "Ann", "new_password": PASSWORD})
    ann = User.objects.get()
    assert (ann.pk, ann.username, ann.folded, ann.guest) == (guest.pk, "Ann", "ann", False)
    assert client.session["_auth_user_id"] == str(ann.pk)
    assert ann.sessions.count() == 1


def test_a_guest_whose_name_is_taken_stays_a_guest(client):
    User.objects.create_user("ann")
    client.post("/guest")
    assert client.post("/sign-up", {"username": "ANN", "new_password": PASSWORD}).status_code == 422
    assert User.objects.filter(guest=True).count() == 1


def test_two_who_want_one_name_in_the_same_moment_do_not_both_get_it():
    services.sign_up("Ann", PASSWORD)
    guest = services.guest()
    for latecomer in (None, guest):
        with pytest.raises(services.NameTaken):
            services.sign_up("aNN", PASSWORD, guest=latecomer)
    guest.refresh_from_db()
    assert guest.guest


def test_an_account_is_nobodys_guest_row():
    ann = services.sign_up("Ann", PASSWORD)
    with pytest.raises(services.SignedUp):
        services.sign_up("Bob", PASSWORD, guest=ann)
    assert list(User.objects.all()) == [ann]


def test_who_signs_up_twice_at_once_as_one_guest_has_one_account(client, monkeypatch):
    client.post("/guest")
    guest, sign_up = User.objects.get(), services.sign_up

    def twice(*given):
        sign_up("Ann", PASSWORD, "", guest)
        return sign_up(*given)

    monkeypatch.setattr(services, "sign_up", twice)
    assert client.post("/sign-up", {"username": "Bob", "new_password": PASSWORD})["Location"] == "/sign-in"
    assert [user.username for user in User.objects.all()] == ["Ann"]


def test_a_guest_may_sign_in_to_an_account(client):
    ann = services.sign_up("Ann", PASSWORD)
    client.post("/guest")
    assert client.get("/sign-in").status_code == 200
    client.post("/sign-in", {"username": "ann", "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(ann.pk)


def test_guests_who_left_nothing_behind_are_forgotten_after_a_week():
    old, new, ann = long_ago(services.guest()), services.guest(), long_ago(services.sign_up("Ann", PASSWORD))
    assert services.forget_guests(NOW) == 1
    assert set(User.objects.all()) == {new, ann}
    assert not User.objects.filter(pk=old.pk).exists()
