"""One's own decisions come back: which, when, to whom; and what their pages tell."""

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from accounts import services as accounts
from accounts.models import Notice, User
from accounts.signals import notices_changed
from games.analysis.models import Analysis, JudgedDecision
from games.deck import deck, gathering
from games.deck.models import DeckCard, DeckGathering
from games.deck.page import AskedPage
from games.engine import second_look
from games.engine.core import Reason
from games.engine.second_look import AskedAgain, WeighedAnswer
from games.engine.verdicts import Band
from games.lobby import pending
from games.matches import history, thinking
from games.matches.models import Match
from tests.analysis.analyses import over, reviewed
from tests.deck.decks import Beside, card_at, cards, filled, gather_all
from tests.people import person
from tests.toy.expert import twins

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def beside(monkeypatch):
    monkeypatch.setattr(gathering, "thinker", Beside())
    monkeypatch.setattr(second_look, "TIMES", 60)


def pick(card, right):
    """An answer that is right, or one that is not."""
    return next(it.text for it in AskedAgain.read(card.question).answers if it.right == right)


def test_at_most_three_decisions_of_a_player_come_back_those_that_cost_most(toy):
    filled(toy, NOW, least=5)
    found = Counter((card.user.username, card.match_id) for card in DeckCard.objects.all())
    assert found and max(found.values()) <= gathering.MOST
    for card in DeckCard.objects.all():
        row = JudgedDecision.objects.get(analysis__match=card.match, ply=card.ply)
        asked = AskedAgain.read(card.question)
        assert row.clear and row.seat == card.seat and card.match.seats.get(index=card.seat).user == card.user
        made, best = asked.answer(asked.made), asked.answer(asked.best)
        assert best.right and not made.right and best.share.high > made.share.low
        assert asked.times == 60 * 3 // max(3, len(asked.answers))
    assert DeckGathering.objects.count() == Match.objects.count()


def test_a_review_is_gathered_once(toy):
    filled(toy, NOW)
    before = DeckCard.objects.count()
    gathering.gather(NOW + DAY)
    DeckGathering.objects.all().delete()
    gather_all(NOW + DAY)
    assert DeckCard.objects.count() == before


def test_a_week_of_a_deck(toy):
    """Three a day at most; what is answered well returns after 3, 7 and 21 days, what is not on the next day."""
    filled(toy, NOW, least=5)
    ann, first = person("ann"), deck.today(NOW)
    assert len(cards()) > 3 and deck.due(ann, first) == []
    asked, wrong = Counter(), set()
    for back in range(1, 61):
        day = first + back * DAY
        for number, card in enumerate(waiting := deck.due(ann, day)):
            assert number < 3 and len(deck.due(ann, day)) == len(waiting) - number
            right = number != 2 or card.pk in wrong
            wrong |= set() if right else {card.pk}
            step = card.step
            asked[card.pk] += 1
            assert deck.answer(card, pick(card, right), day).right == right
            assert card.step == (step + 1 if right else 0)
            assert card.due_on == day + deck.DAYS[min(card.step, 3)] * DAY
    assert {card.step for card in cards()} == {4} and wrong
    assert all(asked[card.pk] == (4 if card.pk not in wrong else asked[card.pk]) for card in cards())
    assert min(asked[pk] for pk in wrong) >= 5
    assert deck.due(ann, first + 400 * DAY) == []


def test_an_answer_counts_once_and_only_one_of_those_that_are_asked(toy):
    filled(toy, NOW)
    day = deck.today(NOW) + DAY
    card = deck.due(person("ann"), day)[0]
    assert deck.answer(card, "nothing", day) is None
    old = DeckCard.objects.get(pk=card.pk)
    deck.answer(card, pick(card, True), day)
    deck.answer(old, pick(card, False), day)  # the page was open twice
    assert old.step == 1 and old.answer == card.answer


def test_skipped_postponed_and_taken_out(toy):
    filled(toy, NOW, least=6)
    ann, day = person("ann"), deck.today(NOW) + DAY
    first, second, third = deck.due(ann, day)
    deck.postpone(first, day, DAY)
    deck.postpone(second, day)
    deck.take_out(third)
    assert {first, second, third}.isdisjoint(deck.due(ann, day))
    found = {card.pk: card.due_on for card in cards()}
    assert (found[first.pk], found[second.pk]) == (day + DAY, day + 7 * DAY)
    assert third not in DeckCard.objects.filter(taken_out=False)


def test_whoever_switches_it_off_has_no_cards_and_gets_none(toy):
    filled(toy, NOW)
    deck.switch(person("ann"), False)
    assert cards() == [] and cards("bob")
    DeckGathering.objects.all().delete()
    gather_all(NOW)
    assert cards() == []
    deck.switch(person("ann"), True)
    DeckGathering.objects.all().delete()
    gather_all(NOW)
    assert cards()


def test_a_closed_account_has_no_deck(toy):
    filled(toy, NOW)
    assert cards()
    accounts.close(person("ann"))
    accounts.close_due(timezone.now() + 99 * DAY)
    assert cards() == [] and cards("bob")
    DeckGathering.objects.all().delete()
    gather_all(NOW)
    assert not DeckCard.objects.exclude(user=person("bob")).exists()


def test_a_deal_that_others_still_play_makes_no_cards(toy):
    filled(toy, NOW)
    DeckCard.objects.all().delete()
    DeckGathering.objects.all().delete()
    Match.objects.update(hidden=True)
    gather_all(NOW)
    assert not DeckCard.objects.exists()


def test_it_waits_in_the_strip_on_the_home_page_and_at_the_bell_once_a_day(toy, client):
    filled(toy, NOW, least=6)
    ann = person("ann")
    assert not any("/again" in act.address for it in pending.actions(ann, NOW) for act in it.acts)
    [action] = [it for it in pending.actions(ann, NOW + DAY) if it.shown_on == "/again"]
    assert "3 decisions of yours are back" in action.sentence
    for hours in (0, 1, 13, 14):
        deck.tell(NOW + DAY + timedelta(hours=hours))
        notice = Notice.objects.get(user=ann, kind="deck")
    assert notice.at == NOW + DAY + timedelta(hours=13) and notice.address == "/again"
    client.force_login(ann)
    DeckCard.objects.update(due_on=deck.today(timezone.now()))
    assert "3 decisions of yours are back." in client.get("/").content.decode()
    client.force_login(person("cho"))
    assert "decisions of yours" not in client.get("/").content.decode()


def test_the_pages(toy, client):
    matches = filled(toy, NOW - 9 * DAY)
    DeckCard.objects.update(due_on=deck.today(timezone.now()))
    client.force_login(person("ann"))
    card = deck.due(person("ann"), deck.today(timezone.now()))[0]
    page = client.get("/again").content.decode()
    assert client.get(f"/again/{card.pk}").status_code == 404
    assert "What would you do?" in page and "bob" not in page.split("<main")[1]
    assert not any(match.key in page for match in matches)
    answer = client.post(f"/again/{card.pk}/answer", {"move": AskedAgain.read(card.question).made})
    told = client.get(answer["Location"]).content.decode()
    assert "Another answer is better." in told
    assert f"over {card.question['times']} deals that look the same from this seat" in told
    assert f"manage.py judge {card.match.key} {card.ply}" in told and "It comes back on" in told
    assert client.post(f"/again/{card.pk}/answer", {"move": "offer 299"}).status_code == 404
    client.force_login(person("bob"))
    for way in ("", "/answer", "/later", "/out"):
        ask = client.post if way else client.get
        assert ask(f"/again/{card.pk}{way}").status_code == 404
    assert client.post("/again/switch", {"on": "no"})["Location"] == "/again"
    assert "You have switched this off." in client.get("/again").content.decode()
    assert client.post("/again/switch", {"on": "yes", "at": "settings"})["Location"] == "/account#play"


def test_the_review_leads_whoever_it_concerns_to_what_comes_back(client, toy):
    match = over(toy)
    reviewed(match)
    day = deck.today(NOW)
    card_at(match, 0, "ann", day), card_at(match, 2, "ann", day + DAY), card_at(match, 4, "ann", day)
    deck.take_out(cards()[1])

    def says(seat=0):
        html = client.get(f"/m/{match.key}/decisions?seat={seat}").content.decode()
        return re.search(r"(\d) decisions? of this game comes? back to you:\s*<a href=\"/again\">", html)

    assert says() is None
    for name, seat, found in (("ann", 0, "2"), ("ann", 1, None), ("bob", 0, None), ("bob", 1, None)):
        client.force_login(person(name))
        told = says(seat)
        assert (told and told[1]) == found, (name, seat)


def test_the_settings_switch_the_deck_too(client, ann):
    assert 'action="/again/switch"' not in guest_settings(client)
    client.force_login(ann)
    page = client.get("/account").content.decode()
    assert 'name="on" value="no"' in page and "Switch this off and empty the deck" in page
    page = client.post("/again/switch", {"on": "no", "at": "settings"}, follow=True).content.decode()
    assert "No decisions will come back to you" in page and 'name="on" value="yes"' in page
    assert not deck.is_on(ann)


def guest_settings(client):
    client.post("/guest")
    return client.get("/account").content.decode()


def test_what_the_seat_could_not_tell_apart_makes_the_same_page(toy):
    match = over(toy)
    answers = [WeighedAnswer(f"offer {coins}", Band(1000, 2000), True) for coins in (0, 30)]
    asked = AskedAgain("offer 0", "offer 30", tuple(answers), Reason("more"), 9)
    card = DeckCard(match=match, ply=1, seat=1, question=asked.plain)  # the other one's offer is made, and sealed
    before = AskedPage.of(card)
    drawn, labels = str(before.position), [it.label for it in before.choices]
    replay = history.replay(card.match)
    state = replay.state(card.ply)
    other = twins(state, card.seat, Random(4))
    assert other.offers != state.offers and other.view(card.seat) == state.view(card.seat)
    replay.kept.clear()
    replay.recent = card.ply, other
    replay.rows[0] = replay.rows[0]._replace(move=toy.text(other.offers[0]))
    card.match.ply, replay.last = card.ply, other
    del replay.rows[card.ply :]  # and nothing that came later is looked at
    after = AskedPage.of(card)
    assert str(after.position) == drawn and [it.label for it in after.choices] == labels


def waiting(toy):
    """A review that is not gathered yet, of a game in which one seat has several decisions that could come back."""
    most = 0
    while most < 2:  # what is dealt is never the same
        filled(toy, NOW, least=2)
        clear = Counter(JudgedDecision.objects.filter(clear=True).values_list("analysis", "seat"))
        [((pk, _seat), most)] = clear.most_common(1)
    DeckCard.objects.all().delete()
    DeckGathering.objects.filter(analysis=pk).delete()
    return Analysis.objects.get(pk=pk)


def test_a_review_that_is_odd_holds_nothing_up(toy, caplog):
    odd = waiting(toy)
    odd.decisions.update(ply=F("ply") + 500)
    DeckGathering.objects.all().delete()
    gather_all(NOW)
    assert DeckGathering.objects.filter(analysis=odd).exists() and odd.match.key in caplog.text
    assert DeckCard.objects.exists() and not DeckCard.objects.filter(match=odd.match).exists()


def test_a_database_that_is_away_or_a_worker_that_ends_leaves_the_review_for_later(toy, monkeypatch):
    review = waiting(toy)
    monkeypatch.setattr(gathering, "thinker", Beside(OperationalError()))
    with pytest.raises(OperationalError):
        gathering.gather(NOW)
    monkeypatch.setattr(gathering, "thinker", Beside(then=gathering.stopping.set))
    try:
        gathering.gather(NOW)
    finally:
        gathering.stopping.clear()
    ended, gathering.thinker = gathering.thinker, Beside()
    assert ended.calls == 1 and not DeckCard.objects.exists()
    assert not DeckGathering.objects.filter(analysis=review).exists()
    gathering.gather(NOW)
    assert DeckGathering.objects.filter(analysis=review).exists()


def test_one_look_that_is_lost_costs_one_decision(toy, monkeypatch):
    review = waiting(toy)
    row = review.decisions.filter(clear=True).order_by("seat", "-loss", "ply").first()
    monkeypatch.setattr(gathering, "thinker", Beside(thinking.Lost()))
    gathering.gather(NOW)
    assert gathering.thinker.calls > 1 and DeckGathering.objects.filter(analysis=review).exists()
    assert not DeckCard.objects.filter(match=review.match, ply=row.ply).exists()


def test_the_newest_comes_first_and_what_another_judge_has_judged_is_not_looked_at(toy, monkeypatch):
    reviews = [reviewed(over(toy, seed=seed)) for seed in (1, 2)]
    Analysis.objects.filter(pk=reviews[1].pk).update(version="toy-0/1.48")
    monkeypatch.setattr(gathering, "thinker", Beside())
    gathering.gather(NOW)
    assert [row.analysis for row in DeckGathering.objects.all()] == [reviews[1]] and gathering.thinker.calls == 0
    gathering.gather(NOW)
    assert DeckGathering.objects.count() == 2


def test_a_guided_game_makes_no_cards(toy, rewriting):
    review = waiting(toy)
    Match.objects.update(guided=True)
    gathering.gather(NOW)
    assert DeckGathering.objects.filter(analysis=review).exists() and not DeckCard.objects.exists()


def test_a_full_deck_gets_no_more(toy, monkeypatch):
    monkeypatch.setattr(deck, "MOST_WAITING", 1)
    filled(toy, NOW, least=3)
    assert len(cards()) == len(cards("bob")) == 1
    DeckCard.objects.update(step=len(deck.DAYS))
    DeckGathering.objects.all().delete()
    gather_all(NOW)
    assert len(cards()) == 2


def test_whoever_switches_it_off_while_it_is_looked_at_gets_none(toy, monkeypatch):
    waiting(toy)
    monkeypatch.setattr(gathering, "thinker", Beside(then=lambda: deck.switch(person("ann"), False)))
    gathering.gather(NOW)
    assert gathering.thinker.calls and cards() == []


def test_cards_whose_games_nothing_judges_any_more_go(toy, monkeypatch):
    filled(toy, NOW, least=2)
    known = cards()[0]
    DeckCard.objects.filter(pk=known.pk).update(step=len(deck.DAYS))
    before = DeckCard.objects.count()
    gathering.forget_unjudged(NOW)
    monkeypatch.setattr(type(toy), "expert", lambda *_: None)
    gathering.forget_unjudged(NOW + timedelta(minutes=1))
    assert DeckCard.objects.count() == before > 1
    gathering.forget_unjudged(NOW)
    assert DeckCard.objects.get() == known


def test_who_has_silenced_it_or_is_banned_is_not_rung(toy):
    match, day = over(toy, "ann", "bob"), deck.today(NOW)
    card_at(match, 0, "ann", day), card_at(match, 1, "bob", day)
    User.objects.filter(username="ann").update(silenced=["deck"])
    User.objects.filter(username="bob").update(is_active=False)
    rung = []

    def hear(**told):
        rung.append(told)

    notices_changed.connect(hear)
    try:
        deck.tell(NOW)
        assert not any(told["users"] for told in rung) and not Notice.objects.exists()
        User.objects.update(silenced=[], is_active=True)
        deck.tell(NOW)
        assert Notice.objects.count() == 2
    finally:
        notices_changed.disconnect(hear)


def test_a_known_card_does_not_move_and_only_what_is_due_is_postponed(toy):
    day = deck.today(NOW)
    card = card_at(over(toy), 0, "ann", day + DAY)
    deck.postpone(card, day)
    assert cards()[0].due_on == day + DAY
    DeckCard.objects.update(step=len(deck.DAYS), due_on=day)
    [card] = cards()
    deck.postpone(card, day)
    assert deck.answer(card, pick(card, False), day) is not None
    [after] = cards()
    assert (after.step, after.due_on, after.answer) == (len(deck.DAYS), day, "")
