"""What people are told of tournaments, in words."""

from django.utils.translation import gettext_lazy as _

from accounts.notices.book import NoticeKind, Topic

TOPICS: dict[str, Topic] = {}
KINDS = {
    "evening": NoticeKind(
        "club", _("“%(event)s” of the club %(club)s is open: say that you’re there."), "", mailed=False
    ),
    "round": NoticeKind(
        "table",
        _("Round %(number)s of %(event)s has begun, and your table is open."),
        _("A round of your club has begun, and your table is open."),
    ),
}
