"""Who may have the decisions of a game looked at, and of which; and what is forgotten."""

from datetime import timedelta

import pytest

from accounts import services as accounts
from accounts.models import Member
from accounts.web.refused import Refused
from games.analysis import services
from games.analysis.models import Analysis, JudgedDecision
from games.engine.registry import title
from games.matches import play, reveal
from games.matches.models import Match, Seat
from games.tournaments import duplicate
from games.tournaments import services as tournaments
from tests.analysis.analyses import fresh, over, reviewed, work
from tests.at_once import at_once
from tests.clubs.clubs import START, club_of
from tests.hands.days import done
from tests.matches.matches import rushed, seated
from tests.people import person
from tests.tournaments.deals import duplicate_of, matches
from tests.tournaments.evenings import LATER

pytestmark = pytest.mark.django_db


def test_whoever_asks_second_gets_the_review_of_the_first(toy):
    match = over(toy)
    first = services.ask(match, person("ann"))
    assert services.ask(match, person("bob")) == first == services.ask(match, person("ann")) == services.found(match)
    assert (first.status, first.asked_by, first.match) == ("waiting", person("ann"), match)


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_at_once_get_one_review(toy):
    match = over(toy)
    ask = [lambda name=name: services.ask(fresh(match), person(name)) for name in ("ann", "bob")]
    assert at_once(*ask) == [None, None]
    assert Analysis.objects.count() == 1


def test_nothing_is_looked_at_before_a_game_is_finished(toy, ann):
    match = seated("ann", "bob", game=toy)
    with pytest.raises(Refused, match="finished, not before"):
        services.ask(match, ann)
    Match.objects.filter(pk=match.pk).update(status="aborted", ended_at=services.timezone.now())
    with pytest.raises(Refused, match="finished, not before"):
        services.ask(fresh(match), ann)


def test_a_game_that_nothing_judges_is_refused_in_a_sentence(toy, ann):
    with pytest.raises(Refused, match="nothing yet that could judge"):
        services.ask(over(toy, options={"rounds": 1}), ann)


def test_a_deal_that_others_still_play_is_refused_to_its_players_too(toy, ann):
    match = over(toy)
    Match.objects.filter(pk=match.pk).update(hidden=True)
    with pytest.raises(Refused, match="Others still play this deal"):
        services.ask(fresh(match), ann)


def test_the_hand_of_the_day_is_refused_before_it_closes():
    match = done("ann")
    with pytest.raises(Refused, match="Others still play this deal"):
        services.ask(fresh(match), person("ann"))


def test_a_deal_of_a_tournament_is_refused_while_another_table_plays_it(toy, ann, rewriting):
    club, (first, second) = club_of("ann", "bob", game=toy).club, (over(toy), seated("ann", "bob", game=toy))
    rewriting(
        "UPDATE games_match SET club_id = %s, agreed = 'tournaments/1/round-1', commitment = %s",
        [club.pk, second.commitment],
    )
    with pytest.raises(Refused, match="Others still play this deal"):
        services.ask(fresh(first), ann)
    rewriting("UPDATE games_match SET status = 'aborted' WHERE id = %s", [second.pk])
    assert services.ask(fresh(first), ann).status == "waiting"


def test_nor_is_a_hand_of_the_day_that_somebody_can_still_play(toy, ann, rewriting):
    """Its games are opened some at a time."""
    first, second = over(toy), seated("ann", "bob", game=toy)
    rewriting("UPDATE games_match SET agreed = 'hand/toy/2026-11-26', commitment = %s", [second.commitment])
    with pytest.raises(Refused, match="Others still play this deal"):
        services.ask(fresh(first), ann)
    rewriting("UPDATE games_match SET status = 'aborted' WHERE id = %s", [second.pk])
    assert services.ask(fresh(first), ann).status == "waiting"


@pytest.fixture
def of_the_club(toy):
    """A finished game of a private club of ann, bob and dan."""
    ladder = club_of("ann", "bob", "dan", private=True, game=toy)
    return over(toy, watch=Match.Watch.CLUB, club=ladder.club)


def test_a_game_of_a_private_club_is_for_its_members(of_the_club):
    with pytest.raises(Refused, match="no such game"):
        services.ask(of_the_club, person("cho"))
    assert services.ask(of_the_club, person("dan")).status == "waiting"
    Member.objects.filter(user=person("dan")).delete()
    with pytest.raises(Refused, match="no such game"):
        services.ask(of_the_club, person("dan"))


def always(name):
    user = person(name)
    user.reviewed = True
    user.save()


def test_whoever_wants_that_has_each_of_their_games_looked_at(toy):
    always("bob")
    assert services.found(over(toy)).asked_by == person("bob")
    assert services.found(over(toy, "ann", "dan")) is None
    assert services.found(over(toy, options={"rounds": 1})) is None


def test_and_one_that_was_hidden_when_its_deal_is_open(toy):
    always("bob")
    match = seated("ann", "bob", game=toy)
    Match.objects.filter(pk=match.pk).update(hidden=True)
    match = rushed(fresh(match))
    assert services.found(match) is None
    reveal.reveal([match], services.timezone.now())
    assert services.found(match).asked_by == person("bob")


def test_all_games_of_one_deal_are_looked_at_when_it_is_open():
    """Also the first of them, though they are opened one after the other."""
    event = duplicate_of("ann", "bob", "dan", "eve", rounds=1)
    for name in ("ann", "bob", "dan", "eve"):
        always(name)
    duplicate.seat_everybody(event, person("ann"), START)
    for match in matches(event):
        rushed(match)
    tournaments.close(event, person("ann"), LATER)
    assert [(match.hidden, match.analyses.count()) for match in matches(event)] == [(False, 1)] * 2


def test_always_is_no_more_than_one_could_ask_for(toy, at_most):
    at_most("analyses", 1)
    always("bob")
    assert services.found(over(toy)).asked_by == person("bob")
    assert services.found(over(toy)) is None
    always("ann")
    assert services.found(over(toy)).asked_by == person("ann")  # each has their own
    assert services.found(over(toy)) is None


def test_a_game_that_somebody_left_is_looked_at_up_to_there(toy):
    match = seated("ann", "bob", game=toy)
    play.play(match, 0, 0, ["offer 300"])
    play.leave(fresh(match), 1, Seat.Left.RESIGN)
    found = reviewed(fresh(match))
    assert (found.status, found.done, found.total) == ("done", 1, 1)


def closed(name, now):
    accounts.close(person(name))
    assert accounts.close_due(now + timedelta(days=99)) == 1


def test_whoever_closes_their_account_takes_their_decisions_out(toy, now):
    match = over(toy)
    found = reviewed(match)
    assert set(found.courses) == {"plies", "public", "0", "1", "luck"}
    assert set(found.decisions.values_list("seat", flat=True)) == {0, 1}
    closed("bob", now)
    found.refresh_from_db()
    assert set(found.courses) == {"plies", "public", "0", "luck"}
    assert all(own and other is None for own, other in found.courses["public"]) and found.courses["luck"] == []
    assert set(found.decisions.values_list("seat", flat=True)) == {0}
    later = over(toy, "ann", "dan")
    closed("dan", now)
    found = reviewed(later)
    assert set(found.decisions.values_list("seat", flat=True)) == {0}
    assert all(own and other is None for own, other in found.courses["public"]) and found.courses["luck"] == []


def test_a_review_that_was_not_possible_can_be_asked_for_again(toy, ann):
    match = over(toy)
    first = services.ask(match, ann)
    Analysis.objects.filter(pk=first.pk).update(status="failed", failure="broken", deaths=2)
    again = services.ask(match, person("bob"))
    assert (again.pk, again.status, again.failure, again.deaths) == (first.pk, "waiting", "", 0)


def test_reviews_of_older_judges_stay(toy, ann, now):
    match = over(toy)
    old = Analysis.objects.create(match=match, version="older", status="done", asked_at=now - timedelta(days=9))
    JudgedDecision.objects.create(analysis=old, ply=0, seat=0, loss=0, clear=False, figures={})
    assert services.found(match) == old
    new = services.ask(match, ann)
    assert services.found(match) == old
    work()
    assert services.found(match) == new
    assert old.decisions.count() == 1


def test_biblios_and_ex_libris_say_whether_they_can_be_judged(ann):
    for slug in ("biblios", "exlibris"):
        match = rushed(seated("ann", "bob", game=title(slug)))
        assert bool(services.refusal(match)) == (match.rules.expert(2, match.options) is None)
