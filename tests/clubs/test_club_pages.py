"""The pages of clubs: who sees what, what is refused, and that nothing of a private club is shown to others."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts import services as accounts
from accounts.clubs import clubs
from accounts.models import Asking, Club, Expulsion, Member
from games.calendar.models import CalendarEvent
from games.clubs import coming
from games.clubs import page as club_page
from games.ladders.models import Ladder, TablePlayer, TableResult
from games.ladders.terms import Terms
from games.lobby import open_matches
from games.matches.clocks import Clock, instant, ms_of
from games.matches.models import Match
from games.tournaments import duplicate, evenings, services
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from tests.clubs.club_pages import (
    ACTS,
    DESK,
    FIELDS,
    LOOKING,
    NAME,
    date,
    joined_by,
    members,
    private,
    says_of,
    statuses,
)
from tests.clubs.clubs import DAY, agreed, club_of, met
from tests.ladders.ladder_pages import challenge
from tests.matches.matches import rushed, seated
from tests.people import person
from tests.reading import messages, text
from tests.tournaments.deals import deal_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]
Kind = Tournament.Kind


def page_part(page, name):
    """The HTML of the panel of this name, or of the `main` part of a page."""
    html = page.content.decode()
    if name == "main":
        return html[html.index("<main") : html.index("</main>")]
    found = re.search(rf'<section class="leaf" aria-labelledby="{name}">.*?</section>', html, flags=re.S)
    return found[0] if found else ""


def contest(club, name, kind, now, **settings):
    """A tournament that ann has opened."""
    return services.open_tournament(club, person("ann"), kind, name, GameTerms(2), now, **settings)


# Who sees a club


def test_everybody_sees_a_public_club(at, club):
    for name in ("", "cho", "bob", "ann"):
        client = at(name)
        assert statuses(client, [f"/c/st-gall{page}" for page in LOOKING]) == {200}
        shown = text(client.get("/c/st-gall"))
        assert NAME in shown and "Biblios · 2 members" in shown
        assert ("stewards: ann" in shown) == (name in ("", "cho")), "members find them among the members"


def test_what_one_may_do_stands_at_the_top(at, club):
    def buttons(name):
        html = at(name).get("/c/st-gall").content.decode()
        known = ("Join", "Ask to join", "Decline", "Withdraw request", "Manage")
        return {word for word in known if f">{word}</" in html}

    assert buttons("") == buttons("cho") == {"Join"}
    assert buttons("bob") == set()
    assert buttons("ann") == {"Manage"}
    joined_by(club, "ask")
    assert buttons("") == buttons("cho") == {"Ask to join"}
    Asking.objects.create(club=club, user=person("cho"), at=timezone.now())
    assert buttons("cho") == {"Withdraw request"}
    assert "You’ve asked to join. A steward will answer." in text(at("cho").get("/c/st-gall"))
    Asking.objects.update(by=person("ann"))
    assert buttons("cho") == {"Join", "Decline"}
    assert "ann invites you to the club St Gall." in text(at("cho").get("/c/st-gall"))
    joined_by(club, "invite")
    assert buttons("") == buttons("dan") == set()
    assert "invitation-only" in text(at("dan").get("/c/st-gall"))
    Expulsion.objects.create(
        club=club, user=person("dan"), by=person("ann"), reason="Shouts at people.", at=timezone.now()
    )
    assert buttons("dan") == set()
    shown = text(at("dan").get("/c/st-gall"))
    assert "You’ve been expelled. The reason: Shouts at people. Only a steward can readmit you." in shown


def test_a_club_shows_its_people_its_ladder_and_its_games(at, now):
    ladder = club_of("ann", "bob", "dan", now=now - 30 * DAY)
    met(ladder, "dan", "bob", now=now - 2 * DAY)
    challenge(ladder, "bob", "ann", now=now - DAY)
    clubs.announce(ladder.club, person("ann"), "We meet\n\non <Monday>.", now, public=True)
    response = at("cho").get("/c/st-gall")
    shown = text(response)
    assert "We meet on <Monday>." in shown and "on <Monday>" not in response.content.decode()
    home = club_page.home(Club.objects.get(), person("cho"), now)
    assert [rung.fellow.name for rung in home.rungs] == ["ann", "dan", "bob"]
    assert [each.result.names for each in home.lately] == [("dan", "bob")] and home.playing == []


def test_what_is_empty_is_not_shown(at, now):
    club = clubs.found(person("ann"), **says_of("The Scriptorium"), now=now)
    shown = text(at("cho").get(club.get_absolute_url()))
    assert "Biblios · 1 member" in shown
    for panel in ("Next", "Now", "Announcements", "Lately", "No one", "nothing"):
        assert f" {panel} " not in shown.partition("Members")[2], panel
    assert "Nothing is planned yet." in text(at("ann").get(club.get_absolute_url()))


def test_games_that_are_played_stand_there_and_those_of_tomorrow_do_not(at, now):
    ladder = club_of("ann", "bob", "dan", "eve", now=now - 30 * DAY)
    made = agreed(ladder, "bob", "ann", now=now)
    times = Terms(Clock.live(1, 15), times=(ms_of(now + DAY),))
    agreed(ladder, "eve", "dan", now=now, terms=times)
    for name, word in (("", "Watch"), ("cho", "Watch"), ("ann", "To the table")):
        now_ = page_part(at(name).get("/c/st-gall"), "now")
        assert re.findall(r'href="(/m/\w+)"', now_) == [made.match.get_absolute_url()]
        assert word in now_ and "eve" not in now_


@pytest.mark.parametrize(
    ("watch", "readers"),
    [("all", {"", "cho", "zoe", "ann"}), ("club", {"zoe", "ann"}), ("link", {"ann"}), ("none", {"ann"})],
)
def test_of_a_game_only_those_read_who_may_watch_it(at, club, now, watch, readers):
    Member.objects.create(club=club, user=person("zoe"), joined_at=now)
    match = seated("ann", "bob", club=club, watch=watch)
    shown = {name: page_part(at(name).get("/c/st-gall"), "now") for name in ("", "cho", "zoe", "ann")}
    assert {name for name, html in shown.items() if match.key in html} == readers


def test_a_game_of_a_sealed_deal_stands_there_for_nobody(at, now):
    deal = deal_of("ann", "bob", now=now)
    duplicate.play(deal, person("bob"), now)
    for name in ("", "ann", "bob"):
        assert page_part(at(name).get(deal.club.get_absolute_url()), "now") == ""


def test_a_table_for_members_stands_there_for_them(at, club):
    match = open_matches.open_match(person("ann"), places=2, options={}, club=club)
    assert f'formaction="/m/{match.key}/join"' in page_part(at("bob").get("/c/st-gall"), "now")
    assert match.key not in at("cho").get("/c/st-gall").content.decode()


def test_the_members_stand_there_with_position_and_rating(at, club):
    zoe = Member.objects.create(club=club, user=person("zoe"), joined_at=timezone.now())
    shown = text(at("bob").get("/c/st-gall/members")).partition("Members of St Gall 3 ")[2]
    assert "1 Aann steward 1500? " in shown and f"– Zzoe since {date(zoe.joined_at)}" in shown
    assert shown.index("ann") < shown.index("bob") < shown.index("zoe")
    assert "bob you 1500?" in shown


@pytest.mark.parametrize("slug", ["nowhere", "St-Gall", "st--gall", "é", "st-gall%00", "%ff", "x" * 300])
def test_a_club_that_is_none_is_not_found(at, club, slug):
    for name in ("", "ann"):
        client = at(name)
        assert statuses(client, [f"/c/{slug}", f"/c/{slug}/members", f"/c/{slug}/desk"]) == {404}
        assert client.post(f"/c/{slug}/join").status_code == 404


# Private clubs


@pytest.mark.slow
def test_whoever_may_not_know_of_a_private_club_finds_nothing_of_it(at, club):
    private(club)
    clubs.announce(club, person("ann"), "We meet on Monday.", timezone.now())
    pages = [f"/c/st-gall{page}" for page in LOOKING]
    pages += [f"/c/st-gall/{page}" for page in ("desk", "desk/expel/bob", "ladders/1/desk", "ladders", "ladders/new")]
    acts = [f"/c/st-gall/{act}" for act in ACTS] + [f"/c/st-gall/desk/{act}" for act in DESK]
    guest = accounts.guest()
    Asking.objects.create(club=club, user=person("eve"), at=timezone.now())  # asked when it was still public
    Expulsion.objects.create(club=club, user=person("dan"), by=person("ann"), reason="-", at=timezone.now())
    for name in ("", "cho", "dan", "eve", guest.username):
        client = at(name)
        assert statuses(client, pages) == {404}, name
        assert {client.post(act, FIELDS).status_code for act in acts} == {404}, name
        for page in ("/clubs", "/clubs?q=gall", "/c/st-gall", "/@/ann", "/@/bob", "/", "/play", "/watch"):
            assert NAME not in client.get(page).content.decode(), (name, page)
    assert members(club) == {"ann", "bob"}
    club.refresh_from_db()
    assert (club.name, club.invitation) == (NAME, "")


def test_a_page_of_a_private_club_that_is_not_found_is_the_same_as_of_none(at, club):
    private(club)
    for name in ("", "cho"):
        client = at(name)
        hidden, none = (client.get(f"/c/{slug}") for slug in ("st-gall", "nowhere"))
        assert text(hidden) == text(none)


def test_members_and_invited_people_see_a_private_club(at, club):
    private(club)
    clubs.invite(club, person("ann"), "dan", timezone.now())
    for name in ("ann", "bob", "dan"):
        client = at(name)
        assert statuses(client, [f"/c/st-gall{page}" for page in LOOKING if "embed" not in page]) == {200}, name
        assert NAME in text(client.get("/clubs" if name != "dan" else "/play"))
        assert NAME not in text(client.get("/clubs?q=gall")).partition("Clubs you can visit")[2]
    assert at("dan").post("/c/st-gall/decline").url == "/clubs"
    assert at("dan").get("/c/st-gall").status_code == 404


def test_an_address_that_a_private_club_has_looks_like_one_that_none_can_have(at, club):
    private(club)
    client = at("cho")
    taken = client.post("/clubs/new", {**FIELDS, "slug": "st-gall"})
    reserved = client.post("/clubs/new", {**FIELDS, "slug": "desk"})
    assert taken.status_code == reserved.status_code == 422
    assert "isn’t available" in text(taken) and "isn’t available" in text(reserved)
    assert NAME not in taken.content.decode()


# The list


def test_the_list_shows_public_clubs_the_largest_first(at, club, now):
    clubs.found(person("ann"), **says_of("The Bindery", description="Glue & thread"), now=now)
    clubs.found(person("ann"), **says_of("The Crypt", private=True), now=now)
    shown = text(at("cho").get("/clubs"))
    assert shown.index(NAME) < shown.index("The Bindery")
    assert "2 members" in shown and "Glue & thread" in shown and "The Crypt" not in shown
    assert "Your clubs" not in shown
    assert "Your clubs" in text(at("ann").get("/clubs")) and "The Crypt" in text(at("ann").get("/clubs"))


def test_one_s_own_clubs_tell_where_one_stands_on_their_ladders(at, club, now):
    clubs.found(person("bob"), **says_of("The Bindery"), now=now)
    shown = text(at("bob").get("/clubs"))
    assert "rung 2 of 2" in shown and "steward" in shown


def test_one_searches_for_a_part_of_the_name(at, club, now):
    clubs.found(person("ann"), **says_of("The Bindery"), now=now)

    def found(wanted):
        shown = text(at("cho").get("/clubs", {"q": wanted}))
        return [name for name in (NAME, "The Bindery") if name in shown]

    assert found("GALL") == [NAME] and found("bind") == ["The Bindery"] and found("") == [NAME, "The Bindery"]
    for odd in ("nothing so", "%", "_", "\0", "' OR 1=1 --", "x" * 500):
        response = at("cho").get("/clubs", {"q": odd})
        assert response.status_code == 200
    assert "No club by that name." in text(at("cho").get("/clubs", {"q": "nothing so"}))
    assert 'value="&lt;b&gt;"' in at("cho").get("/clubs", {"q": "<b>"}).content.decode()


def test_of_many_clubs_the_list_shows_so_many(at, club, now, monkeypatch):
    monkeypatch.setattr(club_page, "CLUBS", 1)
    assert "There are more." not in text(at().get("/clubs"))
    clubs.found(person("ann"), **says_of("The Bindery"), now=now)
    shown = text(at().get("/clubs"))
    assert "There are more." in shown and "The Bindery" not in shown


def test_where_no_club_is_one_is_asked_to_found_it(at):
    for name in ("", "cho"):
        assert "Found the first one" in text(at(name).get("/clubs"))


def test_a_club_without_members_stands_in_no_list(at, club):
    club.members.all().delete()
    assert NAME not in text(at("cho").get("/clubs"))


def test_an_invitation_waits_for_who_is_invited(at, club):
    clubs.invite(club, person("ann"), "dan", timezone.now())
    assert "1 thing waits for you" in text(at("dan").get("/clubs"))
    assert "ann invites you to the club St Gall." in text(at("dan").get("/play"))
    assert "waits for you" not in text(at("cho").get("/clubs"))
    client = at("dan")
    response = client.post("/c/st-gall/join")
    assert (response.url, messages(response)) == ("/c/st-gall", ["Welcome to St Gall."])
    assert "waits for you" not in text(client.get("/clubs"))


def test_an_invitation_of_whose_account_is_closed_is_no_broken_line(at, club, now):
    clubs.appoint(club, person("ann"), person("bob"), now)
    clubs.invite(club, person("bob"), "dan", now)
    person("bob").__class__.objects.filter(username="bob").update(closing_at=now)
    accounts.pseudonymise(person("bob").pk, now)
    for page in ("/clubs", "/c/st-gall"):
        assert at("dan").get(page).status_code == 200
    assert at("ann").get("/c/st-gall/desk").status_code == 200


# What the pages cost is in tests/test_queries.py


def test_only_so_much_stands_on_the_first_page_of_a_club(at, now):
    names = [f"p{number}" for number in range(10)]
    ladder = club_of(*names, now=now - 30 * DAY)
    for number in range(club_page.NEWS + 2):
        clubs.announce(ladder.club, person("p0"), f"News {number}.", now + timedelta(minutes=number))

    def rungs(name):
        return [(each.fellow.position, each.gap) for each in club_page.home(ladder.club, person(name), now).rungs]

    assert rungs("cho") == [(place, False) for place in range(1, 6)]
    assert rungs("p8") == [(1, False), (2, False), (3, False), (8, True), (9, False), (10, False)]
    assert rungs("p0") == [(1, False), (2, False), (3, False)]
    home = club_page.home(ladder.club, person("p8"), now)
    assert [each.text for each in home.announcements] == ["News 4.", "News 3.", "News 2."]


# What comes next, and what stewards have to do


def test_what_is_open_or_planned_stands_there_in_one_list(at, club, now):
    def planned(title, days, **fields):
        starts = now + days * DAY
        return CalendarEvent.objects.create(club=club, title=title, starts_at=starts, changed_at=now, **fields)

    series = uuid4()
    weekly = [planned("Thursday", days, kind="night", series=series, place="Library") for days in (5, 12, 19)]
    planned("Assembly", 9, public=True)
    planned("Cancelled", 3, cancelled_at=now)
    swiss = contest(club, "Autumn Swiss", Kind.SWISS, now)
    swiss.calendar = planned("Autumn Swiss", 7, kind="tournament", public=True)
    swiss.save()
    shown = coming.of_club(club, person("bob"), True, now, 6)
    assert [each.title for each in shown] == ["Thursday", "Autumn Swiss", "Assembly"]
    assert [[act.label for act in each.acts] for each in shown] == [
        ["No", "Maybe", "Yes"],
        ["Enter"],
        ["No", "Maybe", "Yes"],
    ]
    assert [each.address for each in shown][:2] == [weekly[0].get_absolute_url(), swiss.get_absolute_url()]
    outside = coming.of_club(club, person("cho"), False, now, 6)
    assert [(each.title, each.acts) for each in outside] == [("Autumn Swiss", ()), ("Assembly", ())]
    page = at("bob").get("/c/st-gall")
    assert "Meets every week, next:" in text(page) and "Library" in text(page)
    assert "Waiting for you" not in text(page), "nothing stands there twice"
    at("bob").post(f"{weekly[0].get_absolute_url()}/answer", {"answer": "yes"})
    services.enter(swiss, person("bob"), now)
    shown = coming.of_club(club, person("bob"), True, now, 6)
    assert [(each.mine, each.acts) for each in shown[:2]] == [("you: Yes", ()), ("You’re in", ())]


def test_what_goes_on_stands_first_and_a_night_leads_to_ones_table(at, club, now):
    night = evenings.open_evening(club, person("ann"), "Friday", GameTerms(2), now)
    shown = at("bob").get("/c/st-gall")
    assert "I’m here" in page_part(shown, "next") and "ws-connect" not in page_part(shown, "main")
    for name in ("ann", "bob"):
        services.enter(night, person(name), now)
    page = page_part(at("bob").get("/c/st-gall"), "main")
    assert "You’re here" in page and 'ws-connect="/ws/play?seeking=1' in page
    evenings.seat_everybody(night, person("ann"), now)
    [each] = coming.of_club(club, person("bob"), True, now, 6)
    assert each.running and each.at is None and "round 1" in each.details


def test_an_answer_on_the_first_page_leads_back_to_it(at, club, now):
    event = CalendarEvent.objects.create(club=club, title="Assembly", starts_at=now + DAY, changed_at=now)
    answer = f"{event.get_absolute_url()}/answer"
    assert at("bob").post(answer, {"answer": "no", "next": "/c/st-gall"}).url == "/c/st-gall"
    assert at("bob").post(answer, {"answer": "no", "next": "https://evil.example/"}).url != "https://evil.example/"
    assert at("bob").post(answer, {"answer": "no"}).url == event.get_absolute_url()


def test_lately_names_who_has_won(at, now):
    ladder = club_of("ann", "bob", "dan", "eve", now=now - 30 * DAY)
    met(ladder, "dan", "bob", now=now - 2 * DAY)
    night = evenings.open_evening(ladder.club, person("ann"), "Friday", GameTerms(2), now - DAY)
    for name in ("ann", "bob"):
        services.enter(night, person(name), now - DAY)
    evenings.seat_everybody(night, person("ann"), now - DAY)
    [table] = Match.objects.filter(agreed=night.page)
    rushed(table)
    services.close(night, person("ann"), now)
    first, second = club_page.home(ladder.club, person("cho"), now).lately
    assert first.tournament == night and second.result.names == ("dan", "bob")
    assert first.winners and set(first.winners) <= {"ann", "bob"}
    assert " won" in page_part(at().get("/c/st-gall"), "lately")


def test_stewards_read_in_one_line_what_they_have_to_do(at, now):
    ladder = club_of("ann", "bob", "dan", now=now - 30 * DAY)
    met(ladder, "bob", "ann", now=now - 2 * DAY)
    Asking.objects.create(club=ladder.club, user=person("cho"), at=now)
    result = TableResult.objects.create(
        ladder=ladder, entered_by=person("bob"), played_on=now, entered_at=now, until=now + DAY, status="disputed"
    )
    for number, name in enumerate(("bob", "dan")):
        TablePlayer.objects.create(result=result, number=number, user=person(name), place=number + 1)
    ends = Ladder.objects.get().now_standing().ends
    told = at("ann").get("/c/st-gall")
    assert "To do: 1 request to join · 1 result to decide · 1 hasn’t played for 3 weeks" in text(told)
    assert "season ends" not in text(told).partition("To do:")[2].partition("Next")[0]
    assert "To do" not in text(at("bob").get("/c/st-gall")) and "To do" not in text(at().get("/c/st-gall"))
    member = ladder.club.members.get(user=person("bob"))
    soon = instant(ends) - 12 * DAY
    member.rights = "ladder"
    todos = [each.text for each in club_page.todos(ladder.club, member, [ladder], ladder.now_standing(), soon)]
    assert todos[0] == "1 result to decide" and todos[-1] == "the season ends in 12 days"


def test_the_first_line_tells_where_one_stands(at, now):
    ladder = club_of("ann", "bob", "dan", now=now - 30 * DAY)
    met(ladder, "dan", "ann", now=now - 2 * DAY)
    assert "you: rung 1 of 3 ▲ 2" in text(at("dan").get("/c/st-gall"))
    assert "you: rung 3 of 3 ▼ 1" in text(at("bob").get("/c/st-gall"))
    assert "you: rung" not in text(at("cho").get("/c/st-gall"))
