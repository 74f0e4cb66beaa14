"""Somebody who is blocked sits down as the third at a table of others."""


def test_whom_anybody_at_the_table_has_blocked_gets_no_seat(attacked):
    host, victim, eve, other = (attacked.player(f"third_{name}") for name in ("host", "victim", "eve", "other"))
    table = host.table(places="3", access="all")
    victim.post(f"{table}/join")
    victim.post("/@/third_eve/block")
    refused = eve.post(f"{table}/join")
    assert "block" not in refused.text.partition("<main")[2], "who blocks them is nobody's business"
    assert "third_eve" not in host.get(table).text
    other.post(f"{table}/join")
    assert "third_other" in host.get(table).text
