from django.db import migrations

TABLES = {
    "games_logentry": "the log is append-only",
    "games_ladderevent": "the events of a ladder are append-only",
    "games_treeleaf": "the public log is append-only",
    "games_treenode": "the public log is append-only",
    "games_treehead": "the public log is append-only",
}

SQLITE = """
CREATE TRIGGER {table}_append_only BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, '{says}'); END
"""

POSTGRESQL = """
CREATE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{says}'; END $$;
CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION {table}_append_only();
"""


def refuse(apps, schema_editor):
    trigger = {"sqlite": SQLITE, "postgresql": POSTGRESQL}[schema_editor.connection.vendor]
    for table, says in TABLES.items():
        schema_editor.execute(trigger.format(table=table, says=says), None)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [migrations.RunPython(refuse)]
