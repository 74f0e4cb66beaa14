"""A record proves itself, and is held against what was kept of its game."""

import copy
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.engine.core import BadRecord
from games.matches import access, chain, history, play
from games.matches.models import Seat
from games.review import proof, records
from games.transparency import receipt
from tests.matches.matches import rushed, seated
from tests.people import person
from tests.rewriting import unplayed

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def halfway(seed=1):
    match = rushed(seated("ann", "bob", bots=1), lambda state: state.placed > 9, seed=seed)
    play.leave(match, 1, Seat.Left.RESIGN)
    return access.find(match.key)


def document(match):
    """The record of a match that has ended, as it is downloaded."""
    return json.loads(json.dumps(records.document(match, history.replay(match))))


@pytest.fixture
def match():
    return rushed(halfway(), seed=3)


@pytest.fixture
def record(match):
    return document(match)


def test_a_record_proves_its_shuffle_and_its_chain(match, record):
    links = proof.links(record)
    assert len(links) == match.ply + 1
    assert (links[0], links[-1]) == (chain.first_link(match.header), bytes(match.link))


def test_the_lines_of_a_receipt_lead_from_its_header_to_its_link(match):
    given = receipt.document(match)
    link = chain.first_link(given["header"])
    for line in given["rows"]:
        link = chain.next_link(link, line)
    assert link.hex() == given["link"] == bytes(match.link).hex()
    assert len(given["rows"]) == given["ply"] == match.ply


def test_a_receipt_of_a_running_game_names_no_hidden_card():
    hidden = []
    while not hidden:  # the deal decides whether anybody has paid face down by then
        match = rushed(seated("ann", "bob", "dan"), lambda state: state.over or state.sold > 12, seed=4)
        replay = history.replay(match)
        hidden = [row.move for row, shown in zip(replay.rows, replay.shown, strict=True) if row.move != shown]
    given = json.dumps(receipt.document(match)["rows"])
    assert not [move for move in hidden if f" {move}" in given and move not in replay.shown]
    assert bytes(match.secret).hex() not in given and replay.seed.hex() not in given


def changed(record, *path, to):
    for step in path[:-1]:
        record = record[step]
    record[path[-1]] = to(record[path[-1]])


ANOTHER = {
    "commitment": (("proof", "commitment"), lambda text: "0" * 64),
    "secret": (("proof", "secret"), lambda text: "0" * 64),
    "share": (("proof", "shares", 0), lambda text: "f" * 32),
    "link": (("proof", "link"), lambda text: "0" * 64),
    "by": (("proof", "rows", 3, 0), lambda by: (by + 1) % 3),
    "at": (("proof", "rows", 3, 1), lambda at: at + 1),
    "rows": (("proof", "rows"), lambda rows: rows[:-1]),
    "shown": (("proof", "shown"), lambda shown: {"1": "pay"}),
    "name": (("proof", "names", 0, 0), lambda name: "eve"),
    "rated": (("rated",), lambda rated: not rated),
    "key": (("match",), lambda key: "anotherkey23"),
    "event": (("events", 0, "seat"), lambda seat: 0),
    "event moved": (("events", 0, "ply"), lambda ply: ply + 1),
    "started": (("proof", "header", "started"), lambda at: at + 1),
    "clock": (("proof", "header", "bank_ms"), lambda ms: ms + 1),
    "account": (("proof", "header", "players", 0, "account"), lambda key: key[::-1]),
    "first": (("first",), lambda seat: (seat + 1) % 3),
}


@pytest.mark.parametrize("what", ANOTHER)
def test_whatever_of_a_record_is_changed_is_found(record, what):
    path, to = ANOTHER[what]
    changed(record, *path, to=to)
    with pytest.raises(BadRecord):
        proof.links(record)


@pytest.mark.parametrize(
    ("where", "says"),
    [("sealed", "the seal of the bytes of seat 0"), ("unopened", "where the bytes of seat 0 come from")],
)
def test_bytes_of_the_site_do_not_pass_for_those_of_a_browser(record, where, says):
    changed(record, "proof", "header", "shares_from", 0, to=lambda site: where)
    with pytest.raises(BadRecord, match=says):
        proof.links(record)


def test_a_finished_game_that_was_rewritten_with_its_chain_is_told_from_a_receipt(tmp_path):
    """Whoever owns the database lets another end take the place of a game's: everything there fits, but not outside."""
    match = halfway()
    before = receipt.document(match)
    match = rushed(match, seed=3)
    link = bytes(match.link)
    Seat.objects.filter(match=match).update(left="", left_ply=None)
    match = rushed(unplayed(match), seed=5)
    out = StringIO()
    call_command("verifylogs", match.key, stdout=out)
    assert "no fault" in out.getvalue()

    links = proof.links(document(match))
    assert link not in links
    with pytest.raises(BadRecord, match=rf"row {before['ply']}: the link of the receipt is not in this record"):
        proof.compare(before, links, match.key)

    record, kept = tmp_path / "record.jsonl", tmp_path / "receipt.json"
    record.write_text(json.dumps(document(match)) + "\n")
    kept.write_text(json.dumps(before))
    assert "no fault" in run("checkrecords", str(record))
    with pytest.raises(CommandError, match="1 of 1 records are wrong"):
        run("checkrecords", str(record), "--receipt", str(kept))


def run(*arguments):
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_a_receipt_is_held_against_the_record_of_its_game(tmp_path):
    match = halfway()
    kept, record = tmp_path / "receipt.json", tmp_path / "record.jsonl"
    kept.write_text(json.dumps(receipt.document(match)))
    record.write_text(json.dumps(document(rushed(match, seed=3))) + "\n")
    assert "\n1 records replayed, no fault\n" in run("checkrecords", str(record), "--receipt", str(kept))

    record.write_text(json.dumps(document(rushed(seated("ann", "bob"), seed=3))) + "\n")
    with pytest.raises(CommandError, match="there is no record of"):
        run("checkrecords", str(record), "--receipt", str(kept))
    kept.write_text("{}")
    with pytest.raises(CommandError, match="isn’t a receipt"):
        run("checkrecords", str(record), "--receipt", str(kept))


@pytest.mark.parametrize("receipt_", [{}, {"format": "another"}, {"format": chain.RECEIPT, "match": "x"}, []])
def test_what_is_no_receipt_is_said(match, record, receipt_):
    with pytest.raises(BadRecord):
        proof.compare(receipt_, proof.links(record), match.key)


def test_a_record_of_a_closed_account_still_proves_its_chain(match, record):
    match.seats.filter(index=0).update(name="", salt=b"")
    match.seats.get(index=0).user.__class__.objects.filter(username="ann").update(username="closed-1", closed=True)
    again = document(access.find(match.key))
    assert again["proof"]["names"][0] is None and "ann" not in json.dumps(again["proof"])
    assert proof.links(again) == proof.links(copy.deepcopy(record))


def test_a_receipt_is_for_whoever_may_see_the_match(client):
    match = halfway()
    given = client.get(f"/m/{match.key}/receipt.json")
    assert given["Content-Disposition"].startswith("attachment; filename=")
    assert given.json()["link"] == bytes(match.link).hex()
    hidden = rushed(seated("ann", "bob", watch="none"), lambda state: state.placed > 5)
    assert client.get(f"/m/{hidden.key}/receipt.json").status_code == 404
    client.force_login(person("ann"))
    assert client.get(f"/m/{hidden.key}/receipt.json").status_code == 200
