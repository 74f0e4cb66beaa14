"""The picture of a result, and what a link to a match tells: for games that are over and open to all, and no others."""

import re
import struct

import pytest

from games.matches import access, play
from games.review import picture
from games.table.present import MatchSnapshot
from games.table.preview import preview
from tests.clubs.clubs import agreed, club_of
from tests.matches.matches import rushed, seated
from tests.people import person

pytestmark = [pytest.mark.usefixtures("db", "static_files"), pytest.mark.once]


@pytest.fixture(autouse=True)
def nothing_kept():
    picture._kept.clear()


def test_it_is_a_png_of_the_usual_size_that_may_be_kept_by_others(client):
    match = rushed(seated("Ann", "Владимир", "آیدا"))
    response = client.get(f"/m/{match.key}/result.png")
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert response.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", response.content[16:24]) == (1200, 630)
    assert len(response.content) < 200_000
    assert response["Cache-Control"] == f"public, max-age={picture.KEPT_S}"


def test_the_picture_of_a_game_that_is_not_open_to_all_is_missing_for_everybody(client):
    private = rushed(access.find(agreed(club_of("ann", "bob", "eva", private=True), "bob", "ann").match.key))
    running, aborted = seated("ann", "bob"), seated("ann", "bob")
    for seat in (0, 1):
        play.vote(access.find(aborted.key), seat, "abort")
    assert (private.status, access.find(aborted.key).status) == ("finished", "aborted")
    for name in ("", "ann"):
        if name:
            client.force_login(person(name))
        missing = client.get("/m/abcdefghijkm/result.png")
        for match in (private, running, aborted):
            response = client.get(f"/m/{match.key}/result.png")
            assert (response.status_code, plain(response)) == (404, plain(missing))
    assert not picture._kept


def plain(response):
    """A page without the random token of its forms and its own address."""
    return re.sub(rb'name="csrfmiddlewaretoken" value="\w+"|(/|%2F)m(/|%2F)\w+?(/|%2F)result', b"", response.content)


def test_a_game_that_could_not_be_watched_has_a_picture_when_it_is_over(client):
    match = rushed(seated("ann", "bob", watch="none"))
    assert client.get(f"/m/{match.key}/result.png").status_code == 200


def test_it_is_drawn_once_and_anew_when_a_name_is_gone(client, monkeypatch):
    match = rushed(seated("ann", "bob"))
    drawn = []
    monkeypatch.setattr(picture, "draw", lambda match: drawn.append([seat.shown_name for seat in match.sitting]) or b"")
    for _ in range(3):
        client.get(f"/m/{match.key}/result.png")
    person("bob").__class__.objects.filter(username="bob").update(username="bobby")
    client.get(f"/m/{match.key}/result.png")
    assert len(drawn) == 1 + (access.find(match.key).sitting[1].shown_name != "bob")


def test_whoever_comes_while_others_are_drawn_for_too_long_is_put_off(client, monkeypatch):
    monkeypatch.setattr(picture, "WAIT_S", 0.01)
    match = rushed(seated("ann", "bob"))
    with picture._turn:
        response = client.get(f"/m/{match.key}/result.png")
    assert response.status_code == 503
    assert response["Retry-After"]
    assert client.get(f"/m/{match.key}/result.png").status_code == 200


def test_only_few_wait_for_others_to_be_drawn(client):
    """Each holds a connection to the database, of which a process has ten."""
    match = rushed(seated("ann", "bob"))
    for _ in range(picture.WAITING):
        assert picture._room.acquire(blocking=False)
    try:
        assert client.get(f"/m/{match.key}/result.png").status_code == 503
    finally:
        picture._room.release(picture.WAITING)
    assert client.get(f"/m/{match.key}/result.png").status_code == 200


def tags(html):
    return dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', html))


def test_a_link_to_an_ended_game_tells_its_result(client, settings):
    settings.SITE_URL = "https://biblios.example"
    match = rushed(seated("Ann", "Bob"))
    for address in (f"/m/{match.key}", f"/m/{match.key}/3"):
        found = tags(client.get(address).content.decode())
        assert re.fullmatch(r"\w+ won with \d+ points?", found["og:title"])
        assert re.match(r"1st \w+, \d+; 2nd \w+, \d+", found["og:description"])
        assert found["og:url"] == f"https://biblios.example/m/{match.key}"
        assert found["og:image"] == f"https://biblios.example/m/{match.key}/result.png"
        assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
        assert found["og:image:alt"].startswith(found["og:title"])
        assert found["twitter:card"] == "summary_large_image"


def test_a_link_to_a_running_game_tells_nothing_of_it(client):
    one, other = seated("Ann", "Bob"), seated("Dan", "Eve", "Fay", rated=True, pace="daily", days=1)
    found = [tags(client.get(f"/m/{match.key}").content.decode()) for match in (one, other)]
    for match, told in zip((one, other), found, strict=True):
        assert told.pop("og:url").endswith(f"/m/{match.key}")
        assert "og:image" not in told
    assert found[0] == found[1]


def test_a_member_sees_no_more_in_the_tags_of_a_private_game():
    match = rushed(seated("Ann", "Bob"))
    scene = MatchSnapshot(match).watched
    assert preview(scene).picture
    assert "Ann" not in str(preview(scene.with_(shared=False)))
