"""What pages that know no decks tell of one's own."""

from django import template

from accounts.web.requests import Visitor
from games.deck import deck
from games.matches.models import Match

register = template.Library()


@register.simple_tag
def coming_back_of(user: Visitor, match: Match) -> int:
    """How many decisions of a match come back to somebody who played in it."""
    return deck.waiting_of(user, match)


@register.simple_tag
def deck_is_on(user: Visitor) -> bool:
    """Whether somebody's decisions come back."""
    return deck.is_on(user)
