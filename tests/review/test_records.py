"""Matches to take away: records that replay, text to read, all of a person's as JSON lines."""

import hashlib
import json

import pytest
from django.db import connection

from accounts.models import User
from games.engine import chance
from games.engine import record as records
from games.engine.biblios.notation import PAY_CARDS
from games.matches import access, chain, history, play
from games.matches.models import Match, Seat
from games.review import exports
from tests.matches.matches import rushed, seated
from tests.people import person

pytestmark = pytest.mark.django_db


def early(state):
    return state.placed > 12


def record(client, match):
    return client.get(f"/m/{match.key}/record.json")


async def lines(async_client, username):
    answer = await async_client.get(f"/@/{username}/games.jsonl")
    assert answer.status_code == 200
    return [json.loads(line) for line in b"".join([part async for part in answer]).splitlines()]


@pytest.mark.parametrize(
    ("names", "options"),
    [(("ann", "bob"), {}), (("ann", "bob", "dan"), {"penalty": "discard", "dual_church": "both", "start_die": 1})],
)
def test_the_record_of_a_finished_match_replays(client, names, options):
    match = rushed(seated(*names, options=options), seed=3)
    answer = record(client, match)
    read = records.read(answer.content)
    state, moves = read.replay()
    assert state.over and len(moves) == match.ply
    assert read.document["match"] == match.key
    assert read.players == list(names)
    assert read.document["result"]["points"] == match.result["points"]
    assert answer["Content-Type"] == "application/json"


def test_the_proof_leads_from_the_commitment_to_the_last_link(client):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 9)
    play.leave(match, 1, Seat.Left.RESIGN)
    match = rushed(access.find(match.key), seed=3)
    document = record(client, match).json()
    proof = document["proof"]
    secret, shares = bytes.fromhex(proof["secret"]), [bytes.fromhex(share) for share in proof["shares"]]
    assert hashlib.sha256(secret).hexdigest() == proof["commitment"] == match.commitment
    seed = chance.mix(secret, shares)
    start = match.rules.start(2, seed, document["options"])
    assert match.rules.deal_to_json(start, start)["deck"] == document["deck"]

    rows = {event["ply"]: (event["seat"], "!" + event["event"]) for event in document["events"]}
    for entry in (entry for entry in document["moves"] if "move" in entry):
        rows[next(ply for ply in range(len(rows) + 1) if ply not in rows)] = (entry["seat"], entry["move"])
    link = chain.first_link(proof["header"])
    for ply in range(match.ply):
        seat, move = rows[ply]
        by, at = proof["rows"][ply]
        public = proof["shown"].get(str(ply), move)
        link = chain.next_link(link, chain.line(seed, ply, seat, by, at, move, public))
    assert link.hex() == proof["link"] == bytes(match.link).hex()
    replay = history.replay(match)
    face_down = [ply for ply in range(match.ply) if replay.view(ply, None).question == PAY_CARDS]
    assert proof["shown"] == {str(ply): "pay" for ply in face_down if rows[ply][1].startswith("pay ")}


def test_whoever_left_is_among_the_events_and_last_in_the_final_places(client):
    match = rushed(seated("ann", "bob", rated=True, pace="daily", days=1), lambda state: not state.early)
    play.leave(match, 0, Seat.Left.TIME)
    match = access.find(match.key)
    document = record(client, match).json()
    assert [(event["seat"], event["event"]) for event in document["events"]] == [(0, "time"), (0, "end")]
    assert document["result"] == {"ended": "time"}
    assert document["final_places"] == [2, 1]
    assert document["rated"] is True
    assert document["ratings"] == [{"before": 1500.0, "after": 1470.0}, {"before": 1500.0, "after": 1530.0}]
    assert document["started"] < document["ended"]
    records.read(json.dumps(document)).replay()
    assert "(ran out of time)" in client.get(f"/m/{match.key}/record.txt").content.decode()


def test_a_running_match_has_no_record_for_anybody(client):
    match = rushed(seated("ann", "bob"), early)
    client.force_login(person("ann"))
    for name in ("record.json", "record.txt"):
        assert client.get(f"/m/{match.key}/{name}").status_code == 404
    assert list(exports.records.documents([match.key])) == []


def test_a_match_that_was_called_off_has_a_record_that_stops(client):
    match = rushed(seated("ann", "bob", watch="none"), early)
    for seat in (0, 1):
        play.vote(access.find(match.key), seat, "abort")
    match = access.find(match.key)
    assert match.status == Match.Status.ABORTED
    assert record(client, match).status_code == 404
    client.force_login(person("ann"))
    document = record(client, match).json()
    assert document["result"] == {"ended": "abandoned"}
    assert document["final_places"] == [] and document["ratings"] == []
    state, moves = records.read(json.dumps(document)).replay()
    assert len(moves) == match.ply - 1 and not state.over
    assert "The game was cancelled." in client.get(f"/m/{match.key}/record.txt").content.decode()


def test_records_of_bots_and_closed_accounts_bear_the_names_of_today(client):
    match = rushed(seated("ann", bots=1), seed=3)
    User.objects.filter(username="ann").update(username="closed-1", folded="closed-1", closed=True)
    Seat.objects.filter(match=match, user__closed=True).update(name="", salt=b"")
    document = record(client, match).json()
    assert document["players"] == ["closed-1", match.seats.all()[1].name]
    assert document["bots"] == ["", "greedy"]
    assert "ann" not in client.get(f"/m/{match.key}/record.txt").content.decode().split()


def test_the_text_tells_the_game_turn_by_turn(client):
    match = rushed(seated("ann", "<b>"), seed=3)
    answer = client.get(f"/m/{match.key}/record.txt")
    text = answer.content.decode()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert "Turn 1, " in text and "Lot 20, " in text and "II. Auctions" in text
    assert text.count(" keeps ") == 20
    assert "<b> keeps" in text and "<bdi>" not in text and "&lt;" not in text
    first = sorted(range(2), key=lambda seat: match.result["places"][seat])[0]
    assert f"1. {['ann', '<b>'][first]}, {match.result['points'][first]} point" in text


@pytest.mark.django_db(transaction=True)
async def test_all_games_of_a_person_come_as_lines_the_newest_first(async_client, static_files):
    from asgiref.sync import sync_to_async

    def play_some():
        finished = [rushed(seated("ann", "bob", watch="none"), seed=seed).key for seed in range(exports.AT_ONCE + 2)]
        rushed(seated("ann", "bob"), early)
        rushed(seated("bob", "dan"), seed=1)
        return finished

    keys = await sync_to_async(play_some)()
    documents = await lines(async_client, "ANN")
    assert [document["match"] for document in documents] == keys[::-1]
    for document in documents:
        records.record_of(document).replay()


@pytest.mark.django_db(transaction=True)
async def test_a_slow_reader_of_the_lines_holds_no_connection_to_the_database(async_client, static_files):
    from asgiref.sync import sync_to_async

    await sync_to_async(lambda: rushed(seated("ann", "bob")))()
    answer = await async_client.get("/@/ann/games.jsonl")
    assert await anext(aiter(answer))
    assert await sync_to_async(lambda: connection.connection)() is None


@pytest.mark.django_db(transaction=True)
async def test_whoever_has_played_nothing_has_no_lines(async_client, static_files):
    from asgiref.sync import sync_to_async

    await sync_to_async(person)("ann")
    assert await lines(async_client, "ann") == []


def test_guests_closed_accounts_and_strangers_have_no_games_to_take_away(client):
    person("visitor", guest=True)
    person("gone", closed=True)
    for name in ("visitor", "gone", "nobody", "%00"):
        assert client.get(f"/@/{name}/games.jsonl").status_code == 404


def test_many_records_cost_as_many_queries_as_one(django_assert_num_queries):
    keys = [rushed(seated("ann", "bob"), seed=seed).key for seed in range(4)]
    with django_assert_num_queries(4):
        assert len(list(exports.records.documents(keys))) == 4
    with django_assert_num_queries(4):
        assert len(list(exports.records.documents(keys[:1]))) == 1


def test_a_record_is_made_of_the_log_alone():
    match = rushed(seated("ann", "bob"), seed=3)
    (again,) = exports.records.documents([match.key])
    assert again == exports.records.document(match, history.replay(match))
