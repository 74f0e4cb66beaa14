"""Who is rejected is told, waits before asking again, and reads so; why somebody was expelled stays between them
and the stewards."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.clubs import clubs
from accounts.models import Rejection
from accounts.notices import notices
from games.ladders.models import LadderEvent
from tests.clubs.club_pages import joined_by, members, private
from tests.people import person
from tests.reading import messages, text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def rejected(club, name, now):
    joined_by(club, "ask")
    club.refresh_from_db()
    clubs.join(club, person(name), now)
    clubs.reject(club, person("ann"), person(name), now)


def test_who_is_rejected_is_told(club, now):
    rejected(club, "dan", now)
    notice = person("dan").notices.get()
    told = "The club St Gall rejected your request to join. You can ask again after 14 days."
    assert (notices.in_text(notice), notice.address) == (told, "/c/st-gall")


def test_of_a_club_that_became_private_one_is_told_without_a_way_to_it(club, now):
    joined_by(club, "ask")
    clubs.join(club, person("dan"), now)
    clubs.reject(private(club), person("ann"), person("dan"), now)
    assert person("dan").notices.get().address == "/clubs"


def test_who_is_rejected_waits_before_asking_again(at, club):
    now = timezone.now()
    rejected(club, "dan", now - clubs.ASK_AGAIN + timedelta(hours=1))
    client = at("dan")
    page = client.get("/c/st-gall")
    assert "Your request was rejected. You can ask again after" in text(page)
    assert "Ask to join" not in text(page) and "Ask to join" in text(at("cho").get("/c/st-gall"))
    assert "rejected" in messages(at("dan").post("/c/st-gall/join"))[0]
    assert not club.askings.exists()
    Rejection.objects.update(at=now - clubs.ASK_AGAIN)
    assert "Ask to join" in text(client.get("/c/st-gall"))
    client.post("/c/st-gall/join")
    assert club.askings.get().user == person("dan")


def test_the_stewards_may_think_better_of_it(club, now):
    rejected(club, "dan", now)
    clubs.invite(club, person("ann"), "dan", now)
    clubs.join(club, person("dan"), now)
    assert "dan" in members(club) and not Rejection.objects.exists()


def test_an_invitation_that_is_withdrawn_makes_nobody_wait(club, now):
    joined_by(club, "ask")
    club.refresh_from_db()
    clubs.invite(club, person("ann"), "dan", now)
    clubs.reject(club, person("ann"), person("dan"), now)
    clubs.join(club, person("dan"), now)
    assert club.askings.get().by is None


def test_why_somebody_was_expelled_is_not_among_the_events(at, club):
    clubs.expel(club, person("ann"), person("bob"), "Shouts at people.", timezone.now())
    for name in ("", "ann", "dan"):
        for page in ("events", "results.json", "proof.json"):
            assert "Shouts at people." not in at(name).get(f"/c/st-gall/ladders/1/{page}").content.decode(), (
                name,
                page,
            )
    assert "expelled bob from the club" in text(at("dan").get("/c/st-gall/ladders/1/history"))
    assert not LadderEvent.objects.filter(reason__contains="Shouts").exists()
    assert "Shouts at people." in text(at("ann").get("/c/st-gall/desk"))
    assert "Shouts at people." in text(at("bob").get("/c/st-gall"))
