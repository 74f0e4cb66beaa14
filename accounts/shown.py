"""A person as everybody may see them: on a page, at a table, in a list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString

from accounts.models import User, shown_name
from accounts.people.avatar import avatar


class PlayerShown(NamedTuple):
    """Somebody, or a bot."""

    name: str
    username: str = ""
    """For the link to the profile; empty for bots and guests, who have none."""
    avatar: str = ""
    """As `accounts.people.avatar` reads it."""
    rating: str = ""
    """Beside the name, such as `1588` or `1500?`; empty if there is none."""
    bot: str = ""
    """The name that the game has for a bot; empty for people."""

    @classmethod
    def of(cls, user: User, rating: str = "") -> PlayerShown:
        """A person under their present name."""
        return cls(user.shown_name, "" if user.guest else user.username, user.avatar, rating)

    @property
    def square(self) -> SafeString:
        """Their avatar as HTML. The name must stand beside it."""
        return avatar(self.name, self.avatar)

    @property
    def address(self) -> str:
        """The profile; empty if there is none."""
        return reverse("profile", args=[self.username]) if self.username else ""


def people_shown(users: Iterable[int]) -> dict[int, PlayerShown]:
    """People by id; one query."""
    rows = User.objects.filter(pk__in=users).values_list("pk", "username", "guest_name", "avatar", "guest")
    return {
        pk: PlayerShown(shown_name(name, own), "" if guest else name, avatar) for pk, name, own, avatar, guest in rows
    }
