"""The feeds of a club: what stands in them, who reads them, and when they are sent again."""

import json
from datetime import timedelta
from xml.etree import ElementTree

import pytest

from accounts.clubs import clubs
from accounts.models import Club, User
from accounts.web.refused import Refused
from games.calendar import services as dates
from games.calendar.services import EventPlan
from games.feeds import services
from games.ladders import events
from tests.clubs.club_pages import private
from tests.clubs.clubs import DAY, club_of, met
from tests.people import person

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
AT = "/c/st-gall/feed"


@pytest.fixture
def ladder(now):
    ladder = club_of("ann", "bob", now=now - 30 * DAY)
    met(ladder, "bob", "ann", now=now - 2 * DAY)
    return ladder


@pytest.fixture
def club(ladder, now):
    ann, plan = person("ann"), EventPlan("<Open> evening", now + 5 * DAY, 3, "Hall", "", True)
    clubs.announce(ladder.club, ann, "Welcome & hello.", now - DAY, public=True)
    clubs.announce(ladder.club, ann, "For us.", now - DAY)
    dates.make(ladder.club, ann, plan, now)
    dates.make(ladder.club, ann, plan._replace(title="Quiet evening", public=False), now)
    return ladder.club


def titles(answer):
    return [item["title"] for item in json.loads(answer.content)["items"]]


def test_both_tell_the_same_the_newest_first(client, club):
    found = ElementTree.fromstring(client.get(f"{AT}.atom").content)
    entries = found.findall(f"{ATOM}entry")
    told = titles(client.get(f"{AT}.json"))
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == told
    assert told[0].startswith("<Open> evening, ") and told[0].endswith(" UTC")
    assert told[1:4] == ["Welcome & hello.", "bob beat ann.", "bob is the new leader of the ladder."]
    assert [told[4][:14], len(told)] == ["ann began seas", 5]  # nothing that is for members only
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == len(ids) and all(each.startswith("tag:localhost,2026:club/") for each in ids)


def test_it_has_all_that_the_formats_demand(client, club):
    """RFC 4287, 4.1.1 and 4.1.2: what a feed and its entries must have, and how often; JSON Feed 1.1."""
    feed = ElementTree.fromstring(client.get(f"{AT}.atom").content)
    for element in (feed, *feed.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            [found] = element.findall(f"{ATOM}{name}")
            assert found.text
        for person_ in element.findall(f"{ATOM}author"):
            assert person_.findtext(f"{ATOM}name")
    assert feed.find(f"{ATOM}author") is not None  # so no entry needs one
    document = json.loads(client.get(f"{AT}.json").content)
    assert document["version"] == "https://jsonfeed.org/version/1.1" and document["title"]
    assert document["authors"][0]["name"] == club.name
    assert all(item["id"] and item["content_text"] for item in document["items"])


def test_what_xml_cannot_say_is_left_out(client, club):
    settings = {name: getattr(club, name) for name in clubs.SETTINGS}
    changed = clubs.change(club, person("ann"), **settings | {"description": "We\x0b meet\x1b \u202eon Friday."})
    assert changed.description == "We\n meet on Friday."
    Club.objects.update(description="As it came\x1b.")
    assert ElementTree.fromstring(client.get(f"{AT}.atom").content).findtext(f"{ATOM}subtitle") == "As it came."


def test_what_was_undone_is_not_told_any_more(client, ladder):
    result = ladder.log.filter(kind="result").get()
    events.undo(ladder, person("ann"), result.number, "They did not play it.", result.at + timedelta(hours=1))
    assert not {"bob beat ann.", "bob is the new leader of the ladder."} & set(titles(client.get(f"{AT}.json")))


@pytest.mark.parametrize("kind", ["atom", "json"])
def test_it_is_sent_again_only_if_it_has_changed(client, club, kind, now):
    first = client.get(f"{AT}.{kind}")
    assert first["Access-Control-Allow-Origin"] == "*" and "Set-Cookie" not in first
    again = client.get(f"{AT}.{kind}", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again["Access-Control-Allow-Origin"]) == (304, "*")
    made = clubs.announce(club, person("ann"), "Something new.", now - DAY, public=True)
    second = client.get(f"{AT}.{kind}", headers={"If-None-Match": first["ETag"]})
    assert second.status_code == 200
    clubs.withdraw(club, person("ann"), made.pk)
    # What is deleted changes no date.
    asked = {"If-None-Match": second["ETag"], "If-Modified-Since": "Sun, 01 Jan 2040 00:00:00 GMT"}
    assert client.get(f"{AT}.{kind}", headers=asked).status_code == 200


def test_the_feed_of_a_private_club_needs_its_token_whoever_asks(client, club):
    private(club)
    bob = person("bob")
    client.force_login(bob)
    assert "Make addresses" in client.get(f"{AT}s").content.decode()
    client.post(f"{AT}s/token", {"do": "new"})
    token = services.token_of(club, bob)
    assert f"/feed/{token}.atom" in client.get(f"{AT}s").content.decode()
    client.force_login(person("ann"))
    assert token not in client.get(f"{AT}s").content.decode()  # each member has their own
    client.logout()
    found = client.get(f"{AT}/{token}.json")
    assert "For us." in titles(found) and "Access-Control-Allow-Origin" not in found
    for wrong in (f"{AT}.json", f"{AT}/{'x' * 32}.json", f"/c/elsewhere/feed/{token}.json", f"{AT}/%00.atom"):
        assert client.get(wrong).status_code == 404
    services.renew(club, bob)
    assert client.get(f"{AT}/{token}.json").status_code == 404
    services.close(club, bob)
    assert services.token_of(club, bob) == ""


def test_who_leaves_or_is_banned_reads_the_feed_of_a_private_club_no_more(client, club, now):
    private(club)
    bob = person("bob")
    services.renew(club, bob)
    address = f"{AT}/{services.token_of(club, bob)}.json"
    assert client.get(address).status_code == 200
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert client.get(address).status_code == 404
    User.objects.filter(pk=bob.pk).update(is_active=True)
    clubs.leave(club, bob, now)
    assert client.get(address).status_code == 404
    with pytest.raises(Refused):
        services.renew(club, bob)
    clubs.join(club, bob, now, clubs.new_link(club, person("ann")))
    assert client.get(address).status_code == 404  # nor once they are back


def test_it_is_in_utc_and_in_the_language_of_the_club_whoever_asks(client, club):
    client.force_login(person("bob"))
    person("bob").__class__.objects.update(zone="Asia/Tokyo", language="en")
    mine = client.get(f"{AT}.atom").content
    client.logout()
    assert mine == client.get(f"{AT}.atom", headers={"Accept-Language": "de"}).content
