"""The stewards' desk: who may use it, what it shows, and that nothing typed is lost."""

import pytest
from django.conf import settings

from accounts import services
from accounts.clubs import clubs
from accounts.models import Announcement, Asking, Block, Club, Expulsion, Notice
from tests.clubs.club_pages import DESK, FIELDS, NAME, WRONG, joined_by, members, says_of, statuses
from tests.people import person
from tests.reading import messages, text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.mark.slow
def test_the_desk_is_for_stewards(at, club):
    acts = [f"/c/st-gall/desk/{act}" for act in DESK]
    pages = ["/c/st-gall/desk", "/c/st-gall/desk/expel/bob"]
    for name in ("cho", "bob"):
        assert statuses(at(name), pages) == {404}
        assert {at(name).post(act, FIELDS).status_code for act in acts} == {404}
    assert {at().get(page).url for page in pages} == {f"/sign-in?next={page}" for page in pages}
    back = {"/c/st-gall/desk", "/c/st-gall/members", "/c/st-gall/desk/expel/bob"}
    assert {at().post(act, FIELDS).url for act in acts} == {f"/sign-in?next={page}" for page in back}
    assert at(services.guest().username).get("/c/st-gall/desk").url == "/sign-up?next=%2Fc%2Fst-gall"
    assert statuses(at("ann"), pages) == {200}
    club.refresh_from_db()
    assert (club.name, members(club)) == (NAME, {"ann", "bob"})


def test_the_desk_shows_who_waits_belongs_and_is_expelled(at, club, now):
    joined_by(club, "ask")
    clubs.join(club, person("dan"), now)
    clubs.invite(club, person("ann"), "eve", now)
    Expulsion.objects.create(club=club, user=person("cho"), by=person("ann"), reason="Shouts at <people>.", at=now)
    clubs.announce(club, person("ann"), "We meet on Monday.", now)
    shown = text(at("ann").get("/c/st-gall/desk"))
    for words in ("Requests to join 1 Ddan", "Invited, no answer yet", "Shouts at <people>.", "We meet on Monday."):
        assert words in shown
    assert "Requests to join" not in text(at("ann").get("/c/st-gall/ladders/1"))


def test_a_steward_approves_and_turns_away(at, club, now):
    joined_by(club, "ask")
    for name in ("dan", "eve"):
        clubs.join(club, person(name), now)
    client = at("ann")
    assert client.post("/c/st-gall/desk/approve/DAN").url == "/c/st-gall/desk"
    assert client.post("/c/st-gall/desk/reject/eve").url == "/c/st-gall/desk"
    assert members(club) == {"ann", "bob", "dan"} and not Asking.objects.exists()
    assert messages(client.post("/c/st-gall/desk/approve/eve"))[-1] == "eve no longer wants to join."
    assert client.post("/c/st-gall/desk/approve/nobody").status_code == 404
    assert client.post("/c/st-gall/desk/approve/%00").status_code == 404


def test_a_steward_appoints_and_dismisses(at, club):
    assert at("ann").post("/c/st-gall/desk/appoint/bob").url == "/c/st-gall/members"
    assert clubs.is_steward(club, person("bob"))
    assert at("bob").post("/c/st-gall/desk/dismiss/ann").url == "/c/st-gall/members"
    assert at("ann").get("/c/st-gall/desk").status_code == 404
    response = at("bob").post("/c/st-gall/desk/dismiss/bob")
    assert response.url == "/c/st-gall/members" and "only one" in messages(response)[0]


def test_whoever_lays_it_down_themselves_is_led_to_the_club(at, club, now):
    clubs.appoint(club, person("ann"), person("bob"), now)
    assert at("ann").post("/c/st-gall/desk/dismiss/ann").url == "/c/st-gall"


def test_a_steward_expels_with_a_reason_and_readmits(at, club):
    client = at("ann")
    assert "Expel bob" in text(client.get("/c/st-gall/desk/expel/bob"))
    response = client.post("/c/st-gall/desk/expel/bob", {"reason": " "})
    assert response.status_code == 422 and members(club) == {"ann", "bob"}
    response = client.post("/c/st-gall/desk/expel/bob", {"reason": "z" * 501})
    assert response.status_code == 422 and "z" * 501 in response.content.decode()
    response = client.post("/c/st-gall/desk/expel/bob", {"reason": "Shouts at people."})
    assert (response.url, messages(response)) == ("/c/st-gall/members", ["bob is no longer a member."])
    assert members(club) == {"ann"}
    assert client.get("/c/st-gall/desk/expel/bob").status_code == 404
    assert client.get("/c/st-gall/desk/expel/nobody").status_code == 404
    client.post("/c/st-gall/desk/readmit/bob")
    assert not Expulsion.objects.exists()


def test_a_steward_does_not_expel_stewards_or_themselves(at, club, now):
    response = at("ann").post("/c/st-gall/desk/expel/ann", {"reason": "I shout."})
    assert response.status_code == 422 and "can’t expel yourself" in text(response)
    clubs.appoint(club, person("ann"), person("bob"), now)
    response = at("ann").post("/c/st-gall/desk/expel/bob", {"reason": "Shouts at people."})
    assert response.status_code == 422 and "Remove them as a steward first." in text(response)
    assert "Shouts at people." in response.content.decode()


def test_a_steward_invites_a_pasted_list_and_reads_what_became_of_each_name(at, club, now):
    joined_by(club, "ask")
    clubs.join(club, person("eve"), now)
    response = at("ann").post("/c/st-gall/desk/invite", {"names": "dan, DAN\r\nbob\r\n<nobody>; eve"})
    shown = text(response)
    assert response.status_code == 200
    assert (
        "1 person is invited. dan" in shown and "They had already asked to join, so they’re members now. eve" in shown
    )
    assert "No such player. Check the spelling, or add a mail address. <nobody>" in shown
    assert "They’re in the list more than once. DAN" in shown and "They’re already members. bob" in shown
    assert members(club) == {"ann", "bob", "eve"} and club.askings.get().user == person("dan")
    assert "They’ve already been invited. dan" in text(at("ann").post("/c/st-gall/desk/invite", {"names": "dan"}))


@pytest.mark.parametrize("names, sentence", [("", "no name"), (",;\n", "no name"), ("a," * 201, "at most 200")])
def test_a_list_that_is_none_is_refused_and_not_lost(at, club, names, sentence):
    response = at("ann").post("/c/st-gall/desk/invite", {"names": names})
    assert response.status_code == 422 and sentence in text(response)
    assert names.strip() in response.content.decode()


def test_whoever_invites_and_announces_often_waits_and_nothing_typed_is_lost(at, club, at_most):
    at_most("invitations", 1)
    client = at("ann")
    assert client.post("/c/st-gall/desk/invite", {"names": "dan"}).status_code == 200
    for what, fields in (("invite", {"names": "eve, cho"}), ("announce", {"text": "We meet on Monday."})):
        response = client.post(f"/c/st-gall/desk/{what}", fields)
        assert response.status_code == 429 and int(response["Retry-After"]) > 0
        assert "Try again in" in text(response) and next(iter(fields.values())) in response.content.decode()
    assert club.askings.count() == 1 and not Announcement.objects.exists()


def test_whoever_changes_much_at_the_desk_waits(at, club, at_most):
    at_most("desk", 1)
    client = at("ann")
    assert client.post("/c/st-gall/desk/appoint/bob").status_code == 302
    assert client.post("/c/st-gall/desk/dismiss/bob").status_code == 429
    assert client.get("/c/st-gall/desk").status_code == 200


def test_a_steward_announces_and_takes_it_back(at, club):
    client = at("ann")
    assert client.post("/c/st-gall/desk/announce", {"text": " "}).status_code == 422
    response = client.post("/c/st-gall/desk/announce", {"text": "q" * 2001})
    assert response.status_code == 422 and "q" * 2001 in response.content.decode()
    response = client.post("/c/st-gall/desk/announce", {"text": "We meet on Monday."})
    assert (response.url, messages(response)) == ("/c/st-gall/desk", ["All members have been told."])
    assert Notice.objects.filter(user=person("bob"), kind="announced").exists()
    number = Announcement.objects.get().pk
    client.post(f"/c/st-gall/desk/withdraw/{number}")
    assert not Announcement.objects.exists()
    assert "was deleted" in messages(client.post(f"/c/st-gall/desk/withdraw/{number}"))[-1]


def test_a_steward_makes_a_link_and_takes_it_away(at, club):
    client = at("ann")
    assert client.post("/c/st-gall/desk/link", {"do": "new"}).url == "/c/st-gall/desk"
    club.refresh_from_db()
    link = f"{settings.SITE_URL}/c/st-gall/invited/{club.invitation}"
    assert link in client.get("/c/st-gall/desk").content.decode()
    assert club.invitation not in at("bob").get("/c/st-gall").content.decode()
    at("ann").post("/c/st-gall/desk/link", {"do": "none"})
    club.refresh_from_db()
    assert club.invitation == ""
    assert "Make a link" in text(client.get("/c/st-gall/desk"))


def test_a_steward_changes_what_the_club_says(at, club):
    response = at("ann").post("/c/st-gall/desk/club", {**FIELDS, "joining": "ask", "language": ""})
    assert (response.url, messages(response)) == ("/c/scriptorium/desk", ["Settings saved."])
    club.refresh_from_db()
    assert (club.name, club.slug, club.joining, club.language) == ("The Scriptorium", "scriptorium", "ask", "")
    assert at("ann").post("/c/scriptorium/desk/club", {**FIELDS, "slug": ""}).url == "/c/scriptorium/desk"
    assert at("ann").get("/c/st-gall").status_code == 404


@pytest.mark.parametrize("wrong, sentence", [each for each in WRONG if each[0] != {"slug": "st-gall"}])
def test_what_a_club_cannot_say_is_refused_and_nothing_typed_is_lost(at, club, wrong, sentence):
    fields = {**FIELDS, **wrong}
    response = at("ann").post("/c/st-gall/desk/club", fields)
    assert response.status_code == 422 and sentence in text(response)
    html = response.content.decode()
    for name in ("clubname", "slug", "description"):
        assert fields[name] in html
    # Everything else of the desk is there as it was.
    assert f"<bdi>{NAME}</bdi></a></h1>" in html and "Invite people" in html
    club.refresh_from_db()
    assert club.name == NAME


def test_names_stand_by_themselves_in_any_direction(at, now):
    name = "\u202eThe <b>Crypt</b>"
    club = clubs.found(person("ann"), **says_of("Crypt", slug="crypt"), now=now)
    Club.objects.filter(pk=club.pk).update(name=name)  # kept from before the rules for names
    for page in ("/clubs", "/c/crypt", "/c/crypt/members", "/c/crypt/desk"):
        html = at("ann").get(page).content.decode()
        assert "<b>Crypt" not in html
        assert "<bdi>\u202eThe &lt;b&gt;Crypt&lt;/b&gt;</bdi>" in html


def test_blocked_people_are_invited_without_being_told(at, club):
    Block.objects.create(user=person("dan"), blocked=person("ann"))
    assert "1 person is invited." in text(at("ann").post("/c/st-gall/desk/invite", {"names": "dan"}))
    assert not Notice.objects.filter(user=person("dan")).exists()
