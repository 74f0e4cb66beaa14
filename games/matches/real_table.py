"""The rules of results of games with real cards, one for ladders and for events: who enters them, confirms, disputes,
withdraws and decides. Pure: each raises Refused, or does nothing. What counts when, each of the two says itself."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from accounts.web.refused import Refused

CONFIRM_HOURS = 48
"""How long the other players can confirm or dispute a result."""


def check_enters(*, plays: bool, steward: bool) -> None:
    """Who can enter a result."""
    if not (plays or steward):
        raise Refused(_("Only the players of this table, or a steward, can enter its result."))


def check_points(places: Sequence[int], points: Sequence[int | None]) -> None:
    """Points are for everyone or for no one (none, or all None), and agree with the places."""
    told = [one for one in points if one is not None]
    if not told:
        return
    if len(told) != len(places):
        raise Refused(_("Enter the points of everyone, or of no one."))
    both = list(zip(places, told, strict=True))
    if any(place < other and scored < more for place, scored in both for other, more in both):
        raise Refused(_("Someone has more points than a player with a better place."))


def check_answers(*, plays: bool) -> None:
    """Who can confirm or dispute a result."""
    if not plays:
        raise Refused(_("Only the players of this table can do that."))


def check_confirms(*, entered: bool, disputed: bool) -> None:
    """`entered`: whether they have entered it themselves."""
    if disputed:
        raise Refused(_("This result is disputed. A steward decides."))
    if entered:
        raise Refused(_("You’ve entered this result yourself. Another player must confirm it."))


def check_disputes(word: str, *, entered: bool, disputed: bool) -> None:
    """`word`: what they say is wrong; `entered`: whether they have entered it themselves."""
    if entered:
        raise Refused(_("You’ve entered this result yourself. Withdraw it if it’s wrong."))
    if disputed:
        raise Refused(_("This result is already disputed. A steward decides."))
    if not word.strip():
        raise Refused(_("Please say what’s wrong."))


def check_withdraws(*, entered: bool) -> None:
    """Who can take a result back."""
    if not entered:
        raise Refused(_("Only whoever entered a result can withdraw it."))


def check_decides(*, plays: bool) -> None:
    """Which steward can decide about a result."""
    if plays:
        raise Refused(_("You played in this game yourself. Another steward must decide."))
