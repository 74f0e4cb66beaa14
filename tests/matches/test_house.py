"""Ratings of house bots: from which games, and what they leave as it was."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import ArchivedMatch, Rating
from games import worker
from games.engine.biblios.game import Biblios
from games.lobby import house as bots_page
from games.matches import house
from games.matches.models import Match
from tests.components import free_port
from tests.matches.matches import seated
from tests.people import person

pytestmark = pytest.mark.django_db

BIBLIOS = Biblios()
NAMES = ["ann", "bob", "cho", "dan", "eve"]


def settled(name, rating, days=1):
    """Somebody whose rating with two was settled so many days ago."""
    user = person(name)
    at = timezone.now() - timedelta(days=days)
    facts = {"seats": 2, "seat": 0, "place": 1, "won": True, "points": 9, "bots": False, "names": [], "scores": []}
    rating = {"pool": "2", "before": 1500, "after": rating, "games": 30}
    ArchivedMatch.objects.create(user=user, match=f"{name}-{days}", game="biblios", ended_at=at, **facts, **rating)
    return user


def beaten(name, by_bot=True, **fields):
    """A finished game of somebody with a bot."""
    given = {field: fields.pop(field) for field in ("guided", "watch") if field in fields}
    match = seated(name, bots=1, **given)
    places = [2, 1] if by_bot else [1, 2]
    result = {"points": [5, 5], "places": places, "winners": [places.index(1)]} | fields.pop("result", {})
    facts = {"status": "finished", "ended_at": timezone.now(), "result": result, "mover": None, "wake_at": None}
    Match.objects.filter(pk=match.pk).update(**facts | fields)
    return match


def rated(**shares):
    return house.computed(BIBLIOS, "2", shares)


def met_by_all(rating=1700, **fields):
    for name in NAMES:
        settled(name, rating)
        beaten(name, **fields)


def test_who_beats_good_players_has_a_good_rating_and_theirs_stays():
    met_by_all()
    found = rated()["greedy"]
    assert found.games == 5 and found.rating.value > 1550
    assert not Rating.objects.exists()


def test_the_rating_of_a_person_is_that_of_the_time_of_the_game():
    met_by_all()
    before = rated()
    for match in ArchivedMatch.objects.all():
        match.pk, match.match, match.after, match.ended_at = None, match.match + "x", 900, timezone.now() + timedelta(1)
        match.save()
    assert rated() == before


def test_where_few_have_met_a_bot_nothing_is_told_of_how_they_fared():
    for name in NAMES[1:]:
        settled(name, 1700)
        for _again in range(3):
            beaten(name)
    assert rated() == {}


@pytest.mark.parametrize(
    "fields",
    [
        {"hidden": True},
        {"guided": True},
        {"hinted": True},
        {"watch": "club"},
        {"status": "aborted"},
        {"result": {"ended": "stopped"}},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_games_in_which_something_was_special_do_not_count(fields):
    met_by_all(**fields)
    assert rated() == {}


def test_nor_do_those_that_somebody_has_left_or_whose_people_are_not_settled():
    met_by_all()
    ArchivedMatch.objects.update(games=9)
    assert rated() == {}
    ArchivedMatch.objects.update(games=30)
    for match in Match.objects.all():
        match.seats.filter(index=0).update(left="resign")
    assert rated() == {}


def test_without_the_cache_the_page_of_bots_comes_without_ratings(client, settings, static_files):
    bots_page.rate(timezone.now())
    assert "Rating with" in client.get("/bots?game=biblios").content.decode()
    redis = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": f"redis://127.0.0.1:{free_port()}"}
    settings.CACHES = {**settings.CACHES, "default": redis}
    page = client.get("/bots?game=biblios")
    assert page.status_code == 200
    assert "Of 100 games" in page.content.decode() and "Rating with" not in page.content.decode()


def test_what_was_measured_among_bots_ties_them_to_the_usual_one():
    found = rated(strong={2: (0.76, 0.03), 3: (0.9, 0.01)})
    assert found["strong"].rating.value - found["greedy"].rating.value == pytest.approx(200, abs=5)
    assert (found["strong"].games, found["greedy"].games) == (0, 0)
    more = house.computed(BIBLIOS, "3-4", {"strong": {3: (1 / 3, 0.02), 4: (0.25, 0.02)}})
    assert more["strong"].rating.value == pytest.approx(more["greedy"].rating.value, abs=1)


def test_pairs_of_a_table_of_four_weigh_half_and_a_bot_does_not_meet_itself():
    table = [
        house.Placed("", 1, 1600.0, 1),
        house.Placed("greedy", None, None, 2),
        house.Placed("greedy", None, None, 3),
        house.Placed("strong", None, None, 3),
    ]
    found = sorted(house.of_table(table), key=repr)
    assert found == [
        ("greedy", "strong", 0.5, 0.5),
        ("greedy", "strong", 1.0, 0.5),
        ("greedy", 1600.0, 0.0, 0.5),
        ("greedy", 1600.0, 0.0, 0.5),
        ("strong", 1600.0, 0.0, 0.5),
    ]


def test_a_rating_stays_for_a_day():
    today = timezone.now().date()
    assert house.ratings_of(BIBLIOS) == {}
    house.renew(BIBLIOS, {}, today)
    met_by_all()
    house.renew(BIBLIOS, {}, today)
    assert house.ratings_of(BIBLIOS) == {"2": {}, "3-4": {}}
    house.renew(BIBLIOS, {}, today + timedelta(days=1))
    assert house.ratings_of(BIBLIOS) == {"2": rated(), "3-4": {}} and rated()


def test_pages_read_what_the_worker_has_computed_and_compute_nothing(client, static_files):
    met_by_all()
    assert house.ratings_of(BIBLIOS) == {} and client.get("/bots?game=biblios").status_code == 200
    assert house.ratings_of(BIBLIOS) == {}
    assert bots_page.rate in worker.CHORES
    bots_page.rate(timezone.now())
    (usual,) = [bot for bot in bots_page.bots_of(BIBLIOS) if bot.usual]
    # With three it has met other bots only, which counts no game.
    assert [count for _pool, _rating, _either_side, count in usual.ratings] == [5, 0]


def table_of(*others, bot="greedy"):
    """A game of three: a bot, which was first, and two others."""
    return [house.Placed(bot, None, None, 1), *others]


def test_guests_and_newcomers_hide_nobody(monkeypatch):
    """Four guests and one rated person have met the bot, but all that its rating tells is how that person fared."""
    mine = house.Placed("", 1, 1700.0, 2)
    tables = [table_of(mine, house.Placed("", 10 + number, None, 3)) for number in range(4)]
    monkeypatch.setattr(house, "with_people", lambda game, pool: tables)
    assert house.computed(BIBLIOS, "3-4", {}) == {}


def test_what_two_bots_did_at_a_table_tells_of_nobody(monkeypatch):
    tables = [table_of(house.Placed("", 1, 1700.0, 3), house.Placed("strong", None, None, 2))]
    monkeypatch.setattr(house, "with_people", lambda game, pool: tables)
    found = house.computed(BIBLIOS, "3-4", {})
    assert set(found) == {"greedy", "strong"} and {bot.games for bot in found.values()} == {0}
    tables[0][1] = tables[0][1]._replace(place=1)
    assert house.computed(BIBLIOS, "3-4", {}) == found
