"""The shuffle before a game: browsers seal their bytes, and open them when all seals are public."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.web.refused import Refused
from games import worker
from games.engine import chance
from games.lobby import open_matches
from games.lobby.page import begun
from games.matches import access, history, shuffle
from games.matches.clocks import Clock
from games.matches.models import Match

pytestmark = pytest.mark.django_db

A, B, C = b"a" * 16, b"b" * 16, b"c" * 16
LATER = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def with_browsers(settings):
    settings.SHUFFLE_MS = 8000


@pytest.fixture
def match(ann, bob):
    """All seats are taken; nobody has sealed."""
    match = open_matches.join(open_matches.open_match(ann, places=2, options={}), bob)
    assert match.status == "shuffling"
    return match


def seal(match, seat, share):
    return chance.seal(match.key, seat, share)


def now(match):
    """The match as it is now."""
    return access.find(match.key)


def shares(match):
    return [(bytes(seat.share), seat.share_from) for seat in now(match).sitting]


def time_over(match):
    """What the worker does when a time is over."""
    worker.attend_all([match.pk], timezone.now() + LATER)


def test_both_seal_both_open_and_the_match_begins(match, ann, bob):
    shuffle.give_seal(match, ann, seal(match, 0, A))
    assert now(match).sealed_at is None
    shuffle.give_seal(match, bob, seal(match, 1, B))
    assert now(match).sealed_at and now(match).status == "shuffling"
    shuffle.open_seal(match, bob, B)
    assert now(match).status == "shuffling"
    shuffle.open_seal(match, ann, A)
    assert now(match).status == "running"
    assert shares(match) == [(A, "sealed"), (B, "sealed")]
    seats = now(match).sitting
    assert history.seed_of(now(match), seats) == chance.mix(bytes(match.secret), [A, B])
    assert now(match).header["seals"] == [seal(match, 0, A), seal(match, 1, B)]
    assert now(match).header["commitment"] == match.commitment


def test_with_bots_one_browser_is_enough(ann):
    match = open_matches.open_match(ann, places=3, options={}, bots=2)
    shuffle.give_seal(match, ann, seal(match, 0, A))
    shuffle.open_seal(match, ann, A)
    assert now(match).status == "running"
    bots = [(chance.site_share(bytes(match.secret), seat), "site") for seat in (1, 2)]
    assert shares(match) == [(A, "sealed"), *bots]
    assert now(match).header["seals"] == [seal(match, 0, A), "", ""]


def test_no_seal_takes_the_place_of_another(match, ann):
    shuffle.give_seal(match, ann, seal(match, 0, A))
    shuffle.give_seal(match, ann, seal(match, 0, A))
    with pytest.raises(Refused, match="has sealed"):
        shuffle.give_seal(match, ann, seal(match, 0, C))
    assert now(match).sitting[0].seal == seal(match, 0, A)


def test_no_seal_is_taken_once_all_are_public(match, ann, bob):
    shuffle.give_seal(match, ann, seal(match, 0, A))
    time_over(match)
    with pytest.raises(Refused, match="public already"):
        shuffle.give_seal(match, bob, seal(match, 1, B))


def test_nothing_is_opened_before_all_seals_are_public(match, ann):
    shuffle.give_seal(match, ann, seal(match, 0, A))
    with pytest.raises(Refused, match="until then"):
        shuffle.open_seal(match, ann, A)
    assert shares(match)[0] == (b"", "sealed")


@pytest.mark.parametrize("share", [B, b"a" * 15 + b"b"])
def test_only_the_bytes_that_were_sealed_open_a_seal(match, ann, bob, share):
    shuffle.give_seal(match, ann, seal(match, 0, A))
    shuffle.give_seal(match, bob, seal(match, 1, B))
    with pytest.raises(Refused, match="aren’t the bytes"):
        shuffle.open_seal(match, ann, share)
    assert shares(match)[0] == (b"", "sealed")


def test_a_seal_of_another_seat_or_match_fits_nowhere(match, ann, bob):
    shuffle.give_seal(match, ann, seal(match, 1, A))
    shuffle.give_seal(match, bob, chance.seal("another2key3", 1, B))
    for user, share in ((ann, A), (bob, B)):
        with pytest.raises(Refused, match="aren’t the bytes"):
            shuffle.open_seal(match, user, share)


def test_whoever_seals_and_does_not_open_holds_up_nobody(match, ann, bob):
    shuffle.give_seal(match, ann, seal(match, 0, A))
    shuffle.give_seal(match, bob, seal(match, 1, B))
    shuffle.open_seal(match, ann, A)
    assert now(match).status == "shuffling"
    time_over(match)
    assert now(match).status == "running"
    assert shares(match) == [(A, "sealed"), (chance.site_share(bytes(match.secret), 1), "unopened")]
    assert now(match).header["seals"][1] == seal(match, 1, B)
    with pytest.raises(Refused, match="too late"):
        shuffle.open_seal(match, bob, B)
    assert shares(match)[1][1] == "unopened"
    shuffle.open_seal(match, ann, A)  # once more, because the answer was lost


def test_without_any_browser_the_match_begins_when_both_times_are_over(match):
    time_over(match)
    assert now(match).status == "running"
    assert [where for _, where in shares(match)] == ["site", "site"]


def test_before_its_time_is_over_the_worker_leaves_a_shuffle_alone(match):
    assert worker.run_once(timezone.now()) == 0
    shuffle.look(match, 0)
    assert now(match).status == "shuffling" and now(match).sealed_at is None


def test_whoever_does_without_is_not_waited_for(match, ann, bob):
    shuffle.do_without(match, ann)
    shuffle.give_seal(match, bob, seal(match, 1, B))
    shuffle.open_seal(match, bob, B)
    assert now(match).status == "running"
    assert shares(match) == [(chance.site_share(bytes(match.secret), 0), "site"), (B, "sealed")]


def test_bytes_given_ahead_count_where_no_browser_is_open(ann, bob):
    match = open_matches.open_match(ann, places=2, options={}, clock=Clock.daily(3))
    shuffle.give_ahead(match, ann, A)
    shuffle.give_ahead(match, ann, C)
    match = open_matches.join(match, bob)
    shuffle.give_seal(match, bob, seal(match, 1, B))
    time_over(match)
    shuffle.open_seal(match, bob, B)
    assert shares(match) == [(A, "ahead"), (B, "sealed")]
    assert now(match).header["seals"] == [seal(match, 0, A), seal(match, 1, B)]


def test_a_seal_takes_the_place_of_bytes_given_ahead(ann, bob):
    match = open_matches.open_match(ann, places=2, options={}, clock=Clock.daily(3))
    shuffle.give_ahead(match, ann, A)
    match = open_matches.join(match, bob)
    with pytest.raises(Refused, match="ahead"):
        shuffle.give_ahead(match, bob, B)
    shuffle.give_seal(match, ann, seal(match, 0, C))
    shuffle.give_seal(match, bob, seal(match, 1, B))
    shuffle.open_seal(match, ann, C)
    shuffle.open_seal(match, bob, B)
    assert shares(match) == [(C, "sealed"), (B, "sealed")]


def test_somebody_else_has_no_part_in_it(match, cho):
    for give in (shuffle.give_seal, shuffle.open_seal, shuffle.give_ahead):
        with pytest.raises(Refused, match="don’t have a seat"):
            give(match, cho, A)


def test_a_match_that_is_being_shuffled_cannot_be_left_joined_or_changed(match, ann, bob, cho):
    with pytest.raises(Refused, match="Someone else was faster"):
        open_matches.join(match, cho)
    for change in (
        lambda: open_matches.leave(match, bob),
        lambda: open_matches.kick(match, ann, 1),
        lambda: open_matches.ready(match, bob, yes=False),
    ):
        with pytest.raises(Refused, match="no longer open"):
            change()


def test_the_commitment_and_the_secret_are_there_before_any_seal_and_never_change(match, ann, bob):
    before = Match.objects.values_list("secret", "commitment").get(pk=match.pk)
    shuffle.give_seal(match, ann, seal(match, 0, A))
    shuffle.give_seal(match, bob, seal(match, 1, B))
    shuffle.open_seal(match, ann, A)
    shuffle.open_seal(match, bob, B)
    assert Match.objects.values_list("secret", "commitment").get(pk=match.pk) == before


def test_people_on_other_pages_are_led_to_a_shuffle(match, ann):
    assert begun(ann, timezone.now()) == match
