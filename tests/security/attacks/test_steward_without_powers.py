"""A steward who may look at nothing counts through what the site has, to find tables and clubs that nobody told of."""

STEWARD = """
from accounts.models import User
User.objects.filter(username="idle_ste").update(is_staff=True)
"""
KINDS = """
from django.contrib.contenttypes.models import ContentType
kinds = ContentType.objects.filter(model__in=("match", "club", "ladder", "challenge"))
print("kinds", *kinds.values_list("pk", flat=True))
"""


def test_no_number_leads_to_a_hidden_table_or_a_private_club(attacked):
    ste, ann = attacked.player("idle_ste"), attacked.player("hidden_ann")
    attacked.manage("shell", given=STEWARD)
    kinds = attacked.manage("shell", given=KINDS).split("kinds")[-1].split()
    assert len(kinds) == 4
    ann.table(access="link")
    ann.post("/clubs/new", clubname="Hidden", slug="hidden", visible="members", joining="request", game="biblios")
    assert ste.get("/admin/").status == 200
    for kind in kinds:
        for number in range(1, 30):
            assert ste.ask("GET", f"/admin/r/{kind}/{number}/").status == 404
