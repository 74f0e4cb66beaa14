"""The stewards' desk of a ladder: who may sit at it, what it changes, and what it says to bad input."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Member, Notice, Rating, User
from accounts.notices import notices
from accounts.web import throttle
from games.ladders import challenges, due, leaving
from games.ladders import events as ladders
from games.ladders.forms import desk as desk_forms
from games.ladders.models import Ladder
from games.ladders.payloads import UNDOABLE, GameResult, Ordered, Undone
from games.ladders.rules import PRESETS, RANGES, Rules, preset, preset_of
from games.ladders.words.rule_labels import RULES
from games.matches.clocks import instant
from tests.clubs.clubs import DAILY, DAY, club_of, met, order
from tests.people import person
from tests.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.slow]
DESK = "/c/st-gall/ladders/1/desk"
EVENTS = "/c/st-gall/ladders/1/history"
PAGES = [DESK, f"{DESK}/rules", f"{DESK}/order"]
FORMS = [f"{DESK}/season", f"{DESK}/correct", f"{DESK}/add", f"{DESK}/undo/7", f"{DESK}/rules", f"{DESK}/order"]


@pytest.fixture(scope="module")
def pk(kept_rows):
    ladder = club_of("ann", "bob", "dan", "eve", "fay", now=timezone.now() - 3 * DAY)
    met(ladder, "eve", "ann", now=timezone.now() - 2 * DAY)
    assert ladder.log.order_by("number").last().number == 6
    ladders.correct(ladder, person("ann"), person("fay").pk, 1, "Came late.", timezone.now() - DAY)
    return ladder.pk


@pytest.fixture
def ladder(pk):
    """A ladder on which eve has just passed ann: event 7."""
    return Ladder.objects.get(pk=pk)


def at(client, name):
    client.logout()
    if name:
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def ann(client):
    """The browser of the steward."""
    return at(client, "ann")


def refused(response, *sentences):
    """Nothing has been done, and each of these is said."""
    assert response.status_code == 422
    for sentence in sentences:
        assert sentence in text(response)
    return True


def ids(*names) -> list[int]:
    return [person(name).pk for name in names]


def joined(*names) -> str:
    return ",".join(map(str, ids(*names)))


# Who may sit at it


@pytest.mark.parametrize("page", PAGES)
def test_the_desk_is_for_stewards_alone(client, ladder, page):
    assert at(client, "ann").get(page).status_code == 200
    assert at(client, "bob").get(page).status_code == 404
    assert at(client, "cho").get(page).status_code == 404
    assert at(client, None).get(page)["Location"].startswith("/sign-in?next=/c/st-gall/ladders/1/desk")
    client.force_login(User.objects.create_user("guest-1", guest=True))
    assert client.get(page)["Location"].startswith("/sign-up?")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["bob", "cho", None])
def test_nobody_else_changes_anything_there(client, ladder, form, name):
    fields = {"do": "end", "reason": "I want to.", "player": person("ann").pk, "position": 5, "order": ""}
    before = ladder.events
    answer = at(client, name).post(form, fields)
    assert answer.status_code == (404 if name else 302)
    ladder.refresh_from_db()
    assert ladder.events == before


@pytest.mark.parametrize("page", [*PAGES, f"{DESK}/undo/7"])
def test_the_desk_of_a_private_club_is_hidden_from_outsiders(client, ladder, page):
    ladder.club.private = True
    ladder.club.save()
    for name in ("cho", None):
        assert at(client, name).get(page).status_code == 404
        assert at(client, name).post(page).status_code == (405 if page == DESK else 404)


def test_former_stewards_cannot_open_the_desk(client, ladder):
    Member.objects.filter(user=person("ann")).update(role="member")
    Member.objects.filter(user=person("bob")).update(role="steward")
    assert at(client, "ann").get(DESK).status_code == 404
    assert at(client, "bob").get(DESK).status_code == 200


def test_whoever_does_too_much_at_the_desk_is_stopped(ann, ladder, at_most):
    at_most("desk", 1)
    assert ann.post(f"{DESK}/season", {"do": "start"}).status_code == 422
    assert ann.post(f"{DESK}/season", {"do": "end"}).status_code == 429
    assert throttle.LIMITS["desk"].times == 1


# Rules


TERMS = {
    "sizes": (2, 4),
    "clocks": ("5+10", "1d"),
    "usual_clock": "5+10",
    "presets": ("german", "persian"),
    "usual_preset": "persian",
}


def entered(rules: Rules, **changes) -> dict:
    """What the form of the rules sends."""
    fields = rules.to_json() | changes
    return {name: "on" if value is True else value for name, value in fields.items() if value is not False}


def test_every_rule_has_a_field_with_a_name_a_help_and_its_bounds(ann, ladder):
    assert set(RULES) == set(Rules().to_json())
    html = ann.get(f"{DESK}/rules").content.decode()
    for name, value in Rules().to_json().items():
        if name in TERMS:
            continue
        field = re.search(rf'<input[^>]*name="{name}"[^>]*>', html)[0]
        if name in RANGES:
            least, most = RANGES[name]
            assert f'value="{value}"' in field and f'min="{least}"' in field and f'max="{most}"' in field
            assert f"{least} to {most}; usually {value}." in html
        else:
            assert ("checked" in field) is value
        label = rf'<label for="rules-{name}"' if name in RANGES else rf'<label class="check"><input[^>]*name="{name}"'
        assert re.search(label, html), name


def test_a_steward_sets_all_rules(ann, ladder):
    changed = {name: most for name, (_, most) in RANGES.items()}
    rules = Rules(
        **changed,
        **TERMS,
        decline_yields=False,
        time_costs_place=False,
        placement=False,
        season_follows=False,
        soft_reset=True,
        members_join=True,
    )
    answer = ann.post(f"{DESK}/rules", entered(rules))
    assert answer["Location"] == f"{DESK}/rules"
    ladder.refresh_from_db()
    assert ladder.now_standing().rules == rules
    assert "Soft reset between seasons: no → yes" in text(ann.get("/c/st-gall/ladders/1/history"))


def test_a_preset_fills_the_fields_and_is_saved_with_them_only(ann, ladder):
    rules = f"{DESK}/rules"
    page = ann.get(rules).content.decode()
    assert 'href="/c/st-gall/ladders/1/desk/rules?preset=normal" aria-current="true"' in page
    assert (
        "<details" in page
        and "changed" not in text(ann.get(rules)).partition("More rules")[2].partition("Save")[0][:20]
    )
    filled = ann.get(f"{rules}?preset=strict").content.decode()
    assert re.search(r'name="forfeit" value="4"', filled) and re.search(r'name="accept_days" value="2"', filled)
    assert "The fields below are filled in" in filled
    ladder.refresh_from_db()
    assert ladder.now_standing().rules == Rules()
    strict = preset("strict", replace(Rules(), reach=9))
    ann.post(rules, entered(strict))
    ladder.refresh_from_db()
    assert ladder.now_standing().rules == strict and preset_of(strict) == "strict"
    assert "More rules 4 changed" in text(ann.get(rules)), "what is everyday is not among them"
    assert ann.get(f"{rules}?preset=harsh").status_code == 200


def test_every_preset_is_within_bounds_and_differs():
    for name in PRESETS:
        assert preset_of(preset(name, Rules(sizes=(2,), reach=9))) == name
        assert all(
            RANGES[rule][0] <= value <= RANGES[rule][1] for rule, value in PRESETS[name].items() if rule in RANGES
        )
    assert preset_of(Rules(forfeit=3)) == ""


def test_a_wrong_rule_below_is_not_folded_away(ann, ladder):
    assert '<details class="more-rules column" id="more">' in ann.get(f"{DESK}/rules").content.decode()
    answer = ann.post(f"{DESK}/rules", entered(Rules(), forfeit=99))
    assert '<details class="more-rules column" id="more" open>' in answer.content.decode()


def test_the_form_says_what_happens_without_an_answer(ann, ladder):
    assert "goes down this many rungs, but never below the challenger" in text(ann.get(f"{DESK}/rules"))
    challenge = challenges.challenge(ladder, person("bob"), [person("fay")], DAILY, ladder.log.last().at)
    due.work(challenge.answer_by)
    ladder.refresh_from_db()
    assert order(ladder) == ["eve", "ann", "fay", "bob", "dan"]


def test_the_terms_of_a_ladder_are_ticked(ann, ladder):
    html = ann.get(f"{DESK}/rules").content.decode()
    for name, values in (("sizes", "234"), ("presets", ("rulebook", "custom")), ("clocks", Rules().clocks)):
        for value in values:
            assert re.search(rf'<input type="checkbox" name="{name}" value="{re.escape(value)}"[^>]* checked', html)
    ann.post(f"{DESK}/rules", entered(Rules(), presets=ticked(html, "presets"), usual_preset="rulebook"))
    events = ladder.events
    ladder.refresh_from_db()
    assert ladder.events == events, "what has not changed is no event"
    ann.post(f"{DESK}/rules", entered(Rules(**TERMS)))
    told = text(ann.get("/c/st-gall/ladders/1/history"))
    assert "Players at a table: 2, 3, 4 → 2, 4" in told and "Usual rules of the game: the first → Persian" in told
    words = text(ann.get("/c/st-gall/ladders/1/rules"))
    assert "Players at a table: 2 or 4." in words
    assert "Clocks: 5 min + 10 s a move; 1 day a move. The usual one is 5 min + 10 s a move." in words
    assert "The others are drawn at random" in words


def ticked(html, name):
    return re.findall(rf'<input type="checkbox" name="{name}" value="([^"]*)"[^>]* checked', html)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"sizes": []}, "Please tick at least one."),
        ({"sizes": ["5"]}, "Select a valid choice."),
        ({"clocks": []}, "Please tick at least one."),
        ({"clocks": ["5+10"]}, "Please choose one of the clocks that you have ticked."),
        ({"presets": ["german"], "usual_preset": "persian"}, "Please choose one of the rules that you have ticked."),
        ({"clocks": ["3d"], "usual_clock": "3d"}, "By none of these can a game of every size be over"),
        ({"clocks": ["10+15", "2d"]}, "Select a valid choice."),
    ],
)
def test_terms_by_which_nobody_could_play_are_refused(ann, ladder, changes, says):
    answer = ann.post(f"{DESK}/rules", entered(Rules(), **changes))
    assert answer.status_code == 422 and says in text(answer)
    events = ladder.events
    ladder.refresh_from_db()
    assert ladder.events == events


@pytest.mark.parametrize("name", RANGES)
def test_a_number_that_cannot_be_is_answered_by_what_was_expected(ann, ladder, name):
    least, most = RANGES[name]
    for value in (least - 1, most + 1, "", "four", "1.5", "9" * 30):
        answer = ann.post(f"{DESK}/rules", entered(Rules(), **{name: value}))
        assert refused(answer, f"“{RULES[name].label}” takes a whole number from {least} to {most}."), value
        assert answer.content.decode().count('aria-invalid="true"') == 1
    before = ladder.events
    ladder.refresh_from_db()
    assert ladder.events == before


# Seasons


def test_a_steward_ends_and_begins_a_season(ann, ladder):
    assert "Season 1 has been running since" in text(ann.get(DESK))
    assert ann.post(f"{DESK}/season", {"do": "end"})["Location"] == DESK
    assert "Season 1 is over." in text(ann.get(DESK))
    assert ann.post(f"{DESK}/season", {"do": "start"})["Location"] == DESK
    ladder.refresh_from_db()
    assert ladder.now_standing().season == 2


def test_a_season_is_neither_begun_nor_ended_twice(ann, ladder):
    assert refused(ann.post(f"{DESK}/season", {"do": "start"}), "A season is already running.")
    ann.post(f"{DESK}/season", {"do": "end"})
    assert refused(ann.post(f"{DESK}/season", {"do": "end"}), "No season is running.")


def test_a_season_is_begun_until_a_day_moved_paused_and_goes_on(ann, ladder):
    ann.post(f"{DESK}/season", {"do": "end"})
    today = timezone.now().date()

    def lasts(days):
        return (today + timedelta(days=days)).isoformat()

    answer = ann.post(f"{DESK}/season", {"do": "start", "last": lasts(-3)})
    assert refused(answer, "A season can end from tomorrow on") and f'value="{lasts(-3)}"' in answer.content.decode()
    assert refused(ann.post(f"{DESK}/season", {"do": "start", "last": "soon"}), "Please enter a day.")
    assert ann.post(f"{DESK}/season", {"do": "start", "last": lasts(20)})["Location"] == DESK
    ladder.refresh_from_db()
    assert instant(ladder.now_standing().ends).date() == today + timedelta(days=21), "the end of that day"
    assert refused(ann.post(f"{DESK}/season", {"do": "move"}), "Please enter a day.")
    ann.post(f"{DESK}/season", {"do": "move", "last": lasts(30)})
    page = ann.get(DESK).content.decode()
    assert f'name="last" value="{lasts(30)}"' in page
    assert refused(ann.post(f"{DESK}/season", {"do": "pause", "last": lasts(70)}), "at most 60 days")
    ann.post(f"{DESK}/season", {"do": "pause", "last": lasts(5)})
    assert "The ladder is paused until" in text(ann.get(DESK))
    for name in ("bob", None):
        assert "no one can be challenged or sinks" in text(at(ann, name).get("/c/st-gall/ladders/1"))
    at(ann, "ann").post(f"{DESK}/season", {"do": "resume"})
    assert "The ladder is paused until" not in text(ann.get(DESK))
    assert ann.post(f"{DESK}/season", {"do": "dance"}).status_code == 404


def test_a_soft_reset_is_looked_at_before_the_season_begins(ann, ladder):
    rules = Rules(soft_reset=True, rest_days=0, most_late=20, time_costs_place=False)
    ladders.set_rules(ladder, person("ann"), rules, timezone.now())
    start = timezone.now() - timedelta(hours=20)
    for hours in range(5):
        met(ladder, "eve", "fay", now=start + timedelta(hours=4 * hours), late=["fay"])
        met(ladder, "ann", "fay", now=start + timedelta(hours=4 * hours + 2), late=["fay"])
    assert "See the order in which it would start" in text(ann.get(DESK))
    page = text(ann.get(f"{DESK}/season"))
    assert "This is how it would start if the season ended now." in page and "1 → 2" in page
    ann.post(f"{DESK}/season", {"do": "end"})
    assert 'value="start"' not in ann.get(DESK).content.decode()
    for events in ({}, {"events": "x"}, {"events": ladder.events}):
        answer = ann.post(f"{DESK}/season", {"do": "start", **events})
        assert refused(answer, "Look at the new order again.", "1 → 2")
    assert order(ladder)[:3] == ["fay", "eve", "ann"]
    assert ann.post(f"{DESK}/season", {"do": "start", "events": ladder.events})["Location"] == DESK
    assert order(ladder)[:3] == ["eve", "fay", "ann"]


def test_a_season_does_not_begin_with_fewer_than_two_players_and_the_first_steps_stay(client):
    club_of("ann", slug="bobbio", season=False)
    ann, desk = at(client, "ann"), "/c/bobbio/ladders/1/desk"
    assert 'value="start"' not in ann.get(desk).content.decode()
    assert refused(ann.post(f"{desk}/season", {"do": "start"}), "A season needs at least two players.")
    assert "First steps" in text(ann.get("/c/bobbio"))


def test_before_the_first_season_the_desk_says_so(client):
    club_of("ann", slug="bobbio", season=False)
    assert "No season has begun yet." in text(at(client, "ann").get("/c/bobbio/ladders/1/desk"))


# Correcting


def correct(client, **fields):
    fields = {"player": person("dan").pk, "position": 1, "reason": "Was forgotten."} | fields
    return client.post(f"{DESK}/correct", fields)


def test_a_steward_corrects_a_position_with_a_reason(ann, ladder):
    assert correct(ann)["Location"] == DESK
    assert order(ladder)[0] == "dan"
    assert "Was forgotten." in text(ann.get("/c/st-gall/ladders/1/history"))


@pytest.mark.parametrize(
    "fields, sentence",
    [
        ({"reason": " "}, "Please give a reason."),
        ({"reason": "x" * 501}, "at most 500 characters"),
        ({"position": 0}, "A rung of this ladder is a whole number from 1 to 5."),
        ({"position": 6}, "A rung of this ladder is a whole number from 1 to 5."),
        ({"position": "first"}, "A rung of this ladder is a whole number from 1 to 5."),
        ({"position": ""}, "A rung of this ladder is a whole number from 1 to 5."),
        ({"player": ""}, "Please choose a player."),
        ({"player": 999}, "This player isn’t on the ladder."),
        ({"player": "dan"}, "This player isn’t on the ladder."),
    ],
)
def test_a_correction_that_cannot_be_is_refused(ann, ladder, fields, sentence):
    before = order(ladder)
    assert refused(correct(ann, **fields), sentence)
    assert order(ladder) == before


def test_a_correction_that_changes_nothing_is_refused(ann, ladder):
    here = order(ladder).index("dan") + 1
    assert refused(correct(ann, position=here), "This player is already there.")


# Undoing


def test_a_steward_undoes_an_event_with_a_reason(ann, ladder):
    assert order(ladder) == ["fay", "eve", "ann", "bob", "dan"]
    page = text(ann.get(f"{DESK}/undo/7"))
    assert "ann put fay on rung 1." in page and "fay ▼ 1 → 5" in page
    answer = ann.post(f"{DESK}/undo/7", {"reason": "It was right before."})
    assert answer["Location"] == "/c/st-gall/ladders/1/history"
    assert order(ladder) == ["eve", "ann", "bob", "dan", "fay"]
    assert "“It was right before.”" in text(ann.get("/c/st-gall/ladders/1/history"))


def test_what_changes_no_position_can_be_undone_too(ann, ladder):
    met(ladder, "dan", "eve", places=(2, 1), now=timezone.now() - timedelta(hours=2))
    number = ladder.log.order_by("number").last().number
    assert "No one moves" in text(ann.get(f"{DESK}/undo/{number}"))


def test_without_a_reason_nothing_is_undone(ann, ladder):
    for reason in ("", "  "):
        assert refused(ann.post(f"{DESK}/undo/7", {"reason": reason}), "Please give a reason.")
    assert not ladder.log.filter(kind=Undone.kind).exists()


def test_nothing_is_undone_twice(ann, ladder):
    ann.post(f"{DESK}/undo/7", {"reason": "It was right before."})
    assert refused(ann.post(f"{DESK}/undo/7", {"reason": "Again."}), "This has already been undone.")
    answer = ann.get(f"{DESK}/undo/7")
    assert answer["Location"] == "/c/st-gall/ladders/1/history?event=7#e7"
    assert ladder.log.filter(kind=Undone.kind).count() == 1


def test_undoing_what_an_order_came_after_says_so_and_offers_what_helps(ann, ladder):
    number = ladder.log.get(kind=GameResult.kind).number
    page = text(ann.get(f"{DESK}/undo/{number}"))
    assert "Undo that order first" not in page and "eve ▼" in page
    save(ann, ladder, "dan", "bob", "fay", "ann", "eve")
    answer = ann.get(f"{DESK}/undo/{number}")
    assert "No one moves" in text(answer) and "Undo that order first" in text(answer)
    html = answer.content.decode()
    last = ladder.log.get(kind=Ordered.kind).number
    assert f'href="{DESK}/undo/{last}"' in html
    assert f'href="{DESK}?player={person("eve").pk}&amp;rung=4#correct"' in html
    prepared = ann.get(f"{DESK}?player={person('eve').pk}&rung=4").content.decode()
    assert f'<option value="{person("eve").pk}" selected>' in prepared and 'name="position" value="4"' in prepared
    ann.post(f"{DESK}/undo/{last}", {"reason": "Too early."})
    assert "Undo that order first" not in text(ann.get(f"{DESK}/undo/{number}"))


def test_below_the_last_player_whom_an_order_moved_undoing_works_as_before(ann, ladder):
    number = ladder.log.get(kind=GameResult.kind).number
    assert order(ladder) == ["fay", "eve", "ann", "bob", "dan"]
    ladders.correct(ladder, person("ann"), person("eve").pk, 1, "So.", timezone.now())
    ladder.refresh_from_db()
    assert save(ann, ladder, "fay", "eve", "ann", "bob", "dan").status_code == 302
    assert ladder.log.get(kind=Ordered.kind).data == {"order": ids("fay")}
    assert "eve" in text(ann.get(f"{DESK}/undo/{number}")).partition("If it’s undone")[2]


def test_what_cannot_be_undone_has_no_page_for_it(ann, ladder):
    for event in ladder.log.all():
        status = ann.get(f"{DESK}/undo/{event.number}").status_code
        assert status == (200 if event.kind in UNDOABLE else 404)
    assert ann.get(f"{DESK}/undo/999").status_code == 404
    assert ann.post(f"{DESK}/undo/0", {"reason": "I want to."}).status_code == 404


# Members


def test_a_steward_puts_members_on_the_ladder(ann, ladder):
    for name in ("gus", "hal", "ivo"):
        Member.objects.create(club=ladder.club, user=person(name), joined_at=timezone.now())
    assert "Members who aren’t on it All 3 of them gus" in text(ann.get(DESK)).replace("hal", "").replace("ivo", "")
    assert ann.post(f"{DESK}/add", {"players": ids("hal", "gus")})["Location"] == DESK
    assert order(ladder)[-2:] == ["gus", "hal"]
    assert "2 members are now on the ladder." in text(ann.get(DESK))


def test_whoever_is_no_member_or_stands_there_already_is_not_added(ann, ladder):
    Member.objects.create(club=ladder.club, user=person("gus"), joined_at=timezone.now())
    before = order(ladder)
    for players in ([*ids("gus", "cho")], [*ids("gus", "bob")], ["gus"], [10**12]):
        assert refused(ann.post(f"{DESK}/add", {"players": players}), "One of them is no longer a member")
    assert refused(ann.post(f"{DESK}/add", {}), "Please choose at least one member.")
    assert order(ladder) == before


def test_a_steward_puts_all_members_on_the_ladder_with_one_tick(ann, ladder, monkeypatch):
    monkeypatch.setattr(desk_forms, "AT_ONCE", 2)
    for number in range(5):
        Member.objects.create(club=ladder.club, user=person(f"new-{number}"), joined_at=timezone.now())
    assert "All 5 of them" in text(ann.get(DESK))
    before = ladder.events
    ann.post(f"{DESK}/add", {"everybody": "on"})
    assert order(ladder)[5:] == [f"new-{number}" for number in range(5)], "also those beyond the list"
    assert ladder.events == before + 1
    assert "ann put 5 members on the ladder, at the bottom." in text(ann.get(EVENTS))


def test_more_members_than_a_form_may_have_come_in_parts(ann, ladder, monkeypatch):
    monkeypatch.setattr(desk_forms, "AT_ONCE", 2)
    for name in ("gus", "hal", "ivo"):
        Member.objects.create(club=ladder.club, user=person(name), joined_at=timezone.now())
    html = text(ann.get(DESK))
    assert "1 more member follows once these are on it." in html and "ivo" not in html


# The order


def shown(response) -> list[str]:
    """The names in the order that the page shows."""
    return re.findall(r'<li data-player.*?<bdi class="name">(\w+)</bdi>', response.content.decode(), flags=re.S)


def save(client, ladder, *names, **fields):
    sent = {"events": ladder.events, "order": joined(*names), "reason": "As in the old club."} | fields
    return client.post(f"{DESK}/order", sent)


def test_the_page_of_the_order_shows_it_as_it_is(ann, ladder):
    answer = ann.get(f"{DESK}/order")
    assert shown(answer) == order(ladder)
    assert '<p role="status" data-changed hidden>' in answer.content.decode()


def test_a_steward_orders_the_whole_ladder(ann, ladder):
    wanted = ("dan", "bob", "fay", "ann", "eve")
    assert save(ann, ladder, *wanted)["Location"] == f"{DESK}/order"
    assert order(ladder) == list(wanted)
    assert "“As in the old club.”" in text(ann.get("/c/st-gall/ladders/1/history"))


def test_while_a_season_runs_an_order_needs_a_reason_and_nothing_typed_is_lost(ann, ladder):
    before, wanted = order(ladder), ["dan", "bob", "fay", "ann", "eve"]
    for reason in ("", "  ", "x" * 501):
        answer = save(ann, ladder, *wanted, reason=reason)
        assert answer.status_code == 422 and 'aria-invalid="true"' in answer.content.decode()
        assert shown(answer) == wanted and order(ladder) == before
    answer = save(ann, ladder, *wanted, reason="Half typed", up=person("bob").pk)
    assert 'value="Half typed"' in answer.content.decode(), "a reason survives the moving of a player"
    ladders.end_season(ladder, person("ann"), timezone.now())
    ladder.refresh_from_db()
    assert 'name="reason"' not in ann.get(f"{DESK}/order").content.decode()
    assert save(ann, ladder, *wanted, reason="").status_code == 302
    assert order(ladder) == wanted


def test_whoever_an_order_moves_in_a_season_is_told_why(ann, ladder):
    save(ann, ladder, "ann", "fay", "eve", "bob", "dan", reason="I was here first.")
    told = {notice.user.username: notice for notice in Notice.objects.filter(kind="reordered").select_related("user")}
    assert set(told) == {"fay", "eve"}, "neither who stays nor the steward"
    assert "You’re now on rung 3. The reason: I was here first." in notices.KINDS["reordered"].say(told["eve"].values)


def test_an_order_by_which_stewards_move_themselves_says_so(ann, ladder):
    save(ann, ladder, "ann", "fay", "eve", "bob", "dan")
    (line,) = re.findall(r'<li class="event".*?</li>\s*</ul>', ann.get(EVENTS).content.decode(), flags=re.S)[:1]
    assert "ann reordered the ladder, and moved from rung 3 to rung 1." in text(line)
    assert "ann ▲ 3 → 1" in text(line), "beside the sentence, not among the others"


def test_without_a_script_the_buttons_move_one_player_and_save_nothing(ann, ladder):
    wanted = ["fay", "eve", "ann", "bob", "dan"]
    answer = save(ann, ladder, *wanted, up=person("bob").pk)
    assert shown(answer) == ["fay", "eve", "bob", "ann", "dan"]
    html = answer.content.decode()
    assert f'name="order" value="{joined("fay", "eve", "bob", "ann", "dan")}"' in html
    assert '<p role="status" data-changed>' in html and "now 4" in html
    assert re.search(rf'name="up" value="{person("bob").pk}"[^>]*autofocus', html)
    assert shown(save(ann, ladder, *shown(answer), down=person("fay").pk)) == ["eve", "fay", "bob", "ann", "dan"]
    assert shown(save(ann, ladder, *wanted, up=person("fay").pk)) == wanted, "already on top"
    assert shown(save(ann, ladder, *wanted, down=person("dan").pk)) == wanted
    for nobody in ("", "x", "²", "9" * 30, "-1"):
        assert shown(save(ann, ladder, *wanted, up=nobody)) == wanted
    assert order(ladder) == wanted


def test_the_ladder_can_be_ordered_by_rating(ann, ladder):
    for name, value in (("bob", 1700), ("dan", 1600)):
        Rating.objects.create(user=person(name), game="biblios", pool="2", value=value, games=5)
    Rating.objects.create(user=person("ann"), game="biblios", pool="3-4", value=1900, games=5)
    Rating.objects.create(user=person("ann"), game="biblios", pool="2", value=1400, games=5)
    before = order(ladder)
    assert shown(ann.get(f"{DESK}/order?by=2")) == ["bob", "dan", "fay", "eve", "ann"]
    assert shown(ann.get(f"{DESK}/order?by=3-4")) == ["ann", "fay", "eve", "bob", "dan"]
    assert shown(ann.get(f"{DESK}/order?by=club")) == ["eve", "fay", "bob", "dan", "ann"], "by the games of the club"
    assert ann.get(f"{DESK}/order?by=age").status_code == 404
    assert order(ladder) == before


@pytest.mark.parametrize(
    "names",
    [
        "DAN\nann",
        "1. dan\r\n2) Ann\r\n",
        "dan, @ann;",
        " - dan\n\n - ann",
        "1\tdan\t030-1234\n2\tann <ann@example.org>",
    ],
)
def test_a_pasted_list_puts_its_names_on_top_and_saves_nothing(ann, ladder, names):
    before = order(ladder)
    answer = ann.post(f"{DESK}/order", {"by": "list", "names": names})
    assert answer.status_code == 200
    assert shown(answer) == ["dan", "ann", "fay", "eve", "bob"]
    assert order(ladder) == before


def test_what_is_wrong_in_a_pasted_list_is_named_name_by_name(ann, ladder):
    before = order(ladder)
    answer = ann.post(f"{DESK}/order", {"by": "list", "names": "dan\nNobody\ncho\nDan\n<b>x</b>\nann\nann"})
    assert refused(
        answer,
        "Nobody isn’t on this ladder.",
        "cho isn’t on this ladder.",
        "Dan is in the list more than once.",
        "ann is in the list more than once.",
    )
    assert "&lt;b&gt;x&lt;/b&gt;" in answer.content.decode()
    assert shown(answer) == order(ladder) == before


@pytest.mark.parametrize("names", ["dan", "nobody"])
def test_a_reason_that_was_typed_stays_when_a_list_is_shown_or_refused(ladder, ann, names):
    answer = ann.post(f"{DESK}/order", {"by": "list", "names": names, "reason": "So we played on Friday."})
    assert answer.status_code == (422 if names == "nobody" else 200)
    assert 'value="So we played on Friday."' in answer.content.decode()


def test_whoever_is_taken_off_cannot_be_in_a_list(ann, ladder):
    ladders.set_rules(ladder, person("ann"), Rules(most_late=1), timezone.now())
    met(ladder, "bob", "eve", late=("eve",), now=timezone.now() - timedelta(hours=2))
    assert refused(
        ann.post(f"{DESK}/order", {"by": "list", "names": "eve"}), "eve is off the ladder until they’re back."
    )


@pytest.mark.parametrize(
    "names, sentence",
    [
        ("", "There are no names in this list."),
        (" ,\n;", "There are no names in this list."),
        ("a\n" * 501, "Enter at most 500 names."),
        ("a" * 20_001, "at most 20000 characters"),
        ("a\0b", "Null characters are not allowed."),
    ],
)
def test_a_list_that_is_none_is_refused(ann, ladder, names, sentence):
    assert refused(ann.post(f"{DESK}/order", {"by": "list", "names": names}), sentence)


CHANGED = "The ladder has changed in the meantime. Check it and set the order again."


def test_of_two_stewards_at_once_the_second_is_told(ann, ladder):
    seen = ladder.events
    assert save(ann, ladder, "dan", "bob", "fay", "ann", "eve").status_code == 302
    for more in ({}, {"up": person("bob").pk}):
        late = {"events": seen, "order": joined("eve", "bob", "fay", "ann", "dan"), "reason": "So."} | more
        answer = ann.post(f"{DESK}/order", late)
        assert refused(answer, CHANGED, "What happened since you began", "ann reordered the ladder")
        assert order(ladder) == ["dan", "bob", "fay", "ann", "eve"]
        assert shown(answer) == (["bob", "eve"] if more else ["eve", "bob"]) + ["fay", "ann", "dan"], (
            "the draft is kept"
        )
        assert 'value="So."' in answer.content.decode()
    ladder.refresh_from_db()
    assert f'name="events" value="{ladder.events}"' in answer.content.decode(), "from here on they order what they see"


def test_a_draft_is_kept_when_players_come_and_go_meanwhile(ann, ladder):
    seen = ladder.events
    leaving.leave(ladder, person("eve"), timezone.now())
    Member.objects.create(club=ladder.club, user=person("gus"), joined_at=timezone.now())
    ladders.join(ladder, person("gus"), timezone.now())
    answer = save(ann, ladder, "eve", "bob", "fay", "ann", "dan", events=seen)
    assert refused(answer, CHANGED, "eve left the ladder.", "gus joined the ladder, at the bottom.")
    assert shown(answer) == ["bob", "fay", "ann", "dan", "gus"]
    ladder.refresh_from_db()
    assert save(ann, ladder, *shown(answer)).status_code == 302
    assert order(ladder) == ["bob", "fay", "ann", "dan", "gus"]


def test_the_second_is_told_even_if_the_first_comes_between(ann, ladder, monkeypatch):
    first = ladders.order

    def between(mine, steward, players, now, events=None, reason=""):
        first(mine, steward, ids("dan"), now, reason=reason)
        return first(mine, steward, players, now, events, reason)

    monkeypatch.setattr(ladders, "order", between)
    assert refused(save(ann, ladder, "eve", "bob", "fay", "ann", "dan"), CHANGED)
    assert order(ladder)[0] == "dan"


@pytest.mark.parametrize(
    "fields",
    [
        {"order": ""},
        {"order": "1,x"},
        {"order": "1,,2"},
        {"order": "9" * 5000},
        {"events": "x"},
        {"events": "-1"},
        {"events": ""},
        {"events": "9" * 40},
    ],
)
def test_an_order_that_is_none_is_refused(ann, ladder, fields):
    before = order(ladder)
    assert refused(save(ann, ladder, *before, **fields), CHANGED)
    assert order(ladder) == before


def test_an_order_with_somebody_twice_or_missing_or_from_elsewhere_is_refused(ann, ladder):
    before = order(ladder)
    for names in (["ann"] * 5, before[:4], [*before, "cho"], [*before[:4], "cho"]):
        assert refused(save(ann, ladder, *names), CHANGED)
    assert order(ladder) == before


def test_an_empty_ladder_has_no_order(client, ladder):
    for player in ladder.now_standing().order:
        leaving.leave(ladder, User.objects.get(pk=player), timezone.now())
    for page in PAGES:
        assert at(client, "ann").get(page).status_code == 200
    assert "Put members on it" in text(client.get(f"{DESK}/order"))
    ladder.refresh_from_db()
    assert refused(save(client, ladder), CHANGED)
