"""What is kept of a second game: never mixed with the first, and lost or won as the game says."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.career import lines
from accounts.models import Rating
from accounts.web.refused import Refused
from games.engine.registry import title
from games.lobby import open_matches, quick
from games.matches import access, play
from games.matches.clocks import USUAL
from games.matches.models import Match, Seat, Seek, StandingOrder
from tests.lobby.test_lobby import FORM
from tests.matches.matches import played, seated
from tests.matches.test_dump import dump, load, wipe
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy", "static_files")]
LIVE = {"clock": USUAL}


def alone(toy):
    """A game of one round of ann against the house."""
    return seated("ann", game=toy, options={"rounds": 1})


def verified():
    """What `verifylogs` says; it raises where it finds a fault."""
    out = StringIO()
    call_command("verifylogs", stdout=out)
    return out.getvalue()


def test_a_table_of_one_is_casual_whatever_is_wished(at, toy):
    with pytest.raises(Refused, match="isn’t rated"):
        open_matches.open_match(person("ann"), game=toy, places=1, options={}, rated=True, **LIVE)
    form = FORM | {"game": "toy", "preset": "short", "places": "1", "kind": "rated"}
    assert at("ann").post("/play/new", form).status_code == 422, "it is begun by a button of its own"
    at("ann").post("/play/alone", {"game": "toy", "level": "1"})
    match = Match.objects.get()
    assert (match.status, match.places, match.rated, match.pace) == ("running", 1, False, "none")


def test_a_table_of_one_is_lost_when_its_player_leaves(toy):
    match = alone(toy)
    play.leave(match, 0, Seat.Left.RESIGN)
    match = access.find(match.key)
    assert (match.status, match.result["winners"]) == (Match.Status.FINISHED, [])
    assert [(row.won, row.ended) for row in person("ann").archive.all()] == [(False, "resignation")]
    assert "1 matches" in verified()


def test_an_order_that_the_game_does_not_know_is_refused(at, toy):
    match = seated("ann", "bob", game=toy)
    for order in ({"order": "bid", "value": ["0", "4"]}, {"order": "nothing", "value": "5"}):
        response = at("ann").post(f"/m/{match.key}/orders", order, headers={"HX-Request": "true"})
        assert response.status_code == 409
        assert "There is no such order." in response.content.decode()
    assert not StandingOrder.objects.exists()
    at("ann").post(f"/m/{match.key}/orders", {"order": "nothing"})
    assert StandingOrder.objects.get().order == ("nothing", "")


def test_bots_play_it_in_the_seats_of_people():
    options = ["--matches", "6", "--people", "4", "--seed", "s"]
    call_command("playmatches", "--game", "toy", *options, stdout=StringIO())
    assert {(match.game, match.status) for match in Match.objects.all()} == {("toy", "finished")}
    assert not Match.objects.filter(places=1, rated=True).exists()
    assert "6 matches" in verified()
    with pytest.raises(CommandError, match="unknown title chess"):
        call_command("playmatches", "--game", "chess", *options)


def test_whoever_waits_for_another_game_waits_for_somebody_else(toy):
    now = timezone.now()
    for name, game in (("ann", title()), ("bob", toy), ("dan", toy)):
        assert quick.seek(person(name), game, 2) is None or name == "dan"
    assert [seat.user.username for seat in Match.objects.get().seats.all()] == ["bob", "dan"]
    assert Match.objects.get().game == "toy"
    quick.seek(person("ann"), toy, 2)
    assert Seek.objects.get().game == "toy"
    assert quick.pair(now + timedelta(minutes=3)) == []


def test_two_games_are_checked_and_carried_to_another_site(toy, tmp_path):
    for game in (toy, None):
        played(seated("ann", "bob", game=game, rated=True, **LIVE), seed=4)
    match = alone(toy)
    play.play(match, 0, match.ply, ["offer 0"])
    held = Rating.objects.order_by("game", "user__username").values_list("game", "pool", "user__username", "value")
    before = list(held)
    assert [(game, pool) for game, pool, *_ in before] == [("biblios", "2")] * 2 + [("toy", "all")] * 2
    dump(tmp_path / "site.jsonl")
    wipe()
    load(tmp_path / "site.jsonl")
    assert list(held) == before
    careers = lines.careers(person("ann"))
    kept = ("toy", lines.PEOPLE), ("toy", lines.ALONE), ("biblios", lines.PEOPLE)
    assert [careers[kind].games for kind in kept] == [1, 1, 1]
    assert "3 matches" in verified()
