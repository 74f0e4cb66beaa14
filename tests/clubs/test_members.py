"""The members of a club: found by name, page by page, with who is online and when they last played."""

import csv
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Block, Member, User
from accounts.people import following
from games.clubs import members as club_members
from games.ladders.models import TablePlayer, TableResult
from tests.clubs.club_pages import date
from tests.clubs.clubs import DAY, club_of, met
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PAGE = "/c/st-gall/members"


@pytest.fixture
def many(club):
    """The club with 198 more members."""
    names = [f"monk-{number:03}" for number in range(198)]
    users = User.objects.bulk_create(User(username=name, folded=name, skeleton=name) for name in names)
    Member.objects.bulk_create(Member(club=club, user=user, joined_at=timezone.now()) for user in users)
    return club


def names(page):
    return re.findall(r'<bdi class="name">([^<]+)</bdi></a>', page.content.decode())


@pytest.fixture
def connected(monkeypatch):
    def connect(*names):
        here = {person(name).pk for name in names}
        monkeypatch.setattr(following, "_connected", lambda: here)

    return connect


def test_two_hundred_members_are_told_page_by_page(at, many):
    first, last = at().get(PAGE), at().get(f"{PAGE}?page=4")
    assert "200 members" in text(first) and len(names(first)) == len(names(last)) == 50
    assert names(first)[:3] == ["ann", "bob", "monk-000"] and names(last)[-1] == "monk-197"
    for odd in ("0", "-1", "x", "9" * 5000, "5"):
        assert at().get(PAGE, {"page": odd}).status_code == 200


def test_one_searches_for_a_part_of_the_name(at, many):
    found = at("cho").get(PAGE, {"q": "ONK-00"})
    assert len(names(found)) == 10 and 'value="ONK-00"' in found.content.decode()
    for odd in ("zed", "\0", "%", "<b>"):
        assert "No member by that name." in text(at("cho").get(PAGE, {"q": odd}))


def test_the_number_of_queries_does_not_grow(at, many, connected):
    connected("ann", "bob", "monk-001")

    def cost(client):
        client.get(PAGE)
        with CaptureQueriesContext(connection) as queries:
            client.get(PAGE)
        return len(queries)

    full = cost(at("ann"))
    Member.objects.filter(user__username__startswith="monk-1").delete()
    assert cost(at("ann")) == full


def test_the_desk_is_no_longer_than_for_few(at, many):
    page = at("ann").get("/c/st-gall/desk")
    assert "monk-" not in page.content.decode() and "Members 200" in text(page)


def test_who_is_online_is_told_to_people_with_an_account(at, club, connected):
    connected("bob")
    assert "online" in text(at("cho").get(PAGE)).partition("bob")[2]
    assert "online" not in text(at().get(PAGE))
    Block.objects.create(user=person("bob"), blocked=person("cho"))
    assert "online" not in text(at("cho").get(PAGE))
    User.objects.filter(username="bob").update(unseen=True)
    assert "online" not in text(at("ann").get(PAGE))


def test_when_somebody_last_played_for_the_ladder(at, now):
    now = now.replace(hour=12) - DAY  # a game that begins before midnight ends on the day after
    ladder = club_of("ann", "bob", "dan", now=now - 30 * DAY)
    met(ladder, "bob", "ann", now=now - 20 * DAY)
    met(ladder, "dan", "ann", now=now - 10 * DAY)
    told = text(at().get(PAGE))
    days = re.findall(r"last game (\d+ \w+ \d+)", told)
    assert days.count(date(now - 10 * DAY)) == 2 and days.count(date(now - 20 * DAY)) == 1


def test_the_list_is_sorted_by_rung_by_name_or_by_the_last_game(at, now):
    ladder = club_of("ida", "bob", "dan", now=now - 30 * DAY)
    Member.objects.create(club=ladder.club, user=person("eve"), joined_at=now)
    met(ladder, "bob", "ida", now=now - 20 * DAY)
    met(ladder, "dan", "bob", now=now - 10 * DAY)
    by = {order: names(at().get(PAGE, {"sort": order})) for order in ("rung", "name", "played", "x")}
    assert by["name"] == ["bob", "dan", "eve", "ida"] and by["rung"] == by["x"]
    assert by["rung"] == ["dan", "bob", "ida", "eve"] and by["played"][2:] == ["ida", "eve"]
    assert names(at().get(PAGE, {"sort": "name", "q": "d"})) == ["dan", "ida"]


def test_who_has_not_played_for_30_days_is_marked(at, now):
    ladder = club_of("ann", "bob", "dan", "eve", now=now - 50 * DAY)
    Member.objects.create(club=ladder.club, user=person("fay"), joined_at=now - DAY)
    met(ladder, "bob", "ann", now=now - 40 * DAY)
    met(ladder, "dan", "bob", now=now - 10 * DAY)
    told = {row.fellow.name: row.idle for row in club_members.everybody(ladder, now)}
    assert told == {"ann": True, "bob": False, "dan": False, "eve": True, "fay": False}
    assert text(at().get(PAGE)).count("hasn’t played for 30 days") == 2


def test_a_game_at_a_real_table_is_a_last_game(now):
    ladder = club_of("ann", "bob", now=now - 50 * DAY)
    result = TableResult.objects.create(
        ladder=ladder, entered_by=person("ann"), played_on=now, entered_at=now - DAY, until=now, status="waiting"
    )
    for number, name in enumerate(("ann", "bob")):
        TablePlayer.objects.create(result=result, number=number, user=person(name), place=number + 1)
    assert club_members.last_games(ladder.club, [person("ann").pk]) == {}
    TableResult.objects.update(status="counted")
    assert club_members.last_games(ladder.club, [person("ann").pk]) == {person("ann").pk: now - DAY}


def test_members_take_the_list_along_and_nobody_else(at, now):
    ladder = club_of("ann", "bob", now=now.replace(hour=12) - 50 * DAY)
    met(ladder, "bob", "ann", now=now.replace(hour=12) - 40 * DAY)
    file = at("bob").get(f"{PAGE}.csv")
    assert file["Content-Disposition"] == 'attachment; filename="st-gall-members.csv"'
    head, first, *_others = file.content.decode().removeprefix("\ufeff").splitlines()
    assert head == "rung,name,rating,role,joined,last_game"
    joined, played = (f"{now.replace(hour=12) - days * DAY:%Y-%m-%d}" for days in (51, 40))
    assert first == f"1,bob,1530?,member,{joined},{played}"
    assert "1 bob 1530?" in text(at("bob").get(f"{PAGE}/print"))
    for page in (f"{PAGE}.csv", f"{PAGE}/print"):
        assert at("cho").get(page).status_code == 404
        assert at().get(page).url.startswith("/sign-up")


def test_no_cell_of_the_list_is_a_formula(at, club):
    for number, sign in enumerate("=+-@\t"):
        user = User.objects.create(username=f"{sign}cmd{number}", folded=f"{sign}cmd{number}", skeleton=f"cmd{number}")
        Member.objects.create(club=club, user=user, joined_at=timezone.now())
    names = [row[1] for row in csv.reader(at("ann").get(f"{PAGE}.csv").content.decode().splitlines())]
    assert [name for name in names if "cmd" in name] and not [name for name in names if name[0] in "=+-@\t"]


def test_stewards_appoint_and_expel_here_and_read_why_they_cannot_go(at, club, now):
    shown = text(at("ann").get(PAGE))
    assert "Make a steward" in shown and "Expel…" in shown
    assert "the only steward" in shown and "Remove as steward" not in shown
    assert "Make a steward" not in text(at("bob").get(PAGE))
    at("ann").post("/c/st-gall/desk/appoint/bob")
    assert text(at("ann").get(PAGE)).count("Remove as steward") == 2
