"""The reasons why somebody cannot be challenged, in words: short ones for a row of the ladder, and full sentences."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.web import datetimes
from games.ladders import rules as ladder
from games.ladders.challenging import ChallengeRefusal, Situation
from games.ladders.rules import DAY_MS
from games.ladders.words.rules import days
from games.matches.clocks import instant


def on_row(why: ChallengeRefusal, situation: Situation, me: int, other: int, seats: int = 2) -> str:
    """Why `me` cannot challenge `other`, beside the name of the other."""
    standing, rules = situation.standing, situation.standing.rules
    match why:
        case ChallengeRefusal.YOURSELF:
            return _("That’s you.")
        case ChallengeRefusal.OUTSIDER:
            return _("You aren’t on the ladder.")
        case ChallengeRefusal.NOT_ON_LADDER:
            return _("Not on the ladder.")
        case ChallengeRefusal.SEASON_OVER:
            return _("No season is running.")
        case ChallengeRefusal.PAUSED:
            return _("The ladder is paused until %(day)s.") % {
                "day": datetimes.day(instant((standing.resumes or 0) - 1))
            }
        case ChallengeRefusal.YOU_AWAY:
            return _("You’re on vacation until %(day)s.") % {"day": vacation_ends(situation, me)}
        case ChallengeRefusal.YOU_OFF:
            return _("You’re off the ladder until you say you’re back.")
        case ChallengeRefusal.AWAY:
            return _("On vacation until %(day)s.") % {"day": vacation_ends(situation, other)}
        case ChallengeRefusal.OFF:
            return _("Off the ladder and not back yet.")
        case ChallengeRefusal.BELOW:
            return _("Below you.")
        case ChallengeRefusal.TOO_HIGH:
            above = standing.order.index(me) - standing.order.index(other)
            return _("%(above)d above you; you reach %(reach)d.") % {
                "above": above,
                "reach": situation.reach(me, seats),
            }
        case ChallengeRefusal.TOO_FAR:
            return ngettext(
                "Too far from the others: at most %(reach)d rung between first and last.",
                "Too far from the others: at most %(reach)d rungs between first and last.",
                situation.reach(me, seats),
            ) % {"reach": situation.reach(me, seats)}
        case ChallengeRefusal.PLAYING:
            return _("You already have an open challenge with each other.")
        case ChallengeRefusal.TOO_SOON:
            until = situation.rests_until(me, other)
            met = (situation.at - (until - rules.rest_days * DAY_MS)) // DAY_MS
            return _("Your last challenge ended %(ago)s; you can meet again from %(day)s.") % {
                "ago": ago(met),
                "day": day(until, situation.at),
            }
        case ChallengeRefusal.THEY_MET:
            return _("Has met another player of this table within the last %(days)s.") % {"days": days(rules.rest_days)}
        case ChallengeRefusal.YOU_OUT:
            return ngettext(
                "You have %(out)d open challenge, the maximum.",
                "You have %(out)d open challenges, the maximum.",
                situation.out(me),
            ) % {"out": situation.out(me)}
        case ChallengeRefusal.THEY_IN:
            return ngettext(
                "Already in %(into)d challenge by others.",
                "Already in %(into)d challenges by others.",
                situation.into(other),
            ) % {"into": situation.into(other)}


def sentence(why: ChallengeRefusal, situation: Situation, me: int, other: int, name: str, seats: int = 2) -> str:
    """Why `me` cannot challenge `other`, called `name`, to a table of this many seats."""
    match why:
        case ChallengeRefusal.YOURSELF if me == other:
            return _("You can’t challenge yourself.")
        case ChallengeRefusal.YOURSELF:
            return _("%(name)s can’t sit at the same table twice.") % {"name": name}
        case (
            ChallengeRefusal.OUTSIDER
            | ChallengeRefusal.SEASON_OVER
            | ChallengeRefusal.PAUSED
            | ChallengeRefusal.YOU_AWAY
            | ChallengeRefusal.YOU_OFF
            | ChallengeRefusal.YOU_OUT
        ):
            return on_row(why, situation, me, other, seats)
        case ChallengeRefusal.NOT_ON_LADDER:
            return _("%(name)s isn’t on the ladder.") % {"name": name}
        case ChallengeRefusal.AWAY:
            return _("%(name)s is on vacation until %(day)s.") % {"name": name, "day": vacation_ends(situation, other)}
        case ChallengeRefusal.OFF:
            return _("%(name)s is off the ladder and not back yet.") % {"name": name}
        case ChallengeRefusal.BELOW:
            return _("%(name)s is below you. You can only challenge upward.") % {"name": name}
        case ChallengeRefusal.TOO_HIGH:
            order = situation.standing.order
            return _("%(name)s is %(above)d rungs above you; at a table of %(seats)d you reach %(reach)d.") % {
                "name": name,
                "above": order.index(me) - order.index(other),
                "seats": seats,
                "reach": situation.reach(me, seats),
            }
        case ChallengeRefusal.TOO_FAR:
            return _(
                "%(name)s is too far from the others: at a table of %(seats)d, the first and the last can be at "
                "most %(reach)d rungs apart."
            ) % {"name": name, "seats": seats, "reach": situation.reach(me, seats)}
        case ChallengeRefusal.PLAYING:
            return _("You and %(name)s already have a challenge with each other.") % {"name": name}
        case ChallengeRefusal.TOO_SOON:
            until = situation.rests_until(me, other)
            return _("Your last challenge with %(name)s was a short time ago; you can meet again from %(day)s.") % {
                "name": name,
                "day": day(until, situation.at),
            }
        case ChallengeRefusal.THEY_MET:
            return _("%(name)s has met another player of this table within the last %(days)s.") % {
                "name": name,
                "days": days(situation.standing.rules.rest_days),
            }
        case ChallengeRefusal.THEY_IN:
            return ngettext(
                "%(name)s is already in %(into)d challenge by others.",
                "%(name)s is already in %(into)d challenges by others.",
                situation.into(other),
            ) % {"name": name, "into": situation.into(other)}


def about(
    refused: tuple[int, ChallengeRefusal], situation: Situation, me: int, names: Mapping[int, str], seats: int
) -> str:
    """The answer of `challenging.table_refusal` as a sentence."""
    other, why = refused
    return sentence(why, situation, me, other, names[other], seats)


def at_table(refused: tuple[int, int, ChallengeRefusal], situation: Situation, names: Mapping[int, str]) -> str:
    """The answer of `challenging.table_game_refusal` as a sentence."""
    one, other, why = refused
    both = {"one": names[one], "other": names[other]}
    match why:
        case ChallengeRefusal.TOO_FAR:
            reach = ladder.reach(situation.standing.rules, len(names))
            return ngettext(
                "The first and the last of you can be at most %(reach)d rung apart.",
                "The first and the last of you can be at most %(reach)d rungs apart.",
                reach,
            ) % {"reach": reach}
        case ChallengeRefusal.PLAYING:
            return _("%(one)s and %(other)s have an open challenge with each other. Play it here first.") % both
        case ChallengeRefusal.TOO_SOON:
            told = _("%(one)s and %(other)s have met a short time ago. A game at the table counts again from %(day)s.")
            return told % {**both, "day": datetimes.short_day(instant(situation.may_play_at_table(one, other)))}
    return sentence(why, situation, one, other, names[one])


def vacation_ends(situation: Situation, player: int) -> str:
    """The last day of the vacation of a player who is on one, in the reader’s zone."""
    days_off = situation.standing.players[player].days_off(situation.at)
    assert days_off
    last, today = datetimes.local(instant(days_off[1])).date(), datetimes.local(instant(situation.at)).date()
    return _("today") if last == today else near(last, today)


def day(ms: int, now: int) -> str:
    """A day to come: its name within the week, otherwise its date."""
    then, today = datetimes.local(instant(ms)), datetimes.local(instant(now))
    if then.date() == today.date():
        return _("today %(time)s") % {"time": datetimes.time_of_day(then)}
    return near(then.date(), today.date())


def near(then: date, today: date) -> str:
    """Another day: its name within the week, otherwise its date."""
    return date_format(then, "l") if 0 < (then - today).days < 7 else datetimes.short_day(then)


def ago(days: int) -> str:
    """A number of days ago."""
    if days < 1:
        return _("less than a day ago")
    return ngettext("%(days)d day ago", "%(days)d days ago", days) % {"days": days}
