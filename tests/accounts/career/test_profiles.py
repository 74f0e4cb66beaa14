import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.career import lines, tallies, views
from accounts.career.archive import Part, archive
from accounts.career.titles import TITLES, Title
from accounts.database import keyset
from accounts.models import ArchivedMatch, Rating, User
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.twice]


def play(key, *people, days=1, rated=True, points=(9, 6, 1, 0), at=None, game="biblios", pool="", ended="", soon=False):
    """A match that ended some days ago, with these people in the order of their places; a text is a bot's name."""
    seats = [
        Part(
            None if isinstance(who, str) else who,
            seat,
            who if isinstance(who, str) else who.username,
            seat + 1,
            seat == 0,
            points[seat],
            "MPS" if seat == 0 else "HF",
            ended=ended,
            soon=soon and seat > 0,
        )
        for seat, who in enumerate(people)
    ]
    pool = pool or ("2" if len(people) == 2 else "3-4")
    archive(key, at or timezone.now() - timedelta(days=days), seats, game=game, pool=pool if rated else "")


def keys(response):
    return re.findall(r'href="/m/(\w+)"', response.content.decode())


# Profiles


def test_a_profile_tells_what_the_games_came_to(client, ann, bob, dan):
    play("m1", ann, bob, days=2)
    play("m2", bob, ann)
    play("m3", ann, bob, dan)
    play("m4", ann, "Brother Ivo")
    page = text(client.get("/@/ann"))
    assert "Rating, 2 players 1495? Rating" in page
    assert "Rating, 3 and 4 players 1540? Games" in page
    assert "Games 3 + 1 with bots" in page
    assert "Won 67%" in page
    assert "Points a game 8.0" in page
    assert "2 players 50% of 2 games" in page
    assert "3 players 100% of 1 game" in page
    assert "4 players –" in page


def test_points_and_dice_of_a_game_that_ended_early_do_not_count(client, ann, bob):
    play("m1", ann, bob, points=(3, 0), ended="resignation")
    assert "Games 1 Won 100% " in text(client.get("/@/ann")) and "Points a game –" in text(client.get("/@/ann"))
    play("m2", bob, ann)
    page = text(client.get("/@/ann"))
    assert "Games 2" in page and "Points a game 6.0" in page
    career = lines.careers(ann)["biblios", lines.PEOPLE]
    assert (career.games, career.whole, career.categories) == (2, 1, {"H": 1, "F": 1})
    assert tallies.wrong() is None


def test_after_ten_games_the_question_mark_goes(client, ann, bob):
    Rating.objects.create(user=ann, game="biblios", pool="2", value=1661, games=9)
    assert "1661?" in text(client.get("/@/ann"))
    play("m1", ann, bob)
    assert re.search(r"Rating, 2 players \d{4} best", text(client.get("/@/ann")))


def test_a_rating_stands_there_from_the_first_rated_game_on_as_its_result_said(client, ann, bob):
    play("m1", ann, bob, ended="time", soon=True)
    assert "Rating, 2 players 1500? Rating" in text(client.get("/@/ann"))
    assert "Rating, 2 players 1470? Rating" in text(client.get("/@/bob"))


@pytest.fixture
def toy(monkeypatch):
    """A second title, rated together for any number of players."""
    monkeypatch.setitem(TITLES, "toy", Title("toy", "Sealed bids", range(1, 4), pools={"all": "all tables"}))


def test_a_person_who_plays_two_games_has_a_profile_of_each(client, ann, bob, toy):
    play("m1", ann, bob, days=2)
    play("m2", ann, bob)
    play("m3", bob, ann, game="toy", pool="all")
    page = text(client.get("/@/ann"))
    assert "Rating, 2 players 1555? Rating" in page
    assert "Games 2" in page
    assert "all tables" not in page
    page = text(client.get("/@/ann?game=toy"))
    assert "Rating, all tables 1470? Games" in page
    assert "Games 1" in page
    assert "Won 0%" in page
    assert "Categories won" not in page
    assert "Rating, 2 players" not in page
    assert keys(client.get("/@/ann?game=toy")) == ["m3", "m2", "m1"]


def test_each_game_has_leaders_of_its_own(client, ann, bob, toy):
    play("m1", ann, bob)
    play("m2", bob, ann, game="toy", pool="all")
    for query, order in (("", ["ann", "bob"]), ("?game=toy", ["bob", "ann"])):
        assert re.findall(r'href="/@/(\w+)"', client.get(f"/leaders{query}").content.decode()) == order
    for query in ("game=toy&pool=2", "game=chess", "pool=all"):
        assert client.get(f"/leaders?{query}").status_code == 404


def test_the_archive_can_be_filtered_by_game(client, ann, bob, toy):
    play("m1", ann, bob)
    play("m2", bob, ann, game="toy", pool="all")
    page = client.get("/@/ann/games")
    assert keys(page) == ["m2", "m1"]
    assert "Sealed bids" in text(page)
    assert keys(client.get("/@/ann/games?game=toy")) == ["m2"]
    assert client.get("/@/ann/games?game=chess").status_code == 422


def test_with_one_game_there_is_none_to_choose(client, ann, bob):
    play("m1", ann, bob)
    for path in ("/@/ann", "/@/ann/games", "/leaders"):
        assert "Biblios" not in text(client.get(path)).split("Leaders")[-1].split("Rules")[0]


def test_a_game_lost_alone_is_said_to_be_lost(client, ann, toy):
    archive("m1", timezone.now(), [Part(ann, 0, "ann", 1, False, 12)], game="toy", pool="")
    assert "Lost" in text(client.get("/@/ann"))
    assert keys(client.get("/@/ann/games?result=won")) == []
    assert keys(client.get("/@/ann/games?result=lost&players=1")) == ["m1"]


def test_categories_won_are_shares_of_all_games(client, ann, bob):
    play("m1", ann, bob)
    play("m2", bob, ann)
    play("m3", ann, bob)
    page = text(client.get("/@/ann"))
    assert "Monks 67%" in page
    assert "Holy Books 33%" in page
    assert "Even play would win 50%" in page


def test_the_latest_games_lead_to_their_reviews_and_rivals(client, ann, bob):
    for number in range(views.LATEST + 3):
        play(f"m{number}", ann, bob, days=20 - number)
    response = client.get("/@/ann")
    assert keys(response) == [f"m{number}" for number in range(12, 2, -1)]
    assert 'href="/@/bob"' in response.content.decode()


def test_bots_and_guests_and_closed_accounts_have_no_link(client, ann, bob):
    guest = User.objects.create_user("guest-7", guest=True)
    play("m1", ann, guest, "Brother Ivo")
    play("m2", ann, bob)
    User.objects.filter(pk=bob.pk).update(username="closed-2", folded="closed-2", closed=True)
    response = client.get("/@/ann")
    assert "guest-7, Brother Ivo" in text(response)
    assert "closed-2" in text(response)
    assert 'href="/@/guest' not in response.content.decode()
    assert 'href="/@/closed' not in response.content.decode()


def test_a_name_is_found_in_whatever_case(client, ann):
    assert client.get("/@/ANN").status_code == 200


@pytest.mark.parametrize("path", ["", "/games"])
def test_nobody_and_guests_have_no_pages(client, path):
    User.objects.create_user("guest-7", guest=True)
    assert client.get(f"/@/nobody{path}").status_code == 404
    assert client.get(f"/@/guest-7{path}").status_code == 404
    assert client.get(f"/@/%00{path}").status_code == 404


@pytest.mark.parametrize("path", ["", "/games"])
def test_a_closed_account_says_so_and_nothing_else(client, ann, bob, path):
    play("m1", ann, bob)
    User.objects.filter(pk=bob.pk).update(username="closed-2", folded="closed-2", closed=True)
    response = client.get(f"/@/closed-2{path}")
    assert response.status_code == 410
    assert "This account is closed." in text(response)
    assert keys(response) == []


def test_somebody_without_games_has_a_profile(client, ann):
    page = text(client.get("/@/ann"))
    assert "No finished games yet." in page
    assert "No rated games in this pool in this period." in page


def test_a_stranger_sees_the_same_facts_as_the_players(client, ann, bob, dan):
    play("m1", ann, bob, days=80)
    for path in ("/@/ann", "/@/ann/games"):
        seen = []
        for user in (None, ann, bob, dan):
            client.logout()
            if user:
                client.force_login(user)
            main = client.get(path).content.decode().split('<main id="main"')[1].split("</main>")[0]
            main = re.sub(r'<div class="end">.*?</div>', "", main, count="profile-head" in main, flags=re.S)
            seen.append(re.sub(r'<section [^>]*"together">.*?</section>', "", main, flags=re.S))
        assert len({re.sub(r"\s+", "", page) for page in seen}) == 1


def test_one_reports_and_blocks_others_but_not_oneself(client, ann, bob):
    assert "/@/bob/report" not in client.get("/@/bob").content.decode()
    client.force_login(ann)
    assert 'href="/@/bob/report"' in client.get("/@/bob").content.decode()
    assert 'action="/@/bob/block"' in client.get("/@/bob").content.decode()
    assert "/report" not in client.get("/@/ann").content.decode()
    assert "Unblock" not in text(client.get("/@/bob"))
    ann.blocks.create(blocked=bob)
    assert "Unblock" in text(client.get("/@/bob"))


# The chart


def test_the_chart_tells_in_words_what_it_shows(client, ann, bob):
    play("m1", ann, bob, days=100)
    play("m2", bob, ann, days=50)
    play("m3", ann, bob, days=10)
    page = client.get("/@/ann?span=all").content.decode()
    label = re.search(r'aria-label="(Rating from [^"]+)"', page).group(1)
    assert re.search(r": from 1500 to 15\d\d, best 15\d\d$", label)
    assert page.count("<polyline") == 1


def test_the_chart_of_a_month_begins_with_the_rating_of_then(client, ann, bob):
    play("m1", ann, bob, days=100)
    play("m2", ann, bob, days=10)
    assert ": from 1530 to" in client.get("/@/ann?span=month").content.decode()
    assert ": from 1500 to" in client.get("/@/ann?span=half").content.decode()


def test_the_best_may_be_where_the_chart_begins(client, ann, bob):
    play("m1", ann, bob, days=100)
    play("m2", bob, ann, days=10)
    assert re.search("from 1530 to 1495, best 1530", client.get("/@/ann?span=month").content.decode())


def test_each_pool_has_its_chart(client, ann, bob, dan):
    play("m1", ann, bob, days=80)
    play("m2", dan, bob, ann)
    assert "from 1500 to 1460, best 1500" in client.get("/@/ann?pool=3-4").content.decode()
    assert "from 1500 to 1530, best 1530" in client.get("/@/ann?pool=2").content.decode()


def test_the_chart_stays_small_and_keeps_the_best(ann):
    end = timezone.now()
    row = {
        "game": "biblios",
        "seats": 2,
        "seat": 0,
        "place": 1,
        "won": True,
        "points": 9,
        "names": [],
        "scores": [],
        "pool": "2",
    }
    values = [1500 + number % 37 for number in range(1500)]
    values[1234] = 1700
    ArchivedMatch.objects.bulk_create(
        ArchivedMatch(
            user=ann, match=f"m{n}", ended_at=end - timedelta(minutes=5000 - n), before=1500, after=value, **row
        )
        for n, value in enumerate(values)
    )
    for days in (None, 30):
        drawn = views.rating_chart(ann, "biblios", "2", days)
        assert len(drawn.lines[0].split()) < 310
        assert ",".join(drawn.best) in drawn.lines[0]
        assert (drawn.first, drawn.top, drawn.final) == (1500, 1700, values[-1])


def test_each_chart_begins_with_the_rating_of_that_time(ann, bob):
    play("m1", ann, bob, days=40)
    play("m2", ann, bob, days=20)
    month, ever = (views.rating_chart(ann, "biblios", "2", days) for days in (30, None))
    assert (round(month.first), round(ever.first)) == (1530, 1500)
    assert month.final == ever.final == month.top


@pytest.mark.parametrize("days", [0, 0.2, 1, 9, 30, 69, 70, 182, 399, 400, 900, 4000])
def test_labels_of_time_never_touch(days):
    end = datetime(2026, 11, 21, 20, tzinfo=UTC)
    start = end - timedelta(days=days)
    drawn = views.charts.rating_chart(start, end, 1500, [(start, 1500.0)])
    places = [float(x) for x, _ in drawn.dates]
    assert all(later - sooner >= views.charts.GAP for sooner, later in pairwise(places))
    assert len(drawn.dates) > 0 or days < 2
    assert all(44 <= x <= 626 for x in places)


@pytest.mark.parametrize("values", [(1500, 1500), (1499.6, 1500.4), (1462, 1611), (800, 2900)])
def test_levels_enclose_the_line(values):
    start = datetime(2026, 1, 1, tzinfo=UTC)
    drawn = views.charts.rating_chart(
        start, start + timedelta(days=9), values[0], [(start + timedelta(days=3), values[1])]
    )
    assert 2 <= len(drawn.levels) <= 6
    assert drawn.levels[0][2] <= min(values) <= max(values) <= drawn.levels[-1][2]
    assert all(35 <= float(pair.split(",")[1]) <= 164 for pair in drawn.lines[0].split())


# The archive


def test_the_archive_is_read_from_page_to_page_without_gaps_or_doubles(client, ann, bob, dan, monkeypatch):
    monkeypatch.setattr(views, "PAGE", 4)
    same = timezone.now() - timedelta(days=9)
    for number in range(15):
        # Some matches end in the same instant.
        play(f"m{number}", ann, bob, at=same + timedelta(hours=number // 5))
        play(f"x{number}", dan, bob)
    found, path, pages = [], "/@/ann/games", []
    while path:
        response = client.get(path)
        pages.append(keys(response))
        found += pages[-1]
        older = re.search(r'rel="next" href="(\?[^"]+)"', response.content.decode())
        path = older and "/@/ann/games" + older.group(1).replace("&amp;", "&")
    assert found == [f"m{number}" for number in range(14, -1, -1)]
    back = []
    while True:
        newer = re.search(r'rel="prev" href="(\?[^"]+)"', response.content.decode())
        if not newer:
            break
        response = client.get("/@/ann/games" + newer.group(1).replace("&amp;", "&"))
        back.insert(0, keys(response))
    assert back == pages[:-1]


def test_a_game_that_ends_meanwhile_moves_no_page(client, ann, bob, monkeypatch):
    monkeypatch.setattr(views, "PAGE", 2)
    for number in range(4):
        play(f"m{number}", ann, bob, days=9 - number)
    older = re.search(r'rel="next" href="(\?[^"]+)"', client.get("/@/ann/games").content.decode()).group(1)
    play("new", ann, bob, days=0)
    assert keys(client.get("/@/ann/games" + older)) == ["m1", "m0"]


@pytest.fixture
def games(ann, bob, dan):
    play("m1", ann, bob, at=datetime(2026, 3, 1, 12, tzinfo=UTC))
    play("m2", bob, ann, at=datetime(2026, 3, 2, 23, 59, tzinfo=UTC))
    play("m3", dan, ann, bob, at=datetime(2026, 3, 3, tzinfo=UTC))
    play("m4", ann, dan, rated=False, at=datetime(2026, 3, 4, tzinfo=UTC))
    play("m5", ann, "Ivo", "Oda", "Beda", at=datetime(2026, 3, 5, tzinfo=UTC))


@pytest.mark.parametrize(
    ("query", "expect"),
    [
        ("", ["m5", "m4", "m3", "m2", "m1"]),
        ("opponent=dan", ["m4", "m3"]),
        ("opponent=BOB&players=2", ["m2", "m1"]),
        ("result=won", ["m5", "m4", "m1"]),
        ("result=lost", ["m3", "m2"]),
        ("players=4", ["m5"]),
        ("rated=yes", ["m3", "m2", "m1"]),
        ("rated=no", ["m5", "m4"]),
        ("since=2026-03-02&until=2026-03-03", ["m3", "m2"]),
        ("until=2026-03-02", ["m2", "m1"]),
        ("since=2026-03-06", []),
        ("since=0001-01-01&until=9999-12-31", ["m5", "m4", "m3", "m2", "m1"]),
        ("opponent=&since=&until=&players=&result=&rated=", ["m5", "m4", "m3", "m2", "m1"]),
    ],
)
def test_filters(client, games, query, expect):
    response = client.get(f"/@/ann/games?{query}")
    assert response.status_code == 200
    assert keys(response) == expect


def test_filters_stay_from_page_to_page(client, games, monkeypatch):
    monkeypatch.setattr(views, "PAGE", 2)
    first = client.get("/@/ann/games?rated=yes&opponent=bob")
    assert keys(first) == ["m3", "m2"]
    older = re.search(r'rel="next" href="(\?[^"]+)"', first.content.decode()).group(1).replace("&amp;", "&")
    assert keys(client.get("/@/ann/games" + older)) == ["m1"]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("opponent=nobody", "No player is called “nobody”."),
        ("opponent=guest-7", "No player is called “guest-7”."),
        ("since=yesterday", "“yesterday” isn’t a date."),
        ("until=2026-02-30", "“2026-02-30” isn’t a date."),
        ("since=2026-03-02&until=2026-03-01", "This is before the first date."),
        ("players=7", "7 is not one of the available choices"),
        ("opponent=a%00b", "Null characters are not allowed."),
    ],
)
def test_a_wrong_filter_is_kept_and_told_beside_its_field(client, games, query, says):
    User.objects.create_user("guest-7", guest=True)
    response = client.get(f"/@/ann/games?{query}&result=won")
    assert response.status_code == 422
    name, typed = query.split("&")[-1].split("=")
    field = re.search(rf'<label for="filter-{name}">.*?</div>', response.content.decode(), re.S).group()
    assert says in field.replace("&#x27;", "'")
    assert f'aria-describedby="filter-{name}_error"' in field
    if name not in ("players", "opponent") or "%" not in typed:
        assert name == "players" or f'value="{typed}"' in field
    assert '<option value="won" selected>' in response.content.decode()
    assert keys(response) == []


@pytest.mark.parametrize("cursor", ["x", "1-", "-1", "1-2-3", "99999999999999999999-1", "1-9999999999999999999", "١-١"])
def test_a_page_that_cannot_be_is_not_found(client, ann, cursor):
    assert client.get("/@/ann/games", {"older": cursor}).status_code == 404
    assert client.get("/@/ann/games", {"newer": cursor}).status_code == 404


def test_after_the_last_page_a_link_leads_back(client, ann, bob):
    play("m1", ann, bob, days=80)
    response = client.get("/@/ann/games?older=1-1&result=won")
    assert "No more games." in text(response)
    assert 'href="?result=won"' in response.content.decode()


@pytest.mark.parametrize("path", ["/@/ann", "/@/ann/games", "/@/ann/games?opponent=bob&result=won", "/leaders"])
def test_the_number_of_queries_does_not_grow(client, ann, bob, dan, path, django_assert_num_queries):
    client.force_login(dan)
    play("m0", ann, bob)
    client.get(path)  # the first page of a session writes that somebody is there
    with CaptureQueriesContext(connection) as few:
        client.get(path)
    for number in range(1, 31):
        play(f"m{number}", ann, bob, User.objects.create_user(f"monk{number}"))
    with django_assert_num_queries(len(few)):
        client.get(path)
    assert len(few) <= 19


def test_a_page_of_the_archive_reads_its_index(ann, bob):
    play("m1", ann, bob, days=80)
    row = ArchivedMatch.objects.get(user=ann)
    rows = ArchivedMatch.objects.filter(user=ann)
    with CaptureQueriesContext(connection) as queries:
        keyset.page(rows, 10, "ended_at", "id", older=keyset.cursor(row, "ended_at", "id"))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # It would rather read the whole of a small table.
            cursor.execute(
                "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off"
            )
            cursor.execute("EXPLAIN " + queries[0]["sql"])
        else:
            cursor.execute("EXPLAIN QUERY PLAN " + queries[0]["sql"])
        plan = " ".join(step[-1] for step in cursor.fetchall())
    assert "accounts_archive_page" in plan
    assert "TEMP B-TREE" not in plan
    assert "Sort" not in plan


# The leader board


def rated(name, value, games=50, pool="2", **rest):
    user = User.objects.create_user(name, **rest)
    return Rating.objects.create(user=user, game="biblios", pool=pool, value=value, games=games, ranked=games >= 10)


def listed(response):
    return re.findall(r'<bdi class="name">(\w+)</bdi>', response.content.decode().split('<main id="main"')[1])


def test_leaders_stand_in_the_order_of_their_ratings(client):
    rated("low", 1400)
    rated("high", 1700)
    rated("middle", 1500.5)
    rated("other", 1900, pool="3-4")
    assert listed(client.get("/leaders")) == ["high", "middle", "low"]
    assert listed(client.get("/leaders?pool=3-4")) == ["other"]
    assert client.get("/leaders?pool=5").status_code == 404


def test_few_games_give_no_rank(client):
    rated("settled", 1400, games=10)
    rated("new", 1900, games=9)
    rated("none", 1500, games=0)
    response = client.get("/leaders")
    assert listed(response) == ["settled", "new"]
    assert "1900?" in text(response)
    assert "Not ranked yet fewer than 10 games or 5 opponents" in text(response)


def test_closed_and_barred_accounts_lead_nothing(client):
    rated("gone", 1800, closed=True)
    rated("barred", 1800, is_active=False)
    assert listed(client.get("/leaders")) == []
    assert "No one has played a rated game in this pool yet." in text(client.get("/leaders"))


def test_a_hundred_are_shown(client):
    for number in range(103):
        rated(f"monk{number}", 1500 + number)
    assert len(listed(client.get("/leaders"))) == 100
    assert listed(client.get("/leaders"))[0] == "monk102"


def test_my_own_row_is_marked(client):
    mine = rated("ann", 1500)
    rated("bob", 1600)
    assert "you" not in text(client.get("/leaders")).split("Leaders")[-1].split("Everyone")[0]
    client.force_login(mine.user)
    page = client.get("/leaders").content.decode()
    assert page.count("own-row") == 1
    assert re.search(r'own-row" value="2">.{0,250}<bdi class="name">ann</bdi>', page, re.S)


def test_i_see_my_rank_also_below_the_first_hundred(client):
    for number in range(103):
        rated(f"monk{number}", 1500 + number)
    client.force_login(rated("ann", 1400).user)
    page = client.get("/leaders")
    assert listed(page)[-2:] == ["monk3", "ann"]
    assert "104Aann you1400 50 games" in text(page)
