"""Once a deal is over its page tells the decisions in which the tables differed most: never before, to whom the results
are told, and without those who have left."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import services as accounts
from accounts.models import Club, Notice
from games.deck import gathering
from games.engine.registry import title
from games.matches import access, history, play, thinking
from games.matches.clocks import now_ms
from games.matches.models import LogEntry, Match
from games.tournaments import differing, duplicate, services
from games.tournaments.models import DealDifferences, Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import club_of
from tests.deck.decks import Beside
from tests.matches.matches import rushed
from tests.people import person
from tests.reading import text
from tests.tournaments.deals import Kind, matches

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NOW = timezone.now()
HEAD = "Where the tables differed"
SOON = "are being looked for"


@pytest.fixture(autouse=True)
def beside(monkeypatch):
    monkeypatch.setattr(gathering, "thinker", Beside())


def week(toy, offers, private=False):
    """A deal of the week in which these people offer so much at once, and do anything afterwards."""
    club = club_of(*(offers or ["ann"]), season=False, private=private, now=NOW).club
    terms = GameTerms(seats=2)
    deal = duplicate.create(club, person(next(iter(offers), "ann")), Kind.DEAL, "Deal", terms, NOW, game=toy)
    for name, offer in offers.items():
        match = access.find(duplicate.play(deal, person(name), NOW).key)
        play.play(match, 0, 0, [f"offer {offer}"], LogEntry.By.PLAYER, now_ms())
        rushed(access.find(match.key))
    return deal


def over(toy, offers, **club):
    """The same, over."""
    deal = week(toy, offers, **club)
    services.close(deal, person("ann"), timezone.now())
    return Tournament.objects.get(pk=deal.pk)


def page(client, deal, name=""):
    client.logout()
    if name:
        client.force_login(person(name))
    return client.get(deal.get_absolute_url())


def test_after_the_close_the_page_tells_who_did_what_with_ways_into_the_reviews(client, toy):
    deal = over(toy, {"ann": 20, "bob": 300, "cho": 20})
    assert SOON in text(page(client, deal, "ann")) and HEAD not in text(page(client, deal, "ann"))
    differing.look(NOW)
    answer = page(client, deal, "ann")
    said = text(answer)
    assert HEAD in said and SOON not in said and "in 100" in said and "toy-1/" in said
    assert "Seat 1" in said
    for match in matches(deal, 0) + matches(deal, 1) + matches(deal, 2):
        assert f'{match.get_absolute_url()}/0?as=0"' in answer.content.decode()
        assert client.get(f"{match.get_absolute_url()}/0?as=0").status_code == 200
    [first] = [it for it in DealDifferences.objects.get().questions if len(it["answers"][0]["given"]) == 2]
    assert [it["text"] for it in first["answers"]] == ["offer 20", "offer 300"]
    assert len(DealDifferences.objects.get().questions) <= 3


def test_nothing_is_looked_at_or_told_before_the_close(client, toy):
    deal = week(toy, {"ann": 20, "bob": 300})
    differing.look(NOW)
    assert not DealDifferences.objects.exists()
    said = text(page(client, deal, "ann"))
    assert HEAD not in said and SOON not in said
    # Not even if there were a row.
    given = [[match.key, 0] for match in matches(deal, 0) + matches(deal, 1)]
    answers = [{"text": f"offer {at}", "share": None, "given": [it]} for at, it in enumerate(given)]
    DealDifferences.objects.create(tournament=deal, questions=[{"deal": 0, "seat": 0, "answers": answers}])
    assert HEAD not in text(page(client, deal, "ann"))


def test_who_may_see_the_games_of_a_private_club_sees_them_and_nobody_else(client, toy):
    deal = over(toy, {"ann": 20, "bob": 300}, private=True)
    differing.look(NOW)
    assert HEAD in text(page(client, deal, "bob"))
    for name in ("cho", ""):
        assert page(client, deal, name).status_code == 404
    Club.objects.update(private=False)  # its games stay closed: neither who did what in them, nor that it will come
    for name in ("cho", ""):
        assert HEAD not in text(page(client, deal, name)) and "The deal" in text(page(client, deal, name))
    assert HEAD in text(page(client, deal, "bob"))
    DealDifferences.objects.all().delete()
    assert SOON in text(page(client, deal, "bob")) and SOON not in text(page(client, deal, "cho"))


def test_one_table_alone_is_compared_with_nothing(client, toy):
    deal = over(toy, {"ann": 20})
    assert not Notice.objects.filter(kind="deal-over").exists() and SOON not in text(page(client, deal, "ann"))
    differing.look(NOW)
    assert DealDifferences.objects.get().questions == [] and HEAD not in text(page(client, deal, "ann"))


def test_the_end_is_told_with_what_will_be_there(client, toy):
    over(toy, {"ann": 20, "bob": 300})
    assert set(Notice.objects.filter(kind="deal-over").values_list("user", flat=True)) == {
        person("ann").pk,
        person("bob").pk,
    }
    client.force_login(person("bob"))
    assert "where its tables differed most" in text(client.get("/notices"))


def test_answers_of_closed_accounts_are_taken_out(client, toy):
    deal = over(toy, {"ann": 20, "bob": 300, "cho": 40})
    differing.look(NOW)
    assert "300" in text(page(client, deal, "ann")).partition(HEAD)[2]
    bob = person("bob")
    keys = {match.key for match in Match.objects.filter(seats__user=bob)}
    accounts.close(bob)
    accounts.close_due(timezone.now() + timedelta(days=99))
    given = [it["given"] for asked in DealDifferences.objects.get().questions for it in asked["answers"]]
    assert keys and not keys & {key for each in given for key, _ply in each}
    section = text(page(client, deal, "ann")).partition(HEAD)[2].partition("The shares of the win")[0]
    assert "Seat 1 offers 300" not in section and "20" in section
    DealDifferences.objects.all().delete()
    differing.look(NOW)
    assert not keys & {
        key for it in DealDifferences.objects.get().questions for each in it["answers"] for key, _ in each["given"]
    }


def test_a_game_that_is_struck_out_is_told_no_more(client, toy):
    deal = over(toy, {"ann": 20, "bob": 300})
    differing.look(NOW)
    client.force_login(person("ann"))
    client.post(f"{deal.get_absolute_url()}/correct/2/1", {"reason": "They knew the cards."})
    assert HEAD not in text(page(client, deal, "ann"))


def test_where_nothing_judges_there_are_no_figures(client, toy, monkeypatch):
    monkeypatch.setattr(type(toy), "expert", lambda *asked: None)
    deal = over(toy, {"ann": 20, "bob": 300})
    differing.look(NOW)
    section = text(page(client, deal, "ann")).partition(HEAD)[2].partition("The deal")[0]
    assert "can’t be judged" in section and "in 100" not in section and "Seat 1" in section


def test_an_odd_match_or_event_stops_nobody(client, toy, rewriting, caplog):
    deal = over(toy, {"ann": 20, "bob": 300, "cho": 40, "dan": 60})
    odd, broken = matches(deal, 0)[0], matches(deal, 1)[0]
    rewriting("UPDATE games_match SET beginning = '{\"position\": 1}' WHERE id = %s", [odd.pk])
    rewriting("UPDATE games_logentry SET move = 'offer 301' WHERE match_id = %s AND ply = 2", [broken.pk])
    differing.look(NOW)
    questions = DealDifferences.objects.get().questions
    given = {key for asked in questions for it in asked["answers"] for key, _ply in it["given"]}
    assert len(given) == 2 and not given & {odd.key, broken.key}
    assert f"The match {odd.key} cannot be compared" in caplog.text
    rewriting("UPDATE games_logentry SET move = 'offer 301' WHERE ply = 0", [])
    history._replays.clear()
    history._recent.clear()
    assert HEAD not in text(page(client, deal, "ann"))
    DealDifferences.objects.all().delete()
    Tournament.objects.filter(pk=deal.pk).update(standing={})
    differing.look(NOW)
    assert DealDifferences.objects.get().questions == []


def test_what_computes_may_be_gone_or_the_worker_end(toy, monkeypatch):
    over(toy, {"ann": 20, "bob": 300})
    gathering.stopping.set()
    try:
        differing.look(NOW)
        assert not DealDifferences.objects.exists()
    finally:
        gathering.stopping.clear()
    monkeypatch.setattr(gathering, "thinker", Beside(thinking.Lost("gone")))
    differing.look(NOW)
    assert DealDifferences.objects.get().questions == []


def test_all_seats_of_an_event_with_several_deals_are_compared(client, toy):
    names = "ann", "bob", "dan", "eve"
    club = club_of(*names, season=False, now=NOW).club
    pairs = duplicate.create(club, person("ann"), Kind.DUPLICATE, "Pairs", GameTerms(seats=2), NOW, game=toy, rounds=2)
    for name in names:
        services.enter(pairs, person(name), NOW)
    for _round in range(2):
        duplicate.seat_everybody(pairs, person("ann"), NOW)
        for number, match in enumerate(matches(pairs)):
            rushed(match, seed=number)
    services.close(pairs, person("ann"), timezone.now())
    differing.look(NOW)
    questions = DealDifferences.objects.get().questions
    assert {it["seat"] for it in questions} == {0, 1} and len(questions) == 3
    said = text(page(client, pairs, "eve"))
    assert f"Deal {questions[0]['deal'] + 1}, seat {questions[0]['seat'] + 1}" in said


def test_tables_of_a_whole_game_meet_at_the_first_question(client):
    names = "ann", "bob", "dan", "eve"
    club = club_of(*names, season=False, now=NOW).club
    deal = duplicate.create(club, person("ann"), Kind.DEAL, "Deal", GameTerms(seats=2), NOW, game=title())
    for number, name in enumerate(names):
        rushed(access.find(duplicate.play(deal, person(name), NOW).key), seed=number)
    services.close(deal, person("ann"), timezone.now())
    differing.look(NOW)
    row = DealDifferences.objects.get()
    assert row.version and row.questions[0]["answers"][0]["share"]
    assert len({key for each in row.questions[0]["answers"] for key, _ply in each["given"]}) > 1
    assert HEAD in text(page(client, deal, "ann"))


def test_however_many_tables_differ_the_page_looks_at_few_games(client, toy):
    offers = {name: 20 + 10 * number for number, name in enumerate(["ann", "bob", "cho", "dan", "eve", "flo", "gus"])}
    deal = over(toy, offers)
    differing.look(NOW)
    page(client, deal, "ann")
    history._replays.clear()
    history._recent.clear()
    with CaptureQueriesContext(connection) as asked:
        said = text(client.get(deal.get_absolute_url())).partition(HEAD)[2]
    assert all(str(offer) in said for offer in offers.values())
    assert sum('FROM "games_logentry"' in it["sql"] for it in asked) <= 3
