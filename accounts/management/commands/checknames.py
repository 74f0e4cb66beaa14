"""Names that were given before today's rules for names, or before today's Unicode data."""

from collections.abc import Callable, Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand

from accounts.models import Club, User
from accounts.names import skeleton, skeleton_of_club, validate, validate_club


class Command(BaseCommand):
    help = "List the names of people and public clubs that could not be chosen now, and why. They are kept."

    def handle(self, **_: Any) -> None:
        people = User.objects.filter(guest=False, closed=False).order_by("pk").values_list("username", flat=True)
        clubs = Club.objects.filter(private=False).order_by("pk").values_list("name", flat=True)
        found = [
            *wrong(people.iterator(), validate, skeleton),
            *wrong(clubs.iterator(), validate_club, skeleton_of_club),
        ]
        for name, why in found:
            self.stdout.write(f"{name}: {why}")
        self.stdout.write(f"{len(found)} names could not be chosen now")


def wrong(
    names: Iterator[str], validate: Callable[[str], None], skeleton: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """The names that could not be chosen, the oldest first, each with why not."""
    known: dict[str, str] = {}
    for name in names:
        try:
            validate(name)
        except ValidationError as fault:
            yield name, " ".join(fault.messages)
        like = known.setdefault(skeleton(name), name)
        if like != name:
            yield name, f"looks like {like}"
