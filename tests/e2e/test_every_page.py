"""Every page and every state of the table: open to everybody, quiet, light, and still while it loads."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.clubs import clubs
from accounts.models import Asking, Member
from accounts.people import following, inbox
from games.calendar import services as dates
from games.calendar.services import EventPlan
from games.engine.biblios.cards import GOLD
from games.engine.biblios.notation import BID, DIE, PAY_CARDS, PAY_GOLD, PLACE, REFUSE, TAKE_GIFT
from games.engine.registry import title
from games.feeds import services as feeds
from games.hands import hands
from games.ladders import challenges
from games.lobby import open_matches
from games.matches import play
from games.matches.clocks import Clock
from games.matches.models import LogEntry, Match
from games.tournaments import contests, duplicate, evenings, services
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import DAILY, DAY, club_of, met
from tests.e2e.axe import faults
from tests.e2e.tables import signed_in, within_reach
from tests.hands.days import done, hand_at
from tests.matches.matches import rushed, seated
from tests.people import person
from tests.tournaments.evenings import come

LARGEST = 475_000
"""Bytes of the table with all that it loads, not compressed. 59,000 are htmx and its extension for sockets, 43,000 the
pictures of all cards, which compress to 11,000 and are kept by browsers."""

QUESTION = "#stage, #hand, #penalty"
"""What differs from state to state; the rest of the page is the same."""


def asks(question, more=lambda state: True):
    """A position in which the first seat is asked this, and more holds."""
    return lambda state: state.seat == 0 and state.question == question and more(state)


STATES = {
    "gift": asks(PLACE, lambda state: state.placed > 9),
    "wait": lambda state: state.seat == 1 and state.placed > 20,
    "choose": asks(TAKE_GIFT),
    "church": asks(DIE),
    "bid": asks(BID, lambda state: not GOLD <= state.card < GOLD + 3 and state.high < 3),
    "bid cards": asks(BID, lambda state: GOLD <= state.card < GOLD + 3),
    "pay": asks(PAY_GOLD, lambda state: len(state.legal()) > 1),
    "pay cards": asks(PAY_CARDS, lambda state: len(state.legal()) > 1),
    "can’t pay": lambda state: state.seat == 0 and state.legal() == (REFUSE,),
    "over": None,
}


@pytest.fixture(autouse=True)
def same_cards(monkeypatch):
    """The same deals in every run."""
    monkeypatch.setattr("games.lobby.open_matches.secrets.token_bytes", bytes)


def table_in(state):
    """A match of ann, bob and dan in this state."""
    for seed in range(20):
        match = rushed(seated("ann", "bob", "dan", rated=True, pace="live", bank_ms=600_000), STATES[state], seed)
        if (match.status == "finished") == (state == "over"):
            return match
    raise AssertionError(f"no game came to: {state}")


def penalty():
    """A match in which ann has just been punished."""
    match = table_in("can’t pay")
    play.play(match, 0, match.ply, ["refuse"], LogEntry.By.PLAYER)
    return match


def test_the_table_in_every_state_is_open_to_everybody_and_quiet(visitor, site):
    page = visitor(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    found = {}
    for state, match in [(state, table_in(state)) for state in STATES] + [("penalty", penalty())]:
        page.goto(site + match.get_absolute_url())
        shown = page.locator("body").get_attribute("data-state")
        also = {"bid cards": "bid", "pay cards": "pay", "can’t pay": "pay", "penalty": "wait"}
        assert shown == also.get(state, state)
        found[state] = faults(page, None if state in ("bid", "over") else QUESTION)
    assert {state: faults for state, faults in found.items() if faults} == {}
    assert page.complaints == []


def test_on_small_screens_every_answer_is_within_reach(visitor, site):
    page = visitor(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, reduced_motion="reduce")
    signed_in(page, site, "ann")
    found = {}
    for state, match in [(state, table_in(state)) for state in STATES] + [("penalty", penalty())]:
        page.goto(site + match.get_absolute_url())
        for size in ((360, 740), (390, 844), (360, 640)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            found[state, size] = within_reach(page)
    assert {state: faults for state, faults in found.items() if faults} == {}


def full(club, steward):
    """Somebody asks to join, is invited, is expelled; there is an announcement and a link: what stands in that."""
    now = timezone.now()
    clubs.join(club, person("gil"), now)
    clubs.expel(club, steward, person("gil"), "Shouted at people.", now)
    Asking.objects.create(club=club, user=person("fay"), at=now)
    clubs.invite(club, steward, "hal", now)
    clubs.announce(club, steward, "We meet on Friday.", now)
    other = {"name": "Reichenau", "slug": "reichenau", "description": "", "language": "en"}
    other = clubs.found(person("hal"), **other, private=True, joining="invite", now=now)
    clubs.invite(other, person("hal"), "ann", now)
    return clubs.new_link(club, steward)


def an_evening(club):
    """The address of an evening in its second round."""
    now, bob = timezone.now(), person("bob")
    evening = evenings.open_evening(club, bob, "Candlemas", GameTerms(seats=2), now)
    come(evening, person("ned"), person("oda"), now=now)
    for _ in range(2):
        evenings.seat_everybody(evening, bob, now, fill=True)
        come(evening, person("eve"), person("gus"), now=now)
    services.tick(evening, bob, [person("vic")], now)
    return evening.get_absolute_url()


def a_cup(club):
    """The address of a Swiss tournament in its first round."""
    now, bob, kind = timezone.now(), person("bob"), Tournament.Kind.SWISS
    cup = contests.create(club, bob, kind, "Cup", GameTerms(seats=2), contests.Plan(), now, game=title())
    come(cup, *(person(name) for name in ("kay", "lea", "mia")), now=now)
    contests.begin(cup, bob, now)
    return cup.get_absolute_url()


def same_deals(club):
    """The addresses of a deal of the week that is open, and of a duplicate tournament that is over."""
    now, bob, terms = timezone.now(), person("bob"), GameTerms(seats=2)
    deal = duplicate.create(club, bob, Tournament.Kind.DEAL, "Deal", terms, now, game=title(), weekly=True)
    pairs = duplicate.create(club, bob, Tournament.Kind.DUPLICATE, "Pairs", terms, now, game=title())
    members = [person(name) for name in ("pia", "qim", "rob", "sue")]
    for member in members:
        Member.objects.create(club=club, user=member, role="member", joined_at=now - timedelta(days=1))
    come(pairs, *members, now=now)
    duplicate.seat_everybody(pairs, bob, now)
    for match in Match.objects.filter(agreed=pairs.page, club=club):
        rushed(match)
    services.close(pairs, bob, timezone.now())
    return deal.get_absolute_url(), pairs.get_absolute_url()


def test_every_other_page_is_open_to_everybody_and_quiet(visitor, site):
    """But those of a review, which test_review.py looks at."""
    match = table_in("over")
    open_matches.open_match(person("bob"), places=2, options={}, clock=Clock.live(10, 0), rated=True)
    table_in("wait")
    room = open_matches.open_match(person("ann"), places=3, options={}, clock=Clock.live(10, 0), rated=True)
    ladder = club_of("bob", "dan", "ann", now=timezone.now() - DAY)
    met(ladder, "dan", "bob", now=timezone.now() - DAY)
    challenge = challenges.challenge(ladder, person("ann"), [person("bob")], DAILY, timezone.now())
    club, invitation = ladder.club.get_absolute_url(), full(ladder.club, person("bob"))
    address = match.get_absolute_url()
    public = [
        "/",
        "/sign-up",
        "/sign-in",
        "/play",
        "/watch",
        "/rules",
        "/bots",
        "/rules/biblios/cards",
        "/log",
        "/status",
        "/leaders?pool=3-4",
        "/leaders/alone",
        "/account/forgot",
    ]
    public += [address, "/@/ann", "/@/ann/games", room.get_absolute_url()]
    public += [f"{club}/ladders/1", f"{club}/ladders/1/rules", challenge.get_absolute_url()]
    evening = an_evening(ladder.club)
    public += [f"{club}/tournaments", evening, f"{evening}/wall"]
    public += [
        f"{club}/ladders/1/cross-table",
        f"{club}/ladders/1/head-to-head?one=ann&two=bob",
        f"{club}/ladders/1/seasons/1",
    ]
    for back in (timezone.now() - DAY, timezone.now()):
        for name in ("ann", "bob"):
            done(name, now=back)
    hands.close_due(hand_at(timezone.now() - DAY).closes)
    public += ["/hand", hand_at(timezone.now()).get_absolute_url(), hand_at(timezone.now() - DAY).get_absolute_url()]
    own = ["/hand", hand_at(timezone.now()).get_absolute_url(), hand_at(timezone.now() - DAY).get_absolute_url()]
    own += ["/", "/play", room.get_absolute_url(), "/leaders?pool=3-4"]
    own += ["/account", "/notices", "/@/ann", "/@/ann/games", "/@/bob", "/@/bob/report"]
    own += ["/@/bob/challenge", "/following", "/messages", "/messages/bob"]
    following.follow(person("ann"), person("bob"))
    inbox.send(person("bob"), person("ann"), "Shall we play?", timezone.now())
    public += ["/clubs", club, f"{club}/members", f"{club}/invited/{invitation}"]
    own += ["/clubs", "/clubs?q=nobody", "/clubs/new", club, f"{club}/members"]
    desk = [
        club,
        f"{club}/desk",
        f"{club}/desk/rights/dan",
        f"{club}/desk/expel/dan",
        f"{club}/desk/poster",
        f"{club}/members",
    ]
    desk += [
        f"{club}/ladders",
        f"{club}/ladders/new",
        f"{club}/ladders/1/desk",
        evening,
        f"{evening}/correct/1/1",
    ]
    plan = EventPlan("Friday evening", timezone.now() + 9 * DAY, 3, "At Eve’s", "Bring cake.", public=False)
    [date] = dates.make(ladder.club, person("bob"), plan, timezone.now())
    dates.answer(date, person("ann"), "yes", timezone.now())
    feeds.add(ladder.club, person("bob"), "https://hooks.example.org/1", "json", ["result"], timezone.now())
    own += [f"{club}/calendar"]
    desk += [date.get_absolute_url(), f"{club}/calendar/new", f"{club}/feeds", f"{club}/desk/webhooks"]
    desk += [f"{club}/calendar/new?kind={kind}" for kind in ("meet", "night", "swiss")]
    desk += [a_cup(ladder.club), *same_deals(ladder.club)]
    own += [f"{club}/ladders/1", f"{club}/ladders/1/challenge?to=dan", challenge.get_absolute_url()]
    found = {}
    for name, paths in (("", public), ("ann", own), ("bob", desk)):
        page = visitor(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        if name:
            signed_in(page, site, name)
        for path in paths:
            response = page.goto(site + path)
            found[name, path] = (
                faults(page) + [f"status {response.status}"] * (response.status != 200) + page.complaints
            )
            page.complaints.clear()
    assert {where: faults for where, faults in found.items() if faults} == {}


def test_the_table_is_small_and_nothing_moves_while_it_loads(browser, site):
    """In a browser that has fetched nothing yet."""
    match = table_in("bid")
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    signed_in(page, site, "ann")
    responses = []
    page.on("response", lambda response: responses.append(response))
    page.goto(site + match.get_absolute_url(), wait_until="networkidle")
    shifts = page.evaluate(
        """() => new Promise((resolve) => {
            const shifts = [];
            new PerformanceObserver((list) => shifts.push(...list.getEntries().map((shift) => shift.value)))
                .observe({ type: "layout-shift", buffered: true });
            requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve(shifts))));
        })"""
    )
    assert sum(shifts) < 0.02
    sizes = {response.url: len(response.body()) for response in responses}
    assert sum(sizes.values()) < LARGEST, sizes
    context.close()


def test_a_form_without_its_token_is_answered_by_a_page_of_ours(page, site):
    page.goto(f"{site}/sign-in")
    page.context.clear_cookies()
    page.get_by_role("button", name="Light or dark theme").evaluate("button => button.form.submit()")
    expect(page.get_by_role("heading", level=1)).to_have_text("This page was out of date.")
    assert all("403" in text for text in page.complaints)
