"""What waits for a person: in the lobby and on the first page of a club in a strip, elsewhere in a line."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.clubs import clubs
from accounts.models import Asking, Block, Member
from games.ladders import challenges
from games.ladders.challenges import Terms
from games.ladders.rules import Rules
from games.lobby import invitations, pending
from games.matches.clocks import Clock, ms_of
from tests.clubs.clubs import DAILY, DAY, agreed, club_of
from tests.matches.matches import seated
from tests.people import person
from tests.reading import text

pytestmark = pytest.mark.django_db

PAGES = ["/play", "/c/st-gall", "/clubs", "/c/st-gall/ladders/1"]
"""The first two have the strip, the others a line."""


@pytest.fixture
def ladder(now):
    return club_of("ann", "bob", "dan", "eve", now=now - DAY)


@pytest.fixture
def strip(at):
    """What stands in the strip on a page, line by line."""

    def lines(name, page="/play"):
        html = at(name).get(page).content.decode()
        found = re.search(r'<section class="leaf waits".*?</section>', html, flags=re.S)
        return [text(line) for line in re.findall(r"<li>.*?</li>", found[0], flags=re.S)] if found else []

    return lines


@pytest.fixture
def line(at):
    """What the line says on a page; empty without one."""

    def said(name, page="/c/st-gall/ladders/1"):
        html = at(name).get(page).content.decode()
        found = re.search(r'<a class="leaf waits-line" href="/play#waits">.*?</a>', html, flags=re.S)
        return text(found[0]) if found else ""

    return said


@pytest.mark.parametrize("page", PAGES[:2])
def test_a_challenge_says_until_when_and_what_it_costs_not_to_answer(ladder, now, page, strip, at):
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, now - timedelta(hours=2))
    [line] = strip("ann", page)
    assert "bob challenges you on the ladder of St Gall." in line
    assert "2 d 21 h left" in line and "Without an answer you go down 1 rung" in line
    assert challenge.get_absolute_url() in at("ann").get(page).content.decode()
    assert strip("bob", page) == strip("dan", page) == []


def test_on_other_pages_one_line_leads_to_what_waits(ladder, now, strip, line):
    other = club_of("ann", "hal", slug="abbey", now=now - DAY)
    assert line("ann") == ""
    challenges.challenge(other, person("hal"), [person("ann")], DAILY, now)
    assert line("ann") == line("ann", "/clubs") == "1 thing waits for you"
    asked("ann")
    asked("ann")
    assert line("ann") == "3 things wait for you"
    assert strip("ann", "/c/st-gall/ladders/1") == [] and line("ann", "/c/st-gall") == "" and line("bob") == ""


def test_on_the_page_of_a_ladder_its_own_challenges_are_not_said_twice(ladder, now, strip, line, at):
    elsewhere = club_of("dan", "ann", "bob", slug="abbey", now=now - DAY)
    for of, name in ((ladder, "ann"), (elsewhere, "dan")):
        challenges.challenge(of, person("bob"), [person(name)], DAILY, now)
    challenges.challenge(elsewhere, person("ann"), [person("dan")], DAILY, now)
    assert line("ann") == ""
    assert "Answer" in at("ann").get("/c/st-gall/ladders/1").content.decode()
    assert line("dan") == "2 things wait for you"


@pytest.mark.parametrize("page", PAGES)
def test_where_nothing_waits_nothing_is_shown(ladder, page, at):
    assert "Waiting for you" not in at("ann").get(page).content.decode()
    assert "Waiting for you" not in at().get(page).content.decode()


def test_whoever_stays_where_they_are_is_told_that_silence_costs_nothing(ladder, now, strip):
    challenges.challenge(ladder, person("dan"), [person("ann"), person("eve")], DAILY, now)
    assert "Without an answer someone else is asked" in strip("eve")[0], "who was not named first"


def test_the_challenger_to_whom_other_terms_are_proposed_answers_too(ladder, now, strip):
    challenge = challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, now)
    challenges.counter(challenge, person("ann"), Terms(Clock.live(1, 15)), now)
    [line] = strip("bob")
    assert "ann proposes other terms for your game on the ladder of St Gall." in line
    assert "Without an answer it ends, and no one moves" in line
    assert strip("ann") == []


def test_an_agreed_time_stands_there_until_the_table_opens(ladder, now, strip):
    at_ = now + 2 * DAY + timedelta(hours=1)
    agreed(ladder, "bob", "ann", now=now, terms=Terms(Clock.live(1, 15), times=(ms_of(at_),)))
    for name, other in (("ann", "bob"), ("bob", "ann")):
        [line] = strip(name)
        assert f"Your game with {other} on the ladder of St Gall begins at the agreed time." in line
        assert "2 d 0 h left" in line


def test_a_live_game_that_was_agreed_waits_for_both_until_it_must_be_over(ladder, now, strip, at):
    challenge = agreed(ladder, "bob", "ann", now=now, terms=Terms(Clock.live(1, 15)))
    assert "Your table with bob is open, for the ladder of St Gall." in strip("ann")[0]
    challenge.match.status = "closed"
    challenge.match.save()
    assert "You’ve agreed to play bob on the ladder of St Gall." in strip("ann")[0]
    assert f'formaction="{challenge.get_absolute_url()}/table"' in at("ann").get("/play").content.decode()


def test_an_invitation_to_a_club_is_answered_from_the_strip(ladder, now, strip, at):
    clubs.invite(ladder.club, person("ann"), person("fay").username, now)
    assert ["ann invites you to the club St Gall." in line for line in strip("fay", "/c/st-gall")] == [True]
    fay = at("fay")
    assert 'formaction="/c/st-gall/join"' in fay.get("/play").content.decode()
    fay.post("/c/st-gall/join")
    assert strip("fay") == []


def test_a_steward_whom_somebody_blocks_does_not_reach_them_by_an_invitation(ladder, now, strip):
    Block.objects.create(user=person("fay"), blocked=person("ann"))
    clubs.invite(ladder.club, person("ann"), "fay", now)
    assert strip("fay") == []


def test_an_invitation_to_a_table_stands_on_the_pages_of_clubs_too(ladder, strip, at):
    match = invitations.challenge(person("bob"), person("ann"), places=2, options={})
    [line] = strip("ann", "/c/st-gall")
    assert "bob challenges you to a game of Biblios." in line and "2 players" in line
    assert f'formaction="/m/{match.key}/invitation"' in at("ann").get("/c/st-gall").content.decode()


def asked(name):
    """A table at which it is this person's turn; who begins is drawn."""
    while True:
        table = seated(name, "hal", pace="daily", days=1)
        if table.sitting[table.mover].user == person(name):
            return table


def test_tables_that_wait_for_an_answer_are_one_line(ladder, strip):
    asked("ann")
    assert "It’s your turn at 1 table. Biblios23 h left" in strip("ann", "/c/st-gall")[0]
    asked("ann")
    [line] = strip("ann", "/c/st-gall")
    assert "It’s your turn at 2 tables." in line
    assert strip("ann", "/play") == [], "the games themselves stand there"
    assert strip("bob") == []


def test_requests_to_join_are_one_line_for_stewards_only(ladder, now, strip):
    Asking.objects.create(club=ladder.club, user=person("fay"), at=now)
    assert "fay wants to join the club St Gall." in strip("ann")[0]
    Asking.objects.create(club=ladder.club, user=person("gus"), at=now)
    assert "2 people want to join the club St Gall." in strip("ann")[0]
    assert strip("bob") == [] and strip("fay") == []
    assert strip("ann", "/c/st-gall") == [], "there it stands in the line of what stewards have to do"


def test_on_the_pages_of_a_club_what_concerns_it_comes_first(ladder, now, strip):
    other = club_of("hal", "ann", slug="abbey", now=now - DAY, rules=Rules(accept_days=1))
    challenges.challenge(other, person("ann"), [person("hal")], DAILY, now)
    challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, now)
    Member.objects.filter(user=person("ann"), club=other.club).update(role="steward")
    Asking.objects.create(club=other.club, user=person("fay"), at=now)
    asked("ann")
    soonest = ["bob", "fay", "turn"]

    def order(page):
        return [next(word for word in soonest if word in line) for line in strip("ann", page)]

    assert order("/c/st-gall") == ["bob", "turn", "fay"] and order("/c/abbey") == ["turn", "bob"]


def test_without_a_reload_the_lobby_shows_a_challenge_on_a_ladder(ladder, now, at):
    ann = at("ann")
    assert "challenges you" not in ann.get("/play/news").content.decode()
    challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, now)
    assert "challenges you on the ladder" in ann.get("/play/news").content.decode()


def test_much_that_waits_is_cut_short_and_costs_no_more_to_find(ladder, now):
    def cost():
        with CaptureQueriesContext(connection) as context:
            html = pending.strip(person("ann"), now)
        return len(context) - 1, html  # one to find ann

    challenges.challenge(ladder, person("bob"), [person("ann")], DAILY, now)
    few, _html = cost()
    for number in range(pending.MOST + 3):
        slug = f"club-{number}"
        each = club_of("ann", f"x{number}", slug=slug, now=now - DAY)
        challenges.challenge(each, person(f"x{number}"), [person("ann")], DAILY, now)
        Asking.objects.create(club=each.club, user=person(f"y{number}"), at=now)
        invitations.challenge(person(f"y{number}"), person("ann"), places=2, options={})
    many, html = cost()
    assert (few, many) == (12, 12)
    assert html.count("<li>") == pending.MOST
    assert "And 26 more." in html and '<b class="badge">34</b>' in html
