"""Comments on the events of a calendar and on tournaments."""

import pytest

from accounts.models import Notice
from games.board.models import Post
from games.calendar import services as calendar
from games.tournaments import services
from tests.calendar.plans import BEGINS, HOUR, MEET, SWISS, make, opened
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.tournaments.deals import duplicate_of
from tests.tournaments.evenings import evening_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def say(client):
    """say(name, under, text): what somebody sends, and the page to which it leads."""

    def say(name, under, text="Bring a cake"):
        client.force_login(person(name))
        return client.post("/c/st-gall/board/post", {"text": text, "under": under}, follow=True)

    return say


def told():
    return sorted(Notice.objects.filter(kind="commented", seen_at=None).values_list("user__username", flat=True))


def test_who_comes_to_an_event_is_told_of_comments_once(say, client):
    club = club_of("ann", "bob", "cho", "dan").club
    [event] = make(club, MEET)
    calendar.answer(event, person("cho"), "maybe", START)
    calendar.answer(event, person("dan"), "no", START)
    page = say("bob", f"calendar/{event.pk}")
    assert "Bring a cake" in page.text and page.redirect_chain[-1][0] == f"{event.get_absolute_url()}#comments"
    assert told() == ["cho"]
    assert say("bob", f"calendar/0{event.pk}").status_code == 404 and Post.objects.count() == 1
    say("cho", f"calendar/{event.pk}", "I will")
    assert told() == ["bob"], "cho has seen the page, and bob has commented before"
    client.force_login(person("eva"))
    make(club, MEET._replace(title="Open", public=True))
    assert "Comments" not in client.get(event.get_absolute_url()).text


def test_comments_on_an_event_go_with_it_to_its_tournament(say, client):
    club = club_of("ann", "bob").club
    [event] = make(club, SWISS)
    under = f"calendar/{event.pk}"
    tournament = opened(event, BEGINS - HOUR)
    assert tournament.comments == under
    page = say("bob", under)
    assert "Bring a cake" in page.text and page.redirect_chain[-1][0].startswith(tournament.get_absolute_url())
    assert say("bob", tournament.page).status_code == 404, "there is one place for them"


def test_a_night_has_comments_and_guests_of_it_have_none(say, client):
    evening = evening_of("ann", "bob")
    assert "Bring a cake" in say("bob", evening.page).text
    client.force_login(person("eva"))
    shown = client.get(evening.get_absolute_url()).text
    assert "Candlemas" in shown and "Bring a cake" not in shown


def test_nobody_talks_about_a_deal_that_is_still_played(say):
    pairs = duplicate_of("ann", "bob")
    refused = say("bob", pairs.page)
    assert "comments open when this closes" in refused.text and not Post.objects.exists()
    assert "comments open when this closes" in refused.text
    services.close(pairs, person("ann"), START)
    assert "Bring a cake" in say("bob", pairs.page).text
