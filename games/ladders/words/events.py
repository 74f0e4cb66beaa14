"""The events of a ladder as sentences.

Names are given as values, ready for a page (`Names`); everything else in a sentence is a number, a day or a name of a
rule. A steward's reason is not part of the sentence: pages show it beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from accounts.web import datetimes
from games.ladders import terms
from games.ladders.models import LadderEvent
from games.ladders.rules import Rules
from games.ladders.standing import Kind
from games.matches.clocks import instant

Names = Mapping[int, SafeString]
"""The players' names for a page, by id."""

KINDS = {
    Kind.MOVED: gettext_lazy("Moved here"),
    Kind.RESULT: gettext_lazy("Results"),
    Kind.AT_TABLE: gettext_lazy("Results from the real table"),
    Kind.VOID: gettext_lazy("Games that don’t count"),
    Kind.OVERDUE: gettext_lazy("Games not finished in time"),
    Kind.UNANSWERED: gettext_lazy("Challenges without an answer"),
    Kind.DECLINED: gettext_lazy("Challenges declined"),
    Kind.WITHDRAWN: gettext_lazy("Challenges withdrawn"),
    Kind.SINK: gettext_lazy("Sinking"),
    Kind.OFF: gettext_lazy("Taken off the ladder"),
    Kind.VACATION: gettext_lazy("Vacations"),
    Kind.BACK: gettext_lazy("Back again"),
    Kind.JOIN: gettext_lazy("Joined"),
    Kind.ADD: gettext_lazy("Put on the ladder by stewards"),
    Kind.LEAVE: gettext_lazy("Left"),
    Kind.SEASON: gettext_lazy("Seasons that began"),
    Kind.SEASON_MOVED: gettext_lazy("Ends of seasons moved"),
    Kind.SEASON_END: gettext_lazy("Seasons that ended"),
    Kind.PAUSE: gettext_lazy("Pauses"),
    Kind.RESUME: gettext_lazy("Pauses that ended"),
    Kind.CLOSE: gettext_lazy("Closed for good"),
    Kind.RULES: gettext_lazy("Rules"),
    Kind.ORDER: gettext_lazy("Orders by stewards"),
    Kind.CORRECT: gettext_lazy("Corrections by stewards"),
    Kind.UNDO: gettext_lazy("Undone by stewards"),
}
"""The heading for the events of each kind."""

FEW = 4
"""Of more players put on the ladder at once the sentence gives the number only."""

RULES = {
    "reach": pgettext_lazy("rule of a ladder", "Rungs upward, two players"),
    "reach_a_seat": pgettext_lazy("rule of a ladder", "Rungs per seat, three and four players"),
    "sizes": pgettext_lazy("rule of a ladder", "Players at a table"),
    "drawn": pgettext_lazy("rule of a ladder", "The others are drawn at random"),
    "clocks": pgettext_lazy("rule of a ladder", "Clocks"),
    "usual_clock": pgettext_lazy("rule of a ladder", "Usual clock"),
    "presets": pgettext_lazy("rule of a ladder", "Rules of the game"),
    "usual_preset": pgettext_lazy("rule of a ladder", "Usual rules of the game"),
    "most_out": pgettext_lazy("rule of a ladder", "Open challenges made"),
    "most_in": pgettext_lazy("rule of a ladder", "Open challenges by others"),
    "stall_days": pgettext_lazy("rule of a ladder", "Days to wait for others"),
    "neighbour": pgettext_lazy("rule of a ladder", "The next below can always challenge"),
    "placement": pgettext_lazy("rule of a ladder", "A first challenge reaches to the middle"),
    "rest_days": pgettext_lazy("rule of a ladder", "Days until the same two meet again"),
    "free_withdrawals": pgettext_lazy("rule of a ladder", "Free withdrawals a season"),
    "accept_days": pgettext_lazy("rule of a ladder", "Days to answer"),
    "finish_days": pgettext_lazy("rule of a ladder", "Days to finish"),
    "decline_yields": pgettext_lazy("rule of a ladder", "Declining gives way"),
    "cheap_refusals": pgettext_lazy("rule of a ladder", "Refusals that cost one rung only"),
    "late_keeps_place": pgettext_lazy("rule of a ladder", "Running out of time costs the game, not the place"),
    "most_late": pgettext_lazy("rule of a ladder", "Times late"),
    "late_days": pgettext_lazy("rule of a ladder", "Days in which they count"),
    "back_drop": pgettext_lazy("rule of a ladder", "Rungs lower on return"),
    "idle_days": pgettext_lazy("rule of a ladder", "Days idle until a player sinks"),
    "sink_days": pgettext_lazy("rule of a ladder", "Days for each further rung"),
    "vacation_days": pgettext_lazy("rule of a ladder", "Vacation days a season"),
    "season_weeks": pgettext_lazy("rule of a ladder", "Weeks in a season"),
    "season_follows": pgettext_lazy("rule of a ladder", "Seasons follow on automatically"),
    "soft_reset": pgettext_lazy("rule of a ladder", "Soft reset between seasons"),
    "at_table": pgettext_lazy("rule of a ladder", "Results from the real table count"),
    "members_join": pgettext_lazy("rule of a ladder", "New members are put on the ladder"),
    "stewards_add": pgettext_lazy("rule of a ladder", "Only stewards put members on it"),
}
"""The name of each field of `Rules`, in the order in which they are shown."""


def sentence(
    event: LadderEvent, names: Names, *, undone: LadderEvent | None = None, rules: Rules | None = None
) -> SafeString:
    """The event as a sentence for a page. `undone` is the event that an `undo` names, `rules` are those before an event
    of kind `rules`."""
    data = event.data
    # Nobody where the clock did it, or the player.
    by = names[event.by_id] if event.by_id and event.by_id != data.get("player") else SafeString()
    name = names[data["player"]] if "player" in data else SafeString()
    moved = str(data.get("player")) in event.steps
    match event.kind:
        case Kind.MOVED:
            moved_here = _("The club came here from another site, %(site)s. The ladder goes on as it stood there.")
            return put(moved_here, site=data["site"])
        case Kind.RULES:
            return _rules(by, Rules.from_json(data["rules"]), rules)
        case Kind.SEASON:
            return _season(by, data["number"], data["ends"])
        case Kind.SEASON_END:
            return _season_end(names, by, data["number"], data["final"])
        case Kind.SEASON_MOVED:
            return put(
                _("%(by)s moved the end of season %(number)d to %(day)s."),
                by=by,
                number=data["number"],
                day=last_day(data["ends"]),
            )
        case Kind.PAUSE:
            return put(_("%(by)s paused the ladder until %(day)s."), by=by, day=last_day(data["ends"]))
        case Kind.RESUME:
            return put(_("%(by)s ended the pause."), by=by) if by else put(_("The pause was over."))
        case Kind.CLOSE:
            return put(_("%(by)s closed the ladder for good."), by=by)
        case Kind.JOIN:
            return put(_("%(name)s joined the ladder, at the bottom."), name=name)
        case Kind.ADD:
            return _add(by, [names[player] for player in data["players"]])
        case Kind.LEAVE:
            return _leave(by, name)
        case Kind.ORDER:
            return _order(by, *event.steps.get(str(event.by_id), (None, None)))
        case Kind.CORRECT:
            return _correct(by, name, data["position"])
        case Kind.UNDO:
            return _undo(names, by, data["event"], undone)
        case Kind.RESULT:
            return _result(names, data["players"], data["places"], data["late"], data.get("gone", []))
        case Kind.AT_TABLE:
            return _at_table(names, event)
        case Kind.VOID:
            return _void(listed(names[player] for player in data["players"]), data["why"])
        case Kind.OVERDUE:
            return _overdue(names, data["players"], data["late"])
        case Kind.UNANSWERED:
            return _unanswered(name, [names[player] for player in data["silent"]])
        case Kind.DECLINED:
            return _declined(name, [names[player] for player in data["silent"]])
        case Kind.WITHDRAWN:
            refused = [names[player] for player in data.get("refused", [])]
            return _withdrawn(name, [names[player] for player in data["others"]], refused, lapsed=event.by_id is None)
        case Kind.SINK:
            return _sink(name, moved)
        case Kind.OFF:
            return _off(name)
        case Kind.VACATION:
            return _vacation(name, data["begins"], data["ends"])
        case Kind.BACK:
            return _back(name, moved)
    raise ValueError(f"no sentence for an event of kind {event.kind}")


def players(event: LadderEvent) -> list[int]:
    """The ids of the players that an event is about: those named in its sentence, except the person who did it, unless
    they reordered the ladder."""
    data = event.data
    found = [data["player"]] if "player" in data else []
    if event.kind == Kind.ADD:
        return data["players"] if len(data["players"]) <= FEW else []
    found += data.get("players", []) + data.get("silent", []) + data.get("others", [])
    if event.kind == Kind.ORDER and event.by_id:
        found.append(event.by_id)  # stewards who move themselves are shown to do so
    if event.kind == Kind.SEASON_END:
        found += [player for player, *_ in data["final"][:1]]
    return found


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
    return mark_safe(escape(text) % safe)


def listed(items: Iterable[Any]) -> SafeString:
    """Ann, Bob and Cho."""
    return mark_safe(get_text_list([conditional_escape(item) for item in items], escape(_("and"))))


def last_day(ends: int) -> str:
    """The last day of what ends then."""
    return datetimes.day(instant(ends - 1))


def value(of: int | bool | str | tuple[int | str, ...]) -> str:
    """The value of a rule."""
    if isinstance(of, bool):
        return _("yes") if of else _("no")
    if isinstance(of, tuple):
        return ", ".join(value(one) for one in of) if of else _("all")
    if isinstance(of, str):
        return terms.label(of) if of else _("the first")
    return str(of)


# What each kind tells. `by` is empty where nobody is to be named.


def _rules(by: SafeString, now: Rules, before: Rules | None) -> SafeString:
    changed = [
        _("%(rule)s: %(old)s → %(new)s")
        % {"rule": RULES[name], "old": value(getattr(before or Rules(), name)), "new": value(getattr(now, name))}
        for name in RULES
        if getattr(before or Rules(), name) != getattr(now, name)
    ]
    if not changed:
        return put(_("%(by)s set the rules."), by=by)
    return put(_("%(by)s changed the rules. %(changes)s."), by=by, changes="; ".join(changed))


def _season(by: SafeString, number: int, ends: int) -> SafeString:
    if by:
        return put(_("%(by)s began season %(number)d. It ends on %(day)s."), by=by, number=number, day=last_day(ends))
    return put(_("Season %(number)d began. It ends on %(day)s."), number=number, day=last_day(ends))


def _season_end(names: Names, by: SafeString, number: int, final: Sequence[tuple[int, float, int]]) -> SafeString:
    told = (
        put(_("%(by)s ended season %(number)d."), by=by, number=number)
        if by
        else put(_("Season %(number)d ended."), number=number)
    )
    if not final:
        return told
    return put(_("%(told)s First: %(name)s."), told=told, name=names[final[0][0]])


def _add(by: SafeString, added: Sequence[SafeString]) -> SafeString:
    if len(added) > FEW:
        return put(_("%(by)s put %(number)d members on the ladder, at the bottom."), by=by, number=len(added))
    return put(_("%(by)s put %(names)s on the ladder, at the bottom."), by=by, names=listed(added))


def _leave(by: SafeString, name: SafeString) -> SafeString:
    if by:
        return put(_("%(by)s expelled %(name)s from the club, and so from the ladder."), by=by, name=name)
    return put(_("%(name)s left the ladder."), name=name)


def _order(by: SafeString, before: int | None, after: int | None) -> SafeString:
    if before is None or after is None:
        return put(_("%(by)s reordered the ladder."), by=by)
    return put(
        _("%(by)s reordered the ladder, and moved from rung %(before)d to rung %(after)d."),
        by=by,
        before=before,
        after=after,
    )


def _correct(by: SafeString, name: SafeString, position: int) -> SafeString:
    if by:
        return put(_("%(by)s put %(name)s on rung %(position)d."), by=by, name=name, position=position)
    return put(_("%(name)s, a steward, moved to rung %(position)d."), name=name, position=position)


def _undo(names: Names, by: SafeString, number: int, undone: LadderEvent | None) -> SafeString:
    if undone is None:
        return put(_("%(by)s undid event %(number)d."), by=by, number=number)
    return put(_("%(by)s undid: “%(what)s”"), by=by, what=sentence(undone, names))


def _result(
    names: Names, players: Sequence[int], places: Sequence[int], late: Sequence[int], gone: Sequence[int]
) -> SafeString:
    order = sorted(zip(places, players, strict=True), key=lambda pair: pair[0])
    if len(players) > 2:
        table = ", ".join(f"{place}. {names[player]}" for place, player in order)
        told = put(
            _("A game of %(count)d ended: %(table)s."), count=len(players), table=mark_safe(table)
        )  # names are safe
    else:
        (first, one), (second, other) = order
        beat, shared = _("%(winner)s beat %(loser)s."), _("%(winner)s and %(loser)s shared the first place.")
        told = put(beat if first < second else shared, winner=names[one], loser=names[other])
    if late:
        told = put(_("%(told)s Out of time: %(names)s."), told=told, names=listed(names[player] for player in late))
    if gone:
        left = listed(names[player] for player in gone)
        told = put(_("%(told)s It counts without %(names)s, who left the ladder."), told=told, names=left)
    return told


def finished(names: Names, players: Sequence[int], places: Sequence[int]) -> SafeString:
    """How a game ended."""
    return _result(names, players, places, [], [])


def _at_table(names: Names, event: LadderEvent) -> SafeString:
    data = event.data
    told = put(
        _("%(told)s At the table, on %(day)s."),
        told=finished(names, data["players"], data["places"]),
        day=datetimes.day(date.fromisoformat(data["played"])),
    )
    if event.by_id in data["players"] or event.by_id is None:
        return told
    return put(_("%(told)s Confirmed by %(by)s, a steward."), told=told, by=names[event.by_id])


def _void(names: SafeString, why: str) -> SafeString:
    texts = {
        "left": _("The game of %(names)s doesn’t count: not all of them are still on the ladder."),
        "aborted": _("The game of %(names)s doesn’t count: it was cancelled."),
        "season": _("The game of %(names)s doesn’t count: the season was over."),
    }
    return put(texts.get(why, _("The game of %(names)s doesn’t count.")), names=names)


def _overdue(names: Names, players: Sequence[int], late: Sequence[int]) -> SafeString:
    if not late:
        told = _("The game of %(names)s wasn’t over in time. No one was at fault.")
        return put(told, names=listed(names[player] for player in players))
    return put(
        _("The game of %(names)s wasn’t over in time. At fault: %(late)s."),
        names=listed(names[player] for player in players),
        late=listed(names[player] for player in late),
    )


def _unanswered(name: SafeString, silent: Sequence[SafeString]) -> SafeString:
    return put(
        ngettext(
            "%(name)s challenged %(silent)s, who didn’t answer in time.",
            "%(name)s challenged players of whom %(silent)s didn’t answer in time.",
            len(silent),
        ),
        name=name,
        silent=listed(silent),
    )


def _declined(name: SafeString, silent: Sequence[SafeString]) -> SafeString:
    return put(_("%(silent)s declined %(name)s’s challenge."), name=name, silent=listed(silent))


def _withdrawn(
    name: SafeString, others: Sequence[SafeString], refused: Sequence[SafeString], lapsed: bool
) -> SafeString:
    if refused:
        told = _("%(name)s challenged %(others)s. It counts as withdrawn: %(refused)s didn’t want to play.")
        return put(told, name=name, others=listed(others), refused=listed(refused))
    if lapsed:
        told = _("%(name)s challenged %(others)s and didn’t answer other terms in time.")
        return put(told, name=name, others=listed(others))
    return put(_("%(name)s withdrew their challenge to %(others)s."), name=name, others=listed(others))


def _sink(name: SafeString, moved: bool) -> SafeString:
    if moved:
        return put(_("%(name)s hasn’t finished a game for a long time and sinks by one rung."), name=name)
    return put(
        _("%(name)s hasn’t finished a game for a long time, but can’t sink: no one below plays more."),
        name=name,
    )


def _off(name: SafeString) -> SafeString:
    return put(_("%(name)s was late too often and is off the ladder until they say they’re back."), name=name)


def _vacation(name: SafeString, begins: int, ends: int) -> SafeString:
    return put(
        _("%(name)s is on vacation from %(begins)s to %(ends)s."),
        name=name,
        begins=datetimes.day(instant(begins)),
        ends=last_day(ends),
    )


def _back(name: SafeString, moved: bool) -> SafeString:
    if moved:
        return put(_("%(name)s is back on the ladder."), name=name)
    return put(_("%(name)s is back from vacation."), name=name)
