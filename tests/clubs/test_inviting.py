"""Ways to invite: a list as people have it, a link that says what it is, a poster, a mail to who has no account."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts import enquiries, services
from accounts.clubs import clubs, mail_invitations
from accounts.models import Block, MailInvitation, User
from accounts.web import throttle
from games.clubs import views as club_views
from tests.clubs.club_pages import NAME, link_of, members, private, says_of
from tests.clubs.clubs import club_of
from tests.people import person
from tests.reading import messages, text

pytestmark = [pytest.mark.django_db, pytest.mark.once]

DESK = "/c/st-gall/desk"


@pytest.fixture
def posted():
    """Invites a list as ann does, and returns the page and the mails that went out for it."""

    def invite(at, names):
        mail.outbox.clear()
        page = at("ann").post(f"{DESK}/invite", {"names": names})
        enquiries.send_due(timezone.now())
        return page, list(mail.outbox)

    return invite


def typed(page):
    """What stands in the box for the list."""
    return re.search(r"<textarea[^>]*name=.names.[^>]*>\n?(.*?)</textarea>", page.content.decode(), re.S)[1]


# A list


def test_a_list_with_numbers_columns_and_any_case_is_understood(at, club):
    page = at("ann").post(f"{DESK}/invite", {"names": "1. DAN\r\n2.\tEve\t030-1234\r\nHans 030 99"})
    assert "2 people are invited. DAN, Eve" in text(page)
    assert {asking.user.username for asking in club.askings.all()} == {"dan", "eve"}


def test_unknown_names_stay_in_the_box(at, club):
    page = at("ann").post(f"{DESK}/invite", {"names": "dan\r\n2. Hans 030-99\r\nGerda"})
    assert "No such player. Check the spelling, or add a mail address. 2. Hans 030-99, Gerda" in text(page)
    assert typed(page) == "2. Hans 030-99\nGerda"


# The link


def meta(page):
    return dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', page.content.decode()))


def test_a_messenger_shows_the_club_and_who_invites(at, club):
    told = meta(at().get(link_of(club)))
    assert told["og:title"] == NAME
    assert told["og:description"] == told["description"] == "ann invites you to this club with 2 members."
    assert told["og:url"].endswith(f"/c/st-gall/invited/{clubs.Club.objects.get().invitation}")
    assert told["robots"] == "noindex"


def test_the_link_of_a_private_club_names_no_member(at, club):
    private(club)
    page = at().get(link_of(club))
    assert meta(page)["og:description"] == "You’re invited to this club with 2 members."
    assert not re.search(r"\b(ann|bob)\b", page.content.decode())


def test_the_link_of_a_former_steward_names_nobody(at, club, now):
    link = link_of(club)
    clubs.appoint(club, person("ann"), person("bob"), now)
    clubs.dismiss(club, person("bob"), person("ann"))
    assert "ann invites" not in at().get(link).content.decode()


def test_a_public_club_has_a_preview_and_a_private_one_none(at, club):
    assert meta(at().get("/c/st-gall"))["og:title"] == NAME
    private(club)
    for page in (at().get("/c/st-gall"), at("bob").get("/c/st-gall")):
        assert meta(page)["og:title"] == "Armarium"


def test_the_way_to_the_invitation_is_kept_in_the_header(at, club):
    link = link_of(club)
    page = at().get(link).content.decode()
    for way in ("sign-up", "sign-in"):
        assert f'href="/{way}?next={link.replace("/", "%2F")}"' in page


def test_whoever_signs_up_by_the_header_comes_back_to_the_invitation(at, club):
    link = link_of(club)
    fields = {"username": "Nell", "new_password": "correct horse battery"}
    assert at().post(f"/sign-up?next={link}", fields).url == link


SIGN_UP = {"username": "Nell", "new_password": "correct horse battery"}


def test_whoever_says_yes_and_then_signs_up_has_joined(at, club):
    link, client = link_of(club), at()
    sign_up = client.post(link).url
    page = client.post(sign_up, SIGN_UP, follow=True)
    assert page.redirect_chain[-2:] == [(link, 302), ("/c/st-gall", 302)]
    assert "Nell" in members(club) and "Welcome to St Gall." in text(page)


def test_whoever_says_yes_and_then_signs_in_to_their_account_has_joined(at, club):
    link, client = link_of(club), at()
    client.post(link)
    client.force_login(person("dan"), backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(link).url == "/c/st-gall" and "dan" in members(club)


def test_nobody_joins_by_looking_at_an_invitation_that_they_have_not_said_yes_to(at, club, now, monkeypatch):
    other = clubs.found(person("ann"), **says_of("The Bindery"), now=now)
    link, client = link_of(club), at()
    client.post(link_of(other))
    client.post("/sign-up", SIGN_UP)
    assert client.get(link).status_code == 200, "it was to another club"
    client = at()
    client.post(link)
    monkeypatch.setattr(club_views, "JOINS_S", 0)
    client.force_login(person("dan"), backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(link).status_code == client.get(link).status_code == 200, "that was too long ago"
    assert members(club) == {"ann", "bob"}


def test_why_somebody_cannot_join_after_all_is_told_once_they_have_signed_in(at, club, now):
    link, client = link_of(club), at()
    clubs.join(club, person("dan"), now)
    clubs.expel(club, person("ann"), person("dan"), "Shouts.", now)
    client.post(link)
    client.force_login(person("dan"), backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(link)
    assert page.status_code == 200 and "expelled" in text(page) and "dan" not in members(club)


def test_the_link_is_a_code_for_cameras_on_the_page_and_on_a_poster(at, club):
    link_of(club)
    assert 'class="room-code"' in at("ann").get(DESK).content.decode()
    page = at("ann").get(f"{DESK}/poster")
    assert 'class="room-code"' in page.content.decode() and NAME in text(page) and "/c/st-gall/invited/" in text(page)
    clubs.no_link(club, person("ann"))
    assert at("ann").get(f"{DESK}/poster").status_code == 404


# By mail


def test_a_mail_says_who_invites_to_which_club(at, club, posted):
    page, (letter,) = posted(at, "Gerda <gerda@example.org>")
    assert "1 invitation is sent by mail. gerda@example.org" in text(page)
    assert letter.recipients() == ["gerda@example.org"] and letter.subject == "ann invites you to St Gall."
    assert re.search(r"ann invites you to St Gall\.\nhttp\S+/invited/\w{22}\n", letter.body)
    written = letter.message().as_string()
    assert not re.search(r"\b(bob|st-gall|Gerda)\b", written) and "List-Unsubscribe" in written
    assert "gerda@example.org" in text(at("ann").get(DESK)) and "gerda" not in text(at("bob").get("/c/st-gall"))


@pytest.mark.parametrize(
    "name", ["Win at evil.example", "See evil.example/x", "Call 0800 12 34", "Call +49 (30) 1234", "http: evil"]
)
def test_a_mail_names_nobody_where_a_name_could_lead_elsewhere(at, club, posted, name):
    clubs.Club.objects.filter(pk=club.pk).update(name=name)
    _page, (letter,) = posted(at, "gerda@example.org")
    assert letter.subject == "Someone invites you to a club."
    assert name not in letter.body and "ann" not in letter.body.split()


def test_a_year_in_the_name_of_a_club_is_no_telephone_number(at, club, posted):
    clubs.Club.objects.filter(pk=club.pk).update(name="St. Gall, since 1904")
    _page, (letter,) = posted(at, "gerda@example.org")
    assert letter.subject == "ann invites you to St. Gall, since 1904."


def test_a_mail_names_nobody_of_a_private_club(at, club, posted):
    private(club)
    _page, (letter,) = posted(at, "gerda@example.org")
    assert letter.subject == "Someone invites you to a club."
    assert not re.search(r"\b(ann|St Gall|st-gall)\b", letter.message().as_string())


def test_a_mail_does_not_name_who_is_no_steward_any_more(club, now):
    mail_invitations.invite(club, person("ann"), ["gerda@example.org"], now)
    clubs.appoint(club, person("ann"), person("bob"), now)
    clubs.dismiss(club, person("bob"), person("ann"))
    enquiries.send_due(timezone.now())
    assert [letter.subject for letter in mail.outbox] == ["Someone invites you to a club."]


def test_its_link_is_good_for_one_person_also_into_a_private_club(at, club, posted):
    private(club)
    _page, (letter,) = posted(at, "gerda@example.org")
    link = re.search(r"/invited/\w+", letter.body)[0]
    shown = at().get(link)
    assert NAME in text(shown) and not re.search(r"\b(ann|bob)\b", shown.content.decode())
    assert at(services.guest().username).post(link).url == f"/sign-up?next={link.replace('/', '%2F')}"
    assert messages(at("dan").post(link)) == ["Welcome to St Gall."]
    assert "dan" in members(club) and not MailInvitation.objects.exists()
    assert at("eve").get(link).status_code == at("eve").post(link).status_code == 404


def test_its_link_ends_when_it_is_withdrawn_and_after_a_month(at, club, posted):
    for end in ("withdrawn", "old"):
        _page, (letter,) = posted(at, f"{end}@example.org")
        link, row = re.search(r"/invited/\w+", letter.body)[0], MailInvitation.objects.get()
        if end == "withdrawn":
            at("ann").post(f"{DESK}/mailed/{row.pk}")
        else:
            MailInvitation.objects.update(at=timezone.now() - clubs.MAIL_LASTS)
        assert at("eve").get(link).status_code == at("eve").post(link).status_code == 404
        assert "eve" not in members(club)
    mail_invitations.forget(timezone.now())
    assert not MailInvitation.objects.exists()


def test_a_steward_cannot_tell_whether_an_address_has_an_account(at, club, posted):
    """Not even where its owner wants no such mails, or blocks the steward, or is a member."""
    users = {name: f"{name}@example.org" for name in ("bob", "cho", "dan", "eve")}
    for name, address in users.items():
        User.objects.filter(username=name).update(email=address)
    User.objects.filter(username="dan").update(silenced=["club:mail"])
    Block.objects.create(user=person("eve"), blocked=person("ann"))
    mail_invitations.close(mail_invitations.digest("closed@example.org"))
    shown, sent = {}, {}
    for name in ("bob", "cho", "dan", "eve", "closed", "nobody"):
        page, letters = posted(at, f"{name}@example.org")
        shown[name] = text(page).replace(f"{name}@example.org", "X")
        sent[name] = [letter.recipients() for letter in letters]
        MailInvitation.objects.all().delete()
    assert set(shown.values()) == {shown["nobody"]}
    assert sent == {name: [[f"{name}@example.org"]] if name in ("bob", "cho", "nobody") else [] for name in sent}


def test_nobody_is_written_to_twice_by_a_club(at, club, posted):
    posted(at, "gerda@example.org")
    page, letters = posted(at, "Gerda+club@Example.org")
    assert "They’ve already been invited. Gerda+club@Example.org" in text(page) and not letters


def test_an_address_that_is_in_a_list_twice_is_said_to_be(at, club, posted):
    page, letters = posted(at, "gerda@example.org, Gerda+club@example.org")
    assert len(letters) == 1 and "They’re in the list more than once. Gerda+club@example.org" in text(page)
    assert "already been invited" not in text(page)


def test_a_steward_sends_one_invitation_a_day_to_an_address_and_is_not_told(at, club, posted):
    _page, first = posted(at, "gerda@example.org")
    MailInvitation.objects.all().delete()
    page, second = posted(at, "gerda@example.org")
    assert (len(first), len(second)) == (1, 0) and "1 invitation is sent by mail." in text(page)


def invited_by(numbers, now):
    """Stewards of so many clubs invite the same address, and what may go is sent."""
    for number in numbers:
        club = club_of(f"steward-{number}", slug=f"club-{number}").club
        mail_invitations.invite(club, person(f"steward-{number}"), ["gerda@example.org"], now)
        enquiries.send_due(now)


def test_what_others_send_to_an_address_uses_up_no_invitation_which_waits_and_comes_in_one_mail(at, now, monkeypatch):
    start = throttle.clock()
    invited_by(range(5), now)
    assert len(mail.outbox) == 3
    monkeypatch.setattr(throttle, "clock", lambda: start + 40 * 3600)
    assert enquiries.send_due(now + timedelta(hours=40)) == 1
    last = mail.outbox[-1]
    assert last.to == ["gerda@example.org"] and last.subject == "Several people invite you to their clubs."
    assert len(set(re.findall(r"/invited/\w+", last.body))) == 2 and "club-" not in last.message().as_string()
    assert set(re.findall(r"(.*)\nhttp.*/invited/", last.body)) == {
        f"steward-{number} invites you to Club {number}." for number in (3, 4)
    }
    assert enquiries.send_due(now + timedelta(hours=80)) == 0


def test_whoever_stops_invitations_gets_none_that_waited(at, now, monkeypatch):
    start = throttle.clock()
    invited_by(range(4), now)
    assert len(mail.outbox) == 3
    mail_invitations.close(mail_invitations.digest("gerda@example.org"))
    monkeypatch.setattr(throttle, "clock", lambda: start + 40 * 3600)
    assert enquiries.send_due(now + timedelta(hours=40)) == 0


def test_beyond_the_limit_nothing_is_sent_and_the_addresses_are_kept(at, club, posted, at_most):
    at_most("mail invitations", 2)
    page, letters = posted(at, "dan\r\na@example.org, b@example.org, c@example.org")
    assert page.status_code == 429 and not letters and not MailInvitation.objects.exists()
    assert typed(page) == "a@example.org\nb@example.org\nc@example.org" and "1 person is invited. dan" in text(page)
    page, letters = posted(at, "a@example.org, b@example.org")
    assert page.status_code == 200 and len(letters) == 2


def test_whoever_wants_no_more_invitations_gets_none(at, club, posted, at_most):
    at_most("invitations from", 3)
    _page, (letter,) = posted(at, "gerda@example.org")
    stop = re.search(r"/uninvited/\w+/\w+", letter.body)[0]
    assert "Do you want no more invitations" in text(at().get(stop))
    MailInvitation.objects.all().delete()
    assert len(posted(at, "gerda@example.org")[1]) == 1  # the question alone ends nothing
    assert "No more invitations to clubs will be sent" in text(at().post(stop))
    MailInvitation.objects.all().delete()
    assert posted(at, "GERDA@example.org")[1] == []
    assert at().post(stop[:-1] + ("0" if stop[-1] != "0" else "1")).status_code == 404


def test_a_name_that_somebody_has_needs_no_mail(at, club, posted):
    page, letters = posted(at, "dan\tdan@elsewhere.example")
    assert "1 person is invited. dan" in text(page) and not letters


def test_nobody_but_stewards_invites_by_mail(club, now):
    with pytest.raises(clubs.Refused):
        mail_invitations.invite(club, person("bob"), ["gerda@example.org"], now)
    with pytest.raises(clubs.Refused):
        mail_invitations.withdraw(club, person("bob"), 1)


def test_addresses_go_with_the_last_member(club, now):
    mail_invitations.invite(club, person("ann"), ["gerda@example.org"], now)
    clubs.leave(club, person("bob"), now)
    clubs.leave(club, person("ann"), now + timedelta(days=1))
    assert not MailInvitation.objects.exists()
