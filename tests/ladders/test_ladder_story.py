"""What the events of a ladder tell: every kind as a sentence, and the pages of them."""

import pytest

from games.ladders import challenges, leaving
from games.ladders import events as ladders
from games.ladders.models import Challenge
from games.ladders.pages import story
from games.ladders.payloads import (
    CLASSES,
    UNDOABLE,
    Added,
    AtTable,
    Back,
    Closed,
    Corrected,
    Declined,
    GameResult,
    JoinedLadder,
    Left,
    MovedHere,
    Ordered,
    Overdue,
    Paused,
    Resumed,
    RulesSet,
    SeasonBegun,
    SeasonEnded,
    SeasonMoved,
    Sunk,
    TakenOff,
    Unanswered,
    Undone,
    Vacation,
    Voided,
    Withdrawn,
)
from games.ladders.rules import Rules
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of, met, order, until
from tests.ladders.ladder_stories import everything, numbers
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def told(ladder, **which):
    """The sentences of some events, the first one first."""
    events = list(ladder.log.filter(**which).order_by("number"))
    return [text(each.sentence) for each in story.narrate(ladder, events)]


SENTENCES = {
    RulesSet.kind: "ann changed the rules. Times late: 3 → 1; Results from the real table count: no → yes.",
    SeasonBegun.kind: "ann began season 1. It ends on May 25, 2026.",
    SeasonEnded.kind: "ann ended season 1. First: bob.",
    SeasonMoved.kind: "ann moved the end of season 1 to June 1, 2026.",
    JoinedLadder.kind: "ann joined the ladder, at the bottom.",
    Added.kind: "ann put hal and ivo on the ladder, at the bottom.",
    Paused.kind: "ann paused the ladder until April 10, 2026.",
    Resumed.kind: "ann ended the pause.",
    Left.kind: "ann expelled gus from the club, and so from the ladder.",
    Ordered.kind: "ann reordered the ladder, and moved from rung 4 to rung 5.",
    Corrected.kind: "ann put bob on rung 1.",
    Undone.kind: "ann undid: “bob beat ann.”",
    GameResult.kind: "bob beat ann.",
    AtTable.kind: "dan beat eve. At the table, on April 5, 2026.",
    Voided.kind: "The game of eve and dan doesn’t count: it was cancelled.",
    Overdue.kind: "The game of gus, dan and bob wasn’t over in time. At fault: gus.",
    Unanswered.kind: "gus challenged eve, who didn’t answer in time.",
    Withdrawn.kind: "gus withdrew their challenge to eve.",
    Declined.kind: "ann declined dan’s challenge.",
    Sunk.kind: "hasn’t finished a game for a long time",
    TakenOff.kind: "fay was late too often and is off the ladder until they say they’re back.",
    Vacation.kind: "dan is on vacation from March 8, 2026 to March 10, 2026.",
    Back.kind: "fay is back on the ladder.",
}


def test_every_kind_of_event_has_a_sentence():
    ladder = everything()
    assert set(SENTENCES) == set(CLASSES) - {MovedHere.kind, Closed.kind}, "moving and closing have tests of their own"
    for kind, sentence in SENTENCES.items():
        assert sentence in told(ladder, kind=kind)[0], kind


def test_other_sentences_of_the_same_kinds():
    ladder = everything()
    assert told(ladder, kind=GameResult.kind)[1:] == [
        "A game of 3 ended: 1. eve, 2. dan, 2. fay.",
        "gus beat fay. Out of time: fay.",
    ]
    assert told(ladder, kind=Back.kind)[1] == "dan is back from vacation."
    assert told(ladder, kind=Left.kind)[1] == "fay left the ladder."
    ladders.add(ladder, person("ann"), [person("fay")], START + 40 * DAY)
    assert told(ladder, kind=Added.kind)[-1] == "ann put fay on the ladder, at the bottom."
    ladders.correct(ladder, person("ann"), person("ann").pk, 1, "I was away.", START + 41 * DAY)
    assert told(ladder, kind=Corrected.kind)[-1] == "ann, a steward, moved to rung 1."


def test_what_the_clock_does_names_nobody_who_did_it():
    ladder = club_of("ann", "bob", rules=Rules(season_weeks=1))
    until(ladder, START + 8 * DAY)
    assert told(ladder, kind=SeasonEnded.kind) == ["Season 1 ended. First: ann."]
    assert told(ladder, kind=SeasonBegun.kind)[1] == "Season 2 began. It ends on March 16, 2026."


def test_a_shared_place_and_a_game_of_somebody_who_left():
    ladder = club_of("ann", "bob", "dan")
    met(ladder, "bob", "ann", places=(1, 1))
    assert told(ladder, kind=GameResult.kind) == ["bob and ann shared the first place."]
    agreed(ladder, "dan", "bob")
    leaving.leave(ladder, person("bob"), START + DAY)
    assert told(ladder, kind=Voided.kind) == [
        "The game of dan and bob doesn’t count: not all of them are still on the ladder."
    ]


def test_whoever_did_not_answer():
    ladder = club_of("ann", "bob", "dan", "eve")
    challenges.challenge(ladder, person("dan"), [person("ann"), person("bob")], DAILY, START)
    until(ladder, START + 4 * DAY)
    assert told(ladder, kind=Unanswered.kind) == ["dan challenged ann, who didn’t answer in time."]


def test_whoever_cannot_sink_is_told_apart():
    ladder = club_of("ann", "bob")
    until(ladder, START + 22 * DAY)
    assert told(ladder, kind=Sunk.kind)[0].endswith("but can’t sink: no one below plays more.")


def test_names_in_sentences_lead_to_the_pages_of_the_players_and_keep_their_direction():
    ladder = club_of("ann", "bob")
    met(ladder, "bob", "ann")
    (event,) = ladder.log.filter(kind=GameResult.kind)
    (one,) = story.narrate(ladder, [event])
    assert '<a href="/c/st-gall/ladders/1/player/bob"><bdi>bob</bdi></a> beat' in one.sentence


def test_an_event_says_how_far_whom_it_is_about_was_moved_and_whom_it_moved_beside():
    ladder = club_of("ann", "bob", "dan", "eve")
    met(ladder, "eve", "bob")
    (event,) = ladder.log.filter(kind=GameResult.kind)
    (one,) = story.narrate(ladder, [event])
    assert [(text(step.name), step.before, step.after, step.way) for step in one.steps] == [
        ("eve", 4, 2, "up"),
        ("bob", 2, 3, "down"),
    ]
    assert [(text(step.name), step.words) for step in one.others] == [("dan", "from 3 to 4")]
    assert not one.still and one.undoable


def test_whoever_held_their_place_moved_nobody():
    ladder = club_of("ann", "bob")
    met(ladder, "bob", "ann", places=(2, 1))
    assert story.narrate(ladder, list(ladder.log.filter(kind=GameResult.kind)))[0].still


def test_what_is_undone_is_marked_with_what_has_undone_it():
    ladder = everything()
    events = {each.number: each for each in story.narrate(ladder, list(ladder.log.all()))}
    undo = next(each for each in events.values() if each.event.kind == Undone.kind)
    assert events[8].undone == undo.event and not events[8].undoable
    assert [each.number for each in events.values() if each.undone] == [8]
    assert {each.event.kind for each in events.values() if each.undoable} <= UNDOABLE


def test_what_undoing_would_do_is_what_it_does():
    ladder = everything()
    before = [order(ladder), ladder.events]
    event = ladder.log.get(kind=Corrected.kind)
    steps = {str(step.player): [step.before, step.after] for step in story.without(ladder, event)}
    assert [order(ladder), ladder.events] == before
    ladders.undo(ladder, person("ann"), event.number, "A mistake.", START + 50 * DAY)
    assert ladder.log.get(kind=Undone.kind, data__event=event.number).steps == steps


def test_nothing_hidden_is_in_any_page_of_events(client):
    everything()
    client.force_login(person("bob"), backend="django.contrib.auth.backends.ModelBackend")
    hidden = ["ann@example.org"]
    for challenge in Challenge.objects.exclude(match=None):
        hidden += [challenge.match.secret.hex(), bytes(challenge.match.secret).decode("latin-1")]
    pages = ["history", "history?kind=result", "player/ann", "player/gus?span=all", "seasons", "seasons/1"]
    for page in pages:
        html = client.get(f"/c/st-gall/ladders/1/{page}").content.decode()
        assert not [word for word in hidden if word in html], page


# The page of events


def test_a_page_of_events_leads_back_to_the_newer_ones(client, monkeypatch):
    monkeypatch.setattr(story, "PAGE", 3)
    club_of("ann", "bob", "dan", "eve", "fay")
    first = client.get("/c/st-gall/ladders/1/history")
    assert numbers(first) == [5, 4, 3]
    second = client.get("/c/st-gall/ladders/1/history?older=3")
    assert numbers(second) == [2, 1, 0]
    assert 'href="?newer=2"' in second.content.decode()
    assert numbers(client.get("/c/st-gall/ladders/1/history?newer=2")) == [5, 4, 3]
    assert "No more events." in client.get("/c/st-gall/ladders/1/history?older=0").content.decode()


# Who may see all this


@pytest.mark.parametrize("page", ["history", "player/ann", "seasons", "seasons/1"])
def test_of_a_private_club_outsiders_learn_nothing(client, page):
    club_of("ann", "bob", private=True)
    for name, status in ((None, 404), ("cho", 404), ("bob", 200)):
        client.logout()
        if name:
            client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        assert client.get(f"/c/st-gall/ladders/1/{page}").status_code == status
        assert client.post(f"/c/st-gall/ladders/1/{page}").status_code == 405
