"""Who belongs to clubs: every rule of `accounts.clubs` by its name, what is told, and two things at once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connections, transaction

from accounts import clubs, services
from accounts.models import Announcement, Asking, Block, Club, Expulsion, Member, Notice, User
from accounts.refused import Refused
from games.ladders import challenges, events
from games.ladders.models import Challenge, Ladder
from games.ladders.standing import Kind, replay
from tests.clubs.clubs import DAILY, agreed, ended, order
from tests.matches.matches import person

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
SAYS = {
    "name": "The Scriptorium",
    "slug": "scriptorium",
    "description": "We copy books.",
    "language": "en",
    "private": False,
    "joining": "free",
}


def club_of(*names, **says):
    """A club that the first of these people has founded, with the others as members, who came one after the other."""
    club = clubs.found(person(names[0]), **{**SAYS, **says}, now=NOW)
    for number, name in enumerate(names[1:], 1):
        Member.objects.create(club=club, user=person(name), joined_at=NOW + timedelta(minutes=number))
    return club


def change(club, by="ann", **says):
    return clubs.change(club, person(by), **{**SAYS, **says})


def roles(club):
    """Who belongs to a club, and as what."""
    return dict(club.members.order_by("joined_at", "pk").values_list("user__username", "role"))


def waiting(club):
    """Who waits to join, and by whom he is invited."""
    return dict(club.askings.order_by("pk").values_list("user__username", "by__username"))


def told(name):
    """What somebody has been told: kind and page."""
    return list(Notice.objects.filter(user=person(name)).order_by("pk").values_list("kind", "address"))


def refused(says, act, *args, **kwargs):
    """An act that is refused with a sentence in which this stands."""
    with pytest.raises(Refused) as refusal:
        act(*args, **kwargs)
    assert says in str(refusal.value)


# Founding, and what a club says of itself


def test_whoever_founds_a_club_is_its_steward_and_it_has_a_ladder():
    club = club_of("ann", name="  The \n Scriptorium ")
    assert (club.name, club.slug, club.language, club.private, club.joining) == (
        *("The Scriptorium", "scriptorium", "en", False, "free"),
    )
    assert roles(club) == {"ann": "steward"}
    assert Ladder.objects.get(club=club).now_standing().order == ()
    assert clubs.find("scriptorium", person("cho")) == club


def test_an_address_is_made_of_the_name():
    for name, slug in {
        "The Scriptorium": "the-scriptorium",
        "Zürich _ Süd": "zurich-sud",
        "Köln": "koln",
        "Клуб переписчиков": "klub-perepischikov",
        "انجمن بازی تهران": "njmn-bzy-thrn",
        "写字间": "xiezijian",
        "★ ★ ★": "club-2",
        "x": "x-2",
        "Desk": "desk-2",
        "w" * 60: "w" * 35,
    }.items():
        # A letter is no address, and a word that means something else is none: the first number makes them one.
        assert clubs.free_slug(name) == slug
        assert not clubs.wrong_slug(slug)


def test_an_address_that_is_taken_is_numbered():
    club_of("ann", slug="the-scriptorium")
    assert clubs.free_slug("The Scriptorium") == "the-scriptorium-2"
    club_of("ann", slug="the-scriptorium-2")
    assert clubs.free_slug("The Scriptorium") == "the-scriptorium-3"
    for number in range(3, 100):
        Club.objects.create(name="x", slug=f"the-scriptorium-{number}")
    assert clubs.free_slug("The Scriptorium").startswith("club-")


@pytest.mark.parametrize("slug", ["", "a", "-a", "a-", "a--b", "A-b", "a_b", "a b", "é-é", "a" * 41, "a/b", "ab\n"])
def test_a_bad_address_is_refused(slug):
    refused("lower-case letters", club_of, "ann", slug=slug)
    assert not Club.objects.exists()


@pytest.mark.parametrize("slug", sorted(clubs.RESERVED))
def test_an_address_that_means_something_else_is_refused(slug):
    refused("is not available", club_of, "ann", slug=slug)


def test_an_address_that_a_club_has_is_refused_in_the_same_words_as_one_that_none_can_have():
    club_of("ann", private=True)
    with pytest.raises(Refused) as taken:
        club_of("bob")
    with pytest.raises(Refused) as reserved:
        club_of("bob", slug="desk")
    assert str(taken.value) == str(reserved.value)
    assert Club.objects.count() == 1 and Member.objects.count() == 1


@pytest.mark.parametrize(
    "says, sentence",
    [
        ({"name": "x"}, "2 to 60 characters"),
        ({"name": "  \n "}, "2 to 60 characters"),
        ({"name": "x" * 61}, "2 to 60 characters"),
        ({"description": "x" * 2001}, "at most 2000 characters"),
        ({"language": "tlh"}, "does not know this language"),
        ({"slug": "Not one"}, "lower-case letters"),
    ],
)
def test_what_a_club_cannot_say_of_itself_is_refused_when_it_is_founded_and_when_it_changes(says, sentence):
    refused(sentence, club_of, "ann", **says)
    club = club_of("ann")
    refused(sentence, change, club, **says)
    assert Club.objects.get(pk=club.pk).name == "The Scriptorium"


def test_a_private_club_is_joined_by_invitation_however_it_was_asked_for():
    club = club_of("ann", private=True, joining="free")
    assert (club.private, club.joining) == (True, "invite")
    assert change(club, joining="ask", private=False).joining == "ask"
    assert change(club, joining="ask", private=True).joining == "invite"


def test_a_steward_changes_what_a_club_says():
    club = club_of("ann", "bob")
    changed = change(club, name="The Bindery", slug="bindery", description="", language="", joining="ask")
    club.refresh_from_db()
    assert club == changed
    assert (club.name, club.slug, club.description, club.language) == ("The Bindery", "bindery", "", "")
    assert change(club, slug="bindery").name == "The Scriptorium"
    club_of("bob", slug="other")
    refused("is not available", change, club, slug="other")
    for outsider in ("bob", "cho"):
        refused("Only a steward", change, club, outsider, name="Mine")


# Joining


def test_anybody_joins_a_club_that_is_free():
    club = club_of("ann")
    joined = clubs.join(club, person("bob"), LATER)
    assert (joined.role, joined.joined_at) == ("member", LATER)
    assert roles(club) == {"ann": "steward", "bob": "member"}
    refused("member already", clubs.join, club, person("bob"), LATER)
    assert told("ann") == told("bob") == []


def test_where_stewards_approve_one_asks_and_they_are_told():
    club = club_of("ann", "bob", joining="ask")
    asking = clubs.join(club, person("dan"), LATER)
    assert isinstance(asking, Asking) and asking.by is None
    assert roles(club) == {"ann": "steward", "bob": "member"} and waiting(club) == {"dan": None}
    assert told("ann") == [("asked", "/c/scriptorium/desk")] and told("bob") == []
    refused("asked already", clubs.join, club, person("dan"), LATER)

    clubs.approve(club, person("ann"), person("dan"), LATER)
    assert "dan" in roles(club) and waiting(club) == {}
    assert told("dan") == [("approved", "/c/scriptorium")]
    refused("no longer asks to join", clubs.approve, club, person("ann"), person("dan"), LATER)


def test_who_was_turned_away_may_ask_again():
    club = club_of("ann", joining="ask")
    clubs.join(club, person("dan"), NOW)
    clubs.turn_away(club, person("ann"), person("dan"))
    assert "dan" not in roles(club) and waiting(club) == {}
    refused("no longer waiting to join", clubs.turn_away, club, person("ann"), person("dan"))
    clubs.join(club, person("dan"), LATER)
    assert waiting(club) == {"dan": None}


def test_what_one_has_asked_one_takes_back_and_an_invitation_one_declines():
    club = club_of("ann", joining="ask")
    clubs.join(club, person("dan"), NOW)
    clubs.decline(club, person("dan"))
    clubs.invite(club, person("ann"), ["dan"], NOW)
    clubs.decline(club, person("dan"))
    assert waiting(club) == {}
    refused("neither asked to join nor been invited", clubs.decline, club, person("dan"))


def test_by_invitation_only_nobody_joins_who_is_not_invited():
    club = club_of("ann", joining="invite")
    refused("by invitation only", clubs.join, club, person("dan"), NOW)
    assert waiting(club) == {}
    clubs.invite(club, person("ann"), "dan", NOW)
    assert waiting(club) == {"dan": "ann"}
    assert told("dan") == [("invited", "/c/scriptorium")]
    clubs.join(club, person("dan"), LATER)
    assert "dan" in roles(club) and waiting(club) == {}


def test_an_invitation_that_was_taken_back_is_none():
    club = club_of("ann", joining="invite")
    person("dan")
    clubs.invite(club, person("ann"), "dan", NOW)
    clubs.turn_away(club, person("ann"), person("dan"))
    refused("by invitation only", clubs.join, club, person("dan"), NOW)


def test_an_invitation_is_not_approved_by_stewards():
    club = club_of("ann", joining="ask")
    person("dan")
    clubs.invite(club, person("ann"), "dan", NOW)
    assert waiting(club) == {"dan": "ann"}
    refused("no longer asks to join", clubs.approve, club, person("ann"), person("dan"), NOW)
    assert "dan" not in roles(club)


@pytest.mark.parametrize("joining", ["free", "ask", "invite"])
def test_with_a_link_one_joins_every_club(joining):
    club = club_of("ann", joining=joining)
    token = clubs.new_link(club, person("ann"))
    assert len(token) == 22
    clubs.join(club, person("dan"), LATER, token)
    assert "dan" in roles(club)


def test_a_link_takes_the_place_of_having_asked():
    club = club_of("ann", joining="ask")
    token = clubs.new_link(club, person("ann"))
    clubs.join(club, person("dan"), NOW)
    clubs.join(club, person("dan"), LATER, token)
    assert "dan" in roles(club) and waiting(club) == {}


def test_an_old_link_leads_nowhere_and_no_link_is_none():
    club = club_of("ann", joining="invite")
    refused("no longer valid", clubs.join, club, person("dan"), NOW, "x" * 22)
    old = clubs.new_link(club, person("ann"))
    new = clubs.new_link(club, person("ann"))
    assert old != new
    for wrong in (old, new[:-1], new.swapcase(), "é" * 22):
        refused("no longer valid", clubs.join, club, person("dan"), NOW, wrong)
    clubs.no_link(club, person("ann"))
    refused("no longer valid", clubs.join, club, person("dan"), NOW, new)
    refused("by invitation only", clubs.join, club, person("dan"), NOW)
    assert roles(club) == {"ann": "steward"}


def test_a_link_of_one_club_does_not_open_another():
    first, second = club_of("ann"), club_of("bob", slug="bindery", joining="invite")
    clubs.new_link(second, person("bob"))
    token = clubs.new_link(first, person("ann"))
    refused("no longer valid", clubs.join, second, person("dan"), NOW, token)


def test_guests_and_closed_accounts_have_no_clubs():
    guest = services.guest()
    refused("Guests cannot", clubs.found, guest, **SAYS, now=NOW)
    club = club_of("ann")
    token = clubs.new_link(club, person("ann"))
    refused("Guests cannot", clubs.join, club, guest, NOW)
    refused("Guests cannot", clubs.join, club, guest, NOW, token)
    assert clubs.invite(club, person("ann"), [guest.username], NOW).unknown == [guest.username]
    gone = person("dan", closed=True)
    refused("closed", clubs.join, club, gone, NOW)
    assert clubs.invite(club, person("ann"), "dan", NOW).unknown == ["dan"]


def test_one_is_member_of_so_many_clubs_and_no_more(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_CLUBS", 2)
    for slug in ("one", "two"):
        club_of("ann", slug=slug)
    refused("2 clubs already", club_of, "ann", slug="three")
    club = club_of("bob", joining="ask")
    refused("2 clubs already", clubs.join, club, person("ann"), NOW)
    refused("2 clubs already", clubs.join, club, person("ann"), NOW, clubs.new_link(club, person("bob")))
    Asking.objects.create(club=club, user=person("ann"), at=NOW)
    refused("ann is a member of too many", clubs.approve, club, person("bob"), person("ann"), NOW)
    assert Club.objects.count() == 3 and "ann" not in roles(club)


def test_a_club_has_so_many_members_and_no_more(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 2)
    club = club_of("ann", "bob")
    refused("at most 2 members", clubs.join, club, person("dan"), NOW)
    refused("at most 2 members", clubs.invite, club, person("ann"), "dan", NOW)
    Asking.objects.create(club=club, user=person("dan"), at=NOW)
    refused("at most 2 members", clubs.approve, club, person("ann"), person("dan"), NOW)
    assert set(roles(club)) == {"ann", "bob"}


def test_who_is_invited_counts_as_if_he_had_come(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 3)
    club = club_of("ann")
    for name in ("bob", "dan", "eve"):
        person(name)
    refused("at most 3 members", clubs.invite, club, person("ann"), "bob, dan, eve", NOW)
    assert waiting(club) == {} and told("bob") == []
    clubs.invite(club, person("ann"), "bob, dan", NOW)
    refused("at most 3 members", clubs.invite, club, person("ann"), "eve", NOW)


# Inviting a pasted list


def test_of_a_pasted_list_each_name_is_told_what_became_of_it():
    club = club_of("ann", "bob", joining="ask")
    for name in ("dan", "eve", "fay", "Gus-Long"):
        person(name)
    clubs.invite(club, person("ann"), "eve", NOW)
    clubs.join(club, person("fay"), NOW)
    person("hal")
    Expulsion.objects.create(club=club, user=person("hal"), by=person("ann"), reason="He shouts.", at=NOW)
    pasted = "dan\r\n@DAN, bob; eve\n\n  fay \nhal,nobody\ngus-long, Dan\n"
    assert clubs.invite(club, person("ann"), pasted, LATER) == clubs.Invited(
        invited=["dan", "gus-long"],
        unknown=["nobody"],
        twice=["DAN", "Dan"],
        already=["bob"],
        waiting=["eve"],
        approved=["fay"],
        expelled=["hal"],
    )
    assert {"ann", "bob", "fay"} == set(roles(club))
    assert ("approved", "/c/scriptorium") in told("fay")
    assert told("hal") == [] and told("eve") == [("invited", "/c/scriptorium")]
    assert set(waiting(club).values()) == {"ann"}


def test_a_double_name_that_nobody_has_is_named_once_as_unknown():
    result = clubs.invite(club_of("ann"), person("ann"), "zed, zed", NOW)
    assert (result.unknown, result.twice) == (["zed"], ["zed"])


def test_one_does_not_invite_oneself():
    assert clubs.invite(club_of("ann"), person("ann"), "ann", NOW).already == ["ann"]


@pytest.mark.parametrize("names", ["", " \n,, ;\r\n", []])
def test_an_empty_list_invites_nobody(names):
    refused("no name", clubs.invite, club_of("ann"), person("ann"), names, NOW)


def test_a_list_has_so_many_names_and_no_more(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_NAMES", 3)
    club = club_of("ann")
    refused("at most 3 people", clubs.invite, club, person("ann"), "a\nb\nc\nd", NOW)
    assert len(clubs.invite(club, person("ann"), "aa\nbb\ncc", NOW).unknown) == 3


@pytest.mark.parametrize("names", ["\0", "dan\0", "x" * 5000, "' OR 1=1 --"])
def test_odd_names_are_unknown(names):
    person("dan")
    assert clubs.invite(club_of("ann"), person("ann"), names, NOW).unknown == [names]


def test_who_has_blocked_a_steward_is_invited_without_being_told():
    club = club_of("ann")
    Block.objects.create(user=person("dan"), blocked=person("ann"))
    assert clubs.invite(club, person("ann"), "dan", NOW).invited == ["dan"]
    assert waiting(club) == {"dan": "ann"} and told("dan") == []


# Leaving


def test_who_leaves_is_no_member_and_may_come_back():
    club = club_of("ann", "bob")
    clubs.leave(club, person("bob"), LATER)
    assert roles(club) == {"ann": "steward"}
    refused("not a member", clubs.leave, club, person("bob"), LATER)
    clubs.join(club, person("bob"), LATER)
    assert roles(club)["bob"] == "member"


def test_the_last_steward_neither_leaves_nor_lays_it_down():
    club = club_of("ann", "bob")
    refused("last steward", clubs.leave, club, person("ann"), LATER)
    refused("this is the last one", clubs.dismiss, club, person("ann"), person("ann"))
    clubs.appoint(club, person("ann"), person("bob"), LATER)
    clubs.leave(club, person("ann"), LATER)
    assert roles(club) == {"bob": "steward"}


def test_when_the_last_member_leaves_the_club_is_gone():
    club = club_of("ann")
    clubs.leave(club, person("ann"), LATER)
    assert roles(club) == {}
    assert clubs.find(club.slug, person("ann")) is clubs.find(club.slug, person("cho")) is None


def test_who_leaves_a_club_leaves_its_ladder():
    club = club_of("ann", "bob", "dan")
    ladder = season(club, "ann", "bob", "dan")
    clubs.leave(club, person("bob"), LATER)
    assert order(ladder) == ["ann", "dan"]
    event = ladder.log.order_by("number").last()
    assert (event.kind, event.by, event.reason, event.at) == (Kind.LEAVE, None, "", LATER)
    assert replay(events.events(ladder)) == ladder.now_standing()


def season(club, *names):
    """The ladder of a club, with these people on it, while a season runs."""
    for name in names:
        events.join(club.ladder, person(name), NOW)
    events.start_season(club.ladder, person(names[0]), NOW)
    return Ladder.objects.get(club=club)


def test_running_games_of_who_is_expelled_are_played_on_and_do_not_count():
    club = club_of("ann", "bob", "dan")
    ladder = season(club, "ann", "bob", "dan")
    made = agreed(ladder, "bob", "ann", now=NOW)
    open_one = challenges.challenge(ladder, person("dan"), [person("bob")], DAILY, NOW)
    clubs.expel(club, person("ann"), person("bob"), "He shouts.", LATER)
    made.refresh_from_db()
    open_one.refresh_from_db()
    assert made.status == open_one.status == Challenge.Status.VOID
    assert made.match.status == "running"
    kinds = list(ladder.log.order_by("number").values_list("kind", "reason", "by__username"))
    assert kinds[-2:] == [(Kind.VOID, "", None), (Kind.LEAVE, "He shouts.", "ann")]
    ended(made, 1, 2, now=LATER)
    assert order(ladder) == ["ann", "dan"]
    assert replay(events.events(ladder)) == ladder.now_standing()


# Expelling


def test_who_is_expelled_is_told_why():
    club = club_of("ann", "bob")
    expulsion = clubs.expel(club, person("ann"), person("bob"), "  He shouts. ", LATER)
    assert (expulsion.reason, expulsion.by, expulsion.at) == ("He shouts.", person("ann"), LATER)
    assert roles(club) == {"ann": "steward"}
    assert told("bob") == [("expelled", "/c/scriptorium")]
    assert Notice.objects.get(user=person("bob")).values == {"club": "The Scriptorium", "reason": "He shouts."}
    refused("no longer a member", clubs.expel, club, person("ann"), person("bob"), "Again.", LATER)


def test_who_is_expelled_from_a_private_club_is_led_to_no_page_of_it():
    club = club_of("ann", "bob", private=True)
    clubs.expel(club, person("ann"), person("bob"), "He shouts.", LATER)
    assert told("bob") == [("expelled", "/clubs")]
    assert not clubs.may_see(club, person("bob"))


@pytest.mark.parametrize("reason", ["", "  \n", "x" * 501])
def test_nobody_is_expelled_without_a_reason_of_some_words(reason):
    club = club_of("ann", "bob")
    refused("at most 500 characters", clubs.expel, club, person("ann"), person("bob"), reason, LATER)
    assert "bob" in roles(club)


def test_only_stewards_expel_and_neither_stewards_nor_themselves():
    club = club_of("ann", "bob", "dan")
    for name in ("dan", "bob", "cho"):
        refused("Only a steward", clubs.expel, club, person(name), person("bob"), "He shouts.", LATER)
    refused("cannot expel yourself", clubs.expel, club, person("ann"), person("ann"), "I shout.", LATER)
    clubs.appoint(club, person("ann"), person("bob"), LATER)
    refused("bob is a steward", clubs.expel, club, person("ann"), person("bob"), "He shouts.", LATER)
    refused("cho is no longer a member", clubs.expel, club, person("ann"), person("cho"), "He shouts.", LATER)
    assert not Expulsion.objects.exists() and set(roles(club)) == {"ann", "bob", "dan"}


def test_who_is_expelled_comes_back_neither_freely_nor_by_link_nor_by_invitation_until_he_is_readmitted():
    club = club_of("ann", "bob")
    token = clubs.new_link(club, person("ann"))
    clubs.expel(club, person("ann"), person("bob"), "He shouts.", NOW)
    refused("(He shouts.)", clubs.join, club, person("bob"), LATER)
    refused("(He shouts.)", clubs.join, club, person("bob"), LATER, token)
    assert clubs.invite(club, person("ann"), "bob", LATER).expelled == ["bob"]
    assert waiting(club) == {}
    clubs.readmit(club, person("ann"), person("bob"))
    refused("not expelled any more", clubs.readmit, club, person("ann"), person("bob"))
    clubs.join(club, person("bob"), LATER)
    assert roles(club)["bob"] == "member"


def test_an_invitation_from_before_does_not_bring_back_who_is_expelled():
    club = club_of("ann", joining="ask")
    for by in (None, person("ann")):
        Asking.objects.filter(user=person("bob")).delete()
        Expulsion.objects.filter(user=person("bob")).delete()
        Asking.objects.create(club=club, user=person("bob"), by=by, at=NOW)
        Expulsion.objects.create(club=club, user=person("bob"), by=person("ann"), reason="He shouts.", at=NOW)
        refused("He shouts.", clubs.join, club, person("bob"), LATER)
    Asking.objects.filter(user=person("bob")).update(by=None)
    refused("Readmit them first", clubs.approve, club, person("ann"), person("bob"), LATER)


# Stewards


def test_stewards_appoint_and_dismiss_one_another():
    club = club_of("ann", "bob")
    clubs.appoint(club, person("ann"), person("bob"), LATER)
    assert roles(club) == {"ann": "steward", "bob": "steward"}
    assert told("bob") == [("appointed", "/c/scriptorium")]
    refused("bob is a steward already", clubs.appoint, club, person("ann"), person("bob"), LATER)
    clubs.dismiss(club, person("bob"), person("ann"))
    assert roles(club) == {"ann": "member", "bob": "steward"}
    refused("ann is no longer a steward", clubs.dismiss, club, person("bob"), person("ann"))
    refused("cho is no longer a member", clubs.appoint, club, person("bob"), person("cho"), LATER)
    refused("cho is no longer a member", clubs.dismiss, club, person("bob"), person("cho"))


def test_a_steward_lays_it_down_himself():
    club = club_of("ann", "bob")
    clubs.appoint(club, person("ann"), person("bob"), LATER)
    clubs.dismiss(club, person("ann"), person("ann"))
    assert roles(club) == {"ann": "member", "bob": "steward"}


def test_nobody_but_a_steward_does_anything_at_the_desk():
    club = club_of("ann", "bob", joining="ask")
    clubs.join(club, person("dan"), NOW)
    announcement = clubs.announce(club, person("ann"), "We meet on Monday.", NOW)
    before = roles(club), waiting(club)
    for name in ("bob", "cho", "dan"):
        who = person(name)
        for act in (
            lambda who=who: clubs.approve(club, who, person("dan"), LATER),
            lambda who=who: clubs.turn_away(club, who, person("dan")),
            lambda who=who: clubs.invite(club, who, "eve", LATER),
            lambda who=who: clubs.readmit(club, who, person("eve")),
            lambda who=who: clubs.appoint(club, who, person("bob"), LATER),
            lambda who=who: clubs.dismiss(club, who, person("ann")),
            lambda who=who: clubs.announce(club, who, "Me too.", LATER),
            lambda who=who: clubs.withdraw(club, who, announcement.pk),
            lambda who=who: clubs.new_link(club, who),
            lambda who=who: clubs.no_link(club, who),
        ):
            refused("Only a steward", act)
    club.refresh_from_db()
    assert (roles(club), waiting(club)) == before
    assert Announcement.objects.count() == 1 and club.invitation == ""


# Announcements


def test_all_members_but_who_speaks_are_told_of_an_announcement():
    club = club_of("ann", "bob", "dan")
    announcement = clubs.announce(club, person("ann"), "  We meet on Monday.\n", LATER)
    assert (announcement.text, announcement.by, announcement.at) == ("We meet on Monday.", person("ann"), LATER)
    assert told("bob") == told("dan") == [("announced", "/c/scriptorium")]
    assert told("ann") == told("cho") == []
    clubs.withdraw(club, person("ann"), announcement.pk)
    refused("has been deleted", clubs.withdraw, club, person("ann"), announcement.pk)


@pytest.mark.parametrize("text", ["", " \n ", "x" * 2001])
def test_an_announcement_has_a_text_of_some_length(text):
    refused("between 1 and 2000", clubs.announce, club_of("ann"), person("ann"), text, NOW)


def test_a_steward_takes_no_announcement_of_another_club_back():
    other = clubs.announce(club_of("bob", slug="bindery"), person("bob"), "We bind.", NOW)
    refused("has been deleted", clubs.withdraw, club_of("ann"), person("ann"), other.pk)
    assert Announcement.objects.count() == 1


# Who may know of a private club


def test_of_a_private_club_only_members_and_who_is_invited_know():
    club = club_of("ann", "bob", private=True)
    person("dan")
    clubs.invite(club, person("ann"), "dan", NOW)
    seen = {name: clubs.find("scriptorium", person(name)) is not None for name in ("ann", "bob", "dan", "cho")}
    assert seen == {"ann": True, "bob": True, "dan": True, "cho": False}
    clubs.decline(club, person("dan"))
    assert not clubs.may_see(club, person("dan"))


def test_who_has_asked_before_a_club_became_private_does_not_see_it_any_more():
    club = club_of("ann", joining="ask")
    clubs.join(club, person("dan"), NOW)
    club = change(club, private=True)
    assert not clubs.may_see(club, person("dan"))


# Accounts that are closed


def close(name):
    user = person(name)
    User.objects.filter(pk=user.pk).update(closing_at=NOW)
    assert services.pseudonymise(user.pk, LATER)


def test_a_closed_account_leaves_all_that_clubs_know_of_it():
    club = club_of("ann", "bob", "dan")
    ladder = season(club, "ann", "bob", "dan")
    second, third = club_of("eve", slug="bindery", joining="ask"), club_of("eve", slug="mill")
    clubs.join(second, person("bob"), NOW)
    Expulsion.objects.create(club=third, user=person("bob"), by=person("eve"), reason="He shouts.", at=NOW)
    close("bob")
    assert set(roles(club)) == {"ann", "dan"}
    assert order(ladder) == ["ann", "dan"]
    assert waiting(second) == {} and not Expulsion.objects.exists()


def test_where_the_last_steward_closes_his_account_the_longest_member_becomes_one():
    club = club_of("ann", "bob", "dan")
    close("ann")
    assert roles(club) == {"bob": "steward", "dan": "member"}
    assert told("bob") == [("appointed", "/c/scriptorium")] and told("dan") == []


def test_where_another_steward_stays_nobody_becomes_one():
    club = club_of("ann", "bob", "dan")
    clubs.appoint(club, person("ann"), person("dan"), NOW)
    close("ann")
    assert roles(club) == {"bob": "member", "dan": "steward"}


def test_a_club_in_which_nobody_is_left_disappears_from_view():
    club = club_of("ann", joining="ask")
    token = clubs.new_link(club, person("ann"))
    clubs.join(club, person("dan"), NOW)
    close("ann")
    club.refresh_from_db()
    assert (roles(club), waiting(club), club.private, club.invitation) == ({}, {}, True, "")
    refused("no longer valid", clubs.join, club, person("dan"), LATER, token)
    refused("by invitation only", clubs.join, club, person("dan"), LATER)
    assert clubs.find("scriptorium", person("dan")) is None


def test_what_a_steward_did_stays_when_his_account_is_closed():
    club = club_of("ann", "bob", joining="ask")
    clubs.appoint(club, person("ann"), person("bob"), NOW)
    clubs.announce(club, person("ann"), "We meet on Monday.", NOW)
    person("dan")
    clubs.invite(club, person("ann"), "dan", NOW)
    close("ann")
    assert club.announcements.get().text == "We meet on Monday."
    clubs.join(club, person("dan"), LATER)
    assert "dan" in roles(club)


# What else is done when somebody goes


def test_who_listens_hears_of_everybody_who_goes_in_the_transaction(monkeypatch):
    heard = []
    monkeypatch.setattr(clubs, "left", [lambda club, user, now, by, reason: heard.append((user, now, by, reason))])
    club = club_of("ann", "bob", "dan", "eve")
    clubs.leave(club, person("bob"), NOW)
    clubs.expel(club, person("ann"), person("dan"), "He shouts.", LATER)
    close("eve")
    assert [(user.pk, now, by, reason) for user, now, by, reason in heard] == [
        (person("bob").pk, NOW, None, ""),
        (person("dan").pk, LATER, person("ann"), "He shouts."),
        (heard[2][0].pk, LATER, None, ""),
    ]


def test_if_what_else_is_to_be_done_fails_nobody_has_left(monkeypatch):
    def fails(*args):
        raise ZeroDivisionError

    club = club_of("ann", "bob")
    monkeypatch.setattr(clubs, "left", [fails])
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        clubs.leave(club, person("bob"), NOW)
    assert "bob" in roles(club)


# Two at once


def at_once(*acts):
    """What these come to when they run at the same time: True, or the sentence with which they were refused."""

    def run(act):
        try:
            act()
        except Refused as refusal:
            return str(refusal)
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


at_the_same_time = pytest.mark.django_db(transaction=True)


@at_the_same_time
def test_of_two_stewards_who_dismiss_each_other_at_once_one_stays():
    club = club_of("ann", "bob")
    ann, bob = person("ann"), person("bob")
    clubs.appoint(club, ann, bob, NOW)
    came = at_once(lambda: clubs.dismiss(club, ann, bob), lambda: clubs.dismiss(club, bob, ann))
    assert came.count(True) == 1 and "Only a steward of the club can do that." in came
    assert sorted(roles(club).values()) == ["member", "steward"]


@at_the_same_time
def test_of_two_last_stewards_who_leave_at_once_one_stays():
    club = club_of("ann", "bob", "dan")
    ann, bob = person("ann"), person("bob")
    clubs.appoint(club, ann, bob, NOW)
    assert at_once(lambda: clubs.leave(club, ann, LATER), lambda: clubs.leave(club, bob, LATER)).count(True) == 1
    assert sorted(roles(club).values()) == ["member", "steward"]


@at_the_same_time
def test_who_is_expelled_while_he_leaves_is_off_the_ladder_once():
    club = club_of("ann", "bob")
    ladder = season(club, "ann", "bob")
    ann, bob = person("ann"), person("bob")
    came = at_once(lambda: clubs.expel(club, ann, bob, "He shouts.", LATER), lambda: clubs.leave(club, bob, LATER))
    assert came.count(True) == 1
    assert roles(club) == {"ann": "steward"} and order(ladder) == ["ann"]
    assert ladder.log.filter(kind=Kind.LEAVE).count() == 1
    assert Expulsion.objects.count() == (came[0] is True)


@at_the_same_time
def test_who_is_approved_twice_at_once_is_a_member_once():
    club = club_of("ann", joining="ask")
    ann, dan = person("ann"), person("dan")
    clubs.join(club, dan, NOW)
    came = at_once(*[lambda: clubs.approve(club, ann, dan, LATER)] * 3)
    assert came.count(True) == 1
    assert roles(club) == {"ann": "steward", "dan": "member"}
    assert told("dan") == [("approved", "/c/scriptorium")]


@at_the_same_time
def test_who_joins_twice_at_once_is_a_member_once():
    club = club_of("ann")
    dan = person("dan")
    assert at_once(*[lambda: clubs.join(club, dan, LATER)] * 3).count(True) == 1
    assert roles(club) == {"ann": "steward", "dan": "member"}


@at_the_same_time
def test_the_last_place_is_taken_once(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 2)
    club = club_of("ann")
    people = [person(name) for name in ("bob", "dan", "eve")]
    came = at_once(*[lambda who=who: clubs.join(club, who, LATER) for who in people])
    assert came.count(True) == 1 and club.members.count() == 2


@at_the_same_time
def test_who_joins_two_clubs_at_once_does_not_get_past_the_limit(monkeypatch):
    monkeypatch.setattr(clubs, "MOST_CLUBS", 1)
    first, second = club_of("ann"), club_of("bob", slug="bindery")
    dan = person("dan")
    came = at_once(lambda: clubs.join(first, dan, LATER), lambda: clubs.join(second, dan, LATER))
    assert came.count(True) == 1 and dan.memberships.count() == 1


@at_the_same_time
def test_an_address_goes_to_one_of_two_who_found_a_club_at_once():
    people = [person(name) for name in ("ann", "bob")]
    came = at_once(*[lambda who=who: clubs.found(who, **SAYS, now=NOW) for who in people])
    assert came.count(True) == 1 and Club.objects.count() == Ladder.objects.count() == Member.objects.count() == 1


@at_the_same_time
def test_who_joins_while_his_account_is_closed_is_in_no_club_afterwards():
    club = club_of("ann")
    dan = person("dan")
    User.objects.filter(pk=dan.pk).update(closing_at=NOW)
    at_once(lambda: clubs.join(club, dan, LATER), lambda: services.pseudonymise(dan.pk, LATER))
    assert roles(club) == {"ann": "steward"}


@at_the_same_time
def test_two_stewards_who_invite_and_approve_the_same_people_at_once_do_not_get_in_each_other_s_way():
    club = club_of("ann", "bob", joining="ask")
    ann, bob = person("ann"), person("bob")
    clubs.appoint(club, ann, bob, NOW)
    names = [f"p{number}" for number in range(6)]
    for name in names[:3]:
        clubs.join(club, person(name), NOW)
    for name in names[3:]:
        person(name)
    came = at_once(
        lambda: clubs.invite(club, ann, names, LATER),
        lambda: clubs.invite(club, bob, names[::-1], LATER),
        lambda: [clubs.approve(club, bob, person(name), LATER) for name in names[:1]],
    )
    assert came[:2] == [True, True]
    assert set(roles(club)) == {"ann", "bob", *names[:3]} and set(waiting(club)) == set(names[3:])
