"""The pages of tournaments with a plan, as people use them."""

import pytest

from games.tournaments import contests, due, events, plan, services, words
from games.tournaments.models import Tournament
from games.tournaments.shown import shown as page_of
from games.tournaments.tiebreaks import TieBreak
from tests.clubs.clubs import START, club_of
from tests.clubs.event_forms import SWISS
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import end, end_all
from tests.tournaments.test_contests import DAILY, EIGHT, Kind, begun, go_on, open_with

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def seen(at):
    """seen(tournament, name): its page as somebody sees it."""
    return lambda tournament, name="ann": text(at(name).get(tournament.get_absolute_url()))


def test_a_steward_opens_a_tournament_and_members_enter_it(at, seen):
    club = club_of("ann", "bob", "dan", season=False).club
    reply = at("ann").post(f"/c/{club.slug}/calendar/new", SWISS)
    cup = Tournament.objects.get(club=club)
    assert reply.url == cup.get_absolute_url() and person("bob").notices.filter(kind="tournament").exists()
    assert "Enter" in seen(cup, "bob")
    assert "At least 2 players must have entered." in seen(cup)  # nobody can press the button yet
    at("bob").post(f"{cup.get_absolute_url()}/enter")
    at("ann").post(f"{cup.get_absolute_url()}/enter")
    assert "Withdraw" in seen(cup, "bob") and "Begin with 2 players" in seen(cup)
    assert "must have entered" not in seen(cup)
    assert at("bob").post(f"{cup.get_absolute_url()}/begin").status_code == 404
    at("ann").post(f"{cup.get_absolute_url()}/begin")
    assert "To the table" in seen(cup, "bob")
    end_all(cup)
    at("ann").post(f"{cup.get_absolute_url()}/next", {"rounds": "1"})
    assert len(events.standing(cup).rounds) == 2
    at("ann").post(f"{cup.get_absolute_url()}/next", {"rounds": "1"})  # pressed twice
    assert len(events.standing(cup).rounds) == 2


def test_the_cross_table_and_the_tie_breaks_are_on_the_page(seen):
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", "dan", "eve")
    end_all(cup)
    text = seen(cup)
    for each in plan.FORMATS[Kind.ROUND_ROBIN].breaks:
        assert str(words.TIES[each][1]) in text
    shown = page_of(cup, person("ann"), START)
    [group] = shown.groups
    size = len(group.rows)
    assert [row.cross[index].text for index, row in enumerate(group.rows)] == ["×"] * size
    for row in group.rows:
        assert sum(int(cell.text) for cell in row.cross if cell.text.isdecimal()) == int(row.points)


def test_a_swiss_table_tells_round_by_round():
    cup = begun(Kind.SWISS, *EIGHT[:5])
    end_all(cup)
    go_on(cup)
    rows = page_of(cup, person("ann"), START).groups[0].rows
    assert sorted(row.cross[0].text for row in rows).count("+") == 1
    assert sum(row.cross[1].text.endswith("…") for row in rows) == 4
    for row in rows:
        if row.cross[0].text != "+":
            line, _, won = row.cross[0].text.partition(": ")
            assert rows[int(line) - 1].cross[0].text.endswith(": " + {"2": "0", "0": "2"}[won])
    assert TieBreak.BUCHHOLZ in plan.FORMATS[Kind.SWISS].breaks


@pytest.mark.parametrize("kind", [Kind.ROUND_ROBIN, Kind.SWISS, Kind.KNOCKOUT, Kind.BOXES])
def test_every_kind_has_its_page_at_every_stage(kind, at):
    cup = open_with(kind, *EIGHT[:5], terms=DAILY)
    address = cup.get_absolute_url()
    for stage in ("open", "begun", "left", "closed"):
        if stage == "begun":
            contests.begin(cup, person("ann"), START)
            due.work(START)
        if stage == "left":
            end(cup, 0, 1, 2, number=0)
            services.leave(cup, person("bob"), START)
        if stage == "closed":
            services.close(cup, person("ann"), START)
        for name in ("", "ann", "bob"):
            client = at(name)
            for page in (address, f"{address}/wall", f"/c/{cup.club.slug}/tournaments"):
                assert client.get(page).status_code == 200


def test_a_game_that_was_not_played_can_be_corrected(at):
    cup = begun(Kind.ROUND_ROBIN, "ann", "bob", "dan", "eve")
    services.leave(cup, person("eve"), START)
    end_all(cup)
    go_on(cup)
    rounds = events.standing(cup).rounds
    index = next(index for index, table in enumerate(rounds[1].tables) if table.late)
    client, address = at("ann"), f"{cup.get_absolute_url()}/correct/2/{index + 1}"
    assert "eve" in text(client.get(address))
    client.post(address, {"place_0": "1", "place_1": "1", "counts": "on", "reason": "They played at home."})
    assert events.standing(cup).rounds[1].tables[index].places == (1, 1)
    assert "They played at home." in text(client.get(cup.get_absolute_url()))


def test_the_rounds_of_a_tournament_are_not_seated_as_an_evening(at):
    cup = begun(Kind.SWISS, "ann", "bob")
    end_all(cup)
    at("ann").post(f"{cup.get_absolute_url()}/seat", {"how": "random", "size": "2", "rounds": "1"})
    assert len(events.standing(cup).rounds) == 1


def test_a_private_club_shows_its_tournaments_to_its_own_only(at):
    cup = begun(Kind.SWISS, "ann", "bob")
    cup.club.private = True
    cup.club.save()
    stranger = at("zoe")
    for page in ("", "/wall", "/begin", "/next"):
        assert stranger.get(f"{cup.get_absolute_url()}{page}").status_code in (404, 405)
        assert stranger.post(f"{cup.get_absolute_url()}{page}").status_code in (404, 405)
    assert "Spring" not in text(stranger.get("/clubs"))


def test_who_came_late_and_had_a_bye_stands_in_the_table():
    cup = begun(Kind.SWISS, *EIGHT[:4])
    end_all(cup)
    services.enter(cup, person("zoe"), START, cup.token)
    go_on(cup)
    [bye] = events.standing(cup).rounds[1].byes
    assert bye == person("zoe").pk
    assert ("zoe", "2") in [(row.person.name, row.points) for row in page_of(cup, person("ann"), START).groups[0].rows]


def test_nobody_has_won_while_a_game_is_being_played(seen):
    cup = begun(Kind.SWISS, *EIGHT[:4])
    end(cup, 0, 1, 2)
    services.close(cup, person("ann"), START)
    assert "has won" not in seen(cup)
    end(cup, 1, 1, 1)
    assert "has won" in seen(cup)


def test_whoever_withdrew_reads_that_they_keep_their_points(seen):
    cup = begun(Kind.SWISS, *EIGHT[:4])
    services.leave(cup, person("bob"), START)
    assert "keep your points" in seen(cup, "bob") and "without points" not in seen(cup, "bob")


def test_games_side_by_side_are_in_the_cross_table_and_others_in_cards(seen):
    robin = begun(Kind.ROUND_ROBIN, *EIGHT[:4], terms=DAILY)
    page = seen(robin)
    assert "days for all games" in page and "playing:" not in page
    assert not page_of(robin, person("ann"), START).listed


def test_games_side_by_side_have_numbers_of_their_own_and_each_its_correction(at):
    cup = begun(Kind.ROUND_ROBIN, *EIGHT[:4], terms=DAILY)
    end(cup, 1, 1, 2, number=2)
    shown = page_of(cup, person("ann"), START)
    assert sorted(table.number for table in shown.tables) == [1, 2, 3, 4, 5, 6]
    assert f'{cup.get_absolute_url()}/correct/3/2"' in at("ann").get(cup.get_absolute_url()).content.decode()


def test_whom_a_steward_has_taken_out_only_a_steward_lets_in_again(at, seen):
    cup = open_with(Kind.SWISS, *EIGHT[:4])
    at("ann").post(f"{cup.get_absolute_url()}/untick", {"player": str(person("bob").pk)})
    assert "taken you out" in seen(cup, "bob")
    at("bob").post(f"{cup.get_absolute_url()}/enter")
    assert person("bob").pk not in events.standing(cup).here
    at("ann").post(f"{cup.get_absolute_url()}/tick", {"member": ["bob"]})
    assert person("bob").pk in events.standing(cup).here
    services.leave(cup, person("bob"), START)
    services.enter(cup, person("bob"), START)  # they had withdrawn themselves


def test_what_a_steward_decides_in_a_tournament_stands_in_the_log_of_the_club(at):
    cup = begun(Kind.SWISS, *EIGHT[:4])
    end_all(cup)
    services.correct(cup, person("ann"), 0, 0, [2, 1], "I had <won>.", START)
    services.untick(cup, person("ann"), person("bob"), START)
    services.close(cup, person("ann"), START)
    log = text(at("dan").get(f"/c/{cup.club.slug}/log"))
    for told in ("ann opened Cup.", "ann began Cup."):
        assert told in log
    for told in ("ann corrected a result of Cup.", "I had <won>.", "ann took bob out of Cup.", "ann ended Cup."):
        assert told in log


def test_the_bracket_of_a_knock_out_says_who_goes_on_and_who_has_a_bye(at):
    cup = begun(Kind.KNOCKOUT, *EIGHT[:3])
    address = cup.get_absolute_url()
    said = text(at("").get(address))
    assert "Semi-finals ann goes on bye" in said and "Final ann not decided" in said
    [game] = events.standing(cup).rounds[0].tables
    end(cup, 0, 1, 2)
    go_on(cup)
    reply = at("").get(address)
    rival = next(name for name in EIGHT[:3] if person(name).pk == game.players[0])
    assert f"Final ann {rival} Playing ann {rival}" in text(reply)
    assert f'href="/m/{game.match}"' in reply.content.decode()
