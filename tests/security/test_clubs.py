"""Clubs and their ladders: what their pages and forms must not tell, take or do."""

import re
from datetime import timedelta
from html import unescape
from itertools import product
from urllib.parse import quote_from_bytes, urlencode

import pytest
from asgiref.sync import sync_to_async
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import services
from accounts.clubs import clubs
from accounts.models import Notice
from accounts.notices import mails, notices
from games.ladders import challenges
from games.ladders.models import Challenge
from games.matches import access, play
from tests.clubs.clubs import DAY, agreed, club_of
from tests.matches.matches import rushed
from tests.people import person
from tests.security import world
from tests.undoing import undone

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ODD = (
    *("", " ", "0", "-1", "1", "9" * 30, "1e9", "NaN", "١", "½", "1\x000", "\x00", "\ud800", "\ufeff", "\u202e"),
    *("é" * 3000, "x" * 20_000, "a\r\nBcc: eve@example.org", "%s%n%(name)s", "{{7*7}}", "//evil.example", "true", "[]"),
)
ALONE = ("9" * 30, "\x00", "\ud800")
"""What no database takes, or no encoding: it is tried in each field while the others are right."""
FIELDS = {
    "clubs/new": ("clubname", "slug", "description", "language", "visible", "joining"),
    "c/st-gall/desk/club": ("clubname", "slug", "description", "language", "visible", "joining"),
    "c/st-gall/desk/invite": ("names",),
    "c/st-gall/desk/announce": ("text",),
    "c/st-gall/desk/link": ("do",),
    "c/st-gall/desk/expel/bob": ("reason",),
    "c/st-gall/tournaments/evening": ("name_", "seats", "time", "preset", "rated"),
    "c/st-gall/tournaments/new": ("name_", "kind", "seats", "pace", "days", "rounds", "box", "seeds", "preset"),
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
        "c/st-gall/ladders/1/events?event={}",
        "c/st-gall/ladders/1/events?older={}",
        "c/st-gall/ladders/1/events?newer={}",
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
        "c/st-gall/ladders/1/events?kind={}",
        "c/st-gall/ladders/1/events?player={}",
        "c/st-gall/ladders/1/player/eve?span={}",
        "c/st-gall/ladders/1/desk/order?by={}",
    ),
    *("c/st-gall/desk/expel/{}", "c/st-gall/ladders/1/embed?theme={}", "notices?older={}", "notices?newer={}"),
)


def written(text):
    return quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe="")


def test_whatever_is_entered_is_answered_with_a_sentence(site):
    for address, every in FIELDS.items():
        client = world.client_of(site, "player" if "challenge" in address else "host")
        client.raise_request_exception = True
        for fields, odd in [*((every, odd) for odd in ODD), *(((field,), odd) for field in every for odd in ALONE)]:
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


def test_texts_of_any_kind_in_addresses(site):
    client = world.client_of(site, "host")
    client.raise_request_exception = True
    for address, odd in product(NAMED, ODD):
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
    """An answer without what differs at each time."""
    answer = client.generic(method, address)
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"|arcana|absent', "", answer.content.decode())
    return answer.status_code, answer.headers.get("Location", "").replace("arcana", "absent"), text


@pytest.mark.once
def test_of_a_private_club_others_get_what_they_get_of_no_club(site):
    challenge = private("ann", "bob", "eve").challenges.last()
    parts = {"<str:slug>": "{slug}", "<str:token>": "nope", "<str:username>": "bob", "undo/<int:event>": "undo/4"}
    parts |= {"<int:number>": "1", "<int:pk>": str(challenge.pk)}
    for route in world.patterns():
        if not route.startswith("c/<str:slug>"):
            continue
        for part, text in parts.items():
            route = route.replace(part, text)
        for role, method in product(("anonymous", "guest", "outsider", "elsewhere", "steward"), ("GET", "POST")):
            client = world.client_of(site, role)
            there, nowhere = (told_to(client, method, "/" + route.format(slug=slug)) for slug in ("arcana", "absent"))
            assert there == nowhere, (role, method, route)
            assert there[0] in (404, 405), (role, method, route)


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


# Who does not belong to it any more


@pytest.mark.django_db(transaction=True)
async def test_whoever_is_expelled_sees_no_more_of_the_games_that_they_watch(site, pages):
    def arrange():
        ladder = private("ann", "bob", "dan")
        match = agreed(ladder, "dan", "bob", now=timezone.now()).match
        person("cho").memberships.create(club=ladder.club, joined_at=timezone.now())
        return ladder.club, match

    club, match = await sync_to_async(arrange)()
    watcher = await pages(f"/ws/m/{match.key}", session=site.sessions["outsider"])
    player = await pages(f"/ws/m/{match.key}", session=site.sessions["player"])
    ladder = await pages("/ws/c/arcana/ladders/1", session=site.sessions["outsider"])
    for page in (watcher, player):
        await page.board()
    await ladder.until(lambda text: "rungs" in text)
    await sync_to_async(clubs.expel)(
        club, person_of(site, "host"), person_of(site, "outsider"), "Noise", timezone.now()
    )
    assert await watcher.closed_with() == 4404
    assert await ladder.closed_with() == 4404
    await sync_to_async(play.leave)(await sync_to_async(access.find)(match.key), 0, "resign")
    await player.board()


def person_of(site, role):
    return site.people[role]


# Names of former members


def test_whoever_has_closed_their_account_is_named_in_nobodys_notices():
    ann, bob, cho = person("ann"), person("bob"), person("cho")
    now = timezone.now()
    notices.notify([ann], "challenged", "/c/st-gall", now, by=bob, club="St Gall", name="bob")
    notices.notify([ann], "table", "/m/x", now, by=bob, club="St Gall", names="bobby, bob, cho")
    notices.notify([ann], "approved", "/c/bob", now, by=cho, club="bob")
    services.close(bob)
    assert services.close_due(now + timedelta(days=15)) == 1
    bob.refresh_from_db()
    gone = bob.username
    told = list(Notice.objects.filter(user=ann).order_by("pk").values_list("values", flat=True))
    assert told == [
        {"club": "St Gall", "name": gone},
        {"club": "St Gall", "names": f"bobby, {gone}, cho"},
        {"club": "bob"},
    ]
    assert cho.notices.count() == 0


# What is to be pasted elsewhere


@pytest.mark.once
def test_the_frame_for_other_sites_holds_the_name_of_the_club_as_text(site):
    site.club.name = 'A"><script>alert(1)</script> & more'
    site.club.save()
    page = world.client_of(site, "host").get("/c/st-gall/ladders/1/desk").content.decode()
    frame = unescape(re.search(r"<textarea[^>]*id=.frame.[^>]*>(.*?)</textarea>", page, re.S)[1])
    assert frame.count("<") == 2 and "<script" not in frame
    assert unescape(re.search(r'title="([^"]*)"', frame)[1]) == site.club.name


# Mails and notices that others cause


def test_no_address_gets_more_than_so_many_mails_an_hour(at_most):
    at_most("letters to", 3)
    now = timezone.now()
    ann, also_ann = person("ann", email="ann@example.org"), person("ann2", email="Ann@Example.org")
    for number in range(6):
        notices.notify([ann, also_ann], "announced", f"/c/club-{number}", now, by=ann, club="St Gall", text="Hear!")
    mails.send_due(now + timedelta(minutes=1))
    assert len(mail.outbox) == 3
    assert not Notice.objects.exclude(mail_at=None).exists()
    assert Notice.objects.filter(user=ann, seen_at=None).count() == 6


def test_nobody_is_challenged_again_and_again(client, at_most):
    at_most("challenges", 1)
    club_of("ann", "bob", now=timezone.now() - DAY)
    client.force_login(person("bob"), backend="django.contrib.auth.backends.ModelBackend")
    terms = {"seats": "2", "pace": "daily", "days": "1", "preset": "rulebook"}
    answers = []
    for _ in range(2):
        answers.append(client.post("/c/st-gall/ladders/1/challenge?to=ann", terms).status_code)
        for challenge in Challenge.objects.filter(status="open"):
            challenges.withdraw(challenge, person("bob"), timezone.now())
    assert answers == [302, 429]
    assert Notice.objects.filter(user=person("ann"), kind="challenged").count() == 1


def test_a_long_list_of_invitations_counts_more_than_a_short_one(client, at_most):
    at_most("invitations", 4)
    club_of("ann", "bob")
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    many = [person(f"Monk-{number}").username for number in range(61)]

    def ask(names):
        return client.post("/c/st-gall/desk/invite", {"names": "\n".join(names)}).status_code

    assert [ask(many[:41]), ask(many[41:50]), ask(many[50:])] == [200, 200, 429]
    assert Notice.objects.filter(kind="invited").count() == 50


def test_a_mail_has_no_header_that_a_name_or_a_reason_brings():
    ann, now = person("ann", email="ann@example.org"), timezone.now()
    for number, sign in enumerate(("\r\n", "\n", "\x0b", "\x85", "\u2028")):
        values = {"club": f"St{sign}Bcc: eve@example.org", "reason": f"Why{sign}Bcc: eve@example.org{sign}{sign}Hello"}
        notices.notify([ann], "expelled", f"/c/{number}", now, by=ann, **values)
    assert mails.send_due(now + timedelta(minutes=1)) == 5
    for letter in mail.outbox:
        assert letter.message()["Bcc"] is None and letter.recipients() == ["ann@example.org"]
        assert len(letter.subject.splitlines()) == 1


def test_what_people_write_is_no_markup_and_no_pattern_in_a_notice():
    ann, now = person("ann"), timezone.now()
    odd = "<b>%(name)s %s {{ 7 }}"
    more = {"day": 0, "value": 2, "event": odd, "title": odd, "host": odd, "game": "Biblios"}
    for kind in notices.KINDS:
        values = {"club": odd, "name": odd, "names": f"{odd}, {odd}", "reason": odd, "text": odd}
        notices.notify(
            [ann], kind, f"/{kind}", now, by=ann, **values, hours=1, position=1, before=2, number=1, until=0, **more
        )
    for notice in Notice.objects.all():
        page, text = notices.in_page(notice), notices.in_text(notice)
        assert "<b>" not in page and odd in text
        assert unescape(re.sub("</?(bdi|time)[^>]*>", "", page)) == text


@pytest.mark.once
@pytest.mark.parametrize("role", ["anonymous", "guest", "outsider", "steward"])
def test_the_site_looks_for_a_private_club_as_for_none(site, role):
    club_of("ann", "bob", slug="st-gall-2", private=True)

    def asked(slug):
        for route in sorted(route for route in world.patterns() if route.startswith("c/")):
            address = world.address_of(site, route).replace("/st-gall", f"/{slug}", 1)
            client = world.client_of(site, role)
            for ask in (client.get, client.post):
                with CaptureQueriesContext(connection) as queries:
                    status = ask(address, HTTP_HOST="localhost").status_code
                yield route, status, [re.sub(rf"{slug}|'\d{{4}}-\d\d-[^']*'", "?", query["sql"]) for query in queries]

    world.client_of(site, role).get("/rules")  # it notes that the browser was seen
    for found, missing in zip(asked("st-gall-2"), asked("st-gall-3"), strict=True):
        assert found == missing
