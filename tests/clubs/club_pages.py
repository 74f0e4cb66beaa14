"""What the tests of the pages of clubs share."""

from django.utils.formats import date_format

from accounts.clubs import clubs
from accounts.models import Club
from tests.people import person

NAME = "St Gall"
FIELDS = {
    "clubname": "The Scriptorium",
    "slug": "scriptorium",
    "description": "We copy books.",
    "language": "en",
    "visible": "all",
    "joining": "free",
    "game": "biblios",
}
LOOKING = ("", "/members", "/ladders/1", "/ladders/1/rules", "/ladders/1/history", "/ladders/1.csv", "/ladders/1/embed")
ACTS = ("join", "decline", "leave")
DESK = (
    *("club", "invite", "link", "announce", "withdraw/1", "approve/dan", "reject/dan", "appoint/bob"),
    *("dismiss/ann", "expel/bob", "readmit/dan"),
)


def private(club):
    Club.objects.filter(pk=club.pk).update(private=True, joining="invite")
    club.refresh_from_db()
    return club


def joined_by(club, joining):
    Club.objects.filter(pk=club.pk).update(joining=joining)


def date(moment):
    """A day as readers have it who have chosen nothing."""
    return date_format(moment, "j M Y")


def members(club):
    return set(club.members.values_list("user__username", flat=True))


def statuses(client, addresses):
    return {client.get(address).status_code for address in addresses}


def says_of(name, **says):
    known = {"slug": name.lower().replace(" ", "-"), "description": "", "language": "", "private": False}
    return {"name": name, **known, "joining": "free", **says}


def link_of(club):
    return f"/c/{club.slug}/invited/{clubs.new_link(club, person('ann'))}"


WRONG = [
    ({"clubname": ""}, "required"),
    ({"clubname": "x"}, "at least 2 characters"),
    ({"clubname": "x" * 61}, "at most 60 characters"),
    ({"slug": "No Slug"}, "lower-case letters"),
    ({"slug": "st-gall"}, "isn’t available"),
    ({"slug": "admin"}, "isn’t available"),
    ({"description": "y" * 2001}, "at most 2000 characters"),
    ({"language": "tlh"}, "not one of the available choices"),
    ({"visible": "some"}, "not one of the available choices"),
    ({"joining": ""}, "required"),
    ({"joining": "never"}, "not one of the available choices"),
]
