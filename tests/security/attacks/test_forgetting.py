"""Limits are counted in a memory of some size: who fills it makes them forget."""

from tests.security.attacks.outside import Visitor


def joins(visitor):
    return visitor.post("/guest").status == 200


def test_a_limit_is_remembered_however_much_else_is_counted(shared):
    site = shared(BIBLIOS_NEWCOMERS="2")
    ann = site.visitor()
    assert [joins(ann.beside()) for _ in range(3)] == [True] * 2 + [False]
    for number in range(160):
        Visitor(site, f"127.2.{number // 250}.{number % 250 + 1}", {}).get("/clubs?q=anything")
    assert not joins(ann.beside())
