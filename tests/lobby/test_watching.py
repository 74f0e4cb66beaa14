import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games.engine.biblios.cards import CATEGORIES
from games.lobby import watching
from games.matches.clocks import USUAL
from games.matches.history import replay
from games.matches.models import Match
from tests.matches.matches import played, seated
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def page(client, address="/watch"):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def dice_moved(state):
    return set(state.view(None).dice) != {3}


def test_a_running_table_is_listed_with_its_players_and_dice(client):
    match = played(seated("ann", "bob", "dan"), until=dice_moved)
    names = {"M": "Monks", "P": "Pigments", "H": "Holy Books", "S": "Manuscripts", "F": "Forbidden Tomes"}
    dice = replay(match).state(match.ply).view(None).dice
    for address in ("/watch", "/"):
        html = page(client, address)
        assert f'href="/m/{match.key}"' in html
        assert all(f"<bdi>{name}</bdi>" in html for name in ("ann", "bob", "dan"))
        table = html[html.index('<ul class="boards">') :]
        shown = re.findall(r'class="die"[^>]*aria-label="([\w ]+) die: (\d)"', table)[:5]
        assert shown == [(names[code], str(value)) for code, value in zip(CATEGORIES, dice, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "hidden",
    [{"listed": False, "watch": Match.Watch.LINK}, {"watch": Match.Watch.NOBODY}, {"guided": True}],
    ids=["by link", "unwatched", "guided"],
)
def test_tables_that_are_not_public_are_not_listed_neither_running_nor_finished(client, hidden):
    match = seated("ann", "bob", **hidden)
    assert match.key not in page(client) + page(client, "/")
    played(match)
    assert match.key not in page(client) + page(client, "/")


def test_a_table_by_link_that_anybody_may_watch_is_listed(client):
    match = seated("ann", "bob", listed=False)
    assert f'href="/m/{match.key}"' in page(client)


def test_there_is_always_something_to_see(client):
    html = page(client)
    assert html.count('action="/play/guided"') == 3 and "Recently finished" not in html
    played(seated("ann", "bob"))
    html = page(client)
    assert "No one is playing in public right now." in html and "Review" in html and "mini-dice" in html


def test_open_and_aborted_tables_are_not_listed(client):
    for status in ("open", "aborted", "closed"):
        match = seated("ann", "bob")
        Match.objects.filter(pk=match.pk).update(status=status)
    assert "/m/" not in page(client)


def test_a_finished_game_is_listed_with_points_and_winner(client):
    match = played(seated("ann", "bob"))
    html = page(client)
    last = html[html.index('id="last"') :]
    assert f'href="/m/{match.key}"' in last
    for points in match.result["points"]:
        assert f'<span class="number">{points}</span>' in last
    assert last.count(">won</span>") == match.result["places"].count(1)


@pytest.mark.slow
def test_the_list_grows_without_more_questions_to_the_database(client, django_assert_max_num_queries):
    for _ in range(2):
        seated("ann", "bob")
        played(seated("ann", "bob"))
    with django_assert_max_num_queries(12):
        page(client)
    for _ in range(2):
        seated("ann", "bob", bots=1)
        played(seated("ann", "bob"))
    with django_assert_max_num_queries(12):
        assert page(client).count('class="mini-dice"') == 8


def test_the_home_page_shows_three_tables_and_greets_those_who_are_signed_in(client):
    for _ in range(4):
        seated("ann", "bob")
    html = page(client, "/")
    assert html.count('class="mini-dice"') == 3
    assert "Create your account" in html and "Your games" not in html
    client.force_login(person("ann"))
    html = page(client, "/")
    assert "Create your account" not in html and "Your games" in html
    assert 'action="/play/bots"' in html


def test_pages_of_guests_and_bots_are_not_linked(client):
    seated("ann", bots=1)
    person("guest-1", guest=True)
    seated("guest-1", bots=1)
    links = set(re.findall(r'href="/@/([^"]+)"', page(client)))
    assert links == {"ann"}


def test_a_table_at_which_nobody_moves_is_not_listed_for_long():
    quiet, daily = seated("ann", "bob"), seated("ann", "bob", pace="daily", days=3)
    Match.objects.update(asked_at=timezone.now() - timedelta(hours=1))
    assert [table.address for table in watching.running(9)] == [daily.get_absolute_url()]
    Match.objects.filter(pk=quiet.pk).update(asked_at=timezone.now())
    assert {table.address for table in watching.running(9)} == {quiet.get_absolute_url(), daily.get_absolute_url()}


def listed(client, query):
    return set(re.findall(r'href="/m/(\w+)"', page(client, f"/watch{query}")))


def test_the_list_shows_what_the_filters_ask_for_running_or_finished(client):
    live = {"clock": USUAL}
    two = seated("ann", "bob", rated=True, **live).key
    three = seated("ann", "bob", "dan", pace="daily", days=3).key
    over = played(seated("ann", "eve", "dan")).key
    assert listed(client, "") == listed(client, "?players=5&type=x&pace=none&other=1") == {two, three, over}
    assert listed(client, "?players=2") == listed(client, "?type=rated") == listed(client, "?pace=live") == {two}
    assert listed(client, "?players=3") == listed(client, "?type=casual") == {three, over}
    assert listed(client, "?players=3&pace=daily") == {three}
    assert listed(client, "?players=4") == set()
    assert "No matching games." in page(client, "/watch?players=4")


def test_a_filter_keeps_what_the_others_have_chosen(client):
    html = page(client, "/watch?players=3&type=rated")
    links = re.findall(r'href="(\?[^"]*)"( aria-current="true")?', html)
    assert ("?type=rated&amp;players=2", "") in links
    assert ("?type=rated", "") in links and ("?players=3", "") in links
    assert sum(bool(current) for _, current in links) == 4


def here(client, address):
    return re.findall(r'href="([^"]+)"\s+aria-current="page"', page(client, address))


def test_a_table_belongs_to_play_for_its_players_and_to_watch_for_everybody_else(client):
    match = seated("ann", "bob")
    assert set(here(client, match.get_absolute_url())) == set(here(client, f"/m/{match.key}/0")) == {"/watch"}
    client.force_login(person("cho"), backend="django.contrib.auth.backends.ModelBackend")
    assert set(here(client, match.get_absolute_url())) == {"/watch"}
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    assert set(here(client, match.get_absolute_url())) == {"/play"}
