import random
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.career import archive as archives
from accounts.career import lines, tallies
from accounts.career.archive import Part, explain
from accounts.models import ArchivedMatch, Rating, Tally, User

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def guest():
    return User.objects.create_user("guest-1", guest=True)


def part(user, seat, place, points=5, **rest):
    return Part(user, seat, user.username if user else "Brother Ivo", place, place == 1, points, **rest)


def archive(key, at, seats, rated, game="biblios"):
    """Two players are rated apart from three and four."""
    pool = ("2" if len(seats) == 2 else "3-4") if rated else ""
    changes = archives.archive(key, at, seats, game=game, pool=pool)
    return [change and (change.before, change.after) for change in changes]


def settled(*people, pool="2", value=1500.0):
    """These people have played so much that their K is 20."""
    for user in people:
        Rating.objects.create(user=user, game="biblios", pool=pool, value=value, games=50)


def test_a_rated_match_moves_both_ratings_and_leaves_a_row_for_each(ann, bob):
    settled(ann, bob)
    changes = archive("m1", NOON, [part(bob, 0, 2, 4), part(ann, 1, 1, 9, categories="MPS")], rated=True)
    assert changes == [(1500, 1490), (1500, 1510)]
    assert Rating.objects.get(user=ann).value == 1510
    assert Rating.objects.get(user=ann).games == 51
    row = ArchivedMatch.objects.get(user=ann)
    assert (row.match, row.ended_at, row.seats, row.seat, row.place, row.points) == ("m1", NOON, 2, 1, 1, 9)
    assert (row.names, row.scores, row.categories) == (["bob", "ann"], [4, 9], "MPS")
    assert (row.pool, row.before, row.after) == ("2", 1500, 1510)


def test_the_first_rated_match_makes_the_rating(ann, bob):
    assert archive("m1", NOON, [part(ann, 0, 1), part(bob, 1, 2)], rated=True) == [(1500, 1530), (1500, 1470)]
    assert list(Rating.objects.order_by("user").values_list("value", "games")) == [(1530, 1), (1470, 1)]


def test_two_and_three_players_are_rated_apart(ann, bob, dan):
    archive("m1", NOON, [part(ann, 0, 1), part(bob, 1, 2)], rated=True)
    changes = archive("m2", NOON, [part(dan, 0, 1), part(ann, 1, 2), part(bob, 2, 3)], rated=True)
    assert changes == [(1500, 1540), (1500, 1500), (1500, 1460)]
    assert Rating.objects.get(user=ann, pool="2").value == 1530
    assert Rating.objects.get(user=ann, pool="3-4").games == 1


def test_two_games_are_rated_and_counted_apart(ann, bob):
    for key, game in (("m1", "biblios"), ("m2", "biblios"), ("m3", "toy")):
        archive(key, NOON, [part(ann, 0, 1, categories="M"), part(bob, 1, 2)], rated=True, game=game)
    ratings = Rating.objects.filter(user=ann).order_by("game")
    assert [(rating.game, round(rating.value), rating.games) for rating in ratings] == [
        ("biblios", 1542, 2),
        ("toy", 1530, 1),
    ]
    careers = lines.careers(ann)
    assert [
        (game, careers[game, lines.PEOPLE].games, careers[game, lines.PEOPLE].categories)
        for game in ("biblios", "toy", "chess")
    ] == [
        ("biblios", 2, {"M": 2}),
        ("toy", 1, {"M": 1}),
        ("chess", 0, {}),
    ]
    assert [len(pairs) for pairs in explain("m3")] == [1, 1]
    assert sum(pair.change for pair in explain("m3")[0]) == 30
    call_command("rerate", "--check")


@pytest.mark.parametrize(("won", "wins"), [(True, 1), (False, 0)])
def test_a_game_alone_is_never_rated_and_counts_as_won_or_lost_as_the_game_says(ann, won, wins):
    alone = [Part(ann, 0, "ann", 1, won, 59)]
    assert archives.archive("m1", NOON, alone, game="toy", pool="1") == [None]
    assert not Rating.objects.exists()
    row = ArchivedMatch.objects.get()
    assert (row.place, row.won, row.pool) == (1, won, "")
    assert (lines.careers(ann)["toy", lines.ALONE].games, lines.careers(ann)["toy", lines.ALONE].won) == (1, wins)
    tallies.recount()
    assert Tally.objects.get().won == wins


def test_a_casual_match_is_archived_without_a_rating(ann, guest):
    assert archive("m1", NOON, [part(ann, 0, 1), part(guest, 1, 2)], rated=False) == [None, None]
    assert not Rating.objects.exists()
    row = ArchivedMatch.objects.get(user=guest)
    assert (row.pool, row.before, row.after) == ("", None, None)


def test_a_bot_leaves_no_row_but_its_name_and_points(ann):
    archive("m1", NOON, [part(None, 0, 1, 9), part(ann, 1, 2, 6)], rated=False)
    row = ArchivedMatch.objects.get()
    assert (row.user, row.names, row.scores) == (ann, ["Brother Ivo", "ann"], [9, 6])


@pytest.mark.parametrize("rival", ["bot", "guest"])
def test_against_bots_and_guests_nothing_is_rated(ann, guest, rival):
    seats = [part(ann, 0, 1), part(guest if rival == "guest" else None, 1, 2)]
    assert archive("m1", NOON, seats, rated=True) == [None, None]
    assert not Rating.objects.exists()


def test_whoever_left_is_rated_last_although_they_would_have_won(ann, bob, dan):
    settled(ann, bob, dan, pool="3-4")
    seats = [part(ann, 0, 3, 12, left="resign"), part(bob, 1, 1, 8), part(dan, 2, 2, 1)]
    before_after = archive("m1", NOON, seats, rated=True)
    assert [round(after - before, 2) for before, after in before_after] == [-13.33, 13.33, 0]
    assert ArchivedMatch.objects.get(user=ann).left == "resign"


def test_a_match_is_archived_once(ann, bob):
    seats = [part(ann, 0, 1), part(bob, 1, 2)]
    archive("m1", NOON, seats, rated=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        archive("m1", NOON, seats, rated=True)
    assert Rating.objects.get(user=ann).value == 1530
    assert Rating.objects.get(user=ann).games == 1


def test_two_matches_of_one_person_are_rated_one_after_the_other(ann, bob, dan):
    settled(ann, bob, dan)
    archive("m1", NOON, [part(ann, 0, 1), part(bob, 1, 2)], rated=True)
    ((before, after), _) = archive("m2", NOON, [part(ann, 0, 1), part(dan, 1, 2)], rated=True)
    assert before == 1510
    assert 1519 < after < 1520
    assert Rating.objects.get(user=ann).value == after


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite locks the whole file instead")
def test_ratings_are_locked_in_the_order_of_users(ann, bob):
    with CaptureQueriesContext(connection) as queries:
        archive("m1", NOON, [part(bob, 0, 1), part(ann, 1, 2)], rated=True)
    (lock,) = [query["sql"] for query in queries if "FOR UPDATE" in query["sql"]]
    assert "ORDER BY" in lock


def test_rows_are_written_after_the_ratings_are_locked(ann, bob):
    with CaptureQueriesContext(connection) as queries:
        archive("m1", NOON, [part(bob, 0, 1), part(ann, 1, 2)], rated=True)
    statements = [query["sql"] for query in queries]
    lock = next(i for i, sql in enumerate(statements) if sql.startswith("SELECT") and "accounts_rating" in sql)
    row = next(i for i, sql in enumerate(statements) if sql.startswith('INSERT INTO "accounts_archivedmatch"'))
    assert lock < row


@pytest.mark.django_db(transaction=True)
def test_matches_that_end_at_once_are_rated_one_after_the_other():
    people = [User.objects.create_user(f"monk{number}") for number in range(4)]
    ready = threading.Barrier(4)

    def sit(table):
        try:
            ready.wait()
            for number in range(6):
                order = people[table:] + people[:table]
                seats = [part(user, seat, seat + 1) for seat, user in enumerate(order[: 2 + number % 3])]
                archive(f"t{table}-{number}", NOON, seats, rated=True)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as tables:
        list(tables.map(sit, range(4)))
    assert ArchivedMatch.objects.count() == 4 * 2 * (2 + 3 + 4)
    call_command("rerate", "--check")


def test_the_change_is_explained_long_after(ann, bob, dan):
    archive("m1", NOON, [part(ann, 0, 1), part(bob, 1, 2), part(dan, 2, 3)], rated=True)
    second = archive("m2", NOON, [part(dan, 0, 1), part(bob, 1, 2), part(ann, 2, 3)], rated=True)
    settled(User.objects.create_user("eve"))
    archive("m3", NOON, [part(dan, 0, 2), part(bob, 1, 1)], rated=True)
    archive("m4", NOON, [part(dan, 0, 1), part(bob, 1, 2), part(ann, 2, 3)], rated=True)
    pairs = explain("m2")
    assert [before + sum(pair.change for pair in row) for (before, _), row in zip(second, pairs, strict=True)] == [
        after for _, after in second
    ]
    assert [pair.opponent for pair in pairs[0]] == [1, 2]
    assert explain("nothing") == []


def season(matches=200):
    """Random matches of eight people, some casual, some with a bot, some with leavers."""
    chance = random.Random(11)
    people = [User.objects.create_user(f"monk{number}") for number in range(8)]
    for number in range(matches):
        # Some people meet several times a day.
        seats = chance.sample(people, chance.randint(2, 4))
        if chance.random() < 0.1:
            seats[0] = None
        parts = [
            part(
                user,
                seat,
                chance.randint(1, len(seats)),
                chance.randint(0, 15),
                left=chance.choice(["time", "resign"]) if user and chance.random() < 0.1 else "",
                soon=chance.random() < 0.1,
            )
            for seat, user in enumerate(seats)
        ]
        archive(f"m{number}", NOON + timedelta(minutes=number), parts, rated=chance.random() < 0.8)


def everything():
    return (
        list(
            Rating.objects.order_by("user", "pool").values_list(
                "user", "pool", "value", "games", "best", "opponents", "ranked"
            )
        ),
        list(ArchivedMatch.objects.order_by("id").values_list("match", "seat", "before", "after", "games")),
    )


def test_all_ratings_follow_from_the_archive_again_to_the_last_bit(capsys):
    season()
    truth = everything()
    call_command("rerate", "--check")
    assert "no difference" in capsys.readouterr().out
    call_command("rerate")
    assert "corrected: 0 rows, 0 ratings" in capsys.readouterr().out
    assert everything() == truth
    Rating.objects.all().delete()
    ArchivedMatch.objects.exclude(pool="").update(before=0, after=0, games=0)
    call_command("rerate")
    assert everything() == truth


def test_a_check_names_the_one_row_that_was_changed():
    season(40)
    row = ArchivedMatch.objects.exclude(pool="").order_by("id")[25]
    wrong = row.after + 1e-9
    ArchivedMatch.objects.filter(pk=row.pk).update(after=wrong)
    with pytest.raises(CommandError, match=f"^match {row.match}, {row.user}: the archive says") as refusal:
        call_command("rerate", "--check")
    assert refusal.value.returncode == 1
    row.refresh_from_db()
    assert row.after == wrong


def test_a_check_finds_a_changed_place_and_a_changed_rating():
    season(40)
    rating = Rating.objects.filter(pool="2").first()
    Rating.objects.filter(pk=rating.pk).update(games=rating.games + 1)
    with pytest.raises(CommandError, match=f"^{rating.user}, biblios, pool 2: the rating is"):
        call_command("rerate", "--check")
    Rating.objects.filter(pk=rating.pk).update(games=rating.games)
    row = ArchivedMatch.objects.filter(pool="2", place=1).first()
    ArchivedMatch.objects.filter(pk=row.pk).update(place=2)
    with pytest.raises(CommandError, match=f"^match {row.match}"):
        call_command("rerate", "--check")


def test_a_check_finds_a_missing_row():
    season(40)
    row = ArchivedMatch.objects.exclude(pool="").order_by("-id").first()
    row.delete()
    with pytest.raises(CommandError, match=f"^match {row.match}: {row.seats - 1} of {row.seats} rows"):
        call_command("rerate", "--check")


def test_a_rating_without_a_game_goes_back_to_the_start(ann):
    settled(ann, value=1999)
    with pytest.raises(CommandError, match=r"^ann, biblios, pool 2"):
        call_command("rerate", "--check")
    call_command("rerate")
    rating = Rating.objects.get()
    assert (rating.value, rating.games) == (1500, 0)


def test_tallies_and_the_best_rating_are_checked_and_counted_again(ann, bob):
    archive("m1", NOON, [part(ann, 0, 1), part(bob, 1, 2)], rated=True)
    Rating.objects.filter(user=ann).update(best=3000)
    with pytest.raises(CommandError, match=r"ann, biblios, pool 2: the best rating is 3000\.0, it should be 1530\.0"):
        call_command("rerate", "--check")
    Tally.objects.filter(user=bob).update(won=5)
    with pytest.raises(CommandError, match=f"user {bob.pk}: the tallies do not follow from the archive"):
        call_command("rerate", "--check")
    call_command("rerate")
    call_command("rerate", "--check")


# A rating is earned


def test_from_somebody_who_left_while_the_game_had_hardly_begun_nobody_gains_though_they_lose(ann, bob):
    settled(ann, bob)
    assert archive("m1", NOON, [part(ann, 0, 1), part(bob, 1, 2, left="resign", soon=True)], rated=True) == [
        (1500, 1500),
        (1500, 1490),
    ]
    assert list(Rating.objects.order_by("user").values_list("games", flat=True)) == [50, 51]
    assert list(ArchivedMatch.objects.order_by("seat").values_list("soon", "games")) == [(False, 50), (True, 50)]


def test_the_others_at_such_a_table_are_compared_as_ever(ann, bob, dan):
    settled(ann, bob, dan, pool="3-4")
    seats = [part(ann, 0, 1), part(bob, 1, 2), part(dan, 2, 3, left="time", soon=True)]
    changes = archive("m1", NOON, seats, rated=True)
    assert [round(after - before, 2) for before, after in changes] == [6.67, -6.67, -13.33]


def test_of_two_who_left_so_the_first_loses_and_the_last_gains_nothing(ann, bob):
    settled(ann, bob)
    seats = [part(ann, 0, 1, left="resign", soon=True), part(bob, 1, 2, left="resign", soon=True)]
    assert archive("m1", NOON, seats, rated=True) == [(1500, 1500), (1500, 1490)]


def test_a_pair_counts_less_and_less_on_a_day_and_anew_on_the_next(ann, bob):
    settled(ann, bob)
    moves = []
    for number in range(5):
        ((before, after), _) = archive(f"m{number}", NOON, [part(ann, 0, 1), part(bob, 1, 2)], rated=True)
        moves.append(after - before)
    assert [round(move, 2) for move in moves] == [10, 4.71, 2.29, 0, 0]
    assert Rating.objects.get(user=ann).games == 53
    midnight = NOON.replace(hour=0) + timedelta(days=1)
    ((before, after), _) = archive("m8", midnight, [part(bob, 0, 1), part(ann, 1, 2)], rated=True)
    assert after - before > 10
    assert [[pair.repeated for pair in row] for row in explain("m3")] == [[3], [3]]
    assert [[pair.repeated for pair in row] for row in explain("m8")] == [[0], [0]]


def test_the_others_of_a_table_do_not_make_two_strangers_old_acquaintances(ann, bob, dan):
    archive("m1", NOON, [part(ann, 0, 1), part(bob, 1, 2), part(dan, 2, 3)], rated=True)
    archive("m2", NOON, [part(ann, 0, 1), part(bob, 1, 2)], rated=True)
    eve = User.objects.create_user("eve")
    archive("m3", NOON, [part(eve, 0, 1), part(bob, 1, 2), part(ann, 2, 3)], rated=True)
    assert [[pair.repeated for pair in row] for row in explain("m3")] == [[0, 0], [0, 1], [0, 1]]
    assert [[pair.repeated for pair in row] for row in explain("m2")] == [[0], [0]]  # another pool


def test_a_rank_takes_ten_games_that_counted_and_five_settled_opponents(ann):
    rivals = [User.objects.create_user(f"monk{number}") for number in range(6)]
    fresh = [User.objects.create_user(f"novice{number}") for number in range(6)]
    settled(*rivals)

    def rank():
        return Rating.objects.get(user=ann).ranked

    for number, rival in enumerate([*fresh, *rivals[:4]]):
        archive(f"m{number}", NOON, [part(ann, 0, 1), part(rival, 1, 2)], rated=True)
    assert Rating.objects.get(user=ann).games == 10
    for number in range(3):
        archive(f"r{number}", NOON, [part(ann, 0, 1), part(rivals[0], 1, 2)], rated=True)
    assert not rank()
    archive("early", NOON, [part(ann, 0, 1), part(rivals[4], 1, 2, left="time", soon=True)], rated=True)
    assert not rank()
    archive("last", NOON + timedelta(days=1), [part(ann, 0, 2), part(rivals[4], 1, 1)], rated=True)
    assert rank()
    assert Rating.objects.get(user=ann).opponents == [rival.pk for rival in rivals[:5]]


@pytest.mark.parametrize(("column", "value"), [("soon", True), ("games", 7), ("ended_at", NOON + timedelta(days=1))])
def test_a_check_finds_what_would_have_counted_otherwise(ann, bob, column, value):
    for number in range(2):
        archive(f"m{number}", NOON, [part(ann, 0, 1), part(bob, 1, 2)], rated=True)
    ArchivedMatch.objects.filter(user=bob, match="m0").update(**{column: value})
    ArchivedMatch.objects.filter(user=ann, match="m0").update(**({column: value} if column == "ended_at" else {}))
    with pytest.raises(CommandError, match=r"^match m[01], "):
        call_command("rerate", "--check")


def test_a_check_finds_a_rank_that_was_not_earned(ann, bob):
    archive("m1", NOON, [part(ann, 0, 1), part(bob, 1, 2)], rated=True)
    Rating.objects.filter(user=ann).update(ranked=True)
    with pytest.raises(CommandError, match=r"^ann, biblios, pool 2: the opponents are \[\] \(ranked: True\)"):
        call_command("rerate", "--check")
