"""The panel of a review: what stands there before, while and after the decisions are looked at."""

import re
from datetime import timedelta

import pytest

from accounts import services as accounts
from games.analysis import services
from games.analysis.models import Analysis, JudgedDecision
from games.analysis.page import DecisionsPanel, gain_text, outline, said, share_text
from games.analysis.working import claim
from games.engine.verdicts import Band
from games.matches import access, history, play
from games.matches.models import Match
from tests.analysis.analyses import over, reviewed
from tests.clubs.clubs import club_of
from tests.matches.matches import rushed, seated
from tests.people import person

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("static_files")]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def match(toy):
    """A game in which ann has offered everything for her first prize."""
    match = seated("ann", "bob", game=toy)
    play.play(match, 0, 0, ["offer 300"])
    return rushed(access.find(match.key), seed=3)


def panel(client, match, **query):
    answer = client.get(f"/m/{match.key}/decisions", query, headers=HTMX)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_panel_asks_waits_counts_and_tells(at, match, now):
    client = at("ann")
    review = client.get(f"/m/{match.key}/{match.ply}").content.decode()
    assert f'hx-post="/m/{match.key}/decisions/ask"' in review
    asked = client.post(f"/m/{match.key}/decisions/ask", headers=HTMX).content.decode()
    assert "waits to be looked at" in asked and 'hx-trigger="load delay:2s"' in asked
    analysis = claim(now)
    Analysis.objects.filter(pk=analysis.pk).update(total=9, done=4)
    assert "4 of 9 decisions" in panel(client, match) and "hx-post" not in panel(client, match)
    Analysis.objects.all().delete()
    row = reviewed(match).decisions.get(ply=0)
    row.clear, row.figures = True, row.figures | {"better": "offer 20", "reason": ["less", 20, 300]}
    row.save()
    told = panel(client, match)
    assert "load delay" not in told and "hx-post" not in told
    assert re.search(r"ann offers 300\.</span>\s*<b class=\"number\">[\d]+( to \d+)? in 100", told)
    assert (
        "ann offers 20." in told
        and f"manage.py judge {match.key} 0" in told
        and f'href="/m/{match.key}/0?as=0"' in told
    )
    assert "The prize isn’t worth that much." in told and "<polygon" in told and "better by" in told


def test_without_scripts_the_page_of_the_review_does_all_of_it(at, match):
    client = at("ann")
    answer = client.post(f"/m/{match.key}/decisions/ask")
    assert answer["Location"] == f"/m/{match.key}/{match.ply}#decisions"
    reviewed(match)
    page = client.get(f"/m/{match.key}/{match.ply}?decisions=all&seat=1").content.decode()
    rows = services.found(match).decisions.filter(seat=1)
    assert all(f"manage.py judge {match.key} {row.ply}<" in page for row in rows)


def test_the_panel_is_a_page_too(at, match):
    reviewed(match)
    page = at("ann").get(f"/m/{match.key}/decisions").content.decode()
    assert "<title>The decisions" in page and f'href="/m/{match.key}/{match.ply}"' in page


def test_ones_own_decisions_come_first_and_the_others_on_request(at, match):
    reviewed(match)
    for name, query, seat in (
        ("bob", {}, 1),
        ("ann", {}, 0),
        ("ann", {"seat": 1}, 1),
        ("cho", {}, 0),
        ("cho", {"seat": 7}, 0),
    ):
        shown = panel(at(name), match, decisions="all", **query)
        plies = [int(ply) for ply in re.findall(rf"judge {match.key} (\d+)<", shown)]
        assert plies == list(
            services.found(match).decisions.filter(seat=seat).order_by("ply").values_list("ply", flat=True)
        )


def test_at_most_four_are_named_and_the_worst_first(toy):
    found = reviewed(over(toy))
    rows = [found.decisions.first() for _ in range(6)]
    found.decisions.all().delete()
    for number, row in enumerate(rows):
        row.pk, row.ply, row.seat, row.clear, row.loss = None, number, 0, number != 5, 10 * number
    JudgedDecision.objects.bulk_create(rows)
    assert [row.loss for row in DecisionsPanel(found.match, person("ann")).mattering] == [40, 30, 20, 10]


def test_whoever_is_not_signed_in_is_asked_to_sign_up(at, match):
    review = at().get(f"/m/{match.key}/{match.ply}").content.decode()
    assert "Look at the decisions" in review and "hx-post" not in review
    assert at().post(f"/m/{match.key}/decisions/ask")["Location"].startswith("/sign-up")
    assert not Analysis.objects.exists()


def test_a_refusal_stands_in_the_panel(at, toy, match, at_most):
    at_most("analyses", 0)
    answer = at("ann").post(f"/m/{match.key}/decisions/ask", headers=HTMX)
    assert answer.status_code == 429 and "many games looked at" in answer.content.decode()


def test_each_failure_has_its_sentence_and_can_be_tried_again(at, match, now):
    found = services.ask(match, person("ann"))
    for failure in Analysis.Failure:
        Analysis.objects.filter(pk=found.pk).update(status="failed", failure=failure)
        shown = panel(at("bob"), match)
        assert str(failure.label) in shown and "Look at the decisions" in shown


def test_a_review_by_an_older_judge_stays_and_offers_another(at, match):
    found = reviewed(match)
    Analysis.objects.filter(pk=found.pk).update(version="older")
    shown = panel(at("ann"), match)
    assert "there is a newer judge" in shown and "estimates by older" in shown


def test_while_a_newer_judge_looks_the_panel_says_so_beside_the_older_numbers(at, match, now):
    Analysis.objects.filter(pk=reviewed(match).pk).update(version="older")
    client = at("ann")
    asked = client.post(f"/m/{match.key}/decisions/ask", headers=HTMX).content.decode()
    assert "waits to be looked at" in asked and "estimates by older" in asked and "newer judge" not in asked
    newer = claim(now)
    Analysis.objects.filter(pk=newer.pk).update(total=9, done=4)
    shown = panel(client, match, seat=1, decisions="all")
    assert "4 of 9 decisions" in shown and "/decisions?seat=1&amp;decisions=all" in shown and "load delay:15s" in shown
    Analysis.objects.filter(pk=newer.pk).update(status="failed", failure="broken")
    shown = panel(client, match)
    assert str(Analysis.Failure.BROKEN.label) in shown and "estimates by older" in shown and "newer judge" in shown


def test_a_game_that_nothing_judges_has_no_panel(at, toy):
    match = over(toy, options={"rounds": 1})
    assert 'id="decisions"' not in at("ann").get(f"/m/{match.key}/{match.ply}").content.decode()
    running = seated("ann", "dan", game=toy)
    assert 'id="decisions"' not in at("ann").get(f"/m/{running.key}/0").content.decode()
    assert at("ann").get(f"/m/{running.key}/decisions").status_code == 404
    assert at("ann").post(f"/m/{running.key}/decisions/ask").status_code == 404


def test_the_decisions_of_a_private_club_or_a_hidden_game_are_nowhere(at, toy):
    club = club_of("ann", "bob", private=True, game=toy).club
    match = over(toy, watch=Match.Watch.CLUB, club=club)
    reviewed(match)
    for name in ("cho", ""):
        assert at(name).get(f"/m/{match.key}/decisions").status_code == 404
        assert at(name).post(f"/m/{match.key}/decisions/ask").status_code == 404
    assert "manage.py judge" in panel(at("bob"), match, decisions="all")
    Match.objects.filter(pk=match.pk).update(hidden=True)
    assert at("bob").get(f"/m/{match.key}/decisions").status_code == 404


def test_of_a_closed_account_there_is_nothing_to_see(at, match, now):
    reviewed(match)
    accounts.close(person("ann"))
    accounts.close_due(now + timedelta(days=99))
    shown = panel(at("cho"), match, seat=0, decisions="all")
    assert f"judge {match.key} 0<" not in shown and shown.count('href="/m/' + match.key) and "closed-" not in shown


@pytest.mark.parametrize(
    "luck, says",
    [
        ([[-640, 150], [640, 150]], "The cards favoured bob by about 6 wins in 100 games (± 3)."),
        ([[101, 40], [-101, 40]], "The cards favoured ann by about 1 win in 100 games (± 1)."),
        ([[640, 330], [-640, 330]], "The cards favoured nobody that one could tell."),
        ([], ""),
    ],
)
def test_whom_the_cards_favoured_is_one_sentence_where_that_is_more_than_its_error(at, match, luck, says):
    found = reviewed(match)
    assert "The cards favoured" in panel(at("ann"), match)
    found.courses["luck"] = luck
    found.save()
    told = panel(at("ann"), match)
    assert says in told and ("The cards favoured" in told) == bool(says) == (
        f"manage.py judge {match.key}</code>" in told
    )
    del found.courses["luck"]  # as an older judge left it
    found.save()
    assert "The cards favoured" not in panel(at("ann"), match)


def test_when_all_accounts_are_closed_it_says_why_there_is_nothing(at, match, now):
    reviewed(match)
    for name in ("ann", "bob"):
        services.forget(person(name))
    for shown in (panel(at("cho"), match), at("cho").get(f"/m/{match.key}/{match.ply}").content.decode()):
        assert "have been taken out" in shown and "Nobody had anything to decide" not in shown
    Analysis.objects.update(total=0)
    assert "Nobody had anything to decide" in panel(at("cho"), match)
    for name in ("ann", "bob"):
        accounts.close(person(name))
    accounts.close_due(now + timedelta(days=99))
    assert "have been taken out" in panel(at("cho"), match)


def test_answers_of_all_titles_are_said_in_words(game, ann):
    """Those that were not given, too: a sentence with the name, not the text of the log."""
    match = rushed(seated("ann", "bob", game=game))
    replay = history.replay(match)
    for ply in range(0, match.ply, 7):
        state = replay.state(ply)
        for move in state.legal()[:2]:
            text = said(match, ply, game.text(move))
            assert text and text != game.text(move) and "<" not in text and "{" not in text
            assert said(match, ply, game.text(move), state.seat)


def test_shares_are_bands():
    assert share_text(Band(5412, 5688)) == "54 to 57 in 100"
    assert share_text(Band(5412, 5420)) == "54 in 100"
    assert gain_text(Band(310, 520)) == "better by 3 to 5" and gain_text(Band(20, 120)) == "better by about 1"
    assert outline([0, 10], [Band(0, 10000), Band(5000, 5000)]) == "44,11 634,91 634,93 44,173"
