"""The puzzle of the day: from which games it may be, who sees it, and that it names nobody."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from games.analysis.models import Analysis
from games.deck import deck, gathering, puzzles
from games.deck.models import DailyPuzzle
from games.engine import second_look
from games.engine.second_look import AskedAgain
from games.matches import thinking
from games.matches.models import Match, Seat
from tests.analysis.analyses import over, reviewed
from tests.clubs.clubs import club_of
from tests.deck.decks import Beside
from tests.people import person

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def beside(monkeypatch):
    monkeypatch.setattr(gathering, "thinker", Beside())
    monkeypatch.setattr(second_look, "TIMES", 60)
    puzzles.tried.clear()


def looked_at(toy, least=1, **table):
    """Games with a decision each that could be asked about: what is dealt is never the same."""
    found = set()
    while len(found) < least:
        match = over(toy, seed=Match.objects.count(), **table)
        if reviewed(match).decisions.filter(clear=True, loss__gte=2 * puzzles.LARGE).exists():
            found.add(match.pk)
    return found


def later(days=2):
    return timezone.now() + days * DAY


def drawn(days=2):
    puzzles.draw(later(days))
    return puzzles.find(deck.today(later(days)))


def test_a_day_has_one_and_no_game_is_asked_about_twice(toy):
    looked_at(toy, 6)
    assert puzzles.decisions(deck.today(timezone.now())) == []  # they ended today
    found = [drawn(days) for days in (2, 3, 4)]
    assert None not in found and len({each.match_id for each in found}) == len({each.day for each in found}) == 3
    assert drawn(2) == found[0] and DailyPuzzle.objects.count() == 3
    day, again = later(), DailyPuzzle.objects.get(day=deck.today(later()))
    DailyPuzzle.objects.all().delete()
    puzzles.draw(day)
    same = DailyPuzzle.objects.get()
    assert (same.match_id, same.ply, same.question) == (again.match_id, again.ply, again.question)
    assert drawn(9).day == deck.today(later(9)) and puzzles.find(deck.today(later(30))) == drawn(9)


@pytest.mark.parametrize(
    "change", [{"watch": "link"}, {"watch": "none"}, {"hidden": True}, {"listed": False}, {"guided": True}]
)
def test_only_games_that_are_open_to_all_are_asked_about(toy, change, rewriting):
    looked_at(toy, 3)
    assert puzzles.decisions(deck.today(later()))
    Match.objects.update(**change)
    assert puzzles.decisions(deck.today(later())) == [] and drawn() is None


def test_no_game_of_a_private_club_and_none_of_a_closed_account(toy):
    club = club_of("ann", "bob", private=True).club
    looked_at(toy, club=club)
    assert puzzles.decisions(deck.today(later())) == []
    looked_at(toy, 3)
    found = drawn()
    assert found is not None
    accounts.close(found.match.seats.get(index=found.seat).user)
    accounts.close_due(later(99))
    assert not DailyPuzzle.objects.exists() and puzzles.decisions(deck.today(later(3))) == []


def test_everybody_answers_it_and_nothing_names_anybody(toy, client, monkeypatch):
    assert "There’s none yet." in client.get("/puzzle").content.decode()
    looked_at(toy, 3)
    found = drawn()
    DailyPuzzle.objects.update(day=deck.today(timezone.now()))
    asked = AskedAgain.read(found.question)
    page = client.get("/puzzle").content.decode()
    assert asked.best in page
    told = client.post("/puzzle", {"move": asked.best}).content.decode()
    assert "That’s the best answer." in told and "What you did then" not in told
    for html in (page, told):
        assert found.match.key not in html
        assert "ann" not in html.split("<main")[1].split("</main")[0].replace("cannot", "").replace("answer", "")
        assert "bob" not in html
    assert client.post("/puzzle", {"move": "offer 299"}).status_code == 404
    late = client.post("/puzzle", {"move": asked.best, "day": "2026-01-01"}).content.decode()
    assert "Yesterday’s puzzle is over." in late and "That’s the best answer." not in late
    assert not client.session.keys() and not person("ann").deck.exists()


def test_decisions_that_hold_nothing_or_are_odd_are_not_tried_again_that_day(toy, monkeypatch):
    looked_at(toy, 3)
    there = puzzles.decisions(deck.today(later()))
    monkeypatch.setattr(puzzles, "TRIED", 1)
    monkeypatch.setattr(gathering, "thinker", Beside(thinking.Lost(), ValueError("odd")))
    assert drawn() is None and drawn() is None
    assert puzzles.tried == {(deck.today(later()), row.pk) for row in there[:2]}
    monkeypatch.setattr(puzzles, "TRIED", len(there))
    found = drawn()
    assert (found.match_id, found.ply) not in [(row.analysis.match_id, row.ply) for row in there[:2]]
    assert drawn(3) is not None and {day for day, _pk in puzzles.tried} <= {deck.today(later(3))}


def test_what_another_judge_has_judged_is_not_looked_at(toy, monkeypatch):
    looked_at(toy)
    Analysis.objects.update(version="toy-0/1.48")
    monkeypatch.setattr(gathering, "thinker", Beside())
    assert drawn() is None and gathering.thinker.calls == 0


def test_whoever_is_banned_or_refuses_while_it_is_looked_at_is_left_out(toy, monkeypatch):
    looked_at(toy, 3)
    people = User.objects.filter(username__in=("ann", "bob"))
    monkeypatch.setattr(gathering, "thinker", Beside(then=lambda: people.update(is_active=False)))
    assert drawn() is None
    people.update(is_active=True)
    puzzles.tried.clear()
    monkeypatch.setattr(gathering, "thinker", Beside(then=lambda: [deck.switch(user, False) for user in people]))
    assert drawn() is None and gathering.thinker.calls


def test_decisions_of_whoever_switched_the_deck_off_are_no_puzzles(toy):
    looked_at(toy, 6)
    day = deck.today(later())

    def theirs():
        rows = puzzles.decisions(day)
        return {Seat.objects.get(match=row.analysis.match, index=row.seat).user.username for row in rows}

    assert theirs() == {"ann", "bob"}
    deck.switch(person("ann"), False)
    assert theirs() == {"bob"}
