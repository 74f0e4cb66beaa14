"""Clubs and their ladders: what their pages and forms must not tell, take or do."""

import re
from html import unescape
from itertools import product
from urllib.parse import quote_from_bytes, urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.matches import access
from tests.clubs.clubs import DAY, agreed, club_of
from tests.matches.matches import rushed
from tests.security import world
from tests.undoing import undone

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ODD = (
    *("", "0", "-1", "9" * 30, "NaN", "²", "\x00", "\ud800", "é" * 3000),
    *("a\r\nBcc: eve@example.org%s%n%(name)s", "//evil.example"),
)
FIELDS = {
    "clubs/new": ("clubname", "slug", "description", "language", "visible", "joining"),
    "c/st-gall/desk/club": ("clubname", "slug", "description", "language", "visible", "joining"),
    "c/st-gall/desk/invite": ("names",),
    "c/st-gall/desk/announce": ("text",),
    "c/st-gall/desk/link": ("do",),
    "c/st-gall/desk/expel/bob": ("reason",),
    "c/st-gall/calendar/new": ("kind", "game"),
    "c/st-gall/tournaments/1/next": ("rounds",),
    "c/st-gall/tournaments/1/tick": ("member", "names"),
    "c/st-gall/tournaments/1/untick": ("player",),
    "c/st-gall/tournaments/1/seat": ("how", "size", "fill", "rounds"),
    "c/st-gall/tournaments/1/correct/1/1": ("place_0", "counts", "reason", "looked"),
    "c/st-gall/ladders/new": ("name_", "first", "sizes", "who"),
    "c/st-gall/ladders/1/desk/name": ("name_",),
    "c/st-gall/ladders/1/desk/season": ("do", "last", "events"),
    "c/st-gall/ladders/1/desk/correct": ("player", "position", "reason"),
    "c/st-gall/ladders/1/desk/add": ("players", "everybody", "names"),
    "c/st-gall/ladders/1/desk/rules": ("reach", "accept_days", "season_weeks", "soft_reset"),
    "c/st-gall/ladders/1/desk/order": ("events", "order", "reason", "names", "up", "down"),
    "c/st-gall/ladders/1/desk/undo/4": ("reason",),
    "c/st-gall/ladders/1/vacation": ("first", "last"),
    "c/st-gall/ladders/1/challenge?to=eve": ("seats", "third", "pace", "minutes", "days", "time_0", "preset"),
}
GOOD = {
    **{"clubname": "Reichenau", "visible": "all", "joining": "free"},
    **{"pace": "daily", "days": "3", "seats": "2", "preset": "rulebook"},
}
NUMBERS = ("0", "9" * 18, "9" * 30, "9" * 4000, "9" * 5000)
NUMBERED = (
    *("c/st-gall/tournaments/{}", "c/st-gall/tournaments/{}/wall", "c/st-gall/tournaments/1/correct/{}/1"),
    *("c/st-gall/ladders/1/challenges/{}", "c/st-gall/ladders/1/seasons/{}", "c/st-gall/ladders/1/seasons/{}.csv"),
    *("c/st-gall/ladders/1/seasons/{}.json", "c/st-gall/ladders/1/desk/undo/{}"),
    *(
        "c/st-gall/ladders/1/history?event={}",
        "c/st-gall/ladders/1/history?older={}",
        "c/st-gall/ladders/1/history?newer={}",
    ),
)
NAMED = (
    *("c/{}/tournaments", "c/{}/tournaments/1", "c/st-gall/tournaments/1/come/{}"),
    *(
        "c/{}",
        "c/{}/members",
        "c/{}/ladders/1",
        "c/{}/ladders/1/embed",
        "c/{}/ladders/1.json",
        "c/{}/desk",
        "c/{}/invited/abc",
    ),
    *("c/st-gall/invited/{}", "c/st-gall/ladders/1/player/{}", "c/st-gall/ladders/1/challenge?to={}", "clubs?q={}"),
    *(
        "c/st-gall/ladders/1/history?kind={}",
        "c/st-gall/ladders/1/history?player={}",
        "c/st-gall/ladders/1/player/eve?span={}",
        "c/st-gall/ladders/1/desk/order?by={}",
    ),
    *("c/st-gall/desk/expel/{}", "c/st-gall/ladders/1/embed?theme={}", "notices?older={}", "notices?newer={}"),
)


def written(text):
    return quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe="")


@pytest.mark.twice
def test_whatever_is_entered_is_answered_with_a_sentence(site):
    """All fields at once; and while the others are right, each with what a database does not take."""
    sqlite = connection.vendor == "sqlite"
    alone = ("9" * 30, "\ud800") if sqlite else ("9" * 30, "\ud800", "\x00")
    for address, every in FIELDS.items():
        client = world.client_of(site, "player" if "challenge" in address else "host")
        client.raise_request_exception = True
        together = [(every, odd) for odd in ODD] if sqlite else []
        for fields, odd in [*together, *(((field,), odd) for field in every for odd in alone)]:
            good = {name: text for name, text in GOOD.items() if name not in fields}
            body = "&".join([urlencode(good), *(f"{field}={written(odd)}" for field in fields)])
            with undone():
                answer = client.generic("POST", f"/{address}", body, "application/x-www-form-urlencoded")
            assert answer.status_code < 500, (address, fields, odd)
            assert "evil.example" not in answer.headers.get("Location", ""), (address, fields, odd)


def test_numbers_of_any_length_in_addresses(site):
    client = world.client_of(site, "host")
    client.raise_request_exception = True
    for address, number in product(NUMBERED, NUMBERS):
        assert client.get("/" + address.format(number)).status_code in (200, 404), (address, number)
    assert client.post(f"/c/st-gall/desk/withdraw/{NUMBERS[2]}").status_code == 302
    assert client.post(f"/c/st-gall/ladders/1/challenges/{NUMBERS[2]}/accept").status_code == 404


@pytest.mark.twice
def test_texts_of_any_kind_in_addresses(site):
    texts = ODD if connection.vendor == "sqlite" else ("9" * 30, "\x00")
    client = world.client_of(site, "host")
    client.raise_request_exception = True
    for address, odd in product(NAMED, texts):
        assert client.get("/" + address.format(written(odd) or "x")).status_code in (200, 302, 404), (address, odd)


# What a private club shows to nobody

SECRET = "Scola Arcana"


def private(*names, slug="arcana"):
    """A private club of these people, with a ladder on which a game is played and another one was."""
    now = timezone.now()
    ladder = club_of(*names, slug=slug, private=True, now=now - 9 * DAY)
    ladder.club.name, ladder.club.invitation = SECRET, "k" * 22
    ladder.club.save()
    match = access.find(agreed(ladder, names[1], names[0], now=now - 8 * DAY).match.key)
    rushed(match)
    agreed(ladder, names[2], names[0], now=now)
    ladder.refresh_from_db()
    return ladder


def told_to(client, method, address):
    """An answer and what the database was asked for it, without what differs at each time."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.generic(method, address, HTTP_HOST="localhost")
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"|arcana|absent', "", answer.content.decode())
    asked = [re.sub(r"arcana|absent|'\d{4}-\d\d-[^']*'", "?", query["sql"]) for query in queries]
    return answer.status_code, answer.headers.get("Location", "").replace("arcana", "absent"), text, asked


@pytest.mark.once
@pytest.mark.parametrize("role", ["anonymous", "guest", "outsider", "elsewhere", "steward"])
def test_of_a_private_club_others_get_what_they_get_of_no_club_and_it_is_looked_for_alike(site, role):
    challenge = private("ann", "bob", "eve").challenges.last()
    parts = {"<str:slug>": "{slug}", "<str:token>": "nope", "<str:username>": "bob", "undo/<int:event>": "undo/4"}
    parts |= {"<int:number>": "1", "<int:pk>": str(challenge.pk), "<int:round_number>/<int:table>": "1/1"}
    world.client_of(site, role).get("/rules")  # it notes that the browser was seen
    for route in world.patterns():
        if not route.startswith("c/<str:slug>"):
            continue
        for part, text in parts.items():
            route = route.replace(part, text)
        client = world.client_of(site, role)
        for method in ("GET", "POST"):
            there, nowhere = (told_to(client, method, "/" + route.format(slug=slug)) for slug in ("arcana", "absent"))
            assert there == nowhere, (method, route)
            assert there[0] in (404, 405), (method, route)


@pytest.mark.once
def test_no_page_of_the_site_names_a_private_club_to_others(site):
    ladder = private("ann", "bob", "eve")
    keys = [challenge.match.key for challenge in ladder.challenges.all()]
    pages = ["/", "/clubs", "/clubs?q=arcana", "/clubs?q=scola", "/play", "/play/news", "/watch", "/leaders"]
    pages += ["/@/ann", "/@/ann/games", "/@/bob/games", "/@/eve", "/notices", "/c/st-gall", "/c/st-gall/ladders/1"]
    for role, page in product(("anonymous", "guest", "outsider", "elsewhere", "steward"), pages):
        text = world.client_of(site, role).get(page).content.decode()
        assert not [word for word in (SECRET, "/c/arcana", *keys) if word in text], (role, page)


@pytest.mark.once
def test_stewards_of_the_site_see_no_invitation_link(site):
    ladder = private("ann", "bob", "eve")
    site.people["steward"].is_superuser = True
    site.people["steward"].save()
    client = world.client_of(site, "steward")
    for page in ("/admin/accounts/club/", f"/admin/accounts/club/{ladder.club.pk}/change/", "/admin/"):
        assert "k" * 22 not in client.get(page).content.decode(), page
    assert SECRET in client.get(f"/admin/accounts/club/{ladder.club.pk}/change/").content.decode()


# What is to be pasted elsewhere


@pytest.mark.once
def test_the_frame_for_other_sites_holds_the_name_of_the_club_as_text(site):
    site.club.name = 'A"><script>alert(1)</script> & more'
    site.club.save()
    page = world.client_of(site, "host").get("/c/st-gall/ladders/1/desk").content.decode()
    frame = unescape(re.search(r"<textarea[^>]*id=.frame.[^>]*>(.*?)</textarea>", page, re.S)[1])
    assert frame.count("<") == 2 and "<script" not in frame
    assert unescape(re.search(r'title="([^"]*)"', frame)[1]) == site.club.name
