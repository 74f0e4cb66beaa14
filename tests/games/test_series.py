"""The report for stewards of the site: who plays rated games with whom, and who shares a browser."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone

from accounts.career.archive import Part, archive
from accounts.models import Browser, User
from accounts.people import browsers
from games.matches import series
from tests.people import person
from tests.reading import text

pytestmark = pytest.mark.django_db

ADDRESS = "/admin/accounts/browser/"
PASSWORD = "correct horse battery"


@pytest.fixture
def abbess(client):
    user = User.objects.create_user("abbess", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_browser"))
    client.force_login(user)
    return client


def game(key, winner, loser, ago=timedelta(days=1), left="resign", soon=True):
    seats = [
        Part(person(winner), 0, winner, 1, True, 9),
        Part(person(loser), 1, loser, 2, False, 1, left=left, soon=soon),
    ]
    archive(key, timezone.now() - ago, seats, game="biblios", pool="2")


def found():
    return [(each.names, each.games, each.ahead, each.left, each.soon) for each in series.series(timezone.now())]


def test_a_short_one_sided_series_is_shown_and_a_fair_one_is_not():
    for number in range(4):
        game(f"short{number}", "bob", "ann", left="resign" if number else "", soon=number > 1)
        game(f"fair{number}", *("dan", "eve")[:: 1 if number % 2 else -1])
        game(f"whole{number}", "fay", "gus", left="", soon=False)
        game(f"old{number}", "ivo", "kai", ago=timedelta(days=31))
    for number in range(3):
        game(f"few{number}", "hal", "ida")
    assert found() == [(("bob", "ann"), 4, [4, 0], 3, 2)]


def enter(client, name):
    answer = client.post("/sign-in", {"username": name, "password": PASSWORD})
    assert answer.status_code == 302
    client.post("/sign-out")


def test_accounts_of_one_browser_are_found_whatever_they_play(client):
    for name in ("ann", "bob", "cho"):
        User.objects.create_user(name, password=PASSWORD)
    enter(client, "ann")
    enter(client, "bob")
    enter(client, "ann")
    client.cookies.clear()
    enter(client, "cho")
    assert [names for names, _at in series.sharing()] == [["ann", "bob"]]
    game("m1", "ann", "bob", left="", soon=False)
    game("m2", "ann", "cho", left="", soon=False)
    assert found() == [(("ann", "bob"), 1, [1, 0], 0, 0)]


def test_the_database_holds_no_number_of_a_browser_and_forgets_after_ninety_days(client):
    User.objects.create_user("ann", password=PASSWORD)
    enter(client, "ann")
    cookie = client.cookies["browser"].value
    entry = Browser.objects.get()
    assert not {entry.mark, entry.browser} & set(cookie.split("."))
    assert browsers.forget(entry.seen_at + timedelta(days=89)) == 0
    assert browsers.forget(entry.seen_at + timedelta(days=91)) == 1


def test_a_made_up_cookie_puts_nobody_into_anothers_browser(client):
    for name in ("ann", "bob"):
        User.objects.create_user(name, password=PASSWORD)
    enter(client, "ann")
    entry = Browser.objects.get()
    client.cookies["browser"] = f"{entry.mark}.{entry.mark}.{entry.browser}.{entry.mark}"
    enter(client, "bob")
    assert series.sharing() == []


def test_stewards_see_the_report_and_change_nothing_by_it(abbess):
    for number in range(4):
        game(f"short{number}", "bob", "ann")
    page = abbess.get(ADDRESS)
    assert re.search(r"bob ann biblios 2 4 4 : 0 4 4 0 : −\d+", text(page))
    assert "nothing here proves anything" in text(page)
    assert 'href="/m/short3"' in page.content.decode()
    entry = Browser.objects.create(user=person("bob"), browser="b", mark="m", seen_at=timezone.now())
    assert abbess.post(f"{ADDRESS}{entry.pk}/change/", {"seen_at": "2001-01-01"}).status_code == 403
    assert abbess.post(f"{ADDRESS}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    assert abbess.get(f"{ADDRESS}?mark=m").status_code == 400


@pytest.mark.parametrize("name", ["", "bob", "prior"])
def test_nobody_else_sees_it(client, name):
    if name:
        client.force_login(User.objects.create_user(name, is_staff=name == "prior"))
    assert client.get(ADDRESS).status_code in (302, 403)
