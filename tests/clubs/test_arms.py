"""The arms of a club: chosen at the desk from fixed lists, and shown beside its name."""

import pytest
from django.test import Client

from accounts.clubs import clubs
from accounts.clubs.arms import Arms
from accounts.models import StewardDecision
from accounts.people.avatar import SIGNS, TINTS
from accounts.web.refused import Refused
from tests.clubs.clubs import club_of
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def club():
    return club_of("ann", "bob").club


def post(client, name, **fields):
    client.force_login(person(name))
    return client.post(
        "/c/st-gall/desk/arms", {"charge": "owl", "field": "woad", "other": "madder", **fields}, follow=True
    )


def test_a_steward_chooses_them_and_everybody_sees_them(client, club):
    assert "Settings saved." in text(post(client, "ann"))
    for address in ("/c/st-gall", "/clubs"):
        shown = Client().get(address).text
        assert (
            'class="avatar arms woad"' in shown
            and 'class="half madder"' in shown
            and "avatars" in shown
            and "#owl" in shown
        )
    assert "ann chose arms for the club." in text(client.get("/c/st-gall/log"))
    assert "selected>Owl" in client.get("/c/st-gall/desk").text.replace(" >", ">")
    post(client, "ann", charge="")
    club.refresh_from_db()
    assert club.arms == "" and "avatar arms" not in Client().get("/c/st-gall").text


@pytest.mark.parametrize("wrong", [{"charge": "cat"}, {"field": "pink"}, {"other": ""}, {"charge": "owl-woad"}])
def test_what_is_on_no_list_is_refused(client, club, wrong):
    assert post(client, "ann", **wrong).status_code == 422
    club.refresh_from_db()
    assert club.arms == "" and not StewardDecision.objects.filter(kind="armed").exists()


def test_others_choose_nothing(client, club):
    assert post(client, "bob").status_code == 404
    with pytest.raises(Refused, match="Only a steward"):
        clubs.choose_arms(club, person("bob"), "owl-woad-madder")
    with pytest.raises(Refused, match="from the lists"):
        clubs.choose_arms(club, person("ann"), "owl-woad")


def test_every_arms_that_can_be_chosen_can_be_kept_and_read():
    for charge in SIGNS:
        for tint in TINTS:
            arms = Arms(charge, tint, "vellum")
            assert Arms.read(str(arms)) == arms and len(str(arms)) <= 40
    assert Arms.read("") is None
