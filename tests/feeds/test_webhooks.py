"""Webhooks: what they are told, how it is signed, and what becomes of those that fail."""

import hmac
import json
from base64 import b64decode, b64encode
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.clubs import clubs
from accounts.models import Club
from accounts.web.refused import Refused
from games.calendar import services as dates
from games.calendar.services import EventPlan
from games.feeds import news, sending, services
from games.feeds.models import Delivery, Webhook
from games.ladders import events
from tests.clubs.clubs import DAY, club_of, met
from tests.feeds.server import NAME
from tests.people import person

pytestmark = pytest.mark.django_db

AT = f"https://{NAME}/hook"


@pytest.fixture
def ladder(now):
    return club_of("ann", "bob", "dan", now=now - 30 * DAY)


@pytest.fixture
def hook(ladder, now):
    return services.add(ladder.club, person("ann"), AT, "json", news.TOPICS, now)


def send():
    """The worker looks once, now."""
    sending.send_due(timezone.now())


def later(hook):
    """The time for the next attempt has come."""
    Webhook.objects.filter(pk=hook.pk, wake_at__isnull=False).update(wake_at=timezone.now())
    hook.refresh_from_db()


def told(server):
    return [json.loads(body) for _path, _headers, body in server.got]


def test_a_result_and_a_new_leader_are_told_in_order_and_once(server, ladder, hook, now):
    met(ladder, "bob", "ann", now=now - DAY)
    for _ in range(3):
        send()
    result, leader = told(server)
    assert (result["type"], result["data"]["title"]) == ("result", "bob beat ann.")
    assert result["data"]["content_text"] == "bob: from 2 to 1"
    assert (leader["type"], leader["data"]["title"]) == ("leader", "bob is the new leader of the ladder.")
    assert leader["data"]["club"]["name"] == "St Gall"
    hook.refresh_from_db()
    assert hook.wake_at is None and not hook.deliveries.exists() and hook.outcome == "204"


def test_it_is_signed_with_its_time_by_the_secret_that_the_steward_reads(server, ladder, hook, now):
    services.test(ladder.club, person("ann"), hook.pk, now)
    send()
    [(_path, headers, body)] = server.got
    key = b64decode(sending.shown_secret(hook).removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    assert headers["webhook-signature"] == f"v1,{b64encode(hmac.digest(key, signed, 'sha256')).decode()}"
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60


def test_discord_gets_what_calls_nobody_and_shows_text_as_text(server, ladder, now):
    services.add(ladder.club, person("ann"), AT, "discord", ["announcement"], now)
    met(ladder, "bob", "ann", now=now - DAY)
    clubs.announce(ladder.club, person("ann"), "@everyone [click](https://x.example) " + "y" * 1900, now, public=True)
    send()
    [message] = told(server)
    assert message["allowed_mentions"] == {"parse": []} and len(message["content"]) <= 2000
    assert r"\@everyone \[click\]\(https" in message["content"]
    assert message["content"].endswith(f"/c/st-gall#announcement-{ladder.club.announcements.get().pk}>")


def test_seasons_and_dates_are_told_too_but_not_what_is_for_members_only(server, ladder, hook, now):
    plan = EventPlan("Open evening", now + 5 * DAY, 3, "In the hall", "", True)
    dates.make(ladder.club, person("ann"), plan, now)
    dates.make(ladder.club, person("ann"), plan._replace(title="Quiet evening", public=False), now)
    clubs.announce(ladder.club, person("ann"), "For us.", now)
    events.end_season(ladder, person("ann"), now)
    for _ in range(5):
        send()
    assert [each["type"] for each in told(server)] == ["date", "season"]
    assert "Quiet" not in str(server.got) and "For us" not in str(server.got)
    assert not Delivery.objects.exists()


def test_the_webhook_of_a_private_club_is_told_all_that_members_see(server, ladder, hook, now):
    Club.objects.update(private=True)
    clubs.announce(ladder.club, person("ann"), "For us.", now)
    send()
    assert [each["data"]["content_text"] for each in told(server)] == ["For us."]


def test_what_is_deleted_before_it_is_sent_is_not_told(server, ladder, hook, now):
    announcement = clubs.announce(ladder.club, person("ann"), "Wrong!", now, public=True)
    clubs.withdraw(ladder.club, person("ann"), announcement.pk)
    send()
    assert server.got == [] and not Delivery.objects.exists()


@pytest.mark.parametrize("answers", [500, 404, "redirect"])
def test_what_fails_is_tried_again_later_and_later_and_as_the_same_message(server, ladder, hook, now, answers):
    server.answers = answers
    services.test(ladder.club, person("ann"), hook.pk, now)
    waits = []
    for _ in range(3):
        send()
        hook.refresh_from_db()
        waits.append(round((hook.wake_at - timezone.now()) / timedelta(minutes=1)))
        later(hook)
    assert waits == [1, 5, 30] and len({headers["webhook-id"] for _path, headers, _body in server.got}) == 1
    server.answers = 200
    send()
    hook.refresh_from_db()
    assert (hook.failures, hook.outcome, hook.wake_at) == (0, "200", None)


def test_a_message_that_cannot_be_written_holds_up_no_other_webhook(server, ladder, hook, now, monkeypatch):
    other = club_of("eve", "fay", slug="abbey", now=now - 30 * DAY)
    services.test(other.club, person("eve"), services.add(other.club, person("eve"), AT, "json", [], now).pk, now)
    write = news.item
    monkeypatch.setattr(news, "item", lambda club, *rest: write(club, *rest) if club == other.club else 1 / 0)
    met(ladder, "bob", "ann", now=now - DAY)
    send()
    assert [each["type"] for each in told(server)] == ["test"]
    hook.refresh_from_db()
    assert (hook.outcome, hook.failures, hook.deliveries.count()) == ("not written", 1, 2)
    later(hook)
    monkeypatch.setattr(news, "item", write)
    send()
    assert told(server)[-1]["type"] == "result"


def test_who_fails_again_and_again_is_switched_off_and_the_stewards_are_told(server, ladder, hook, now):
    server.answers = 503
    clubs.announce(ladder.club, person("ann"), "Hello.", now, public=True)
    for _ in range(len(sending.AGAIN) + 1):
        later(hook)
        send()
    hook.refresh_from_db()
    assert hook.off_at and hook.wake_at is None and not hook.deliveries.exists() and hook.outcome == "503"
    assert person("ann").notices.latest("pk").kind == "webhook-off"
    assert not person("bob").notices.filter(kind="webhook-off").exists()
    clubs.announce(ladder.club, person("ann"), "Anybody?", now, public=True)
    assert not Delivery.objects.exists()
    server.answers = 200
    services.test(ladder.club, person("ann"), hook.pk, timezone.now())
    send()
    hook.refresh_from_db()
    assert hook.off_at is None and told(server)[-1]["type"] == "test"


def test_an_address_that_says_that_it_is_gone_is_switched_off_at_once(server, ladder, hook, now):
    server.answers = 410
    services.test(ladder.club, person("ann"), hook.pk, now)
    send()
    hook.refresh_from_db()
    assert hook.off_at


def test_a_name_that_later_leads_inside_fails(server, ladder, now):
    hook = services.add(ladder.club, person("ann"), "https://inside.example.org/", "json", [], now)
    services.test(ladder.club, person("ann"), hook.pk, now)
    send()
    hook.refresh_from_db()
    assert (hook.outcome, hook.failures) == ("not a public address", 1) and server.reached == []


def test_a_webhook_that_another_worker_has_claimed_is_left_to_it(server, ladder, hook, now):
    services.test(ladder.club, person("ann"), hook.pk, now)
    Webhook.objects.update(wake_at=now + sending.CLAIMED)
    send()
    assert server.got == []


def test_what_cannot_be_a_webhook_is_refused(ladder, hook, now):
    club, ann = ladder.club, person("ann")
    for address, says in ((AT, "already"), ("http://example.org/", "https"), ("https://127.0.0.1/", "private network")):
        with pytest.raises(Refused, match=says):
            services.add(club, ann, address, "json", [], now)
    with pytest.raises(Refused, match="Only a steward"):
        services.add(club, person("bob"), "https://example.org/", "json", [], now)
    for number in range(services.MOST - 1):
        services.add(club, ann, f"https://example.org/{number}", "json", [], now)
    with pytest.raises(Refused, match="at most 5"):
        services.add(club, ann, "https://example.org/more", "json", [], now)


def test_at_the_desk_one_adds_tests_and_removes_a_webhook(client, server, ladder):
    client.force_login(person("ann"))
    desk = "/c/st-gall/desk"
    form = {"address": AT, "format": "json", "topics": ["result"]}
    assert client.post(f"{desk}/webhooks/new", form | {"address": "https://10.0.0.1/"}).status_code == 422
    client.post(f"{desk}/webhooks/new", form)
    hook = Webhook.objects.get()
    page = client.get(f"{desk}/webhooks").content.decode()
    assert sending.shown_secret(hook) in page and "Added by <bdi>ann</bdi>" in page
    client.post(f"{desk}/webhooks/{hook.pk}/test")
    assert "1 message waits" in client.get(f"{desk}/webhooks").content.decode()
    send()
    assert "answer: 204" in client.get(f"{desk}/webhooks").content.decode()
    client.post(f"{desk}/webhooks/{hook.pk}/remove")
    assert not Webhook.objects.exists()
    log = client.get("/c/st-gall/log").content.decode()
    assert "added a webhook to hooks.example.org" in log and "removed a webhook to hooks.example.org" in log


def test_a_webhook_goes_on_without_whoever_added_it_and_the_desk_says_so(client, server, ladder, hook, now):
    client.force_login(person("bob"))
    clubs.appoint(ladder.club, person("ann"), person("bob"), now)
    gone = "They no longer have a right to announcements here."
    assert gone not in client.get("/c/st-gall/desk/webhooks").content.decode()
    clubs.leave(ladder.club, person("ann"), now)
    page = client.get("/c/st-gall/desk/webhooks").content.decode()
    assert "Added by <bdi>ann</bdi>" in page and gone in page
    send()
    assert [each["type"] for each in told(server)] == ["leader"]


def test_a_club_that_everybody_has_left_tells_nobody_anything(hook, ladder, now):
    for name in ("bob", "dan", "ann"):
        assert Webhook.objects.exists()
        clubs.leave(ladder.club, person(name), now)
    assert not Webhook.objects.exists() and not Delivery.objects.exists()
