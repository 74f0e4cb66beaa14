import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError

from accounts.people import arrivals, sessions
from tests.people import person
from tests.sockets import session_of


@pytest.mark.django_db(transaction=True)
async def test_who_comes_at_the_same_time_is_looked_up_together(monkeypatch):
    ann, bob = [await sync_to_async(person)(name) for name in ("ann", "bob")]
    keys = [await sync_to_async(session_of)(user) for user in (ann, bob, ann)]
    ended = await sync_to_async(session_of)(bob)
    await sync_to_async(sessions.end)(bob, but=keys[1])
    asked, look = [], sessions.visitors
    monkeypatch.setattr(sessions, "visitors", lambda keys: asked.append(keys) or look(keys))
    odd = [None, "", "nobody", "no'; --", "a\0b", ended]
    found = await asyncio.gather(*map(arrivals.visitor, [*keys, *odd]))
    assert found[:3] == [ann, bob, ann]
    assert all(isinstance(user, AnonymousUser) for user in found[3:])
    assert asked == [[*keys, *odd]]


async def test_a_fault_of_the_database_reaches_everybody_who_waits(monkeypatch):
    def away(keys):
        raise DatabaseError

    monkeypatch.setattr(sessions, "visitors", away)
    found = await asyncio.gather(*map(arrivals.visitor, "abc"), return_exceptions=True)
    assert [type(fault) for fault in found] == [DatabaseError] * 3
    monkeypatch.setattr(sessions, "visitors", lambda keys: keys)
    assert await arrivals.visitor("a") == "a"
