"""How many questions each page asks the database, and that there are no more of them on a site with much on it."""

from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.clubs import clubs
from accounts.models import Asking, Block, Member, User
from accounts.notices import notices
from accounts.people import following, inbox
from games.calendar import services as dates
from games.calendar.services import EventPlan
from games.deck import deck
from games.deck.models import DailyPuzzle, DeckCard
from games.engine.bots import choose_random
from games.engine.registry import title
from games.hands import hands
from games.hands.models import HandTry
from games.ladders import challenges, events
from games.ladders.challenging import refusal
from games.lobby import invitations, open_matches
from games.matches import play
from games.matches.clocks import Clock, ms_of
from games.matches.models import ChatLine
from games.review import exports
from games.tournaments import contests, due, evenings, playing, services
from games.tournaments.models import Tournament
from tests.clubs.clubs import agreed, club_of, met
from tests.deck.decks import card_at
from tests.hands.days import done, hand_at
from tests.matches.matches import answer, rushed, seated
from tests.people import person
from tests.tournaments.evenings import come
from tools import rehearsal

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.slow]

PAGES = {
    "/": (4, 11),
    "/play": (8, 36),
    "/play/news": (8, 29),
    "/watch": (8, 12),
    "/again": (None, 7),
    "/again/{card}": (None, 6),
    "/puzzle": (1, 5),
    "/hand": (0, 7),
    "/hand/biblios/{today}": (4, 13),
    "/hand/biblios/{yesterday}": (4, 13),
    "/leaders": (2, 7),
    "/leaders?pool=3-4": (2, 7),
    "/leaders/alone": (1, 5),
    "/rules": (0, 4),
    "/bots": (0, 4),
    "/licence": (0, 1),
    "/privacy": (0, 4),
    "/terms": (0, 4),
    "/status": (0, 0),
    "/account": (None, 7),
    "/notices": (None, 5),
    "/@/ann": (12, 16),
    "/@/ann?span=all&pool=3-4": (11, 15),
    "/@/bob": (11, 21),
    "/@/ann/games": (4, 8),
    "/@/ann/games?opponent=bob": (5, 9),
    "/@/bob/report": (None, 7),
    "/@/bob/challenge": (None, 5),
    "/following": (None, 5),
    "/messages": (None, 5),
    "/messages/bob": (None, 8),
    "/m/{open}": (2, 6),
    "/play/news?room={open}": (2, 5),
    "/m/{running}": (1, 5),
    "/m/{running}/board": (1, 3),
    "/m/{running}/12": (1, 5),
    "/m/{ended}": (2, 6),
    "/m/{ended}/12": (3, 8),
    "/m/{ended}/12?as=all": (3, 8),
    "/m/{ended}/decisions": (2, 6),
    "/m/{ended}/record.json": (1, 3),
    "/m/{ended}/record.txt": (1, 3),
    "/clubs": (1, 22),
    "/clubs?q=club": (1, 22),
    "/clubs/new": (None, 4),
    "/c/st-gall": (18, 48),
    "/c/st-gall/feed.atom": (8, 9),
    "/c/st-gall/feed.json": (8, 9),
    "/c/st-gall/feeds": (1, 5),
    "/c/st-gall/desk/webhooks": (None, 7),
    "/c/st-gall/calendar": (4, 23),
    "/c/st-gall/calendar/{date}": (3, 24),
    "/c/st-gall/calendar/{date}/change": (None, 10),
    "/c/st-gall/members": (5, 11),
    "/c/st-gall/log": (None, 12),
    "/c/st-gall/desk": (None, 13),
    "/c/st-gall/desk/rights/bob": (None, 8),
    "/c/st-gall/desk/expel/bob": (None, 8),
    "/c/st-gall/tournaments": (8, 15),
    "/c/st-gall/tournaments/1": (6, 28),
    "/c/st-gall/tournaments/1/wall": (6, 9),
    "/c/st-gall/tournaments/2": (6, 27),
    "/c/st-gall/tournaments/2/wall": (6, 9),
    "/c/st-gall/ladders": (3, 8),
    "/c/st-gall/ladders/new": (None, 7),
    "/c/st-gall/ladders/1": (8, 29),
    "/c/st-gall/ladders/1?all=1": (8, 29),
    "/c/st-gall/ladders/1/rules": (2, 6),
    "/c/st-gall/ladders/1/challenge?to=bob": (None, 10),
    "/c/st-gall/ladders/1/challenges/{challenge}": (5, 9),
    "/c/st-gall/ladders/1/history": (7, 12),
    "/c/st-gall/ladders/1/history?kind=result": (7, 12),
    "/c/st-gall/ladders/1/player/ann": (15, 19),
    "/c/st-gall/ladders/1/player/ann?span=all": (15, 19),
    "/c/st-gall/ladders/1/head-to-head?one=ann&two=bob": (10, 14),
    "/c/st-gall/ladders/1/cross-table?season=1": (6, 10),
    "/c/st-gall/ladders/1/seasons": (7, 11),
    "/c/st-gall/ladders/1/seasons/1": (11, 15),
    "/c/st-gall/ladders/1/seasons/2": (10, 14),
    "/c/st-gall/ladders/1/seasons/1/print": (8, 10),
    "/c/st-gall/ladders/1/print": (4, 6),
    "/c/st-gall/ladders/1/embed": (2, 4),
    "/c/st-gall/ladders/1/desk": (None, 12),
    "/c/st-gall/ladders/1/desk/rules": (None, 7),
    "/c/st-gall/ladders/1/desk/order": (None, 8),
    "/c/st-gall/ladders/1/desk/order?by=2": (None, 9),
    "/c/st-gall/ladders/1/desk/undo/{result}": (None, 13),
    "/c/st-gall/ladders/1.csv": (3, 5),
    "/c/st-gall/ladders/1/results.json": (7, 9),
    "/c/st-gall/ladders/1/seasons/1.json": (11, 13),
}
"""How many queries a page costs that was asked for before: to somebody who is not signed in (None: they are sent away),
and to ann."""


def fill(number):
    """Put this many of everything on the site: open, running and ended matches, with and without ann."""
    rng = Random(number)
    for each in range(number):
        names = [f"p{number}x{each}x{seat}" for seat in range(3)]
        host, *others = map(person, names)
        open_matches.open_match(host, places=4, options={}, clock=Clock.live(1, 0))
        open_matches.open_match(host, places=3, options={})
        answer(seated(*names), rng)
        running = answer(seated("ann", *names[:2]), rng)
        play.leave(running, 1, "leave")
        began = ms_of(timezone.now() - timedelta(days=each + 1))
        for sitting in (names, ["ann", *names[:2]], ["ann", names[2]]):
            people = [person(name) for name in sitting]
            match = rehearsal.match_of(people, began, rated=True, pace="daily", days=2)
            rehearsal.perform(match, [choose_random] * len(people), rng, leaver=1 if len(people) == 3 else None)
        Block.objects.create(user=person("ann"), blocked=others[1])
        following.follow(person("ann"), others[0])
        for text in ("Shall we play?", "Now?"):
            inbox.send(person("bob"), person("ann"), text, timezone.now())
            inbox.send(host, person("ann"), text, timezone.now())
        invitations.challenge(host, person("ann"), places=2, options={})
        notices.notify(
            [person("ann")], "turn", f"/m/{number}x{each}", timezone.now(), by=host, names=names[0], game="Biblios"
        )


def fill_ladder(ladder, number):
    """Add this many players, results, corrections of both kinds and seasons to a ladder; members beside it."""
    steward = person("ann")

    def now():
        ladder.refresh_from_db()
        return timezone.now() - timedelta(days=30) + timedelta(hours=2 * ladder.events)

    for each in range(number):
        names = [f"q{number}x{each}x{place}" for place in range(3)]
        for name in names:
            Member.objects.create(club=ladder.club, user=person(name), joined_at=now())
        events.add(ladder, steward, [person(name) for name in names[:2]], now())
        met(ladder, *names[1::-1], now=now())
        undone = ladder.log.order_by("number").last().number
        events.correct(ladder, steward, person(names[1]).pk, 1, "Belongs there.", now())
        events.undo(ladder, steward, undone, "They did not play it.", now())
        events.end_season(ladder, steward, now())
        events.start_season(ladder, steward, now())
        below = ladder.now_standing().position(steward.pk) + 1
        if ladder.now_standing().position(person(names[0]).pk) != below:
            events.correct(ladder, steward, person(names[0]).pk, below, "Plays well.", now())
        met(ladder, names[0], "ann", places=(2, 1), now=now())


def fill_deck(match, number):
    """So many more cards of ann, one of them answered, and a puzzle; the answered one."""
    day = deck.today(timezone.now())
    have = DeckCard.objects.count()
    made = [card_at(match, ply, "ann", day) for ply in range(have, have + 2 + number)]
    DeckCard.objects.filter(pk=made[0].pk).update(due_on=day + timedelta(days=3), answered_on=day, answer="keep")
    DailyPuzzle.objects.get_or_create(
        day=day, defaults={"match": match, "ply": 0, "seat": made[0].seat, "question": made[0].question}
    )
    return made[0].pk


def fill_hands(number):
    """Yesterday's hand, closed, and today's, each finished by this many people more and by ann."""
    now = timezone.now()
    for back in (1, 0):
        for name in (*(f"h{number}x{each}" for each in range(number)), "ann"):
            if not HandTry.objects.filter(hand=hand_at(now - timedelta(days=back)), user=person(name)).exists():
                done(name, now=now - timedelta(days=back))
    hands.draw(now)
    hands.close_due(hand_at(now - timedelta(days=1)).closes)


def fill_clubs(ladder, number):
    """Add this many clubs, of ann too; people who ask, are invited and expelled, announcements, running games."""
    now, club, steward = timezone.now(), ladder.club, person("ann")
    for each in range(number):
        names = [f"r{number}x{each}x{place}" for place in range(6)]
        asks, invited, expelled, joins, *players = map(person, names)
        for user in (expelled, joins, *players):
            Member.objects.create(club=club, user=user, joined_at=now)
        clubs.expel(club, steward, expelled, "Shouts at people.", now)
        clubs.appoint(club, steward, joins, now)
        clubs.announce(club, joins, f"Number {each} of {number}.", now)
        clubs.invite(club, steward, [invited.username], now)
        for day in (1, 99):
            plan = EventPlan("Evening", now + timedelta(days=day), 3, "", "", public=True)
            dates.answer(dates.make(club, joins, plan, now)[0], joins, "yes", now)
        Asking.objects.create(club=club, user=asks, at=now)
        events.add(ladder, steward, players, now)
        agreed(ladder, *names[5:3:-1], now=now)
        for name, private in (("Ours", True), ("Theirs", False)):
            fields = {
                "name": f"{name} {number} {each}",
                "description": "A club.",
                "language": "",
                "private": private,
                "joining": "ask",
            }
            slug = f"{name.lower()}-{number}-{each}"
            other = clubs.found(steward if private else joins, slug=slug, **fields, now=now)
            clubs.invite(other, steward if private else joins, ["eve", "ann"], now)


def fill_evening(club, evening=None):
    """Another round of an evening with everybody in the club; there is another evening then."""
    now, ann = timezone.now(), person("ann")
    terms = services.GameTerms(seats=3)
    if evening is None:
        evening = services.open_tournament(club, ann, Tournament.Kind.EVENING, "Candlemas", terms, now)
    else:
        services.open_tournament(club, ann, Tournament.Kind.EVENING, "Lammas", terms, now)
    people = User.objects.filter(memberships__club=club)
    come(evening, *people.exclude(username__startswith="q"), now=now)
    evenings.seat_everybody(evening, ann, now)
    evening.refresh_from_db()
    playing.create_more(evening, now)
    return evening


def fill_cup(club, cup=None):
    """Another round of a Swiss tournament, with everybody in the club."""
    now, ann = timezone.now(), person("ann")
    people = User.objects.filter(memberships__club=club).exclude(username__startswith="q")
    if cup is None:
        terms, plan = services.GameTerms(clock=Clock.daily(2), seats=2), contests.Plan(days=7)
        cup = contests.create(club, ann, Tournament.Kind.SWISS, "Spring cup", terms, plan, now, game=title())
        come(cup, *people, now=now)
        contests.begin(cup, ann, now)
    else:
        come(cup, *people, now=now)
        due.do(cup, now + timedelta(days=7))
    return cup


def challenged(ladder):
    """The id of a challenge of ann, by the first who may."""
    ladder.refresh_from_db()
    now, ann = timezone.now(), person("ann")
    situation = events.situation(ladder, now)
    first = next(player for player in situation.standing.order if refusal(situation, player, ann.pk) is None)
    return challenges.challenge(ladder, User.objects.get(pk=first), [ann], challenges.Terms(), now).pk


@pytest.fixture
def site():
    """Addresses by what they are, at a site where little has happened."""
    fill(1)
    ladder = club_of("ann", "bob", now=timezone.now() - timedelta(days=30))
    met(ladder, "bob", "ann", now=timezone.now() - timedelta(days=29))
    result = ladder.log.order_by("number").last().number
    fill_ladder(ladder, 1)
    fill_clubs(ladder, 1)
    fill_hands(1)
    evening = fill_evening(ladder.club)
    cup = fill_cup(ladder.club)
    open_ = open_matches.open_match(person("bob"), places=3, options={})
    running = rushed(seated("ann", "bob", "dan"), until=lambda state: not state.early)
    ended = rushed(seated("ann", "bob", "dan"))
    for match in (running, ended):
        ChatLine.objects.create(match=match, user=person("bob"), text="a line")
    keys = {"open": open_.key, "running": running.key, "ended": ended.key}
    return {
        **keys,
        "matches": [open_, running, ended],
        "ladder": ladder,
        "evening": evening,
        "cup": cup,
        "result": result,
        "challenge": challenged(ladder),
        "date": ladder.club.calendar.latest("pk").pk,
        "card": fill_deck(ended, 1),
        "today": hands.today(timezone.now()).isoformat(),
        "yesterday": hands.today(timezone.now() - timedelta(days=1)).isoformat(),
    }


def queries(client, address, expected=None):
    """How many queries a page costs that was asked for before: perhaps already, if it costs what is expected."""
    for _ in range(2):
        with CaptureQueriesContext(connection) as context:
            response = client.get(address)
            assert response.status_code == 200, address
        if len(context) == expected:
            break
    return len(context)


def counted(client, site, expected=None):
    expected = expected or dict.fromkeys(PAGES, (None, None))
    client.logout()
    visitor = {
        page: queries(client, page.format(**site), expected[page][0])
        for page, (cost, _) in PAGES.items()
        if cost is not None
    }
    client.force_login(person("ann"))
    return {page: (visitor.get(page), queries(client, page.format(**site), expected[page][1])) for page in PAGES}


def test_each_page_costs_what_the_table_says_however_much_there_is(client, site, at_most):
    at_most("exports", 10**6)
    assert counted(client, site) == PAGES
    fill(8)
    fill_ladder(site["ladder"], 8)
    fill_clubs(site["ladder"], 8)
    fill_hands(8)
    fill_deck(site["matches"][2], 8)
    fill_evening(site["ladder"].club, site["evening"])
    fill_cup(site["ladder"].club, site["cup"])
    site["challenge"] = challenged(site["ladder"])
    for number in range(50):
        open_matches.open_match(person(f"host{number}"), places=3, options={})
    for match in site["matches"]:
        ChatLine.objects.bulk_create(ChatLine(match=match, user=person("bob"), text=str(n)) for n in range(40))
    for _ in range(5):
        client.logout()
        client.force_login(person("ann"))
    assert counted(client, site, PAGES) == PAGES, "with many rows"


def test_each_few_lines_of_an_export_cost_the_same(site):
    def cost():
        with CaptureQueriesContext(connection) as context:
            assert exports.some_lines(person("ann"), person("bob"), "")[0].count("\n")
        return len(context)

    few = cost()
    fill(4)
    assert cost() == few
