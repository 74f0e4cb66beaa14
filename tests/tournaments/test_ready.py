"""Whom a steward has ticked is asked whether they are at their screen before anybody's clock runs."""

import pytest
from django.utils import timezone

from accounts.models import Member
from accounts.web.refused import Refused
from games.lobby import open_matches, page
from games.matches import clocks
from games.matches.models import Match, Seat
from games.tournaments import audit, due, events, playing, services
from games.tournaments.models import Tournament
from games.worker import run_once
from tests.clubs.clubs import START
from tests.people import person
from tests.tournaments.evenings import LATER, evening_of, seat

pytestmark = pytest.mark.django_db
OVER = START + open_matches.READY_WITHIN


@pytest.fixture
def night():
    """An evening at which dan and eve are ticked, and nobody's game has begun in a round of three."""
    found = evening_of("ann")
    for name in ("dan", "eve"):
        Member.objects.create(club=found.club, user=person(name), joined_at=START, seatable=True)
    services.tick(found, person("ann"), [person("dan"), person("eve")], START)
    seat(found, size=3)
    return found


def match_of():
    return Match.objects.playing().get()


def confirmed():
    return {seat.user.username for seat in Seat.objects.filter(confirmed=True).select_related("user")}


def test_no_clock_runs_until_all_who_are_ticked_are_ready(night):
    match = match_of()
    assert match.called and match.deadline is None and confirmed() == {"ann"}
    for name in ("ann", "dan", "eve"):
        assert page.begun(person(name), START - open_matches.READY_WITHIN, event=night.page) == match
    assert page.waiting(person("dan")) == 1 and page.waiting(person("ann")) == 0
    open_matches.ready(match, person("dan"))
    assert match_of().called and confirmed() == {"ann"}
    open_matches.ready(match, person("eve"))
    assert match_of().status in Match.UNDER_WAY and confirmed() == {"ann", "dan", "eve"}


def test_at_a_table_where_all_came_by_themselves_nobody_is_asked():
    seat(evening_of("ann", "bob", "cho"), size=3)
    assert match_of().status in Match.UNDER_WAY


def test_a_game_begins_after_a_minute_and_who_is_not_ready_has_not_said_yes_to_it(night):
    open_matches.ready(match_of(), person("dan"))
    run_once(OVER - open_matches.READY_WITHIN / 60)
    assert match_of().called
    run_once(OVER)
    assert match_of().status in Match.UNDER_WAY and confirmed() == {"ann", "dan"}


def test_nobody_makes_the_others_wait_longer_by_changing_their_mind(night):
    before = match_of().wake_at
    for yes in (True, False, True, False):
        open_matches.ready(match_of(), person("dan"), yes)
    assert match_of().wake_at == before
    open_matches.begin_called(match_of(), clocks.ms_of(OVER))
    assert "dan" not in confirmed()


def test_if_nobody_is_ready_the_game_begins_all_the_same_and_nothing_hangs(night):
    Seat.objects.update(ready=False)
    run_once(OVER)
    match = match_of()
    assert match.status in Match.UNDER_WAY
    assert match.wake_at > OVER


def test_who_says_that_they_are_not_here_frees_the_others_at_no_cost(night, client):
    client.force_login(person("dan"))
    assert "I’m not here" in client.get(match_of().get_absolute_url()).content.decode()
    open_matches.ready(match_of(), person("dan"))
    client.post(f"/m/{match_of().key}/stand")
    match, standing = match_of(), events.standing(night)
    assert (match.status, match.wake_at) == (Match.Status.CLOSED, None)
    assert not standing.busy and not standing.counted and len(standing.free) == 3
    run_once(OVER)
    assert match_of().status == Match.Status.CLOSED
    audit.check(Tournament.objects.get(pk=night.pk))
    assert "has been closed" in client.get(match.get_absolute_url()).content.decode()


def test_who_came_to_play_cannot_close_the_table(night, client):
    client.force_login(person("ann"))
    assert "I’m not here" not in client.get(match_of().get_absolute_url()).content.decode()
    with pytest.raises(Refused, match="begins in a moment"):
        open_matches.leave(match_of(), person("ann"))
    assert match_of().called


@pytest.mark.parametrize("how", ["leaves", "is taken out", "lets nobody seat them", "leaves the club"])
def test_the_table_of_who_is_ticked_closes_when_they_leave_the_night(night, how):
    dan, ann = person("dan"), person("ann")
    match how:
        case "leaves":
            services.leave(night, dan, LATER)
        case "is taken out":
            services.untick(night, ann, dan, LATER)
        case "lets nobody seat them":
            services.unseat(night.club, dan, LATER)
        case _:
            services.left(night.club, dan, LATER, dan)
    standing = events.standing(night)
    assert match_of().status == Match.Status.CLOSED
    assert not standing.busy and dan.pk not in standing.here and len(standing.free) == 2


def test_the_game_of_who_has_said_yes_begins_though_they_leave_the_night(night):
    services.leave(night, person("ann"), LATER)
    assert match_of().called
    run_once(OVER)
    assert match_of().status in Match.UNDER_WAY


def test_a_game_begins_and_counts_though_the_night_closes_while_it_waits(night):
    services.close(night, person("ann"), START)
    due.work(LATER)
    run_once(OVER)
    assert match_of().status in Match.UNDER_WAY and events.standing(night).busy


def test_a_closed_table_whose_end_was_not_recorded_is_recorded_later(night, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(playing, "record", None)
        open_matches.leave(match_of(), person("dan"))
    assert events.standing(night).busy
    due.work(timezone.now())
    assert not events.standing(night).busy


def test_who_waits_ready_at_a_table_is_seated_nowhere_else(night):
    people = {person(name).pk: name for name in ("ann", "dan", "eve")}
    open_matches.ready(match_of(), person("eve"))
    assert {people[pk] for pk in playing.playing_live(people)} == {"ann", "eve"}
