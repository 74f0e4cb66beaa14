"""What people are told of their ladders, in words."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.notices.book import NoticeKind, Topic

TOPICS = {
    "challenge": Topic(_("Somebody challenges you"), "i-swords"),
    "answer": Topic(_("Your challenge is answered"), "i-chat"),
    "deadline": Topic(_("A deadline is near"), "i-clock"),
    "table": Topic(_("A table of yours is open"), "i-table"),
    "result": Topic(_("A game moves you on a ladder"), "i-laurel"),
    "season": Topic(_("A season begins or ends, or a steward changes the ladder"), "i-flag"),
}
KINDS = {
    "challenged": NoticeKind("challenge", _("%(name)s challenges you on the ladder of %(club)s.")),
    "countered": NoticeKind("challenge", _("%(name)s proposes other terms for your game on the ladder of %(club)s.")),
    "accepted": NoticeKind("answer", _("%(name)s has accepted the challenge on the ladder of %(club)s.")),
    "declined": NoticeKind("answer", _("%(name)s has declined the challenge on the ladder of %(club)s.")),
    "withdrawn": NoticeKind("answer", _("%(name)s has withdrawn the challenge on the ladder of %(club)s.")),
    "left": NoticeKind(
        "answer", _("%(name)s has left the ladder of %(club)s. Your open challenge or game no longer counts.")
    ),
    "unanswered": NoticeKind("answer", _("%(name)s did not answer the challenge on the ladder of %(club)s in time.")),
    "missed": NoticeKind("answer", _("You did not answer %(name)s on the ladder of %(club)s in time.")),
    "answer-soon": NoticeKind(
        "deadline",
        ngettext_lazy(
            "%(hours)d hour is left to answer %(name)s on the ladder of %(club)s.",
            "%(hours)d hours are left to answer %(name)s on the ladder of %(club)s.",
            "hours",
        ),
        stands=True,
    ),
    "finish-soon": NoticeKind(
        "deadline",
        ngettext_lazy(
            "%(hours)d hour is left to finish the game with %(name)s on the ladder of %(club)s.",
            "%(hours)d hours are left to finish the game with %(name)s on the ladder of %(club)s.",
            "hours",
        ),
        stands=True,
    ),
    "table": NoticeKind(
        "table", _("Your table with %(names)s is open: a game on the ladder of %(club)s."), stands=True
    ),
    "unfinished": NoticeKind(
        "table", _("The game with %(names)s did not end in time. It does not count on the ladder of %(club)s.")
    ),
    "result": NoticeKind(
        "result",
        _("You have moved from rung %(before)s to rung %(position)s on the ladder of %(club)s."),
        stands=True,
        first="before",
        bare=_("You are now on rung %(position)s on the ladder of %(club)s."),
    ),
    "off": NoticeKind("result", _("You are off the ladder of %(club)s until you say that you are back."), stands=True),
    "sunk": NoticeKind(
        "result",
        _("You have not played for a while and are now on rung %(position)s on the ladder of %(club)s."),
        stands=True,
    ),
    "season-begun": NoticeKind("season", _("Season %(number)s has begun on the ladder of %(club)s.")),
    "season-ended": NoticeKind(
        "season", _("Season %(number)s of %(club)s is over. You finished on rung %(position)s.")
    ),
    "added": NoticeKind(
        "season",
        _("A steward has put you on the ladder of %(club)s. You are now on rung %(position)s."),
        stands=True,
    ),
    "corrected": NoticeKind(
        "season", _("A steward has put you on rung %(position)s on the ladder of %(club)s. The reason: %(reason)s")
    ),
    "undone": NoticeKind(
        "season", _("A steward has undone something that moved you on the ladder of %(club)s. The reason: %(reason)s")
    ),
}
