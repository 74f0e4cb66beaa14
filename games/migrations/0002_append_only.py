"""What the database itself refuses: to change the past. docs/chain.md says what stays, and for whom."""

from django.db import migrations

TABLES = {
    "games_logentry": "the log is append-only",
    "games_ladderevent": "the events of a ladder are append-only",
    "games_tournamentevent": "the events of a tournament are append-only",
    "games_treeleaf": "the public log is append-only",
    "games_treenode": "the public log is append-only",
    "games_treehead": "the public log is append-only",
}
"""Tables to which rows are added, and never changed, removed or replaced; and what the database says to whoever tries."""

DECIDED = "what stewards have decided is not changed"
DECISION = ("id", "club_id", "kind", "at", "by_id", "user_id", "data")
"""The columns of a decision; its reason may be emptied, when an account is closed."""
NAMES = "what names a match, and the secret of its shuffle, never change"
MOVED = "a seat stays at its match"
BEGAN = "what was fixed when a match began stays as it is"
ENDED = "a match that has ended stays as it is"

LOG_ENDED = "the log of a match that has ended is complete"
WHOLE = "the plies of a log are whole numbers"
ADDED = "SELECT 1 FROM games_match WHERE id = NEW.match_id AND status IN ('finished', 'aborted') AND ply <= NEW.ply"
"""Whether a new row would come after the end of a match. Its last row is written before the match is ended; and a match
that is loaded has its rows later, all below its `ply`."""

MATCH_NAMES = ("id", "key", "secret", "commitment")
MATCH_BEGAN = (
    *("game", "version", "options", "places", "host_id", "rated", "watch", "club_id", "agreed", "guided"),
    *("beginning", "played_from_id"),
    *("pace", "bank_ms", "increment_ms", "days", "header", "started_at"),
    *("sealed_at", "beacon_round", "beacon"),
)
MATCH_ENDED = ("status", "ply", "mover", "link", "ended_at", "result")
SEAT_NAMES = ("id", "match_id")
SEAT = ("index", "user_id", "bot", "share", "share_from", "seal")
FORGOTTEN = ("name", "salt")
"""These columns of a seat may be emptied, when an account is closed."""


def changed(columns, differ):
    return "({})".format(" OR ".join(f'OLD."{column}" {differ} NEW."{column}"' for column in columns))


def rules(vendor):
    """The rules for matches and seats: table, name, event, when, what is said. `{began}`: the seat's match has begun."""
    differ, empty = {"sqlite": ("IS NOT", "X''"), "postgresql": ("IS DISTINCT FROM", "''::bytea")}[vendor]
    forgets = f"(NEW.name = OLD.name OR NEW.name = '') AND (NEW.salt = OLD.salt OR NEW.salt = {empty})"
    of = ", ".join(f'"{column}"' for column in (*SEAT, *FORGOTTEN))
    seat = f"({changed(SEAT, differ)} OR NOT ({forgets})) AND {{began}}"
    # SQLite also knows an id as “rowid”, which OF does not name.
    of_names = {"sqlite": ("", ""), "postgresql": (f" OF {', '.join(MATCH_NAMES)}", f" OF {', '.join(SEAT_NAMES)}")}[
        vendor
    ]
    match = "games_match"
    decided = f"{changed(DECISION, differ)} OR NOT (NEW.reason = OLD.reason OR NEW.reason = '')"
    ended = "OLD.status IN ('finished', 'aborted')"
    return [
        (match, "names", f"UPDATE{of_names[0]}", changed(MATCH_NAMES, differ), NAMES),
        (match, "began", f"UPDATE OF {', '.join(MATCH_BEGAN)}", f"OLD.started_at IS NOT NULL AND {changed(MATCH_BEGAN, differ)}", BEGAN),
        (match, "ended", f"UPDATE OF {', '.join(MATCH_ENDED)}", f"{ended} AND {changed(MATCH_ENDED, differ)}", ENDED),
        (match, "stays", "DELETE", "OLD.started_at IS NOT NULL", BEGAN),
        ("accounts_stewarddecision", "unchanged", "UPDATE", decided, DECIDED),
        ("accounts_stewarddecision", "undeleted", "DELETE", "TRUE", DECIDED),
        ("games_seat", "names", f"UPDATE{of_names[1]}", changed(SEAT_NAMES, differ), MOVED),
        ("games_seat", "began", f"UPDATE OF {of}", seat, BEGAN),
        ("games_seat", "stays", "DELETE", "{began}", BEGAN),
    ]  # fmt: skip


def on_sqlite(schema_editor):
    began = "(SELECT started_at FROM games_match WHERE id = OLD.match_id) IS NOT NULL"
    for table, says in TABLES.items():
        refuse_on_sqlite(schema_editor, table, "unchanged", "UPDATE", "TRUE", says)
        refuse_on_sqlite(schema_editor, table, "undeleted", "DELETE", "TRUE", says)
        refuse_on_sqlite(schema_editor, table, "unreplaced", "INSERT", replaces(schema_editor, table), says)
    refuse_on_sqlite(schema_editor, "games_logentry", "ended", "INSERT", f"EXISTS ({ADDED})", LOG_ENDED)
    # A column of integers takes other numbers too, and between two rows there would always be room for one.
    refuse_on_sqlite(schema_editor, "games_logentry", "whole", "INSERT", "typeof(NEW.ply) <> 'integer'", WHOLE)
    for table, name, event, when, says in rules("sqlite"):
        refuse_on_sqlite(schema_editor, table, name, event, when.format(began=began), says)
    for table, match in (("games_match", "old.id"), ("games_seat", "old.match_id")):
        held = f"EXISTS (SELECT 1 FROM games_match WHERE id = {match} AND started_at IS NOT NULL)"
        refuse_on_sqlite(schema_editor, table, "unreplaced", "INSERT", replaces(schema_editor, table, held), BEGAN)
    decided = replaces(schema_editor, "accounts_stewarddecision")
    refuse_on_sqlite(schema_editor, "accounts_stewarddecision", "unreplaced", "INSERT", decided, DECIDED)
    # UPDATE OR REPLACE removes whatever has the new value already.
    other = (
        "SELECT 1 FROM games_match WHERE rematch_of_id = NEW.rematch_of_id AND id <> OLD.id AND started_at IS NOT NULL"
    )
    refuse_on_sqlite(schema_editor, "games_match", "rematch", "UPDATE OF rematch_of_id", f"EXISTS ({other})", BEGAN)


def replaces(schema_editor, table, held="TRUE"):
    """Whether a new row would silently take the place of one, as INSERT OR REPLACE does without asking the triggers."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, table).values()
    keys = {tuple(key["columns"]) for key in found if key["unique"] or key["primary_key"]} | {("rowid",)}
    same = " OR ".join(
        "({})".format(" AND ".join(f'old."{name}" = NEW."{name}"' for name in key)) for key in sorted(keys)
    )
    return f'EXISTS (SELECT 1 FROM "{table}" AS old WHERE ({same}) AND {held})'


def refuse_on_sqlite(schema_editor, table, name, event, when, says):
    schema_editor.execute(
        f"CREATE TRIGGER {table}_{name} BEFORE {event} ON {table} WHEN {when} BEGIN SELECT RAISE(ABORT, '{says}'); END",
        None,
    )


POSTGRESQL = """
CREATE FUNCTION games_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0]; END $$;
CREATE FUNCTION games_refuse_begun() RETURNS trigger LANGUAGE plpgsql SET search_path = {schema}, pg_temp AS
$$ BEGIN
  IF EXISTS (SELECT 1 FROM games_match WHERE id = OLD.match_id AND started_at IS NOT NULL) THEN
    RAISE EXCEPTION '%', TG_ARGV[0];
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE FUNCTION games_refuse_ended() RETURNS trigger LANGUAGE plpgsql SET search_path = {schema}, pg_temp AS
$$ BEGIN
  IF EXISTS ({added}) THEN
    RAISE EXCEPTION '%', TG_ARGV[0];
  END IF;
  RETURN NEW;
END $$;
"""


def on_postgresql(schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        [schema] = cursor.fetchone()
    schema_editor.execute(POSTGRESQL.format(schema=schema, added=ADDED), None)
    # Rows are added to the ends of many matches, hence everywhere in the index: pages that are full are halved soon.
    schema_editor.execute("ALTER INDEX games_logentry_pkey SET (fillfactor = 60)", None)
    for table, says in TABLES.items():
        refuse_on_postgresql(schema_editor, table, "unchanged", "UPDATE OR DELETE", "FOR EACH ROW", says)
    for table, says in {
        **TABLES,
        "games_match": BEGAN,
        "games_seat": BEGAN,
        "accounts_stewarddecision": DECIDED,
    }.items():
        refuse_on_postgresql(schema_editor, table, "untruncated", "TRUNCATE", "FOR EACH STATEMENT", says)
    refuse_on_postgresql(
        schema_editor, "games_logentry", "ended", "INSERT", "FOR EACH ROW", LOG_ENDED, "games_refuse_ended"
    )
    for table, name, event, when, says in rules("postgresql"):
        function = "games_refuse_begun" if "{began}" in when else "games_refuse"
        condition = f"FOR EACH ROW WHEN ({when.format(began='TRUE')})"
        refuse_on_postgresql(schema_editor, table, name, event, condition, says, function)


def refuse_on_postgresql(schema_editor, table, name, event, condition, says, function="games_refuse"):
    schema_editor.execute(
        f"CREATE TRIGGER {table}_{name} BEFORE {event} ON {table} {condition} EXECUTE FUNCTION {function}('{says}')",
        None,
    )


def refuse(apps, schema_editor):
    {"sqlite": on_sqlite, "postgresql": on_postgresql}[schema_editor.connection.vendor](schema_editor)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial"), ("games", "0001_initial")]

    operations = [migrations.RunPython(refuse)]
