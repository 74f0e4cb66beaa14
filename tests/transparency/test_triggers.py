"""`verifylogs` names each trigger that does not keep the past."""

import pytest
from django.db import connection

from games.transparency import triggers
from tests.verifying import verify

pytestmark = pytest.mark.django_db


def found():
    return [(fault.trigger, fault.text) for fault in triggers.faults()]


def execute(sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)


def test_all_are_there():
    assert len(triggers.wanted()) > 20
    assert found() == []


@pytest.mark.parametrize("trigger", ["games_logentry_unchanged", "games_match_ended", "games_treehead_unchanged"])
def test_one_that_was_dropped_is_named(trigger):
    table = trigger.rpartition("_")[0]
    execute(f"DROP TRIGGER {trigger}" + (f" ON {table}" if connection.vendor == "postgresql" else ""))
    said, wrong = verify()
    assert f"trigger {trigger} of {table}: it is missing" in said
    assert wrong and "1 triggers do not keep the past" in said


def test_one_that_does_something_else_is_named():
    if connection.vendor == "sqlite":
        execute("DROP TRIGGER games_logentry_undeleted")
        execute(
            "CREATE TRIGGER games_logentry_undeleted BEFORE DELETE ON games_logentry WHEN FALSE BEGIN SELECT 1; END"
        )
        assert found() == [("games_logentry_undeleted", "it does something else than what the migration made")]
    else:
        execute(
            "CREATE OR REPLACE FUNCTION games_refuse_ended() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RETURN NEW; END $$"
        )
        assert found() == [("games_logentry_ended", "it does something else than what the migration made")]


def test_one_that_was_switched_off_is_named():
    if connection.vendor == "sqlite":
        pytest.skip("SQLite cannot switch one off")
    execute("ALTER TABLE games_logentry DISABLE TRIGGER games_logentry_unchanged")
    assert found() == [("games_logentry_unchanged", "it is switched off")]
