"""A whole club goes from one site to another: by its document, and by who says who is who."""

import copy
import gzip
import json
import re
import resource

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.forms.models import model_to_dict
from django.utils import timezone

from accounts.clubs import clubs
from accounts.models import Announcement, Asking, Club, Member, StewardDecision
from accounts.web.refused import Refused
from games.calendar import services as calendar
from games.calendar.models import CalendarEvent
from games.clubs.moving import document, intake
from games.clubs.moving.models import ClubHistory, FormerTournament
from games.engine.registry import title
from games.ladders import audit, events
from games.ladders.models import Ladder
from games.ladders.payloads import MovedHere
from games.management.commands import dumpclub, verifylogs
from games.matches import access, shuffle
from games.tournaments import audit as tournament_audit
from games.tournaments import contests, due, duplicate, services
from games.tournaments import events as tournament_events
from games.tournaments.contests import Plan
from games.tournaments.models import Tournament
from games.tournaments.services import GameTerms
from games.tournaments.shown import all_shown
from tests.at_once import at_once
from tests.calendar import plans
from tests.calendar.plans import make
from tests.clubs.clubs import DAY, START, agreed, club_of
from tests.matches.matches import rushed
from tests.people import person
from tests.reading import text
from tests.tournaments.evenings import LATER, seat

Kind = Tournament.Kind
PAIRS = GameTerms(seats=2)

WHO = {"ann": "anna", "bob": "robert"}


def written(told):
    return json.dumps(told, ensure_ascii=False).encode()


def here():
    """The people of this site, who are others than those of the club."""
    for name in (*WHO.values(), "ida"):
        person(name)


@pytest.fixture
def told():
    """The document of a club of ann, its steward, bob, who has rights, dan and eve. Some games have been played."""
    ladder = club_of("dan", "ann", "bob", "eve")
    club = ladder.club
    Member.objects.filter(user=person("ann")).update(role="steward")
    clubs.entitle(club, person("ann"), person("bob"), (), ["people"], START)
    clubs.announce(club, person("ann"), "We meet on Monday.", START, public=True)
    clubs.expel(club, person("ann"), person("eve"), "Shouts at people.", START)
    events.correct(ladder, person("ann"), person("bob").pk, 1, "Was forgotten.", START)
    ladder.refresh_from_db()
    return json.loads(json.dumps(document.of_club(club)))


def taken(told, mapping=WHO, invited=(), slug="gallen"):
    told["club"]["name"] = "Gallen"
    here()
    return intake.take_in(intake.read(written(told)), mapping, invited, slug, START)


@pytest.mark.django_db
def test_a_club_goes_on_at_another_site_as_it_stood(told):
    club = taken(told, invited=["ida"])
    members = {one.user.username: (one.role, one.rights) for one in club.members.select_related("user")}
    assert members == {"anna": ("steward", ""), "robert": ("member", "people")}
    assert [asking.user.username for asking in Asking.objects.filter(club=club)] == ["ida"]
    announcement = Announcement.objects.get(club=club)
    assert (announcement.text, announcement.by.username, announcement.public) == ("We meet on Monday.", "anna", True)
    ladder = Ladder.objects.get(club=club)
    standing = audit.check(ladder)
    assert [*standing.order] == [person("robert").pk, person("anna").pk]
    assert standing.season == 1 and standing.ends is None
    assert [event.kind for event in ladder.log.all()] == [MovedHere.kind]
    assert ladder.log.get().data["head"] == told["ladders"][0]["events"][-1]["link"]
    assert StewardDecision.objects.filter(club=club, kind="moved", by=person("anna"), data__site=told["site"]).exists()
    events.start_season(ladder, person("anna"), START)
    assert Ladder.objects.get(club=club).now_standing().season == 2


@pytest.mark.django_db
def test_the_document_has_what_every_member_reads_and_nothing_else(told):
    assert "Shouts at people." not in json.dumps(told) and "expel" not in json.dumps(told)
    assert told["people"].keys() >= {str(row["user"]) for row in told["members"]}
    club = taken(copy.deepcopy(told))
    kept = json.loads(intake.history(club))
    assert kept["ladders"] == told["ladders"]


@pytest.mark.django_db
def test_a_club_that_moves_again_takes_along_what_it_had_at_its_first_site(told):
    first = taken(told)
    second = json.loads(json.dumps(document.of_club(first)))
    second["club"]["name"] = "Reichenau"
    again = intake.take_in(intake.read(written(second)), {"anna": "ida"}, (), "reichenau", START)
    [former] = json.loads(intake.history(again))["former"]
    assert former == told
    second["former"][0]["ladders"][0]["events"].pop(1)
    with pytest.raises(Refused):
        intake.read(written(second))


def play_all(event):
    """All games of the last round are played to their ends."""
    for table in tournament_events.standing(event).rounds[-1].tables:
        rushed(access.find(table.match))


@pytest.fixture
def busy():
    """A club with a Swiss tournament, a night and a deal of the week that are over, a deal that is not, a knock-out
    that goes on, a weekly night for which bob and dan have answered, and a tournament to come that bob has entered."""
    club = club_of("ann", "bob", "dan", "eve", season=False).club
    swiss = contests.create(club, person("ann"), Kind.SWISS, "Cup", PAIRS, Plan(rounds=1), START, game=title())
    cup = contests.create(club, person("ann"), Kind.KNOCKOUT, "Shield", PAIRS, Plan(), START, game=title())
    night = services.open_tournament(club, person("ann"), Kind.EVENING, "Candlemas", PAIRS, START)
    for event in (swiss, night, cup):
        for name in ("ann", "bob", "dan", "eve"):
            services.enter(event, person(name), START)
    contests.begin(swiss, person("ann"), START)
    play_all(swiss)
    due.do(swiss, LATER)
    seat(night, size=2)
    play_all(night)
    services.close(night, person("ann"), LATER)
    for name in ("Deal", "Secret"):
        deal = duplicate.create(club, person("ann"), Kind.DEAL, name, GameTerms(seats=3), START, game=title())
        duplicate.play(deal, person("ann"), START)
        play_all(deal)
        if name == "Deal":
            due.do(deal, START + 8 * DAY)
    contests.begin(cup, person("ann"), START)
    nights = make(club, plans.NIGHT, weeks=3)
    for name in ("bob", "dan"):
        calendar.answer(nights[1], person(name), "yes", START)
    calendar.cancel(nights[2], person("ann"), START)
    [single] = make(club, plans.SWISS)
    services.enter(plans.opened(single, START), person("bob"), START)
    return club


def final_tables(club):
    """By name, the final table of each tournament that is over, as its own page shows it."""
    over = club.tournaments.exclude(closed_at=None)
    pages = all_shown(over, person("ann"), START, Member.objects.get(club=club, user=person("ann")))
    return {
        page.tournament.name: [(row.place, person.name, points) for row, person, points in page.rows] for page in pages
    }


@pytest.mark.django_db
def test_nights_tournaments_and_the_calendar_move_with_the_club(busy):
    told = json.loads(json.dumps(document.of_club(busy)))
    before = final_tables(busy)
    assert before.keys() == {"Cup", "Candlemas", "Deal"} and all(before.values())
    assert told["staying"] == ["Secret", "Cup"]
    club = taken(copy.deepcopy(told))
    newcomer = intake.read(intake.history(club))
    tables = {
        each.name: [(line.place, newcomer.people[line.player], line.points) for line in each.table]
        for each in newcomer.tournaments
    }
    assert {name: tables[name] for name in before} == before
    assert {each.name for each in newcomer.tournaments if not each.closed} == {"Shield"}
    kept, links = json.loads(intake.history(club))["tournaments"], busy.tournaments.get(number=1).log
    assert [row["link"] for row in kept[0]["events"]] == [bytes(row.link).hex() for row in links.order_by("number")]
    first, second, third, single = CalendarEvent.objects.filter(club=club).order_by("kind", "starts_at")
    assert third.cancelled_at and {first.series, second.series, third.series} == {first.series} and not single.series
    assert first.series not in busy.calendar.values_list("series", flat=True) and first.zone == plans.NIGHT.zone
    assert [(each.user.username, each.comes) for each in second.answers.all()] == [("robert", "yes")]
    assert single.opens_at == START and second.opens_at == second.starts_at - calendar.OPENS_BEFORE
    opened = plans.opened(single, START)
    assert opened.club == club and not tournament_events.standing(opened).here
    assert {tournament_audit.check(each).kind for each in club.tournaments.all()} == {"swiss"}
    command = verifylogs.Command()
    assert command.verify_tournaments() == command.verify_ladders() == []


@pytest.mark.django_db
def test_the_dry_run_tells_what_moves_what_ends_and_what_stays(busy, tmp_path, capsys):
    file = tmp_path / "club.json"
    call_command("dumpclub", busy.slug, file)
    here()
    Club.objects.filter(pk=busy.pk).update(name="Another", skeleton="another")
    call_command("loadclub", file, person=["ann=anna"], slug="here", dry_run=True)
    said = capsys.readouterr().out
    assert "events of 4 nights and tournaments were replayed" in said
    assert "Shield has not ended: it ends with the move, as it stands." in said
    assert "Secret stays behind" in said and "4 events of the calendar come along." in said
    assert CalendarEvent.objects.exclude(club=busy).count() == Club.objects.filter(slug="here").count() == 0
    call_command("loadclub", file, person=["ann=anna"], slug="here")
    with pytest.raises(CommandError):
        call_command("loadclub", file, person=["ann=anna"], slug="here")
    assert CalendarEvent.objects.exclude(club=busy).count() == 4


@pytest.mark.django_db
def test_members_read_the_tables_of_the_former_site_under_the_names_there(busy, at):
    club = taken(json.loads(json.dumps(document.of_club(busy))))
    said = text(at("robert").get("/c/gallen/former"))
    for name, rows in final_tables(busy).items():
        assert name in said and all(person in said for _place, person, _points in rows)
    assert "ended with the move" in said and "Secret" not in said
    assert "/c/gallen/former" in at("robert").get("/c/gallen/tournaments").content.decode()
    assert "/c/gallen/former" not in at("cho").get("/c/gallen/tournaments").content.decode()
    assert at("cho").get("/c/gallen/former").status_code == 404
    assert at("ann").get("/c/st-gall/former").status_code == 404  # was founded here
    assert club.tournaments.count() == 0


@pytest.mark.django_db
def test_a_page_of_the_former_site_reads_no_document_and_is_never_long(busy, at):
    club = taken(json.loads(json.dumps(document.of_club(busy))))
    ClubHistory.objects.update(document=b"")
    row = FormerTournament.objects.filter(club=club).first()
    rows = [FormerTournament(**(model_to_dict(row, exclude=["id", "club"]) | {"name": f"Cup {n}"})) for n in range(21)]
    for each in rows:
        each.club = club
    FormerTournament.objects.bulk_create(rows)
    page = at("robert").get("/c/gallen/former")
    assert text(page).count("Cup ") == 20 and "Cup 20" in text(page) and "Shield" not in text(page)
    [older] = set(re.findall(r"older=\d+", page.text))
    assert "Shield" in text(at("robert").get(f"/c/gallen/former?{older}"))
    assert at("robert").get("/c/gallen/former?older=x").status_code == 404


@pytest.mark.django_db
def test_a_club_that_moves_twice_keeps_what_it_played_at_its_first_site(busy):
    here()
    at_first = [each["name"] for each in document.of_club(busy)["tournaments"]]
    second = json.loads(json.dumps(document.of_club(taken(json.loads(json.dumps(document.of_club(busy)))))))
    second["club"].update(name="Zurich", slug="zurich")
    second["site"] = "https://second.example.org"
    intake.take_in(intake.read(written(second)), {"anna": "ida"}, (), "zurich", START)
    kept = FormerTournament.objects.filter(club__slug="zurich").order_by("pk")
    assert [each.name for each in kept] == at_first and {each.site for each in kept} == {settings.SITE_URL}


def broken():
    def change(name, act):
        return pytest.param(act, id=name)

    yield change("no tournaments", lambda told: told.pop("tournaments"))
    yield change("an event is missing", lambda told: told["tournaments"][0]["events"].pop(1))
    yield change("no events", lambda told: told["tournaments"][0].update(events=[]))
    yield change("a foreign chain", lambda told: told["tournaments"][0].update(origin="00" * 16))
    yield change("another winner", lambda told: told["tournaments"][0]["standing"]["rounds"][0].update(at=0))
    yield change("another kind", lambda told: told["tournaments"][0].update(kind="knockout"))
    yield change("closed, or not", lambda told: told["tournaments"][0].update(closed_at=None))
    yield change("twice", lambda told: told["tournaments"].append(told["tournaments"][0]))
    yield change("an unknown game", lambda told: told["tournaments"][0].update(game="chess"))
    yield change("a name that moves a cursor", lambda told: told["tournaments"][0].update(name="\x1b[2J"))
    yield change("nobody stays", lambda told: told.update(staying=[7]))
    yield change("no series", lambda told: told["calendar"][0].update(series="weekly"))
    yield change("an unknown answer", lambda told: told["calendar"][0].update(answers=[[1, "perhaps"]]))
    yield change("two answers", lambda told: told["calendar"][0].update(answers=[[1, "yes"], [1, "no"]]))
    yield change("opens nothing", lambda told: told["calendar"][0].update(opens={}))
    yield change("opens what is none", lambda told: told["calendar"][0]["opens"].update(kind="party"))
    yield change("settings of no kind", lambda told: told["calendar"][0]["opens"].update(settings={"club": 1}))
    yield change("no seats", lambda told: told["calendar"][0]["opens"].update(seats="two"))
    yield change("no time", lambda told: told["calendar"][0].update(starts_at="soon"))
    yield change("the end of time", lambda told: passed(told, starts_at="9999-12-31T23:30:00+00:00", hours=72))
    yield change("the beginning of time", lambda told: passed(told, starts_at="0001-01-01T00:00:00+00:00"))
    yield change("entry before all time", lambda told: passed(told, entry_until="0001-01-01T00:00:00+00:00"))
    yield change("a month of hours", lambda told: passed(told, hours=720))
    yield change("a long pause", lambda told: passed(told, pause=500))
    yield change("a zone of no clock", lambda told: passed(told, zone="Mars/Olympus"))
    yield change("a night that opens a cup", lambda told: told["calendar"][0]["opens"].update(kind="swiss"))
    yield change("a cup that opens a night", lambda told: passed(told, kind="tournament"))
    yield change("a meeting that opens a night", lambda told: passed(told, kind="meet"))


def passed(told, **says):
    """An event of the calendar says this, and was cancelled: nobody sets it here."""
    told["calendar"][0].update(cancelled_at=START.isoformat(), public=True, **says)


@pytest.mark.django_db
@pytest.mark.once
def test_broken_tournaments_and_calendars_are_refused_with_a_sentence(busy):
    told = json.loads(json.dumps(document.of_club(busy)))
    intake.read(written(told))
    for each in broken():
        [act] = each.values
        wrong = copy.deepcopy(told)
        act(wrong)
        with pytest.raises(Refused) as refusal:
            intake.read(written(wrong))
        assert 10 < len(str(refusal.value)) < 400, each.id


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"zone": "Mars/Olympus"}, {"starts_at": "2099-01-01T00:00:00+00:00"}])
def test_an_event_that_cannot_be_set_here_keeps_the_club_out(busy, change):
    told = json.loads(json.dumps(document.of_club(busy)))
    told["calendar"][0].update(change)
    with pytest.raises(Refused):
        taken(told)
    assert not Club.objects.filter(slug="gallen").exists() and not CalendarEvent.objects.exclude(club=busy).exists()


@pytest.mark.django_db
def test_a_club_that_moved_before_there_were_tournaments_in_documents_moves_again(told):
    told["format"] = document.FIRST
    for name in ("tournaments", "staying", "calendar"):
        told.pop(name)
    again = json.loads(json.dumps(document.of_club(taken(told))))
    assert intake.read(written(again)).tournaments == [] and again["former"] == [told]


@pytest.mark.django_db
@pytest.mark.once
def test_a_full_disk_leaves_no_part_of_a_file(tmp_path):
    club_of("ann", "bob")
    command = dumpclub.Command()  # loaded before: a module that is compiled meanwhile would be cut as well
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))  # no file may become larger
    try:
        with pytest.raises(CommandError, match="cannot write"):
            call_command(command, "st-gall", tmp_path / "club.json")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(tmp_path.iterdir())


@pytest.mark.django_db
def test_nobody_is_a_member_because_of_their_name():
    """Somebody here may be called as a member is there."""
    ladder = club_of("ann", "bob")
    told = json.loads(json.dumps(document.of_club(ladder.club)))
    club = taken(told, {"ann": "anna"})
    assert [one.user.username for one in club.members.all()] == ["anna"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mapping", "sentence"),
    [
        ({}, "at least one of its stewards"),
        ({"bob": "robert"}, "at least one of its stewards"),
        ({"ann": "nobody"}, "There is no player nobody here."),
        ({"ann": "anna", "fay": "robert"}, "There is no member fay"),
        ({"ann": "anna", "bob": "ANNA"}, "anna would be two people."),
    ],
)
def test_who_is_who_must_be_right_and_nothing_is_half_done(told, mapping, sentence):
    with pytest.raises(Refused) as refusal:
        taken(told, mapping)
    assert sentence in str(refusal.value)
    assert not Club.objects.filter(slug="gallen").exists() and not ClubHistory.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "slug"), [("The Armarium Office", "gallen"), ("Gallen", "armarium-office")])
def test_a_club_that_speaks_for_this_site_is_not_taken_in(told, name, slug):
    here()
    told["club"]["name"] = name
    with pytest.raises(Refused):
        intake.take_in(intake.read(written(told)), WHO, (), slug, START)
    assert not Club.objects.filter(slug__in=("gallen", slug)).exists()


@pytest.mark.django_db
def test_who_cannot_be_invited_is_said_and_nothing_is_half_done(told):
    with pytest.raises(Refused) as refusal:
        taken(told, invited=["ida", "nobody"])
    assert "nobody" in str(refusal.value) and not Club.objects.filter(slug="gallen").exists()


def hostile():
    def change(name, act):
        return pytest.param(act, id=name)

    yield change("format", lambda told: told.update(format="armarium-club/3"))
    yield change("without events", lambda told: told["ladders"][0].pop("events"))
    yield change("an event is missing", lambda told: told["ladders"][0]["events"].pop(1))
    yield change("an event is another", lambda told: told["ladders"][0]["events"][-1].update(reason="None."))
    yield change("an unknown event", lambda told: told["ladders"][0]["events"][0].update(kind="gift"))
    yield change("a foreign chain", lambda told: told["ladders"][0].update(origin="00" * 16))
    yield change("another standing", lambda told: told["ladders"][0]["standing"]["order"].reverse())
    yield change("an unknown game", lambda told: told["ladders"][0].update(game="chess"))
    yield change("a stranger on the ladder", lambda told: told["members"].clear())
    yield change("a member twice", lambda told: told["members"].append(told["members"][0]))
    yield change("a right of stewards", lambda told: told["members"][0].update(rights="club"))
    yield change("an unknown role", lambda told: told["members"][0].update(role="king"))
    yield change("no member", lambda told: told["members"][0].update(user=10**9))
    yield change("a number for a name", lambda told: told["people"].update({"1": 7}))
    yield change("a long announcement", lambda told: told["announcements"][0].update(text="x" * 2001))
    yield change("what moves a cursor", lambda told: told["announcements"][0].update(text="Hello\x1b[2J"))
    yield change("a name that moves it", lambda told: told["people"].update({"1": "ann\x1b[2J"}))
    yield change("two people in one", lambda told: told["people"].update({"10": "Dan", "11": "dan"}))
    yield change("an author who is no number", lambda told: told["announcements"][0].update(by=[]))
    yield change("what is still to come", lambda told: told["announcements"][0].update(at="2999-01-01T00:00+00:00"))
    yield change("before all time", lambda told: told["announcements"][0].update(at="0001-01-01T00:00+12:00"))
    yield change("after all time", lambda told: told.update(at="9999-12-31T23:59-12:00"))
    yield change("a site that is none", lambda told: told.update(site="javascript://alert(1)/"))
    yield change("no time", lambda told: told.update(at="yesterday"))
    yield change("no game", lambda told: told.update(games=[{"format": "biblios-record/1"}]))
    yield change("a list", lambda told: told.update(club=[]))
    yield change("a former club that is none", lambda told: told.update(former=[{"format": "armarium-club/1"}]))


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize("act", [*hostile()])
def test_a_document_that_was_changed_is_refused_with_a_sentence(told, act):
    act(told)
    with pytest.raises(Refused) as refusal:
        intake.read(written(told))
    assert 10 < len(str(refusal.value)) < 400


@pytest.mark.once
@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b"\xff\xfe", b'{"format": NaN}', b"[" * 100_000, b'{"a": "\\u0000"}', b"\x1f\x8bnothing"]
)
def test_a_file_that_is_no_document_is_refused_with_a_sentence(data):
    with pytest.raises(Refused) as refusal:
        intake.read(intake.opened(data))
    assert str(refusal.value)


@pytest.mark.once
def test_a_file_that_grows_when_unpacked_is_refused(monkeypatch):
    monkeypatch.setattr(intake, "LONGEST", 1000)
    with pytest.raises(Refused) as refusal:
        intake.opened(gzip.compress(b" " * 10_000))
    assert "more than 1000 bytes" in str(refusal.value)


@pytest.mark.django_db
@pytest.mark.once
def test_the_pages_of_a_club_that_moved_are_open(told, at):
    taken(told)
    for page in (
        "",
        "/members",
        "/log",
        "/ladders/1",
        "/ladders/1/history",
        "/ladders/1/seasons",
        "/ladders/1/desk",
        "/ladders/1/rules",
    ):
        assert at("anna").get(f"/c/gallen{page}").status_code == 200, page
    assert at("robert").get("/c/gallen/history.json").json()["ladders"][0] == told["ladders"][0]
    assert at("cho").get("/c/gallen/history.json").status_code == 404
    assert at("ann").get("/c/st-gall/history.json").status_code == 404  # was founded here
    assert "The club came here from another site" in text(at("anna").get("/c/gallen/ladders/1/history"))


@pytest.mark.django_db
@pytest.mark.once
def test_the_commands_write_a_file_and_take_it_in_or_say_what_would_happen(tmp_path, capsys):
    club_of("ann", "bob", slug="reichenau")
    here()
    file, others = tmp_path / "club.json.gz", tmp_path / "club.json.gz.part"
    others.write_text("theirs")
    call_command("dumpclub", "reichenau", file)
    assert others.read_text() == "theirs" and file.stat().st_mode & 0o777 == 0o600
    assert {*tmp_path.iterdir()} == {file, others}
    with pytest.raises(CommandError):
        call_command("dumpclub", "reichenau", file)
    Club.objects.filter(slug="reichenau").update(name="Another", skeleton="another")
    options = {"person": ["ann=anna"], "invite": ["ida"], "slug": "here"}
    call_command("loadclub", file, **options, dry_run=True)
    said = capsys.readouterr().out
    assert "ann there is anna here." in said and "1 member doesn’t come along: bob." in said
    assert "Nothing was changed." in said and not Club.objects.filter(slug="here").exists()
    call_command("loadclub", file, **options)
    assert Club.objects.get(slug="here").members.count() == 1
    with pytest.raises(CommandError):
        call_command("loadclub", file, **options)
    with pytest.raises(CommandError):
        call_command("loadclub", file, person=["ann"])


@pytest.mark.django_db
@pytest.mark.once
def test_finished_games_come_along_as_records_that_are_checked():
    ladder = club_of("ann", "bob", now=timezone.now() - DAY)
    match = access.find(agreed(ladder, "bob", "ann", now=timezone.now()).match.key)
    for name in ("ann", "bob"):
        if match.status == "shuffling":
            shuffle.do_without(match, person(name))
    match = rushed(access.find(match.key))
    told = json.loads(json.dumps(document.of_club(ladder.club)))
    assert [game["match"] for game in told["games"]] == [match.key]
    assert [(each["match"], each["status"]) for each in told["ladders"][0]["challenges"]] == [(match.key, "played")]
    assert intake.read(written(told)).games == 1
    told["games"][0]["proof"]["link"] = "00" * 32
    with pytest.raises(Refused):
        intake.read(written(told))


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_the_same_club_in_at_once_one_has_it():
    ladder = club_of("ann", "bob")
    told = json.loads(json.dumps(document.of_club(ladder.club)))
    told["club"]["name"] = "Gallen"
    here()
    newcomer = intake.read(written(told))
    came = at_once(*[lambda: intake.take_in(newcomer, {"ann": "anna"}, (), "gallen", START)] * 2)
    assert came.count(None) == 1 and Club.objects.filter(slug="gallen").count() == ClubHistory.objects.count() == 1
