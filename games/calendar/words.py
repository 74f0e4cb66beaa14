"""What members are told of the dates of their clubs, in words."""

from django.utils.translation import gettext_lazy as _

from accounts.notices.notices import NoticeKind, Topic

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
