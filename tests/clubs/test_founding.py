"""Who founds a club, what it says of itself, and where it is found."""

import pytest

from accounts.clubs import clubs
from accounts.models import Club, Member
from accounts.web.refused import Refused
from games.ladders.models import Ladder
from tests.clubs.membership import change, club_of, refused, roles
from tests.people import person

pytestmark = pytest.mark.django_db


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
        Club.objects.create(name=f"x{number}", slug=f"the-scriptorium-{number}")
    assert clubs.free_slug("The Scriptorium").startswith("club-")


@pytest.mark.parametrize("slug", ["", "a", "-a", "a-", "a--b", "A-b", "a_b", "a b", "é-é", "a" * 41, "a/b", "ab\n"])
def test_a_bad_address_is_refused(slug):
    refused("lower-case letters", club_of, "ann", slug=slug)
    assert not Club.objects.exists()


@pytest.mark.parametrize("slug", [*sorted(clubs.RESERVED), "armarium-office", "vale-admins", "5tewards"])
def test_an_address_that_means_something_else_is_refused(slug):
    refused("isn’t available", club_of, "ann", name="Scribes", slug=slug)


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
        ({"description": "x" * 2001}, "2000 characters or fewer"),
        ({"language": "tlh"}, "can’t choose that language"),
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
    refused("isn’t available", change, club, slug="other")
    for outsider in ("bob", "cho"):
        refused("Only a steward", change, club, outsider, name="Mine")


def test_no_public_club_has_a_name_that_looks_like_that_of_another():
    club_of("ann", name="St Gall")
    refused("looks like that of another", club_of, "bob", name="St. GaII", slug="gall")
    refused("looks like that of another", club_of, "bob", name="St-Gall", slug="gall", private=True)
    other = club_of("bob", name="Reichenau", slug="gall")
    refused("looks like that of another", change, other, "bob", name="ST GALL", slug="gall")


def test_nobody_learns_the_name_of_a_private_club_by_trying_it():
    for name in ("ann", "bob"):
        club_of(name, name="St Gall", slug=name, private=True)
    assert club_of("cho", name="St Gall").name == "St Gall"


def test_a_name_from_before_the_rules_is_kept_while_other_things_change():
    club = club_of("ann")
    Club.objects.filter(pk=club.pk).update(name="★ Club ★")
    assert change(club, name="★ Club ★", description="Stars.").description == "Stars."
    refused("Please leave out ★", change, club, name="★★ Club ★★")
