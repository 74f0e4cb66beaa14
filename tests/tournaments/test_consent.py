"""Nobody is seated unasked: whom a steward ticks says yes themselves, or has allowed it, and then loses nothing."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.clubs import clubs
from accounts.models import Block, Member, Notice, User
from accounts.web import throttle
from accounts.web.refused import Refused
from games.engine.registry import title
from games.lobby import open_matches, page, pending, quick
from games.matches import clocks, history, play, verify
from games.matches.clocks import Clock
from games.matches.models import Match, Seat, Seek
from games.tournaments import audit, contests, due, duplicate, evenings, events, invitations, playing, services
from games.tournaments.contests import Plan
from games.tournaments.models import EventInvitation, Tournament
from games.tournaments.services import GameTerms
from tests.clubs.clubs import START, club_of
from tests.people import person
from tests.tournaments.deals import duplicate_of
from tests.tournaments.evenings import LATER, come, end_all, evening_of, seat

pytestmark = pytest.mark.django_db


def here(tournament):
    return events.standing(tournament).here


def test_whom_a_steward_ticks_is_asked_and_comes_by_saying_yes():
    evening = evening_of("ann", "bob")
    cho = person("cho")
    assert services.tick(evening, person("ann"), [cho], START) == (0, 1)
    assert services.tick(evening, person("ann"), [cho], START) == (0, 1)  # once is enough
    assert cho.pk not in here(evening) and cho.notices.count() == 1
    [wait] = pending.actions(cho, START)
    assert [act.label for act in wait.acts if act.posts] == ["No", "I’m here"]
    services.enter(evening, cho, START)
    assert cho.pk in here(evening) and not events.standing(evening).entrants[cho.pk].ticked
    assert not EventInvitation.objects.exists() and not pending.actions(cho, START)


def test_who_says_no_is_not_asked_again():
    evening = evening_of("ann", "bob")
    cho = person("cho")
    services.tick(evening, person("ann"), [cho], START)
    services.decline(evening, cho, START)
    with pytest.raises(Refused, match="cho has said no"):
        services.tick(evening, person("ann"), [cho], START)
    with pytest.raises(Refused, match="link for guests"):
        services.enter(evening, cho, START)


def test_strangers_read_nothing_that_a_club_has_written():
    evening = evening_of("ann", "bob")
    dan, cho = person("dan"), person("cho")
    clubs.join(evening.club, dan, START)
    services.tick(evening, person("ann"), [dan, cho], START)
    assert [person(name).notices.get(kind="event-invited").values["event"] for name in ("dan", "cho")] == [
        "Candlemas",
        None,
    ]


def test_what_waits_tells_strangers_no_words_of_a_club_and_nobody_of_a_steward_whom_they_block():
    evening = evening_of("ann", "bob")
    dan, cho = person("dan"), person("cho")
    clubs.join(evening.club, dan, START)
    services.tick(evening, person("ann"), [dan, cho], START)
    [told], [bare] = (pending.actions(each, START) for each in (dan, cho))
    assert "Candlemas" in told.sentence
    assert bare.sentence == "<bdi>ann</bdi> asks whether you take part in an event of their club."
    assert [(act.label, act.posts) for act in bare.acts] == [("To the event", False), ("No", True), ("I’m here", True)]
    Block.objects.create(user=cho, blocked=person("ann"))
    assert not pending.actions(cho, START)


def test_an_invitation_leads_into_the_event_of_a_private_club_until_it_is_taken_back_or_declined(client):
    evening = evening_of("ann", "bob", private=True)
    cho = person("cho")
    client.force_login(cho)
    address = evening.get_absolute_url()
    assert client.get(address).status_code == 404
    services.tick(evening, person("ann"), [cho], START)
    assert "A steward asks." in client.get(address).content.decode()
    services.untick(evening, person("ann"), cho, START)
    assert client.get(address).status_code == 404
    services.tick(evening, person("ann"), [cho], START)
    answer = client.post(f"{address}/decline", follow=True)
    assert answer.redirect_chain == [("/play", 302)] and "You’ve said no." in answer.content.decode()
    assert client.get(address).status_code == 404


def test_an_invitation_ends_with_the_event_and_with_the_membership():
    evening = evening_of("ann", "bob", "dan")
    services.leave(evening, person("dan"), START)
    services.tick(evening, person("ann"), [person("dan"), person("cho")], START)
    clubs.expel(evening.club, person("ann"), person("dan"), "Shouts.", START)
    assert [each.user.username for each in EventInvitation.objects.all()] == ["cho"]
    services.close(evening, person("ann"), START)
    assert not EventInvitation.objects.exists()


def test_a_no_stays_when_somebody_leaves_the_club():
    evening = evening_of("ann", "bob", "dan")
    dan = person("dan")
    services.leave(evening, dan, START)
    services.tick(evening, person("ann"), [dan], START)
    invitations.decline(evening, dan)
    clubs.leave(evening.club, dan, START)
    with pytest.raises(Refused, match="dan has said no"):
        services.tick(evening, person("ann"), [dan], START)


def test_a_steward_asks_only_so_many(at_most):
    at_most("event invitations", 2)
    evening = evening_of("ann", "bob")
    services.tick(evening, person("ann"), [person("cho"), person("dan")], START)
    with pytest.raises(throttle.TooMany):
        services.tick(evening, person("ann"), [person("eve")], START)


def test_a_steward_asks_one_person_only_so_often_and_others_too():
    evening, cho = evening_of("ann", "bob"), person("cho")
    for _time in range(2):
        services.tick(evening, person("ann"), [cho], START)
        services.untick(evening, person("ann"), cho, START)
    with pytest.raises(throttle.TooMany, match="one of these people to several events"):
        services.tick(evening, person("ann"), [person("dan"), cho], START)
    assert services.tick(evening, person("ann"), [person("dan")], START) == (0, 1)
    clubs.appoint(evening.club, person("ann"), person("bob"), START)
    assert services.tick(evening, person("bob"), [cho], START) == (0, 1)


def test_what_a_steward_asks_is_one_line_below_all_else(at_most):
    at_most("event invitations to", 20)
    mine, cho = evening_of("eve", "fay"), person("cho")
    clubs.join(mine.club, cho, START)
    other = evening_of("ann", "bob", slug="cluny").club
    for _event in range(9):
        asks = services.open_tournament(
            other, person("ann"), Tournament.Kind.EVENING, "Night", GameTerms(seats=2), START
        )
        services.tick(asks, person("ann"), [cho], START)
    first, last = pending.actions(cho, START)
    assert first.club == mine.club_id and last.sentence.startswith("<bdi>ann</bdi> asks")
    assert last.shown_on == asks.get_absolute_url()


@pytest.fixture
def night():
    """An evening of ann and bob, to which the steward has taken dan, who allows it."""
    found = evening_of("ann", "bob", terms=GameTerms(seats=3))
    dan = person("dan")
    clubs.join(found.club, dan, START)
    clubs.let_seat(found.club, dan, True, START)
    assert services.tick(found, person("ann"), [dan], START) == (1, 0)
    return found


def test_a_member_who_allows_it_is_taken_in_at_club_nights_only(night):
    dan = person("dan")
    assert dan.pk in here(night) and dan.notices.filter(kind="ticked").exists()
    cup = contests.create(
        night.club, person("ann"), Tournament.Kind.SWISS, "Cup", GameTerms(2), Plan(), START, game=title()
    )
    assert services.tick(cup, person("ann"), [dan], START) == (0, 1)


def test_who_has_left_by_themselves_is_asked_and_whom_a_steward_took_out_is_let_back_in_as_before(night):
    ann, bob, dan = person("ann"), person("bob"), person("dan")
    services.leave(night, dan, START)
    assert services.tick(night, ann, [dan], START) == (0, 1)
    services.untick(night, ann, bob, START)
    assert bob.notices.filter(kind="unticked").exists()
    assert services.tick(night, ann, [bob], START) == (1, 0)
    assert not events.standing(night).entrants[bob.pk].ticked  # so that their games stay rated


def leaves_the_club(night, bob):
    clubs.leave(night.club, bob, START)


def is_expelled_and_readmitted(night, bob):
    ann = person("ann")
    clubs.expel(night.club, ann, bob, "Shouts.", START)
    clubs.readmit(night.club, ann, bob)


@pytest.mark.parametrize("ends", [services.leave, leaves_the_club, is_expelled_and_readmitted])
def test_whom_a_steward_took_out_is_asked_again_once_they_have_left(night, ends):
    ann, bob = person("ann"), person("bob")
    services.untick(night, ann, bob, START)
    ends(*((night, bob, START) if ends == services.leave else (night, bob)))
    assert services.tick(night, ann, [bob], START) == (0, 1)
    night.refresh_from_db()
    audit.check(night)


def test_whom_a_steward_took_out_can_say_no(night, client):
    ann, bob = person("ann"), person("bob")
    services.untick(night, ann, bob, START)
    client.force_login(bob)
    no, page = f"{night.get_absolute_url()}/decline", night.get_absolute_url()
    assert no in client.get(page).content.decode()
    assert "You’ve said no." in client.post(no, follow=True).content.decode()
    assert no not in client.get(page).content.decode()
    with pytest.raises(Refused, match="bob has said no"):
        services.tick(night, ann, [bob], START)
    before = night.log.count()
    services.leave(night, bob, START)
    assert night.log.count() == before
    services.enter(night, bob, START)
    night.refresh_from_db()
    audit.check(night)


def test_taken_out_and_leaving_opens_no_door(night):
    cup = contests.create(
        night.club, person("ann"), Tournament.Kind.SWISS, "Cup", GameTerms(2), Plan(), START, game=title()
    )
    bob = person("bob")
    services.enter(cup, bob, START)
    services.untick(cup, person("ann"), bob, START)
    services.leave(cup, bob, START)
    with pytest.raises(Refused, match="only a steward"):
        services.enter(cup, bob, START)


def test_who_no_longer_lets_stewards_seat_them_leaves_the_nights_to_which_they_have_not_said_yes(night):
    dan, other = person("dan"), evening_of("eve", "fay", slug="cluny")
    clubs.join(other.club, dan, START)
    services.enter(other, dan, START)
    clubs.let_seat(night.club, dan, False, START)
    assert dan.pk not in here(night) and dan.pk in here(other)
    assert services.tick(night, person("ann"), [dan], START) == (0, 1)


def test_who_has_declined_is_not_taken_in_because_they_allow_it(night):
    eve = person("eve")
    clubs.join(night.club, eve, START)
    services.tick(night, person("ann"), [eve], START)
    services.decline(night, eve, START)
    clubs.let_seat(night.club, eve, True, START)
    with pytest.raises(Refused, match="eve has said no"):
        services.tick(night, person("ann"), [eve], START)


def unasked(night):
    """The running match of the evening, and dan's seat in it."""
    seat(night, size=3)
    open_matches.begin_called(Match.objects.get(), clocks.ms_of(START + open_matches.READY_WITHIN))
    match = Match.objects.playing().get()
    return match, next(each for each in match.sitting if each.user == person("dan"))


def test_whom_a_steward_has_seated_is_told_so_at_the_table(night, client):
    match, _own = unasked(night)
    shown = {}
    for name in ("ann", "dan"):
        client.force_login(person(name))
        shown[name] = "A steward has seated you here." in client.get(match.get_absolute_url()).content.decode()
    assert shown == {"ann": False, "dan": True}


def test_a_game_that_one_has_not_agreed_to_counts_for_nothing(night):
    dan = person("dan")
    quick.seek(dan, title(), 2)
    match, own = unasked(night)
    assert not own.confirmed
    assert Seek.objects.filter(user=dan).exists()
    assert playing.playing_live([dan.pk]) == set()
    assert page.begun(dan, START - timedelta(days=1)) is None
    assert page.begun(dan, START - timedelta(days=1), event=night.page) == match
    for _table in range(open_matches.TABLES - 1):
        Seat.objects.create(
            match=Match.objects.create(host=dan, game="biblios", version=1, places=2), index=0, user=dan
        )
    open_matches.check_room_for(dan)
    Seat.objects.filter(pk=own.pk).update(confirmed=True)
    with pytest.raises(Refused, match="fifty tables"):
        open_matches.check_room_for(dan)


@pytest.mark.parametrize("why", [Seat.Left.TIME, Seat.Left.LEAVE, Seat.Left.RESIGN])
def test_who_never_comes_to_a_game_that_they_have_not_agreed_to_loses_nothing(night, why):
    match, own = asked_unasked(night)
    play.leave(match, own.index, why, at=match.deadline + clocks.GRACE_MS)
    match = Match.objects.seated().get()
    assert (match.status, match.result) == (Match.Status.ABORTED, None)
    assert match.log.order_by("ply").last().move == "!absent"
    assert not verify.faults(match, [*match.log.order_by("ply")], [])
    standing = events.standing(night)
    assert not standing.counted and len(standing.free) == 3


def test_the_first_answer_says_yes(night):
    match, own = asked_unasked(night)
    answer(match)
    assert Seat.objects.get(pk=own.pk).confirmed
    play.leave(Match.objects.playing().get(), own.index, Seat.Left.RESIGN)
    assert Match.objects.get().status == Match.Status.RUNNING  # a bot plays on, and they have lost


def asked_unasked(night):
    """The same, once it is dan's turn for the first time."""
    match, own = unasked(night)
    while match.mover != own.index:
        answer(match)
        match = Match.objects.playing().get()
    return match, match.sitting[own.index]


def answer(match):
    """Whoever is asked gives their first possible answer."""
    state = history.replay(match).state(match.ply)
    play.play(match, match.mover, match.ply, [match.rules.text(state.legal()[0])], at=match.asked_ms)


def test_nobody_is_refused_for_a_round_because_others_come_while_it_is_paired(monkeypatch):
    evening = evening_of("ann", "bob", terms=GameTerms(seats=2))
    free = evenings.free

    def busy(standing):
        found = free(standing)
        if person("cho").pk not in found:
            services.enter(evening, person("cho"), START, evening.token)
        return found

    monkeypatch.setattr(evenings, "free", busy)
    assert seat(evening, size=3) == [["ann", "bob", "guest"]]


@pytest.mark.parametrize("most", [2, 3])
def test_games_laid_for_others_are_bounded_and_what_is_refused_is_not_counted(at_most, most):
    at_most("club games", most)
    evening = evening_of("ann", "bob", "dan", "eve", terms=GameTerms(seats=2))
    seat(evening)
    end_all(evening)
    with pytest.raises(throttle.TooMany):
        seat(evening, now=LATER)
    assert len(events.standing(evening).rounds) == 1 and Match.objects.count() == 2
    at_most("club games", 4)
    seat(evening, now=LATER)
    at_most("event games", 4)
    assert throttle.windows("event games", evening.pk)[0][0].add(0) == 4


def test_a_tournament_by_the_clock_waits_when_its_club_has_begun_many_games(at_most):
    club = club_of("ann", "bob", "dan", season=False).club
    terms = GameTerms(2, clock=Clock.daily(1))
    cup = contests.create(club, person("ann"), Tournament.Kind.SWISS, "Cup", terms, Plan(days=7), START, game=title())
    for name in ("ann", "bob", "dan"):
        services.enter(cup, person(name), START)
    contests.begin(cup, person("ann"), START)
    at_most("event games", 1)
    end_all(cup)
    due.work(LATER)
    cup.refresh_from_db()
    assert len(events.standing(cup).rounds) == 1 and cup.wake_at > LATER
    at_most("event games", 2)
    due.work(cup.wake_at)
    assert len(events.standing(cup).rounds) == 2


def test_rounds_side_by_side_are_counted_and_laid_as_one(at_most):
    club = club_of("ann", "bob", "dan", "eve", season=False).club
    terms = GameTerms(2, clock=Clock.daily(1))
    cup = contests.create(
        club, person("ann"), Tournament.Kind.ROUND_ROBIN, "Cup", terms, Plan(days=7), START, game=title()
    )
    for name in ("ann", "bob", "dan", "eve"):
        services.enter(cup, person(name), START)
    at_most("event games", 5)
    with pytest.raises(throttle.TooMany):
        contests.begin(cup, person("ann"), START)
    assert throttle.windows("event games", cup.pk)[0][0].add(0) == 0
    at_most("event games", 6)
    contests.begin(cup, person("ann"), START)
    assert not Match.objects.exists()  # six tables are too many for one transaction
    due.work(START)
    assert Match.objects.count() == 6


@pytest.mark.parametrize("same_deal", [False, True])
def test_the_tables_of_a_large_round_are_laid_a_few_at_a_time(monkeypatch, client, same_deal):
    monkeypatch.setattr(playing, "AT_ONCE", 1)
    names = "ann", "bob", "dan", "eve", "fay", "gus"
    event = duplicate_of(*names) if same_deal else evening_of(*names, terms=GameTerms(2))
    (duplicate if same_deal else evenings).seat_everybody(event, person("ann"), START)
    event.refresh_from_db()
    assert not Match.objects.exists() and event.wake_at == START
    client.force_login(person("ann"))
    assert client.get(event.get_absolute_url()).status_code == 200
    audit.check(event)
    due.work(START)
    event.refresh_from_db()
    tables = events.standing(event).rounds[-1].tables
    assert [table.match for table in tables] == [match.key for match in Match.objects.order_by("pk")]
    assert not event.to_create and event.wake_at > START
    assert {match.status for match in Match.objects.all()} == {"running"}
    told = Notice.objects.filter(kind="round").order_by("user")
    assert [(each.user.username, each.by.username) for each in told] == [(name, "ann") for name in names]
    assert {each.address for each in told} == {match.get_absolute_url() for match in Match.objects.all()}
    audit.check(event)


def test_whoever_is_called_to_a_table_reads_of_which_round_it_is(monkeypatch):
    monkeypatch.setattr(playing, "AT_ONCE", 2)
    first, second = ("ann", "bob", "dan", "eve", "fay", "gus"), ("hal", "ivy")
    night = evening_of(*first, terms=GameTerms(2))
    seat(night)
    come(night, *map(person, second))
    seat(night)
    due.work(START)
    assert Match.objects.count() == 4
    told = {each.user.username: each.values["number"] for each in Notice.objects.filter(kind="round")}
    assert told == dict.fromkeys(first, 1) | dict.fromkeys(second, 2)


def test_a_table_that_has_yet_to_be_laid_opens_in_a_moment(monkeypatch, client):
    monkeypatch.setattr(playing, "AT_ONCE", 1)
    cup = evening_of("ann", "bob", "dan", "eve", terms=GameTerms(2))
    evenings.seat_everybody(cup, person("ann"), START)
    missing = events.standing(cup).rounds[0].tables[0]
    client.force_login(User.objects.get(pk=missing.players[0]))
    page = client.get(cup.get_absolute_url()).content.decode()
    assert "Opens in a moment" in page and missing.match not in page
    client.force_login(person("ann"))
    assert client.get(f"{cup.get_absolute_url()}/correct/1/2").status_code == 404


def test_a_full_evening_is_ticked_in_a_few_queries():
    """Others wait for the tournament meanwhile: ten queries each, and the standing written for each, took seconds."""
    found = evening_of("ann")
    many = User.objects.bulk_create(User(username=f"p{n}", folded=f"p{n}", skeleton=f"p{n}") for n in range(120))
    Member.objects.bulk_create(
        Member(club=found.club, user=each, joined_at=START, seatable=n < 100) for n, each in enumerate(many)
    )
    with CaptureQueriesContext(connection) as asked:
        assert services.tick(found, person("ann"), many, START) == (100, 20)
    assert len(asked) < 40
    assert len(here(found)) == 101 and Notice.objects.filter(kind="ticked").count() == 100
    audit.check(Tournament.objects.get(pk=found.pk))


def test_who_is_to_sit_at_a_table_that_has_yet_to_be_laid_is_seated_nowhere_else(monkeypatch):
    monkeypatch.setattr(playing, "AT_ONCE", 1)
    names = "ann", "bob", "dan", "eve"
    night, other = evening_of(*names, terms=GameTerms(2)), evening_of(*names, slug="gallen")
    quick.seek(person("bob"), title(), 2)
    evenings.seat_everybody(night, person("ann"), START)
    assert not Match.objects.exists() and not Seek.objects.exists()
    assert evenings.free(events.standing(other)) == []
    due.work(START)
    assert evenings.free(events.standing(other)) == []
    end_all(night)
    assert len(evenings.free(events.standing(other))) == 4
