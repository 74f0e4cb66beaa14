"""The rules of a ladder for people: what stewards call each of them, and set it by. `games.ladders.rules` has what they
do, their usual values and their bounds; a season's download replays it without a language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as pgettext

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Rule(NamedTuple):
    """A rule as stewards see it."""

    label: StrOrPromise
    help: StrOrPromise
    """What it does."""


EVERYDAY = _("Everyday")
"""The topic of the rules that most clubs set; the rest is folded."""
GROUPS: dict[StrOrPromise, dict[str, Rule]] = {
    EVERYDAY: {
        "sizes": Rule(
            pgettext("rule of a ladder", "Players at a table"),
            _("The tables of this ladder. Challenges offer only these."),
        ),
        "reach": Rule(
            pgettext("rule of a ladder", "Rungs upward, two players"),
            _("At tables of two, players can challenge anyone up to this many rungs above them."),
        ),
        "accept_days": Rule(
            pgettext("rule of a ladder", "Days to answer"),
            _("How long a challenged player has to answer. After that, they go down."),
        ),
        "finish_days": Rule(
            pgettext("rule of a ladder", "Days to finish"),
            _("How long an agreed game can take. After that, whoever is at fault gives way."),
        ),
        "at_table": Rule(
            pgettext("rule of a ladder", "Results from the real table count"),
            _("Players enter the results of games with real cards, and these count once all of them confirm them."),
        ),
        "season_weeks": Rule(
            pgettext("rule of a ladder", "Weeks in a season"),
            _("How long a season lasts. Changes apply from the next season."),
        ),
    },
    _("Who can challenge whom"): {
        "reach_a_seat": Rule(
            pgettext("rule of a ladder", "Rungs per seat, three and four players"),
            _(
                "At larger tables, this many rungs per seat. With 2, the first and last player at a table of three "
                "are at most 6 rungs apart."
            ),
        ),
        "placement": Rule(
            pgettext("rule of a ladder", "A first challenge reaches to the middle"),
            _("Only the first one, so that strong newcomers need not climb rung by rung."),
        ),
        "most_out": Rule(
            pgettext("rule of a ladder", "Open challenges made"),
            _("How many open challenges a player can have made, including games being played."),
        ),
        "most_in": Rule(
            pgettext("rule of a ladder", "Open challenges by others"),
            _("How many challenges by others a player can be in, including games being played."),
        ),
        "rest_days": Rule(
            pgettext("rule of a ladder", "Days until the same two meet again"),
            _("How long after a challenge the same two can meet again; 0 means right away."),
        ),
    },
    _("Terms"): {
        "drawn": Rule(
            pgettext("rule of a ladder", "The others are drawn at random"),
            _(
                "At a table of three or four, players challenge one, and the others are drawn at random, among all "
                "who could sit there. If off, the challenger chooses, perhaps friends."
            ),
        ),
        "clocks": Rule(
            pgettext("rule of a ladder", "Clocks"),
            _("Of these, challenges offer those by which a game can be over in time."),
        ),
        "usual_clock": Rule(
            pgettext("rule of a ladder", "Usual clock"),
            _("What a challenge proposes unless the challenger changes it."),
        ),
        "presets": Rule(
            pgettext("rule of a ladder", "Rules of the game"),
            _("Challenges offer only these; if you tick none, all."),
        ),
        "usual_preset": Rule(
            pgettext("rule of a ladder", "Usual rules of the game"),
            _("What a challenge proposes unless the challenger changes it."),
        ),
    },
    _("Answers and games"): {
        "forfeit": Rule(
            pgettext("rule of a ladder", "Rungs lost without playing"),
            _(
                "Whoever is challenged and doesn’t answer, or doesn’t come, goes down this many rungs, but never below "
                "the challenger. No one else goes down. To lose a game of two costs one rung."
            ),
        ),
        "cheap_refusals": Rule(
            pgettext("rule of a ladder", "Cheap refusals"),
            _("How often within 30 days refusing costs only one rung."),
        ),
        "decline_yields": Rule(
            pgettext("rule of a ladder", "Declining costs as much as not answering"),
            _("If no, declining a challenge costs nothing."),
        ),
    },
    _("Out of time"): {
        "time_costs_place": Rule(
            pgettext("rule of a ladder", "Losing on time costs the place"),
            _("If no, players who run out of time lose the game only, and the winner gets nothing."),
        ),
        "most_late": Rule(
            pgettext("rule of a ladder", "Times late"),
            _("Players who are late this often within 30 days are off the ladder until they say they’re back."),
        ),
    },
    _("Idle, and on vacation"): {
        "idle_days": Rule(
            pgettext("rule of a ladder", "Days idle until a player sinks"),
            _("Players who finish no game for this long sink by one rung, the leader too."),
        ),
        "sink_days": Rule(
            pgettext("rule of a ladder", "Days for each further rung"),
            _("One more rung for each further period of this many days."),
        ),
        "vacation_days": Rule(
            pgettext("rule of a ladder", "Vacation days a season"),
            _("Players on an announced vacation keep their place and can’t be challenged."),
        ),
    },
    _("Seasons"): {
        "season_follows": Rule(
            pgettext("rule of a ladder", "Seasons follow on automatically"),
            _("When a season’s time is up, the next one starts right away."),
        ),
        "soft_reset": Rule(
            pgettext("rule of a ladder", "Soft reset between seasons"),
            _(
                "A new season starts halfway between the old order and the order by rating. Whoever has played fewer "
                "than 5 games in the old season keeps their rung."
            ),
        ),
    },
    _("New members"): {
        "members_join": Rule(
            pgettext("rule of a ladder", "New members are put on the ladder"),
            _("New members are put on the ladder right away, at the bottom."),
        ),
        "stewards_add": Rule(
            pgettext("rule of a ladder", "Only stewards put members on it"),
            _("For a ladder of some members only. Others can’t join it by themselves."),
        ),
    },
}
"""By topic, each field of `Rules` in the order in which they are shown."""
PRESET_NAMES = {
    "friendly": Rule(_("Friendly"), _("Time for everything, and declining costs nothing.")),
    "normal": Rule(_("Normal"), _("Whoever doesn’t play goes down slowly.")),
    "strict": Rule(_("Strict"), _("Short deadlines, and whoever doesn’t play goes down fast.")),
}
"""The presets of `games.ladders.rules.PRESETS`."""
RULES = {name: rule for rules in GROUPS.values() for name, rule in rules.items()}
