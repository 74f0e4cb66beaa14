import pytest
from django.utils import timezone

from tests.games.matches import person


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def at(client):
    """A browser of somebody, or of nobody."""

    def sign_in(name=""):
        client.logout()
        if name:
            client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        return client

    return sign_in
