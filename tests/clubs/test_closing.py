"""Handing a club over, closing it, and opening it again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.clubs import closing, clubs, handing
from accounts.models import Club, Handover, Member, Notice, StewardDecision
from accounts.web.refused import Refused
from games.board import services as board
from games.board.models import Post
from games.ladders import challenges, opening
from games.lobby import open_matches
from games.matches.models import Match
from games.tournaments import scheduled
from games.tournaments import services as tournaments
from games.tournaments.models import Tournament
from tests.at_once import at_once
from tests.calendar.plans import BEGINS, HOUR, MEET, SWISS, make, opened
from tests.clubs.clubs import DAILY, START, agreed, club_of, ended, order
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import LATER, LIVE, end, evening_of, seat

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def club():
    """ann is its steward, bob and cho are members; dan is none."""
    return club_of("ann", "bob", "cho").club


@pytest.fixture
def at(client, club):
    def at(name, path="", data=None):
        client.force_login(person(name))
        return client.get(f"/c/st-gall{path}") if data is None else client.post(f"/c/st-gall{path}", data, follow=True)

    return at


def kinds():
    return list(StewardDecision.objects.order_by("pk").values_list("kind", flat=True))


def test_a_club_is_handed_over_when_the_member_accepts(club, at):
    at("ann", "/desk/hand-over", {"member": "bob", "remains": ""})
    assert not clubs.is_steward(club, person("bob")), "not before they accept"
    assert "hand the club" in text(at("bob")) and "/hand-over/accept" in at("bob").text
    at("bob", "/hand-over/accept", {})
    assert club.members.get(user=person("bob")).role == Member.Role.STEWARD
    assert club.members.get(user=person("ann")).role == Member.Role.MEMBER
    assert kinds()[-2:] == ["offered", "handed"] and not Handover.objects.exists()


def test_an_offer_is_declined_or_taken_back_and_nothing_changes(club, at):
    for who, path in (("bob", "/hand-over/decline"), ("ann", "/desk/hand-over/back")):
        at("ann", "/desk/hand-over", {"member": "bob", "remains": "1"})
        at(who, path, {})
        assert "There is no such offer any more." in text(at("bob", "/hand-over/accept", {}))
    assert clubs.is_steward(club, person("ann")) and not clubs.is_steward(club, person("bob"))
    assert not Notice.objects.filter(kind="handing").exists(), "nobody is asked any more"
    assert Notice.objects.get(kind="declined").user == person("ann")


def test_whoever_leaves_takes_nothing_over(club, at):
    handing.offer(club, person("ann"), person("bob"), True, timezone.now())
    with pytest.raises(Refused, match="already been offered"):
        handing.offer(club, person("ann"), person("cho"), True, timezone.now())
    clubs.leave(club, person("bob"), timezone.now())
    with pytest.raises(Refused, match="no such offer"):
        handing.accept(club, person("bob"), timezone.now())


def test_closing_takes_the_short_name_and_members_are_told(club, at):
    assert "type its short name" in text(at("ann", "/desk/close", {"slug": "gall"}))
    assert at("bob", "/desk/close").status_code == 404
    board.write(club, person("bob"), "Cake?", timezone.now(), address="/")
    at("ann", "/desk/close", {"slug": "st-gall"})
    club.refresh_from_db()
    assert club.closed_at and kinds()[-1] == "closed"
    assert set(Notice.objects.filter(kind="club-closed").values_list("user__username", flat=True)) == {"bob", "cho"}
    assert opening.open_of(club)[0].now_standing().ends is None
    assert "This club is closed." in text(at("ann", "/desk/close", {"slug": "st-gall"})), "pressed twice"
    assert "This club is closed." in text(at("dan", "/join", {})) and not clubs.member(club, person("dan"))
    with pytest.raises(Refused, match="closed"):
        board.write(club, person("bob"), "Still?", timezone.now(), address="/")
    assert "only steward" not in text(at("ann")) and "Leave" in text(at("ann")), "nobody is needed any more"
    assert "Open it again" not in at("bob").text and "Cake?" not in at("bob").text
    assert at("bob", "/ladders/1").status_code == at("bob", "/log").status_code == 200


def test_what_was_to_come_or_is_open_ends_with_the_club():
    ladder = club_of("ann", "bob", "cho")
    club, now = ladder.club, START + HOUR
    challenge = agreed(ladder, "bob", "ann")
    waiting = challenges.challenge(ladder, person("cho"), [person("bob")], DAILY, START)
    [passed, *weekly] = make(club, MEET._replace(starts_at=START + HOUR / 2), weeks=2)
    [event] = make(club, SWISS)
    cup = opened(event, now)
    table = open_matches.open_match(person("cho"), places=2, options={}, club=club)
    closing.close(club, person("ann"), "st-gall", now)
    for each in (challenge, waiting, passed, *weekly, event, cup, table):
        each.refresh_from_db()
    assert (challenge.status, waiting.status) == ("void", "withdrawn") and challenge.match.status == "running"
    ended(challenge, 1, 2, now=now + HOUR)
    assert order(ladder) == ["ann", "bob", "cho"], "it no longer counts"
    assert passed.cancelled_at is None and {each.cancelled_at for each in (*weekly, event)} == {now}
    assert cup.closed_at == now and table.status == "closed"
    scheduled.open_due(BEGINS)
    assert list(club.tournaments.all()) == [cup]


def test_a_club_in_which_a_tournament_is_played_is_not_closed():
    evening = evening_of("ann", "bob", "cho")
    club = evening.club
    [event] = make(club, MEET)
    seat(evening)
    with pytest.raises(Refused, match="Candlemas isn’t over"):
        closing.close(club, person("ann"), "st-gall", START)
    for each in (club, event, evening):
        each.refresh_from_db()
    assert club.closed_at is event.cancelled_at is evening.closed_at is None and "closed" not in kinds()
    end(evening, 0, 1, 2, 3)
    tournaments.close(evening, person("ann"), LATER)
    closing.close(club, person("ann"), "st-gall", LATER)
    club.refresh_from_db()
    assert club.closed_at == LATER


def test_a_steward_opens_a_closed_club_again_in_time(club, at):
    now = timezone.now()
    board.write(club, person("bob"), "Cake?", now, address="/")
    closing.close(club, person("ann"), "st-gall", now)
    with pytest.raises(Refused, match="Only a steward"):
        closing.reopen(club, person("bob"), now)
    with pytest.raises(Refused, match="until"):
        closing.reopen(club, person("ann"), now + closing.WAY_BACK)
    at("ann", "/reopen", {})
    assert Club.objects.get().closed_at is None and "Cake?" in at("bob", "/board").text


def test_any_steward_opens_a_closed_club_again_and_any_member_if_none_is_left(club):
    now = timezone.now()
    clubs.appoint(club, person("ann"), person("bob"), now)
    closing.close(club, person("bob"), "st-gall", now)
    closing.reopen(club, person("ann"), now)
    closing.close(club, person("bob"), "st-gall", now)
    for name in ("ann", "bob"):
        clubs.leave(club, person(name), now)
    closing.reopen(club, person("cho"), now)
    found = Club.objects.get()
    assert found.closed_at is None and clubs.is_steward(found, person("cho")), "an open club has a steward"


def test_comments_of_a_closed_club_are_hidden_too_and_nobody_is_asked_for_one(club, at):
    now = timezone.now()
    night = tournaments.open_tournament(club, person("ann"), Tournament.Kind.EVENING, "Candlemas", LIVE, now)
    board.write(club, person("bob"), "Cake?", now, under=night.comments, address="/")
    tournaments.close(night, person("ann"), now)
    page = night.get_absolute_url().removeprefix("/c/st-gall")
    assert "Cake?" in at("bob", page).text
    closing.close(club, person("ann"), "st-gall", now)
    assert "Cake?" not in at("bob", page).text and "Your comment" not in at("bob", page).text
    assert "This club is closed." in text(at("bob", "/board/post", {"text": "Still?"}))


def test_the_board_of_a_closed_club_goes_when_it_can_no_longer_be_opened(club):
    now = timezone.now()
    board.write(club, person("bob"), "Cake?", now, address="/")
    closing.close(club, person("ann"), "st-gall", now)
    board.forget_closed(now + timedelta(days=13))
    assert Post.objects.exists()
    board.forget_closed(now + timedelta(days=14))
    assert not Post.objects.exists()


def test_whoever_looked_before_it_closed_opens_no_table_and_writes_nothing(club):
    now, before = timezone.now(), Club.objects.get(pk=club.pk)
    closing.close(club, person("ann"), "st-gall", now)
    with pytest.raises(Refused, match="closed"):
        open_matches.open_match(host=person("bob"), places=2, options={}, club=before)
    before.closed_at = None
    with pytest.raises(Refused, match="closed"):
        board.write(before, person("bob"), "Cake?", now, address="/")


@pytest.mark.django_db(transaction=True)
def test_a_table_that_opens_while_the_club_closes_is_closed_with_it_or_refused(club):
    ann, bob, before = person("ann"), person("bob"), Club.objects.get(pk=club.pk)
    at_once(
        lambda: open_matches.open_match(host=bob, places=2, options={}, club=before),
        lambda: closing.close(club, ann, "st-gall", timezone.now()),
    )
    assert not Match.objects.filter(status=Match.Status.OPEN).exists()


def test_the_last_member_who_leaves_closes_the_club(club):
    now = timezone.now()
    for name in ("bob", "cho", "ann"):
        clubs.leave(club, person(name), now)
    club.refresh_from_db()
    assert club.closed_at == now and club.private


def test_who_has_left_deletes_what_they_wrote(club, at):
    for name in ("bob", "cho"):
        board.write(club, person(name), f"By {name}", timezone.now(), address="/")
    Club.objects.update(private=True, joining="invite")
    clubs.leave(club, person("bob"), timezone.now())
    page = at("bob", "/board").text
    assert "By bob" in page and "By cho" not in page
    mine, other = Post.objects.order_by("pk")
    assert at("bob", f"/board/{other.pk}/delete", {}).status_code == 404
    at("bob", f"/board/{mine.pk}/delete", {})
    assert list(Post.objects.all()) == [other] and at("bob", "/board").status_code == 404
