"""A season to take away: what is in it for whom, and that its script replays it without the site."""

import hashlib
import io
import json
import subprocess
import sys
import zipfile
from datetime import timedelta
from itertools import count
from random import Random

import pytest
from asgiref.sync import async_to_sync

from accounts import services
from accounts.journal import chain
from accounts.models import Club, User
from games.engine import chance
from games.engine import record as records
from games.engine.bots import choose_random
from games.engine.registry import game_of
from games.ladders import events
from games.ladders.bundle import verify
from games.ladders.models import Ladder
from games.ladders.payloads import GameResult, SeasonEnded
from games.ladders.rules import Rules
from games.matches import chain as match_chain
from games.matches import clocks
from games.matches.clocks import ms_of
from games.matches.models import Match, Seat
from games.review import proof
from tests.clubs.clubs import DAY, START, agreed, club_of, order, until
from tests.people import person
from tools import rehearsal

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SEASON = "/c/st-gall/ladders/1/seasons/1.zip"
FOLDER = "st-gall-season-1"


def played(ladder, *names, now=START, **how):
    """The first of these people challenges the others, and bots play the game for them within the hour."""
    challenge = agreed(ladder, *names, now=now)
    match = Match.objects.seated().get(challenge=challenge)
    rehearsal.perform(match, [choose_random] * len(names), Random(1), ends=ms_of(now + timedelta(hours=1)), **how)
    return Match.objects.get(pk=match.pk)


@pytest.fixture
def ladder():
    """A ladder after its first season: a game of two, one of three that somebody left, one lost on time and undone."""
    ladder = club_of("ann", "bob", "dan", rules=Rules(season_weeks=1, rest_days=0))
    played(ladder, "bob", "ann")
    third, second, first = reversed(order(ladder))
    played(ladder, third, second, first, now=START + DAY, leaver=1)
    _third, second, first = reversed(order(ladder))
    played(ladder, second, first, now=START + 2 * DAY, leaver=0, why=Seat.Left.TIME)
    events.undo(ladder, person("ann"), ladder.log.filter(kind=GameResult.kind).last().number, "No.", START + 4 * DAY)
    until(ladder, START + 8 * DAY)
    return ladder


def downloaded(client, address=SEASON, folder=FOLDER):
    """The files of a season, by name in their folder."""
    response = client.get(address)
    assert response.status_code == 200 and response["Content-Type"] == "application/zip"
    assert "private" in response["Cache-Control"]

    async def read():
        return b"".join([piece async for piece in response])

    archive = zipfile.ZipFile(io.BytesIO(async_to_sync(read)()))
    assert archive.testzip() is None
    assert {name.partition("/")[0] for name in archive.namelist()} == {folder}
    return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def laid(files, folder, sealed=False):
    """Write the files into a folder; `sealed`: with a manifest that fits."""
    if sealed:
        known = {
            name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != verify.MANIFEST
        }
        files = files | {verify.MANIFEST: verify.written(known)}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def verified(folder):
    """The exit code and the words of the script, in a Python without any packages, away from the site."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", folder / "verify.py"], cwd="/", capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_a_season_replays_on_a_clean_machine(client, ladder, tmp_path):
    files = downloaded(client)
    code, words = verified(laid(files, tmp_path))
    assert code == 0, words
    assert "WRONG" not in words
    assert "3 games with" in words and "were replayed by the rules" in words
    assert f"its head is {bytes(ladder.log.last().link).hex()}" in words
    assert "the table and the awards of season 1 were computed again" in words
    assert "/c/st-gall/ladders/1/proof.json" in words
    assert "have no game here" not in words
    season = json.loads(files["season.json"])
    assert [row["player"] for row in season["table"]] == [
        player for player, *_ in ladder.log.get(kind=SeasonEnded.kind).data["final"]
    ]
    record = client.get(f"/m/{season['games'][0]}/record.json").content
    assert files[f"games/{season['games'][0]}.json"] == record, "byte for byte what the site gives"
    assert not [name for name in tmp_path.rglob("__pycache__")]


def test_whoever_changes_a_byte_is_told_where(client, ladder, tmp_path):
    files = downloaded(client)
    laid(files, tmp_path)
    game = next(name for name in files if name.startswith("games/"))
    names = ["README.txt", "LICENSE", "verify.py", "season.json", "events.jsonl", game, "code/games/engine/core.py"]
    for name in names:
        at = len(files[name]) // 2
        changed = files[name][:at] + bytes([files[name][at] ^ 1]) + files[name][at + 1 :]
        if name == "verify.py":
            changed = files[name] + b"#"  # it must still run
        (tmp_path / name).write_bytes(changed)
        assert verified(tmp_path) == (1, f"WRONG  {name} has been changed\n")
        (tmp_path / name).write_bytes(files[name])
    (tmp_path / verify.MANIFEST).write_bytes(files[verify.MANIFEST] + b" ")
    assert verified(tmp_path) == (1, "WRONG  manifest.json is not as it was written\n")
    (tmp_path / verify.MANIFEST).write_bytes(files[verify.MANIFEST])
    (tmp_path / "json.py").write_text("print('Not me.')")
    assert verified(tmp_path)[0] == 1 and "json.py does not belong" in verified(tmp_path)[1]
    (tmp_path / "json.py").unlink()
    (tmp_path / game).unlink()
    assert verified(tmp_path) == (1, f"WRONG  {game} is missing\n")


def season_of(files):
    return json.loads(files["season.json"])


def rewritten(files, change):
    """Change the events, and with them all links and the head."""
    season = season_of(files)
    link, lines = chain.first_link(bytes.fromhex(season["origin"])), []
    for line in files["events.jsonl"].splitlines():
        columns = json.loads(line)
        columns.pop("link")
        change(season, columns["data"])
        link = chain.next_link(link, columns)
        lines.append(json.dumps(columns | {"link": link.hex()}))
    files["events.jsonl"] = "\n".join(lines).encode()
    files["season.json"] = json.dumps(season | {"head": link.hex()}).encode()


def another_move(files):
    name = f"games/{season_of(files)['games'][0]}.json"
    record = json.loads(files[name])
    record["moves"][5]["move"], record["moves"][6]["move"] = record["moves"][6]["move"], record["moves"][5]["move"]
    files[name] = json.dumps(record).encode()


def another_winner(files):
    """Who has lost has won: in the event and in its link, and in all after it."""

    def change(season, data):
        if data.get("match") == season["games"][0]:
            data["places"].reverse()

    rewritten(files, change)


def another_reason(files):
    files["events.jsonl"] = files["events.jsonl"].replace(b'"No."', b'"Yes."')


def another_table(files):
    season = season_of(files)
    season["table"][0]["won"] += 1
    files["season.json"] = json.dumps(season).encode()


def another_award(files):
    season = season_of(files)
    season["awards"]["run"] = {"value": 9, "players": [season["table"][0]["player"]], "rung": 0}
    files["season.json"] = json.dumps(season).encode()


def other_names(files):
    """The names of two are exchanged wherever they stand: the champion is the loser."""
    season = season_of(files)
    first, second, *_ = season["names"]
    one, other = season["names"][first]["name"], season["names"][second]["name"]
    mirror = {one: other, other: one}
    season["names"][first]["name"], season["names"][second]["name"] = other, one
    for row in season["table"]:
        row["name"] = mirror.get(row["name"], row["name"])
    for key in season["games"]:
        record = json.loads(files[f"games/{key}.json"])
        record["players"] = [mirror.get(name, name) for name in record["players"]]
        record["proof"]["names"] = [
            known and [mirror.get(known[0], known[0]), known[1]] for known in record["proof"]["names"]
        ]
        files[f"games/{key}.json"] = json.dumps(record).encode()
    files["season.json"] = json.dumps(season).encode()


def no_names(files):
    """The names are said to be forgotten, as those of closed accounts."""
    season = season_of(files)
    first = next(iter(season["names"]))
    season["names"][first]["salt"] = ""
    files["season.json"] = json.dumps(season).encode()


def another_game(files):
    """A game that was never played, with a secret and a chain of its own, and the result of the event."""
    key = season_of(files)["games"][0]
    files[f"games/{key}.json"] = json.dumps(invented(json.loads(files[f"games/{key}.json"]))).encode()


def invented(record):
    """Another game of the same people with the same places, which proves itself."""
    header, game = record["proof"]["header"], game_of("biblios", record["proof"]["header"]["version"])
    for number in count():
        secret, rng = bytes([number]) * 32, Random(number)
        seats = range(header["places"])
        shares = [chance.site_share(secret, seat) for seat in seats]
        seed = chance.mix(secret, shares)
        start = game.start(header["places"], seed, record["options"])
        state, moves, lines, rows, shown = start.copy(), [], [], [], {}
        while not state.over:
            move, seat, forced = rng.choice(state.legal()), state.seat, state.forced() is not None
            text, public = state.text(move), state.shown(move)
            rows.append([1 if forced else 0, header["started"] + 1000 * len(rows)])
            lines.append(match_chain.line(seed, len(lines), seat, *rows[-1], text, public))
            if public != text:
                shown[str(len(moves))] = public
            moves.append(move)
            state.play(move)
        again = records.export(game, start, moves, record["players"])
        if again["result"]["places"] == record["final_places"]:
            break
    header = header | {
        "commitment": chance.commitment(secret),
        "seals": ["" for _ in seats],
        "shares_from": ["site" for _ in seats],
    }
    proved = {
        "commitment": header["commitment"],
        "secret": secret.hex(),
        "shares": [share.hex() for share in shares],
        "header": header,
        "rows": rows,
        "shown": shown,
        "link": match_chain.links(header, lines)[-1].hex(),
    }
    ended = clocks.instant(rows[-1][1]).isoformat()
    forged = record | again | {"ended": ended, "events": [], "proof": record["proof"] | proved}
    proof.links(forged)
    return forged


def no_last(files):
    files["season.json"] = json.dumps(season_of(files) | {"last": None}).encode()


def one_game_less(files):
    season = season_of(files)
    season["games"].pop()
    files["season.json"] = json.dumps(season).encode()


FORGERIES = {
    another_move: "WRONG  game ",
    another_winner: "WRONG  the ladder does not follow from its events: event ",
    another_reason: "of the ladder is not as it was written: its link does not follow from it",
    another_table: "WRONG  the table of the season does not follow from the events",
    another_award: "WRONG  the awards of the season do not follow from the events",
    other_names: "when they came on the ladder",
    no_names: "when they came on the ladder",
    another_game: "is another than the one that its event tells of",
    no_last: "has ended, but season.json does not say so",
    one_game_less: "the files in games/ are not the games that season.json names",
}


def test_what_is_forged_with_a_manifest_that_fits_is_found_too(client, ladder, tmp_path):
    files = downloaded(client)
    for change, words in FORGERIES.items():
        changed = dict(files)
        change(changed)
        code, said = verified(laid(changed, tmp_path / change.__name__, sealed=True))
        assert code == 1 and words in said.splitlines()[-1], change.__name__


def test_who_forges_the_events_too_forges_another_head(client, ladder, tmp_path):
    """A game that was never played, and its link in the event: only the public log can tell."""
    files = downloaded(client)
    key = season_of(files)["games"][0]
    forged = invented(json.loads(files[f"games/{key}.json"]))
    files[f"games/{key}.json"] = json.dumps(forged).encode()

    def change(season, data):
        if data.get("match") == key:
            data["link"] = forged["proof"]["link"]

    rewritten(files, change)
    code, said = verified(laid(files, tmp_path, sealed=True))
    assert code == 0
    assert bytes(ladder.log.last().link).hex() not in said
    assert "but not with the public log, which has the head" in said


def test_the_name_of_a_closed_account_is_forgotten_and_the_rest_still_holds(client, ladder, tmp_path):
    ann = person("ann")
    User.objects.filter(pk=ann.pk).update(closing_at=START)
    assert services.pseudonymise(ann.pk, START + 9 * DAY)
    files = downloaded(client)
    assert b'"ann"' not in b"".join(content for name, content in files.items() if name.endswith((".json", ".jsonl")))
    code, said = verified(laid(files, tmp_path))
    assert code == 0, said
    assert "What 1 of the players were called" in said


def test_a_season_that_runs_can_be_taken_too(client, ladder, tmp_path):
    files = downloaded(client, "/c/st-gall/ladders/1/seasons/2.zip", "st-gall-season-2")
    assert verified(laid(files, tmp_path))[0] == 0
    assert client.get("/c/st-gall/ladders/1/seasons/3.zip").status_code == 404


def test_games_that_one_may_not_see_are_not_in_it_and_it_says_so(client, tmp_path):
    ladder = club_of("ann", "bob", private=True, rules=Rules(rest_days=0))
    hidden = played(ladder, "bob", "ann")
    Club.objects.update(private=False)
    second, first = reversed(order(ladder))
    shown = played(Ladder.objects.get(), second, first, now=START + DAY)
    files = downloaded(client)
    assert [name for name in files if name.startswith("games/")] == [f"games/{shown.key}.json"]
    code, words = verified(laid(files, tmp_path))
    assert code == 0 and "1 of 2 results have no game here" in words
    client.force_login(person("bob"), backend="django.contrib.auth.backends.ModelBackend")
    assert f"games/{hidden.key}.json" in downloaded(client)


def test_of_a_private_club_only_members_take_a_season(client):
    club_of("ann", "bob", private=True)
    for name, status in ((None, 404), ("cho", 404), ("bob", 200)):
        if name:
            client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        assert client.get(SEASON).status_code == status
        assert client.get("/c/st-gall/ladders/1/seasons/1/print").status_code == status


def test_whoever_takes_many_seasons_is_stopped(client, ladder, at_most):
    at_most("exports", 1)
    assert [client.get(SEASON).status_code for _ in range(2)] == [200, 429]


def test_the_season_on_paper(client, ladder):
    html = client.get("/c/st-gall/ladders/1/seasons/1/print").content.decode()
    assert "Season 1, 2 Mar 2026 to 9 Mar 2026" in html and "<script" not in html
    assert "Best climb" in html and "Final standings" in html and 'class="podium"' in html
    html = client.get("/c/st-gall/ladders/1/seasons/2/print").content.decode()
    assert "So far" in html and 'class="podium"' not in html
    assert client.get("/c/st-gall/ladders/1/seasons/3/print").status_code == 404
