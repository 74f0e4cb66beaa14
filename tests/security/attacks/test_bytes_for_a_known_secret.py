"""A site that knows the bytes of the players' browsers before it draws its secret chooses the shuffle.

So whatever begins a game must take no bytes for the shuffle: they are asked for on the page that shows the commitment.
"""

import pytest

from tests.security.attacks.outside import sat_down, until

BYTES = "ab" * 16


def by_host(ann, bob):
    """A table whose form has bytes in it, and a seat that is taken with some."""
    table = ann.table(share=BYTES)
    bob.post(f"{table}/join", share=BYTES)
    return table


def by_quick_match(ann, bob):
    for player in (ann, bob):
        answer = player.post("/play/quick", places="2", share=BYTES)
    return answer.path if answer.path.startswith("/m/") else until(lambda: found(bob), "a quick match")


def found(player):
    """Where the lobby leads somebody who waited for a quick match."""
    answer = player.get("/play/news?since=0")
    return answer.headers.get("HX-Redirect")


def against_bots(ann, _bob):
    return ann.post("/play/bots", places="2", share=BYTES).path


def by_rematch(ann, bob):
    table = sat_down(ann, bob)
    end(table, ann, bob)
    ann.post(f"{table}/rematch", share=BYTES)
    again = bob.post(f"{table}/rematch", share=BYTES).path
    assert again != table
    return again


def end(table, *players):
    """All agree to call the game off, so that its record is open."""
    for player in players:
        player.begun(table)
    for player in players:
        player.post(f"{table}/vote", vote="abort")


@pytest.mark.parametrize("begin", [by_host, by_quick_match, against_bots, by_rematch], ids=lambda way: way.__name__)
def test_no_bytes_are_taken_before_the_commitment_was_shown(attacked, begin):
    ann, bob = (attacked.player(f"{begin.__name__}_{name}") for name in ("ann", "bob"))
    table = begin(ann, bob)
    end(table, *((ann,) if begin is against_bots else (ann, bob)))
    record = until(
        lambda: (answer := ann.get(f"{table}/record.json")).status == 200 and answer.json(), f"the record of {table}"
    )
    assert len(record["proof"]["shares"]) == 2
    assert BYTES not in record["proof"]["shares"]


def test_no_page_of_the_lobby_asks_for_bytes(attacked):
    ann = attacked.player("asked_for_bytes")
    pages = [ann.get(path).text for path in ("/", "/play")]
    assert all('formaction="/play/quick' in page or "/play/bots" in page for page in pages)
    assert all('name="share"' not in page for page in pages)
