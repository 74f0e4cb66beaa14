"""What the site says of its log: to everybody the same, and of no game more than whoever asks may know."""

from hashlib import sha256
from xml.etree import ElementTree

import pytest
from django.core.cache import caches

from games.matches.models import Match
from games.transparency.checkpoint import Checkpoint
from games.transparency.models import TreeHead, TreeLeaf
from tests.clubs.clubs import club_of
from tests.people import person
from tests.transparency.days import NOON, close, days, ended

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


def test_the_page_shows_the_latest_head_and_the_days(client):
    assert b"There are no days in the log yet" in client.get("/log").content
    days(2)
    page = client.get("/log").content.decode()
    note = TreeHead.objects.last().note
    assert note.partition("—")[0] in page.replace("&#x27;", "'")
    assert "/log/heads/2026-11-20.json" in page


def test_the_feed_has_the_head_of_every_day_under_the_sites_own_name(client, settings):
    settings.SITE_URL = "https://play.example.org"
    days(2)
    answer = client.get("/log/feed.atom", headers={"Host": "localhost:1337"})
    entries = ElementTree.fromstring(answer.content).findall(f"{ATOM}entry")
    assert [entry.find(f"{ATOM}link").get("href") for entry in entries] == [
        "https://play.example.org/log/heads/2026-11-21.json",
        "https://play.example.org/log/heads/2026-11-20.json",
    ]
    assert "play.example.org/log\n4\n" in entries[0].find(f"{ATOM}summary").text
    assert b"1337" not in answer.content


def test_a_mirror_can_compute_the_root_from_the_hashes(client):
    days(1, 4)
    ended(1)  # not under a head yet
    a, b, c, d = (bytes.fromhex(line) for line in client.get("/log/hashes/0.txt").content.decode().split())
    left, right = sha256(b"\1" + a + b).digest(), sha256(b"\1" + c + d).digest()
    head = client.get("/log/heads.json").json()["heads"][-1]
    [root] = TreeHead.objects.values_list("note", flat=True)
    assert head["note"] == root
    assert sha256(b"\1" + left + right).digest() == Checkpoint.read(root).root
    assert client.get("/log/hashes/1.txt").status_code == 404


def test_older_heads_are_on_earlier_pages(client, monkeypatch):
    monkeypatch.setattr("games.transparency.documents.HEADS", 2)
    days(3, 1)
    latest = client.get("/log/heads.json").json()
    assert ([head["day"] for head in latest["heads"]], latest["older"]) == (["2026-11-21", "2026-11-22"], True)
    older = client.get("/log/heads.json?before=2026-11-21").json()
    assert ([head["day"] for head in older["heads"]], older["older"]) == (["2026-11-20"], False)


def test_what_is_public_may_be_kept_and_is_limited(client, at_most):
    days(2)
    for path, seconds in (
        ("/log/heads.json", 300),
        ("/log/heads/2026-11-20.json", 86_400),
        ("/log/consistency/2/4.json", 86_400),
        ("/log/hashes/0.txt", 300),
        ("/log/feed.atom", 300),
    ):
        cached = client.get(path)["Cache-Control"]
        assert {"private", f"max-age={seconds}"} == set(cached.split(", ")), path
        at_most("log", 0)
        assert client.get(path).status_code == 429, path
        at_most("log", 100)
        caches["default"].clear()


@pytest.mark.parametrize(
    "path",
    [
        *("heads/2026-11-19.json", "heads/yesterday.json", "heads.json?before=x", "consistency/3/2.json"),
        *("consistency/0/5.json", f"consistency/0/{10**30}.json", f"hashes/{10**30}.txt", "hashes/1.txt"),
    ],
)
def test_there_is_nothing_at_impossible_addresses(client, path):
    days(2)
    assert client.get(f"/log/{path}").status_code == 404


def test_the_proof_of_a_private_clubs_game_is_for_its_members(at):
    ladder = club_of("ann", "bob", private=True, now=NOON)
    match = ended(watch=Match.Watch.CLUB, club=ladder.club)
    close()
    for path in (f"{match.get_absolute_url()}/proof.json", f"{ladder.get_absolute_url()}/proof.json"):
        person("cho")
        for name, status in (("", 404), ("cho", 404), ("ann", 200)):
            assert at(name).get(path).status_code == status, (path, name)


def test_what_is_public_names_no_game_and_no_ladder(client):
    ladder = club_of("ann", "bob", private=True, now=NOON)
    match = ended(watch=Match.Watch.CLUB, club=ladder.club)
    close()
    told = [match.key, bytes(match.link).hex(), bytes(ladder.origin).hex(), bytes(ladder.log.last().link).hex()]
    assert TreeLeaf.objects.count() == 2
    for path in ("", "/heads.json", "/heads/2026-11-20.json", "/hashes/0.txt", "/consistency/1/2.json", "/feed.atom"):
        page = client.get(f"/log{path}").content.decode()
        assert [word for word in told if word in page] == [], path


def test_a_game_that_is_not_under_a_head_yet_has_no_proof(client):
    match = ended()
    assert client.get(f"{match.get_absolute_url()}/proof.json").status_code == 404
    close()
    assert client.get(f"{match.get_absolute_url()}/proof.json").status_code == 200
