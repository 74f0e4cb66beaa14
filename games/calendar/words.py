"""What people are told of the events of their clubs, in words."""

from django.utils.translation import gettext_lazy as _

from accounts.notices.notices import NoticeKind, Topic

TOPICS = {"date": Topic(_("Calendars of your clubs"), "i-clock")}
KINDS = {
    "calendar-set": NoticeKind(
        "date", _("%(club)s meets on %(until)s: %(title)s. Will you come?"), _("A club of yours meets on %(until)s.")
    ),
    "calendar-weekly": NoticeKind(
        "date",
        _("%(club)s meets every week, first on %(until)s: %(title)s. Will you come?"),
        _("A club of yours meets every week, first on %(until)s."),
    ),
    "calendar-changed": NoticeKind(
        "date",
        _("The calendar of %(club)s has changed: %(title)s is now on %(until)s."),
        _("The calendar of a club of yours has changed: an event is now on %(until)s."),
        stands=True,
    ),
    "calendar-cancelled": NoticeKind(
        "date",
        _("“%(title)s” of %(club)s on %(until)s was cancelled."),
        _("An event of a club of yours on %(until)s was cancelled."),
    ),
    "calendar-ended": NoticeKind(
        "date",
        _("“%(title)s” of %(club)s was cancelled from %(until)s on."),
        _("A weekly event of a club of yours was cancelled from %(until)s on."),
    ),
    "calendar-soon": NoticeKind(
        "date",
        _("Soon in %(club)s: %(title)s, on %(until)s."),
        _("Soon in a club of yours: an event on %(until)s."),
        stands=True,
        reminds=True,
    ),
    "calendar-opened": NoticeKind(
        "date",
        _("“%(title)s” of %(club)s begins on %(until)s: enter now."),
        _("A tournament of a club of yours begins on %(until)s: enter now."),
    ),
    "calendar-not-opened": NoticeKind(
        "date",
        _("“%(title)s” of %(club)s could not be opened for %(until)s. Open it yourself, and you’ll read why."),
        _("An event of a club of yours could not be opened for %(until)s."),
    ),
}
