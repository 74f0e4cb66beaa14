"""`verifylogs` names each trigger that does not keep the past, and what could undo what the others do."""

from importlib import import_module

import pytest
from django.db import connection

from games.transparency import triggers
from tests.verifying import verify

pytestmark = pytest.mark.django_db


def found():
    return [(fault.name, fault.text) for fault in triggers.faults()]


def only_on_postgresql():
    if connection.vendor == "sqlite":
        pytest.skip("SQLite keeps the text of a trigger, and cannot switch one off")


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
    assert wrong and "1 triggers or rules do not keep the past" in said


def test_one_that_does_something_else_is_named():
    if connection.vendor != "sqlite":
        pytest.skip("as PostgreSQL’s below")
    execute("DROP TRIGGER games_logentry_undeleted")
    execute("CREATE TRIGGER games_logentry_undeleted BEFORE DELETE ON games_logentry WHEN FALSE BEGIN SELECT 1; END")
    assert found() == [("games_logentry_undeleted", ELSE)]


def test_one_that_no_migration_made_is_named():
    """It could leave out rows, or change them on the way."""
    if connection.vendor == "sqlite":
        does = "BEFORE UPDATE ON {} BEGIN SELECT RAISE(IGNORE); END"
    else:
        execute("CREATE FUNCTION quietly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'")
        does = "AFTER INSERT ON {} FOR EACH ROW EXECUTE FUNCTION quietly()"
    for table in ("accounts_archivedmatch", "accounts_user", "games_logentry"):
        execute(f"CREATE TRIGGER {table}_more {does.format(table)}")
    assert found() == [("accounts_archivedmatch_more", triggers.MORE), ("games_logentry_more", triggers.MORE)]


def test_a_rule_is_named():
    only_on_postgresql()
    execute("CREATE RULE never AS ON INSERT TO games_treehead DO INSTEAD NOTHING")
    said, wrong = verify()
    assert wrong and f"rule never of games_treehead: {triggers.MORE}" in said


WEAKER = {
    "never": ("BEFORE {events} ON games_match FOR EACH ROW WHEN (false)", "games_refuse('{says}')"),
    "for less": ("BEFORE {events} ON games_match FOR EACH ROW WHEN ({when} AND NEW.rated)", "games_refuse('{says}')"),
    "the reverse": ("BEFORE {events} ON games_match FOR EACH ROW WHEN (NOT ({when}))", "games_refuse('{says}')"),
    "afterwards": ("AFTER {events} ON games_match FOR EACH ROW WHEN ({when})", "games_refuse('{says}')"),
    "of one column": ("BEFORE UPDATE OF key ON games_match FOR EACH ROW WHEN ({when})", "games_refuse('{says}')"),
    "at other events": ("BEFORE INSERT ON games_match FOR EACH ROW WHEN (NEW.id = 0)", "games_refuse('{says}')"),
    "each statement": ("BEFORE {events} ON games_match FOR EACH STATEMENT", "games_refuse('{says}')"),
    "by another function": (
        "BEFORE {events} ON games_match FOR EACH ROW WHEN ({when})",
        "games_refuse_begun('{says}')",
    ),
}
"""How else the trigger could be made that keeps what names a match."""
ELSE = "it does something else than what the migration made"


@pytest.mark.parametrize("name", WEAKER)
def test_one_that_was_made_weaker_is_named(name):
    only_on_postgresql()
    condition, call = WEAKER[name]
    migration = import_module("games.migrations.0002_append_only")
    [(_table, _name, events, when, says)] = [rule for rule in migration.rules("postgresql") if rule[1] == "names"][:1]
    execute("DROP TRIGGER games_match_names ON games_match")
    made = f"CREATE TRIGGER games_match_names {condition} EXECUTE FUNCTION {call}"
    execute(made.format(events=events, when=when, says=says))
    assert found() == [("games_match_names", ELSE)]
    execute("DROP TRIGGER games_match_names ON games_match")
    execute(
        f"CREATE TRIGGER games_match_names BEFORE {events} ON games_match FOR EACH ROW WHEN ((({when})))"
        f" EXECUTE FUNCTION games_refuse('{says}')"
    )
    assert found() == []  # as it was


@pytest.mark.parametrize(
    "changed",
    [
        "games_refuse_ended() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
        # Nothing but where it looks for the matches: in a schema of whoever adds a row.
        "games_refuse_ended() RETURNS trigger LANGUAGE plpgsql AS $${body}$$",
    ],
)
def test_one_that_calls_a_changed_function_is_named(changed):
    only_on_postgresql()
    with connection.cursor() as cursor:
        cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'games_refuse_ended'")
        [body] = cursor.fetchone()
    execute(f"CREATE OR REPLACE FUNCTION {changed.replace('{body}', body)}")
    assert found() == [("games_logentry_ended", ELSE)]
    said, wrong = verify()
    assert f"trigger games_logentry_ended of games_logentry: {ELSE}" in said and wrong


def test_one_that_was_switched_off_is_named():
    only_on_postgresql()
    for how in ("DISABLE", "ENABLE REPLICA"):
        execute(f"ALTER TABLE games_logentry {how} TRIGGER games_logentry_unchanged")
        assert found() == [("games_logentry_unchanged", "it is switched off")]
    execute("ALTER TABLE games_logentry ENABLE ALWAYS TRIGGER games_logentry_unchanged")
    assert found() == []
    execute("SET LOCAL session_replication_role = replica")
    assert len(found()) == len(triggers.wanted()) - 1
