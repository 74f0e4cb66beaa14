"""The log of the stewards' decisions: all of them, in words, for whoever may read each."""

import re
from html import unescape

import pytest
from django.db import DatabaseError, connection, transaction

from accounts.clubs import clubs, mail_invitations
from accounts.models import Member, Right, StewardDecision
from games.ladders import events
from tests.at_once import at_once
from tests.clubs.membership import LATER, NOW, SAYS, close, club_of, season
from tests.people import person
from tests.reading import source, text


def log(club):
    """All decisions: kind, by whom, about whom."""
    return list(club.decisions.order_by("pk").values_list("kind", "by__username", "user__username"))


def shown(at, name, query="", slug="scriptorium"):
    return text(at(name).get(f"/c/{slug}/log{query}"))


@pytest.fixture
def decided():
    """A club whose steward, ann, has decided something of every kind."""
    club = clubs.found(person("ann"), **{**SAYS, "joining": "ask"}, now=NOW)
    ann, bob, dan, eve, fay = map(person, ("ann", "bob", "dan", "eve", "fay"))
    for one in (bob, dan, eve):
        clubs.join(club, one, NOW)
    clubs.approve(club, ann, bob, NOW)
    clubs.reject(club, ann, dan, NOW)
    clubs.invite(club, ann, "eve, fay", NOW)
    clubs.reject(club, ann, fay, NOW)
    mail_invitations.invite(club, ann, ["gil@example.org", "hal@example.org"], NOW)
    clubs.new_link(club, ann)
    clubs.no_link(club, ann)
    clubs.entitle(club, ann, bob, (), ["people", "events"], NOW)
    clubs.entitle(club, ann, bob, ["people", "events"], (), NOW)
    clubs.expel(club, ann, eve, "Shouts at <people>.", NOW)
    clubs.readmit(club, ann, eve)
    clubs.appoint(club, ann, bob, NOW)
    clubs.dismiss(club, ann, bob)
    first = clubs.announce(club, ann, "We meet on Monday.", NOW)
    clubs.announce(club, ann, "And on <Friday>.", NOW)
    clubs.withdraw(club, ann, first.pk)
    clubs.change(club, ann, **{**SAYS, "name": "The Crypt", "joining": "invite"})
    ladder = season(club, "ann", "bob")
    events.correct(ladder, ann, bob.pk, 1, "Was forgotten.", LATER)
    return club


@pytest.mark.django_db
def test_every_decision_is_in_the_log_and_nothing_that_was_refused(decided):
    ann = "ann"
    assert log(decided) == [
        ("founded", ann, None),
        ("approved", ann, "bob"),
        ("rejected", ann, "dan"),
        ("approved", ann, "eve"),
        ("invited", ann, "fay"),
        ("uninvited", ann, "fay"),
        ("mailed", ann, None),
        ("linked", ann, None),
        ("unlinked", ann, None),
        ("entitled", ann, "bob"),
        ("unentitled", ann, "bob"),
        ("expelled", ann, "eve"),
        ("readmitted", ann, "eve"),
        ("appointed", ann, "bob"),
        ("dismissed", ann, "bob"),
        ("announced", ann, None),
        ("announced", ann, None),
        ("unannounced", ann, None),
        ("settings", ann, None),
        ("ladder", ann, None),
        ("ladder", ann, None),
    ]
    changes = [["name", "The Scriptorium", "The Crypt"], ["joining", "ask", "invite"]]
    assert decided.decisions.get(kind="settings").data == {"changes": changes}
    clubs.change(decided, person("ann"), **{**SAYS, "name": "The Crypt", "joining": "invite"})  # nothing new
    clubs.no_link(decided, person("ann"))  # there was none
    assert decided.decisions.count() == 21


@pytest.mark.django_db
@pytest.mark.once
def test_stewards_read_all_and_members_what_concerns_all(at, decided):
    told = shown(at, "ann")
    for sentence in (
        "ann founded the club.",
        "ann sent 2 invitations by mail.",
        "ann gave bob these rights, and no others: people, events.",
        "ann expelled eve. Reason: “Shouts at <people>.”",
        "Name: The Scriptorium → The Crypt",
        "Who can join: Stewards approve requests → By invitation only",
        "ann wrote an announcement. And on <Friday>.",
        "ann began season 1.",
        "ann put bob on rung 1. Reason: “Was forgotten.”",
    ):
        assert sentence in told
    told = shown(at, "bob")
    assert "ann made bob a steward." in told and "And on <Friday>." in told and "ann put bob on rung 1." in told
    assert not re.search(r"\b(ann expelled|Shouts|eve|fay|dan|by mail)\b", told)
    Member.objects.filter(user=person("bob")).update(rights=Right.PEOPLE)
    assert "ann expelled eve. Reason" in shown(at, "bob")


@pytest.mark.django_db
@pytest.mark.once
def test_the_log_is_for_members_alone(at, decided):
    assert at("cho").get("/c/scriptorium/log").status_code == 404
    assert at("eve").get("/c/scriptorium/log").status_code == 404  # was expelled
    assert at().get("/c/scriptorium/log").status_code == 302


@pytest.mark.django_db
@pytest.mark.once
def test_the_log_is_filtered_by_kind_and_by_person(at, decided):
    told = shown(at, "ann", "?kind=expelled")
    assert "ann expelled eve." in told and "founded the club" not in told
    told = shown(at, "ann", "?person=EVE")
    assert "ann expelled eve." in told and "ann let eve join again." in told and "dan" not in told
    assert "Nothing of this kind" in shown(at, "ann", "?person=nobody&kind=expelled")
    assert "Nothing of this kind" in shown(at, "bob", "?person=eve")
    for wrong in ("?kind=nothing", "?older=x", "?newer=1-2"):
        assert at("ann").get(f"/c/scriptorium/log{wrong}").status_code == 404
    assert at("bob").get("/c/scriptorium/log?kind=expelled").status_code == 404
    assert "No such" not in shown(at, "ann", "?person=%00")


@pytest.mark.django_db
@pytest.mark.once
def test_a_long_log_is_turned_page_by_page(at):
    club = club_of("ann")
    for number in range(45):
        clubs.announce(club, person("ann"), f"Number {number}.", NOW)
    page = at("ann").get("/c/scriptorium/log?kind=announced")
    assert "Number 44." in text(page) and "Number 4." not in text(page)
    older = re.search(r'href="(\?[^"]*older=[^"]*)"', source(page))[1]
    assert "Number 4." in shown(at, "ann", unescape(older))


@pytest.mark.twice
@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE accounts_stewarddecision SET kind = 'founded'",
        "UPDATE accounts_stewarddecision SET reason = 'Another.'",
        "DELETE FROM accounts_stewarddecision",
    ],
)
def test_the_database_refuses_to_change_a_decision(decided, change):
    with pytest.raises(DatabaseError) as refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)
    assert "what stewards have decided is not changed" in str(refusal.value)


@pytest.mark.django_db
def test_a_reason_is_forgotten_with_the_account_it_is_about(decided):
    assert decided.decisions.get(kind="expelled").reason
    close("eve")
    decision = decided.decisions.get(kind="expelled")
    assert decision.reason == "" and decision.user.username.startswith("closed-")


@pytest.mark.django_db
def test_an_heir_is_in_the_log():
    club = club_of("ann", "bob")
    close("ann")
    assert log(club)[-1] == ("succeeded", None, "bob")


@pytest.mark.django_db(transaction=True)
def test_of_two_stewards_who_decide_the_same_at_once_one_is_in_the_log():
    club = club_of("ann", "bob", "dan")
    ann, bob, dan = person("ann"), person("bob"), person("dan")
    clubs.appoint(club, ann, bob, NOW)
    came = at_once(
        lambda: clubs.expel(club, ann, dan, "Shouts.", LATER), lambda: clubs.expel(club, bob, dan, "Sings.", LATER)
    )
    assert came.count(None) == 1
    assert StewardDecision.objects.filter(kind="expelled").count() == 1
