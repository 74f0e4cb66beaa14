"""What pages say of an event of the calendar, wherever they show it."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.web import datetimes
from games.calendar.models import CalendarEvent
from games.faces.paint import said


def conditions(event: CalendarEvent) -> list[str]:
    """Who can take part in what an event opens, and until when, each as HTML; empty if anybody can."""
    told = list[str]()
    if event.entry_until:
        told.append(said(_("enter until %(time)s"), time=datetimes.moment(event.entry_until)))
    if event.most is not None:
        told.append(ngettext("at most %(n)d person", "at most %(n)d people", event.most) % {"n": event.most})
    least, most = event.least_rating, event.most_rating
    if least is not None and most is not None:
        told.append(_("rated %(least)d to %(most)d") % {"least": least, "most": most})
    elif least is not None:
        told.append(_("rated at least %(least)d") % {"least": least})
    elif most is not None:
        told.append(_("rated at most %(most)d") % {"most": most})
    if many := event.least_games:
        told.append(ngettext("at least %(n)d rated game", "at least %(n)d rated games", many) % {"n": many})
    return told
