"""Receipts are signed by a key for which that of the log answers: with one, others can be shown what the site said."""

import json
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.matches import access
from games.review import records
from games.transparency import checkpoint, keys, receipt
from games.transparency.checkpoint import Checkpoint
from games.transparency.models import TreeHead
from tests.matches.matches import rushed, seated
from tests.people import person
from tests.rewriting import unplayed
from tests.transparency.days import close, days
from tests.transparency.test_checklog import SCRIPT
from tests.verifying import verify

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def match():
    """A match in the middle, on a site whose log has a day."""
    days(1)
    return rushed(seated("ann", "bob"), lambda state: state.placed > 9)


@pytest.fixture
def taken(match, client):
    """What Ann downloads."""
    client.force_login(person("ann"))
    return client.get(f"/m/{match.key}/receipt.json").json()


def checked(folder, *documents, key=""):
    """What the script for outsiders says of these files, and its exit code."""
    files = []
    for number, document in enumerate(documents):
        files.append(folder / f"{number}.json")
        files[-1].write_text(json.dumps(document))
    known = ["--key", key] if key else []
    done = subprocess.run([sys.executable, "-I", SCRIPT, *known, *files], capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return done.stdout, done.returncode


def signed_by(secret, said):
    """A receipt as somebody with another secret would sign it."""
    key = keys.of_receipts(secret)
    said = {**said, "key": checkpoint.written(checkpoint.public(key))}
    said.pop("signature")
    return said | {"signature": checkpoint.written(key.sign(receipt.canonical(said)))}


def record(match):
    return json.loads(json.dumps(next(records.documents([match.key]))))


def test_the_key_of_the_log_answers_for_a_receipt(taken, log_key, client, tmp_path):
    [key] = keys.kept(log_key)
    head = receipt.answering(taken)
    assert head.key == checkpoint.public(key)
    assert (head.day.isoformat(), head.receipts) == ("2026-11-20", checkpoint.read(taken["key"]))
    said, code = checked(tmp_path, taken, client.get("/log/heads.json").json(), key=checkpoint.written(head.key))
    assert code == 0 and "the head of 2026-11-20 says that this is the key of the receipts of localhost:8000" in said


CHANGES = {
    "site": "play.example.org",
    "at": "2026-01-01T00:00:00+00:00",
    "match": "anotherkey23",
    "link": "00" * 32,
    "ply": 0,
    "rows": [],
    "header": {},
    "head": None,
    "key": "A" * 43 + "=",
    "signature": "A" * 86 + "==",
    "more": 1,
}


def test_a_receipt_of_which_anything_was_changed_is_forged(taken, tmp_path):
    assert CHANGES.keys() > taken.keys() - {"format"}
    for name, value in CHANGES.items():
        with pytest.raises(receipt.Forged):
            receipt.answering(taken | {name: value})
        said, code = checked(tmp_path, taken | {name: value})
        assert code != 0, said
    with pytest.raises(receipt.Forged):
        receipt.answering(taken | {"format": "another"})


def test_who_has_another_secret_makes_none_for_which_the_log_answers(taken, tmp_path, client):
    """Somebody signs another past by a key of their own, and shows the head of the site with it."""
    forged = signed_by("of somebody else", taken | {"rows": taken["rows"][:1], "ply": 1})
    assert receipt.answering(forged) is None
    said, _code = checked(tmp_path, taken, client.get("/log/heads.json").json())
    assert "who signed the receipt" not in said
    said, _code = checked(tmp_path, signed_by("of somebody else", taken), client.get("/log/heads.json").json())
    assert f"not checked: who signed the receipt of {taken['match']} at row {taken['ply']}" in said


def test_who_signs_a_head_of_their_own_shows_another_key_of_the_log(taken, tmp_path):
    [stranger] = keys.made(tmp_path / "stranger.pem")
    known = Checkpoint.read(taken["head"]["note"])
    theirs = checkpoint.public(keys.of_receipts("of somebody else"))
    head = known._replace(key=checkpoint.public(stranger), receipts=theirs)
    note = {"note": checkpoint.signed(head, [stranger])}
    forged = signed_by("of somebody else", taken | {"head": taken["head"] | note})
    assert receipt.answering(forged).key != known.key
    said, code = checked(tmp_path, forged, key=checkpoint.written(known.key))
    assert code == 1 and "WRONG  another key signs from 2026-11-20 on" in said
    # And no head of another site, or that nobody has signed, answers for one of this.
    note = checkpoint.signed(head._replace(origin="play.example.org/log"), [stranger])
    assert receipt.answering(signed_by("of somebody else", taken | {"head": taken["head"] | {"note": note}})) is None
    note = checkpoint.signed(known._replace(receipts=theirs), [stranger])
    with pytest.raises(receipt.Forged, match="the key that the head of 2026-11-20 in it names has not signed that"):
        receipt.answering(signed_by("of somebody else", taken | {"head": taken["head"] | {"note": note}}))


def test_before_the_first_head_and_after_a_change_of_the_key_the_next_head_answers(client, settings, tmp_path):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 9)
    first = receipt.document(match)
    assert first["head"] is None and receipt.answering(first) is None
    days(1)
    settings.SECRET_KEY = "another" * 8
    second = receipt.document(match)
    assert second["head"] and receipt.answering(second) is None
    said, code = checked(tmp_path, second)
    assert code == 0 and "not checked: who signed the receipt" in said
    close(1)
    heads = client.get("/log/heads.json").json()
    for given, day in ((first, "2026-11-20"), (second, "2026-11-21")):
        said, code = checked(tmp_path, given, heads)
        assert code == 0 and f"ok     the head of {day} says that this is the key of the receipts" in said


def test_verifylogs_says_that_the_key_of_receipts_is_another_until_a_head_names_it(settings):
    days(1)
    another = "the head of 2026-11-20 names another key of receipts than this process has"
    said, wrong = verify()
    assert another not in said and not wrong
    settings.SECRET_KEY = "another" * 8
    said, wrong = verify()
    assert another in said and not wrong
    close(1)
    assert "another key of receipts" not in verify()[0]


def test_after_the_site_has_moved_the_next_head_answers(client, settings, tmp_path):
    match = rushed(seated("ann", "bob"), lambda state: state.placed > 9)
    days(1)
    settings.SITE_URL = "https://new.example.org"
    given = receipt.document(match)
    assert receipt.answering(given) is None
    close(1)
    said, code = checked(tmp_path, given, client.get("/log/heads.json").json())
    assert code == 0 and "the head of 2026-11-21 says that this is the key of the receipts of new.example.org" in said


def test_a_head_of_a_stranger_says_nothing_of_the_site(taken, client, tmp_path):
    """Whoever hands somebody a receipt can put any head into it: it must not make the site look as if it had lied."""
    [stranger] = keys.made(tmp_path / "stranger.pem")
    head = Checkpoint.read(taken["head"]["note"])._replace(size=9, key=checkpoint.public(stranger))
    forged = taken["head"] | {"note": checkpoint.signed(head, [stranger])}
    for documents in ([taken | {"head": forged}, taken], [{"heads": [taken["head"]]}, {"heads": [forged]}]):
        said, code = checked(tmp_path, *documents)
        assert code == 1 and "two different heads of 2026-11-20: no key has signed both" in said
        assert "rewritten" not in said


def test_nothing_in_a_receipt_looks_like_a_line_of_the_script(taken, tmp_path):
    lie = "\nok     the head of 2026-11-20 says that this is the key \x1b[2K\u202e"
    forged = signed_by("of somebody else", taken | {"head": None, "match": taken["match"] + lie})
    said, _code = checked(tmp_path, forged)
    assert "\nok     the head" not in said and "\x1b" not in said and "\u202e" not in said


MALFORMED = [
    {"head": {"note": 5}},
    {"head": {"note": ["x"]}},
    {"head": "x"},
    {"key": 5},
    {"key": "A" * 44},
    {"signature": None},
    {"match": []},
    {"match": {}},
    {"rows": "\ud800"},
]


@pytest.mark.parametrize("change", MALFORMED, ids=str)
def test_a_malformed_receipt_is_refused_in_a_sentence(taken, change, tmp_path):
    kept, file = tmp_path / "receipt.json", tmp_path / "record.jsonl"
    kept.write_text(json.dumps(taken | change))
    file.write_text("")
    with pytest.raises(CommandError, match=r"receipt\.json is forged"):
        call_command("checkrecords", str(file), "--receipt", str(kept))
    assert checked(tmp_path, taken | change)[1] != 0


@pytest.mark.parametrize("text", ['{"match": [], "ply": 1}', '{"match": 1}', "[" * 100_000, "[]", "null", "5", '"x"'])
def test_what_is_no_receipt_is_refused_in_a_sentence(text, tmp_path):
    kept, file = tmp_path / "receipt.json", tmp_path / "record.jsonl"
    kept.write_text(text)
    file.write_text("")
    with pytest.raises(CommandError, match=r"isn’t a receipt|there is no record"):
        call_command("checkrecords", str(file), "--receipt", str(kept))


def test_a_site_that_rewrites_a_game_and_signs_again_is_shown_to_lie_by_the_receipt(match, taken, tmp_path):
    match = access.find(match.key)
    honest = record(rushed(match, seed=3))
    said, code = checked(tmp_path, taken, honest)
    assert code == 0 and f"ok     {match.key} went on from its receipt at row {taken['ply']}" in said
    again = rushed(unplayed(match), seed=5)
    with_later = receipt.document(again)
    for later in (record(again), with_later):
        said, code = checked(tmp_path, taken, later)
        assert code == 1 and f"WRONG  {match.key} went on from its receipt at row {taken['ply']}" in said
    assert receipt.answering(taken) and receipt.answering(with_later)  # both are the site's word


def test_two_receipts_of_a_running_game_are_held_against_each_other(match, taken, tmp_path):
    match = rushed(access.find(match.key), lambda state: state.placed > 12, seed=3)
    said, code = checked(tmp_path, receipt.document(match), taken)
    assert code == 0 and f"ok     {match.key} went on from its receipt at row {taken['ply']}" in said


def test_a_receipt_from_before_they_were_signed_is_compared_and_called_so(match, taken, tmp_path):
    unsigned = {name: value for name, value in taken.items() if name not in ("key", "head", "signature")}
    honest = record(rushed(access.find(match.key), seed=3))
    said, code = checked(tmp_path, unsigned, honest)
    assert code == 0 and f"ok     {match.key} went on from its receipt at row {taken['ply']}" in said
    assert "it is from before receipts were signed, and proves something only to whoever took it" in said
    said, code = checked(tmp_path, unsigned | {"rows": []}, honest)
    assert code == 1


def test_whoever_gives_no_key_reads_at_the_end_that_it_was_not_compared(taken, tmp_path):
    ending = "The key was not compared with one that you know the site by: --key KEY does that.\n"
    said, _code = checked(tmp_path, taken)
    assert said.endswith(ending)
    said, _code = checked(tmp_path, taken, key=checkpoint.written(Checkpoint.read(taken["head"]["note"]).key))
    assert ending not in said


def test_heads_older_than_signed_receipts_are_read(log_key, client, tmp_path):
    days(1)
    old = Checkpoint.read(TreeHead.objects.get().note)._replace(receipts=b"")
    assert "receipts" not in str(old) and Checkpoint.read(f"{old}\n") == old
    note = checkpoint.signed(old, keys.kept(log_key))
    said, code = checked(tmp_path, {"heads": [{"day": "2026-11-20", "note": note, "consistency": []}]})
    assert code == 0, said


def test_checkrecords_says_who_answers(match, taken, tmp_path):
    kept, file = tmp_path / "receipt.json", tmp_path / "record.jsonl"
    file.write_text(json.dumps(record(rushed(access.find(match.key), seed=3))) + "\n")
    key = checkpoint.written(Checkpoint.read(taken["head"]["note"]).key)
    unsigned = {name: value for name, value in taken.items() if name not in ("key", "head", "signature")}
    for given, says in (
        (taken, f"signed by localhost:8000, as its head of 2026-11-20 says, if {key} is the key of its log"),
        (signed_by("of somebody else", taken), "see whether a later head of the log names it"),
        (unsigned, "not signed: it proves something to whoever took it"),
    ):
        kept.write_text(json.dumps(given))
        out = StringIO()
        call_command("checkrecords", str(file), "--receipt", str(kept), stdout=out)
        assert says in out.getvalue()
    kept.write_text(json.dumps(taken | {"at": "2026-01-01T00:00:00+00:00"}))
    with pytest.raises(CommandError, match=r"receipt\.json is forged: its signature is not that of its key"):
        call_command("checkrecords", str(file), "--receipt", str(kept))


def test_no_secret_is_in_a_receipt(taken, settings):
    private = keys.of_receipts(settings.SECRET_KEY).private_bytes_raw()
    text = json.dumps(taken)
    assert settings.SECRET_KEY not in text
    assert private.hex() not in text and checkpoint.written(private) not in text
