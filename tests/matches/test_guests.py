from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import services
from accounts.models import User
from games.matches.models import Match, Seat

pytestmark = pytest.mark.django_db


def test_guests_who_played_are_kept():
    host, sitter = services.guest(), services.guest()
    match = Match.objects.create(game="biblios", version=1, host=host, places=2, secret=bytes(32), commitment="")
    Seat.objects.create(match=match, index=0, user=sitter)
    assert services.forget_guests(timezone.now() + timedelta(days=8)) == 0
    assert not services.forget(host)
    assert User.objects.count() == 2
