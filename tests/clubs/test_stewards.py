"""What stewards do, and nobody else."""

import pytest

from accounts.clubs import clubs
from accounts.models import Announcement
from tests.clubs.membership import LATER, NOW, club_of, refused, roles, told, waiting
from tests.people import person

pytestmark = pytest.mark.django_db


# Stewards


def test_stewards_appoint_and_dismiss_one_another():
    club = club_of("ann", "bob")
    clubs.appoint(club, person("ann"), person("bob"), LATER)
    assert roles(club) == {"ann": "steward", "bob": "steward"}
    assert told("bob") == [("appointed", "/c/scriptorium")]
    refused("bob is already a steward", clubs.appoint, club, person("ann"), person("bob"), LATER)
    clubs.dismiss(club, person("bob"), person("ann"))
    assert roles(club) == {"ann": "member", "bob": "steward"}
    refused("ann is no longer a steward", clubs.dismiss, club, person("bob"), person("ann"))
    refused("cho is no longer a member", clubs.appoint, club, person("bob"), person("cho"), LATER)
    refused("cho is no longer a member", clubs.dismiss, club, person("bob"), person("cho"))


def test_a_steward_lays_it_down_themselves():
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
            lambda who=who: clubs.reject(club, who, person("dan"), LATER),
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


def test_all_members_but_whoever_speaks_are_told_of_an_announcement():
    club = club_of("ann", "bob", "dan")
    announcement = clubs.announce(club, person("ann"), "  We meet on Monday.\n", LATER)
    assert (announcement.text, announcement.by, announcement.at) == ("We meet on Monday.", person("ann"), LATER)
    assert told("bob") == told("dan") == [("announced", f"/c/scriptorium#announcement-{announcement.pk}")]
    assert told("ann") == told("cho") == []
    clubs.withdraw(club, person("ann"), announcement.pk)
    refused("was deleted", clubs.withdraw, club, person("ann"), announcement.pk)


@pytest.mark.parametrize("text", ["", " \n ", "x" * 2001])
def test_an_announcement_has_a_text_of_some_length(text):
    refused("1 to 2000", clubs.announce, club_of("ann"), person("ann"), text, NOW)


def test_a_steward_takes_no_announcement_of_another_club_back():
    other = clubs.announce(club_of("bob", slug="bindery"), person("bob"), "We bind.", NOW)
    refused("was deleted", clubs.withdraw, club_of("ann"), person("ann"), other.pk)
    assert Announcement.objects.count() == 1
