"""Several ladders in a club: they keep apart, and stewards open, name and close them."""

import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.clubs import clubs
from accounts.models import Notice, Right
from accounts.web.refused import Refused
from games.clubs import decisions
from games.clubs.moving import document, intake
from games.feeds import news
from games.ladders import at_table, audit, calendar, challenges, events, opening, pending
from games.ladders.at_table import Finished
from games.ladders.bundle import contents
from games.ladders.models import Ladder
from games.ladders.pages import seasons
from games.ladders.payloads import Closed, GameResult, RulesSet, SeasonEnded, Voided
from games.ladders.rules import Rules
from games.ladders.terms import Terms
from games.matches import access
from games.matches.clocks import Clock, ms_of
from games.tournaments import evenings
from games.tournaments.services import GameTerms
from tests.at_once import at_once
from tests.clubs.clubs import DAY, START, agreed, club_of, met, order
from tests.clubs.event_forms import NIGHT
from tests.people import person
from tests.reading import text

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
PAIRS = Rules(sizes=(2,))
WRONG = "This ladder is closed."


def further(ladder, *names, name="Pairs", rules=PAIRS, now=START, season=True):
    """A further ladder of the same club, on which stewards have put these people."""
    ann = person("ann")
    made = opening.open_further(ladder.club, ann, name, ladder.game, rules, now, first="Tables")
    events.add(made, ann, [person(each) for each in names], now)
    if season:
        events.start_season(made, ann, now)
    made.refresh_from_db()
    ladder.refresh_from_db()
    return made


@pytest.fixture
def both():
    """Two ladders of a club with the same people, in other orders."""
    first = club_of("ann", "bob", "dan", "eve")
    return first, further(first, "eve", "dan", "bob", "ann")


def told_to(name):
    return [notice.values["club"] for notice in Notice.objects.filter(user=person(name)).order_by("pk")]


# They keep apart


def test_a_result_moves_the_ladder_that_it_was_played_for_and_no_other(both):
    first, second = both
    before = [each.events for each in both]
    met(second, "ann", "bob", now=START + HOUR)
    assert order(first) == ["ann", "bob", "dan", "eve"] and order(second) == ["eve", "dan", "ann", "bob"]
    assert (first.events, second.events) == (before[0], before[1] + 1)
    ratings = [each.now_standing().players[person("ann").pk].rating for each in both]
    assert ratings[0] == 1500 < ratings[1]
    for each in both:
        audit.check(each)


def test_limits_rests_and_seasons_of_one_are_nothing_to_the_other(both):
    first, second = both
    met(first, "bob", "ann", now=START + HOUR)
    assert challenges.challenge(second, person("ann"), [person("bob")], Terms(Clock.daily(1)), START + 2 * HOUR)
    events.pause(second, person("ann"), START + 9 * DAY, START + 3 * HOUR)
    assert challenges.challenge(first, person("dan"), [person("ann")], Terms(Clock.daily(1)), START + 4 * HOUR)


def test_a_challenge_is_at_the_address_of_its_own_ladder_only(at, both):
    _first, second = both
    made = agreed(second, "ann", "bob", now=START + HOUR)
    page, elsewhere = made.get_absolute_url(), f"/c/st-gall/ladders/1/challenges/{made.pk}"
    assert page == f"/c/st-gall/ladders/2/challenges/{made.pk}"
    client = at("bob")
    assert [client.get(each).status_code for each in (page, elsewhere)] == [200, 404]
    assert client.post(f"{elsewhere}/decline").status_code == 404
    assert (
        client.get("/c/st-gall/ladders/3").status_code == client.get(f"/c/st-gall/ladders/{2**70}").status_code == 404
    )
    came_from = access.context(access.find(made.match.key), person("bob"))
    assert (came_from.ladder, came_from.challenge) == ("/c/st-gall/ladders/2", page)


def test_notices_waits_and_calendars_say_which_ladder_they_mean(both):
    first, second = both
    Notice.objects.all().delete()
    for ladder, name in ((first, "bob"), (second, "dan")):
        challenges.challenge(ladder, person("eve" if name == "bob" else "ann"), [person(name)], Terms(), START + HOUR)
    assert told_to("bob") == ["St Gall · Tables"] and told_to("dan") == ["St Gall · Pairs"]
    (wait,) = pending.actions(person("dan"), START + 2 * HOUR)
    assert "St Gall · Pairs" in wait.sentence and wait.shown_on == "/c/st-gall/ladders/2"
    summaries = [entry.summary for entry in calendar.entries(person("dan"), START + 2 * HOUR)]
    assert "Answer ann on the ladder of St Gall · Pairs" in summaries
    assert {"Season 1 of St Gall · Tables ends", "Season 1 of St Gall · Pairs ends"} <= {*summaries}


def test_of_a_ladder_without_a_name_notices_name_the_club_alone():
    ladder = club_of("ann", "bob", "dan", "eve")
    challenges.challenge(ladder, person("bob"), [person("ann")], Terms(), START + HOUR)
    assert told_to("ann")[-1] == "St Gall"


def test_the_calendar_leaves_out_the_seasons_of_ladders_on_which_one_is_not():
    first = club_of("ann", "bob", "dan")
    further(first, "ann", "bob")
    summaries = [entry.summary for entry in calendar.entries(person("dan"), START + HOUR)]
    assert [each for each in summaries if each.startswith("Season")] == ["Season 1 of St Gall · Tables ends"]


def test_feeds_tell_of_all_ladders_and_lead_to_the_right_one(both):
    first, second = both
    met(second, "ann", "bob", now=START + HOUR)
    result = met(first, "bob", "ann", now=START + 3 * HOUR)
    undone = first.log.get(data__challenge=result.pk)
    found = {item.page: item for item in news.of(first.club) if item.topic == "result"}
    number = second.log.get(kind=GameResult.kind).number
    assert found.keys() == {
        f"/c/st-gall/ladders/1/history?event={undone.number}",
        f"/c/st-gall/ladders/2/history?event={number}",
    }
    assert found[f"/c/st-gall/ladders/2/history?event={number}"].text == "Pairs\nann: from 4 to 3"
    # Numbers are those of one ladder: what is undone on one leaves the event of that number on the other.
    events.undo(first, person("ann"), undone.number, "They did not play it.", START + 5 * HOUR)
    assert [item.text for item in news.of(first.club) if item.topic == "result"] == ["Pairs\nann: from 4 to 3"]


def test_exports_and_the_bundle_are_of_one_ladder(at, both):
    met(both[1], "ann", "bob", now=START + HOUR)
    client = at("bob")
    tables = [client.get(f"/c/st-gall/ladders/{number}/results.json") for number in (1, 2)]
    assert [len(json.loads(each.content)["results"]) for each in tables] == [0, 1]
    assert 'filename="st-gall-2-results.json"' in tables[1]["Content-Disposition"]
    about = json.loads(client.get("/c/st-gall/ladders/2.json").content)
    assert (about["number"], about["name"], about["club"]) == (2, "Pairs", "St Gall")
    season = seasons.season(both[1], 1)
    packed = b"".join(contents.zipped(both[1], season, person("bob")))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        season = json.loads(archive.read("st-gall-2-season-1/season.json"))
    assert (season["ladder"], season["name"], season["origin"]) == (2, "Pairs", bytes(both[1].origin).hex())


def test_the_log_of_decisions_leads_to_the_events_of_each_ladder(at, both):
    first, _second = both
    for ladder in both:
        events.correct(ladder, person("ann"), person("bob").pk, 1, "So agreed.", START + HOUR)
    rows = list(first.club.decisions.filter(kind="ladder").order_by("-pk")[:2])
    told = decisions.narrate(first.club, rows)
    assert [(each.ladder, each.address.partition("?")[0]) for each in told] == [
        ("Pairs", "/c/st-gall/ladders/2/history"),
        ("Tables", "/c/st-gall/ladders/1/history"),
    ]
    log = text(at("dan").get("/c/st-gall/log"))
    assert "ann opened a further ladder, “Pairs”." in log and "ann gave ladder 1 the name “Tables”." in log


def test_whoever_leaves_the_club_leaves_all_its_ladders_and_joins_those_that_say_so(both):
    first, second = both
    events.set_rules(second, person("ann"), Rules(members_join=True), START + HOUR)
    clubs.leave(first.club, person("bob"), START + 2 * HOUR)
    assert order(first) == ["ann", "dan", "eve"] and order(second) == ["eve", "dan", "ann"]
    clubs.join(first.club, person("bob"), START + 3 * HOUR)
    assert "bob" not in order(first) and order(second)[-1] == "bob"


def test_only_stewards_put_members_on_a_ladder_for_some(at):
    first = club_of("ann", "bob", "dan")
    second = further(first, "ann", "bob", rules=Rules(stewards_add=True))
    with pytest.raises(Refused, match="Only stewards put members on this ladder"):
        events.join(second, person("dan"), START + HOUR)
    page = text(at("dan").get("/c/st-gall/ladders/2"))
    assert "Only stewards put members on this ladder." in page and "Join the ladder" not in page
    assert events.add(second, person("ann"), [person("dan")], START + HOUR) == 1


def test_stewards_put_members_on_it_by_a_pasted_list(at):
    first = club_of("ann", "bob", "dan", "eve")
    second = further(first, "ann", season=False)
    wrong = at("ann").post("/c/st-gall/ladders/2/desk/add", {"names": "dan\nivo, Ann"})
    assert wrong.status_code == 422 and "dan ivo, Ann" in text(wrong)
    assert "ivo isn’t a member of the club, or is already on the ladder." in text(wrong)
    assert "dan isn’t" not in text(wrong) and order(second) == ["ann"]
    sent = {"names": "1. eve\n2. dan  0700 123\neve", "players": [person("bob").pk]}
    assert at("ann").post("/c/st-gall/ladders/2/desk/add", sent).status_code == 302
    assert order(second) == ["ann", "eve", "dan", "bob"]


def test_nobody_agrees_to_begin_two_games_at_about_the_same_time(both):
    first, second = both
    at = START + 2 * DAY
    agreed(first, "bob", "ann", terms=Terms(times=(ms_of(at),)))
    near, far = ms_of(at + timedelta(minutes=29)), ms_of(at - timedelta(minutes=30))
    other = challenges.challenge(second, person("bob"), [person("dan")], Terms(times=(near,)), START + HOUR)
    challenges.accept(other, person("dan"), START + HOUR)  # whoever is free then agrees
    mine = challenges.challenge(second, person("ann"), [person("bob")], Terms(times=(near, far)), START + HOUR)
    with pytest.raises(Refused, match="You’ve agreed to another game at"):
        challenges.accept(mine, person("bob"), START + HOUR, near)
    mine.refresh_from_db()
    assert mine.status == "open"
    assert challenges.accept(mine, person("bob"), START + HOUR, far).status == "agreed"


def test_whoever_agreed_to_a_time_has_agreed_before_the_others_do(both):
    first, second = both
    times = Terms(times=(ms_of(START + 2 * DAY),))
    three = challenges.challenge(first, person("dan"), [person("bob"), person("eve")], times, START + HOUR)
    challenges.accept(three, person("bob"), START + HOUR)
    mine = challenges.challenge(second, person("bob"), [person("dan")], times, START + HOUR)
    with pytest.raises(Refused, match="You’ve agreed to another game at"):
        challenges.accept(mine, person("dan"), START + HOUR)
    assert challenges.accept(three, person("eve"), START + HOUR).status == "agreed"


def test_an_evening_seats_by_the_rungs_of_the_ladder_that_was_chosen(at, both):
    first, _second = both
    evening = evenings.open_evening(first.club, person("ann"), "Night", GameTerms(seats=2), START, ladder=2)
    people = [person(name).pk for name in ("ann", "bob", "dan", "eve")]
    assert evenings.by_rung(evening, people) == people[::-1]
    client = at("ann")
    sent, new = NIGHT | {"name_": "Lammas", "ladder": "1"}, "/c/st-gall/calendar/new"
    assert client.post(new, sent | {"ladder": "2"}).status_code == 302
    assert first.club.tournaments.get(name="Lammas").settings["ladder"] == 2
    assert client.post(new, sent | {"ladder": "3"}).status_code == 422
    assert client.post(new, sent | {"name_": "\u202eFair"}).status_code == 302
    assert first.club.tournaments.filter(name="Fair").exists()
    assert client.post(new, sent | {"name_": "\u202e"}).status_code == 422
    assert "Pairs" in text(client.get(f"{new}?kind=night"))


# Opening and naming


def test_a_steward_opens_a_further_one_which_begins_with_the_rules_of_the_first(at):
    ladder = club_of("ann", "bob", rules=Rules(reach=7, members_join=True))
    page = text(at("ann").get("/c/st-gall/ladders/new"))
    assert "Name of the present ladder" in page
    sent = {"name_": " Two  players ", "first": "Tables", "sizes": ["2"], "who": "stewards", "game": "exlibris"}
    answer = at("ann").post("/c/st-gall/ladders/new", sent)
    assert answer["Location"] == "/c/st-gall/ladders/2/desk"
    made = ladder.club.ladders.get(number=2)
    rules = Rules(reach=7, sizes=(2,), stewards_add=True)
    assert (made.name, made.game, made.now_standing().rules) == ("Two players", "exlibris", rules)
    assert [event.kind for event in made.log.all()] == [RulesSet.kind]
    ladder.refresh_from_db()
    assert ladder.name == "Tables" and ladder.now_standing().rules.sizes == (2, 3, 4)
    assert "Name of the present ladder" not in text(at("ann").get("/c/st-gall/ladders/new"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name_": "x"}, "The name of a ladder has 2 to 40 characters."),
        ({"name_": "tables"}, "There is already a ladder of this name in the club: tables."),
        ({"first": ""}, "This field is required."),
        ({"sizes": []}, "This field is required."),
        ({"sizes": ["9"]}, "9 is not one of the available choices"),
        ({"name_": "y" * 41}, "at most 40 characters"),
        ({"name_": "sri\u202ePa"}, "Please leave out"),
        ({"name_": "\u200b\u200b"}, "Please leave out"),
        ({"name_": "--"}, "The name needs letters or digits."),
    ],
)
def test_what_cannot_be_opened_is_said_and_nothing_is_lost(at, change, says):
    ladder = club_of("ann", "bob")
    sent = {"name_": "Pairs", "first": "Tables", "sizes": ["2"], "who": "anybody", "game": "biblios"} | change
    answer = at("ann").post("/c/st-gall/ladders/new", sent)
    assert answer.status_code == 422 and says in text(answer)
    assert Ladder.objects.get() == ladder and Ladder.objects.get().name == ""


def test_a_club_has_at_most_eight_open_ladders(monkeypatch):
    monkeypatch.setattr(opening, "MOST_OPEN", 2)
    first = club_of("ann", "bob")
    second = further(first, season=False)
    with pytest.raises(Refused, match="A club has at most 2 ladders"):
        further(first, name="Third", season=False)
    opening.close(second, person("ann"), START + HOUR)
    assert further(first, name="Third", season=False).number == 3
    monkeypatch.setattr(opening, "MOST", 3)
    opening.close(Ladder.objects.get(number=3), person("ann"), START + HOUR)
    with pytest.raises(Refused, match="A club can open at most 3 ladders in all"):
        further(first, name="Fourth", season=False)


def test_whoever_has_the_right_to_the_ladder_may_open_name_and_close_and_nobody_else(at, both):
    first, second = both
    bob, dan = person("bob"), person("dan")
    clubs.entitle(first.club, person("ann"), bob, [], [Right.LADDER], START + HOUR)
    clubs.entitle(first.club, person("ann"), dan, [], [Right.EVENTS, Right.PEOPLE], START + HOUR)
    wrong = "Only a steward of the club"
    for do in (
        lambda by: opening.open_further(first.club, by, "Third", first.game, PAIRS, START + HOUR),
        lambda by: opening.rename(first, by, "Rapid", START + HOUR),
        lambda by: opening.close(second, by, START + HOUR),
    ):
        with pytest.raises(Refused, match=wrong):
            do(dan)
        do(bob)
    assert first.club.ladders.filter(closed_at=None).values_list("name", flat=True).order_by("number")[0] == "Rapid"
    assert "Open another ladder" in text(at("bob").get("/c/st-gall/ladders"))
    assert "Open another ladder" not in text(at("dan").get("/c/st-gall/ladders"))


def test_a_name_is_changed_at_the_desk(at, both):
    assert at("ann").post("/c/st-gall/ladders/2/desk/name", {"name_": "Tables"}).status_code == 422
    assert at("ann").post("/c/st-gall/ladders/2/desk/name", {"name_": "Duels"}).status_code == 302
    assert "St Gall: Duels" in text(at("bob").get("/c/st-gall/ladders/2"))


# Closing


def test_a_closed_one_reads_on_and_refuses_everything_with_a_sentence(at, both):
    first, second = both
    met(second, "ann", "bob", now=START + HOUR)
    playing, asked = agreed(second, "dan", "eve", now=START + HOUR), person("bob")
    ann, later = person("ann"), START + 2 * HOUR
    opening.close(second, ann, later)
    playing.refresh_from_db()
    assert playing.status == "void" and order(second) == ["eve", "dan", "ann", "bob"]
    assert [event.kind for event in second.log.order_by("number")][-3:] == [SeasonEnded.kind, Voided.kind, Closed.kind]
    audit.check(second)
    for do in (
        lambda: challenges.challenge(second, asked, [ann], Terms(), later),
        lambda: events.join(second, person("ivo"), later),
        lambda: events.add(second, ann, [person("ivo")], later),
        lambda: events.start_season(second, ann, later),
        lambda: events.set_rules(second, ann, Rules(), later),
        lambda: events.correct(second, ann, asked.pk, 1, "So agreed.", later),
        lambda: events.order(second, ann, [asked.pk], later),
        lambda: events.undo(second, ann, second.log.get(kind=GameResult.kind).number, "No.", later),
        lambda: events.vacation(second, asked, later, later + DAY, later),
        lambda: at_table.enter(second, asked, [Finished(asked, 1), Finished(ann, 2)], later.date(), later),
        lambda: opening.close(second, ann, later),
    ):
        with pytest.raises(Refused, match=WRONG):
            do()
    pages = ("", "/history", "/seasons", "/seasons/1", "/player/bob", "/rules", "/cross-table", "/results.json", ".csv")
    assert {at("bob").get(f"/c/st-gall/ladders/2{page}").status_code for page in pages} == {200}
    entering = text(at("bob").get("/c/st-gall/ladders/2/table"))
    assert "This ladder is closed." in entering and "Enter the result" not in entering
    page = text(at("bob").get("/c/st-gall/ladders/2"))
    assert "This ladder was closed on" in page and "Rungs This ladder is closed." in page
    assert "ann closed the ladder for good." in text(at("bob").get("/c/st-gall/ladders/2/history"))
    assert told_to("eve")[-1] == "St Gall · Pairs"
    club_page = text(at("bob").get("/c/st-gall"))
    assert "Pairs" not in club_page
    assert "Pairs" in text(at("bob").get("/c/st-gall/ladders")).partition("Closed")[2]
    desk = text(at("ann").get("/c/st-gall/ladders/2/desk"))
    assert "This ladder is closed for good: only its name can change." in desk and "Begin" not in desk
    clubs.leave(first.club, asked, later + HOUR)
    assert "bob" not in order(second)
    audit.check(second)


def test_the_only_open_one_is_not_closed(at):
    ladder = club_of("ann", "bob")
    answer = at("ann").post("/c/st-gall/ladders/1/desk/close")
    assert answer.status_code == 422 and "This is the only open ladder of the club." in text(answer)
    assert "Close the ladder for good" not in text(at("ann").get("/c/st-gall/ladders/1/desk"))
    ladder.refresh_from_db()
    assert ladder.closed_at is None


def test_verifying_finds_a_ladder_that_was_closed_without_an_event(both):
    Ladder.objects.filter(pk=both[1].pk).update(closed_at=START)
    with pytest.raises(audit.WrongLadder, match="it says it was closed"):
        audit.check(both[1])


@pytest.mark.django_db(transaction=True)
def test_of_two_stewards_at_once_one_opens_and_one_closes():
    first = club_of("ann", "bob")
    clubs.appoint(first.club, person("ann"), person("bob"), START)
    second = further(first, season=False)
    stewards = person("ann"), person("bob")
    came = at_once(
        *[lambda by=by: opening.open_further(first.club, by, "Third", first.game, PAIRS, START) for by in stewards]
    )
    assert came.count(None) == 1 and list(first.club.ladders.values_list("number", flat=True)) == [1, 2, 3]
    opening.close(Ladder.objects.get(number=3), person("ann"), START)
    closed = at_once(
        lambda: opening.close(first, stewards[0], START),
        lambda: opening.close(second, stewards[1], START),
    )
    assert closed.count(None) == 1 and Ladder.objects.filter(closed_at=None).count() == 1


# Pages


def test_with_a_single_ladder_the_club_s_pages_say_the_ladder(at):
    club_of("ann", "bob")
    page = text(at("bob").get("/c/st-gall"))
    assert "you: rung 2 of 2" in page and "Ladders" not in page
    assert "rung 2 of 2 St Gall" in text(at("bob").get("/clubs"))
    assert "Ladders" not in text(at("bob").get("/c/st-gall/ladders/1"))


def test_with_several_the_club_s_pages_list_them_with_leader_and_own_rung(at, both):
    met(both[1], "ann", "bob", now=START + HOUR)
    page = text(at("bob").get("/c/st-gall"))
    assert "You’ll leave its ladders too." in page and "you: rung" not in page
    assert "Tables Biblios · ann leads rung 2 of 4" in page and "Pairs Biblios · eve leads rung 4 of 4" in page
    assert "Tables: rung 2 of 4 St Gall" in text(at("bob").get("/clubs"))
    assert "The number before a name is the rung on the ladder Tables" in text(at("bob").get("/c/st-gall/members"))


@pytest.mark.once
def test_the_page_of_a_club_costs_the_same_with_one_ladder_and_with_five(at):
    def cost():
        client = at("bob")
        client.get("/c/st-gall")
        with CaptureQueriesContext(connection) as context:
            assert client.get("/c/st-gall").status_code == 200
        return len(context)

    first = club_of("ann", "bob", "dan", "eve")
    met(first, "bob", "ann", now=START + HOUR)
    agreed(first, "eve", "dan", now=START + HOUR)
    one = cost()
    for number in range(4):
        other = further(first, "ann", "bob", "dan", "eve", name=f"Ladder {number}")
        met(other, "bob", "ann", now=START + HOUR)
        agreed(other, "eve", "dan", now=START + HOUR)
    assert cost() <= one + 5  # the last results of each, and the names of those who lead


# Moving house


def test_all_ladders_move_and_a_closed_one_is_history(both):
    first, _second = both
    third = further(first, "ann", name="Old", season=False)
    opening.close(third, person("ann"), START + HOUR)
    told = json.loads(json.dumps(document.of_club(first.club)))
    told["club"]["name"] = "Reichenau"
    newcomer = intake.read(json.dumps(told).encode())
    names = {name: f"{name}2" for name in ("ann", "bob", "dan", "eve")}
    for name in names.values():
        person(name)
    club = intake.take_in(newcomer, names, [], "gallen", START + DAY)
    assert [(each.number, each.name, order(each)) for each in club.ladders.order_by("number")] == [
        (1, "Tables", ["ann2", "bob2", "dan2", "eve2"]),
        (2, "Pairs", ["eve2", "dan2", "bob2", "ann2"]),
    ]
    said = intake.told(newcomer, names, [], club, START + DAY)
    assert {"Season 1 of Pairs ends with the move.", "Old is closed, and only in the history."} <= {*said}
    told["ladders"][1]["name"] = "TABLES"
    with pytest.raises(Refused, match="have the same name"):
        intake.read(json.dumps(told).encode())
    for name in ("\u202ePairs", "P", " Pairs"):
        told["ladders"][1]["name"] = name
        with pytest.raises(Refused):
            intake.read(json.dumps(told).encode())
