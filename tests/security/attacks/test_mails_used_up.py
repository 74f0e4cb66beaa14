"""Somebody keeps a person from getting a new password by mail: they ask for mails that never go."""

from tests.security.attacks.outside import until

ANN_HAS_AN_ADDRESS = """
from accounts.models import User
User.objects.filter(username="cut_off_ann").update(email="cut.off@asked.example")
"""


def test_asking_for_addresses_that_nobody_has_uses_up_no_mail_to_their_owner(attacked):
    attacked.player("cut_off_ann")
    attacked.manage("shell", "-c", ANN_HAS_AN_ADDRESS)
    attacker = attacked.visitor()
    for number in range(6):
        attacker.post("/account/forgot", email=f"cut.off+{number}@asked.example")
    attacked.visitor().post("/account/forgot", email="cut.off@asked.example")
    assert until(lambda: attacked.mails("To: cut.off@asked.example"), "the mail with the link")
