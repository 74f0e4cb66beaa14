"""The pages of clubs: who sees what, what is refused, and that nothing of a private club is shown to others."""

from datetime import timedelta
from html import unescape

import pytest
from django.contrib.messages import get_messages
from django.utils import timezone
from django.utils.formats import date_format

from accounts import clubs, services
from accounts.models import Announcement, Asking, Block, Club, Expulsion, Member, Notice
from games.clubs import page as club_page
from tests.clubs.clubs import DAY, agreed, club_of, met
from tests.ladders.ladder_pages import challenge, text
from tests.matches.matches import person

pytestmark = pytest.mark.django_db

NAME = "St Gall"
FIELDS = {
    "clubname": "The Scriptorium",
    "slug": "scriptorium",
    "description": "We copy books.",
    "language": "en",
    "visible": "all",
    "joining": "free",
}
LOOKING = ("", "/members", "/ladder", "/ladder/rules", "/ladder/events", "/ladder.csv", "/ladder/embed")
ACTS = ("join", "decline", "leave")
DESK = (
    *("club", "invite", "link", "announce", "withdraw/1", "approve/dan", "turn-away/dan", "appoint/bob"),
    *("dismiss/ann", "expel/bob", "readmit/dan"),
)


@pytest.fixture
def club(now):
    """A club that everybody sees and may join: ann is its steward, bob a member. dan, eve and cho are none."""
    for name in ("cho", "dan", "eve"):
        person(name)
    return club_of("ann", "bob", now=now - 30 * DAY).club


def private(club):
    Club.objects.filter(pk=club.pk).update(private=True, joining="invite")
    club.refresh_from_db()
    return club


def joined_by(club, joining):
    Club.objects.filter(pk=club.pk).update(joining=joining)


def says(response):
    """What a page that leads on has said, as the next one shows it."""
    return [str(message) for message in get_messages(response.wsgi_request)]


def date(moment):
    return date_format(moment, "DATE_FORMAT")


def members(club):
    return set(club.members.values_list("user__username", flat=True))


def statuses(client, addresses):
    return {client.get(address).status_code for address in addresses}


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
        known = ("Join", "Ask to join", "Accept the invitation", "Decline", "Do not ask any more", "Desk")
        return {word for word in known if f">{word}</" in html}

    assert buttons("") == buttons("cho") == {"Join"}
    assert buttons("bob") == set()
    assert buttons("ann") == {"Desk"}
    joined_by(club, "ask")
    assert buttons("") == buttons("cho") == {"Ask to join"}
    Asking.objects.create(club=club, user=person("cho"), at=timezone.now())
    assert buttons("cho") == {"Do not ask any more"}
    assert "You have asked to join. A steward will answer." in text(at("cho").get("/c/st-gall"))
    Asking.objects.update(by=person("ann"))
    assert buttons("cho") == {"Accept the invitation", "Decline"}
    assert "ann invites you to this club." in text(at("cho").get("/c/st-gall"))
    joined_by(club, "invite")
    assert buttons("") == buttons("dan") == set()
    assert "by invitation" in text(at("dan").get("/c/st-gall"))
    Expulsion.objects.create(club=club, user=person("dan"), by=person("ann"), reason="He shouts.", at=timezone.now())
    assert buttons("dan") == set()
    shown = text(at("dan").get("/c/st-gall"))
    assert "You have been expelled. The reason: He shouts. Only a steward can readmit you." in shown


def test_a_club_shows_its_people_its_ladder_and_its_games(at, now):
    ladder = club_of("ann", "bob", "dan", now=now - 30 * DAY)
    met(ladder, "dan", "bob", now=now - 2 * DAY)
    challenge(ladder, "bob", "ann", now=now - DAY)
    clubs.announce(ladder.club, person("ann"), "We meet\n\non <Monday>.", now)
    response = at("cho").get("/c/st-gall")
    shown = text(response)
    assert "We meet on <Monday>." in shown and "on <Monday>" not in response.content.decode()
    home = club_page.home(Club.objects.get(), person("cho"), now)
    assert [fellow.name for fellow in home.top] == ["ann", "dan", "bob"]
    assert [fellow.position for fellow in home.top] == [1, 2, 3]
    assert len(home.results) == 1 and home.running == []
    assert "No game for the ladder is being played." in shown


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
    assert "1 member" in shown and "Nobody stands on it yet." in shown
    assert "No game has been played for the ladder yet." in shown
    assert "Be the first" in text(at("ann").get(club.get_absolute_url())) and "Be the first" not in shown


def says_of(name, **says):
    known = {"slug": name.lower().replace(" ", "-"), "description": "", "language": "", "private": False}
    return {"name": name, **known, "joining": "free", **says}


def test_the_members_stand_there_with_position_and_rating(at, club):
    zoe = Member.objects.create(club=club, user=person("zoe"), joined_at=timezone.now())
    ann = club.members.get(user=person("ann"))
    shown = text(at("bob").get("/c/st-gall/members")).partition("Members of St Gall3")[2]
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


def test_whoever_may_not_know_of_a_private_club_finds_nothing_of_it(at, club):
    private(club)
    clubs.announce(club, person("ann"), "We meet on Monday.", timezone.now())
    pages = [f"/c/st-gall{page}" for page in LOOKING]
    pages += [f"/c/st-gall/{page}" for page in ("desk", "desk/expel/bob", "ladder/desk", "ladder/challenge?to=ann")]
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


def test_members_and_who_is_invited_see_a_private_club(at, club):
    private(club)
    clubs.invite(club, person("ann"), "dan", timezone.now())
    for name in ("ann", "bob", "dan"):
        client = at(name)
        assert statuses(client, [f"/c/st-gall{page}" for page in LOOKING if "embed" not in page]) == {200}, name
        assert NAME in text(client.get("/clubs"))
        assert NAME not in text(client.get("/clubs?q=gall")).partition("Clubs that you may visit")[2]
    assert at("dan").post("/c/st-gall/decline").url == "/clubs"
    assert at("dan").get("/c/st-gall").status_code == 404


def test_an_address_that_a_private_club_has_looks_like_one_that_none_can_have(at, club):
    private(club)
    client = at("cho")
    taken = client.post("/clubs/new", {**FIELDS, "slug": "st-gall"})
    reserved = client.post("/clubs/new", {**FIELDS, "slug": "desk"})
    assert taken.status_code == reserved.status_code == 422
    assert "is not available" in text(taken) and "is not available" in text(reserved)
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
    assert "No club is called so." in text(at("cho").get("/clubs", {"q": "nothing so"}))
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
    assert "You are invited" in shown and "ann invites you to St Gall" in shown
    assert "You are invited" not in text(at("cho").get("/clubs"))
    client = at("dan")
    response = client.post("/c/st-gall/join")
    assert (response.url, says(response)) == ("/c/st-gall", ["Welcome to St Gall."])
    assert "You are invited" not in text(client.get("/clubs"))


def test_an_invitation_of_whose_account_is_closed_is_no_broken_line(at, club, now):
    clubs.appoint(club, person("ann"), person("bob"), now)
    clubs.invite(club, person("bob"), "dan", now)
    person("bob").__class__.objects.filter(username="bob").update(closing_at=now)
    services.pseudonymise(person("bob").pk, now)
    for page in ("/clubs", "/c/st-gall"):
        assert at("dan").get(page).status_code == 200
    assert at("ann").get("/c/st-gall/desk").status_code == 200


# Founding


def test_who_has_no_account_is_led_to_make_one_before_founding(at):
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


def test_an_address_left_empty_is_made_of_the_name(at, club):
    for expected in ("/c/st-gall-2", "/c/st-gall-3"):
        assert at("cho").post("/clubs/new", {**FIELDS, "clubname": "St Gall", "slug": ""}).url == expected


WRONG = [
    ({"clubname": ""}, "required"),
    ({"clubname": "x"}, "at least 2 characters"),
    ({"clubname": "x" * 61}, "at most 60 characters"),
    ({"slug": "No Slug"}, "lower-case letters"),
    ({"slug": "st-gall"}, "is not available"),
    ({"slug": "admin"}, "is not available"),
    ({"description": "y" * 2001}, "at most 2000 characters"),
    ({"language": "tlh"}, "not one of the available choices"),
    ({"visible": "some"}, "not one of the available choices"),
    ({"joining": ""}, "required"),
]


@pytest.mark.parametrize("wrong, sentence", WRONG)
def test_what_cannot_be_founded_is_said_and_nothing_typed_is_lost(at, club, wrong, sentence):
    fields = {**FIELDS, "description": "We copy <books>.", **wrong}
    response = at("cho").post("/clubs/new", fields)
    assert response.status_code == 422
    assert sentence in text(response)
    html = unescape(response.content.decode())
    for name in ("clubname", "slug", "description"):
        assert fields[name] in html
    assert Club.objects.count() == 1


def test_who_founds_many_clubs_waits_and_nothing_typed_is_lost(at, at_most):
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
    assert (response.url, says(response)) == ("/c/st-gall", ["Welcome to St Gall."])
    assert members(club) == {"ann", "bob", "cho"}
    assert says(at("cho").post("/c/st-gall/join")) == ["You are a member already."]
    response = at("cho").post("/c/st-gall/leave")
    assert (response.url, says(response)) == ("/clubs", ["You have left St Gall."])
    assert says(at("cho").post("/c/st-gall/leave")) == ["You are not a member of this club."]
    assert members(club) == {"ann", "bob"}


def test_the_last_steward_reads_why_he_cannot_leave(at, club):
    response = at("ann").post("/c/st-gall/leave", follow=True)
    assert response.redirect_chain == [("/c/st-gall", 302)]
    assert "You are the last steward of this club. Appoint another one before you leave." in text(response)


def test_one_asks_and_takes_it_back(at, club):
    joined_by(club, "ask")
    assert says(at("cho").post("/c/st-gall/join")) == ["You have asked to join. A steward will answer."]
    assert says(at("cho").post("/c/st-gall/join")) == ["You have asked already. A steward will answer."]
    assert at("cho").post("/c/st-gall/decline").url == "/clubs"
    assert not Asking.objects.exists()
    assert says(at("cho").post("/c/st-gall/decline")) == ["You have neither asked to join nor been invited."]


def test_who_is_not_invited_reads_that_he_has_to_be(at, club):
    joined_by(club, "invite")
    assert says(at("cho").post("/c/st-gall/join")) == ["This club can be joined by invitation only."]


def test_who_comes_and_goes_often_waits(at, club, at_most):
    at_most("clubs", 2)
    client = at("cho")
    assert [client.post(f"/c/st-gall/{act}").status_code for act in ("join", "leave", "join")] == [302, 302, 429]
    assert members(club) == {"ann", "bob"}
    assert at("dan").post("/c/st-gall/join").status_code == 302


# The link


def link_of(club):
    return f"/c/{club.slug}/invited/{clubs.new_link(club, person('ann'))}"


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
    assert (response.url, says(response)) == ("/c/st-gall", ["Welcome to St Gall."])
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


def test_who_is_expelled_reads_it_where_the_link_leads(at, club):
    link = link_of(club)
    clubs.expel(club, person("ann"), person("bob"), "He shouts.", timezone.now())
    response = at("bob").post(link)
    assert "You have been expelled from this club (He shouts.)." in text(response)
    assert members(club) == {"ann"}


def test_who_tries_links_often_waits(at, club, at_most):
    link = link_of(club)
    at_most("clubs", 0)
    assert at("cho").post(link).status_code == 429


# The desk


def test_the_desk_is_for_stewards(at, club):
    acts = [f"/c/st-gall/desk/{act}" for act in DESK]
    pages = ["/c/st-gall/desk", "/c/st-gall/desk/expel/bob"]
    for name in ("cho", "bob"):
        assert statuses(at(name), pages) == {404}
        assert {at(name).post(act, FIELDS).status_code for act in acts} == {404}
    assert {at().get(page).url for page in pages} == {"/sign-in?next=/c/st-gall/desk"}
    assert {at().post(act, FIELDS).url for act in acts} == {"/sign-in?next=/c/st-gall/desk"}
    assert at(services.guest().username).get("/c/st-gall/desk").url == "/sign-up?next=%2Fc%2Fst-gall"
    assert statuses(at("ann"), pages) == {200}
    club.refresh_from_db()
    assert (club.name, members(club)) == (NAME, {"ann", "bob"})


def test_the_desk_shows_who_waits_belongs_and_is_expelled(at, club, now):
    joined_by(club, "ask")
    clubs.join(club, person("dan"), now)
    clubs.invite(club, person("ann"), "eve", now)
    Expulsion.objects.create(club=club, user=person("cho"), by=person("ann"), reason="He <shouts>.", at=now)
    clubs.announce(club, person("ann"), "We meet on Monday.", now)
    shown = text(at("ann").get("/c/st-gall/desk"))
    for words in ("They ask to join1 Ddan", "Invited, and not answered yet", "He <shouts>.", "We meet on Monday."):
        assert words in shown
    assert "They ask to join" not in text(at("ann").get("/c/st-gall/ladder"))


def test_a_steward_approves_and_turns_away(at, club, now):
    joined_by(club, "ask")
    for name in ("dan", "eve"):
        clubs.join(club, person(name), now)
    client = at("ann")
    assert client.post("/c/st-gall/desk/approve/DAN").url == "/c/st-gall/desk"
    assert client.post("/c/st-gall/desk/turn-away/eve").url == "/c/st-gall/desk"
    assert members(club) == {"ann", "bob", "dan"} and not Asking.objects.exists()
    assert says(client.post("/c/st-gall/desk/approve/eve"))[-1] == "eve no longer asks to join."
    assert client.post("/c/st-gall/desk/approve/nobody").status_code == 404
    assert client.post("/c/st-gall/desk/approve/%00").status_code == 404


def test_a_steward_appoints_and_dismisses(at, club):
    assert at("ann").post("/c/st-gall/desk/appoint/bob").url == "/c/st-gall/desk"
    assert clubs.is_steward(club, person("bob"))
    assert at("bob").post("/c/st-gall/desk/dismiss/ann").url == "/c/st-gall/desk"
    assert at("ann").get("/c/st-gall/desk").status_code == 404
    response = at("bob").post("/c/st-gall/desk/dismiss/bob")
    assert response.url == "/c/st-gall/desk" and "last one" in says(response)[0]


def test_who_lays_it_down_himself_is_led_to_the_club(at, club, now):
    clubs.appoint(club, person("ann"), person("bob"), now)
    assert at("ann").post("/c/st-gall/desk/dismiss/ann").url == "/c/st-gall"


def test_a_steward_expels_with_a_reason_and_readmits(at, club):
    client = at("ann")
    assert "Expel bob" in text(client.get("/c/st-gall/desk/expel/bob"))
    response = client.post("/c/st-gall/desk/expel/bob", {"reason": " "})
    assert response.status_code == 422 and members(club) == {"ann", "bob"}
    response = client.post("/c/st-gall/desk/expel/bob", {"reason": "z" * 501})
    assert response.status_code == 422 and "z" * 501 in response.content.decode()
    response = client.post("/c/st-gall/desk/expel/bob", {"reason": "He shouts."})
    assert (response.url, says(response)) == ("/c/st-gall/desk", ["bob is no member any more."])
    assert members(club) == {"ann"}
    assert client.get("/c/st-gall/desk/expel/bob").status_code == 404
    assert client.get("/c/st-gall/desk/expel/nobody").status_code == 404
    client.post("/c/st-gall/desk/readmit/bob")
    assert not Expulsion.objects.exists()


def test_a_steward_does_not_expel_stewards_or_himself(at, club, now):
    response = at("ann").post("/c/st-gall/desk/expel/ann", {"reason": "I shout."})
    assert response.status_code == 422 and "cannot expel yourself" in text(response)
    clubs.appoint(club, person("ann"), person("bob"), now)
    response = at("ann").post("/c/st-gall/desk/expel/bob", {"reason": "He shouts."})
    assert response.status_code == 422 and "Dismiss them as a steward first." in text(response)
    assert "He shouts." in response.content.decode()


def test_a_steward_invites_a_pasted_list_and_reads_what_became_of_each_name(at, club, now):
    joined_by(club, "ask")
    clubs.join(club, person("eve"), now)
    response = at("ann").post("/c/st-gall/desk/invite", {"names": "dan, DAN\r\nbob\r\n<nobody>; eve"})
    shown = text(response)
    assert response.status_code == 200
    assert "1 person is invited. dan" in shown and "They had asked to join, and are members now. eve" in shown
    assert "Nobody is called so. Look at the spelling. <nobody>" in shown
    assert "They stand in the list more than once. DAN" in shown and "They are members already. bob" in shown
    assert members(club) == {"ann", "bob", "eve"} and club.askings.get().user == person("dan")
    assert "They have been invited before. dan" in text(at("ann").post("/c/st-gall/desk/invite", {"names": "dan"}))


@pytest.mark.parametrize("names, sentence", [("", "no name"), (",;\n", "no name"), ("a," * 201, "at most 200")])
def test_a_list_that_is_none_is_refused_and_not_lost(at, club, names, sentence):
    response = at("ann").post("/c/st-gall/desk/invite", {"names": names})
    assert response.status_code == 422 and sentence in text(response)
    assert names.strip() in response.content.decode()


def test_who_invites_and_announces_often_waits_and_nothing_typed_is_lost(at, club, at_most):
    at_most("invitations", 1)
    client = at("ann")
    assert client.post("/c/st-gall/desk/invite", {"names": "dan"}).status_code == 200
    for what, fields in (("invite", {"names": "eve, cho"}), ("announce", {"text": "We meet on Monday."})):
        response = client.post(f"/c/st-gall/desk/{what}", fields)
        assert response.status_code == 429 and int(response["Retry-After"]) > 0
        assert "Try again in" in text(response) and next(iter(fields.values())) in response.content.decode()
    assert club.askings.count() == 1 and not Announcement.objects.exists()


def test_who_changes_much_at_the_desk_waits(at, club, at_most):
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
    assert (response.url, says(response)) == ("/c/st-gall/desk", ["All members are told."])
    assert Notice.objects.filter(user=person("bob"), kind="announced").exists()
    number = Announcement.objects.get().pk
    client.post(f"/c/st-gall/desk/withdraw/{number}")
    assert not Announcement.objects.exists()
    assert "has been deleted" in says(client.post(f"/c/st-gall/desk/withdraw/{number}"))[-1]


def test_a_steward_makes_a_link_and_takes_it_away(at, club):
    client = at("ann")
    assert client.post("/c/st-gall/desk/link", {"do": "new"}).url == "/c/st-gall/desk"
    club.refresh_from_db()
    link = f"http://testserver/c/st-gall/invited/{club.invitation}"
    assert link in client.get("/c/st-gall/desk").content.decode()
    assert club.invitation not in at("bob").get("/c/st-gall").content.decode()
    at("ann").post("/c/st-gall/desk/link", {"do": "none"})
    club.refresh_from_db()
    assert club.invitation == ""
    assert "Make a link" in text(client.get("/c/st-gall/desk"))


def test_a_steward_changes_what_the_club_says(at, club):
    response = at("ann").post("/c/st-gall/desk/club", {**FIELDS, "joining": "ask", "language": ""})
    assert (response.url, says(response)) == ("/c/scriptorium/desk", ["The club is as you have set it."])
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
    club = clubs.found(person("ann"), **says_of("Crypt", slug="crypt") | {"name": name}, now=now)
    for page in ("/clubs", "/c/crypt", "/c/crypt/members", "/c/crypt/desk"):
        html = at("ann").get(page).content.decode()
        assert "<b>Crypt" not in html
        assert "<bdi>\u202eThe &lt;b&gt;Crypt&lt;/b&gt;</bdi>" in html
    assert club.name == name


def test_blocked_people_are_invited_without_being_told(at, club):
    Block.objects.create(user=person("dan"), blocked=person("ann"))
    assert "1 person is invited." in text(at("ann").post("/c/st-gall/desk/invite", {"names": "dan"}))
    assert not Notice.objects.filter(user=person("dan")).exists()


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
