"""A club with a season behind it, played by bots through the services."""

from datetime import timedelta
from io import StringIO
from itertools import pairwise
from random import Random

import pytest
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from accounts.models import Club, Notice, User
from games.engine.bots import choose_random
from games.ladders import audit
from games.ladders.models import Challenge, Ladder
from games.matches.clocks import ms_of
from games.matches.models import LogEntry, Match, Seat
from tests.people import person
from tools import rehearsal
from tools.management.commands import simulateseason
from tools.simulated_season import NAMES, SimulatedSeason

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.slow]


def simulate(*more, seed="x", members=10, weeks=3, challenges=24):
    """What the command says."""
    numbers = [f"--members={members}", f"--weeks={weeks}", f"--challenges={challenges}"]
    out = StringIO()
    call_command("simulateseason", f"--seed={seed}", "--no-events", *numbers, *more, stdout=out)
    return out.getvalue()


def test_a_season_is_played_through_the_services_and_its_ladder_is_what_its_events_come_to():
    said = simulate()
    ladder = Ladder.objects.get()
    standing = audit.check(ladder)
    assert f"{ladder.events} events replayed: no fault" in said
    assert f"{ladder.challenges.count()} challenges" in said
    names = dict(User.objects.values_list("pk", "username"))
    table = [line.split()[1] for line in said.splitlines() if line[:3].strip().isdecimal() and "%" in line]
    assert table == [names[player] for player in standing.order]
    # Matches, clocks, archive and ratings are right too.
    call_command("verifylogs", stdout=StringIO())
    # Something of everything has happened, and something goes on.
    kinds = set(ladder.log.values_list("kind", flat=True))
    assert {"rules", "join", "order", "season", "result", "vacation", "correct", "leave", "season-end"} <= kinds
    assert standing.season == 2 and standing.ends is not None
    assert ladder.club.announcements.count() == 4
    assert not ladder.challenges.filter(status=Challenge.Status.PLAYING, match__ply=0).exists()


def test_all_has_happened_before_now_and_in_its_order_by_the_day():
    now = timezone.now()
    simulate()
    ladder = Ladder.objects.get()
    times = list(ladder.log.order_by("number").values_list("at", flat=True))
    assert times[0] > now - timedelta(weeks=3, days=10)
    assert all(later > sooner - timedelta(hours=2) for sooner, later in pairwise(times))
    hour = timedelta(hours=1)  # a live game may end a little later
    assert times[-1] < now + hour
    assert not Match.objects.filter(ended_at__gt=now + hour).exists()
    assert not Match.objects.filter(status="running", wake_at__lt=now - hour).exists()
    assert not ladder.challenges.filter(status="open", answer_by__lt=now - hour).exists()


def test_nobody_writes_to_people_who_are_made_up_and_nobody_can_sign_in_as_one():
    simulate()
    users = User.objects.all()
    assert {user.username for user in users} <= set(NAMES)
    assert not users.exclude(email="").exists()
    assert users.filter(password__startswith=UNUSABLE_PASSWORD_PREFIX).count() == 10
    assert Notice.objects.exists()
    assert not Notice.objects.exclude(mail_at=None).exists()
    assert mail.outbox == []


def test_the_seed_says_who_they_are_and_how_they_play():
    def cast(seed):
        with transaction.atomic():
            season = SimulatedSeason(seed, 12, 4, 40, timezone.now())
            transaction.set_rollback(True)
        return [(each.user.username, each.skill, each.zeal, each.silence, each.late) for each in season.everybody]

    assert cast("x") == cast("x")
    assert cast("x") != cast("y")


def test_each_time_it_is_another_club_of_other_people():
    simulate(members=4, challenges=2)
    simulate(members=4, challenges=2)
    assert User.objects.count() == 8
    assert [club.slug for club in Club.objects.order_by("pk")] == [
        "library-of-st-gall",
        "library-of-st-gall-2",
    ]
    for ladder in Ladder.objects.all():
        audit.check(ladder)


def test_it_asks_before_real_people_meet_them():
    person("ann", password="secret of hers")
    with pytest.raises(CommandError, match="real people"):
        simulate()
    assert User.objects.count() == 1
    simulate("--yes", members=3, weeks=1, challenges=1)
    assert User.objects.count() == 4


def test_a_name_that_somebody_has_is_given_to_nobody_else():
    for name in NAMES:
        person(name.upper())
    simulate(members=3, weeks=1, challenges=1)
    assert all(user.username.endswith("-2") for user in User.objects.order_by("-pk")[:3])


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ({"members": 1}, "too few"),
        ({"members": 201}, "more than 200"),
        ({"challenges": 0}, "too few"),
        ({"weeks": 0}, "expected 1 to 52"),
        ({"weeks": 53}, "expected 1 to 52"),
    ],
)
def test_numbers_that_make_no_season_are_refused(numbers, why):
    with pytest.raises(CommandError, match=why):
        simulate(**numbers)
    assert not User.objects.exists()


def test_nothing_is_left_of_a_season_whose_ladder_is_wrong(monkeypatch):
    def check(ladder):
        raise audit.WrongLadder(7, "steps", "it says too much")

    monkeypatch.setattr(simulateseason.audit, "check", check)
    with pytest.raises(CommandError, match="the ladder is wrong: steps: event 7: it says too much"):
        simulate(members=3, weeks=1, challenges=1)
    assert not User.objects.exists()
    assert not Club.objects.exists()


# How its games are played


def a_match(**table):
    return rehearsal.match_of([person("ann"), person("bob")], 2**40, rated=True, **table)


def test_whose_time_runs_out_at_a_table_that_is_rehearsed_has_had_their_time():
    match = a_match(pace="live", bank_ms=600_000, increment_ms=5_000)
    rehearsal.perform(match, [choose_random] * 2, Random(1), leaver=1, why=Seat.Left.TIME)
    match.refresh_from_db()
    assert match.status == "finished"
    assert [seat.left for seat in match.seats.all()] == ["", "time"]
    assert match.result["places"] == [1, 2]
    call_command("verifylogs", stdout=StringIO())


@pytest.mark.parametrize("most", [None, 60])
def test_at_a_table_that_is_played_for_days_the_last_answer_is_given_when_it_is_wanted(most):
    match = a_match(pace="daily", days=2)
    ends = 2**40 + 3 * 24 * 3600 * 1000
    rehearsal.perform(match, [choose_random] * 2, Random(1), most=most, ends=ends)
    match.refresh_from_db()
    if most:
        assert LogEntry.objects.filter(match=match).latest("ply").at == ends
        # The question is an older one if that was a part of a payment.
        assert match.deadline == match.asked_ms + 2 * 24 * 3600 * 1000
    else:
        assert ms_of(match.ended_at) == ends
    call_command("verifylogs", stdout=StringIO())
