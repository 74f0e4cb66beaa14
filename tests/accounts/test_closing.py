from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import ArchivedMatch, Block, Rating, User

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet scriptorium"
NOW = timezone.now()
LATER = NOW + timedelta(days=15)


@pytest.fixture
def ann():
    return User.objects.create_user("ann", "ann@example.org", PASSWORD, first_name="Anna", theme="dark")


@pytest.fixture
def desk(client, ann):
    client.force_login(ann)
    return client


def archived(user, match, seat, names, **fields):
    row = {"ended_at": NOW, "seats": len(names), "place": 1, "won": True, "points": 9} | fields
    row |= {"game": "biblios", "scores": [9] * len(names)}
    return ArchivedMatch.objects.create(user=user, match=match, seat=seat, names=names, **row)


def test_it_is_asked_for_with_the_password_and_signs_out_everywhere(desk, ann):
    phone = Client()
    phone.force_login(ann)
    response = desk.post("/account/close", {"password": "wrong"})
    assert response.status_code == 422
    assert "That isn’t your password." in response.content.decode()

    response = desk.post("/account/close", {"password": PASSWORD}, follow=True)
    assert "Your account will be closed on" in response.content.decode()
    ann.refresh_from_db()
    assert timedelta(days=13, hours=23) < ann.closing_at - timezone.now() <= timedelta(days=14)
    assert not ann.closed
    assert desk.get("/account").status_code == phone.get("/account").status_code == 302


def test_before_the_day_one_may_sign_in_and_keep_it(client, ann):
    services.close(ann)
    response = client.post("/sign-in", {"username": "ann", "password": PASSWORD})
    assert response["Location"].startswith("/account")
    html = client.get("/account").content.decode()
    assert "Keep my account" in html
    assert 'action="/account/close"' not in html
    client.post("/account/keep")
    assert services.close_due(LATER) == 0
    ann.refresh_from_db()
    assert (ann.closing_at, ann.closed) == (None, False)


def test_nothing_happens_before_the_day(ann):
    services.close(ann, NOW)
    assert services.close_due(NOW + timedelta(days=13, hours=23)) == 0
    assert services.close_due(NOW + timedelta(days=14)) == 1


def test_nothing_that_points_to_a_person_is_left(client, ann):
    bob = User.objects.create_user("bob")
    Block.objects.create(user=ann, blocked=bob)
    Block.objects.create(user=bob, blocked=ann)
    client.post("/sign-in", {"username": "Ann", "password": "wrong"})
    services.close(ann, NOW)
    services.close_due(LATER)

    ann.refresh_from_db()
    row = User.objects.filter(pk=ann.pk).values().get()
    assert "ann" not in str({name: value for name, value in row.items() if name != "password"}).lower()
    assert ann.username == ann.folded == f"closed-{ann.pk}"
    assert ann.closed
    assert not ann.is_active
    assert not ann.has_usable_password()
    assert ann.theme == "auto"
    assert not ann.sessions.exists()
    assert not Block.objects.exists()


def test_nobody_signs_in_there_any_more_and_the_name_is_free_again(client, ann):
    desk = Client()
    services.close(ann, NOW)
    desk.force_login(ann)
    services.close_due(LATER)
    assert desk.get("/account").status_code == 302
    assert client.post("/sign-in", {"username": f"closed-{ann.pk}", "password": PASSWORD}).status_code == 422
    assert client.post("/sign-up", {"username": "Ann", "new_password": PASSWORD}).status_code == 302
    assert User.objects.get(folded="ann").pk != ann.pk


def test_the_name_goes_from_the_archives_of_all_who_sat_there_and_the_rest_stays(ann):
    bob = User.objects.create_user("bob")
    Rating.objects.create(user=bob, game="biblios", pool="2", value=1510, games=1)
    Rating.objects.create(user=ann, game="biblios", pool="2", value=1490, games=1)
    archived(ann, "first", 1, ["bob", "ann"], pool="2", before=1500, after=1490)
    archived(bob, "first", 0, ["bob", "ann"], pool="2", before=1500, after=1510)
    archived(bob, "other", 0, ["bob", "ann"])  # an earlier holder of the name

    services.close(ann, NOW)
    services.close_due(LATER)

    name = f"closed-{ann.pk}"
    assert [row.names for row in ArchivedMatch.objects.order_by("pk")] == [["bob", name]] * 2 + [["bob", "ann"]]
    assert [row.after for row in ArchivedMatch.objects.order_by("pk")] == [1490, 1510, None]
    assert list(Rating.objects.order_by("value").values_list("value", flat=True)) == [1490, 1510]


def test_it_happens_once_however_often_the_worker_looks(ann):
    services.close(ann, NOW)
    assert [services.close_due(LATER) for _ in range(3)] == [1, 0, 0]
    assert not services.pseudonymise(ann.pk, LATER)


def test_it_is_too_late_to_keep_a_closed_account(ann):
    services.close(ann, NOW)
    services.close_due(LATER)
    assert not services.keep(ann)
    assert ann.closed


def test_a_steward_who_leaves_has_no_rights_any_more(ann):
    User.objects.update(is_staff=True, is_superuser=True)
    ann.refresh_from_db()
    services.close(ann, NOW)
    services.close_due(LATER)
    ann.refresh_from_db()
    assert not ann.is_staff
    assert not ann.is_superuser
