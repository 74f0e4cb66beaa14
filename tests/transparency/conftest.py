import pytest
from django.db import connection


@pytest.fixture(autouse=True)
def log_key(settings, tmp_path):
    """The file of the key that signs the public log."""
    settings.LOG_KEY = tmp_path / "log_key.pem"
    return settings.LOG_KEY


@pytest.fixture
def unguarded(db):
    """The database of somebody who owns it: no trigger refuses anything."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {name}")
        else:
            cursor.execute(
                "SELECT tgname, tgrelid::regclass FROM pg_trigger WHERE NOT tgisinternal AND tgname LIKE '%append%'"
            )
            for name, table in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {name} ON {table}")
