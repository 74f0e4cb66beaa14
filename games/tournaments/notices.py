"""What people are told of tournaments, in words."""

from django.utils.translation import gettext_lazy as _

from accounts.notices.book import NoticeKind, Topic

TOPICS: dict[str, Topic] = {}
KINDS = {
    "round": NoticeKind(
        "table",
        _("Round %(number)s of %(event)s has begun, and your table is open."),
        _("A round of your club has begun, and your table is open."),
    ),
}
