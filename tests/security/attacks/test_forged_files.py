"""Files that somebody took home from the site are changed, everything around them so that it fits, and shown to others:
they run the programs of the site that check them."""

import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from tests.security.attacks import outside

INVENT = """
import json, sys
from pathlib import Path

folder = Path(sys.argv[1])
sys.path.insert(0, str(folder / "code"))
from games.engine import chance, record
from games.engine.registry import game_of
from games.matches import chain

[path] = (folder / "games").glob("*.json")
told = json.loads(path.read_text())
secret, seats = bytes(32), range(len(told["players"]))
header = told["proof"]["header"] | {
    "commitment": chance.commitment(secret), "seals": ["" for _ in seats], "shares_from": ["site" for _ in seats],
}
shares = [chance.site_share(secret, seat) for seat in seats]
game, seed = game_of(header["game"], header["version"]), chance.mix(secret, shares)
start = game.start(len(seats), seed, told["options"])
link = chain.first_link(header)
for ply, ((by, at), event) in enumerate(zip(told["proof"]["rows"], told["events"], strict=True)):
    text = "!" + event["event"]
    link = chain.next_link(link, chain.line(seed, ply, event["seat"], by, at, text, text))
proof = {
    "commitment": header["commitment"], "secret": secret.hex(), "shares": [share.hex() for share in shares],
    "header": header, "link": link.hex(), "shown": {},
}
forged = told | record.export(game, start, [], told["players"], told["result"]["ended"])
path.write_text(json.dumps(forged | {"proof": told["proof"] | proof}))
"""
"""Another game in the place of the one in a season, by the code that comes with it: other cards, the same end."""


CLOSING = """
from datetime import timedelta
from django.utils import timezone
from games.transparency import intake
print(intake.daily((timezone.now() + timedelta(days=1)).replace(hour=1)))
"""
"""The keepers wait for midnight."""


@pytest.fixture(scope="module")
def taken(tmp_path_factory):
    """What the site gives: a season with one game of a ladder, unpacked; and in a folder `log` that game's record and
    its proof, the heads of the log, and the script that checks them."""
    folder = tmp_path_factory.mktemp("taken")
    with outside.running(tmp_path_factory.mktemp("site")) as site:
        ann, bob = site.player("ann"), site.player("bob")
        club = ann.post("/clubs/new", clubname="Forged", visible="all", joining="free", game="biblios").path
        bob.post(f"{club}/join")
        for player in (ann, bob):
            player.post(f"{club}/ladders/1/join")
        ann.post(f"{club}/ladders/1/desk/season", do="start")
        terms = {"seats": "2", "pace": "daily", "preset": "rulebook", "begins": "now", "days": "1"}
        challenge = bob.post(f"{club}/ladders/1/challenge?to=ann", **terms).path
        revision = re.search(r'name="revision" value="([^"]*)"', ann.get(challenge).text)[1]
        table = ann.begun(ann.post(f"{challenge}/accept", revision=revision).path)
        ann.post(f"{table}/resign")
        site.manage("shell", given=CLOSING)
        zipfile.ZipFile(io.BytesIO(ann.get(f"{club}/ladders/1/seasons/1.zip").body)).extractall(folder)
        next(folder.iterdir()).rename(folder / "season")
        (folder / "log").mkdir()
        for address in (f"{table}/record.json", f"{table}/proof.json", "/log/heads.json", "/static/log/checklog.py"):
            answer = ann.get(address)
            assert answer.status == 200, address
            (folder / "log" / address.rpartition("/")[2]).write_bytes(answer.body)
    return folder


@pytest.fixture
def season(taken, tmp_path):
    """The folder of the season, to do with as one likes."""
    return shutil.copytree(taken / "season", tmp_path / "season")


def sealed(folder):
    """Write the manifest anew, so that it fits."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    files.pop("manifest.json")
    hashes = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    text = json.dumps(hashes, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    (folder / "manifest.json").write_text(text)


def run(script, *arguments):
    """What a program says in a Python without packages, and its exit code."""
    done = subprocess.run([sys.executable, "-I", "-S", script, *arguments], capture_output=True, text=True)
    return done.stdout, done.returncode


def exchanged(document):
    """The document with two names in each other's place, wherever they stand."""
    return json.loads(json.dumps(document).replace('"ann"', "\0").replace('"bob"', '"ann"').replace("\0", '"bob"'))


def test_a_season_passes_as_it_was_and_not_with_the_loser_as_the_champion(season):
    said, code = run(season / "verify.py")
    assert code == 0, said
    told, [game] = season / "season.json", (season / "games").glob("*.json")
    told.write_text(json.dumps(exchanged(json.loads(told.read_text()))))
    record = json.loads(game.read_text())
    game.write_text(json.dumps(record | {"players": exchanged(record["players"])}))
    sealed(season)
    said, code = run(season / "verify.py")
    assert code == 1 and "WRONG" in said


def test_a_season_with_a_game_that_was_never_played_does_not_pass(season):
    subprocess.run([sys.executable, "-I", "-B", "-c", INVENT, season], check=True)
    sealed(season)
    said, code = run(season / "verify.py")
    assert code == 1 and "WRONG" in said


def checked(log, record, file):
    """What the script says of another record of the game, shown as this file."""
    file.write_text(json.dumps(record))
    return run(log / "checklog.py", log / "proof.json", file, log / "heads.json")


FORGERIES = {
    "players": lambda record: record.update(players=["Queen Mary", *record["players"][1:]]),
    "names": lambda record: record["proof"].update(names=[["Queen Mary", "00" * 16], record["proof"]["names"][1]]),
    "deck": lambda record: record["deck"].reverse(),
    "result": lambda record: record.update(result={"points": [99, 0], "places": [1, 2], "winners": [0]}),
    "started": lambda record: record.update(started="2020-01-01T00:00:00+00:00"),
    "ended": lambda record: record.update(ended="2020-01-01T00:00:00+00:00"),
    "ratings": lambda record: record.update(ratings=[{"before": 1500.0, "after": 2500.0}, None]),
    "bots": lambda record: record.update(bots=["greedy", ""]),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_record_passes_as_it_was_and_not_forged(taken, tmp_path, what):
    record = json.loads((taken / "log" / "record.json").read_text())
    said, code = checked(taken / "log", record, tmp_path / "record.json")
    assert code == 0 and "Everything given here holds." in said, said
    FORGERIES[what](record)
    said, code = checked(taken / "log", record, tmp_path / "record.json")
    assert code == 1 and "Everything given here holds." not in said, said


DISGUISES = {
    "a proof": lambda record, proof: record | proof,
    "a proof that a log goes on": lambda record, proof: record | {"old": 0, "new": 0, "consistency": []},
    "heads": lambda record, proof: record | {"heads": []},
    "nothing": lambda record, proof: {("Moves" if name == "moves" else name): value for name, value in record.items()},
}


@pytest.mark.parametrize("what", DISGUISES)
def test_a_forged_record_does_not_pass_as_something_else(taken, tmp_path, what):
    record, proof = (json.loads((taken / "log" / f"{name}.json").read_text()) for name in ("record", "proof"))
    FORGERIES["players"](record)
    said, code = checked(taken / "log", DISGUISES[what](record, proof), tmp_path / "record.json")
    assert code == 1 and "record.json is no file that this checks" in said, said
