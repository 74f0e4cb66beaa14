"""By what a role could rewrite the past: what a superuser may do to the one under which the site serves."""

import pytest
from django.db import connection

from biblios_site import roles
from games.transparency import powers
from tests.verifying import verify

pytestmark = pytest.mark.django_db

MISTAKES = {
    "ALTER ROLE serves SUPERUSER": "is a superuser",
    "ALTER TABLE games_treehead OWNER TO serves": "owns games_treehead",
    "ALTER TABLE games_match OWNER TO serves": "owns games_match",
    "ALTER FUNCTION games_refuse() OWNER TO serves": "owns games_refuse",
    "ALTER SCHEMA public OWNER TO serves": "owns the schema",
    "ALTER DATABASE {name} OWNER TO serves": "owns the database",
    "GRANT {owner} TO serves": "is a member of {owner}, which owns accounts_archivedmatch",
    "GRANT pg_write_all_data TO serves": "may change or delete rows of accounts_archivedmatch",
    "GRANT TRUNCATE ON games_logentry TO PUBLIC": (
        "may change or delete rows of games_logentry, as every role may (PUBLIC)"
    ),
    "GRANT UPDATE (move) ON games_logentry TO PUBLIC": (
        "may change or delete rows of games_logentry, as every role may (PUBLIC)"
    ),
    "GRANT UPDATE (names, match) ON accounts_archivedmatch TO serves": (
        "may change or delete rows of accounts_archivedmatch"
    ),
    "GRANT TRIGGER ON games_match TO PUBLIC": "may replace the triggers of games_match, as every role may (PUBLIC)",
    "GRANT UPDATE (move) ON games_logentry TO serves": "may change or delete rows of games_logentry",
    "{mending} SECURITY DEFINER": (
        "may run the function mend with the rights of {owner} (SECURITY DEFINER), as every role may (PUBLIC)"
    ),
    "{mending} SECURITY DEFINER; REVOKE ALL ON FUNCTION mend FROM PUBLIC; GRANT EXECUTE ON FUNCTION mend TO serves": (
        "may run the function mend with the rights of {owner} (SECURITY DEFINER)"
    ),
    "{mending} SECURITY DEFINER; REVOKE ALL ON FUNCTION mend FROM PUBLIC": "",
    "{mending} SECURITY DEFINER; ALTER FUNCTION mend OWNER TO serves": "",
    "{mending}": "",
    "GRANT SET ON PARAMETER session_replication_role TO serves": "may switch triggers off (session_replication_role)",
    "ALTER ROLE serves SET session_replication_role = replica": "has triggers switched off (session_replication_role)",
    "CREATE ROLE cleaners; GRANT DELETE ON games_treeleaf TO cleaners; GRANT cleaners TO serves;"
    "ALTER ROLE serves NOINHERIT": "is a member of cleaners, which may change or delete rows of games_treeleaf",
    "GRANT pg_execute_server_program TO serves": (
        "is a member of pg_execute_server_program, which can do what the server can"
    ),
    "ALTER ROLE serves CREATEROLE": "may make roles and their members (CREATEROLE)",
    "CREATE ROLE makers CREATEROLE; GRANT makers TO serves": (
        "is a member of makers, which may make roles and their members (CREATEROLE)"
    ),
    "GRANT SELECT, INSERT ON games_logentry TO serves; GRANT UPDATE (reason) ON accounts_stewarddecision TO serves": "",
}


def execute(sql):
    quote = connection.ops.quote_name
    names = {
        "name": quote(connection.settings_dict["NAME"]),
        "owner": quote(connection.settings_dict["USER"]),
        "mending": "CREATE FUNCTION mend() RETURNS void LANGUAGE sql AS 'UPDATE games_logentry SET at = 0'",
    }
    with connection.cursor() as cursor:
        cursor.execute(sql.format(**names))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_power_is_named(mistake):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has no roles")
    execute("CREATE ROLE serves")
    assert powers.of("serves") == ""
    execute(mistake)
    assert powers.of("serves") == MISTAKES[mistake].format(owner=connection.settings_dict["USER"])


def test_a_view_of_the_operator_lends_no_right_to_who_serves():
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has no roles")
    execute("CREATE VIEW recent AS SELECT * FROM accounts_archivedmatch")
    roles.grant({"USER": "serves", "PASSWORD": "word"})
    with connection.cursor() as cursor:
        cursor.execute("SELECT has_table_privilege('serves', 'recent', 'SELECT, INSERT, UPDATE, DELETE')")
        assert cursor.fetchone() == (False,)


def test_an_address_without_a_role_is_refused_in_a_sentence():
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has no roles")
    with pytest.raises(roles.NoRights, match="DATABASE_URL must name the role that serves"):
        roles.grant({"USER": "", "PASSWORD": ""})


def test_where_the_tables_are_in_another_schema_the_rights_are_for_that_one():
    """The schema in which the migrations made them, and in which powers are looked for."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has no roles")
    execute("ALTER SCHEMA public RENAME TO rooms; SET LOCAL search_path = rooms")
    roles.grant({"USER": "serves", "PASSWORD": "word"})
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT has_schema_privilege('serves', 'rooms', 'USAGE'),"
            " has_table_privilege('serves', 'games_logentry', 'INSERT'),"
            " has_table_privilege('serves', 'games_logentry', 'UPDATE')"
        )
        assert cursor.fetchone() == (True, True, False)


def test_where_one_role_does_both_verifylogs_says_so_and_finds_no_fault():
    said, wrong = verify()
    assert not wrong
    assert ("under which the site serves, is a superuser: it can rewrite the past" in said) == (
        connection.vendor == "postgresql"
    )
