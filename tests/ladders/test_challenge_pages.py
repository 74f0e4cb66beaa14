"""Challenges as pages: the form of a new one, its terms, the answers to it, and what came of it."""

import re
from datetime import UTC

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.web.refused import Refused
from games.engine.registry import title
from games.ladders import challenges, events
from games.ladders.forms import challenge as challenge_forms
from games.ladders.models import Challenge
from games.ladders.rules import Rules
from games.ladders.terms import Terms
from games.matches.clocks import Clock, instant, ms_of
from games.matches.models import Match
from tests.clubs.clubs import DAILY, DAY, agreed, club_of, ended, met, order
from tests.ladders.ladder_pages import HOUR, accepts, challenge, club, revision, row
from tests.people import person
from tests.reading import messages, text

pytestmark = [pytest.mark.django_db, pytest.mark.once]
FORM = {"seats": "2", "pace": "daily", "days": "1", "preset": "rulebook"}
LIVE = FORM | {"pace": "live", "time": "10+15", "begins": "now"}
CUSTOM = {"start_die": 2, "default_on_purpose": False}
CHOOSES = Rules(drawn=False)
LONG = tuple(f"p{number:02}" for number in range(1, 16))


def typed(moment):
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M")


@pytest.fixture
def ladder(now):
    return club(now)


def form_of(ladder, name):
    return f"{ladder.get_absolute_url()}/challenge?to={name}"


# A new one


def test_a_challenge_by_correspondence_is_made_and_leads_to_its_page(at, ladder):
    answer = at("gus").post(form_of(ladder, "fay"), FORM | {"preset": "german"})
    made = Challenge.objects.get()
    assert answer.headers["Location"] == made.get_absolute_url()
    assert (made.pace, made.days, made.challenger.username) == ("daily", 1, "gus")
    assert made.options["dual_church"] == "both"
    assert [party.user.username for party in made.parties.all()] == ["gus", "fay"]
    page = text(at("fay").get(made.get_absolute_url()))
    assert "gus challenges fay" in page and "1 day a move" in page and "German" in page


def test_times_are_utc_without_a_script_and_what_a_script_sends_says_so_itself(at, now, ladder):
    first, second = (now + DAY).replace(second=0, microsecond=0), (now + 2 * DAY).replace(second=0, microsecond=0)
    times = {"time_0": typed(second), "time_1": first.isoformat().replace("+00:00", ".000Z"), "time_2": ""}
    at("gus").post(form_of(ladder, "fay"), LIVE | {"begins": "times"} | times)
    made = Challenge.objects.get()
    assert made.times == [ms_of(first), ms_of(second)]
    assert (made.bank_ms, made.increment_ms) == (600_000, 15_000)
    page = at("fay").get(made.get_absolute_url())
    assert f"{first:%H:%M} UTC" in text(page)
    assert "Times are UTC." in text(at("gus").get(form_of(ladder, "eve")))


def test_times_are_not_kept_for_a_game_that_needs_none(at, now, ladder):
    at("gus").post(form_of(ladder, "fay"), LIVE | {"time_0": typed(now + DAY)})
    assert Challenge.objects.get().times == []


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"begins": "times"}, "Suggest at least one time."),
        ({"begins": "times", "time_0": "soon"}, "Please enter a day and a time."),
        ({"begins": "times", "time_1": "2026-02-31T10:00"}, "Please enter a day and a time."),
        ({"begins": "times", "time_2": "2001-01-01T10:00"}, "Suggest a time within the next 10 days."),
        ({"begins": "times", "time_0": "9999-12-31T23:59-23:59"}, "Suggest a time within the next 10 days."),
        ({"begins": "times", "time_0": "0001-01-01T00:00+23:59"}, "Suggest a time within the next 10 days."),
        ({"time": "own", "minutes": "", "seconds": "5"}, "Please enter a whole number."),
        ({"time": "own", "minutes": "99", "seconds": "5"}, "At most 60."),
        ({"pace": "none"}, "Select a valid choice."),
        ({"preset": "roman"}, "Select a valid choice."),
        ({"seats": "5"}, "Select a valid choice."),
    ],
)
def test_impossible_terms_are_explained_and_the_input_is_kept(fields, says, at, ladder):
    sent = LIVE | {"seconds": "7"} | fields
    answer = at("gus").post(form_of(ladder, "fay"), sent)
    assert answer.status_code == 422 and says in text(answer), text(answer)
    assert not Challenge.objects.exists()
    html = answer.content.decode()
    for name in ("time_0", "time_1", "time_2", "seconds"):
        if sent.get(name):
            assert f'value="{sent[name]}"' in html, name
    if fields.get("time") == "own":
        assert '<option value="own" selected>' in html


def test_a_table_of_three_needs_somebody_who_may_be_invited(at, now):
    ladder = club(now, *LONG, rules=CHOOSES)
    page = at("p10").get(form_of(ladder, "p07"))
    invite = page.content.decode().partition('id="id_third"')[2].partition("</select>")[0]
    able = [name for name in LONG if f"· {name}" in invite]
    assert able == ["p02", "p03", "p04", "p05", "p06", "p08", "p09", "p11", "p12", "p13", "p14", "p15"]
    assert "3 · p03 (only at a table of four)" in text(page)
    assert "Too far from the others: at most 8 rungs between first and last. p01" in text(page)
    third = person("p12").pk
    assert at("p10").post(form_of(ladder, "p07"), FORM | {"seats": "3", "third": third}).status_code == 302
    assert [party.user.username for party in Challenge.objects.get().parties.all()] == ["p10", "p07", "p12"]


def test_whoever_stands_too_far_from_the_others_is_not_invited(at, now):
    ladder = club(now, *LONG, rules=CHOOSES)
    sent = FORM | {"seats": "3", "third": person("p03").pk}
    answer = at("p10").post(form_of(ladder, "p07"), sent)
    assert answer.status_code == 422
    assert (
        "p03 is too far from the others: at a table of 3, the first and the last can be at most 6 rungs apart."
        in text(answer)
    )
    assert f'<option value="{person("p03").pk}" selected>' in answer.content.decode()


def test_whoever_has_met_another_one_of_the_table_lately_is_not_invited(at, now):
    ladder = club(now, *LONG, rules=CHOOSES)
    met(ladder, "p08", "p07", now=now - DAY, places=(2, 1))
    says = "Has met another player of this table within the last 7 days."
    assert f"p08 {says}" in text(at("p10").get(form_of(ladder, "p07")))
    answer = at("p10").post(form_of(ladder, "p07"), FORM | {"seats": "3", "third": person("p08").pk})
    assert answer.status_code == 422
    assert "p08 has met another player of this table within the last 7 days." in text(answer)


def test_nobody_sits_at_a_table_twice(at, now):
    ladder = club(now, *LONG, rules=CHOOSES)
    twice = FORM | {"seats": "4", "third": person("p08").pk, "fourth": person("p08").pk}
    answer = at("p10").post(form_of(ladder, "p07"), twice)
    assert answer.status_code == 422 and "p08 can’t sit at the same table twice." in text(answer)


def test_who_is_invited_is_chosen_from_those_who_can_be(at, now):
    ladder = club(now, *LONG, rules=CHOOSES)
    for third, says in (("", "Choose who to invite."), ("99999", "Select a valid choice.")):
        answer = at("p10").post(form_of(ladder, "p07"), FORM | {"seats": "3", "third": third})
        assert answer.status_code == 422 and says in text(answer)


def test_nobody_chooses_friends_for_a_table_of_three(at, now):
    ladder = club(now, *LONG)
    page = at("p10").get(form_of(ladder, "p07"))
    assert "Who joins you and p07 is drawn at random" in text(page) and 'name="third"' not in page.content.decode()
    chosen, company = person("p09").pk, set()
    for name in ("p06", "p07", "p08", "p09"):
        answer = at("p10").post(form_of(ladder, name), FORM | {"seats": "3", "third": chosen})
        assert answer.status_code == 302
        made = Challenge.objects.get()
        challenger, first, third = (party.user.username for party in made.parties.all())
        assert (challenger, first) == ("p10", name) and third not in ("p10", name)
        company.add(third)
        Challenge.objects.all().delete()
    assert company != {"p09"}


def test_a_table_for_which_there_are_not_enough_is_refused(now):
    ladder = club(now, "ann", "bob", "dan")
    with pytest.raises(Refused, match="There aren’t enough players who could join you at a table of 4"):
        challenges.challenge(ladder, person("dan"), [person("ann")], DAILY, now, 4)
    with pytest.raises(Refused, match="bob is below you"):
        challenges.challenge(ladder, person("ann"), [person("bob")], DAILY, now, 3)
    assert not Challenge.objects.exists()


# The terms of the ladder


STRICT = Rules(
    sizes=(3,), clocks=("15+20", "1d"), usual_clock="15+20", presets=("german", "persian"), usual_preset="persian"
)


def test_a_challenge_by_the_terms_of_the_ladder_is_two_clicks(at, now):
    ladder = club(now, rules=STRICT)
    row_of_fay = row(at("gus").get(ladder.get_absolute_url()), "fay")
    (address,) = re.findall(r'<a class="button small"\s+href="([^"]+)"', row_of_fay)
    page = at("gus").get(address)
    fields = dict(re.findall(r'<input type="radio" name="(\w+)" value="([^"]*)"[^>]*checked', page.content.decode()))
    options = re.findall(r'<option value="([^"]*)"( selected)?>', page.content.decode())
    assert {name for name, _ in options} >= {"15+20", "german", "persian"}
    assert not {name for name, _ in options} & {"5+10", "10+15", "own", "rulebook", "custom"}
    time, preset = (name for name, on in options if on and name in ("15+20", "german", "persian"))
    answer = at("gus").post(address, fields | {"time": time, "preset": preset})
    made = Challenge.objects.get()
    assert answer.headers["Location"] == made.get_absolute_url()
    assert (made.parties.count(), made.bank_ms, made.pace) == (3, 900_000, "live")
    assert made.options == made.rules.preset("persian")


@pytest.mark.parametrize(
    ("terms", "seats", "says"),
    [
        (Terms(Clock.live(15, 20)), 2, "This ladder has no tables of this size."),
        (Terms(), 3, "This ladder isn’t played with this clock: 10 min + 15 s a move."),
        (Terms(Clock.live(1, 0)), 3, "isn’t played with this clock: Custom minutes and seconds."),
        (DAILY, 3, "This ladder isn’t played by these rules."),
        (DAILY._replace(options=CUSTOM), 3, "This ladder isn’t played by these rules."),
    ],
)
def test_terms_that_the_ladder_does_not_have_are_refused(terms, seats, says, now):
    ladder = club(now, rules=STRICT)
    with pytest.raises(Refused, match=re.escape(says)):
        challenges.challenge(ladder, person("gus"), [person("fay")], terms, now, seats)
    made = challenges.challenge(
        ladder, person("gus"), [person("fay")], DAILY._replace(options=title().preset("german")), now, 3
    )
    if seats == 3:
        with pytest.raises(Refused, match=re.escape(says)):
            challenges.counter(made, person("fay"), terms, now)


def test_a_form_of_other_terms_offers_only_what_its_table_can_end_in_time(at, now):
    ladder = club(now, rules=Rules(finish_days=12))
    for others, days in ((("fay",), ["1", "3"]), (("eve", "dan"), ["1"])):
        made = challenge(ladder, "gus", *others, now=now)
        html = at(others[0]).get(made.get_absolute_url()).content.decode()
        assert re.findall(r'name="days" value="(\d)"', html) == days


def test_whoever_has_no_business_here_gets_no_form(at, ladder):
    address = form_of(ladder, "fay")
    assert (
        at().get(address).headers["Location"].startswith("/sign-up?next=%2Fc%2Fst-gall%2Fladders%2F1%2Fchallenge%3Fto")
    )
    assert at().post(address, FORM).headers["Location"].startswith("/sign-up?")
    assert "You aren’t on the ladder." in text(at("cho").get(address))
    assert at("cho").post(address, FORM).status_code == 422
    for name in ("", "nobody", "%00", "x" * 3000):
        assert at("gus").get(form_of(ladder, name)).status_code == 404
    assert not Challenge.objects.exists()


def test_it_is_found_quickly_who_can_be_invited_on_a_long_ladder(now):
    ladder = club(now, *(f"p{number:03}" for number in range(1, 61)), rules=Rules(reach_a_seat=20))
    situation = events.situation(ladder, now)
    names = {player: str(player) for player in situation.standing.players}
    found = challenge_forms.guests(situation, ladder.game_rules, person("p060").pk, person("p020").pk, names)
    assert len(found.free) == 58


# Its page


@pytest.fixture
def open_one(ladder, now):
    return challenge(ladder, "gus", "fay", now=now - HOUR)


def test_members_and_visitors_read_a_challenge_but_have_no_buttons(at, open_one):
    for name in ("", "cho", "ann"):
        page = at(name).get(open_one.get_absolute_url())
        main = page.content.decode().partition("<main")[2].partition("</main>")[0]
        assert page.status_code == 200 and "must answer" in main and "<form" not in main, name
    for name, buttons in (("fay", {"accept", "decline", "counter"}), ("gus", {"withdraw"})):
        html = at(name).get(open_one.get_absolute_url()).content.decode()
        whats = ("accept", "decline", "counter", "withdraw", "table")
        assert {what for what in whats if f"{open_one.get_absolute_url()}/{what}" in html} == buttons


def test_challenges_of_a_private_club_are_not_for_others(at, now):
    ladder = club(now, private=True)
    made = challenge(ladder, "gus", "fay", now=now)
    for name in ("", "cho"):
        assert at(name).get(made.get_absolute_url()).status_code == 404
        for what in ("accept", "decline", "withdraw", "counter", "table"):
            assert at(name).post(f"{made.get_absolute_url()}/{what}").status_code == 404
    assert at("ann").get(made.get_absolute_url()).status_code == 200


def test_a_challenge_is_found_under_its_own_club_only(at, now, open_one):
    other = club_of("ann", "bob", slug="other", now=now)
    assert at("ann").get(f"{other.get_absolute_url()}/challenges/{open_one.pk}").status_code == 404
    assert at("ann").get(f"{other.get_absolute_url()}/challenges/{10**30}").status_code == 404


@pytest.mark.parametrize("what", ["accept", "decline", "withdraw", "counter", "table"])
def test_an_outsider_changes_nothing(what, at, open_one):
    address = f"{open_one.get_absolute_url()}/{what}"
    assert at("cho").post(address, FORM).status_code in (302, 422)
    assert at().post(address, FORM).headers["Location"].startswith("/sign-up?")
    assert at("fay").get(address).status_code == 405
    open_one.refresh_from_db()
    assert open_one.status == "open" and open_one.match is None
    assert [party.agrees for party in open_one.parties.all()] == [True, False]


def test_to_accept_a_correspondence_game_leads_to_its_table(at, open_one):
    answer = accepts(at("fay"), open_one)
    match = Match.objects.get(challenge=open_one)
    assert answer.headers["Location"] == match.get_absolute_url() and match.status == "running"
    again = at("fay").post(f"{open_one.get_absolute_url()}/accept")
    assert again.headers["Location"] == open_one.get_absolute_url()
    assert messages(again) == ["This challenge is no longer waiting for an answer."]
    page = text(at("cho").get(open_one.get_absolute_url()))
    assert "Being played" in page and "To count, the game must be over by" in page


def test_both_know_what_decides_when_the_time_is_up(at, now, ladder):
    rule = "If the game isn’t over by then, whoever left it is at fault, and so is whoever has used more than"
    made = challenge(ladder, "gus", "fay", now=now - 30 * HOUR)
    page = text(at("fay").get(made.get_absolute_url()))
    assert rule in page and "within 10 days of being agreed" in page and "used" not in page.partition("Terms")[0]
    challenges.accept(made, person("fay"), now - 29 * HOUR)
    match = Match.objects.playing().get(challenge=made)
    mover = match.sitting[match.mover].user.username
    for name in ("", "gus", "fay"):
        page = at(name).get(made.get_absolute_url())
        used = re.findall(r"(gus|fay) rung \d (.*?) used", text(page))
        assert dict(used) == {"gus": "0 min", "fay": "0 min"} | {mover: "1 d 5 h"}
        assert rule in text(page)
    ended(made, 1, 2, now=now)
    page = text(at("fay").get(made.get_absolute_url()))
    assert rule not in page and "min used" not in page


def test_one_of_the_suggested_times_is_chosen(at, ladder, now):
    soon, later = ms_of(now + HOUR), ms_of(now + DAY)
    made = challenge(ladder, "gus", "fay", now=now - HOUR, terms=Terms(times=(soon, later)))
    assert at("fay").get(made.get_absolute_url()).content.decode().count('name="time" id=') == 2
    for wrong in ({}, {"time": "1"}, {"time": "x"}, {"time": "9" * 40}, {"time": "²"}):
        assert messages(accepts(at("fay"), made, **wrong)) == ["Choose one of the suggested times."]
    accepts(at("fay"), made, time=later)
    made.refresh_from_db()
    assert (made.status, made.starts_at) == ("agreed", instant(later))
    assert "The game begins automatically, with all clocks" in text(at("fay").get(made.get_absolute_url()))


def test_times_that_have_gone_by_cannot_be_chosen(at, ladder, now):
    terms = Terms(times=(ms_of(now - 2 * HOUR), ms_of(now - HOUR)))
    made = challenge(ladder, "gus", "fay", now=now - 3 * HOUR, terms=terms)
    page = at("fay").get(made.get_absolute_url())
    assert "The suggested times have passed. Propose others below." in text(page)
    assert "/accept" not in page.content.decode() and "/decline" in page.content.decode()
    terms = Terms(times=(ms_of(now - 2 * HOUR), ms_of(now + HOUR)))
    made = challenge(ladder, "gus", "eve", now=now - 3 * HOUR, terms=terms)
    html = at("eve").get(made.get_absolute_url()).content.decode()
    assert html.count('name="time"') == 3 and len(re.findall(r"required\s+disabled", html)) == 1


@pytest.mark.parametrize(
    ("yields", "says"),
    [
        (True, "If you decline, or don’t answer: You: rung 5 → 6 and 1 other gus 6 → 5"),
        (False, "If you decline, no one moves."),
    ],
)
def test_before_one_declines_one_reads_what_it_costs(yields, says, at, now):
    ladder = club(now, rules=Rules(decline_yields=yields))
    made = challenge(ladder, "gus", "fay", now=now)
    page = text(at("fay").get(made.get_absolute_url()))
    assert says in page and page.count("answer: You: rung 5 → 6 and 1 other gus 6 → 5") == 1
    at("fay").post(f"{made.get_absolute_url()}/decline")
    assert order(ladder)[4:6] == (["gus", "fay"] if yields else ["fay", "gus"])
    after = text(at("cho").get(made.get_absolute_url()))
    assert "fay declined gus’s challenge." in after
    assert ("gus: rung 6 → 5 and 1 other fay 5 → 6" in after) == yields


def test_a_challenge_is_withdrawn(at, open_one, now):
    assert at("fay").post(f"{open_one.get_absolute_url()}/withdraw").status_code == 302
    open_one.refresh_from_db()
    assert open_one.status == "open"
    assert "it’s as if you hadn’t made this challenge" in text(at("gus").get(open_one.get_absolute_url()))
    at("gus").post(f"{open_one.get_absolute_url()}/withdraw")
    assert "gus withdrew their challenge to fay." in text(at("ann").get(open_one.get_absolute_url()))
    again = challenge(open_one.ladder, "gus", "fay", now=now)
    assert "If you withdraw, you can’t meet again for 7 days." in text(at("gus").get(again.get_absolute_url()))


def test_other_terms_are_proposed_in_the_same_form(at, open_one):
    page = at("fay").get(open_one.get_absolute_url()).content.decode()
    assert 'name="pace" value="daily"' in page and "checked" in page.partition('value="daily"')[2][:60]
    address = f"{open_one.get_absolute_url()}/counter"
    wrong = at("fay").post(address, LIVE | {"begins": "times", "time_0": "2001-01-01T10:00"})
    assert wrong.status_code == 422 and 'value="2001-01-01T10:00"' in wrong.content.decode()
    at("fay").post(address, LIVE | {"preset": "persian"})
    open_one.refresh_from_db()
    assert (open_one.pace, open_one.proposed_by.username) == ("live", "fay")
    gus = at("gus").get(open_one.get_absolute_url())
    assert "Your answer" in text(gus) and "If you don’t answer, it counts as withdrawn." in text(gus)
    # They withdraw instead of declining: it is their own.
    assert "/decline" not in gus.content.decode() and "/withdraw" in gus.content.decode()
    answer = accepts(at("gus"), open_one)
    assert answer.headers["Location"].startswith("/m/")


def test_nobody_accepts_terms_that_they_were_not_shown(at, now, ladder, open_one):
    row = revision(at("fay").get(ladder.get_absolute_url()))
    page = revision(at("fay").get(open_one.get_absolute_url()))
    challenges.counter(open_one, person("fay"), DAILY, now)
    challenges.counter(open_one, person("gus"), Terms(options={"start_die": 2}), now)
    for stale in (row, page, "", "x" * 3000, "²"):
        refused = at("fay").post(f"{open_one.get_absolute_url()}/accept", {"revision": stale}, follow=True)
        assert refused.redirect_chain == [(open_one.get_absolute_url(), 302)], "to the terms as they are now"
        assert "The terms have changed: look at them again." in text(refused)
        assert "10 min + 15 s" in text(refused) and "1 day a move" not in text(refused).partition("Terms")[2]
    assert at("fay").post(f"{open_one.get_absolute_url()}/accept").status_code == 302
    open_one.refresh_from_db()
    assert open_one.status == "open" and not Match.objects.exists()
    assert accepts(at("fay"), open_one).headers["Location"].startswith("/m/")


def test_a_row_of_the_ladder_shows_all_that_is_accepted_there(at, now, ladder, open_one):
    page = at("fay").get(ladder.get_absolute_url())
    assert "2 players, 1 day a move, Rulebook" in text(page)
    answer = at("fay").post(f"{open_one.get_absolute_url()}/accept", {"revision": revision(page)})
    assert answer.headers["Location"].startswith("/m/")
    challenge(ladder, "hal", "eve", now=now, terms=DAILY._replace(options=CUSTOM))
    assert "/accept" not in at("eve").get(ladder.get_absolute_url()).content.decode(), "rules of their own"


def test_who_is_too_late_to_propose_other_terms_is_told(at, now, ladder):
    made = challenge(ladder, "gus", "fay", now=now - 4 * DAY)
    Challenge.objects.update(answer_by=now + DAY)
    page = text(at("fay").post(f"{made.get_absolute_url()}/counter", FORM))
    assert "It’s too late to propose other terms. Accept or decline." in page


def test_a_table_that_has_closed_is_opened_again(at, ladder, now):
    made = agreed(ladder, "gus", "fay", now=now - HOUR, terms=Terms())
    assert "The table is open." in text(at("gus").get(made.get_absolute_url()))
    Match.objects.filter(pk=made.match.pk).update(status="closed")
    assert "Open the table" in text(at("gus").get(made.get_absolute_url()))
    answer = at("gus").post(f"{made.get_absolute_url()}/table")
    made.refresh_from_db()
    assert answer.headers["Location"] == made.match.get_absolute_url() and made.match.status == "open"
    assert messages(at("ann").post(f"{made.get_absolute_url()}/table")) == [
        "Only the players of this challenge can open its table."
    ]


def test_after_the_game_the_page_tells_the_result_and_what_moved(at, ladder, now):
    made = ended(agreed(ladder, "gus", "eve", now=now - 2 * HOUR), 1, 2, now=now - HOUR)
    page = text(at().get(made.get_absolute_url()))
    assert "gus beat eve." in page and "gus: rung 6 → 4 and 2 others" in page and "fay 5 → 6" in page


def test_terms_become_the_fields_of_the_form_and_back(now):
    ladder = club(now)
    for terms in (
        DAILY,
        Terms(Clock.live(7, 3), times=(ms_of((now + DAY).replace(second=0, microsecond=0)),)),
        Terms(options={"start_die": 2, "default_on_purpose": False}),
    ):
        made = challenge(ladder, "gus", "fay", now=now, terms=terms)
        initial = challenge_forms.initial_of(made)
        form = challenge_forms.TermsForm(initial, game=made.rules, now=now, rules=Rules(), players=2)
        assert form.is_valid(), form.errors
        challenges.withdraw(made, person("gus"), now - 8 * DAY)
        again = challenge(ladder, "gus", "fay", now=now, terms=form.terms())
        for name in ("clock", "options", "times"):
            assert getattr(again, name) == getattr(made, name)
        challenges.withdraw(again, person("gus"), now - 8 * DAY)


def test_the_page_asks_the_same_on_a_short_and_on_a_long_ladder(at, now):
    def cost(made, name):
        client = at(name)
        for _ in range(2):
            with CaptureQueriesContext(connection) as context:
                assert client.get(made.get_absolute_url()).status_code == 200
        return len(context)

    few = challenge(club(now, "ann", "bob", "dan", slug="few"), "dan", "ann", now=now)
    many = club(now, *LONG, slug="many")
    for number in range(2, 15, 2):
        challenge(many, f"p{number:02}", f"p{number - 1:02}", now=now)
    one = challenge(many, "p15", "p13", now=now)
    assert cost(few, "ann") == cost(one, "p13")
    assert cost(few, "") == cost(one, "")
