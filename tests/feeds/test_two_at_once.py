"""Of two stewards, or two workers, who do the same at once one is first."""

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.clubs import clubs
from accounts.models import Club
from games.calendar import services as dates
from games.calendar.services import EventPlan, revision
from games.feeds import sending, services
from games.feeds.models import Webhook
from tests.at_once import at_once, impatient
from tests.clubs.clubs import DAY, club_of
from tests.feeds.test_webhooks import AT, told
from tests.people import person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def club():
    club = club_of("ann", "bob").club
    clubs.appoint(club, person("ann"), person("bob"), timezone.now())
    return club


def test_the_same_webhook_is_added_once(club, now):
    ann, bob = person("ann"), person("bob")
    came = at_once(*[lambda who=who: services.add(club, who, AT, "json", [], now) for who in (ann, bob)])
    assert came.count(None) == 1 and "This address is a webhook of the club already." in came


def test_a_date_that_two_change_at_once_is_as_the_first_has_made_it(club, now):
    ann, bob = person("ann"), person("bob")
    plan = EventPlan("Evening", now + 5 * DAY, 3, "", "", False)
    [date] = dates.make(club, ann, plan, now)
    came = at_once(
        lambda: dates.change(date, ann, plan._replace(place="Here"), revision(date), now + DAY),
        lambda: dates.change(date, bob, plan._replace(place="There"), revision(date), now + DAY),
    )
    date.refresh_from_db()
    assert came.count(None) == 1 and date.place == ("There" if came[0] else "Here")


def test_two_workers_send_a_message_once(club, server, now):
    hook = services.add(club, person("ann"), AT, "json", [], now)
    services.test(club, person("ann"), hook.pk, now)
    at_once(*[lambda: sending.send_due(timezone.now())] * 2)
    assert len(told(server)) == 1 and Webhook.objects.get().wake_at is None


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one lock for everything")
def test_a_worker_that_has_sent_does_not_wait_for_who_holds_the_club(club, server, now):
    """They wait for the webhook then, each for the other."""
    hook = services.add(club, person("ann"), AT, "json", [], now)
    services.test(club, person("ann"), hook.pk, now)

    def send():
        with impatient("3s"):
            sending.send_due(timezone.now())

    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        at_once(send)
    assert Webhook.objects.get().outcome == "204"
