"""What profiles tell of the hand of the day."""

from django import template
from django.utils import timezone

from accounts.models import User
from games.hands import page
from games.hands.streaks import Streak

register = template.Library()


@register.simple_tag
def streak(person: User) -> Streak:
    """A person's streaks."""
    return page.streak_of(person, timezone.now())
