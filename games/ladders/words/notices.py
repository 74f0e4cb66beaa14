"""What people are told of their ladders, in words."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.notices.notices import NoticeKind, Topic

TOPICS = {
    "challenge": Topic(_("Someone challenges you"), "i-swords"),
    "answer": Topic(_("Your challenge is answered"), "i-chat"),
    "deadline": Topic(_("A deadline or an agreed time is near"), "i-clock"),
    "table": Topic(_("Your table is open"), "i-table"),
    "result": Topic(_("A game moves you on a ladder"), "i-laurel"),
    "at-table": Topic(_("A result from the real table is entered or answered"), "i-check"),
    "season": Topic(_("A season begins or ends, or a steward changes the ladder"), "i-flag"),
}
KINDS = {
    "challenged": NoticeKind(
        "challenge",
        _("%(name)s challenges you on the ladder of %(club)s."),
        _("Someone challenges you on a ladder."),
        urgent=True,
    ),
    "asked": NoticeKind(
        "challenge",
        _("%(name)s asks you to a table on the ladder of %(club)s. To decline costs you nothing."),
        _("Someone asks you to a table on a ladder. To decline costs you nothing."),
    ),
    "company": NoticeKind(
        "answer",
        _("Your table on the ladder of %(club)s has new players: you now play %(names)s."),
        _("Your table on a ladder has new players."),
    ),
    "alone": NoticeKind(
        "answer",
        _("Not enough players wanted to join your table on the ladder of %(club)s. No one moved."),
        _("Not enough players wanted to join your table on a ladder. No one moved."),
    ),
    "countered": NoticeKind(
        "challenge",
        _("%(name)s proposes other terms for your game on the ladder of %(club)s."),
        _("Someone proposes other terms for your game on a ladder."),
        urgent=True,
    ),
    "accepted": NoticeKind(
        "answer",
        _("%(name)s has accepted the challenge on the ladder of %(club)s."),
        _("A challenge of yours on a ladder has been accepted."),
        urgent=True,
    ),
    "declined": NoticeKind(
        "answer",
        _("%(name)s has declined the challenge on the ladder of %(club)s."),
        _("A challenge of yours on a ladder has been declined."),
    ),
    "withdrawn": NoticeKind(
        "answer",
        _("%(name)s has withdrawn the challenge on the ladder of %(club)s."),
        _("A challenge on a ladder has been withdrawn."),
    ),
    "left": NoticeKind(
        "answer",
        _("%(name)s has left the ladder of %(club)s. Your open challenge or game no longer counts."),
        _("Someone has left a ladder. Your open challenge or game there no longer counts."),
    ),
    "left-table": NoticeKind(
        "answer",
        _("%(name)s has left the ladder of %(club)s. Your game with them still counts for everyone else in it."),
        _("Someone has left a ladder. Your game with them there still counts for everyone else in it."),
    ),
    "unanswered": NoticeKind(
        "answer",
        _("%(name)s didn’t answer the challenge on the ladder of %(club)s in time."),
        _("A challenge of yours on a ladder wasn’t answered in time."),
    ),
    "missed": NoticeKind(
        "answer",
        _("You didn’t answer %(name)s on the ladder of %(club)s in time."),
        _("You didn’t answer a challenge on a ladder in time."),
    ),
    "lapsed": NoticeKind(
        "answer",
        _("%(name)s didn’t answer other terms on the ladder of %(club)s in time. Their challenge counts as withdrawn."),
        _("Other terms on a ladder weren’t answered in time. The challenge counts as withdrawn."),
    ),
    "answer-soon": NoticeKind(
        "deadline",
        _("Answer %(name)s on the ladder of %(club)s by %(until)s."),
        _("Answer a challenge on a ladder by %(until)s."),
        stands=True,
        reminds=True,
        urgent=True,
    ),
    "starts-soon": NoticeKind(
        "deadline",
        _("Your game with %(names)s on the ladder of %(club)s begins at the agreed time: %(until)s."),
        _("Your game on a ladder begins at the agreed time: %(until)s."),
        stands=True,
        reminds=True,
        urgent=True,
    ),
    "finish-soon": NoticeKind(
        "deadline",
        _("Finish the game with %(names)s on the ladder of %(club)s by %(until)s."),
        _("Finish a game on a ladder by %(until)s."),
        stands=True,
        reminds=True,
        urgent=True,
    ),
    "sinks-soon": NoticeKind(
        "deadline",
        _("You haven’t played for a while. Finish a game on the ladder of %(club)s by %(until)s, or you sink a rung."),
        _("Finish a game on a ladder by %(until)s, or you sink a rung."),
        stands=True,
        reminds=True,
        urgent=True,
    ),
    "table": NoticeKind(
        "table",
        _("Your table with %(names)s is open, for a game on the ladder of %(club)s."),
        _("Your table for a game on a ladder is open."),
        stands=True,
        urgent=True,
    ),
    "unfinished": NoticeKind(
        "table",
        _("The game with %(names)s wasn’t over in time. On the ladder of %(club)s that wasn’t your fault."),
        _("A game of yours on a ladder wasn’t over in time. That wasn’t your fault."),
    ),
    "overdue": NoticeKind(
        "table",
        _("The game with %(names)s wasn’t over in time. On the ladder of %(club)s that was your fault."),
        _("A game of yours on a ladder wasn’t over in time. That was your fault."),
    ),
    "result": NoticeKind(
        "result",
        _("You’ve moved from rung %(before)s to rung %(position)s on the ladder of %(club)s."),
        _("You’re now on rung %(position)s of a ladder."),
        stands=True,
        first="before",
        bare=_("You’re now on rung %(position)s on the ladder of %(club)s."),
    ),
    "entered": NoticeKind(
        "at-table",
        _("%(name)s has entered a result from the real table in %(club)s. Confirm or dispute it by %(until)s."),
        _("Someone has entered a result of yours from the real table. Confirm or dispute it by %(until)s."),
    ),
    "confirm-soon": NoticeKind(
        "deadline",
        _("Confirm or dispute a result from the real table in %(club)s by %(until)s, or it doesn’t count."),
        _("Confirm or dispute a result from the real table by %(until)s, or it doesn’t count."),
        stands=True,
        reminds=True,
        urgent=True,
    ),
    "disputed": NoticeKind(
        "at-table",
        _("%(name)s disputes a result from the real table in %(club)s: %(reason)s"),
        _("Someone disputes a result of yours from the real table. A steward decides."),
    ),
    "decide": NoticeKind(
        "at-table",
        _("%(name)s disputes a result from the real table in %(club)s: %(reason)s A steward decides by %(until)s."),
        _("A result from the real table is disputed in your club. A steward decides by %(until)s."),
    ),
    "ask-steward": NoticeKind(
        "at-table",
        _("%(name)s asks a steward to decide about a result from the real table in %(club)s by %(until)s: %(reason)s"),
        _("A steward is asked to decide about a result from the real table in your club by %(until)s."),
    ),
    "decide-soon": NoticeKind(
        "deadline",
        _("Decide about a result from the real table in %(club)s by %(until)s, or it doesn’t count."),
        _("Decide about a result from the real table by %(until)s, or it doesn’t count."),
        stands=True,
        reminds=True,
        urgent=True,
    ),
    "table-counted": NoticeKind(
        "at-table",
        _("Your result from the real table counts in %(club)s. You stay on your rung."),
        _("Your result from the real table counts. You stay on your rung."),
    ),
    "table-rejected": NoticeKind(
        "at-table",
        _("A steward has rejected a result from the real table in %(club)s. The reason: %(reason)s"),
        _("A steward has rejected a result of yours from the real table. The page says why."),
    ),
    "table-withdrawn": NoticeKind(
        "at-table",
        _("%(name)s has withdrawn a result from the real table in %(club)s."),
        _("A result of yours from the real table was withdrawn."),
    ),
    "table-lapsed": NoticeKind(
        "at-table",
        _("A result from the real table in %(club)s wasn’t confirmed in time. It doesn’t count."),
        _("A result of yours from the real table wasn’t confirmed in time. It doesn’t count."),
    ),
    "off": NoticeKind(
        "result",
        _("You’re off the ladder of %(club)s until you say you’re back."),
        _("You’re off a ladder until you say you’re back."),
        stands=True,
    ),
    "sunk": NoticeKind(
        "result",
        _("You haven’t played for a while and are now on rung %(position)s on the ladder of %(club)s."),
        _("You haven’t played on a ladder for a while and are now on rung %(position)s of it."),
        stands=True,
    ),
    "season-begun": NoticeKind(
        "season",
        _("Season %(number)s has begun on the ladder of %(club)s."),
        _("Season %(number)s has begun on a ladder of yours."),
    ),
    "season-moved": NoticeKind(
        "season",
        _("Season %(number)s on the ladder of %(club)s now lasts until %(day)s."),
        _("Season %(number)s on a ladder of yours now ends on another day."),
        stands=True,
    ),
    "paused": NoticeKind(
        "season",
        _("The ladder of %(club)s is paused until %(day)s. No deadline passes, and no one sinks."),
        _("A ladder of yours is paused. No deadline passes, and no one sinks."),
        stands=True,
    ),
    "resumed": NoticeKind(
        "season",
        _("The pause of the ladder of %(club)s is over."),
        _("The pause of a ladder of yours is over."),
        stands=True,
    ),
    "ladder-closed": NoticeKind(
        "season",
        _("The ladder of %(club)s has been closed for good. What was open on it no longer counts."),
        _("A ladder of yours has been closed for good. What was open on it no longer counts."),
        stands=True,
    ),
    "season-ended": NoticeKind(
        "season",
        _("Season %(number)s of %(club)s is over. You finished on rung %(position)s."),
        _("Season %(number)s of a ladder is over. You finished on rung %(position)s."),
    ),
    "award-climb": NoticeKind(
        "season",
        ngettext_lazy(
            "You had the best climb of season %(number)s in %(club)s: %(value)s rung.",
            "You had the best climb of season %(number)s in %(club)s: %(value)s rungs.",
            "value",
        ),
        _("You had the best climb of season %(number)s on a ladder."),
    ),
    "award-run": NoticeKind(
        "season",
        ngettext_lazy(
            "You had the longest run of season %(number)s in %(club)s: %(value)s win in a row.",
            "You had the longest run of season %(number)s in %(club)s: %(value)s wins in a row.",
            "value",
        ),
        _("You had the longest run of season %(number)s on a ladder."),
    ),
    "award-faithful": NoticeKind(
        "season",
        ngettext_lazy(
            "You were the most faithful player of season %(number)s in %(club)s: %(value)s game.",
            "You were the most faithful player of season %(number)s in %(club)s: %(value)s games.",
            "value",
        ),
        _("You were the most faithful player of season %(number)s on a ladder."),
    ),
    "award-giant": NoticeKind(
        "season",
        ngettext_lazy(
            "You were the giant-killer of season %(number)s in %(club)s: you beat a player %(value)s rung above you.",
            "You were the giant-killer of season %(number)s in %(club)s: you beat a player %(value)s rungs above you.",
            "value",
        ),
        _("You were the giant-killer of season %(number)s on a ladder."),
    ),
    "added": NoticeKind(
        "season",
        _("A steward has put you on the ladder of %(club)s. You’re now on rung %(position)s."),
        _("A steward has put you on the ladder of a club. You’re now on rung %(position)s."),
        stands=True,
    ),
    "corrected": NoticeKind(
        "season",
        _("A steward has put you on rung %(position)s on the ladder of %(club)s. The reason: %(reason)s"),
        _("A steward has put you on rung %(position)s of a ladder. The page says why."),
    ),
    "reordered": NoticeKind(
        "season",
        _("A steward has reordered the ladder of %(club)s. You’re now on rung %(position)s. The reason: %(reason)s"),
        _("A steward has reordered a ladder. You’re now on rung %(position)s of it. The page says why."),
    ),
    "undone": NoticeKind(
        "season",
        _("A steward has undone something that moved you on the ladder of %(club)s. The reason: %(reason)s"),
        _("A steward has undone something that moved you on a ladder. The page says why."),
    ),
}
