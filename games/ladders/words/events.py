"""The events of a ladder as sentences.

Names are given as values, ready for a page (`Names`); everything else in a sentence is a number, a day or a name of a
rule. A steward's reason is not part of the sentence: pages show it beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.text import numbers
from accounts.web import datetimes
from games.ladders import payloads, terms
from games.ladders.models import LadderEvent
from games.ladders.rules import Rules
from games.ladders.words.rule_labels import RULES
from games.matches.clocks import instant

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Names = Mapping[int, SafeString]
"""The players' names for a page, by id."""
FEW = 4
"""Of more players put on the ladder at once the sentence gives the number only."""


class EventWords(NamedTuple):
    """What an event of one kind is called. Its sentences have `by`, who did it, and fields of its payload."""

    heading: StrOrPromise
    """For all events of the kind."""
    told: StrOrPromise = ""
    by: StrOrPromise = ""
    """Where somebody is to be named who did it: not the clock, nor the player themselves; empty if there is no other
    sentence."""
    still: StrOrPromise = ""
    """Where it has not moved its player; empty if there is no other sentence."""


WORDS = {
    payloads.MovedHere.kind: EventWords(
        gettext_lazy("Moved here"),
        gettext_lazy("The club came here from another site, %(site)s. The ladder goes on as it stood there."),
    ),
    payloads.GameResult.kind: EventWords(gettext_lazy("Results")),
    payloads.AtTable.kind: EventWords(gettext_lazy("Results from the real table")),
    payloads.Voided.kind: EventWords(gettext_lazy("Games that don’t count")),
    payloads.Overdue.kind: EventWords(
        gettext_lazy("Games not finished in time"),
        gettext_lazy("The game of %(players)s wasn’t over in time. At fault: %(late)s."),
    ),
    payloads.Unanswered.kind: EventWords(
        gettext_lazy("Challenges without an answer"),
        gettext_lazy("%(player)s challenged %(other)s, who didn’t answer in time."),
    ),
    payloads.Declined.kind: EventWords(
        gettext_lazy("Challenges declined"), gettext_lazy("%(other)s declined %(player)s’s challenge.")
    ),
    payloads.Withdrawn.kind: EventWords(
        gettext_lazy("Challenges withdrawn"), gettext_lazy("%(player)s withdrew their challenge to %(others)s.")
    ),
    payloads.Sunk.kind: EventWords(
        gettext_lazy("Sinking"),
        gettext_lazy("%(player)s hasn’t finished a game for a long time and sinks by one rung."),
        still=gettext_lazy(
            "%(player)s hasn’t finished a game for a long time, but can’t sink: no one below plays more."
        ),
    ),
    payloads.TakenOff.kind: EventWords(
        gettext_lazy("Taken off the ladder"),
        gettext_lazy("%(player)s was late too often and is off the ladder until they say they’re back."),
    ),
    payloads.Vacation.kind: EventWords(
        gettext_lazy("Vacations"), gettext_lazy("%(player)s is on vacation from %(begins)s to %(ends)s.")
    ),
    payloads.Back.kind: EventWords(
        gettext_lazy("Back again"),
        gettext_lazy("%(player)s is back on the ladder."),
        still=gettext_lazy("%(player)s is back from vacation."),
    ),
    payloads.JoinedLadder.kind: EventWords(
        gettext_lazy("Joined"), gettext_lazy("%(player)s joined the ladder, at the bottom.")
    ),
    payloads.Added.kind: EventWords(
        gettext_lazy("Put on the ladder by stewards"),
        by=gettext_lazy("%(by)s put %(players)s on the ladder, at the bottom."),
    ),
    payloads.Left.kind: EventWords(
        gettext_lazy("Left"),
        gettext_lazy("%(player)s left the ladder."),
        by=gettext_lazy("%(by)s expelled %(player)s from the club, and so from the ladder."),
    ),
    payloads.SeasonBegun.kind: EventWords(
        gettext_lazy("Seasons that began"),
        gettext_lazy("Season %(number)d began. It ends on %(ends)s."),
        by=gettext_lazy("%(by)s began season %(number)d. It ends on %(ends)s."),
    ),
    payloads.SeasonMoved.kind: EventWords(
        gettext_lazy("Ends of seasons moved"), by=gettext_lazy("%(by)s moved the end of season %(number)d to %(ends)s.")
    ),
    payloads.SeasonEnded.kind: EventWords(
        gettext_lazy("Seasons that ended"),
        gettext_lazy("Season %(number)d ended."),
        by=gettext_lazy("%(by)s ended season %(number)d."),
    ),
    payloads.Paused.kind: EventWords(
        gettext_lazy("Pauses"), by=gettext_lazy("%(by)s paused the ladder until %(ends)s.")
    ),
    payloads.Resumed.kind: EventWords(
        gettext_lazy("Pauses that ended"),
        gettext_lazy("The pause was over."),
        by=gettext_lazy("%(by)s ended the pause."),
    ),
    payloads.Closed.kind: EventWords(
        gettext_lazy("Closed for good"), by=gettext_lazy("%(by)s closed the ladder for good.")
    ),
    payloads.RulesSet.kind: EventWords(gettext_lazy("Rules"), by=gettext_lazy("%(by)s set the rules.")),
    payloads.Ordered.kind: EventWords(
        gettext_lazy("Orders by stewards"), by=gettext_lazy("%(by)s reordered the ladder.")
    ),
    payloads.Corrected.kind: EventWords(
        gettext_lazy("Corrections by stewards"),
        gettext_lazy("%(player)s, a steward, moved to rung %(position)d."),
        by=gettext_lazy("%(by)s put %(player)s on rung %(position)d."),
    ),
    payloads.Undone.kind: EventWords(
        gettext_lazy("Undone by stewards"), by=gettext_lazy("%(by)s undid event %(event)d.")
    ),
}


WHY = {
    "left": gettext_lazy("The game of %(players)s doesn’t count: not all of them are still on the ladder."),
    "aborted": gettext_lazy("The game of %(players)s doesn’t count: it was cancelled."),
    "season": gettext_lazy("The game of %(players)s doesn’t count: the season was over."),
    "alone": gettext_lazy("The challenge of %(players)s ended: not enough of them wanted to play."),
}


def sentence(
    event: LadderEvent, names: Names, *, undone: LadderEvent | None = None, rules: Rules | None = None
) -> SafeString:
    """The event as a sentence for a page. `undone` is the event that an `Undone` names, `rules` are those before a
    `RulesSet`."""
    payload, words = event.payload, WORDS[event.kind]
    player = getattr(payload, "player", None)
    # Nobody where the clock did it, or the player.
    by = names[event.by_id] if event.by_id and event.by_id != player else SafeString()
    still = words.still if str(player) not in event.steps else ""
    told = _told(str((by and words.by) or still or words.told or words.by), payload, names, by)
    match payload:
        case payloads.GameResult():
            return _result(names, payload)
        case payloads.AtTable():
            return _at_table(names, payload, event.by_id)
        case payloads.RulesSet(rules=now) if changes := _changes(rules or Rules(), now):
            return put(_("%(by)s changed the rules. %(changes)s."), by=by, changes="; ".join(changes))
        case payloads.SeasonEnded(final=final) if final:
            return put(_("%(told)s First: %(name)s."), told=told, name=names[final[0].player])
        case payloads.Ordered():
            before, after = event.steps.get(str(event.by_id), (None, None))
            if before is not None and after is not None:
                moved = _("%(by)s reordered the ladder, and moved from rung %(before)d to rung %(after)d.")
                return put(moved, by=by, before=before, after=after)
        case payloads.Undone() if undone is not None:
            return put(_("%(by)s undid: “%(what)s”"), by=by, what=sentence(undone, names))
        case payloads.Withdrawn() if event.by_id is None:
            lapsed = _("%(player)s challenged %(others)s and didn’t answer other terms in time.")
            return _told(lapsed, payload, names)
    return told


def _told(usual: str, payload: payloads.AnyPayload, names: Names, by: str = "") -> SafeString:
    """A sentence with the values of a payload: the usual one, unless this payload needs another."""
    text = usual
    match payload:
        case payloads.Added(players=players) if len(players) > FEW:
            text = _("%(by)s put %(number)d members on the ladder, at the bottom.")
            return put(text, by=by, number=len(players))
        case payloads.Overdue(late=()):
            text = _("The game of %(players)s wasn’t over in time. No one was at fault.")
        case payloads.Voided(why=why):
            text = str(WHY[why])
    values = {name: _value(name, value, names) for name, value in vars(payload).items() if f"%({name})" in text}
    return put(text, by=by, **values)


def _value(name: str, value: Any, names: Names) -> Any:
    """A field of a payload in a sentence."""
    match name:
        case "player" | "other":
            return names[value]
        case "players" | "others" | "late":
            return listed(names[player] for player in value)
        case "begins":
            return datetimes.day(instant(value))
        case "ends":
            return last_day(value)
        case _:
            return value


def players(event: LadderEvent) -> list[int]:
    """The ids of the players that an event is about: those named in its sentence, except the person who did it, unless
    they reordered the ladder."""
    match event.payload:
        case payloads.Added(players=found) if len(found) > FEW:
            return []
        case payloads.Ordered() if event.by_id:
            return [event.by_id]  # stewards who move themselves are shown to do so
        case payloads.SeasonEnded(final=final):
            return [rung.player for rung in final[:1]]
        case payload:
            ones = [getattr(payload, name) for name in ("player", "other") if hasattr(payload, name)]
            return [*ones, *(each for name in ("players", "others") for each in getattr(payload, name, ()))]


def step(before: int | None, after: int | None) -> str:
    """The movement of a player, in words."""
    if before is None:
        return _("now on the ladder, at %(after)d") % {"after": after}
    if after is None:
        return _("was at %(before)d, now off the ladder") % {"before": before}
    return _("from %(before)d to %(after)d") % {"before": before, "after": after}


def put(text: str, **values: Any) -> SafeString:
    """A sentence with its values, for a page: values that are not marked as safe are escaped."""
    safe = {name: value if isinstance(value, int) else conditional_escape(value) for name, value in values.items()}
    return mark_safe(numbers.Sentence(escape(text)) % safe)


def listed(items: Iterable[Any]) -> SafeString:
    """Ann, Bob and Cho."""
    return mark_safe(get_text_list([conditional_escape(item) for item in items], escape(_("and"))))


def last_day(ends: int) -> str:
    """The last day of what ends then."""
    return datetimes.day(instant(ends - 1))


def rule_value(of: int | bool | str | tuple[int | str, ...]) -> str:
    """The value of a rule."""
    if isinstance(of, bool):
        return _("yes") if of else _("no")
    if isinstance(of, tuple):
        return ", ".join(rule_value(one) for one in of) if of else _("all")
    if isinstance(of, str):
        return terms.label(of) if of else _("the first")
    return numbers.number(of)


def _changes(before: Rules, now: Rules) -> list[str]:
    """What has changed between these rules."""
    names = [each.name for each in fields(Rules)]
    values = [(RULES[name], getattr(before, name), getattr(now, name)) for name in names]
    return [
        _("%(rule)s: %(old)s → %(new)s") % {"rule": rule.label, "old": rule_value(old), "new": rule_value(new)}
        for rule, old, new in values
        if old != new
    ]


def finished(names: Names, players: Sequence[int], places: Sequence[int]) -> SafeString:
    """How a game ended."""
    order = sorted(zip(places, players, strict=True), key=lambda pair: pair[0])
    if len(players) > 2:
        table = mark_safe(
            ", ".join(f"{numbers.number(place)}. {names[player]}" for place, player in order)
        )  # names are safe
        return put(_("A game of %(count)d ended: %(table)s."), count=len(players), table=table)
    (first, one), (second, other) = order
    beat, shared = _("%(winner)s beat %(loser)s."), _("%(winner)s and %(loser)s shared the first place.")
    return put(beat if first < second else shared, winner=names[one], loser=names[other])


def _result(names: Names, game: payloads.GameResult) -> SafeString:
    told = finished(names, game.players, game.places)
    if game.late:
        late = listed(names[player] for player in game.late)
        told = put(_("%(told)s Out of time: %(names)s."), told=told, names=late)
    if game.soon:
        soon = listed(names[player] for player in game.soon)
        told = put(
            _("%(told)s Left when it had hardly begun, so no one’s rating rises: %(names)s."), told=told, names=soon
        )
    if game.gone:
        gone = listed(names[player] for player in game.gone)
        told = put(_("%(told)s It counts without %(names)s, who left the ladder."), told=told, names=gone)
    return told


def _at_table(names: Names, game: payloads.AtTable, by: int | None) -> SafeString:
    day = datetimes.day(date.fromisoformat(game.played))
    told = finished(names, game.players, game.places)
    told = put(_("%(told)s At the table, on %(day)s."), told=told, day=day)
    if by is None or by in game.players:
        return told
    return put(_("%(told)s Confirmed by %(by)s, a steward."), told=told, by=names[by])
