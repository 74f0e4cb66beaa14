"""What people are told of their decks, in words."""

from django.utils.translation import gettext_lazy as _

from accounts.notices.notices import NoticeKind, Topic

TOPICS = {"deck": Topic(_("Decisions of yours that come back"), "i-cards")}
KINDS = {
    "deck": NoticeKind(
        "deck",
        _("Something of yours is back: what would you do now?"),
        "",
        stands=True,
        mailed=False,
    ),
}
