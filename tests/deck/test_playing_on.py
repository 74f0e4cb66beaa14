"""Playing on from the middle of a game that has ended."""

import json
from random import Random

import pytest
from django.db import DatabaseError
from django.test import Client

from accounts.models import ArchivedMatch, Member
from accounts.web.refused import Refused
from games.clubs import page as club_page
from games.clubs.moving import document, intake
from games.deck import playing_on
from games.engine import position, record
from games.engine.core import BadRecord
from games.engine.registry import titles
from games.matches import access, history, play
from games.matches.models import LogEntry, Match
from games.review import proof, records
from tests.clubs.clubs import club_of
from tests.matches.matches import rushed, seated
from tests.people import person
from tests.verifying import verify

pytestmark = pytest.mark.django_db

EACH = pytest.mark.parametrize("game", titles(), ids=lambda game: game.slug)


def ended(game=None, **table):
    return rushed(seated("ann", "bob", game=game or titles()[0], **table))


def on(match, ply, seat=0, again=False, name="cho"):
    return access.find(playing_on.play_on(match, ply, seat, again, person(name)).key)


def state_of(match, ply=None):
    return history.replay(match).state(match.ply if ply is None else ply)


def whole(match, seed=2):
    """The match played to its end, bots and all."""
    rng = Random(seed)
    while match.status == "running":
        state = state_of(match)
        by = LogEntry.By.BOT if match.sitting[state.seat].plays_itself else LogEntry.By.PLAYER
        play.play(match, state.seat, match.ply, [match.rules.text(rng.choice(state.legal()))], by)
        match = access.find(match.key)
    return match


def post(client, match, **fields):
    return client.post(f"/m/{match.key}/on", {"ply": 30, "seat": 0, "cards": "same", **fields})


@EACH
def test_with_the_same_cards_it_begins_where_the_other_was(game):
    match = ended(game)
    mine = on(match, 30, 1)
    assert state_of(mine, 0).key() == state_of(match, mine.beginning["ply"]).key()
    assert mine.sitting[1].user.username == "cho" and mine.sitting[0].bot
    assert (mine.status, mine.rated, mine.listed, mine.watch) == ("running", False, False, "link")
    assert mine.mover == state_of(mine, 0).seat and mine.header["from"]["match"] == match.key


@EACH
def test_dealt_again_the_seat_sees_the_same_and_others_have_other_cards(game):
    match = ended(game)
    found = [on(match, 40, 0, again=True, name=f"p{number}") for number in range(4)]
    there = state_of(match, found[0].beginning["ply"])
    assert {state_of(mine, 0).view(0) for mine in found} == {there.view(0)}
    assert len({state_of(mine, 0).key() for mine in found} - {there.key()}) > 1


@EACH
@pytest.mark.parametrize("again", [False, True])
def test_it_is_played_to_its_end_and_everything_stored_agrees(game, again):
    match = ended(game)
    mine = whole(on(match, 30, 1, again))
    assert mine.status == "finished" and not ArchivedMatch.objects.filter(match=mine.key).exists()
    assert not verify()[1]
    document = json.loads(json.dumps(records.document(mine, history.replay(mine))))
    assert record.record_of(document).replay()[0].scores() == tuple(mine.result["points"])
    assert proof.links(document)[-1] == bytes(mine.link)
    further = on(mine, 5, 1, again)
    assert state_of(further, 0).view(1) == state_of(mine, further.beginning["ply"]).view(1)


def test_a_record_with_another_first_position_is_refused():
    mine = whole(on(ended(), 30))
    document = json.loads(json.dumps(records.document(mine, history.replay(mine))))
    document["proof"]["header"]["from"]["position"] = 64 * "0"
    with pytest.raises(BadRecord, match="first position"):
        proof.links(document)
    document["position"]["zones"]["hands"] = []
    with pytest.raises(BadRecord, match="hands"):
        record.record_of(document)


def test_the_log_check_finds_a_beginning_that_is_not_the_others(rewriting):
    mine = on(ended(), 30)
    Match.objects.filter(pk=mine.pk).update(beginning=mine.beginning | {"ply": 20})
    said, wrong = verify()
    assert wrong and f"{mine.key}: from" in said and f"{mine.key}: beginning" in said


@pytest.mark.parametrize(
    "change", [{"position": {}}, {"ply": 100_000}, {"seat": 9}, {"ply": -1}, {"ply": None}, {"seat": []}]
)
def test_the_log_check_lives_with_odd_beginnings(rewriting, change):
    mine = on(ended(), 30)
    Match.objects.filter(pk=mine.pk).update(beginning=mine.beginning | change)
    said, wrong = verify()
    assert wrong and f"{mine.key}: beginning" in said


@pytest.mark.parametrize("column", ["played_from", "beginning"])
def test_the_database_lets_nobody_change_where_a_match_begins(column):
    mine = on(ended(), 30)
    with pytest.raises(DatabaseError, match="stays as it is"):
        Match.objects.filter(pk=mine.pk).update(**{column: None})


def test_from_which_match_one_is_played_on_is_checked(rewriting):
    match, mine = ended(), on(ended(), 30)
    Match.objects.filter(pk=match.pk).update(played_from=mine)
    Match.objects.filter(pk=mine.pk).update(played_from=None)
    said, wrong = verify()
    assert wrong and f"{mine.key}: beginning" in said and f"{match.key}: beginning" in said


@EACH
def test_the_same_cards_are_the_same_for_all_that_chance_still_decides(game, monkeypatch):
    written = position.written

    def forged(game, state):
        document = written(game, state)
        document["deal"]["seed"] = {"bytes": "ab" * 32}
        return document

    with monkeypatch.context() as changed:
        changed.setattr(position, "written", forged)
        mine = on(ended(game), 30)
    said, wrong = verify()
    assert wrong and f"{mine.key}: beginning" in said


def test_nobody_plays_on_from_a_deal_that_others_still_play(rewriting):
    match, other = ended(), seated("ann", "bob")
    rewriting("UPDATE games_match SET agreed = 'hand/biblios/2026-11-26', commitment = %s", [other.commitment])
    with pytest.raises(Refused, match="Others still play this deal"):
        on(access.find(match.key), 30)
    rewriting("UPDATE games_match SET status = 'aborted' WHERE id = %s", [other.pk])
    assert on(access.find(match.key), 30).status == "running"


def test_while_it_runs_nothing_tells_its_first_position(client):
    match = ended()
    client.force_login(person("cho"))
    mine = on(match, 30, again=True)
    for address in (f"/m/{mine.key}", f"/m/{match.key}/30", f"/m/{mine.key}/receipt.json", f"/m/{mine.key}/0"):
        page = client.get(address).content.decode()
        assert "zones" not in page and mine.beginning["position"]["deal"]["seed"]["bytes"] not in page


def test_the_two_games_lead_to_each_other(client):
    match = ended()
    client.force_login(person("cho"))
    answer = post(client, match, cards="again", seat=1)
    mine = Match.objects.get(played_from=match)
    assert answer["Location"] == f"/m/{mine.key}"
    assert f"/m/{match.key}/{mine.beginning['ply']}" in client.get(f"/m/{mine.key}").content.decode()
    assert f'"/m/{mine.key}"' in client.get(f"/m/{match.key}/30").content.decode()
    assert f'"/m/{mine.key}"' not in Client().get(f"/m/{match.key}/30").content.decode()  # it runs, and is in no list
    mine = whole(access.find(mine.key))
    assert f'"/m/{mine.key}"' in client.get(f"/m/{match.key}/30").content.decode()
    assert mine.key not in Client().get(f"/m/{match.key}/30").content.decode()  # nor when it is over
    assert Client().get(f"/m/{mine.key}/3").status_code == 200
    assert Client().get(f"/m/{mine.key}/record.txt").status_code == 200


def test_a_guest_plays_on_too_but_one_game_at_a_time(client):
    match = ended()
    assert post(client, match).status_code == 302
    assert post(client, match)["Location"] == f"/m/{Match.objects.get(played_from=match).key}"
    assert Match.objects.filter(played_from=match).count() == 1


def test_what_is_refused(client):
    client.force_login(person("cho"))
    running, match = seated("dan", "eve"), ended()
    assert post(client, running).status_code == 404
    for wrong in ({"ply": match.ply + 1}, {"seat": 2}, {"cards": "other"}, {"ply": "x"}, {"seat": ""}):
        assert post(client, match, **wrong).status_code == 404
    assert post(client, match, ply=match.ply)["Location"] == f"/m/{match.key}"
    Match.objects.filter(pk=match.pk).update(hidden=True)
    assert post(client, match).status_code == 404
    assert not Match.objects.exclude(played_from=None).exists()
    with pytest.raises(Refused):
        playing_on.play_on(access.find(match.key), 3, 0, False, person("ann"))


def test_a_game_of_a_private_club_stays_inside_it(client):
    club = club_of("ann", "bob", "dan", private=True).club
    match = ended(club=club)
    client.force_login(person("cho"))
    assert post(client, match).status_code == 404
    client.force_login(person("dan"))
    assert post(client, match).status_code == 302
    mine = access.find(Match.objects.get(played_from=match).key)
    assert (mine.watch, mine.club) == ("club", club) and not access.may_see(mine, person("cho"))
    Member.objects.filter(user=person("ann")).delete()  # who played it sees it still, but takes it nowhere
    with pytest.raises(Refused):
        playing_on.play_on(match, 3, 0, False, person("ann"))


def test_practice_for_a_private_club_is_in_no_list_and_moves_nowhere():
    club = club_of("ann", "bob", "dan", private=True).club
    mine = on(ended(club=club), 30, name="ann")
    assert club_page.playing(club, person("dan"), True) == []
    mine = whole(mine)
    told = document.of_club(club)
    assert mine.key not in {game["match"] for game in told["games"]} and len(told["games"]) == 1
    assert intake.read(json.dumps(told).encode()).games == 1


def test_who_has_left_a_private_club_reads_nothing_of_what_its_members_play_on(client):
    club = club_of("ann", "bob", "dan", private=True).club
    match = ended(club=club)
    Member.objects.filter(user=person("ann")).delete()
    mine = whole(on(match, 30, name="dan"))
    client.force_login(person("ann"))
    page = client.get(f"/m/{match.key}/30").content.decode()
    assert mine.key not in page and "dan" not in page


@EACH
def test_what_was_dealt_again_is_played_on_in_the_same_seat_only(game):
    mine = whole(on(ended(game), 30, 0, again=True))
    with pytest.raises(Refused, match="in that seat only"):
        on(mine, 30, 1)
    later = whole(on(mine, 20, 0))
    with pytest.raises(Refused, match="in that seat only"):
        on(later, 10, 1)


def test_a_guest_who_waits_alone_plays_on(client):
    match = ended()
    client.post("/play/friend", {"game": match.game})
    waiting = Match.objects.get(status="open")
    assert post(client, match)["Location"] == f"/m/{Match.objects.get(played_from=match).key}"
    waiting.refresh_from_db()
    assert waiting.status == "closed"


def test_a_forced_move_is_not_asked_for(client):
    match = ended()
    rows = history.replay(match).rows
    ply = next(at for at, row in enumerate(rows) if row.by == LogEntry.By.SERVER and not row.is_event)
    mine = on(match, ply)
    assert mine.beginning["ply"] > ply and state_of(mine, 0).forced() is None
