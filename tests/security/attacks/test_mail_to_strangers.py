"""Mail to people who never asked for any: to addresses of strangers, again and again, with texts of one's own."""

import re

from tests.security.attacks.outside import PASSWORD, until

LURE = "PRIZE NOTICE evil.example"
REASON = "You have won! Claim your prize at http://evil.example/win"
TIME_PASSES = """
from django.utils import timezone
from accounts.models import Notice, User
User.objects.filter(username="guarded_cho").update(email="cho@asked.example")
Notice.objects.update(mail_at=timezone.now())
"""
"""cho has confirmed her address, and the half minute is over in which a notice waits for its mail."""


def test_a_stranger_is_asked_once_and_nobody_gets_the_texts_of_another(attacked):
    ann, bob, cho = (attacked.player(f"guarded_{name}") for name in ("ann", "bob", "cho"))
    ann.post("/clubs/new", clubname=LURE, slug="prize", visible="all", joining="free", game="biblios", description=LURE)
    bob.post("/account/email", email="victim@stranger.example", password=PASSWORD)
    for each, name in ((bob, "bob"), (cho, "cho")):
        each.post("/c/prize/join")
        ann.post(f"/c/prize/desk/expel/guarded_{name}", reason=REASON)
        assert "evil.example" in each.get("/notices").text
    bob.post("/account/forgot", email="victim@stranger.example")
    attacked.manage("shell", "-c", TIME_PASSES)
    until(lambda: attacked.mails("To: cho@asked.example"), "the mail of the one who asked for mails")
    assert len(attacked.mails("To: victim@stranger.example")) <= 1
    assert not [mail for mail in attacked.mails("example") if re.search("PRIZE|evil|won!", mail)]


def test_nobody_makes_the_site_write_to_one_stranger_after_another(attacked):
    ann = attacked.player("writing_ann")
    statuses = [
        ann.post("/account/email", email=f"victim{number}@stranger.example", password=PASSWORD).status
        for number in range(12)
    ]
    assert 429 in statuses
    assert len(attacked.mails("@stranger.example")) <= 10
