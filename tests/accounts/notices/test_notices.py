import re
from datetime import UTC, datetime, timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.utils import timezone, translation

from accounts import services
from accounts.mails import mail as post
from accounts.models import Notice
from accounts.notices import mails, notices
from accounts.signals import notices_changed
from accounts.web import datetimes, throttle
from tests.clubs.clubs import club_of
from tests.people import person
from tests.reading import source

pytestmark = pytest.mark.django_db

NOW = timezone.now()
CLUB = "The Abbey"


@pytest.fixture
def ann():
    return person("ann", email="ann@example.org")


@pytest.fixture
def bob():
    return person("bob", email="bob@example.org")


@pytest.fixture
def desk(client, ann):
    client.force_login(ann)
    return client


@pytest.fixture
def rung():
    """Whose bells have been rung."""
    rung = []

    def ring(users, **_signal):
        rung.append(users)

    notices_changed.connect(ring)
    yield rung
    notices_changed.disconnect(ring)


def told(*people, kind="challenged", address="/c/abbey/ladders/1/challenges/1", at=NOW, **values):
    notices.notify(people, kind, address, at, **({"by": person("bob"), "club": CLUB, "name": "bob"} | values))


def ms_of(at):
    return int(at.timestamp() * 1000)


def number(html):
    """What the bell of a page says; "" if it shows no number."""
    found = re.search(r'<b\s+class="badge" aria-hidden="true"( hidden)?>([^<]*)</b>', html)
    return "" if found[1] else found[2]


# Telling


def test_every_kind_has_a_topic_and_a_sentence_for_page_and_mail():
    values = {
        "club": CLUB,
        "name": "bob",
        "names": "bob, cho",
        "reason": "Why not?",
        "text": "Hear!",
        "title": "Vespers",
        "host": "hooks.example.org",
        "day": ms_of(NOW),
        "event": "Spring cup",
        "game": "Biblios",
        "value": 5,
        "until": ms_of(NOW),
    }
    values |= {"number": 2, "position": 4, "before": 7}
    for kind, about in notices.KINDS.items():
        assert about.topic in notices.TOPICS
        assert len(kind) <= Notice._meta.get_field("kind").max_length
        notice = Notice(kind=kind, values=values)
        assert "%" not in notices.in_text(notice)
        assert notices.in_text(notice) == re.sub(r"<[^>]+>", "", notices.in_page(notice))


def test_a_sentence_without_its_values_is_a_fault_at_once(ann):
    with pytest.raises(KeyError):
        notices.notify([ann], "challenged", "/", NOW, by=ann, club=CLUB)
    with pytest.raises(KeyError):
        notices.notify([ann], "tickled", "/", NOW, by=ann)


def test_one_who_was_not_on_the_ladder_before_is_told_where_they_stand(ann):
    told(ann, kind="result", position=4, before=None)
    assert notices.in_text(ann.notices.get()) == "You’re now on rung 4 on the ladder of The Abbey."


def test_what_people_wrote_is_escaped_and_stands_by_itself_in_any_direction():
    notice = Notice(kind="corrected", values={"club": "<b>", "position": 2, "reason": "a & b\nc"})
    html = notices.in_page(notice)
    assert "<bdi>&lt;b&gt;</bdi>" in html
    assert "a &amp; b" in html
    assert "\n" not in notices.in_text(notice)
    assert "<bdi>bob</bdi>, <bdi>cho</bdi>" in notices.in_page(
        Notice(kind="turn", values={"names": "bob, cho", "game": "Biblios"})
    )


def test_the_sentence_is_made_in_the_language_of_whoever_reads(ann, monkeypatch):
    told(ann)
    with translation.override("de"):
        monkeypatch.setattr("django.utils.translation._trans.gettext", lambda text: f"auf Deutsch: {text}")
        assert notices.in_text(ann.notices.get()).startswith("auf Deutsch: bob challenges you")


def test_nothing_is_told_when_the_transaction_fails(ann, rung, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            told(ann)
            raise ZeroDivisionError
        assert not ann.notices.exists()
    assert rung == []


def test_bells_ring_after_the_commit_once_for_all(ann, bob, rung, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        told(ann, bob, ann)
        assert rung == []
    assert rung == [{ann.pk, bob.pk}]
    assert Notice.objects.count() == 2


def test_guests_closed_and_inactive_accounts_are_told_nothing():
    told(person("g", guest=True), person("c", closed=True, is_active=False), person("i", is_active=False))
    assert not Notice.objects.exists()


def test_the_same_that_is_still_unseen_is_not_told_twice(ann):
    told(ann)
    told(ann, at=NOW + timedelta(hours=1))
    notice = ann.notices.get()
    assert (notice.at, notice.mail_at) == (NOW + timedelta(hours=1), NOW + notices.MAIL_AFTER)
    told(ann, name="cho")
    told(ann, address="/c/abbey/ladders/1/challenges/2")
    assert ann.notices.count() == 3
    notices.seen(ann, NOW)
    told(ann)
    assert ann.notices.count() == 4


def test_each_is_told_their_own_values_and_many_cost_no_more_than_few(ann, bob, django_assert_max_num_queries):
    everybody = [ann, bob, *(person(f"p{number}") for number in range(9))]
    own = {one.pk: {"position": one.pk} for one in everybody}
    for some in ([ann], everybody, everybody):
        with django_assert_max_num_queries(5):
            notices.notify(some, "added", "/c/abbey", NOW, by=ann, own=own, club=CLUB)
    assert {notice.user_id: notice.values["position"] for notice in Notice.objects.all()} == {
        one.pk: one.pk for one in everybody
    }


def test_how_something_stands_takes_the_place_of_what_was_not_seen(ann):
    told(ann, kind="added", position=4)
    told(ann, kind="added", position=3)
    assert notices.in_text(ann.notices.get()).endswith("You’re now on rung 3.")


def test_what_takes_the_place_of_a_notice_is_by_whoever_caused_it_last(ann, bob):
    cho = person("cho")
    told(ann, kind="added", by=bob, position=4)
    told(ann, kind="added", by=cho, position=3)
    assert ann.notices.get().by == cho


def test_a_second_reminder_is_told_and_mailed_again_and_the_first_counts_as_seen(ann):
    until = ms_of(NOW + timedelta(hours=24))
    told(ann, kind="answer-soon", until=until)
    told(ann, kind="answer-soon", at=NOW + timedelta(hours=23), until=until)
    assert notices.bell(ann, "/", NOW).number == 1
    assert [bool(notice.mail_at) for notice in ann.notices.all()] == [True, True]


def test_a_reminder_names_its_moment_as_its_reader_reads_it(ann):
    told(ann, kind="answer-soon", until=ms_of(datetime(2026, 3, 2, 21, 30, tzinfo=UTC)))
    with datetimes.as_read_by(lambda: datetimes.Habits("Pacific/Auckland", "day", "24")):
        assert notices.in_text(ann.notices.get()) == "Answer bob on the ladder of The Abbey by Tue 3 Mar, 10:30."
        assert ">Tue 3 Mar, 10:30</time>." in notices.in_page(ann.notices.get())


def test_nobody_gets_a_mail_that_reminds_of_what_has_gone_by(ann):
    told(ann, kind="answer-soon", until=ms_of(NOW + timedelta(hours=1)))
    assert mails.send_due(NOW + timedelta(hours=2)) == 0
    assert ann.notices.get().mail_at is None


def test_a_mail_names_a_moment_in_the_zone_that_its_reader_has_chosen(ann, bob):
    ann.zone = "Asia/Tehran"
    ann.save()
    told(ann, bob, kind="answer-soon", until=ms_of(datetime(2126, 3, 2, 21, 30, tzinfo=UTC)))
    assert mails.send_due(NOW + timedelta(minutes=1)) == 2
    said = {letter.to[0]: letter.subject for letter in mail.outbox}
    assert said["ann@example.org"].endswith("by Sun 3 Mar, 01:00.")
    assert said["bob@example.org"].endswith("by Sat 2 Mar, 21:30 UTC.")


def test_several_moves_on_the_ladder_are_one_from_the_first_place_to_the_last(ann):
    told(ann, kind="result", address="/c/abbey/ladders/1", before=7, position=5)
    told(ann, kind="result", address="/c/abbey/ladders/1", before=5, position=4)
    assert "from rung 7 to rung 4" in notices.in_text(ann.notices.get())


def test_whoever_closes_their_account_leaves_no_notices_and_no_wishes(ann):
    told(ann)
    notices.choose(ann, ["turn"], NOW)
    services.close(ann, NOW)
    services.close_due(NOW + services.CLOSING_DELAY)
    ann.refresh_from_db()
    assert ann.closed
    assert not ann.notices.exists()
    assert ann.silenced == []


def test_what_was_seen_is_forgotten_after_a_while_and_the_rest_much_later(ann):
    for days, address in ((61, "/old"), (59, "/young")):
        told(ann, address=address, at=NOW - timedelta(days=days))
    notices.seen(ann, NOW)
    Notice.objects.update(mail_at=None)
    told(ann, address="/unseen", at=NOW - timedelta(days=100))
    told(ann, address="/ancient", at=NOW - timedelta(days=366))
    notices.forget(NOW)
    assert set(ann.notices.values_list("address", flat=True)) == {"/young", "/unseen"}


# The bell and its page


def test_the_bell_of_every_page_counts_what_was_not_seen(desk, ann, bob):
    assert number(source(desk.get("/rules"))) == ""
    told(ann)
    told(ann, bob, address="/other")
    html = source(desk.get("/rules"))
    assert number(html) == "2"
    assert ">Notices: 2 new<" in re.sub(r"\s*([<>])\s*", r"\1", html)
    assert number(source(desk.get("/nowhere"))) == "2"


def test_a_hundred_are_many(desk, ann):
    Notice.objects.bulk_create(
        Notice(user=ann, kind="off", values={"club": CLUB}, address="/x", at=NOW) for _ in range(150)
    )
    assert number(source(desk.get("/rules"))) == "99+"


def test_whoever_has_no_account_has_no_bell(client):
    assert "/ws/bell" not in source(client.get("/rules"))
    assert client.get("/notices")["Location"] == "/sign-in?next=/notices"
    assert client.post("/notices/seen")["Location"] == "/sign-in?next=/notices"
    client.force_login(person("guest-x", guest=True))
    html = source(client.get("/rules"))
    assert "/ws/bell" not in html
    assert client.get("/notices")["Location"] == "/sign-up?next=%2Fnotices"


def test_the_page_lists_the_newest_first_and_says_what_is_new(desk, ann):
    assert "Nothing yet." in source(desk.get("/notices"))
    told(ann, name="dan", at=NOW - timedelta(hours=2))
    notices.seen(ann, NOW)
    told(ann, name="eve")
    html = source(desk.get("/notices"))
    assert html.index("<bdi>eve</bdi> challenges you") < html.index("<bdi>dan</bdi> challenges you")
    assert html.count('<li class="new">') == html.count("New:") == 1
    assert html.count('<a href="/c/abbey/ladders/1/challenges/1">') == 2
    assert number(html) == "1"


def test_cho_reads_none_of_it(client, ann):
    told(ann)
    client.force_login(person("cho"))
    html = source(client.get("/notices"))
    assert "</bdi> challenges you" not in html
    assert number(html) == ""
    client.post("/notices/seen")
    client.get("/c/abbey/ladders/1/challenges/1")
    assert notices.unseen(ann)


def test_whoever_opens_the_page_that_a_notice_leads_to_has_seen_it(desk, ann, rung, django_capture_on_commit_callbacks):
    told(ann, address="/rules")
    told(ann, address="/rules#auction", name="cho")
    told(ann, address="/rulesx")
    with django_capture_on_commit_callbacks(execute=True):
        assert number(source(desk.get("/rules?x=1"))) == "1"
    assert rung == [{ann.pk}]
    assert [notice.address for notice in notices.unseen(ann)] == ["/rulesx"]


def test_a_form_that_comes_back_is_no_page_that_was_opened(desk, ann):
    told(ann, address="/account/email")
    assert number(source(desk.post("/account/email", {"email": "x", "password": "y"}))) == "1"


def test_all_are_marked_as_read_at_once(desk, ann, rung, django_capture_on_commit_callbacks):
    told(ann)
    told(ann, address="/other")
    assert "Mark all as read" in source(desk.get("/notices"))
    with django_capture_on_commit_callbacks(execute=True):
        html = source(desk.post("/notices/seen", follow=True))
    assert "All notices marked as read." in html
    assert '<li class="new">' not in html
    assert "Mark all as read</button>" not in html
    assert rung == [{ann.pk}]
    with django_capture_on_commit_callbacks(execute=True):
        assert desk.post("/notices/seen").status_code == 302
    assert rung == [{ann.pk}]
    assert desk.get("/notices/seen").status_code == 405


def test_long_lists_are_turned_page_by_page(desk, ann):
    for each in range(65):
        told(ann, address=f"/{each}", name=f"p{each}", at=NOW - timedelta(minutes=each))
    first = source(desk.get("/notices"))
    second = source(desk.get("/notices" + re.search(r'rel="next" href="([^"]+)"', first)[1]))
    third = source(desk.get("/notices" + re.search(r'rel="next" href="([^"]+)"', second)[1]))
    shown = [re.findall(r"<bdi>(p\d+)</bdi> challenges", page) for page in (first, second, third)]
    assert [len(page) for page in shown] == [30, 30, 5]
    assert [name for page in shown for name in page] == [f"p{each}" for each in range(65)]
    back = source(desk.get("/notices" + re.search(r'rel="prev" href="([^"]+)"', third)[1]))
    assert re.findall(r"<bdi>(p\d+)</bdi> challenges", back) == shown[1]
    assert 'rel="next"' not in third
    assert desk.get("/notices?older=x").status_code == 404
    assert "No more notices." in source(desk.get("/notices?older=0-1"))


# What one wants to be told


def test_each_topic_is_switched_off_here_and_by_mail(desk, ann):
    html = source(desk.get("/account"))
    assert len(re.findall('type="checkbox" name="told" value="[^"]+" checked>', html)) == len(notices.TOPICS) + len(
        notices.mailed()
    )
    ticked = [name for topic in notices.TOPICS for name in (topic, f"{topic}:mail")]
    ticked.remove("challenge")
    ticked.remove("turn:mail")
    assert desk.post("/account/told", {"told": ticked})["Location"].startswith("/account")
    ann.refresh_from_db()
    assert ann.silenced == ["turn:mail", "challenge"]
    html = source(desk.get("/account"))
    unticked = re.findall('type="checkbox" name="told" value="([^"]+)">', html)
    assert unticked == ["turn:mail", "challenge"]


def test_what_is_silenced_here_comes_by_mail_only(desk, ann):
    notices.choose(ann, ["challenge"], NOW)
    told(ann)
    html = source(desk.get("/notices"))
    assert number(html) == ""
    assert "</bdi> challenges you" not in html
    assert mails.send_due(NOW + notices.MAIL_AFTER) == 1


def test_what_is_silenced_by_mail_comes_here_only(desk, ann):
    notices.choose(ann, ["challenge:mail"], NOW)
    told(ann)
    assert number(source(desk.get("/rules"))) == "1"
    assert mails.send_due(NOW + notices.MAIL_AFTER) == 0


def test_what_is_silenced_in_both_is_not_kept_at_all(ann):
    notices.choose(ann, ["challenge:mail", "challenge"], NOW)
    told(ann)
    assert not ann.notices.exists()


def test_what_is_silenced_later_is_counted_no_more(desk, ann):
    told(ann)
    told(ann, kind="turn", names="bob", game="Biblios")
    notices.choose(ann, ["challenge"], NOW)
    assert number(source(desk.get("/notices"))) == "1"


def test_without_an_address_the_mails_stay_as_they_were_chosen(desk, ann):
    notices.choose(ann, ["club:mail"], NOW)
    services.change_email(ann, "")
    html = source(desk.get("/account"))
    assert "To get mails" in html
    assert html.count(" disabled>") == len(notices.mailed())
    desk.post("/account/told", {"told": ["turn", "club", "turn:mail"]})
    ann.refresh_from_db()
    assert "club:mail" in ann.silenced
    assert "turn:mail" not in ann.silenced
    assert "challenge:mail" not in ann.silenced
    assert "challenge" in ann.silenced


def test_one_box_of_an_old_page_changes_nothing_else(desk, ann):
    notices.choose(ann, ["challenge", "club:mail"], NOW)
    desk.post("/account/told", {"box": "turn", "told": ["challenge", "club:mail"]}, headers={"HX-Request": "true"})
    ann.refresh_from_db()
    assert ann.silenced == ["turn", "challenge", "club:mail"]
    desk.post("/account/told", {"box": "turn", "told": ["turn"]}, headers={"HX-Request": "true"})
    ann.refresh_from_db()
    assert ann.silenced == ["challenge", "club:mail"]


def test_topics_that_do_not_exist_are_not_kept(desk, ann):
    desk.post("/account/told", {"told": ["nonsense", "<script>"]})
    ann.refresh_from_db()
    assert len(ann.silenced) == 2 * len(notices.TOPICS)
    assert set(name.partition(":")[0] for name in ann.silenced) == set(notices.TOPICS)


def test_cho_who_is_not_signed_in_chooses_nothing(client):
    assert client.post("/account/told")["Location"] == "/sign-in?next=/account%23told"
    client.force_login(person("guest-x", guest=True))
    assert client.post("/account/told")["Location"] == "/sign-up?next=%2Faccount%23told"


# Mail

DUE = NOW + notices.MAIL_AFTER


def test_a_notice_is_mailed_once_with_addresses_that_lead_back(ann, settings):
    settings.SITE_URL = "https://play.example.org"
    told(ann, address="/@/Bára")
    assert mails.send_due(NOW) == 0
    assert mails.send_due(DUE) == 1
    assert mails.send_due(DUE + timedelta(days=1)) == 0
    [letter] = mail.outbox
    assert letter.to == ["ann@example.org"]
    assert letter.subject == "Someone challenges you on a ladder."
    assert letter.body.startswith("Hello ann,\n\nSomeone challenges you on a ladder.\n\n")
    assert f"\nhttps://play.example.org/notices/{ann.notices.get().pk}\n" in letter.body
    link = letter.extra_headers["List-Unsubscribe"].strip("<>")
    assert link.startswith("https://play.example.org/unsubscribe/")
    assert f"\n{link}\n" in letter.body
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


LURE = "PRIZE NOTICE evil.example"


def test_no_mail_holds_what_others_have_written_but_announcements_to_the_members_of_a_club(ann, at_most):
    for what in ("letters from", "letters to", "urgent letters from", "urgent letters to"):
        at_most(what, len(notices.KINDS))
    for kind in notices.KINDS:
        told(
            *(ann,),
            kind=kind,
            address=f"/c/{LURE}",
            club=LURE,
            name=LURE,
            names=LURE,
            reason=LURE,
            text=LURE,
            title=LURE,
            host=LURE,
            day=ms_of(NOW),
            event=LURE,
            game="Biblios",
            value=5,
            until=ms_of(NOW + timedelta(days=1)),
            number=2,
            position=4,
            before=7,
        )
    mailed = sum(kind.mailed for kind in notices.KINDS.values())
    assert sum(iter(lambda: mails.send_due(DUE), 0)) == mailed
    quoting = {str(kind.letter) for kind in notices.KINDS.values() if kind.quotes}
    assert quoting == {"New announcement in one of your clubs."}
    for letter in mail.outbox:
        assert re.fullmatch(r"[\w ,.:’-]+", letter.subject), letter.subject
        assert letter.subject in quoting or not re.search("PRIZE|NOTICE|evil", letter.message().as_string())


def test_a_mail_leads_to_the_page_of_its_notice_and_where_a_reason_is_given_to_that(desk, ann, bob):
    told(ann, address="/rules")
    told(ann, bob, kind="corrected", position=2, reason="Was <forgotten>.")
    page, reason = ann.notices.order_by("pk")
    assert desk.get(f"/notices/{page.pk}")["Location"] == "/rules"
    html = source(desk.get(f"/notices/{reason.pk}"))
    assert "Was &lt;forgotten&gt;." in html
    assert "/rules" not in html.split("<main")[1].split("</main")[0]
    for nobodys in (bob.notices.get().pk, 10**30):
        assert desk.get(f"/notices/{nobodys}").status_code == 404
    desk.logout()
    assert desk.get(f"/notices/{page.pk}")["Location"] == f"/sign-in?next=/notices/{page.pk}"


def test_a_mail_speaks_the_language_of_whoever_gets_it(ann, settings, monkeypatch):
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
    services.change_look(ann, "auto", "de")
    told(ann)
    languages = []
    monkeypatch.setattr(post, "render_to_string", lambda *args: languages.append(translation.get_language()) or "")
    mails.send_due(DUE)
    assert languages == ["de"]


def test_nobody_without_an_address_gets_mail(ann):
    told(person("dan"))
    assert Notice.objects.get().mail_at is None
    told(ann)
    services.change_email(ann, "")
    assert mails.send_due(DUE) == 0
    services.change_email(ann, "new@example.org")
    assert mails.send_due(DUE + timedelta(hours=1)) == 0


def test_a_notice_has_a_causer(ann):
    with pytest.raises(TypeError, match="by"):
        notices.notify([ann], "approved", "/", NOW, club=CLUB)
    with pytest.raises(TypeError, match="approved"):
        notices.notify([ann], "approved", "/", NOW, by=None, club=CLUB)
    club = club_of("cho").club
    told(ann, by=club)
    told(ann, by=person("cho"), address="/other")
    causers = [(notice.by, notice.club) for notice in ann.notices.order_by("pk")]
    assert causers == [(None, club), (person("cho"), None)]


@pytest.mark.parametrize("what", ["letters", "letters from"])
def test_one_person_causes_so_many_mails_and_the_rest_stands_at_the_bell(ann, bob, at_most, what):
    at_most(what, 1)
    for number in range(3):
        told(ann, kind="declined", by=bob, address=f"/{number}")
    told(ann, kind="declined", by=person("cho"), address="/another")
    told(ann, kind="declined", by=club_of("dan").club, address="/a club")
    assert mails.send_due(DUE) == 3
    assert not Notice.objects.exclude(mail_at=None).exists()
    assert notices.bell(ann, "/", NOW).number == 5


def test_an_address_gets_so_many_mails_an_hour(ann):
    for number in range(40):
        told(ann, kind="declined", by=person(f"p{number}"), address=f"/{number}")
    assert mails.send_due(DUE) == 30
    assert mails.send_due(DUE) == 0


@pytest.fixture
def later(monkeypatch):
    """Sends the letters that are due so many minutes later, and returns their number."""
    start = throttle.clock()

    def later(minutes):
        monkeypatch.setattr(throttle, "clock", lambda: start + minutes * 60)
        return mails.send_due(DUE + timedelta(minutes=minutes))

    return later


URGENT = {
    *("arena-table", "challenged", "countered", "accepted", "table", "round", "games", "turn"),
    *("answer-soon", "starts-soon", "finish-soon", "sinks-soon", "confirm-soon", "decide-soon", "games-soon"),
}


def test_urgent_is_what_costs_something_if_missed():
    assert {kind for kind, about in notices.KINDS.items() if about.urgent} == URGENT
    assert all(notices.KINDS[kind].mailed and not notices.KINDS[kind].quotes for kind in URGENT)


def test_nothing_else_uses_up_the_mails_about_what_is_urgent(ann, later):
    for number in range(40):
        told(ann, kind="declined", by=person(f"p{number}"), address=f"/{number}")
    told(ann)
    assert later(0) == 31
    assert mail.outbox[-1].subject == "Someone challenges you on a ladder."


def test_what_is_urgent_and_has_no_room_waits_and_comes_in_one_mail(ann, bob, later, settings):
    settings.SITE_URL = "https://play.example.org"
    for number in range(5):
        told(ann, by=bob, address=f"/{number}")
    told(ann, kind="answer-soon", by=bob, until=ms_of(NOW + timedelta(days=1)))
    assert later(0) == 3
    assert later(1) == 0
    assert later(15) == 1
    assert later(60) == 0
    last = mail.outbox[-1]
    assert last.subject == "Several things wait for you."
    assert last.body.count("- Someone challenges you on a ladder.") == last.body.count("- Answer a challenge") == 1
    assert "\nhttps://play.example.org/notices\n" in last.body
    assert "/challenge.deadline/" in last.extra_headers["List-Unsubscribe"]
    assert notices.bell(ann, "/", NOW).number == 6


def test_one_causer_leaves_room_for_what_is_urgent_by_others(ann, bob, later):
    for number in range(9):
        told(ann, by=bob, address=f"/{number}")
    told(ann, kind="turn", by=person("cho"), names="cho", game="Biblios", address="/m/1")
    assert later(0) == 4
    # It says what waited, and takes no room of those who caused it.
    assert "It’s your turn" in mail.outbox[-1].body and mail.outbox[-1].subject == "Several things wait for you."


def test_whoever_floods_an_address_delays_what_is_urgent_by_a_quarter_of_an_hour(ann, later):
    """However many accounts do it, all the time."""
    for minute in range(60):
        for number in range(4):
            told(ann, by=person(f"p{number}"), address=f"/{minute}/{number}", at=NOW + timedelta(minutes=minute))
        if minute == 30:
            told(ann, kind="turn", by=person("cho"), names="cho", game="Biblios", at=NOW + timedelta(minutes=minute))
            before = len(mail.outbox)
        later(minute)
    first = next(index for index, each in enumerate(mail.outbox) if "It’s your turn" in each.body)
    assert first <= before + 9
    assert len(mail.outbox) <= 45


def test_what_waits_is_left_out_once_it_was_seen_or_is_past_or_not_wanted(ann, bob, later):
    for number in range(4):
        told(ann, by=bob, address=f"/{number}")
    told(ann, by=bob, kind="answer-soon", until=ms_of(NOW + timedelta(minutes=5)), address="/5")
    told(ann, by=bob, kind="turn", names="bob", game="Biblios", address="/6")
    assert later(0) == 3
    assert Notice.objects.filter(held=True).count() == 3
    notices.seen(ann, NOW + timedelta(minutes=1), "/3")
    notices.choose(ann, ["turn:mail"], NOW)
    assert later(15) == later(30) == 0
    assert not Notice.objects.exclude(mail_at=None).exists()


def test_what_was_seen_at_once_needs_no_mail(ann):
    told(ann)
    notices.seen(ann, NOW + timedelta(seconds=10))
    assert mails.send_due(DUE) == 0
    assert mail.outbox == []


def test_whoever_has_silenced_it_meanwhile_or_is_not_active_any_more_gets_no_mail(ann, bob):
    told(ann, bob)
    notices.choose(ann, ["challenge:mail"], NOW)
    bob.is_active = False
    bob.save()
    assert mails.send_due(DUE) == 0
    assert mail.outbox == []
    assert not Notice.objects.filter(mail_at__isnull=False).exists()


def test_two_workers_send_it_once(ann, monkeypatch):
    """The second looks for work when the first has just claimed it, and again when it has been sent."""
    told(ann)
    real = mails.letter

    def meanwhile(notice):
        monkeypatch.setattr(mails, "letter", real)
        assert mails.send_due(DUE) == 0
        return real(notice)

    rows = list(Notice.objects.select_related("user"))
    monkeypatch.setattr(mails, "letter", meanwhile)
    assert mails.send_due(DUE) == 1
    with mails.get_connection() as line:
        assert not mails._send(rows[0], line, DUE), "it has read the row before the other claimed it"
    assert len(mail.outbox) == 1


class Away(EmailBackend):
    """A mail server that does not answer."""

    def open(self):
        raise ConnectionRefusedError

    def __enter__(self):
        self.open()


def test_while_the_mail_server_is_away_mails_wait_and_then_all_go(ann, bob, settings):
    told(ann, bob)
    settings.EMAIL_BACKEND = "tests.accounts.notices.test_notices.Away"
    with pytest.raises(OSError):
        mails.send_due(DUE)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert mails.send_due(DUE + timedelta(minutes=1)) == 2
    assert mails.send_due(DUE + timedelta(days=1)) == 0


def failing(monkeypatch, fault, times=1):
    """The next mails fail."""
    faults = [fault] * times
    real = EmailBackend.send_messages

    def send_messages(self, messages):
        if faults:
            raise faults.pop()
        return real(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", send_messages)


def test_a_mail_whose_server_goes_away_is_tried_again_later(ann, bob, monkeypatch):
    told(ann)
    told(bob)
    failing(monkeypatch, SMTPServerDisconnected())
    with pytest.raises(OSError):
        mails.send_due(DUE)
    assert mails.send_due(DUE) == 1, "the other one"
    assert mails.send_due(DUE + mails.AGAIN) == 1
    assert mails.send_due(DUE + timedelta(hours=1)) == 0
    assert sorted(letter.to[0] for letter in mail.outbox) == ["ann@example.org", "bob@example.org"]


def test_an_address_that_is_refused_holds_up_nobody_else(ann, bob, monkeypatch, caplog):
    told(ann)
    told(bob)
    failing(monkeypatch, SMTPRecipientsRefused({}))
    assert mails.send_due(DUE) == 1
    assert mails.send_due(DUE + mails.AGAIN) == 0
    assert [letter.to for letter in mail.outbox] == [["bob@example.org"]]
    assert "was refused" in caplog.text
    assert "ann@" not in caplog.text


@pytest.mark.parametrize(
    ("fault", "later"),
    [
        (SMTPRecipientsRefused({"ann@example.org": (450, b"Mailbox is busy")}), 1),
        (SMTPDataError(451, b"Try again later"), 1),
        (SMTPRecipientsRefused({"ann@example.org": (550, b"No such user")}), 0),
        (SMTPDataError(554, b"Spam"), 0),
    ],
)
def test_what_is_refused_for_now_goes_later_and_counts_once(ann, monkeypatch, at_most, fault, later):
    at_most("urgent letters to", 1)
    told(ann)
    failing(monkeypatch, fault)
    assert mails.send_due(DUE) == 0
    assert mails.send_due(DUE + mails.AGAIN) == later


def test_mails_undelivered_for_two_days_are_dropped(ann):
    told(ann)
    assert mails.send_due(NOW + mails.GIVEN_UP + timedelta(minutes=1)) == 0
    assert mail.outbox == []


def test_a_notice_that_waits_for_its_mail_is_not_forgotten(ann):
    notices.choose(ann, ["challenge"], NOW)
    told(ann, at=NOW - timedelta(days=61))
    notices.forget(NOW)
    assert ann.notices.exists()
