"""What the events of a ladder tell: every kind as a sentence, why a player stands where he does, the seasons."""

import re
from datetime import timedelta
from html import unescape
from itertools import pairwise

import pytest
from django.db import transaction
from django.utils import timezone

from accounts import clubs
from games import ladder_career, ladder_seasons, ladder_story
from games.ladder import Rules
from games.ladder_career import Stand
from games.models import Challenge
from games.services import challenges, ladders
from games.standing import UNDOABLE, Kind
from tests.games.clubs import DAILY, DAY, START, agreed, club_of, ended, met, order, until
from tests.games.matches import person

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def left(monkeypatch):
    """Who is no member of a club any more leaves its ladder."""
    monkeypatch.setattr(clubs, "left", [ladders.left])


def text(html) -> str:
    """What one reads, without the tags."""
    apart = re.sub(r"</(dt|span|summary)>", " ", str(html))
    return " ".join(unescape(re.sub(r"<[^>]+>", "", apart)).split())


def told(ladder, **which):
    """The sentences of some events, the first one first."""
    events = list(ladder.log.filter(**which).order_by("number"))
    return [text(each.sentence) for each in ladder_story.tell(ladder.club, events)]


def everything():
    """A ladder to which everything has happened that can happen to one."""
    ann = person("ann", email="ann@example.org")
    ladder = club_of("ann", "bob", "dan", "eve", "fay", "gus", rules=Rules(most_late=1))
    met(ladder, "bob", "ann", now=START)
    met(ladder, "eve", "dan", "fay", places=(1, 2, 2), now=START + HOUR)
    met(ladder, "gus", "fay", places=(1, 2), late=("fay",), now=START + 2 * HOUR)
    ladders.back(ladder, person("fay"), START + 4 * HOUR)
    challenge = challenges.challenge(ladder, person("dan"), [person("ann")], DAILY, START + DAY)
    challenges.decline(challenge, ann, START + DAY)
    challenges.challenge(ladder, person("gus"), [person("eve")], DAILY, START + DAY)
    until(ladder, START + 5 * DAY)
    midnight = START - 9 * HOUR
    ladders.vacation(ladder, person("dan"), midnight + 6 * DAY, midnight + 9 * DAY, START + 5 * DAY)
    ladders.back(ladder, person("dan"), START + 7 * DAY)
    agreed(ladder, "gus", "bob", now=START + 7 * DAY)
    until(ladder, START + 30 * DAY)
    ladders.order(ladder, ann, [person("fay").pk], START + 31 * DAY)
    ladders.correct(ladder, ann, person("bob").pk, 1, "He was here <b>first</b>.", START + 32 * DAY)
    ladders.undo(ladder, ann, 8, "They had agreed to play again.", START + 33 * DAY)
    with transaction.atomic():
        clubs.expel(ladder.club, ann, person("gus"), "He shouted.", START + 34 * DAY)
    ladders.leave(ladder, person("fay"), START + 35 * DAY)
    ladders.end_season(ladder, ann, START + 36 * DAY)
    ladder.refresh_from_db()
    return ladder


SENTENCES = {
    Kind.RULES: "ann changed the rules. Times out of time: 3 → 1.",
    Kind.SEASON: "ann began season 1. It ends on May 25, 2026.",
    Kind.SEASON_END: "ann ended season 1. First: bob.",
    Kind.JOIN: "ann joined the ladder, at the bottom.",
    Kind.LEAVE: "ann expelled gus from the club, and so from the ladder.",
    Kind.ORDER: "ann ordered the ladder.",
    Kind.CORRECT: "ann put bob on rung 1.",
    Kind.UNDO: "ann undid: “bob beat ann.”",
    Kind.RESULT: "bob beat ann.",
    Kind.VOID: "The game of gus and bob does not count: it was not finished in time.",
    Kind.UNANSWERED: "gus challenged eve, who did not answer in time.",
    Kind.DECLINED: "ann declined the challenge of dan.",
    Kind.SINK: "has finished no game for a long time",
    Kind.OFF: "fay ran out of time too often, and is taken off the ladder until he says that he is back.",
    Kind.VACATION: "dan goes on vacation from March 8, 2026 to March 10, 2026.",
    Kind.BACK: "fay is back, and stands on the ladder again.",
}


def test_every_kind_of_event_has_a_sentence():
    ladder = everything()
    assert set(SENTENCES) == set(Kind)
    for kind, sentence in SENTENCES.items():
        assert sentence in told(ladder, kind=kind)[0], kind


def test_other_sentences_of_the_same_kinds():
    ladder = everything()
    assert told(ladder, kind=Kind.RESULT)[1:] == [
        "A game of 3 ended: 1. eve, 2. dan, 2. fay.",
        "gus beat fay. Out of time: fay.",
    ]
    assert told(ladder, kind=Kind.BACK)[1] == "dan is back from vacation."
    assert told(ladder, kind=Kind.LEAVE)[1] == "fay left the ladder."
    ladders.add(ladder, person("ann"), [person("fay")], START + 40 * DAY)
    assert told(ladder, kind=Kind.JOIN)[-1] == "ann put fay on the ladder, at the bottom."
    ladders.correct(ladder, person("ann"), person("ann").pk, 1, "I was away.", START + 41 * DAY)
    assert told(ladder, kind=Kind.CORRECT)[-1] == "ann, a steward, moved to rung 1."


def test_what_the_clock_does_names_nobody_who_did_it():
    ladder = club_of("ann", "bob", rules=Rules(season_weeks=1))
    until(ladder, START + 8 * DAY)
    assert told(ladder, kind=Kind.SEASON_END) == ["Season 1 ended. First: ann."]
    assert told(ladder, kind=Kind.SEASON)[1] == "Season 2 began. It ends on March 16, 2026."


def test_a_shared_place_and_a_game_of_somebody_who_left():
    ladder = club_of("ann", "bob", "dan")
    met(ladder, "bob", "ann", places=(1, 1))
    assert told(ladder, kind=Kind.RESULT) == ["bob and ann shared the first place."]
    agreed(ladder, "dan", "bob")
    ladders.leave(ladder, person("bob"), START + DAY)
    assert told(ladder, kind=Kind.VOID) == [
        "The game of dan and bob does not count: not all of them stand on the ladder any more."
    ]


def test_who_did_not_answer_among_several():
    ladder = club_of("ann", "bob", "dan", "eve")
    challenges.challenge(ladder, person("dan"), [person("ann"), person("bob")], DAILY, START)
    until(ladder, START + 4 * DAY)
    assert told(ladder, kind=Kind.UNANSWERED) == ["dan challenged players of whom ann and bob did not answer in time."]


def test_who_cannot_sink_is_told_apart():
    ladder = club_of("ann", "bob")
    until(ladder, START + 22 * DAY)
    assert told(ladder, kind=Kind.SINK)[0].endswith("but cannot sink: below stands nobody who plays more.")


def test_names_in_sentences_lead_to_the_pages_of_the_players_and_keep_their_direction():
    ladder = club_of("ann", "bob")
    met(ladder, "bob", "ann")
    (event,) = ladder.log.filter(kind=Kind.RESULT)
    (one,) = ladder_story.tell(ladder.club, [event])
    assert '<a href="/c/st-gall/ladder/player/bob"><bdi>bob</bdi></a> beat' in one.sentence


def test_an_event_says_how_far_whom_it_is_about_was_moved_and_whom_it_moved_beside():
    ladder = club_of("ann", "bob", "dan", "eve")
    met(ladder, "eve", "bob")
    (event,) = ladder.log.filter(kind=Kind.RESULT)
    (one,) = ladder_story.tell(ladder.club, [event])
    assert [(text(step.name), step.before, step.after, step.way) for step in one.steps] == [
        ("eve", 4, 2, "up"),
        ("bob", 2, 3, "down"),
    ]
    assert [(text(step.name), step.words) for step in one.others] == [("dan", "from 3 to 4")]
    assert not one.still and one.undoable


def test_who_held_his_place_moved_nobody():
    ladder = club_of("ann", "bob")
    met(ladder, "bob", "ann", places=(2, 1))
    assert ladder_story.tell(ladder.club, list(ladder.log.filter(kind=Kind.RESULT)))[0].still


def test_what_is_undone_is_marked_with_what_has_undone_it():
    ladder = everything()
    events = {each.number: each for each in ladder_story.tell(ladder.club, list(ladder.log.all()))}
    undo = next(each for each in events.values() if each.event.kind == Kind.UNDO)
    assert events[8].undone == undo.event and not events[8].undoable
    assert [each.number for each in events.values() if each.undone] == [8]
    assert {each.event.kind for each in events.values() if each.undoable} <= UNDOABLE


def test_what_undoing_would_do_is_what_it_does():
    ladder = everything()
    before = [order(ladder), ladder.events]
    event = ladder.log.get(kind=Kind.CORRECT)
    steps = {str(step.player): [step.before, step.after] for step in ladder_story.without(ladder, event)}
    assert [order(ladder), ladder.events] == before
    ladders.undo(ladder, person("ann"), event.number, "A mistake.", START + 50 * DAY)
    assert ladder.log.get(kind=Kind.UNDO, data__event=event.number).steps == steps


def test_nothing_hidden_is_in_any_page_of_events(client):
    everything()
    client.force_login(person("bob"), backend="django.contrib.auth.backends.ModelBackend")
    hidden = ["ann@example.org"]
    for challenge in Challenge.objects.exclude(match=None):
        hidden += [challenge.match.secret.hex(), bytes(challenge.match.secret).decode("latin-1")]
    pages = ["events", "events?kind=result", "player/ann", "player/gus?span=all", "seasons", "seasons/1"]
    for page in pages:
        html = client.get(f"/c/st-gall/ladder/{page}").content.decode()
        assert not [word for word in hidden if word in html], page


# The page of events


@pytest.fixture
def ladder():
    return everything()


def numbers(response) -> list[int]:
    return [int(number) for number in re.findall(r'<li class="ev[^"]*" id="e(\d+)"', response.content.decode())]


def test_all_events_are_shown_the_newest_first_to_everybody(client, ladder):
    seen, address = [], "/c/st-gall/ladder/events"
    query = ""
    while query is not None:
        response = client.get(address + query)
        seen += numbers(response)
        older = re.search(r'rel="next" href="(\?older=\d+)"', response.content.decode())
        query = older and older[1]
    assert seen == list(range(ladder.events))[::-1]


def test_a_page_of_events_leads_back_to_the_newer_ones(client, monkeypatch):
    monkeypatch.setattr(ladder_story.page, "__defaults__", ("", "", 3))
    club_of("ann", "bob", "dan", "eve", "fay")
    first = client.get("/c/st-gall/ladder/events")
    assert numbers(first) == [5, 4, 3]
    second = client.get("/c/st-gall/ladder/events?older=3")
    assert numbers(second) == [2, 1, 0]
    assert 'href="?newer=2"' in second.content.decode()
    assert numbers(client.get("/c/st-gall/ladder/events?newer=2")) == [5, 4, 3]
    assert "There are no more events." in client.get("/c/st-gall/ladder/events?older=0").content.decode()


def test_events_can_be_chosen_by_kind(client, ladder):
    response = client.get("/c/st-gall/ladder/events?kind=result")
    assert numbers(response) == [event.number for event in ladder.log.filter(kind="result").order_by("-number")]
    assert '<option value="result" selected>' in response.content.decode()
    assert client.get("/c/st-gall/ladder/events?kind=").status_code == 200
    club_of("ann", slug="empty", season=False)
    assert "Nothing of this kind has happened." in client.get("/c/empty/ladder/events?kind=void").content.decode()


def test_an_event_has_an_address_of_its_own(client, ladder):
    response = client.get("/c/st-gall/ladder/events?event=8")
    assert numbers(response)[0] == 8
    assert 'class="ev gone asked" id="e8"' in response.content.decode()
    assert 'href="?newer=8"' in response.content.decode()


@pytest.mark.parametrize(
    "query", ["kind=nothing", "older=x", "newer=-1", "older=1234567890", "event=999", "event=x", "event=%C2%B2"]
)
def test_an_address_that_means_nothing_is_404(client, ladder, query):
    assert client.get(f"/c/st-gall/ladder/events?{query}").status_code == 404


def test_reasons_are_shown_as_text(client, ladder):
    html = client.get("/c/st-gall/ladder/events").content.decode()
    assert "He was here &lt;b&gt;first&lt;/b&gt;." in html
    assert "He shouted." in html
    assert "They had agreed to play again." in html


def test_only_stewards_are_offered_to_undo(client, ladder):
    for name, offered in (("bob", False), ("ann", True)):
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        html = client.get("/c/st-gall/ladder/events").content.decode()
        assert ("/ladder/desk/undo/" in html) is offered
        assert "/ladder/desk/undo/8" not in html, "is undone already"


# One player


def test_a_player_is_told_what_moved_him_also_when_others_passed_him(client):
    ladder = club_of("ann", "bob", "dan", "eve")
    met(ladder, "eve", "ann")
    html = client.get("/c/st-gall/ladder/player/dan").content.decode()
    assert "Rung 4 of 4" in html and "Why rung 4" in html
    assert numbers(client.get("/c/st-gall/ladder/player/dan")) == [5, 2]
    words = text(html)
    assert "eve beat ann. ▼ 3 → 4 from 3 to 4 others went past" in words
    assert "dan joined the ladder, at the bottom. now on the ladder, at 3" in words


def test_the_steps_of_the_list_lead_from_the_first_to_the_present_position(ladder):
    for name in ("ann", "bob", "dan", "eve", "gus"):
        user = person(name)
        events = list(ladder_career.moves(ladder, user).order_by("number"))
        steps = [each.mine for each in ladder_story.tell(ladder.club, events, user.pk)]
        assert steps[0].before is None
        assert all(one.after == other.before for one, other in pairwise(steps))
        assert steps[-1].after == ladder.now_standing().position(user.pk)


def test_the_numbers_of_a_player(client, ladder):
    words = text(client.get("/c/st-gall/ladder/player/EVE").content.decode())
    standing = ladder.now_standing()
    known = standing.players[person("eve").pk]
    place = standing.position(person("eve").pk)
    assert f"Rung {place} Best rung" in words
    assert f"Club rating {known.rating:.0f}? Games {known.games}" in words
    assert "Last games W won" in words
    assert "A game of 3 ended: 1. eve, 2. dan, 2. fay." in words


def test_a_player_who_is_away_or_taken_off_is_said_to_be(client):
    now = timezone.now()
    ladder = club_of("ann", "bob", "dan", "eve", now=now - DAY, rules=Rules(most_late=1))
    ladders.vacation(ladder, person("bob"), now, now + 5 * DAY, now - HOUR)
    ladders.vacation(ladder, person("ann"), now + 2 * DAY, now + 5 * DAY, now - HOUR)
    met(ladder, "eve", "dan", late=("dan",), now=now - 2 * HOUR)
    assert "on vacation until" in client.get("/c/st-gall/ladder/player/bob").content.decode()
    assert "vacation from" in client.get("/c/st-gall/ladder/player/ann").content.decode()
    assert "Taken off the ladder until he says" in client.get("/c/st-gall/ladder/player/dan").content.decode()


def test_who_has_left_still_has_his_page(client, ladder):
    words = text(client.get("/c/st-gall/ladder/player/gus").content.decode())
    assert "Not on this ladder any more" in words
    assert "ann expelled gus from the club" in words


@pytest.mark.parametrize("name", ["cho", "nobody", "%00", "b%00b"])
def test_who_was_never_on_the_ladder_has_no_page(client, ladder, name):
    person("cho")
    assert client.get(f"/c/st-gall/ladder/player/{name}").status_code == 404


def test_an_old_page_of_moves_can_be_turned_to(client, ladder):
    assert client.get("/c/st-gall/ladder/player/bob?older=9").status_code == 200
    assert client.get("/c/st-gall/ladder/player/bob?older=x").status_code == 404


# The graph


def at(days: float):
    return START + timedelta(days=days)


def test_the_graph_runs_level_and_steps():
    graph = ladder_career.graph([Stand(at(0), 3), Stand(at(4), 1), Stand(at(8), 2)], at(10))
    (line,) = graph.lines
    points = [tuple(map(float, point.split(","))) for point in line.split()]
    assert all(one[0] == other[0] or one[1] == other[1] for one, other in pairwise(points))
    assert points[0][1] > points[-1][1] > min(y for _, y in points), "position 1 is on top"
    assert (points[0][0], points[-1][0]) == (44, 626)
    assert (graph.top, graph.first, graph.final) == (1, 3, 2)


def test_the_line_of_the_graph_breaks_where_somebody_is_off_the_ladder():
    graph = ladder_career.graph([Stand(at(0), 3), Stand(at(4), None), Stand(at(8), 5)], at(10))
    assert len(graph.lines) == 2 and graph.last is not None
    graph = ladder_career.graph([Stand(at(0), 3), Stand(at(4), None)], at(10))
    assert len(graph.lines) == 1 and graph.last is None and graph.final is None


def test_the_graph_never_runs_backwards():
    graph = ladder_career.graph([Stand(at(3), 3), Stand(at(1), 2), Stand(at(4), 1)], at(5))
    xs = [float(point.split(",")[0]) for point in graph.lines[0].split()]
    assert xs == sorted(xs)


def test_a_graph_of_nothing_is_none():
    assert ladder_career.graph([], at(1)) is None
    assert ladder_career.graph([Stand(at(0), None)], at(1)) is None


def test_the_graph_of_a_season_begins_with_the_season():
    ladder = club_of("ann", "bob", "dan", rules=Rules(season_weeks=1))
    met(ladder, "bob", "ann")
    until(ladder, START + 7 * DAY)
    season = ladder_seasons.running_season(ladder, ladder.now_standing())
    assert season.data["number"] == 2
    assert ladder_career.stands(ladder, person("bob"), season) == [Stand(START + 7 * DAY, 1)]
    met(ladder, "dan", "ann", now=START + 8 * DAY)
    assert [stand.position for stand in ladder_career.stands(ladder, person("ann"), season)] == [2, 3]
    assert [stand.position for stand in ladder_career.stands(ladder, person("ann"))] == [1, 2, 3]
    assert ladder_career.best(ladder, person("ann")) == 1


@pytest.mark.parametrize("span", ["season", "all", "nonsense"])
def test_the_graph_is_drawn_for_a_season_and_for_all(client, ladder, span):
    html = client.get(f"/c/st-gall/ladder/player/bob?span={span}").content.decode()
    assert html.count("<polyline") == 1 and "Rung from" in html


# Seasons


def test_the_seasons_are_listed_with_who_was_first(client):
    ladder = club_of("ann", "bob", rules=Rules(season_weeks=1))
    met(ladder, "bob", "ann")
    until(ladder, START + 8 * DAY)
    words = text(client.get("/c/st-gall/ladder/seasons").content.decode())
    assert "Season 2 since March 9, 2026, ends on March 16, 2026 running" in words
    assert "Season 1 March 2, 2026 to March 9, 2026 First: bob" in words
    club_of("ann", slug="new", season=False)
    assert "No season has begun yet." in client.get("/c/new/ladder/seasons").content.decode()


def test_a_season_has_its_final_table_and_its_games(client):
    ladder = club_of("ann", "bob", "dan", rules=Rules(season_weeks=1))
    met(ladder, "bob", "ann")
    until(ladder, START + 8 * DAY)
    met(ladder, "dan", "ann", now=START + 9 * DAY)
    ladders.leave(ladder, person("bob"), START + 10 * DAY)
    response = client.get("/c/st-gall/ladder/seasons/1")
    words = text(response.content.decode())
    assert "Final table" in words
    table = [row.name for row in ladder_seasons.table(ladder, ladder_seasons.season(ladder, 1))]
    assert table == ["bob", "ann", "dan"], "also who has left"
    assert "bob beat ann." in words and "dan beat ann." not in words
    words = text(client.get("/c/st-gall/ladder/seasons/2").content.decode())
    assert "So far" in words and "dan beat ann." in words and "bob beat ann." not in words
    assert client.get("/c/st-gall/ladder/seasons/3").status_code == 404


def test_a_result_that_was_undone_is_marked_in_the_season(client):
    ladder = club_of("ann", "bob")
    challenge = agreed(ladder, "bob", "ann")
    ended(challenge, 1, 2, now=START + DAY)
    number = ladder.log.get(kind=Kind.RESULT).number
    ladders.undo(ladder, person("ann"), number, "A mistake.", START + 2 * DAY)
    html = client.get("/c/st-gall/ladder/seasons/1").content.decode()
    assert '<span class="tag bad">undone</span>' in html


# Who may see all this


@pytest.mark.parametrize("page", ["events", "player/ann", "seasons", "seasons/1"])
def test_of_a_private_club_outsiders_learn_nothing(client, page):
    club_of("ann", "bob", private=True)
    for name, status in ((None, 404), ("cho", 404), ("bob", 200)):
        client.logout()
        if name:
            client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        assert client.get(f"/c/st-gall/ladder/{page}").status_code == status
        assert client.post(f"/c/st-gall/ladder/{page}").status_code == 405
