"""What outsiders download, and what the script makes of it: it is run as they run it, by a bare Python."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from accounts import services
from accounts.models import User
from games.matches.models import Match
from games.transparency import checkpoint, keys, stored
from games.transparency.checkpoint import Checkpoint
from games.transparency.kept import beside as head_file
from games.transparency.models import TreeHead, TreeLeaf
from tests.clubs.clubs import club_of
from tests.people import person
from tests.transparency.days import DAY, NOON, close, days, ended

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SCRIPT = Path(__file__).parents[2] / "static" / "log" / "checklog.py"


@pytest.fixture
def kept(client, tmp_path):
    """A file with what the site says at an address."""

    def kept(path, name=""):
        answer = client.get(path)
        assert answer.status_code == 200, path
        file = tmp_path / (name or path.replace("/", "-").partition("?")[0])
        file.write_bytes(answer.content)
        return file

    return kept


def checked(*arguments):
    """What the script says, and its exit code."""
    done = subprocess.run([sys.executable, "-I", SCRIPT, *arguments], capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return done.stdout, done.returncode


def changed(file, change):
    """The file after a change of its document."""
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))
    return file


def test_the_script_is_short_and_needs_nothing():
    lines = SCRIPT.read_text().splitlines()
    assert len(lines) < 340
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("each", [1, 2, 3])
def test_today_extends_what_was_kept_on_every_earlier_day(kept, each):
    days(1, each)
    first = kept("/log/heads.json", "first.json")
    for day in range(1, 6):
        ended(day)
        close(day)
    said, code = checked(first, kept("/log/heads.json"))
    assert code == 0, said
    assert said.count("extends the log of") == 5
    assert "Everything given here holds." in said


def test_a_game_is_proved_to_be_in_the_log_as_its_record_has_it(kept):
    for match in days(3):
        path = match.get_absolute_url()
        said, code = checked(kept(f"{path}/proof.json"), kept(f"{path}/record.json"), kept("/log/heads.json"))
        assert code == 0, said
        assert f"{match.key} was logged with this record, names and ratings apart" in said
        assert "Everything given here holds." in said
        assert bytes(match.link).hex() in said


def test_what_was_not_checked_is_said(kept):
    """A record alone, and one of somebody whose account is closed: not everything holds."""
    match = days(1)[0]
    path, ann = match.get_absolute_url(), person("ann")
    said, code = checked(kept(f"{path}/record.json"))
    assert code == 0 and "not checked: cards, result, ratings and all else in the record" in said
    User.objects.filter(pk=ann.pk).update(closing_at=NOON)
    assert services.pseudonymise(ann.pk, NOON + DAY)
    said, code = checked(kept(f"{path}/proof.json"), kept(f"{path}/record.json"))
    assert code == 0 and "was logged with this record, names and ratings apart" in said
    assert f"not checked: who sat at seat 0 of {match.key}" in said
    assert "What was checked holds. 1 could not be checked" in said and "Everything" not in said


def test_two_heads_that_were_kept_are_joined_by_a_proof_of_their_sizes(kept):
    days(5)
    first, last = kept("/log/heads/2026-11-20.json"), kept("/log/heads/2026-11-24.json")
    said, code = checked(first, last)
    assert code == 1
    assert "/log/consistency/2/10.json" in said
    said, code = checked(first, last, kept("/log/consistency/2/10.json"))
    assert code == 0, said


def test_a_ladder_is_proved_to_its_members(kept):
    ladder = club_of("ann", "bob", now=NOON)
    close()
    said, code = checked(kept(f"{ladder.get_absolute_url()}/proof.json"))
    assert code == 0, said
    assert bytes(ladder.log.last().link).hex() in said


def test_a_new_key_is_believed_if_the_old_one_signed_it(kept, log_key):
    days(1)
    old = log_key.read_text()
    log_key.unlink()
    keys.made(log_key)
    log_key.write_text(log_key.read_text() + old)
    close(1)
    said, code = checked(kept("/log/heads.json"))
    assert code == 0, said
    assert "another key signs from 2026-11-21 on" in said


# What is wrong


def test_a_past_that_was_rewritten_with_everything_signed_again_contradicts_what_was_kept(kept, rewriting, log_key):
    """The owner of the site, with database and key: a game of the first day is another, all heads are made anew."""
    matches = days(2)
    before, record = kept("/log/heads.json", "before.json"), kept(f"{matches[0].get_absolute_url()}/record.json")
    for model in (TreeHead, TreeLeaf, stored.TreeNode):
        model.objects.all().delete()
    head_file(log_key).unlink()
    places = matches[0].result["places"][::-1]
    Match.objects.filter(pk=matches[0].pk).update(link=bytes(32), result=matches[0].result | {"places": places})
    close(0)
    close(1)
    said, code = checked(before, kept("/log/heads.json"))
    assert code == 1
    assert "there are two different heads of 2026-11-21: the past was rewritten" in said
    said, code = checked(record, kept(f"{matches[0].get_absolute_url()}/proof.json"))
    assert code == 1
    assert f"WRONG  {matches[0].key} was logged with these places" in said


def test_a_day_that_was_left_out_is_missed(kept):
    days(3)
    file = changed(kept("/log/heads.json"), lambda document: document["heads"].pop(1))
    said, code = checked(file)
    assert code == 1
    assert "no heads between 2026-11-20 and 2026-11-22" in said


def test_a_day_that_follows_another_past_is_found(kept, log_key):
    days(2)
    [key] = keys.kept(log_key)

    def forked(document):
        said = Checkpoint.read(document["heads"][1]["note"])._replace(previous=bytes(32))
        document["heads"][1]["note"] = checkpoint.signed(said, [key])

    said, code = checked(changed(kept("/log/heads.json"), forked))
    assert code == 1
    assert "the head of 2026-11-21 does not follow the one of the day before" in said


def test_another_key_without_the_signature_of_the_one_before_is_found(kept, log_key, tmp_path):
    days(2)
    [stranger] = keys.made(tmp_path / "stranger.pem")

    def taken(document):
        said = Checkpoint.read(document["heads"][1]["note"])._replace(key=checkpoint.public(stranger))
        document["heads"][1]["note"] = checkpoint.signed(said, [stranger])

    said, code = checked(changed(kept("/log/heads.json"), taken))
    assert code == 1
    assert "WRONG  another key signs from 2026-11-21 on" in said


def test_the_key_that_one_knows_decides(kept, log_key, tmp_path):
    days(1)
    [key], [stranger] = keys.kept(log_key), keys.made(tmp_path / "stranger.pem")
    for known, expected in ((key, 0), (stranger, 1)):
        said, code = checked("--key", checkpoint.written(checkpoint.public(known)), kept("/log/heads.json"))
        assert code == expected, said


def spoil_signature(document):
    at = document["note"].rindex("=") - 10
    letter = "B" if document["note"][at] == "A" else "A"
    document["note"] = document["note"][:at] + letter + document["note"][at + 1 :]


SPOILT = {
    "signature": spoil_signature,
    "size": lambda head: head.update(note=head["note"].replace("\n4\n", "\n3\n")),
    "proof": lambda head: head.update(consistency=["00" * 32 for _ in head["consistency"]]),
    "longer proof": lambda head: head.update(consistency=[*head["consistency"], "00" * 32]),
    "no proof": lambda head: head.update(consistency=[]),
}


@pytest.mark.parametrize("name", SPOILT)
def test_no_part_of_a_head_can_be_changed(kept, name):
    days(2)
    said, code = checked(changed(kept("/log/heads.json"), lambda document: SPOILT[name](document["heads"][1])))
    assert code != 0, said


SPOILT_PROOF = {
    "entry": lambda proof: proof.update(entry=proof["entry"].replace("finished", "aborted")),
    "index": lambda proof: proof.update(index=proof["index"] + 1),
    "path": lambda proof: proof.update(inclusion=proof["inclusion"][::-1]),
    "longer": lambda proof: proof.update(inclusion=[*proof["inclusion"], "00" * 32]),
    "shorter": lambda proof: proof.update(inclusion=proof["inclusion"][1:]),
}


@pytest.mark.parametrize("name", SPOILT_PROOF)
def test_no_part_of_a_proof_can_be_changed(kept, name):
    match = days(2)[2]
    said, code = checked(changed(kept(f"{match.get_absolute_url()}/proof.json"), SPOILT_PROOF[name]))
    assert code != 0, said


def move_changed(record):
    move = next(move for move in record["moves"] if move.get("move") == "keep")
    move["move"] = "public"


SPOILT_RECORD = {
    "a move": move_changed,
    "one move more": lambda record: record["moves"].append({"seat": 0, "move": "keep"}),
    "one row less": lambda record: record["proof"]["rows"].pop(),
    "a time": lambda record: record["proof"]["rows"][3].__setitem__(1, 0),
    "who sat there": lambda record: record["proof"]["header"].update(rated="perhaps"),
    "places": lambda record: record.update(final_places=record["final_places"][::-1]),
    "the link": lambda record: record["proof"].update(link="00" * 32),
}


@pytest.mark.parametrize("name", SPOILT_RECORD)
def test_no_part_of_a_record_can_be_changed(kept, name):
    path = next(match for match in days(1) if match.result["places"] != [1, 1]).get_absolute_url()
    record = changed(kept(f"{path}/record.json"), SPOILT_RECORD[name])
    said, code = checked(kept(f"{path}/proof.json"), record)
    assert code == 1, said


NO_PROOFS = ["", "[]", "{", '{"heads": [{}]}', '{"heads": [{"note": "x", "consistency": []}]}', "[" * 100_000]
NO_PROOFS += ['{"entry": "{}", "index": 0, "size": 1, "inclusion": [], "head": null}']


@pytest.mark.parametrize("text", NO_PROOFS, ids=lambda text: text[:40])
def test_what_cannot_be_read_is_no_proof(tmp_path, text):
    file = tmp_path / "file.json"
    file.write_text(text)
    said, code = checked(file)
    assert code == 2
    assert "This cannot be checked" in said


def test_the_signatures_are_those_of_the_rfc():
    """Test 2 and test 3 of RFC 8032, section 7.1."""
    namespace = {"__name__": "checklog"}
    exec(SCRIPT.read_text(), namespace)
    key = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    signature = bytes.fromhex(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    assert namespace["verifies"](key, b"\x72", signature)
    assert not namespace["verifies"](key, b"\x73", signature)
    assert not namespace["verifies"](key, b"\x72", signature[:32] + bytes(32))
    # The same signature with another s: s + Q.
    s = int.from_bytes(signature[32:], "little") + namespace["Q"]
    assert not namespace["verifies"](key, b"\x72", signature[:32] + s.to_bytes(32, "little"))
