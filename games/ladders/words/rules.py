"""The rules of a ladder in words, as its stewards have set them, with examples that are computed by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.ladders import rules as ladder
from games.ladders.rules import FULL_ANSWERS, Rules


@dataclass(frozen=True)
class ExampleRung:
    """A rung of an example."""

    position: int
    letter: str
    played: bool
    up: bool
    """Whether the player is higher than before."""


@dataclass(frozen=True)
class Example:
    """A ladder before and after."""

    text: str
    before: Sequence[ExampleRung]
    after: Sequence[ExampleRung]


@dataclass(frozen=True)
class RulesChapter:
    key: str
    title: str
    sentences: Sequence[str]
    examples: Sequence[Example] = ()


def glance(rules: Rules) -> list[str]:
    """The rules in a few sentences."""
    told = [
        _("Beat somebody above you, and you move just above them; those between move down one."),
        _("A challenge that is not answered within %(days)s moves you up.") % {"days": days(rules.accept_days)},
    ]
    if rules.rest_days:
        told.append(_("After a game the same two rest %(days)s.") % {"days": days(rules.rest_days)})
    told.append(
        _("Players who finish no game for %(days)s sink by one rung.") % {"days": days(rules.idle_days)},
    )
    return told


def chapters(rules: Rules) -> list[RulesChapter]:
    """All rules."""
    return [
        RulesChapter("challenge", _("Whom you may challenge"), _challenge(rules)),
        RulesChapter("answer", _("The answer"), _answer(rules)),
        RulesChapter("game", _("The game"), _game(rules)),
        RulesChapter("two", _("After a game of two: leapfrog"), _two(), [_leapfrog()]),
        RulesChapter("more", _("After a game of three or four: lift"), _more(), [_lift()]),
        RulesChapter("time", _("Out of time"), _time(rules)),
        RulesChapter("idle", _("Idle players sink"), _idle(rules), [_sinking()]),
        RulesChapter("vacation", _("Vacation"), _vacation(rules)),
        RulesChapter("leave", _("Coming and going"), _leave()),
        RulesChapter("season", _("Seasons"), _season(rules), [_reset()] if rules.soft_reset else []),
        RulesChapter("stewards", _("Stewards"), _stewards()),
    ]


def days(number: int) -> str:
    return ngettext("%(days)d day", "%(days)d days", number) % {"days": number}


def rungs(number: int) -> str:
    return ngettext("%(rungs)d rung", "%(rungs)d rungs", number) % {"rungs": number}


def _challenge(rules: Rules) -> list[str]:
    three, four = ladder.reach(rules, 3), ladder.reach(rules, 4)
    told = [
        _("To a game of two: anybody who stands up to %(reach)s above you.") % {"reach": rungs(rules.reach)},
        _(
            "To a table of three or four: somebody up to %(three)d or %(four)d rungs above you. The others whom you "
            "invite may also be below you, but between the first and the last of the table there are at most "
            "%(three)d or %(four)d rungs."
        )
        % {"three": three, "four": four},
        _("You may have %(out)s open at a time, and be in %(into)s by others. Games being played count.")
        % {"out": challenges(rules.most_out), "into": challenges(rules.most_in)},
    ]
    if rules.rest_days:
        told.append(
            _(
                "When a challenge has ended, whether played, unanswered, declined, withdrawn or called off, the same "
                "two rest for %(days)s."
            )
            % {"days": days(rules.rest_days)}
        )
    told.append(
        _(
            "You cannot challenge players who are on vacation, off the ladder, or already in a challenge with you; "
            "nor anybody while no season is running."
        )
    )
    return told


def challenges(number: int) -> str:
    return ngettext("%(number)d challenge", "%(number)d challenges", number) % {"number": number}


def _answer(rules: Rules) -> list[str]:
    accept = days(rules.accept_days)
    return [
        _("A challenged player has %(days)s to accept, to propose other terms, or to decline.") % {"days": accept},
        _(
            "Other terms must be answered by all others, who have %(days)s for it. After the first %(days)s only the "
            "challenger can propose some. If the challenger does not answer, the challenge just ends."
        )
        % {"days": accept},
        _(
            "Players who do not answer give way: the challenger moves up one rung for each of them, at most to just "
            "above the highest."
        ),
        _("Declining counts as not answering.")
        if rules.decline_yields
        else _("Declining ends the challenge and changes nothing."),
        _("Until everybody has agreed, the challenger can withdraw. That changes nothing."),
    ]


def _game(rules: Rules) -> list[str]:
    return [
        _(
            "Live games begin automatically at the agreed time, with all clocks running, or as soon as all are at the "
            "table; correspondence games at once. All count for the club’s own rating; those of a club that is not "
            "private count for the site’s too."
        ),
        _(
            "The game must be over %(days)s after it was agreed; a live game that has begun by then has another day. "
            "Otherwise those at fault give way to the challenger as if they had not answered, and are late. If the "
            "challenger is at fault, nobody moves. A game that is being played can go on, but no longer counts."
        )
        % {"days": days(rules.finish_days)},
        _(
            "When a live game has not begun, those are at fault who came to its table least often, and all of them if "
            "they came equally often. You come by waiting there, ready, until the table closes after twenty minutes: "
            "whoever comes meanwhile finds the game begun."
        ),
        _(
            "When a game is not over, those are at fault who left it or, if nobody has, those who used more than their "
            "share of the time: with two players, half."
        ),
        _(
            "Days for each move are agreed only if every player could take all of them %(answers)d times within "
            "these %(days)s."
        )
        % {"answers": FULL_ANSWERS, "days": days(rules.finish_days)},
        _("A result counts when the game ends, and moves the ladder as it stands at that moment."),
    ]


def _two() -> list[str]:
    return [
        _("A winner who was below moves just above the loser; those between move down by one."),
        _("If the one above wins, or both share the first place, nothing changes."),
    ]


def _more() -> list[str]:
    return [
        _(
            "From the last of the table to the first: everybody who beat somebody above them moves just above the "
            "highest of these."
        ),
        _("Afterwards everybody is above all those they beat, and those who did not play keep their order."),
        _("A shared place changes nothing between those who share it."),
    ]


def _time(rules: Rules) -> list[str]:
    return [
        _(
            "Players who run out of time lose the game, not the place: for the ladder it is as if they had not played. "
            "This is not so while a game could still be called off: then they lose the place too."
        )
        if rules.late_keeps_place
        else _("Players who run out of time lose the game, and with it their place like any other loser."),
        ngettext(
            "Players who are late (out of time in a game, or at fault that it was not over in time) %(times)d time "
            "within %(days)s are off the ladder until they say “I am back”.",
            "Players who are late (out of time in a game, or at fault that it was not over in time) %(times)d times "
            "within %(days)s are off the ladder until they say “I am back”.",
            rules.most_late,
        )
        % {"times": rules.most_late, "days": days(rules.late_days)},
        _("They then return %(rungs)s lower than before, or at the bottom.") % {"rungs": rungs(rules.back_drop)}
        if rules.back_drop
        else _("They then return to where they were before."),
    ]


def _idle(rules: Rules) -> list[str]:
    return [
        _("Players who have finished no game for %(idle)s sink by one rung, and by one more every %(again)s.")
        % {"idle": days(rules.idle_days), "again": days(rules.sink_days)},
        _("The leader sinks too. Nobody sinks below another idle player."),
        _(
            "Vacations and the time between seasons do not count as idle. A game lost on time does not count "
            "as finished."
        ),
    ]


def _vacation(rules: Rules) -> list[str]:
    if not rules.vacation_days:
        return [_("This club has no vacations.")]
    return [
        _("Everybody has %(days)s of vacation a season, announced on the page of the ladder, all at once or in parts.")
        % {"days": days(rules.vacation_days)},
        _("Meanwhile the place is held, and nobody can challenge the player."),
        _(
            "Challenges that wait for them wait that much longer. Running games go on, with their clocks and the "
            "day on which they must be over."
        ),
    ]


def _leave() -> list[str]:
    return [
        _("Every member of the club may join the ladder, at the bottom, and leave it at any time."),
        _(
            "Players who leave the ladder or the club finish their games, but these no longer count for the ladder; "
            "their other challenges are void. Players who come back begin at the bottom."
        ),
    ]


def _season(rules: Rules) -> list[str]:
    told = [
        ngettext(
            "A season lasts %(weeks)d week. Its final table stays in the archive.",
            "A season lasts %(weeks)d weeks. Its final table stays in the archive.",
            rules.season_weeks,
        )
        % {"weeks": rules.season_weeks},
        _("The next one begins at once.")
        if rules.season_follows
        else _("The next one begins when a steward begins it."),
        _("While no season is running, nobody can be challenged, games that end do not count, and nobody sinks."),
    ]
    told.append(
        _("A new season begins halfway between the old order and that of the club’s ratings.")
        if rules.soft_reset
        else _("A new season begins with the order in which the last one ended.")
    )
    return told


def _stewards() -> list[str]:
    return [
        _("Stewards set these rules; changes apply from then on."),
        _("They may undo a result or another change, correct who stands where, and order the ladder."),
        _("Undoing and correcting need a reason. Both stand among the events of the ladder, for everybody to see."),
    ]


# Examples: players are numbers, shown as letters


def example(text: str, before: ladder.Rungs, after: ladder.Rungs, played: Sequence[int]) -> Example:
    def steps(order: ladder.Rungs) -> list[ExampleRung]:
        return [
            ExampleRung(at, chr(ord("A") + player), player in played, order.index(player) < before.index(player))
            for at, player in enumerate(order, 1)
        ]

    return Example(text, steps(before), steps(after))


A, B, C, D, E, F = range(6)
ORDER: ladder.Rungs = (A, B, C, D, E, F)


def _leapfrog() -> Example:
    return example(_("E beats B: E moves just above B."), ORDER, ladder.leapfrog(ORDER, E, B), [B, E])


def _lift() -> Example:
    after = ladder.lift(ORDER, {F: 1, B: 2, D: 3})
    text = _(
        "F comes first, B second, D third: F moves just above B, the highest player it beat. B beat D, but was above."
    )
    return example(text, ORDER, after, [B, D, F])


def _sinking() -> Example:
    first = ladder.sink(ORDER, D, {C, D})
    text = _("C and D are idle: D sinks by one rung, then C. They do not pass each other.")
    return example(text, ORDER, ladder.sink(first, C, {C, D}), [C, D])


def _reset() -> Example:
    ratings = {A: 1500.0, B: 1600.0, C: 1550.0, D: 1480.0, E: 1700.0, F: 1400.0}
    text = _("By rating they are E, B, C, A, D, F. The mean of both orders begins the season.")
    return example(text, ORDER, ladder.soft_reset(ORDER, ratings), [])
