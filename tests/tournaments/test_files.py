"""What leaves a tournament: the report in the format of FIDE, and the page for the printer."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.engine.registry import title
from games.tournaments import contests, events, services, typed
from games.tournaments.contests import Plan
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.reading import text

pytestmark = pytest.mark.django_db
LATER = START + timedelta(hours=1)


@pytest.fixture
def cup():
    """A Swiss tournament of five with real cards, which has begun."""
    names = "ann", "bob", "dan", "eve", "fay"
    club = club_of(*names, season=False).club
    chosen = Plan(rounds=3, halves=1)
    found = contests.create(
        club, person("ann"), Tournament.Kind.SWISS, "Candlemas Cup", GameTerms(seats=2), chosen, START, game=title()
    )
    found.at_table = True
    found.save(update_fields=["at_table"])
    for name in names:
        services.enter(found, person(name), START)
    contests.begin(found, person("ann"), START)
    return found


def name_of(player):
    return User.objects.get(pk=player).username


def test_the_report_for_fide_has_each_thing_in_its_columns(cup, at):
    first, second = events.standing(cup).rounds[0].tables
    [bye] = events.standing(cup).rounds[0].byes
    for index, (table, places) in enumerate([(first, (1, 2)), (second, (1, 1))]):
        player = max({*table.players} - {person("ann").pk})  # a steward does not count what they have entered
        typed.enter(cup, User.objects.get(pk=player), 0, index, places, (), "", LATER)
    contests.ask_bye(cup, User.objects.get(pk=bye), True, LATER)
    services.leave(cup, User.objects.get(pk=first.players[1]), LATER)
    contests.next_round(cup, person("ann"), LATER)
    reply = at("bob").get(f"{cup.get_absolute_url()}/results.trf")
    assert reply["Content-Type"] == "text/plain; charset=utf-8"
    lines = reply.content.decode().split("\r\n")
    told = {line[:3]: line[4:] for line in lines}
    assert (told["012"], told["062"], told["092"]) == ("Candlemas Cup", "5", "Individual: Swiss-System")
    assert told["042"] == f"{START:%Y/%m/%d}" and "052" not in told
    dates = next(line for line in lines if line.startswith("132"))
    assert (dates[91:99], dates[101:109]) == (f"{START:%y/%m/%d}", f"{LATER:%y/%m/%d}")
    rows = {line[14:47].rstrip(): line for line in lines if line.startswith("001")}
    ranks = {name: int(row[4:8]) for name, row in rows.items()}
    assert sorted(ranks.values()) == [1, 2, 3, 4, 5]
    for row in rows.values():
        assert row[8:14].isspace() and row[47:80].isspace()  # what FIDE alone knows
        assert 1 <= int(row[85:89]) <= 5

    def cells(player):
        row = rows[name_of(player)]
        return [(row[at : at + 4], row[at + 5], row[at + 7 : at + 8]) for at in (91, 101)]

    def points(player):
        return float(rows[name_of(player)][80:84])

    def rank(player):
        return f"{ranks[name_of(player)]:04}"

    one, two = first.players
    assert cells(one)[0] == (rank(two), "-", "1")
    assert cells(two) == [(rank(one), "-", "0"), ("0000", "-", "Z")]
    assert cells(second.players[0])[0] == (rank(second.players[1]), "-", "=")
    assert cells(bye) == [("0000", "-", "U"), ("0000", "-", "H")]
    assert (points(one) >= 1, points(two), points(bye)) == (True, 0, 1.5)
    # The round that is being played has rivals without results; each is the other's.
    [open_table] = (table for table in events.standing(cup).rounds[1].tables)
    assert cells(open_table.players[0])[1] == (rank(open_table.players[1]), "-", "")


def test_only_games_of_two_in_one_table_have_such_a_report(cup, at):
    page = cup.get_absolute_url()
    assert "results.trf" in at("bob").get(page).content.decode()
    cup.seats = 3
    cup.save(update_fields=["seats"])
    assert at("bob").get(f"{page}/results.trf").status_code == 404
    assert "results.trf" not in at("bob").get(page).content.decode()


def test_the_page_for_the_printer_has_pairings_lines_and_the_standing(cup, at):
    page = cup.get_absolute_url()
    assert f"{page}/print" in at("bob").get(page).content.decode()
    person("gus")
    assert f"{page}/print" not in at("gus").get(page).content.decode()
    reply = at("bob").get(f"{page}/print")
    [bye] = events.standing(cup).rounds[0].byes
    assert "Round 1" in text(reply) and f"A bye: {name_of(bye)}" in text(reply)
    assert reply.content.decode().count('<td class="blank"></td>') == 8
    first = events.standing(cup).rounds[0].tables[0].players
    typed.enter(cup, User.objects.get(pk=first[0]), 0, 0, (1, 2), (7, 4), "", LATER)
    typed.enter(cup, User.objects.get(pk=first[1]), 0, 0, (1, 2), (7, 4), "", LATER)
    done = at("bob").get(f"{page}/print").content.decode()
    assert done.count('<td class="blank"></td>') == 4 and '<td class="blank">7</td>' in done
