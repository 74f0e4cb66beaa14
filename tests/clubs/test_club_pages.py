"""The pages of clubs: who sees what, what is refused, and that nothing of a private club is shown to others."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import services
from accounts.clubs import clubs
from accounts.models import Asking, Club, Expulsion, Member
from games.clubs import page as club_page
from tests.clubs.club_pages import (
    ACTS,
    DESK,
    FIELDS,
    LOOKING,
    NAME,
    date,
    joined_by,
    members,
    private,
    says_of,
    statuses,
)
from tests.clubs.clubs import DAY, agreed, club_of, met
from tests.ladders.ladder_pages import challenge
from tests.people import person
from tests.reading import messages, text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


# Who sees a club


def test_everybody_sees_a_public_club(at, club):
    for name in ("", "cho", "bob", "ann"):
        client = at(name)
        assert statuses(client, [f"/c/st-gall{page}" for page in LOOKING]) == {200}
        shown = text(client.get("/c/st-gall"))
        assert NAME in shown and "2 members" in shown and "stewards: ann" in shown


def test_what_one_may_do_stands_at_the_top(at, club):
    def buttons(name):
        html = at(name).get("/c/st-gall").content.decode()
        known = ("Join", "Ask to join", "Decline", "Withdraw request", "Manage the club")
        return {word for word in known if f">{word}</" in html}

    assert buttons("") == buttons("cho") == {"Join"}
    assert buttons("bob") == set()
    assert buttons("ann") == {"Manage the club"}
    joined_by(club, "ask")
    assert buttons("") == buttons("cho") == {"Ask to join"}
    Asking.objects.create(club=club, user=person("cho"), at=timezone.now())
    assert buttons("cho") == {"Withdraw request"}
    assert "You’ve asked to join. A steward will answer." in text(at("cho").get("/c/st-gall"))
    Asking.objects.update(by=person("ann"))
    assert buttons("cho") == {"Join", "Decline"}
    assert "ann invites you to the club St Gall." in text(at("cho").get("/c/st-gall"))
    joined_by(club, "invite")
    assert buttons("") == buttons("dan") == set()
    assert "invitation-only" in text(at("dan").get("/c/st-gall"))
    Expulsion.objects.create(
        club=club, user=person("dan"), by=person("ann"), reason="Shouts at people.", at=timezone.now()
    )
    assert buttons("dan") == set()
    shown = text(at("dan").get("/c/st-gall"))
    assert "You’ve been expelled. The reason: Shouts at people. Only a steward can readmit you." in shown


def test_a_club_shows_its_people_its_ladder_and_its_games(at, now):
    ladder = club_of("ann", "bob", "dan", now=now - 30 * DAY)
    met(ladder, "dan", "bob", now=now - 2 * DAY)
    challenge(ladder, "bob", "ann", now=now - DAY)
    clubs.announce(ladder.club, person("ann"), "We meet\n\non <Monday>.", now, public=True)
    response = at("cho").get("/c/st-gall")
    shown = text(response)
    assert "We meet on <Monday>." in shown and "on <Monday>" not in response.content.decode()
    home = club_page.home(Club.objects.get(), person("cho"), now)
    assert [fellow.name for fellow in home.top] == ["ann", "dan", "bob"]
    assert [fellow.position for fellow in home.top] == [1, 2, 3]
    assert len(home.results) == 1 and home.running == []
    assert "No ladder games right now." in shown


def test_games_that_are_played_for_positions_stand_on_the_page_of_a_club(at, now):
    ladder = club_of("ann", "bob", now=now - 30 * DAY)
    made = agreed(ladder, "bob", "ann", now=now)
    for name in ("", "cho", "ann"):
        response = at(name).get("/c/st-gall")
        assert made.match.get_absolute_url() in response.content.decode()
        assert "To the table" in text(response)


def test_a_club_with_nobody_on_its_ladder_says_so(at, now):
    club = clubs.found(person("ann"), **says_of("The Scriptorium"), now=now)
    shown = text(at("cho").get(club.get_absolute_url()))
    assert "1 member" in shown and "No one is on it yet." in shown
    assert "No ladder games yet." in shown
    assert "Be the first" in text(at("ann").get(club.get_absolute_url())) and "Be the first" not in shown


def test_the_members_stand_there_with_position_and_rating(at, club):
    zoe = Member.objects.create(club=club, user=person("zoe"), joined_at=timezone.now())
    ann = club.members.get(user=person("ann"))
    shown = text(at("bob").get("/c/st-gall/members")).partition("Members of St Gall 3 ")[2]
    assert f"1Aann steward 1500? since {date(ann.joined_at)}" in shown
    assert f"–Zzoe since {date(zoe.joined_at)}" in shown
    assert shown.index("ann") < shown.index("bob") < shown.index("zoe")
    assert "bob you 1500?" in shown


@pytest.mark.parametrize("slug", ["nowhere", "St-Gall", "st--gall", "é", "st-gall%00", "%ff", "x" * 300])
def test_a_club_that_is_none_is_not_found(at, club, slug):
    for name in ("", "ann"):
        client = at(name)
        assert statuses(client, [f"/c/{slug}", f"/c/{slug}/members", f"/c/{slug}/desk"]) == {404}
        assert client.post(f"/c/{slug}/join").status_code == 404


# Private clubs


@pytest.mark.slow
def test_whoever_may_not_know_of_a_private_club_finds_nothing_of_it(at, club):
    private(club)
    clubs.announce(club, person("ann"), "We meet on Monday.", timezone.now())
    pages = [f"/c/st-gall{page}" for page in LOOKING]
    pages += [f"/c/st-gall/{page}" for page in ("desk", "desk/expel/bob", "ladders/1/desk", "ladders", "ladders/new")]
    acts = [f"/c/st-gall/{act}" for act in ACTS] + [f"/c/st-gall/desk/{act}" for act in DESK]
    guest = services.guest()
    Asking.objects.create(club=club, user=person("eve"), at=timezone.now())  # asked when it was still public
    Expulsion.objects.create(club=club, user=person("dan"), by=person("ann"), reason="-", at=timezone.now())
    for name in ("", "cho", "dan", "eve", guest.username):
        client = at(name)
        assert statuses(client, pages) == {404}, name
        assert {client.post(act, FIELDS).status_code for act in acts} == {404}, name
        for page in ("/clubs", "/clubs?q=gall", "/c/st-gall", "/@/ann", "/@/bob", "/", "/play", "/watch"):
            assert NAME not in client.get(page).content.decode(), (name, page)
    assert members(club) == {"ann", "bob"}
    club.refresh_from_db()
    assert (club.name, club.invitation) == (NAME, "")


def test_a_page_of_a_private_club_that_is_not_found_is_the_same_as_of_none(at, club):
    private(club)
    for name in ("", "cho"):
        client = at(name)
        hidden, none = (client.get(f"/c/{slug}") for slug in ("st-gall", "nowhere"))
        assert text(hidden) == text(none)


def test_members_and_invited_people_see_a_private_club(at, club):
    private(club)
    clubs.invite(club, person("ann"), "dan", timezone.now())
    for name in ("ann", "bob", "dan"):
        client = at(name)
        assert statuses(client, [f"/c/st-gall{page}" for page in LOOKING if "embed" not in page]) == {200}, name
        assert NAME in text(client.get("/clubs"))
        assert NAME not in text(client.get("/clubs?q=gall")).partition("Clubs you can visit")[2]
    assert at("dan").post("/c/st-gall/decline").url == "/clubs"
    assert at("dan").get("/c/st-gall").status_code == 404


def test_an_address_that_a_private_club_has_looks_like_one_that_none_can_have(at, club):
    private(club)
    client = at("cho")
    taken = client.post("/clubs/new", {**FIELDS, "slug": "st-gall"})
    reserved = client.post("/clubs/new", {**FIELDS, "slug": "desk"})
    assert taken.status_code == reserved.status_code == 422
    assert "isn’t available" in text(taken) and "isn’t available" in text(reserved)
    assert NAME not in taken.content.decode()


# The list


def test_the_list_shows_public_clubs_the_largest_first(at, club, now):
    clubs.found(person("ann"), **says_of("The Bindery", description="Glue & thread"), now=now)
    clubs.found(person("ann"), **says_of("The Crypt", private=True), now=now)
    shown = text(at("cho").get("/clubs"))
    assert shown.index(NAME) < shown.index("The Bindery")
    assert "2 members" in shown and "Glue & thread" in shown and "The Crypt" not in shown
    assert "Your clubs" not in shown
    assert "Your clubs" in text(at("ann").get("/clubs")) and "The Crypt" in text(at("ann").get("/clubs"))


def test_one_s_own_clubs_tell_where_one_stands_on_their_ladders(at, club, now):
    clubs.found(person("bob"), **says_of("The Bindery"), now=now)
    shown = text(at("bob").get("/clubs"))
    assert "rung 2 of 2" in shown and "steward" in shown


def test_one_searches_for_a_part_of_the_name(at, club, now):
    clubs.found(person("ann"), **says_of("The Bindery"), now=now)

    def found(wanted):
        shown = text(at("cho").get("/clubs", {"q": wanted}))
        return [name for name in (NAME, "The Bindery") if name in shown]

    assert found("GALL") == [NAME] and found("bind") == ["The Bindery"] and found("") == [NAME, "The Bindery"]
    for odd in ("nothing so", "%", "_", "\0", "' OR 1=1 --", "x" * 500):
        response = at("cho").get("/clubs", {"q": odd})
        assert response.status_code == 200
    assert "No club by that name." in text(at("cho").get("/clubs", {"q": "nothing so"}))
    assert 'value="&lt;b&gt;"' in at("cho").get("/clubs", {"q": "<b>"}).content.decode()


def test_of_many_clubs_the_list_shows_so_many(at, club, now, monkeypatch):
    monkeypatch.setattr(club_page, "CLUBS", 1)
    assert "There are more." not in text(at().get("/clubs"))
    clubs.found(person("ann"), **says_of("The Bindery"), now=now)
    shown = text(at().get("/clubs"))
    assert "There are more." in shown and "The Bindery" not in shown


def test_where_no_club_is_one_is_asked_to_found_it(at):
    for name in ("", "cho"):
        assert "Found the first one" in text(at(name).get("/clubs"))


def test_a_club_without_members_stands_in_no_list(at, club):
    club.members.all().delete()
    assert NAME not in text(at("cho").get("/clubs"))


def test_invitations_stand_above_everything(at, club):
    clubs.invite(club, person("ann"), "dan", timezone.now())
    shown = text(at("dan").get("/clubs"))
    assert "ann invites you to the club St Gall." in shown
    assert "invites you" not in text(at("cho").get("/clubs"))
    client = at("dan")
    response = client.post("/c/st-gall/join")
    assert (response.url, messages(response)) == ("/c/st-gall", ["Welcome to St Gall."])
    assert "invites you" not in text(client.get("/clubs"))


def test_an_invitation_of_whose_account_is_closed_is_no_broken_line(at, club, now):
    clubs.appoint(club, person("ann"), person("bob"), now)
    clubs.invite(club, person("bob"), "dan", now)
    person("bob").__class__.objects.filter(username="bob").update(closing_at=now)
    services.pseudonymise(person("bob").pk, now)
    for page in ("/clubs", "/c/st-gall"):
        assert at("dan").get(page).status_code == 200
    assert at("ann").get("/c/st-gall/desk").status_code == 200


# What the pages cost is in tests/test_queries.py


def test_only_so_much_stands_on_the_first_page_of_a_club(at, now):
    names = [f"p{number}" for number in range(10)]
    ladder = club_of(*names, now=now - 30 * DAY)
    for number in range(club_page.NEWS + 2):
        clubs.announce(ladder.club, person("p0"), f"News {number}.", now + timedelta(minutes=number))
    home = club_page.home(ladder.club, person("cho"), now)
    assert [fellow.name for fellow in home.top] == names[: club_page.TOP]
    home = club_page.home(ladder.club, person("p8"), now)
    assert [fellow.position for fellow in home.top] == [1, 2, 3, 4, 5, 9]
    assert [each.text for each in home.announcements] == ["News 4.", "News 3.", "News 2."]
