"""What members are told of the dates of their clubs, in words."""

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.notices.notices import NoticeKind, Topic
from accounts.web import datetimes
from games.calendar.models import CalendarEvent
from games.faces.paint import said

TOPICS = {"date": Topic(_("Dates of your clubs"), "i-clock")}
KINDS = {
    "date-set": NoticeKind(
        "date", _("%(club)s meets on %(until)s: %(title)s. Will you come?"), _("A club of yours meets on %(until)s.")
    ),
    "date-changed": NoticeKind(
        "date",
        _("A date of %(club)s was changed. It’s now on %(until)s: %(title)s."),
        _("A date of a club of yours was changed. It’s now on %(until)s."),
        stands=True,
    ),
    "date-cancelled": NoticeKind(
        "date",
        _("%(club)s doesn’t meet on %(until)s: “%(title)s” was cancelled."),
        _("A club of yours doesn’t meet on %(until)s."),
    ),
    "date-soon": NoticeKind(
        "date",
        _("%(club)s meets on %(until)s: %(title)s."),
        _("A club of yours meets on %(until)s."),
        stands=True,
        reminds=True,
    ),
}


def conditions(event: CalendarEvent) -> list[str]:
    """Who can take part in what an event opens, and until when, each as HTML; empty if anybody can."""
    told = []
    if event.entry_until:
        told.append(said(gettext("enter until %(time)s"), time=datetimes.moment(event.entry_until)))
    if event.most is not None:
        told.append(ngettext("at most %(n)d person", "at most %(n)d people", event.most) % {"n": event.most})
    least, most = event.least_rating, event.most_rating
    if least is not None and most is not None:
        told.append(gettext("rated %(least)d to %(most)d") % {"least": least, "most": most})
    elif least is not None:
        told.append(gettext("rated at least %(least)d") % {"least": least})
    elif most is not None:
        told.append(gettext("rated at most %(most)d") % {"most": most})
    if many := event.least_games:
        told.append(ngettext("at least %(n)d rated game", "at least %(n)d rated games", many) % {"n": many})
    return told
