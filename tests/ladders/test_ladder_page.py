"""The page of a ladder: what everybody sees there, and what one does there oneself."""

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Block, Member, User
from accounts.people import following
from games.ladders import events as ladders
from games.ladders import leaving
from games.ladders.challenging import ChallengeRefusal
from games.ladders.models import Challenge
from games.ladders.pages import ladder as ladder_page
from games.ladders.rules import Rules
from games.ladders.terms import Terms
from games.ladders.words import rules as rule_words
from games.matches.clocks import ms_of
from tests.clubs.clubs import DAY, agreed, club_of, met, order, until
from tests.ladders.ladder_pages import HOUR, NAMES, challenge, club, row, shown
from tests.matches.matches import rushed
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once]


# Who stands where


def test_everybody_sees_the_rungs_of_a_public_club(at, now):
    ladder = club(now, "ann", "bob", "dan")
    met(ladder, "dan", "bob", now=now - DAY)
    for name in ("", "cho", "ann"):
        response = at(name).get(ladder.get_absolute_url())
        assert response.status_code == 200
        assert shown(response) == ["ann", "dan", "bob"]
    assert "1530?" in text(row(response, "dan")) and "1470?" in text(row(response, "bob"))
    assert "▲ 1" in text(row(response, "dan")) and "1 rung up in a week" in text(row(response, "dan"))
    assert "▼ 1" in text(row(response, "bob")) and "steady" in text(row(response, "ann"))
    assert '<i data-result="w" title="won">W</i>' in row(response, "dan")
    assert '<i data-result="l" title="lost">L</i>' in row(response, "bob")


def test_movement_is_what_the_events_of_a_week_come_to(now):
    ladder = club(now, "ann", "bob", "dan", "eve")
    met(ladder, "bob", "ann", now=now - 8 * DAY)
    met(ladder, "dan", "ann", now=now - 6 * DAY)
    met(ladder, "eve", "ann", now=now - 5 * DAY, places=(2, 1))
    ladders.join(ladder, add_member(ladder, "fay", now), now - DAY)
    ladder.refresh_from_db()
    page = ladder_page.context(ladder, person("ann"), now)
    assert [(rung.person.name, rung.moved, rung.new) for rung in page.rungs] == [
        ("bob", 0, False),
        ("dan", 1, False),
        ("ann", -1, False),
        ("eve", 0, False),
        ("fay", 0, True),
    ]


def add_member(ladder, name, now):
    Member.objects.create(club=ladder.club, user=person(name), joined_at=now)
    return person(name)


def test_a_private_club_shows_its_ladder_to_members_only(at, now):
    ladder = club(now, private=True)
    address = ladder.get_absolute_url()
    pages = [address, f"{address}/rules", f"{address}/challenge?to=bob", f"{address}?all=1"]
    for name, status in (("", 404), ("cho", 404), ("ann", 200)):
        assert [at(name).get(page).status_code for page in pages] == [status] * len(pages)
    for what in ("join", "leave", "vacation", "back"):
        assert at("cho").post(f"{address}/{what}").status_code == 404
        assert at().post(f"{address}/{what}").status_code == 404
    assert order(ladder) == list(NAMES)


def test_a_club_that_is_none_has_no_ladder(at):
    for slug in ("nowhere", "St-Gall", "a--b", "é"):
        assert at("ann").get(f"/c/{slug}/ladders/1").status_code == 404


def test_a_long_ladder_is_shown_around_oneself_and_whole_when_asked(at, now):
    names = [f"p{number:02}" for number in range(1, 62)]
    ladder = club(now, *names)
    address = ladder.get_absolute_url()

    assert shown(at("p20").get(address)) == names[:3] + names[11:28]
    assert shown(at("p12").get(address)) == names[:20]
    assert shown(at().get(address)) == names[:20]
    assert shown(at("p20").get(f"{address}?all=1")) == names
    told = text(at("p20").get(address))
    assert "Show 8 more rungs" in told and "Show 33 more rungs" in told
    assert "more rung" not in text(at("p20").get(f"{address}?all=1"))
    leaving.leave(ladder, person("p61"), now)
    assert shown(at("p20").get(address)) == names[:60], "sixty rungs are not long"


def test_what_stewards_set_and_undo_is_no_movement(now):
    ladder = club(now, "ann", "bob", "dan", "eve")
    met(ladder, "eve", "dan", now=now - 3 * DAY)
    ladders.correct(ladder, person("ann"), person("bob").pk, 1, "Plays well.", now - 2 * DAY)
    met(ladder, "dan", "ann", now=now - DAY)
    ladder.refresh_from_db()
    ladders.undo(ladder, person("ann"), ladder.log.filter(kind="result").last().number, "A mistake.", now)
    ladder.refresh_from_db()
    page = ladder_page.context(ladder, person("ann"), now)
    assert [(rung.person.name, rung.moved) for rung in page.rungs] == [("bob", 0), ("ann", 0), ("eve", 1), ("dan", -1)]


def test_a_soft_reset_is_no_movement(now):
    rules = Rules(soft_reset=True, season_weeks=4, rest_days=0, idle_days=365, time_costs_place=False, most_late=20)
    ladder = club(now, "ann", "bob", "dan", "eve", rules=rules)
    for day in range(5):
        met(ladder, "eve", "bob", "ann", places=(1, 3, 2), now=now - (29 - day) * DAY, late=["ann", "bob"])
    until(ladder, now)
    assert order(ladder) == ["ann", "eve", "dan", "bob"]
    page = ladder_page.context(ladder, person("ann"), now)
    assert {rung.moved for rung in page.rungs} == {0}


def test_whoever_is_going_to_sink_reads_when(at, now):
    ladder = club_of("ann", "bob", now=now - 20 * DAY)

    def told(name):
        ladder.refresh_from_db()
        sinks = ladder_page.context(ladder, person(name), now).place.sinks
        assert ("or you sink by one rung." in text(at(name).get(ladder.get_absolute_url()))) == bool(sinks)
        return sinks

    assert ms_of(told("ann")) == ms_of(now + DAY)
    assert told("bob") is None, "bob stands last"
    ladders.pause(ladder, person("ann"), now + 5 * DAY, now)
    assert told("ann") is None


def test_people_with_an_account_see_who_is_online_unless_they_hide_it(at, now, monkeypatch):
    ladder = club(now, "ann", "bob", "dan", "eve")
    monkeypatch.setattr(following, "_connected", lambda: {person(name).pk for name in ("ann", "bob", "dan", "eve")})
    User.objects.filter(username="dan").update(unseen=True)
    Block.objects.create(user=person("eve"), blocked=person("ann"))
    address = ladder.get_absolute_url()
    page = at("ann").get(address)
    assert [name for name in ("ann", "bob", "dan", "eve") if 'class="online"' in row(page, name)] == ["bob"]
    assert "1 online" in text(page)
    assert 'class="online"' not in at().get(address).content.decode()


def test_whoever_can_challenge_nobody_more_is_told_once(at, now):
    ladder = club(now)
    challenge(ladder, "gus", "eve", now=now)
    challenge(ladder, "gus", "dan", now=now)
    page = at("gus").get(ladder.get_absolute_url()).content.decode()
    told = "You have 2 open challenges, the maximum."
    assert told in page.partition('<ol class="ladder">')[0]
    assert f'class="why">{told}' not in page


def test_whoever_is_away_or_taken_off_is_marked(at, now):
    ladder = club(now, rules=Rules(most_late=1))
    ladders.vacation(ladder, person("ann"), now - DAY, now + 20 * DAY, now - DAY)
    met(ladder, "dan", "bob", now=now - DAY, late=["bob"])
    response = at().get(ladder.get_absolute_url())
    assert "away until" in text(row(response, "ann"))
    assert "taken off" in text(row(response, "bob"))
    assert row(response, "bob") in response.content.decode().partition("Off the ladder until they’re back")[2]
    assert "away" not in text(row(response, "dan"))


# Challenges before the click: every reason, shown and refused


def yourself(ladder, now):
    return "gus", "gus", "you"


def outsider(ladder, now):
    person("cho")
    return "cho", "ann", ""


def not_on_ladder(ladder, now):
    person("cho")
    return "gus", "cho", None


def season_over(ladder, now):
    ladders.end_season(ladder, person("ann"), now - HOUR)
    return "gus", "fay", "No season is running."


def paused(ladder, now):
    ladders.pause(ladder, person("ann"), now + 5 * DAY, now - HOUR)
    return "gus", "fay", "The ladder is paused until"


def you_away(ladder, now):
    ladders.vacation(ladder, person("gus"), now - HOUR, now + 5 * HOUR, now - HOUR)
    return "gus", "fay", "You’re on vacation until"


def you_off(ladder, now):
    ladders.set_rules(ladder, person("ann"), Rules(most_late=1), now - DAY)
    met(ladder, "gus", "fay", now=now - DAY, places=(2, 1), late=["gus"])
    return "gus", "dan", "You’re off the ladder until you say you’re back."


def away(ladder, now):
    ladders.vacation(ladder, person("fay"), now - HOUR, now + 2 * DAY, now - HOUR)
    return "gus", "fay", "On vacation until"


def off(ladder, now):
    ladders.set_rules(ladder, person("ann"), Rules(most_late=1), now - DAY)
    met(ladder, "hal", "fay", now=now - DAY, places=(1, 2), late=["fay"])
    return "gus", "fay", "Off the ladder and not back yet."


def below(ladder, now):
    return "gus", "hal", None


def too_high(ladder, now):
    return "gus", "ann", None


def playing(ladder, now):
    challenge(ladder, "gus", "fay", now=now)
    return "gus", "fay", "challenged"


def too_soon(ladder, now):
    met(ladder, "gus", "fay", now=now - 3 * DAY - 2 * HOUR, places=(2, 1))
    return "gus", "fay", "Your last challenge ended 3 days ago; you can meet again from"


def you_out(ladder, now):
    challenge(ladder, "gus", "eve", now=now)
    challenge(ladder, "gus", "dan", now=now)
    return "gus", "fay", "You have 2 open challenges, the maximum."


def they_in(ladder, now):
    ladders.set_rules(ladder, person("ann"), Rules(most_in=1), now - DAY)
    challenge(ladder, "gus", "fay", now=now)
    return "hal", "fay", "Already in 1 challenge by others."


REASONS = {
    yourself: (ChallengeRefusal.YOURSELF, "You can’t challenge yourself."),
    outsider: (ChallengeRefusal.OUTSIDER, "You aren’t on the ladder."),
    not_on_ladder: (ChallengeRefusal.NOT_ON_LADDER, "cho isn’t on the ladder."),
    season_over: (ChallengeRefusal.SEASON_OVER, "No season is running."),
    paused: (ChallengeRefusal.PAUSED, "The ladder is paused until"),
    you_away: (ChallengeRefusal.YOU_AWAY, "You’re on vacation until"),
    you_off: (ChallengeRefusal.YOU_OFF, "You’re off the ladder until you say you’re back."),
    away: (ChallengeRefusal.AWAY, "fay is on vacation until"),
    off: (ChallengeRefusal.OFF, "fay is off the ladder and not back yet."),
    below: (ChallengeRefusal.BELOW, "hal is below you. You can only challenge upward."),
    too_high: (ChallengeRefusal.TOO_HIGH, "ann is 5 rungs above you; at a table of 2 you reach 4."),
    playing: (ChallengeRefusal.PLAYING, "You and fay already have a challenge with each other."),
    too_soon: (ChallengeRefusal.TOO_SOON, "Your last challenge with fay was a short time ago; you can meet again from"),
    you_out: (ChallengeRefusal.YOU_OUT, "You have 2 open challenges, the maximum."),
    they_in: (ChallengeRefusal.THEY_IN, "fay is already in 1 challenge by others."),
}
AT_LARGER_TABLES = {ChallengeRefusal.TOO_FAR, ChallengeRefusal.THEY_MET}
"""Tried in test_challenge_pages."""


def test_every_reason_is_tried():
    assert {reason for reason, _ in REASONS.values()} | AT_LARGER_TABLES == set(ChallengeRefusal)


@pytest.mark.parametrize("arrange", REASONS, ids=lambda arrange: arrange.__name__)
def test_a_row_says_why_not_before_the_click_and_the_server_refuses_for_the_same_reason(arrange, at, now):
    ladder = club(now)
    me, other, shown = arrange(ladder, now)
    _reason, sentence = REASONS[arrange]
    address = f"{ladder.get_absolute_url()}/challenge?to={other}"
    made = Challenge.objects.count()

    page = at(me).get(ladder.get_absolute_url())
    if shown is not None:
        assert shown in text(row(page, other))
        assert "Challenge<" not in row(page, other)
    form = at(me).get(address)
    assert form.status_code == 200 and (sentence in text(form) or arrange is you_out), text(form)
    refused = at(me).post(address, {"seats": 2, "pace": "daily", "days": 1, "preset": "rulebook"})
    assert refused.status_code == 422 and sentence in text(refused)
    assert Challenge.objects.count() == made


def test_a_row_has_a_button_where_one_can_challenge_and_the_server_agrees(at, now):
    ladder = club(now)
    page = at("gus").get(ladder.get_absolute_url())
    can = [
        name
        for name in NAMES
        if "?to=" + name in row(page, name) and "button" in row(page, name).split("action-column")[1]
    ]
    assert can == ["bob", "dan", "eve", "fay"]
    for name in ("bob", "fay"):
        address = f"{ladder.get_absolute_url()}/challenge?to={name}"
        answer = at("gus").post(address, {"seats": 2, "pace": "daily", "days": 1, "preset": "rulebook"})
        assert answer.status_code == 302, text(answer)


def test_a_row_says_whose_challenge_one_is_in(at, now):
    ladder = club(now)
    challenge(ladder, "gus", "eve", "fay", now=now)
    address = ladder.get_absolute_url()
    eve = at("eve").get(address)
    assert "challenges you" in text(row(eve, "gus")) and "at one table" in text(row(eve, "fay"))
    gus = at("gus").get(address)
    assert "challenged" in text(row(gus, "eve")) and "challenged" in text(row(gus, "fay"))


def test_whoever_stands_too_high_for_a_game_of_two_may_be_in_reach_of_a_larger_table(at, now):
    ladder = club(now)
    page = at("gus").get(ladder.get_absolute_url())
    assert "Challenge at a larger table" in text(row(page, "ann")) and "?to=ann" in row(page, "ann")
    names = [f"p{number:02}" for number in range(1, 12)]
    long = club(now, *names, slug="long")
    page = at("p11").get(long.get_absolute_url())
    assert "Challenge at a table of four" in text(row(page, "p03"))
    assert "can" not in text(row(page, "p02"))


def test_visitors_and_members_off_the_ladder_see_what_they_may_do(at, now):
    ladder = club(now, "ann", "bob")
    address = ladder.get_absolute_url()
    assert "Sign up and join the club." in text(at().get(address))
    assert "To the club" in text(at("cho").get(address))
    add_member(ladder, "cho", now)
    page = at("cho").get(address)
    assert "on rung 3" in text(page) and "Join the ladder" in text(page)
    for name in ("", "cho"):
        assert "challenge?to=" not in at(name).get(address).content.decode()


# What one does there


def test_a_member_joins_at_the_bottom_and_leaves(at, now):
    ladder = club(now, "ann", "bob")
    add_member(ladder, "dan", now)
    address = ladder.get_absolute_url()
    assert at("dan").post(f"{address}/join").headers["Location"] == address
    assert order(ladder) == ["ann", "bob", "dan"]
    assert at("dan").post(f"{address}/leave").status_code == 302
    assert order(ladder) == ["ann", "bob"]
    again = at("dan").post(f"{address}/leave")
    assert [str(each) for each in get_messages(again.wsgi_request)] == ["You aren’t on the ladder."]


@pytest.mark.parametrize("what", ["join", "leave", "vacation", "back"])
def test_outsiders_change_nothing_and_visitors_are_asked_to_sign_up(what, at, now):
    ladder = club(now, "ann", "bob")
    address = ladder.get_absolute_url()
    events = ladder.log.count()
    assert at("cho").post(f"{address}/{what}", {"first": now.date(), "last": now.date()}).status_code in (302, 422)
    assert at().post(f"{address}/{what}").headers["Location"].startswith("/sign-up?")
    assert at("ann").get(f"{address}/{what}").status_code == 405
    assert ladder.log.count() == events


def test_a_vacation_is_announced_by_its_days_and_ended_by_coming_back(at, now):
    ladder = club(now, "ann", "bob")
    address = ladder.get_absolute_url()
    assert "21 days left" in text(at("ann").get(address))
    days = {"first": now.date().isoformat(), "last": (now + 6 * DAY).date().isoformat()}
    assert at("ann").post(f"{address}/vacation", days).status_code == 302
    ladder.refresh_from_db()
    begins, ends = ladder.now_standing().players[person("ann").pk].vacation
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    assert ends == ms_of(midnight + 7 * DAY) and ms_of(now) <= begins < ms_of(now + HOUR)
    page = text(at("ann").get(address))
    assert "You’re on vacation until" in page and "Announce a vacation" not in page
    assert at("ann").post(f"{address}/back").status_code == 302
    assert "Announce a vacation" in text(at("ann").get(address))


@pytest.mark.parametrize(
    ("first", "last", "says"),
    [
        ("", "", "Please enter the first and the last day."),
        ("2026-13-01", "2026-01-01", "Please enter the first and the last day."),
        ("9999-12-31", "9999-12-31", "Please enter the first and the last day."),
        (-1, 3, "The first day has passed."),
        (5, 3, "A vacation ends after it begins"),
        (0, 30, "You asked for 31 days of vacation, but only 21 days are left this season."),
    ],
)
def test_a_vacation_that_cannot_be_is_refused_and_what_was_typed_stays(first, last, says, at, now):
    ladder = club(now, "ann", "bob")
    first, last = [(now + day * DAY).date().isoformat() if isinstance(day, int) else day for day in (first, last)]
    answer = at("ann").post(f"{ladder.get_absolute_url()}/vacation", {"first": first, "last": last})
    assert answer.status_code == 422 and says in text(answer)
    for name, typed in (("first", first), ("last", last)):
        assert (f'name="{name}" value="{typed}"' if typed else f'name="{name}"') in answer.content.decode()


def test_whoever_was_taken_off_says_that_they_are_back(at, now):
    ladder = club(now, rules=Rules(most_late=1, time_costs_place=False))
    met(ladder, "dan", "bob", now=now - DAY, places=(1, 2), late=["bob"])
    page = text(at("bob").get(ladder.get_absolute_url()))
    assert "You’re off the ladder" in page and "Say you’re back to return on rung 7." in page
    at("bob").post(f"{ladder.get_absolute_url()}/back")
    assert order(ladder) == ["ann", "dan", "eve", "fay", "gus", "hal", "bob"]


# One's challenges


def test_challenges_are_listed_with_what_waits_for_oneself_first(at, now):
    ladder = club(now)
    challenge(ladder, "eve", "dan", now=now - HOUR)
    to_answer = challenge(ladder, "fay", "eve", now=now - 2 * HOUR)
    timed = challenge(ladder, "gus", "eve", now=now, terms=Terms(times=(ms_of(now + HOUR), ms_of(now + DAY))))
    page = ladder_page.context(ladder, person("eve"), now)
    assert [(line.state, [(rival.username, rung) for rival, rung in line.rivals]) for line in page.lines] == [
        ("answer", [("fay", 5)]),
        ("answer", [("gus", 6)]),
        ("waiting", [("dan", 3)]),
    ]
    assert page.waits == 2
    html = at("eve").get(ladder.get_absolute_url()).content.decode()
    assert f'formaction="{to_answer.get_absolute_url()}/accept"' in html
    assert f'formaction="{timed.get_absolute_url()}/accept"' not in html and "Choose a time" in html
    for name in ("", "ann", "hal"):
        assert "Your challenges" not in text(at(name).get(ladder.get_absolute_url()))


def test_agreed_games_show_their_time_or_lead_to_the_table(at, now):
    ladder = club(now)
    agreed(ladder, "gus", "fay", now=now - HOUR)
    terms = Terms(times=(ms_of(now + DAY),))
    agreed(ladder, "eve", "dan", now=now - HOUR, terms=terms)
    room = agreed(ladder, "hal", "eve", now=now - HOUR, terms=Terms())
    gus = at("gus").get(ladder.get_absolute_url())
    assert "Being played" in text(gus) and "being played" in text(row(gus, "fay"))
    eve = at("eve").get(ladder.get_absolute_url())
    assert "Agreed: begins automatically" in text(eve) and "The table is open" in text(eve)
    assert f'href="{room.match.get_absolute_url()}"' in eve.content.decode()


# Results


def test_a_result_tells_who_beat_whom_the_points_and_what_moved(at, now):
    ladder = club(now, "ann", "bob", "dan")
    made = agreed(ladder, "dan", "bob", now=now - HOUR)
    match = rushed(type(made.match).objects.playing().get(pk=made.match.pk))
    won = match.result["places"][0] == 1 and match.result["places"][1] == 2
    page = text(at().get(ladder.get_absolute_url()))
    points = sorted(match.result["points"], reverse=True)
    if won:
        assert f"dan beat bob {points[0]}–{points[1]} rung 3 → 2 review" in page
    assert f'href="/m/{match.key}"' in at().get(ladder.get_absolute_url()).content.decode()


def test_results_that_move_nothing_or_were_undone_say_so(at, now):
    ladder = club(now, "ann", "bob", "dan", "eve")
    met(ladder, "dan", "bob", now=now - DAY, places=(2, 1))
    met(ladder, "dan", "ann", now=now - DAY, places=(1, 1))
    met(ladder, "eve", "bob", now=now - DAY, places=(1, 2))
    ladder.refresh_from_db()
    ladders.undo(ladder, person("ann"), ladder.events - 1, "played by another", now)
    page = text(at().get(ladder.get_absolute_url()))
    assert "eve beat bob 9–8 undone by a steward" in page
    assert "dan and ann shared 9–9 same places" in page
    assert "bob beat dan, and stays ahead 9–8 same places" in page


# Rules and season


def test_the_rules_are_told_as_they_are_set(at, now):
    ladder = club(now)
    address = f"{ladder.get_absolute_url()}/rules"
    told = text(at().get(address))
    for words in ("up to 4 rungs above you", "has 3 days to accept", "over 10 days after", "same two rest for 7 days"):
        assert words in told
    for words in ("Declining counts as not answering.", "5 rungs lower", "no game for 21 days", "lasts 12 weeks"):
        assert words in told
    rules = Rules(
        reach=1, accept_days=1, finish_days=20, rest_days=0, decline_yields=False, time_costs_place=True, forfeit=1,
        idle_days=30, vacation_days=0, season_weeks=1, season_follows=False, soft_reset=True,
    )  # fmt: skip
    ladders.set_rules(ladder, person("ann"), rules, now)
    told = text(at().get(address))
    for words in ("up to 1 rung above you", "has 1 day to accept", "over 20 days after", "changes nothing."):
        assert words in told
    for words in ("lose the game, and their place", "no game for 30 days"):
        assert words in told
    for words in ("no vacations", "lasts 1 week.", "when a steward starts it", "halfway between"):
        assert words in told
    assert "at the earliest" not in told


def test_how_a_place_is_held_only_by_playing_is_told_as_it_is_set(at, now):
    ladder = club(now)
    address = f"{ladder.get_absolute_url()}/rules"
    told = text(at().get(address))
    optional = ("if to a table of 2, reaches up to the middle",)
    for words in (
        *optional, "go down 2 rungs, but never below the challenger", "started 3 days after", "on fewer than 2 days",
        "can challenge you to a table of 2 however many", "1 challenge a season can be withdrawn", "4 times at most",
    ):  # fmt: skip
        assert words in told
    assert "one rung only" not in told
    assert "lose the game, and their place" in told
    rules = Rules(
        sizes=(2, 3), placement=False, cheap_refusals=2, time_costs_place=False,
    )  # fmt: skip
    ladders.set_rules(ladder, person("ann"), rules, now)
    told = text(at().get(address))
    for words in ("The first 2 times within 30 days, it costs one rung only.", "but not their place"):
        assert words in told
    assert not [words for words in optional if words in told]


def test_the_examples_of_the_rules_are_worked_out_by_the_rules():
    after = {chapter: "".join(step.letter for step in each.after) for chapter, each in rule_words.examples().items()}
    assert after == {"two": "AEBCDF", "more": "AFBCDE", "idle": "ABECDF", "season": "BACEDF"}


def test_the_season_is_told_with_its_end(at, now):
    ladder = club(now, "ann", "bob")
    page = text(at().get(ladder.get_absolute_url()))
    assert "Season 1" in page and ("ends in 54 days" in page or "ends in 53 days" in page)
    ladders.end_season(ladder, person("ann"), now)
    assert "No season is running" in text(at().get(ladder.get_absolute_url()))
    assert "Begin a season" in text(at("ann").get(ladder.get_absolute_url()))
    assert "Begin a season" not in text(at("bob").get(ladder.get_absolute_url()))


# Cost


def test_the_page_asks_the_same_however_many_rungs_challenges_and_results(at, now):
    def cost(ladder, name):
        client = at(name)
        for _ in range(2):
            with CaptureQueriesContext(connection) as context:
                assert client.get(f"{ladder.get_absolute_url()}?all=1").status_code == 200
        return len(context)

    few = club(now, "ann", "bob", "dan", "eve", slug="few")
    met(few, "dan", "bob", now=now - DAY)
    challenge(few, "eve", "ann", now=now)
    many = club(now, *(f"p{number:02}" for number in range(1, 41)), slug="many", rules=Rules(most_in=9, reach=20))
    for number in range(10, 40, 2):
        met(many, f"p{number:02}", f"p{number - 1:02}", now=now - DAY)
    for number in range(21, 25):
        challenge(many, f"p{number}", "p20", now=now)
    assert cost(few, "ann") == cost(many, "p20")
    assert cost(few, "") == cost(many, "")
