"""Teams: made by a steward, chosen by their players, and every two meet once, board against board."""

from datetime import timedelta

import pytest

from accounts.clubs import clubs
from accounts.models import User
from accounts.web.refused import Refused
from games.engine.registry import title
from games.matches.clocks import Clock
from games.tournaments import audit, contests, due, events, services, teams
from games.tournaments.contests import Plan
from games.tournaments.formats.teams import encounters, team_rows
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import end, end_all

pytestmark = pytest.mark.django_db
LATER = START + timedelta(hours=1)
SIX = "ann", "bob", "dan", "eve", "fay", "gus"


def match_of(*rosters, terms=None, boards=2, **chosen):
    """Teams of these members, by their names; ann is the steward."""
    names = [name for roster in rosters for name in roster]
    club = club_of(*sorted(names), season=False).club
    terms = terms or GameTerms(seats=2)
    found = contests.create(
        club,
        person("ann"),
        Tournament.Kind.TEAMS,
        "League",
        terms,
        Plan(boards=boards, **chosen),
        START,
        game=title(),
    )
    for number, roster in enumerate(rosters):
        teams.make(found, person("ann"), f"Team {number + 1}", START)
        for name in roster:
            services.enter(found, person(name), START)
            teams.choose(found, person(name), number, START)
    return found


def begun(*rosters, **chosen):
    found = match_of(*rosters, **chosen)
    contests.begin(found, person("ann"), START)
    due.work(START)
    return found


def boards(found, number=-1):
    """The names at the boards of a round, team by team, with the points."""
    name = {user.pk: user.username for user in User.objects.all()} | {None: ""}
    return [
        (each.teams, [tuple(name[player] for player in board.players) for board in each.boards], each.points)
        for each in encounters(events.standing(found))[number]
    ]


def test_board_plays_board_and_matches_come_before_boards():
    found = begun(("ann", "bob"), ("dan", "eve"), ("fay", "gus"))
    rows = []
    for number in range(3):
        [(pair, drawn, _points)] = boards(found)
        rosters = [("ann", "bob"), ("dan", "eve"), ("fay", "gus")]
        assert drawn == list(zip(rosters[pair[0]], rosters[pair[1]], strict=True))
        for index, table in enumerate(events.standing(found).rounds[number].tables):
            best = min(table.players)  # who came first
            end(found, index, *(1 if player == best else 2 for player in table.players))
        if number < 2:
            contests.next_round(found, person("ann"), LATER)
    due.work(LATER)
    found.refresh_from_db()
    assert found.closed_at is not None
    rows = [(row.place, row.team, row.match_points, row.board_points) for row in team_rows(events.standing(found))]
    assert rows == [(1, 0, 4, 4), (2, 1, 2, 2), (3, 2, 0, 0)]
    assert audit.check(found) == events.standing(found)


def test_a_level_match_is_shared():
    found = begun(("ann", "bob"), ("dan", "eve"))
    for index in (0, 1):
        end(found, index, 1, 2)  # who begins wins, and that alternates
    assert boards(found)[0][2] == (1, 1)
    assert [(row.place, row.match_points) for row in team_rows(events.standing(found))] == [(1, 1), (1, 1)]


def test_a_missing_player_loses_their_board_unless_there_is_a_reserve():
    found = match_of(("ann", "bob", "gus"), ("dan", "eve"))
    services.leave(found, person("eve"), START)
    contests.begin(found, person("ann"), START)
    services.enter(found, person("eve"), START)
    teams.choose(found, person("eve"), 1, START)  # late, for another round
    assert boards(found) == [((0, 1), [("ann", "dan"), ("bob", "")], (1, 0))]
    end_all(found)
    assert [row.match_points for row in team_rows(events.standing(found))] == [2, 0]


def test_a_reserve_plays_the_board_of_who_has_left():
    found = begun(("ann", "bob", "gus"), ("dan", "eve"), ("fay", "hal"))
    end_all(found)
    services.leave(found, person("ann"), LATER)
    services.leave(found, person("dan"), LATER)
    seen = []
    for _round in range(2):
        contests.next_round(found, person("ann"), LATER)
        seen += boards(found)
        end_all(found)
    by_pair = {frozenset(pair): {frozenset(two) for two in drawn} for pair, drawn, _points in seen}
    assert by_pair[frozenset({0, 1})] == {frozenset({"gus", ""}), frozenset({"bob", "eve"})}
    assert by_pair[frozenset({0, 2})] == {frozenset({"gus", "fay"}), frozenset({"bob", "hal"})}
    assert audit.check(Tournament.objects.get(pk=found.pk)) == events.standing(found)


def test_by_correspondence_all_rounds_begin_at_once():
    found = begun(("ann", "bob"), ("dan", "eve"), ("fay", "gus"), terms=GameTerms(2, Clock.daily(1)), days=7)
    assert [len(each.tables) for each in events.standing(found).rounds] == [2, 2, 2]
    due.work(START + timedelta(days=7))
    found.refresh_from_db()
    assert found.closed_at is not None
    assert audit.check(found) == events.standing(found)


def test_everyone_chooses_their_own_team_and_keeps_it_once_it_has_begun():
    found = match_of(("ann", "bob"), ("dan", "eve"))
    teams.choose(found, person("bob"), 1, START)
    assert [len(team.players) for team in events.standing(found).teams] == [1, 3]
    teams.choose(found, person("bob"), 0, START)
    with pytest.raises(Refused, match="Enter first"):
        teams.choose(found, person("joe"), 0, START)
    with pytest.raises(Refused, match="no such team"):
        teams.choose(found, person("bob"), 7, START)
    contests.begin(found, person("ann"), START)
    with pytest.raises(Refused, match="keep your team"):
        teams.choose(found, person("bob"), 1, START)
    with pytest.raises(Refused, match="stay as they are"):
        teams.make(found, person("ann"), "Late", START)
    found.refresh_from_db()
    row = found.log.filter(kind="join-team").first()
    assert row.by_id == row.data["player"]


def test_captains_and_stewards_order_boards():
    found = match_of(("ann", "bob"), ("dan", "eve"))
    eve = person("eve")
    with pytest.raises(Refused):
        teams.move_up(found, eve, eve.pk, START)
    teams.move_up(found, person("dan"), eve.pk, START)
    assert events.standing(found).teams[1].players == (eve.pk, person("dan").pk)
    assert events.standing(found).teams[1].captain == person("dan").pk
    teams.move_up(found, person("ann"), person("dan").pk, START)
    services.leave(found, person("dan"), START)
    assert events.standing(found).teams[1].captain == eve.pk
    services.enter(found, person("dan"), START)
    teams.choose(found, person("dan"), 1, START)
    assert events.standing(found).teams[1].players == (eve.pk, person("dan").pk)


def test_teams_are_made_and_removed_by_stewards():
    found = match_of(("ann", "bob"), ("dan", "eve"))
    with pytest.raises(Refused, match="of this name"):
        teams.make(found, person("ann"), "TEAM 1", START)
    with pytest.raises(Refused):
        teams.make(found, person("bob"), "Another", START)
    with pytest.raises(Refused, match="enter a name"):
        teams.make(found, person("ann"), " \n", START)
    teams.remove(found, person("ann"), 1, START)
    with pytest.raises(Refused, match="no such team"):
        teams.choose(found, person("bob"), 1, START)
    with pytest.raises(Refused, match="At least two teams"):
        contests.begin(found, person("ann"), START)
    teams.make(found, person("ann"), "Team 2", START)
    teams.choose(found, person("dan"), 2, START)
    contests.begin(found, person("ann"), START)
    assert boards(found)[0][0] == (0, 2)


def test_the_page_is_for_choosing_and_ordering_and_then_shows_boards(at):
    found = match_of(("ann", "bob"), ("dan",))
    page = found.get_absolute_url()
    clubs.join(found.club, person("eve"), START)
    at("eve").post(f"{page}/enter")
    assert "Without a team yet: eve" in text(at("eve").get(page))
    at("eve").post(f"{page}/teams/choose", {"team": "1"})
    assert "Without a team yet" not in text(at("eve").get(page))
    at("dan").post(f"{page}/teams/up", {"player": str(person("eve").pk)})
    assert events.standing(found).teams[1].players == (person("eve").pk, person("dan").pk)
    at("dan").post(f"{page}/teams/make", {"name": "Mutiny"})
    at("ann").post(f"{page}/teams/make", {"name": "Third"})
    assert [team.name for team in events.standing(found).teams] == ["Team 1", "Team 2", "Third"]
    at("ann").post(f"{page}/teams/remove", {"team": "2"})
    at("ann").post(f"{page}/begin")
    shown = text(at("").get(page))
    assert "Team 1 0 : 0 Team 2" in shown and "Third" not in shown
    assert text(at("").get(f"{page}/wall")).count("Team 1") == 1


def test_the_page_on_the_wall_and_the_winner_name_the_team(at):
    found = begun(("ann", "bob"), ("dan", "eve"))
    end(found, 0, 1, 2)
    end(found, 1, 2, 1)
    due.work(LATER)
    assert "Team 1 has won" in text(at("").get(found.get_absolute_url()))


def test_teams_and_boards_are_changed_a_bounded_number_of_times(monkeypatch):
    found = match_of(("ann", "bob"), ("dan", "eve"))
    monkeypatch.setattr(teams, "MOST_CHOICES", 2)
    monkeypatch.setattr(teams, "MOST_MOVES", 1)
    teams.move_up(found, person("ann"), person("bob").pk, START)
    with pytest.raises(Refused, match="order of boards too often"):
        teams.move_up(found, person("ann"), person("ann").pk, START)
    teams.choose(found, person("bob"), 1, START)
    with pytest.raises(Refused, match="chosen a team too often"):
        teams.choose(found, person("bob"), 0, START)
