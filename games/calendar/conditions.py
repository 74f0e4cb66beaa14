"""Who may take part in an event by themselves: what its steward asks of ratings and games."""

from __future__ import annotations

from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Rating, User
from accounts.web.refused import Refused
from games.calendar.models import CalendarEvent
from games.engine.registry import title


def check(event: CalendarEvent, person: User) -> None:
    """Raises Refused for whose rating or number of rated games is not what an event asks for.

    The rating is that of the game at tables of this size, as pages show it, provisional or not. Who has none can take
    part where only the highest is limited.
    """
    if not event.opens or (event.least_rating, event.most_rating, event.least_games) == (None, None, None):
        return
    rows = Rating.objects.filter(user=person, game=event.opens["game"])
    pool = title(event.opens["game"]).pool(event.opens["seats"])
    row = rows.filter(pool=pool, games__gt=0).first()
    rating = None if row is None else round(row.value)
    if event.least_rating is not None and (rating is None or rating < event.least_rating):
        raise Refused(_("This is for ratings of %(rating)d or more.") % {"rating": event.least_rating})
    if event.most_rating is not None and rating is not None and rating > event.most_rating:
        raise Refused(_("This is for ratings of %(rating)d or less.") % {"rating": event.most_rating})
    least = event.least_games or 0
    if (rows.aggregate(played=Sum("games"))["played"] or 0) < least:
        text = ngettext(
            "This is for people who have played at least %(n)d rated game.",
            "This is for people who have played at least %(n)d rated games.",
            least,
        )
        raise Refused(text % {"n": least})
