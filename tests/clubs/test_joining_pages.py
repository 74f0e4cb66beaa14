"""The pages where one founds a club, joins it, leaves it, or follows its link."""

from html import unescape

import pytest
from django.utils import timezone

from accounts import services
from accounts.clubs import clubs
from accounts.models import Asking, Club
from games.faces.registry import face_of
from games.ladders.models import Ladder
from tests.clubs.club_pages import ACTS, DESK, FIELDS, NAME, WRONG, joined_by, link_of, members, private
from tests.people import person
from tests.reading import messages, text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


# Founding


def test_whoever_has_no_account_is_led_to_make_one_before_founding(at):
    for name in ("", services.guest().username):
        for response in (at(name).get("/clubs/new"), at(name).post("/clubs/new", FIELDS)):
            assert response.url == "/sign-up?next=%2Fclubs%2Fnew"
    assert not Club.objects.exists()


def test_one_founds_a_club(at):
    assert "Found a club" in text(at("cho").get("/clubs/new"))
    response = at("cho").post("/clubs/new", {**FIELDS, "visible": "members"})
    assert response.url == "/c/scriptorium"
    club = Club.objects.get()
    assert (club.name, club.description, club.language, club.private, club.joining) == (
        *("The Scriptorium", "We copy books.", "en", True, "invite"),
    )
    assert clubs.is_steward(club, person("cho"))


def test_one_founds_a_club_for_one_of_the_games(at, game):
    assert "The game of its ladder" in text(at("cho").get("/clubs/new"))
    assert at("cho").post("/clubs/new", {**FIELDS, "game": "chess"}).status_code == 422
    at("cho").post("/clubs/new", {**FIELDS, "game": game.slug})
    assert Ladder.objects.get().game == game.slug
    assert f"The game is {face_of(game).name}." in text(at("cho").get("/c/scriptorium/ladders/1"))


def test_a_club_speaks_any_of_five_languages(at):
    for code, name in (("fa", "فارسی"), ("ru", "Русский"), ("de", "Deutsch"), ("es", "español")):
        assert (
            at("cho").post("/clubs/new", {**FIELDS, "language": code, "slug": code, "clubname": name}).status_code
            == 302
        )
        assert f'lang="{code}"' in at("cho").get(f"/c/{code}").content.decode()


def test_who_can_join_is_not_asked_of_a_club_for_members_only(at):
    fields = {name: value for name, value in FIELDS.items() if name != "joining"}
    assert at("cho").post("/clubs/new", {**fields, "visible": "members"}).url == "/c/scriptorium"
    assert Club.objects.get().joining == "invite"


def test_an_address_left_empty_is_made_of_the_name(at, club):
    for name, expected in (("St Gäll", "/c/st-gall-2"), ("St Gåll", "/c/st-gall-3")):
        assert at("cho").post("/clubs/new", {**FIELDS, "clubname": name, "slug": ""}).url == expected


@pytest.mark.parametrize("wrong, sentence", WRONG)
def test_an_invalid_club_is_refused_and_the_input_is_kept(at, club, wrong, sentence):
    fields = {**FIELDS, "description": "We copy <books>.", **wrong}
    response = at("cho").post("/clubs/new", fields)
    assert response.status_code == 422
    assert sentence in text(response)
    html = unescape(response.content.decode())
    for name in ("clubname", "slug", "description"):
        assert fields[name] in html
    assert Club.objects.count() == 1


def test_whoever_founds_many_clubs_waits_and_nothing_typed_is_lost(at, at_most):
    at_most("founding", 1)
    at("cho").post("/clubs/new", FIELDS)
    response = at("cho").post("/clubs/new", {**FIELDS, "slug": "second", "clubname": "The Second"})
    assert response.status_code == 429 and int(response["Retry-After"]) > 0
    assert "Try again in" in text(response) and 'value="The Second"' in response.content.decode()
    assert Club.objects.count() == 1


# Joining and leaving


def test_a_visitor_who_joins_is_led_to_make_an_account_and_back(at, club):
    for name in ("", services.guest().username):
        for act in ACTS:
            assert at(name).post(f"/c/st-gall/{act}").url == "/sign-up?next=%2Fc%2Fst-gall"
    assert members(club) == {"ann", "bob"}


def test_joining_and_leaving_are_no_links(at, club):
    for act in ACTS:
        assert at("cho").get(f"/c/st-gall/{act}").status_code == 405
    for act in DESK:
        if not act.startswith("expel"):
            assert at("ann").get(f"/c/st-gall/desk/{act}").status_code == 405


def test_one_joins_and_leaves(at, club):
    response = at("cho").post("/c/st-gall/join")
    assert (response.url, messages(response)) == ("/c/st-gall", ["Welcome to St Gall."])
    assert members(club) == {"ann", "bob", "cho"}
    assert messages(at("cho").post("/c/st-gall/join")) == ["You’re already a member."]
    response = at("cho").post("/c/st-gall/leave")
    assert (response.url, messages(response)) == ("/clubs", ["You’ve left St Gall."])
    assert messages(at("cho").post("/c/st-gall/leave")) == ["You aren’t a member of this club."]
    assert members(club) == {"ann", "bob"}


def test_the_last_steward_reads_why_they_cannot_leave(at, club):
    response = at("ann").post("/c/st-gall/leave", follow=True)
    assert response.redirect_chain == [("/c/st-gall", 302)]
    assert "You’re the club’s only steward. Appoint another before you leave." in text(response)


def test_the_last_steward_reads_it_before_they_press(at, club, now):
    def shown(name):
        return text(at(name).get("/c/st-gall"))

    assert "You’re the club’s only steward. To leave, make another member a steward first." in shown("ann")
    assert "Leave the club" not in shown("ann") and "Leave the club" in shown("bob")
    clubs.appoint(club, person("ann"), person("bob"), now)
    assert "Leave the club" in shown("ann") and "only steward" not in shown("ann")
    clubs.leave(club, person("bob"), now)
    clubs.join(club, person("bob"), now)
    clubs.leave(club, person("bob"), now)
    assert "If you leave, no one can see the club any more." in shown("ann")


def test_one_asks_and_takes_it_back(at, club):
    joined_by(club, "ask")
    assert messages(at("cho").post("/c/st-gall/join")) == ["You’ve asked to join. A steward will answer."]
    assert messages(at("cho").post("/c/st-gall/join")) == ["You’ve already asked to join. A steward will answer."]
    assert at("cho").post("/c/st-gall/decline").url == "/clubs"
    assert not Asking.objects.exists()
    assert messages(at("cho").post("/c/st-gall/decline")) == ["You haven’t asked to join, and no one has invited you."]


def test_whoever_is_not_invited_reads_that_they_have_to_be(at, club):
    joined_by(club, "invite")
    assert messages(at("cho").post("/c/st-gall/join")) == ["This club is invitation-only."]


def test_whoever_comes_and_goes_often_waits(at, club, at_most):
    at_most("clubs", 2)
    client = at("cho")
    assert [client.post(f"/c/st-gall/{act}").status_code for act in ("join", "leave", "join")] == [302, 302, 429]
    assert members(club) == {"ann", "bob"}
    assert at("dan").post("/c/st-gall/join").status_code == 302


@pytest.mark.parametrize("hidden", [False, True])
def test_whoever_has_the_link_joins_by_it(at, club, hidden):
    if hidden:
        private(club)
    link = link_of(club)
    for name in ("", services.guest().username, "cho"):
        response = at(name).get(link)
        assert response.status_code == 200
        assert NAME in text(response) and "this club with 2 members" in text(response)
    for name in ("", services.guest().username):
        assert at(name).post(link).url == f"/sign-up?next={link.replace('/', '%2F')}"
    assert members(club) == {"ann", "bob"}
    response = at("cho").post(link)
    assert (response.url, messages(response)) == ("/c/st-gall", ["Welcome to St Gall."])
    assert members(club) == {"ann", "bob", "cho"}
    assert at("cho").get(link).url == at("cho").post(link).url == "/c/st-gall"


def test_an_old_link_and_a_wrong_one_lead_nowhere(at, club):
    private(club)
    old = link_of(club)
    new = link_of(club)
    wrong = [old, new[:-1], f"{new}x", "/c/nowhere/invited/" + new.rpartition("/")[2], "/c/st-gall/invited/%00"]
    wrong += ["/c/st-gall/invited/é", "/c/%00/invited/abc", "/c/st-gall/invited/" + "x" * 300]
    for name in ("", "cho"):
        for address in wrong:
            for response in (at(name).get(address), at(name).post(address)):
                assert response.status_code == 404
                assert "no longer valid" in text(response) and NAME not in response.content.decode()
    assert members(club) == {"ann", "bob"}


def test_whoever_is_expelled_reads_it_where_the_link_leads(at, club):
    link = link_of(club)
    clubs.expel(club, person("ann"), person("bob"), "Shouts at people.", timezone.now())
    response = at("bob").post(link)
    assert "You were expelled from this club (Shouts at people.)." in text(response)
    assert members(club) == {"ann"}


def test_whoever_tries_links_often_waits(at, club, at_most):
    link = link_of(club)
    at_most("clubs", 0)
    assert at("cho").post(link).status_code == 429
