"""Strangers use up somebody's mails: the one about a challenge never goes, nor the one that confirms an address."""

from datetime import UTC, datetime, timedelta

from tests.clubs.event_forms import MEETING
from tests.security.attacks.outside import PASSWORD, until

RIVAL_HAS_AN_ADDRESS = """
from accounts.models import User
User.objects.filter(username="silenced_rival").update(email="silenced@asked.example")
"""
HALF_A_MINUTE_PASSES = """
from django.utils import timezone
from accounts.models import Notice
Notice.objects.filter(mail_at__gt=timezone.now()).update(mail_at=timezone.now())
"""
TERMS = {"seats": "2", "pace": "daily", "preset": "rulebook", "begins": "now", "days": "1"}


def test_dates_of_the_clubs_of_others_keep_back_no_mail_about_a_challenge(attacked):
    rival, ann = attacked.player("silenced_rival"), attacked.player("silenced_ann")
    club = ann.post("/clubs/new", clubname="Kept back", visible="all", joining="free", game="biblios").path
    rival.post(f"{club}/join")
    for player in (rival, ann):
        player.post(f"{club}/ladders/1/join")
    ann.post(f"{club}/ladders/1/desk/season", do="start")
    until(lambda: "silenced_ann" in rival.get(f"{club}/ladders/1").text, "both stand on the ladder")
    strangers = [attacked.player(f"silencing_{name}") for name in ("eve", "mal")]
    clubs = [
        eve.post("/clubs/new", clubname=f"Noise {index}", visible="all", joining="free", game="biblios").path
        for index, eve in enumerate(strangers)
    ]
    for noisy in clubs:
        rival.post(f"{noisy}/join")
    attacked.manage("shell", "-c", RIVAL_HAS_AN_ADDRESS)
    for number in range(20):
        starts = (datetime.now(UTC) + timedelta(days=9 + number)).strftime("%Y-%m-%dT%H:%M")
        for eve, noisy in zip(strangers, clubs, strict=True):
            made = eve.post(f"{noisy}/calendar/new", **MEETING | {"name_": "Noise", "starts": starts})
            assert made.path.startswith(f"{noisy}/calendar/"), made.text
    attacked.manage("shell", "-c", HALF_A_MINUTE_PASSES)
    until(lambda: len(attacked.mails("To: silenced@asked.example")) >= 20, "the mails about the dates")
    assert "/challenges/" in ann.post(f"{club}/ladders/1/challenge?to=silenced_rival", **TERMS).path
    attacked.manage("shell", "-c", HALF_A_MINUTE_PASSES)
    assert until(lambda: attacked.mails("Subject: Someone challenges you on a ladder."), "the mail about the challenge")


def test_asking_for_somebodys_address_keeps_back_no_mail_that_confirms_it(attacked):
    rival, owner = attacked.player("asking_rival"), attacked.player("asking_ann")
    for least in (1, 2, 2):
        rival.post("/account/email", email="wanted@asked.example", password=PASSWORD)
        until(lambda least=least: len(attacked.mails("To: wanted@asked.example")) >= least, "a mail")
    before = len(attacked.mails("To: wanted@asked.example"))
    owner.post("/account/email", email="wanted@asked.example", password=PASSWORD)
    until(lambda: len(attacked.mails("To: wanted@asked.example")) > before, "the mail for its owner")
