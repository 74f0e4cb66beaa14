"""The worker looks at decisions: fairly, once, on after a crash, and with one sentence where it cannot."""

import os
import signal
from datetime import timedelta

import pytest
from django.utils import timezone

from games import worker
from games.analysis import services, working
from games.analysis.models import Analysis, JudgedDecision
from games.analysis.working import Analyst, claim
from games.engine.verdicts import DecisionVerdict
from games.matches import thinking
from games.matches.models import Match
from tests.analysis.analyses import Here, analyst, over, reviewed, work
from tests.matches.matches import played, seated
from tests.people import person

pytestmark = pytest.mark.django_db


def figures(analysis):
    return list(analysis.decisions.order_by("ply").values_list("ply", "seat", "loss", "clear", "figures"))


def test_each_decision_of_a_person_is_judged_once_and_none_of_a_bot(toy):
    match = played(seated("ann", bots=1, game=toy))
    found = reviewed(match)
    asked = match.log.filter(by=None).exclude(move="offer 0")
    assert {row.ply for row in found.decisions.all()} >= {row.ply for row in asked}
    assert set(found.decisions.values_list("seat", flat=True)) == {0}
    assert (found.status, found.done, found.total) == ("done", found.decisions.count(), found.decisions.count())
    for row in found.decisions.all():
        verdict = DecisionVerdict.read(row.figures)
        assert (verdict.seat, verdict.loss, verdict.clear) == (row.seat, row.loss, row.clear)
        assert verdict.made == match.log.get(ply=row.ply).move
    assert set(found.courses) == {"plies", "public", "0", "luck"} and len(found.courses["luck"]) == 2
    assert found.courses["plies"][-1] == match.ply


def test_events_of_the_log_do_not_shift_the_plies(toy):
    match = seated("ann", "bob", "dan", game=toy)
    match = played(match, lambda state: state.round == 1)
    worker.play.leave(match, 2, "resign")
    match = played(services.Match.objects.playing().get(pk=match.pk))
    found = reviewed(match)
    moves = dict(match.log.values_list("ply", "move"))
    assert found.decisions.filter(ply__gt=match.sitting[2].left_ply).exists()
    assert all(row.figures["made"] == moves[row.ply] for row in found.decisions.all())


def test_the_other_process_says_the_same_and_is_ended_when_nothing_is_left(toy):
    match = over(toy)
    expected = figures(reviewed(match))
    Analysis.objects.all().delete()
    found, worker_ = services.ask(match, person("ann")), Analyst()
    assert worker_.step(timezone.now())
    other = worker_.thinker.call(os.getpid)
    assert other != os.getpid() and worker_.thinker.call(os.nice, 0) == 19
    while worker_.step(timezone.now()):
        pass
    with pytest.raises(ProcessLookupError):
        os.kill(other, 0)
    assert figures(found) == expected


def test_a_review_goes_on_when_the_other_process_has_died(toy):
    match = over(toy, "ann", "bob", "dan")
    expected = figures(reviewed(match))
    Analysis.objects.all().delete()
    found, worker_ = services.ask(match, person("ann")), Analyst()
    for _ in range(2):
        worker_.step(timezone.now())
    assert 0 < found.decisions.count() < len(expected)
    os.kill(worker_.thinker.call(os.getpid), signal.SIGKILL)
    while worker_.step(timezone.now()):
        pass
    found.refresh_from_db()
    assert (found.status, figures(found)) == ("done", expected)


class Dying(Here):
    """Another process that is gone whenever it is asked."""

    def call(self, tried, work, *arguments):
        raise thinking.Lost


def test_whoever_dies_of_a_game_again_and_again_gives_it_up(toy):
    found = services.ask(over(toy), person("ann"))
    worker_, steps = analyst(Dying()), 0
    while worker_.step(timezone.now()):
        steps += 1
    found.refresh_from_db()
    assert (found.status, found.failure, steps) == ("failed", "broken", working.DEATHS)


def test_another_worker_goes_on_when_the_lease_has_ended(toy, now):
    match = over(toy, "ann", "bob", "dan")
    found, first, second = services.ask(match, person("ann")), analyst(), analyst()
    for _ in range(2):
        first.step(now)
    assert found.decisions.count() and not second.step(now)
    later = timezone.now() + working.LEASE + timedelta(seconds=1)
    while second.step(later):
        pass
    found.refresh_from_db()
    assert (found.status, found.deaths) == ("done", 0)
    before = figures(found)
    assert first.step(later) and first.job is None, "what it has computed meanwhile is nothing to anybody"
    assert figures(found) == before


def test_two_workers_do_not_take_the_same(toy, now):
    services.ask(over(toy), person("ann"))
    [seen] = Analysis.objects.all()
    assert claim(now).pk == seen.pk
    assert claim(now) is None and working.take(seen, now) is None


def test_nobody_waits_behind_all_that_another_has_asked_for(toy, now):
    for number in range(3):
        services.ask(over(toy, "ann", "dan"), person("ann"), now + timedelta(seconds=number))
    services.ask(over(toy, "bob", "dan"), person("bob"), now + timedelta(minutes=1))
    found = [claim(now + timedelta(minutes=2 + number)).asked_by.username for number in range(4)]
    assert found == ["ann", "bob", "ann", "ann"]


@pytest.mark.parametrize("move", ["offer 9999", "bid 4"])
def test_an_odd_record_has_its_sentence_and_nothing_is_stored(toy, rewriting, move):
    match = over(toy)
    rewriting("UPDATE games_logentry SET move = %s WHERE match_id = %s AND ply = 2", [move, match.pk])
    found = reviewed(match)
    assert (found.status, found.failure, found.total, found.decisions.count()) == ("failed", "record", 0, 0)
    assert "contradicts its rules" in found.get_failure_display()


def test_a_record_cut_short_has_a_review_up_to_there(toy, rewriting):
    match = over(toy)
    rewriting("DELETE FROM games_logentry WHERE match_id = %s AND ply >= 3", [match.pk])
    found = reviewed(match)
    assert (found.status, found.total) == ("done", found.decisions.count())
    assert max(found.decisions.values_list("ply", flat=True)) <= 2


def test_rules_that_nobody_knows_any_more_have_their_sentence(toy, rewriting, now):
    match = over(toy)
    found = services.ask(match, person("ann"))
    rewriting("UPDATE games_match SET version = 77 WHERE id = %s", [match.pk])
    work()
    found.refresh_from_db()
    assert (found.status, found.failure) == ("failed", "rules")
    assert services.refusal(Match.objects.get(pk=match.pk)) == found.get_failure_display()


def test_a_judge_that_was_replaced_meanwhile_has_its_sentence(toy, now):
    match = over(toy)
    found = Analysis.objects.create(match=match, version="older", asked_by=person("ann"), asked_at=now)
    work()
    found.refresh_from_db()
    assert (found.status, found.failure) == ("failed", "expert")


def test_a_fault_in_the_middle_leaves_nothing_half_stored(toy):
    class Faulty(Here):
        def call(self, tried, work, *arguments):
            if work.__name__ == "courses":
                raise thinking.Failed
            return tried(work, *arguments)

    found = services.ask(over(toy), person("ann"))
    worker_ = analyst(Faulty())
    while worker_.step(timezone.now()):
        pass
    found.refresh_from_db()
    assert (found.status, found.failure, found.done) == ("failed", "broken", 0)
    assert not JudgedDecision.objects.exists()


class UntilNothingIsLeft:
    """In the place of an event: set as soon as the worker wants to rest."""

    def wait(self, nap_s):
        return bool(nap_s)


@pytest.mark.django_db(transaction=True)
def test_the_worker_of_the_site_does_it(toy):
    match = over(toy)
    found = services.ask(match, person("ann"))
    worker.run_analyses(UntilNothingIsLeft())
    found.refresh_from_db()
    assert found.status == "done" and found.total > 0
