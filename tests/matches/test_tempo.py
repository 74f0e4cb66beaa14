"""The pace of bots: who sets it, and how a person who is alone with them skips to their next question."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.web.refused import Refused
from games import worker
from games.matches import access, play, tempo
from games.matches.models import LogEntry, Match
from tests.matches.matches import played, seated

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def asking(seat):
    return lambda state: state.seat == seat


def pause(match):
    """How long after the question the bot that is asked waits."""
    return match.wake_at - match.asked_at


def bots_to_move(*names, bots=1, **table):
    match = seated(*names, bots=bots, **table)
    return played(match, until=lambda state: match.sitting[state.seat].bot)


def test_the_pace_changes_at_once_and_is_remembered_for_the_tables_that_one_opens(settings):
    settings.BOT_DELAY_MS = (60_000, 60_000)
    match = bots_to_move("ann")
    usual = pause(match)
    tempo.choose(match, match.sitting[0], "slow")
    match = access.find(match.key)
    assert match.tempo == "slow"
    assert pause(match) >= 2 * usual
    tempo.choose(match, match.sitting[0], "instant")
    assert access.find(match.key).wake_at <= timezone.now()
    assert seated("ann", bots=1).tempo == "instant"
    assert seated("bob", bots=1).tempo == "normal"


def test_who_changes_the_pace_again_and_again_holds_up_nobody(settings):
    settings.BOT_DELAY_MS = (60_000, 60_000)
    match = bots_to_move("ann", "bob")
    Match.objects.filter(pk=match.pk).update(asked_at=timezone.now() - timedelta(hours=1))
    for pace in ("slow", "normal"):
        tempo.choose(access.find(match.key), match.sitting[0], pace)
        assert access.find(match.key).wake_at <= timezone.now()


def test_the_host_sets_the_pace_and_after_the_host_the_first_person():
    match = seated("ann", "bob", "cho", bots=1)
    ann, bob, cho, bot = match.sitting
    for seat in (bob, cho, bot):
        with pytest.raises(Refused):
            tempo.choose(match, seat, "slow")
    play.leave(match, ann.index, "leave")
    match = access.find(match.key)
    with pytest.raises(Refused):
        tempo.choose(match, cho, "slow")
    tempo.choose(match, bob, "slow")
    assert access.find(match.key).tempo == "slow"
    assert User.objects.get(username="ann").tempo == "normal"


@pytest.mark.parametrize("wish", ["", "hasty"])
def test_there_are_three_paces(wish):
    match = seated("ann", bots=1)
    with pytest.raises(Refused):
        tempo.choose(match, match.sitting[0], wish)


def test_where_no_bot_plays_there_is_no_pace_to_set():
    assert tempo.setter(seated("ann", "bob")) is None


def test_who_skips_is_asked_next_without_a_pause_and_then_all_is_as_before(settings):
    settings.BOT_DELAY_MS = (60_000, 60_000)
    match = bots_to_move("ann", bots=3)
    tempo.skip(match, match.sitting[0])
    for _ in range(100):
        if access.find(match.key).mover == 0:
            break
        assert worker.run_once(timezone.now() + timedelta(seconds=1)) == 1
    match = access.find(match.key)
    assert match.mover == 0
    assert not LogEntry.objects.filter(match=match, ply__gte=match.skipped, by=LogEntry.By.PLAYER).exists()
    match = played(match, until=lambda state: state.seat != 0)
    assert pause(match) > timedelta(seconds=10)


def test_who_skips_before_the_first_answer_is_asked_next(settings):
    settings.BOT_DELAY_MS = (60_000, 60_000)
    match = next(match for match in iter(lambda: seated("ann", bots=1), None) if match.mover == 1)
    tempo.skip(match, match.sitting[0])
    assert access.find(match.key).wake_at <= timezone.now()


def test_nobody_skips_where_two_people_play():
    match = bots_to_move("ann", "bob", bots=1)
    for seat in match.sitting[:2]:
        with pytest.raises(Refused):
            tempo.skip(match, seat)
    assert access.find(match.key).skipped is None


def test_who_is_left_alone_with_bots_may_skip():
    match = seated("ann", "bob", "cho")
    play.leave(match, 0, "leave")
    play.leave(access.find(match.key), 1, "leave")
    match = access.find(match.key)
    if match.mover == 2:
        match = played(match, until=asking(0))
    tempo.skip(match, match.sitting[2])
    assert access.find(match.key).wake_at <= timezone.now()


def test_to_skip_at_ones_own_question_changes_nothing():
    match = played(seated("ann", bots=1), until=asking(0))
    tempo.skip(match, match.sitting[0])
    assert access.find(match.key).skipped is None


def test_an_answer_computed_before_the_pace_changed_is_not_written():
    """It would bring the old pause back."""
    match = bots_to_move("ann")
    tempo.choose(match, match.sitting[0], "slow")
    assert access.find(match.key).revision == match.revision + 1
