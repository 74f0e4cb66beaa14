"""A request that calls the site by another port of the same name, to have it write links that lead there."""

from tests.security.attacks.outside import until

ELSEWHERE = {"Host": "127.0.0.1:1337", "Origin": "http://127.0.0.1:1337"}
ANN_HAS_AN_ADDRESS = """
from accounts.models import User
User.objects.filter(username="linked_ann").update(email="linked@asked.example")
"""


def test_the_link_for_a_new_password_leads_to_the_site(attacked):
    attacked.player("linked_ann")
    attacked.manage("shell", "-c", ANN_HAS_AN_ADDRESS)
    attacker = attacked.visitor()
    attacker.get("/account/forgot")
    assert attacker.post("/account/forgot", ELSEWHERE, email="linked@asked.example").status == 200
    [mail] = until(lambda: attacked.mails("To: linked@asked.example"), "the mail with the link")
    assert ":1337" not in mail
    assert f"http://127.0.0.1:{attacked.port}/account/reset/" in mail


def test_invitations_frames_and_files_lead_to_the_site(attacked):
    ann = attacked.player("inviting_ann")
    ann.post(
        "/clubs/new",
        clubname="The Bindery",
        slug="bindery",
        visible="all",
        joining="free",
        game="biblios",
        description="",
    )
    ann.post("/c/bindery/desk/link", do="new")
    table = ann.table()
    pages = (
        "/c/bindery/desk",
        "/c/bindery/ladders/1/desk",
        "/c/bindery/ladders/1/embed",
        "/c/bindery/ladders/1/print",
        table,
    )
    for page in pages:
        answer = ann.get(page, **{"Host": "127.0.0.1:1337"})
        assert answer.status == 200, page
        assert ":1337" not in answer.text, page
