import pytest
from django.core.management import call_command

from accounts.models import Club, User

pytestmark = pytest.mark.django_db


def test_names_that_could_not_be_chosen_now_are_kept_and_listed(capsys):
    for name in ("Ann", "Admin", "ann\u02bc", "Bob"):
        User.objects.create_user(name)
    User.objects.create_user("guest-x", guest=True)
    User.objects.filter(username="Bob").update(username="AnN")
    Club.objects.create(name="St Gall", slug="st-gall")
    Club.objects.create(name="\u3164", slug="odd")
    Club.objects.create(name="Armarium Office", slug="armarium-office")
    Club.objects.create(name="The Stewards", slug="vale", private=True)
    Club.objects.create(name="the stewards", slug="dale", private=True)
    call_command("checknames")
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines[:-1]] == [
        *("Admin", "ann\u02bc", "AnN", "\u3164", "Armarium Office", "The Stewards", "the stewards"),
        "/c/armarium-office",
    ]
    assert "looks like Ann" in lines[2]
    assert lines[-1] == "8 names could not be chosen now"
    assert User.objects.count() == 5
