from django.db import migrations

SQLITE = """
CREATE TRIGGER games_ladder_append_only BEFORE UPDATE ON games_ladderevent
BEGIN SELECT RAISE(ABORT, 'the events of a ladder are append-only'); END
"""

POSTGRESQL = """
CREATE FUNCTION games_ladder_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the events of a ladder are append-only'; END $$;
CREATE TRIGGER games_ladder_append_only BEFORE UPDATE OR DELETE ON games_ladderevent
FOR EACH ROW EXECUTE FUNCTION games_ladder_append_only();
"""

BACK = {
    "sqlite": "DROP TRIGGER games_ladder_append_only",
    "postgresql": (
        "DROP TRIGGER games_ladder_append_only ON games_ladderevent; DROP FUNCTION games_ladder_append_only();"
    ),
}


def refuse(apps, schema_editor):
    schema_editor.execute({"sqlite": SQLITE, "postgresql": POSTGRESQL}[schema_editor.connection.vendor], None)


def allow(apps, schema_editor):
    schema_editor.execute(BACK[schema_editor.connection.vendor], None)


class Migration(migrations.Migration):
    dependencies = [("games", "0007_ladders")]

    operations = [migrations.RunPython(refuse, allow)]
