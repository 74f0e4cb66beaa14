"""What everybody reads about the site: what works, and nothing that is somebody's own."""

import re
import time
from datetime import timedelta

import pytest
from django.core.cache import cache, caches
from django.utils import timezone

from accounts.models import Notice
from biblios_site import health, status
from games import vitals
from games.matches.models import Match, Outage
from games.transparency.models import TreeHead
from tests.matches.matches import seated

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def works(monkeypatch):
    """A site of which everything works."""
    monkeypatch.setattr(status.settings, "SENDS_MAIL", True)
    beats(0)


def beats(seconds):
    """A worker did its work so many seconds ago."""
    cache.set(vitals.BEAT, time.time() - seconds)


def read(client, code=200):
    """The words of the page, as if nobody had looked before."""
    caches["memory"].delete(status.KEY)
    response = client.get("/status")
    assert response.status_code == code
    html = response.content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", html[html.index("<h1") : html.index("</main>")]).split())


def test_a_site_that_works_says_so(client, works):
    assert "Everything works" in (words := read(client))
    for part in ("Games and pages They work.", "Bots and clocks They work; last seen just now", "Mail It goes out."):
        assert part in words


@pytest.mark.parametrize("shown", [True, False])
def test_only_games_that_anybody_may_watch_are_counted(client, works, shown):
    match = seated("ann", "bob", watch=Match.Watch.ANYBODY)
    Match.objects.filter(pk=match.pk).update(asked_at=timezone.now(), wake_at=None)
    before = read(client)
    assert "1 game that anybody may watch" in before
    another = seated("dan", "eve", watch=Match.Watch.ANYBODY if shown else Match.Watch.NOBODY)
    Match.objects.filter(pk=another.pk).update(wake_at=None)
    assert ("2 games" in read(client)) == shown
    assert shown or read(client) == before


def test_nobody_is_anybody_there_and_stays_signed_in(at):
    client = at("ann")
    assert "ann" not in client.get("/status").content.decode()
    assert ">ann<" in client.get("/rules").content.decode()


@pytest.mark.parametrize("how", ["beat", "due"])
def test_a_worker_that_stands_still_is_told(client, works, how):
    if how == "beat":
        beats(120)
    else:
        cache.delete(vitals.BEAT)
        seated("ann", "bob")
        Match.objects.update(wake_at=timezone.now() - 2 * vitals.STALE)
    words = read(client)
    assert "You can play, but something isn’t working" in words
    assert "They stand still" in words


def test_what_nobody_knows_is_not_claimed(client):
    assert "Bots and clocks Not known at this moment." in read(client)
    assert "Mail" not in read(client)


def test_mail_that_waits_is_told(client, works, ann, now):
    notice = Notice.objects.create(user=ann, at=now, mail_at=now - vitals.MAIL_LATE / 2)
    assert "It goes out." in read(client)
    Notice.objects.filter(pk=notice.pk).update(mail_at=now - 2 * vitals.MAIL_LATE)
    assert "Mail It’s late." in read(client)


@pytest.mark.parametrize(("days", "late"), [(1, False), (4, True)])
def test_the_last_signed_day_is_told(client, works, days, late):
    day = timezone.now().date() - timedelta(days=days)
    TreeHead.objects.create(day=day, size=1, note="", consistency=b"")
    words = read(client)
    assert f"The day that was signed last is {day.day} {day:%b} {day.year}." in words
    assert ("The next one is late." in words) == late


def test_interruptions_of_the_last_month_are_told(client, works, now):
    assert "The site wasn’t away." in read(client)
    ms = int(now.timestamp() * 1000)
    Outage.objects.create(began=ms - 40 * 86_400_000, ended=ms - 39 * 86_400_000)
    Outage.objects.create(began=ms - 100_000, ended=ms - 30_000)
    assert "The site was away once, for 2 minutes, until just now" in read(client)
    Outage.objects.create(began=ms - 20_000, ended=ms - 5_000)
    assert "The site was away 2 times; minutes altogether: 2." in read(client)


def test_a_site_without_its_database_still_tells(client, monkeypatch):
    monkeypatch.setattr(health, "PROBE", "UPDATE a_table_at_10_0_0_7 SET at = at + %s")
    words = read(client, 503)
    assert "Nobody can play right now" in words
    assert "10_0_0_7" not in words


def test_many_who_ask_make_one_look(client, works, monkeypatch, django_assert_num_queries):
    read(client)
    with django_assert_num_queries(0):
        client.get("/status")


def test_whoever_asks_while_somebody_looks_reads_what_is_known(client, works, monkeypatch):
    read(client)
    at, found = caches["memory"].get(status.KEY)
    caches["memory"].set(status.KEY, (at - status.FRESH_S, found))
    with status._looking:
        assert "Everything works" in client.get("/status").content.decode()
        monkeypatch.setattr(status, "WAIT_S", 0)
        caches["memory"].delete(status.KEY)
        assert client.get("/status").status_code == 503
