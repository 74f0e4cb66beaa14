"""What people are told of the hand of the day, in words. Only those who asked for it are told."""

from django.utils.translation import gettext_lazy as _

from accounts.notices.notices import NoticeKind, Topic

TOPICS = {"hand": Topic(_("The hand of the day, if you asked for it"), "i-sun")}
KINDS = {
    "hand": NoticeKind(
        "hand",
        _("A hand of the day is final: %(game)s, place %(position)d of %(number)d."),
        "",
        mailed=False,
    ),
}
