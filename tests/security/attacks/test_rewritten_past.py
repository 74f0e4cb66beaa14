"""Whoever reaches the database plays a game again as they like; and whoever was there can tell."""

import hashlib
import json
import re
from html import unescape

from tests.security.attacks.outside import until

REWRITING = """
import sqlite3
from django.db import connection
database = sqlite3.connect(connection.settings_dict["NAME"])
for statement in (
    "DELETE FROM games_logentry",
    "UPDATE games_logentry SET at = at + 1",
    "INSERT OR REPLACE INTO games_logentry SELECT * FROM games_logentry",
    "UPDATE games_match SET rated = NOT rated WHERE ply > 0",
    "DELETE FROM games_match WHERE ply > 0",
    "UPDATE games_seat SET user_id = NULL WHERE bot = ''",
):
    try:
        database.execute(statement)
        database.rollback()
        print("REWRITTEN", statement)
    except sqlite3.IntegrityError as refusal:
        print("refused", statement, refusal)
"""


def test_the_database_lets_no_statement_change_what_was_played(attack):
    site = attack()
    ann = site.player("ann")
    table = ann.against_bots()
    ann.play(table, ann.asked(table).offers[0])
    said = site.manage("shell", given=REWRITING)
    assert said.count("refused") == 6 and "REWRITTEN" not in said


ADDING = """
import sqlite3
from django.db import connection
database = sqlite3.connect(connection.settings_dict["NAME"])
columns = [row[1] for row in database.execute("PRAGMA table_info(games_logentry)")]
values = [{"id": "NULL", "ply": "ply + 1"}.get(column, column) for column in columns]
try:
    database.execute(
        f"INSERT INTO games_logentry ({', '.join(columns)}) SELECT {', '.join(values)} FROM games_logentry"
        " WHERE match_id = (SELECT id FROM games_match WHERE status <> 'running') ORDER BY ply DESC LIMIT 1"
    )
    print("ADDED", database.total_changes)
except sqlite3.IntegrityError as refusal:
    print("refused", refusal)
"""


def test_the_database_takes_no_row_for_a_game_that_has_ended(attack):
    site = attack()
    ann = site.player("ann")
    table = ann.against_bots()
    ann.play(table, ann.asked(table).offers[0])
    ann.post(f"{table}/resign")
    until(lambda: ann.board(table).over, "the end")
    said = site.manage("shell", given=ADDING)
    assert "refused" in said and "ADDED" not in said


def linked(link, lines):
    for line in lines:
        link = hashlib.sha256(link + line.encode()).digest()
    return link


def test_every_row_that_comes_by_the_socket_continues_the_link_of_a_receipt(attacked):
    ann = attacked.player("follower")
    table = ann.against_bots()
    receipt = ann.get(f"{table}/receipt.json").json()
    header = json.dumps(receipt["header"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    link = linked(hashlib.sha256(header.encode()).digest(), receipt["rows"])
    assert link.hex() == receipt["link"]
    ply = receipt["ply"]
    with ann.socket(f"/ws{table}?lang=en") as socket:
        whole = socket.recv()
        assert f'data-ply="{ply}"' in whole and f'data-link="{link.hex()[:16]}"' in whole
        board = ann.asked(table)
        ann.play(table, board.offers[0])

        def later():
            nonlocal link, ply
            message = socket.recv(timeout=20)
            if found := re.search(r'<div id="ply"[^>]*>(.+?)</div>', message, re.DOTALL):
                lines = [line for line in unescape(found[1]).split("\n") if int(line.split(" ")[0]) >= ply]
                link, ply = linked(link, lines), ply + len(lines)
                assert f'data-link="{link.hex()[:16]}"' in message
            return ply > board.ply

        until(later, "the row of the answer")
    assert ann.get(f"{table}/receipt.json").json()["rows"][: len(receipt["rows"])] == receipt["rows"]
