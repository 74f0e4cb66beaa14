"""Names that were given before today's rules for names, or before today's Unicode data."""

from collections.abc import Callable, Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand

from accounts.clubs.clubs import wrong_slug
from accounts.models import Club, User
from accounts.text.names import skeleton, skeleton_of_club, validate, validate_club


class Command(BaseCommand):
    help = "List the names of people, and names and addresses of clubs, that could not be chosen now. They are kept."

    def handle(self, **_: Any) -> None:
        people = User.objects.filter(guest=False, closed=False).order_by("pk").values_list("username", flat=True)
        clubs = Club.objects.order_by("pk")
        public, private = (clubs.filter(private=each).values_list("name", flat=True) for each in (False, True))
        found = [
            *wrong(people.iterator(), validate, skeleton),
            *wrong(public.iterator(), validate_club, skeleton_of_club),
            # They are compared with by nobody.
            *wrong(private.iterator(), validate_club, str),
            *((f"/c/{slug}", why) for slug in clubs.values_list("slug", flat=True) if (why := wrong_slug(slug))),
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
