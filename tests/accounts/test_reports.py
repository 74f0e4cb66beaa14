from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import services
from accounts.models import Block, Report, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [User.objects.create_user(name, password="a quiet scriptorium") for name in ("ann", "bob")]


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def ann(client, people):
    client.force_login(people[0])
    return client


def test_a_report_reaches_the_stewards_and_only_them(ann, people):
    assert "Report <bdi>bob</bdi>" in ann.get("/@/bob/report").content.decode()
    answer = ann.post("/@/bob/report", {"text": "Shouts at people.", "match": "/m/abcdefghijkm"}, follow=True)
    assert answer.redirect_chain == [("/@/bob", 302)]
    assert "The stewards of the site will read your report." in answer.content.decode()
    report = Report.objects.get()
    assert (report.by, report.about, report.text) == (*people, "Shouts at people.")
    assert (report.match, report.settled) == ("abcdefghijkm", False)
    assert "Shouts at people." not in answer.content.decode()


@pytest.mark.parametrize("match", ["abcdefghijkm", "https://example.org/m/abcdefghijkm/17?as=all", " /m/abcdefghijkm "])
def test_a_game_may_be_named_by_its_address(ann, match):
    ann.post("/@/bob/report", {"text": "Look at this.", "match": match})
    assert Report.objects.get().match == "abcdefghijkm"


def test_the_address_of_the_form_may_bring_the_game(ann):
    assert 'value="abcdefghijkm"' in ann.get("/@/bob/report?match=abcdefghijkm").content.decode()


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ({"text": "  ", "match": "abcdefghijkm"}, "Please say what happened."),
        ({"text": "Shouts at people.", "match": "yesterday"}, "That isn’t the address of a game."),
        ({"text": "x" * 2001, "match": ""}, "at most 2000 characters"),
    ],
)
def test_what_was_typed_stays_and_the_fault_is_named(ann, typed, fault):
    answer = ann.post("/@/bob/report", typed)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert fault in html
    assert typed["match"] in html and typed["text"].strip() in html
    assert not Report.objects.exists()


def test_the_sixth_report_of_an_hour_has_to_wait_and_keeps_its_text(ann):
    for _ in range(5):
        assert ann.post("/@/bob/report", {"text": "Shouts at people."}).status_code == 302
    assert ann.post("/@/bob/report", {"text": ""}).status_code == 422
    answer = ann.post("/@/bob/report", {"text": "Still shouts at people."})
    assert answer.status_code == 429
    assert "Still shouts at people." in answer.content.decode()
    assert "You’ve sent several reports in the last hour." in answer.content.decode()
    assert Report.objects.count() == 5


def test_somebody_else_at_the_same_address_may_still_write(ann, client, people):
    for _ in range(6):
        ann.post("/@/bob/report", {"text": "Shouts at people."})
    client.force_login(people[1])
    assert client.post("/@/ann/report", {"text": "She whispers."}).status_code == 302


def test_blocking_is_undone_by_the_same_button(ann, people):
    answer = ann.post("/@/bob/block", follow=True)
    assert answer.redirect_chain == [("/@/bob", 302)]
    assert "You’ve blocked bob." in answer.content.decode()
    block = Block.objects.get()
    assert (block.user, block.blocked) == tuple(people)
    assert "You no longer block bob." in ann.post("/@/bob/block", follow=True).content.decode()
    assert not Block.objects.exists()


def test_a_block_is_not_changed_by_looking(ann):
    assert ann.get("/@/bob/block").status_code == 405
    assert not Block.objects.exists()


@pytest.mark.parametrize(("what", "back"), [("report", "/%40/bob/report"), ("block", "/%40/bob")])
def test_signed_out_visitors_are_sent_to_sign_in(client, people, what, back):
    answer = client.post(f"/@/bob/{what}", {"text": "Shouts at people."})
    assert answer.status_code == 302
    assert answer["Location"] == f"/sign-in?next={back}"
    assert not Report.objects.exists() and not Block.objects.exists()


@pytest.mark.parametrize(("what", "back"), [("report", "%2F%40%2Fbob%2Freport"), ("block", "%2F%40%2Fbob")])
def test_guests_sign_up_first(client, people, what, back):
    client.force_login(User.objects.create_user("guest-1", guest=True))
    assert client.post(f"/@/bob/{what}", {"text": "Shouts at people."})["Location"] == f"/sign-up?next={back}"
    assert not Report.objects.exists() and not Block.objects.exists()


def test_a_guest_is_reported_and_kept_for_the_stewards(ann, people, client, now):
    guest = User.objects.create_user("guest-1", guest=True, date_joined=now - timedelta(days=30))
    html = ann.get("/@/guest-1/report?match=abcdefghijkm").content.decode()
    assert 'value="abcdefghijkm"' in html and "mute the chat of the table" in html and "block them" not in html
    answer = ann.post("/@/guest-1/report", {"text": "Shouts at people.", "match": "abcdefghijkm"})
    assert answer["Location"] == "/m/abcdefghijkm"
    assert ann.post("/@/guest-1/report", {"text": "And again."})["Location"] == "/"
    assert services.forget_guests(now) == 0 and guest.reports.count() == 2
    client.force_login(User.objects.create_superuser("root", password="a quiet scriptorium"))
    assert "guest-1" in client.get("/admin/accounts/report/").content.decode()
    client.post("/admin/accounts/user/", {"action": "ban", "_selected_action": [guest.pk]})
    guest.refresh_from_db()
    assert not guest.is_active


@pytest.mark.parametrize("path", ["/@/guest-1", "/@/guest-1/follow", "/@/guest-1/challenge", "/messages/guest-1"])
def test_a_guest_has_no_other_page(ann, path):
    User.objects.create_user("guest-1", guest=True)
    assert (ann.post if path.endswith("follow") else ann.get)(path).status_code == 404


@pytest.mark.parametrize(
    ("what", "name"),
    [(what, name) for what in ("report", "block") for name in ("ann", "ANN", "nobody", "gone")]
    + [("block", "guest-1")],
)
def test_oneself_closed_accounts_and_nobody_cannot_be_meant_and_no_guest_is_blocked(ann, what, name):
    User.objects.create_user("guest-1", guest=True)
    User.objects.create_user("gone", closed=True)
    assert ann.post(f"/@/{name}/{what}", {"text": "Shouts at people."}).status_code == 404
    assert not Report.objects.exists() and not Block.objects.exists()


@pytest.mark.parametrize("address", ["/@/ann", "/@/ann/challenge", "/messages/ann"])
def test_nobody_learns_by_looking_that_somebody_blocks_them(ann, client, people, address):
    before = client_page(client, people[1], address)
    Block.objects.create(user=people[0], blocked=people[1])
    assert client_page(client, people[1], address) == before


def client_page(client, user, address):
    client.force_login(user)
    html = client.get(address).content.decode()
    return [line for line in html.splitlines() if "csrfmiddlewaretoken" not in line]
