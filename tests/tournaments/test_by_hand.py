"""Rounds that a steward pairs by hand."""

from datetime import timedelta

import pytest

from accounts.models import StewardDecision
from accounts.web.refused import Refused
from games.tournaments import contests, events, services
from games.tournaments.contests import HAND, HandPairing
from tests.at_once import at_once
from tests.clubs.clubs import START
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import end_all
from tests.tournaments.test_contests import EIGHT, Kind, begun, open_with

pytestmark = pytest.mark.django_db
LATER = START + timedelta(hours=1)


def ids(*names):
    return [person(name).pk for name in names]


def five(**chosen):
    """A Swiss tournament of five after its first round."""
    cup = begun(Kind.SWISS, *EIGHT[:5], **chosen)
    end_all(cup)
    return cup


def pairing(cup, *tables, byes=(), reason="They are sisters.", seen=None):
    seen = events.standing(cup).events if seen is None else seen
    return HandPairing([ids(*table) for table in tables], ids(*byes), reason, seen)


def posted(cup):
    """What the page sends if a steward changes nothing."""
    standing = events.standing(cup)
    found = contests.proposed(cup, standing)
    seats = {
        f"seat_{number}_{seat}": player
        for number, table in enumerate(found.tables)
        for seat, player in enumerate(table)
    }
    byes = {f"bye_{number}": player for number, player in enumerate(found.byes)}
    return seats | byes | {"seen": standing.events, "reason": "They are sisters."}


def refused(cup, found):
    before = events.standing(cup)
    with pytest.raises(Refused) as told:
        contests.by_hand(cup, person("ann"), found, LATER)
    assert events.standing(cup) == before
    return str(told.value)


def test_a_steward_swaps_two_people_and_all_read_why(at):
    cup = five()
    page = f"{cup.get_absolute_url()}/pair"
    assert page in at("ann").get(cup.get_absolute_url()).content.decode()
    assert page not in at("bob").get(cup.get_absolute_url()).content.decode()
    assert at("bob").get(page).status_code == 404
    data, drawn = posted(cup), at("ann").get(page).content.decode()
    assert all(f'name="{name}"' in drawn for name in data)
    data["seat_0_0"], data["bye_0"] = data["bye_0"], data["seat_0_0"]
    at("ann").post(page, data)
    last = events.standing(cup).rounds[1]
    assert last.how == HAND and last.byes == (data["bye_0"],) and last.tables[0].players[0] == data["seat_0_0"]
    assert "They are sisters." in text(at("eve").get(cup.get_absolute_url()))
    [decision] = StewardDecision.objects.filter(club=cup.club, kind="paired")
    assert decision.by == person("ann") and decision.reason == "They are sisters."


def test_the_first_round_is_paired_by_hand():
    cup = open_with(Kind.SWISS, *EIGHT[:5])
    contests.by_hand(cup, person("ann"), pairing(cup, ("ann", "eve"), ("dan", "fay"), byes=["bob"]), START)
    [first] = events.standing(cup).rounds
    assert [list(table.players) for table in first.tables] == [ids("ann", "eve"), ids("dan", "fay")]
    assert [*first.byes] == ids("bob")


def test_everybody_has_one_seat():
    cup = five()
    assert "more than one seat: bob" in refused(cup, pairing(cup, ("ann", "bob"), ("bob", "dan"), byes=["eve"]))
    assert "no seat and no bye: fay" in refused(cup, pairing(cup, ("ann", "bob"), ("eve", "dan")))
    assert "as large as" in refused(cup, pairing(cup, ("ann", "bob", "fay"), ("eve", "dan")))
    assert "say why" in refused(cup, pairing(cup, ("ann", "bob"), ("eve", "dan"), byes=["fay"], reason=" "))


def test_who_has_left_is_not_paired():
    cup = five()
    services.leave(cup, person("fay"), LATER)
    assert "can’t be paired in this round: fay" in refused(cup, pairing(cup, ("ann", "fay"), ("eve", "dan")))


def test_a_page_from_before_somebody_came_or_left_is_refused(at):
    cup = five()
    page = f"{cup.get_absolute_url()}/pair"
    data = posted(cup)
    services.leave(cup, person("fay"), LATER)
    reply = at("ann").post(page, data, follow=True)
    assert "Something has changed since you looked" in text(reply)
    assert len(events.standing(cup).rounds) == 1


def test_a_wrong_form_keeps_what_was_chosen(at):
    cup = five()
    page = f"{cup.get_absolute_url()}/pair"
    data = posted(cup)
    data["seat_0_0"] = data["bye_0"]
    reply = at("ann").post(page, data)
    assert reply.status_code == 422 and "more than one seat" in text(reply)
    chosen = reply.content.decode().partition('name="seat_0_0"')[2].partition("</select>")[0]
    assert f'value="{data["bye_0"]}" selected' in chosen


def test_only_rounds_on_which_no_other_rests_are_paired_by_hand(at):
    cup = begun(Kind.ROUND_ROBIN, *EIGHT[:4])
    end_all(cup)
    assert at("ann").get(f"{cup.get_absolute_url()}/pair").status_code == 404
    assert "by hand" in refused(cup, pairing(cup, ("ann", "bob"), ("eve", "dan")))


@pytest.mark.django_db(transaction=True)
def test_two_stewards_pair_a_round_at_once():
    cup = five()
    found = pairing(cup, ("ann", "bob"), ("eve", "dan"), byes=["fay"])
    told = at_once(*[lambda: contests.by_hand(cup, person("ann"), found, LATER)] * 2)
    assert len(events.standing(cup).rounds) == 2 and told.count(None) == 1
