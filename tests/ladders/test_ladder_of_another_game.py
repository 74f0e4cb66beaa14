"""A ladder of Ex Libris: whole games by the services, and everything that tells of them."""

import gzip
import json
from datetime import timedelta

import pytest
from django.core.management import call_command

from accounts.models import ArchivedMatch
from games.clubs.moving import intake
from games.engine.registry import game_of
from games.ladders import at_table, challenges
from games.ladders.models import Challenge, Ladder
from games.ladders.payloads import AtTable, GameResult
from games.ladders.rules import Rules
from games.matches.models import Match
from tests.clubs.clubs import DAILY, DAY, START, club_of, order, until
from tests.ladders.test_at_table import confirmed
from tests.ladders.test_bundle import downloaded, laid, played, verified
from tests.people import person
from tests.reading import text
from tests.verifying import verify

pytestmark = [pytest.mark.django_db, pytest.mark.once]
GAME = game_of("exlibris", 1)
PAGES = (
    *("", "/rules", "/history", "/challenge?to=bob", "/player/bob", "/head-to-head?one=ann&other=bob", "/cross-table"),
    *("/seasons", "/seasons/1", "/seasons/1/print", "/table", ".csv", ".json", "/seasons/1.json", "/results.csv"),
    *("/desk", "/desk/rules", "/embed", "/print"),
)


@pytest.fixture
def ladder():
    """A ladder after its first season: games of two, three and four, and one at a real table; then another begins."""
    rules = Rules(season_weeks=1, rest_days=0, at_table=True, most_out=9, most_in=9)
    ladder = club_of("ann", "bob", "dan", "eve", rules=rules, game=GAME)
    for number in (2, 3, 4):
        played(ladder, *reversed(order(ladder)[:number]), now=START + number * DAY)
    at = START + 5 * DAY
    confirmed(ladder, "ann", "eve", points=(61, -4), now=at, day=at.date())
    until(ladder, START + 8 * DAY)
    return ladder


def test_whole_games_move_it_and_everything_tells_of_them(at, ladder):
    results = list(ladder.log.filter(kind=GameResult.kind).order_by("number"))
    assert [len(event.data["players"]) for event in results] == [2, 3, 4]
    for event, match in zip(results, Match.objects.order_by("pk"), strict=True):
        places = {player: place for player, place in zip(event.data["players"], match.result["places"], strict=True)}
        assert (match.game, match.places, event.data["places"]) == ("exlibris", len(places), [*places.values()])
    assert set(ArchivedMatch.objects.values_list("game", flat=True)) == {"exlibris"}
    table = ladder.log.get(kind=AtTable.kind).data
    assert table["points"] == [61, -4]
    address, steward = ladder.get_absolute_url(), at("ann")
    pages = {page: steward.get(f"{address}{page}") for page in PAGES}
    assert {page: answer.status_code for page, answer in pages.items() if answer.status_code != 200} == {}
    for page in ("", "/seasons/1/print", "/print", ".json"):
        assert "Ex Libris" in text(pages[page]) or '"game": "exlibris"' in pages[page].content.decode(), page
    assert "Ex Libris" in text(steward.get(f"/c/{ladder.club.slug}/ladders"))
    assert verify()[1] is False


def test_its_forms_offer_the_rules_of_the_game_for_two_to_four(at, ladder):
    address, client = ladder.get_absolute_url(), at("eve")
    rules = text(client.get(f"{address}/rules"))
    assert "Players at a table: 2, 3 or 4." in rules and "Peaceful" in rules and "German" not in rules
    for seats in (1, 5):
        assert client.post(f"{address}/challenge?to=dan", {"seats": seats, "pace": "daily"}).status_code in (302, 422)
    assert not Challenge.objects.filter(status="open").exists()
    one = at_table.Finished(person("eve"), 1, 9)
    with pytest.raises(at_table.Refused):
        at_table.enter(ladder, person("eve"), [one], (START + 8 * DAY).date(), START + 8 * DAY)
    rivals = [person(order(ladder)[2])]
    terms = DAILY._replace(options=GAME.preset("peaceful"))
    challenge = challenges.challenge(ladder, person(order(ladder)[3]), rivals, terms, START + 8 * DAY)
    page = text(client.get(challenge.get_absolute_url()))
    assert "Game Ex Libris" in page and "Rules Peaceful" in page


def test_its_season_can_be_taken_away_and_its_club_to_another_site(client, ladder, tmp_path):
    files = downloaded(client)
    code, words = verified(laid(files, tmp_path / "season"))
    assert code == 0, words
    assert "3 games with" in words and json.loads(files["season.json"])["game"] == "exlibris"
    call_command("dumpclub", "st-gall", tmp_path / "club.json.gz")
    newcomer = intake.read(gzip.decompress((tmp_path / "club.json.gz").read_bytes()))
    person("anna")
    newcomer.settings["name"] = "Gallen"
    club = intake.take_in(newcomer, {"ann": "anna"}, (), "gallen", START + 9 * DAY + timedelta(hours=1))
    assert Ladder.objects.get(club=club).game == "exlibris"
