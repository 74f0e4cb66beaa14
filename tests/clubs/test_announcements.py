"""An announcement reaches the members with its text; others read it only if it is for everybody."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.clubs import clubs
from accounts.models import Notice, User
from accounts.notices import mails, notices
from accounts.templatetags.prose import linked
from tests.clubs.club_pages import private
from tests.people import person
from tests.reading import source, text

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SAYS = "We meet on Monday.\n\nBring <ink> & quills: https://abbey.example/a?b=1&c=2"


def announced(club, says=SAYS, **how):
    return clubs.announce(club, person("ann"), says, timezone.now(), **how)


@pytest.fixture
def bob():
    User.objects.filter(pk=person("bob").pk).update(email="bob@example.org")
    return person("bob")


def posted():
    mails.send_due(timezone.now() + timedelta(minutes=1))
    return mail.outbox


# With its text


def test_the_notice_has_the_text(at, club):
    announced(club)
    page = at("bob").get("/notices")
    assert "Announcement in the club St Gall: We meet on Monday. Bring <ink> & quills" in text(page)
    assert "Bring &lt;ink&gt; &amp; quills" in page.content.decode()


def test_the_mail_has_the_text_marked_as_a_steward_s_and_no_answer_goes_anywhere(club, bob):
    announced(club)
    (letter,) = posted()
    assert letter.recipients() == ["bob@example.org"]
    assert letter.subject == "New announcement in one of your clubs."
    quoted = "> We meet on Monday.\n> \n> Bring <ink> & quills: https://abbey.example/a?b=1&c=2\n"
    assert "A steward of St Gall has written:" in letter.body and quoted in letter.body
    assert letter.message()["Reply-To"] == "nobody:;"
    assert "/notices/" in letter.body and "/unsubscribe/" in letter.body


def test_each_of_two_announcements_is_told(club, bob):
    announced(club, "On Monday.")
    announced(club, "No, on Tuesday.")
    assert [
        notices.in_text(each).rpartition(": ")[2] for each in bob.notices.filter(kind="announced").order_by("pk")
    ] == [
        *("On Monday.", "No, on Tuesday."),
    ]
    assert len(posted()) == 2


def test_what_is_deleted_is_told_nowhere_any_more(at, club, bob):
    made, other = announced(club), announced(club, "On Tuesday.")
    clubs.withdraw(club, person("ann"), made.pk)
    assert [notice.values["number"] for notice in Notice.objects.filter(kind="announced")] == [other.pk]
    assert len(posted()) == 1
    assert "Monday" not in text(at("bob").get("/notices"))


def test_an_open_club_counts_as_having_seen_its_announcements(at, club, bob):
    announced(club)
    at("bob").get("/c/st-gall")
    assert not bob.notices.filter(kind="announced", seen_at=None).exists()


def test_signs_that_turn_a_text_around_are_left_out(club):
    assert announced(club, " One\u202e line \r\n\x00and two. ").text == "One line\nand two."


# Who reads it


def test_others_read_only_what_is_for_everybody(at, club):
    announced(club, "For us.")
    announced(club, "For all.", public=True)
    for name in ("", "cho"):
        shown = text(at(name).get("/c/st-gall"))
        assert "For all." in shown and "For us." not in shown, name
    assert "For us." in text(at("bob").get("/c/st-gall"))


def test_a_steward_chooses_who_reads_it(at, club):
    for readers, public in (("members", False), ("all", True)):
        at("ann").post("/c/st-gall/desk/announce", {"text": "On Monday.", "readers": readers})
        assert club.announcements.latest("pk").public is public
    assert at("ann").post("/c/st-gall/desk/announce", {"text": "On Monday.", "readers": "foes"}).status_code == 422


def test_in_a_private_club_there_is_no_choice(at, club):
    private(club)
    clubs.invite(club, person("ann"), "dan", timezone.now())
    assert "Who can read it" not in text(at("ann").get("/c/st-gall/desk"))
    at("ann").post("/c/st-gall/desk/announce", {"text": "On Monday.", "readers": "all"})
    announced(club, "On Tuesday.", public=True)
    assert not club.announcements.filter(public=True).exists()
    invited = text(at("dan").get("/c/st-gall"))
    assert "invites you" in invited and "On Monday." not in invited
    club.private = False
    club.save()
    assert "On Tuesday." not in text(at("cho").get("/c/st-gall"))


# Links


LINK = 'rel="nofollow ugc noopener" target="_blank"'


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            "https://a.example/b?c=1&d=2",
            f'<a href="https://a.example/b?c=1&amp;d=2" {LINK}>https://a.example/b?c=1&amp;d=2</a>',
        ),
        ('http://a.example/"onload=x', f'<a href="http://a.example/" {LINK}>http://a.example/</a>&quot;onload=x'),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("<script>{href}</script>", "&lt;script&gt;{href}&lt;/script&gt;"),
        ("ann@example.org", f'<a href="mailto:ann@example.org" {LINK}>ann@example.org</a>'),
        ("data:text/html,<b>", "data:text/html,&lt;b&gt;"),
    ],
)
def test_addresses_are_links_and_nothing_else_is_markup(written, shown):
    assert linked(written) == f"<p>{shown}</p>"


def test_descriptions_and_announcements_have_links(at, club):
    club.description = "See https://abbey.example/club"
    club.save()
    announced(club)
    page = source(at("bob").get("/c/st-gall"))
    for address in ("https://abbey.example/club", "https://abbey.example/a?b=1&amp;c=2"):
        assert f'<a href="{address}" {LINK}>' in page
