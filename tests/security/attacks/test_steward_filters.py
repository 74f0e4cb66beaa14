"""A steward of the site filters lists by columns that no page shows, and so reads them letter by letter."""

from urllib.parse import urlencode

POWERS = """
from django.contrib.auth.models import Permission
from accounts.models import User
steward = User.objects.get(username="prying_ste")
steward.is_staff = True
steward.save()
steward.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
User.objects.create_superuser("boss", password="nobody guesses this")
"""


def test_no_filter_reads_what_no_page_shows(attacked):
    ste = attacked.player("prying_ste")
    attacked.manage("shell", given=POWERS)
    ann = attacked.player("watched_ann")
    match = ann.against_bots().rsplit("/", 1)[1]
    for model, hidden in (
        ("accounts/user", {"username": "boss", "password__regex": "^argon2"}),
        ("accounts/user", {"password__startswith": "argon2"}),
        ("accounts/club", {"invitation__regex": "^[a-z]"}),
        ("accounts/club", {"invitation__gt": "a"}),
        ("games/match", {"key": match, "secret__regex": "."}),
        ("games/match", {"key": match, "secret__gt": "a"}),
        ("games/match", {"key": match, "wake_at__isnull": "0"}),
        ("games/match", {"key": match, "edits__gt": "0"}),
        ("games/match", {"seats__share__regex": "."}),
    ):
        assert ste.get(f"/admin/{model}/").status == 200
        assert ste.get(f"/admin/{model}/?{urlencode(hidden)}").status == 400, hidden
