"""Who wants nothing to do with whom."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q

from accounts.models import Block, Follow, User


def apart(one: User, other: User) -> bool:
    """Whether one of the two blocks the other."""
    return Block.objects.filter(Q(user=one, blocked=other) | Q(user=other, blocked=one)).exists()


def away_from(user: User, people: Iterable[int]) -> set[int]:
    """Those of these people, by id, who block the user or are blocked."""
    people = list(people)
    rows = Block.objects.filter(Q(user=user, blocked__in=people) | Q(user__in=people, blocked=user))
    return {pk for pair in rows.values_list("user", "blocked") for pk in pair} - {user.pk}


@transaction.atomic
def toggle(user: User, person: User) -> bool:
    """Let `user` block `person`, or no longer. Returns whether they block them now. Nobody follows whom they block."""
    if Block.objects.filter(user=user, blocked=person).delete()[0]:
        return False
    Block.objects.get_or_create(user=user, blocked=person)
    Follow.objects.filter(Q(user=user, followed=person) | Q(user=person, followed=user)).delete()
    return True
