"""What people are told of tournaments, in words."""

from django.utils.translation import gettext_lazy as _

from accounts.notices.notices import NoticeKind, Topic

TOPICS: dict[str, Topic] = {}
KINDS = {
    "evening": NoticeKind(
        "club", _("“%(event)s” of the club %(club)s is open: say that you’re there."), "", mailed=False
    ),
    "tournament": NoticeKind("club", _("“%(event)s” of the club %(club)s is open: enter now."), "", mailed=False),
    "event-invited": NoticeKind(
        "club",
        _("%(name)s asks whether you take part in “%(event)s”."),
        "",
        mailed=False,
        first="event",
        bare=_("%(name)s asks whether you take part in an event of their club."),
    ),
    "ticked": NoticeKind("club", _("A steward has noted that you’re at “%(event)s”."), "", mailed=False),
    "unticked": NoticeKind("club", _("A steward has taken you out of “%(event)s”."), "", mailed=False),
    "round": NoticeKind(
        "table",
        _("Round %(number)s of %(event)s has begun, and your table is open."),
        _("A round of your club has begun, and your table is open."),
        urgent=True,
        calls=True,
    ),
    "arena-table": NoticeKind(
        "table",
        _("Your next game in %(event)s has begun: your table is open."),
        _("Your next game in an arena of your club has begun."),
        urgent=True,
        calls=True,
    ),
    "games": NoticeKind(
        "table",
        _("Your games of %(event)s have begun, and have a deadline."),
        _("Your games of a tournament have begun."),
        urgent=True,
    ),
    "games-soon": NoticeKind(
        "deadline",
        _("Your games of %(event)s must be over by %(until)s, or the clocks decide."),
        _("Games of yours in a tournament must be over by %(until)s, or the clocks decide."),
        stands=True,
        reminds=True,
        urgent=True,
    ),
    "forfeit": NoticeKind(
        "table",
        _("A game of yours in %(event)s was not over in time, and has been decided."),
        _("A game of yours in a tournament was not over in time, and has been decided."),
    ),
    "round-waits": NoticeKind(
        "club",
        _("A round of “%(event)s” couldn’t begin on time. The site keeps trying; you can also begin it yourself."),
        "",
        mailed=False,
    ),
    "gone-by-clock": NoticeKind(
        "club",
        _("A round of “%(event)s” was due while you were playing elsewhere, so you’ve been marked as gone."),
        "",
        mailed=False,
    ),
    "result-typed": NoticeKind(
        "table",
        _("%(name)s entered your result in %(event)s: confirm it."),
        _("A result of yours waits to be confirmed."),
    ),
    "tournament-over": NoticeKind(
        "table",
        _("%(event)s is over: look at the final standings."),
        _("A tournament in which you played is over."),
    ),
    "deal-over": NoticeKind(
        "table",
        _("%(event)s is over: look at the standings, and soon at where its tables differed most."),
        _("An event in which you played is over."),
    ),
}
