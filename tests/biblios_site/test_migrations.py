from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently
from django.core.management import call_command
from django.db import migrations, models

from games.transparency.powers import APPENDED

ROOT = Path(__file__).parent.parent.parent
BASE = {"0001_initial", "0002_append_only"}
"""What makes the tables, when nobody plays yet."""
KEPT = {"logentry", "match", "seat", *(table.partition("_")[2] for table in APPENDED)}
"""The models whose tables people play on, and which are long."""
MARK = "stops_the_site"
"""What a migration says that must lock or rewrite one of them all the same: why the site is to be stopped for it."""


@pytest.mark.django_db
@pytest.mark.once
def test_every_change_of_a_model_has_its_migration():
    call_command("makemigrations", check=True, dry_run=True)


def stops(operation):
    """Whether an operation may lock such a table for long, rewrite it, or, on SQLite, lose its triggers."""
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return any(map(stops, operation.database_operations))
    if isinstance(operation, (migrations.RunSQL, migrations.RunPython)):
        return True  # whatever it does
    model = getattr(operation, "model_name", getattr(operation, "name", "")).lower()
    if isinstance(operation, (migrations.CreateModel, AddIndexConcurrently)) or model not in KEPT:
        return False
    if isinstance(operation, migrations.AddField):
        # Such a column is only noted, by both databases.
        plain = operation.field.null and not operation.field.has_default() and not operation.field.unique
        return not plain or isinstance(operation.field, models.ForeignKey)
    return not isinstance(operation, (migrations.AlterModelOptions, migrations.AlterModelManagers))


def refused(migration):
    return not getattr(migration, MARK, "") and any(map(stops, migration.operations))


@pytest.mark.parametrize("app", ["accounts", "games"])
def test_no_migration_stops_the_games_that_are_played(app):
    names = {module.name for module in iter_modules([str(ROOT / app / "migrations")])}
    found = {name: import_module(f"{app}.migrations.{name}").Migration for name in names - BASE}
    assert [name for name, migration in found.items() if refused(migration)] == []


NULLABLE, WITH_DEFAULT = models.IntegerField(null=True), models.IntegerField(default=0)


@pytest.mark.parametrize(
    ("operation", "wrong"),
    [
        (migrations.AddField("logentry", "more", NULLABLE), False),
        (migrations.AddField("logentry", "more", WITH_DEFAULT), True),
        (migrations.AddField("notice", "more", WITH_DEFAULT), False),
        (migrations.AlterField("LogEntry", "at", models.TextField()), True),
        (migrations.RemoveField("treehead", "note"), True),
        (migrations.DeleteModel("LogEntry"), True),
        (migrations.AddIndex("match", models.Index(fields=["ply"], name="x")), True),
        (AddIndexConcurrently("match", models.Index(fields=["ply"], name="x")), False),
        (migrations.RunSQL("ALTER TABLE games_logentry ADD x int"), True),
        (migrations.SeparateDatabaseAndState([migrations.AlterField("logentry", "at", NULLABLE)], []), True),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_would_stop_them_is_found_unless_it_says_so(operation, wrong):
    migration = type("Migration", (migrations.Migration,), {"operations": [operation]})
    assert refused(migration) is wrong
    assert not refused(type("Migration", (migration,), {MARK: "an hour at night, told a week before"}))
