"""Each kind of field of what one can take home is changed alone: its verifier finds it, or names it as what it cannot
check.

`pytest -s` prints the tables: tool, field, how many of the changes were found.
"""

import json
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command

from games.engine.bots import choose_random
from games.engine.core import BadRecord
from games.engine.registry import title
from games.ladders import at_table
from games.ladders.bundle import verify
from games.ladders.rules import Rules
from games.management.commands import checkrecords
from games.matches import access
from games.matches.clocks import ms_of
from games.matches.models import Match, Seat
from games.review import proof, records
from tests.clubs.clubs import DAY, START, agreed, club_of, order, until
from tests.fields import Table, changed, kind, leaves, of_each_kind
from tests.ladders.test_bundle import downloaded, laid
from tests.people import person
from tests.transparency.days import NOON, close, ended
from tools import rehearsal

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.slow]

SCRIPT = Path(__file__).parents[2] / "static" / "log" / "checklog.py"
TITLES = ["biblios", "exlibris"]
MOST = 2
"""How many fields of a kind are changed: the first and the last. 10**9 tries all."""


def rated(slug):
    """A rated match of three, which one of them leaves."""
    at, people = ms_of(NOON), [person(name) for name in ("ann", "bob", "dan")]
    match = rehearsal.match_of(people, at, title(slug), rated=True, pace="daily", days=1)
    rehearsal.perform(match, [choose_random] * 3, Random(1), leaver=1, ends=at + 3_600_000)
    return access.find(match.key)


def document(match):
    return json.loads(json.dumps(next(records.documents([match.key]))))


@pytest.mark.parametrize("slug", TITLES)
def test_checkrecords_finds_each_changed_field_of_a_record_but_those_that_it_names(slug, tmp_path):
    record = document(rated(slug))
    assert record["ratings"] and record["events"] and record["moves"]
    table = Table(f"checkrecords {slug}")
    for path in of_each_kind(record, MOST):
        line = json.dumps(changed(record, path)).encode()
        try:
            checkrecords.check(line, {})
            table.note(kind(path), False)
        except BadRecord:
            table.note(kind(path), True)
    print(table)
    assert table.missed == {"ratings.*.before", "ratings.*.after"}
    assert {name.partition(".")[0] for name in table.missed} == {*proof.UNPROVED}
    file, said = tmp_path / "record.jsonl", StringIO()
    file.write_text(json.dumps(record))
    call_command("checkrecords", str(file), stdout=said)
    assert "not checked: ratings (the public log has them)" in said.getvalue()


def test_checkrecords_takes_no_field_that_nothing_proves():
    record = document(rated("biblios"))
    for more in ({"winner": "eve"}, {"proof": record["proof"] | {"winner": "eve"}}):
        with pytest.raises(BadRecord, match="the list of keys"):
            proof.links(record | more)
    del record["bots"]
    with pytest.raises(BadRecord, match="the list of keys"):
        proof.links(record)


@pytest.fixture(scope="module")
def script():
    """The names of the script for outsiders."""
    namespace = {"__name__": "checklog"}
    exec(SCRIPT.read_text(), namespace)
    return namespace


def refused(script, check, *arguments):
    """Whether the script says that something is wrong, or cannot be read."""
    script["WRONG"].clear()
    script["UNCHECKED"].clear()
    try:
        check(*arguments)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return True  # exit code 2: “This cannot be checked”
    return bool(script["WRONG"])


@pytest.mark.parametrize("slug", TITLES)
def test_checklog_finds_each_changed_field_of_a_record_with_its_proof(slug, client, script, capsys):
    match = rated(slug)
    close()
    record = document(match)
    entry = json.loads(client.get(f"{match.get_absolute_url()}/proof.json").json()["entry"])
    assert not refused(script, script["check_record"], record, entry) and not script["UNCHECKED"]
    table = Table(f"checklog {slug} record.json")
    for path in of_each_kind(record, MOST):
        table.note(kind(path), refused(script, script["check_record"], changed(record, path), entry))
    with capsys.disabled():
        print(table)
    assert table.missed == set()


def test_checklog_finds_each_changed_field_of_a_proof(client, script, tmp_path, capsys):
    for day in range(2):
        match = ended(day)
        close(day)
    for name, path in (("proof", f"{match.get_absolute_url()}/proof.json"), ("heads", "/log/heads.json")):
        (tmp_path / f"{name}.json").write_bytes(client.get(path).content)
    files = [str(tmp_path / "proof.json"), str(tmp_path / "heads.json")]
    given = json.loads((tmp_path / "proof.json").read_text())
    assert not refused(script, script["main"], [*files]) and not script["UNCHECKED"]
    assert not refused(script, script["main"], files[:1]) and script["UNCHECKED"], "no head before is at hand"
    table = Table("checklog proof.json")
    for path in of_each_kind(given, MOST):
        (tmp_path / "proof.json").write_text(json.dumps(changed(given, path)))
        table.note(kind(path), refused(script, script["main"], [*files]))
    with capsys.disabled():
        print(table)
    assert table.missed == set()


@pytest.fixture
def bundle(client, tmp_path):
    """A season with a game of two, one of three that somebody left, one lost on time, and one at a real table."""
    ladder = club_of("ann", "bob", "dan", rules=Rules(season_weeks=1, rest_days=0, at_table=True))

    def played(*names, now, **how):
        match = Match.objects.seated().get(challenge=agreed(ladder, *names, now=now))
        rehearsal.perform(match, [choose_random] * len(names), Random(1), ends=ms_of(now + timedelta(hours=1)), **how)

    played("bob", "ann", now=START)
    played(*reversed(order(ladder)), now=START + DAY, leaver=1)
    played(*reversed(order(ladder)[:2]), now=START + 2 * DAY, leaver=0, why=Seat.Left.TIME)
    finished = [at_table.Finished(person(name), place) for place, name in enumerate(("dan", "ann"), 1)]
    entered = at_table.enter(ladder, person("dan"), finished, (START + 5 * DAY).date(), START + 5 * DAY)
    at_table.confirm(entered, person("ann"), START + 5 * DAY)
    until(ladder, START + 8 * DAY)
    return laid(downloaded(client), tmp_path)


def test_verify_finds_each_changed_field_of_a_season_but_those_that_it_names(bundle, monkeypatch, capsys):
    monkeypatch.setattr(verify, "HERE", bundle)
    monkeypatch.setattr(sys, "path", [*sys.path])

    def refuses(name, content):
        """Whether the script refuses the season with this file, and a manifest that fits."""
        before = (bundle / name).read_bytes()
        manifest = (bundle / verify.MANIFEST).read_bytes()
        (bundle / name).write_bytes(content)
        if name != verify.MANIFEST:
            hashes = json.loads(manifest) | {name: verify.hashlib.sha256(content).hexdigest()}
            (bundle / verify.MANIFEST).write_bytes(verify.written(hashes))
        try:
            verify.main()
            return False
        except SystemExit as end:
            return end.code == 1
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return True  # as the script itself says: the files do not fit together
        finally:
            (bundle / name).write_bytes(before)
            (bundle / verify.MANIFEST).write_bytes(manifest)

    assert not refuses("README.txt", (bundle / "README.txt").read_bytes())
    limits = capsys.readouterr().out.partition("What this cannot tell:")[2]
    table = Table("verify.py")
    season = json.loads((bundle / "season.json").read_text())
    for path in of_each_kind(season, MOST):
        table.note(f"season.json {kind(path)}", refuses("season.json", json.dumps(changed(season, path)).encode()))
    events = [json.loads(line) for line in (bundle / "events.jsonl").read_text().splitlines()]
    for path in of_each_kind(events, MOST):
        content = "\n".join(map(json.dumps, changed(events, path))).encode()
        table.note(f"events.jsonl {kind(path[1:])}", refuses("events.jsonl", content))
    for key in season["games"]:
        record = json.loads((bundle / "games" / f"{key}.json").read_text())
        for path in of_each_kind(record, 1):  # there are several games
            content = json.dumps(changed(record, path)).encode()
            table.note(f"games/*.json {kind(path)}", refuses(f"games/{key}.json", content))
    manifest = json.loads((bundle / verify.MANIFEST).read_text())
    for path in leaves(manifest):
        content = verify.written(changed(manifest, path))
        table.note("manifest.json, any", refuses(verify.MANIFEST, content))
    for name in ("README.txt", "LICENSE"):
        table.note(name, refuses(name, (bundle / name).read_bytes() + b"1"))
    with capsys.disabled():
        print(table)
    called = {f"season.json {name}" for name in verify.CALLED}
    ratings = {f"games/*.json ratings.*.{when}" for when in ("before", "after")}
    assert table.missed == {*called, *ratings, "README.txt", "LICENSE"}
    for name in (*verify.CALLED, "ratings", "README.txt", "LICENSE", "verify.py", "code/"):
        assert name in limits
