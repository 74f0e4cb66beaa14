from django.db import migrations

SQLITE = """
CREATE TRIGGER games_log_append_only BEFORE UPDATE ON games_logentry
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END
"""

POSTGRESQL = """
CREATE FUNCTION games_log_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the log is append-only'; END $$;
CREATE TRIGGER games_log_append_only BEFORE UPDATE OR DELETE ON games_logentry
FOR EACH ROW EXECUTE FUNCTION games_log_append_only();
"""

BACK = {
    "sqlite": "DROP TRIGGER games_log_append_only",
    "postgresql": "DROP TRIGGER games_log_append_only ON games_logentry; DROP FUNCTION games_log_append_only();",
}


def refuse(apps, schema_editor):
    schema_editor.execute({"sqlite": SQLITE, "postgresql": POSTGRESQL}[schema_editor.connection.vendor], None)


def allow(apps, schema_editor):
    schema_editor.execute(BACK[schema_editor.connection.vendor], None)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [migrations.RunPython(refuse, allow)]
