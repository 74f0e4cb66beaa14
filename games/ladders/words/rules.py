"""The rules of a ladder in words, as its stewards have set them, with examples that are computed by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.core import Game
from games.ladders import rules as ladder
from games.ladders import terms
from games.ladders.overdue import ENOUGH
from games.ladders.rules import CONFIRM_HOURS, DECIDE_DAYS, ENTER_DAYS, FULL_ANSWERS, Rules


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
        _("Beat someone above you, and you move to just above them; those between move down one."),
        *_silence_at_a_glance(rules),
    ]
    if rules.rest_days:
        told.append(_("After a game, the same two rest for %(days)s.") % {"days": days(rules.rest_days)})
    told.append(
        _("Players who finish no game for %(days)s sink by one rung.") % {"days": days(rules.idle_days)},
    )
    return told


def _silence_at_a_glance(rules: Rules) -> list[str]:
    two = (
        _("A challenge to a game of two that isn’t answered within %(days)s moves you up.")
        if rules.cheap_refusals
        else _(
            "A challenge to a game of two that isn’t answered within %(days)s counts as won: you move to just above "
            "them."
        )
    )
    more = _("At larger tables, whoever above you doesn’t answer within %(days)s goes down one rung.")
    told = [*([two] if 2 in rules.sizes else []), *([more] if max(rules.sizes) > 2 else [])]
    return [sentence % {"days": days(rules.accept_days)} for sentence in told]


def chapters(rules: Rules, game: Game) -> list[RulesChapter]:
    """All rules of a ladder on which this game is played."""
    told = [
        RulesChapter("challenge", _("Who you can challenge"), _challenge(rules)),
        RulesChapter("terms", _("The terms"), _terms(rules, game)),
        RulesChapter("answer", _("The answer"), _answer(rules)),
        RulesChapter("game", _("The game"), _game(rules)),
        RulesChapter("two", _("After a game of two: leapfrog"), _two(), [_leapfrog()]),
        RulesChapter("more", _("After a game of three or four: lift"), _more(), [_lift()]),
        *([RulesChapter("table", _("At the real table"), _at_table(rules))] if rules.at_table else []),
        RulesChapter("time", _("Out of time"), _time(rules)),
        RulesChapter("idle", _("Idle players sink"), _idle(rules), [_sinking()]),
        RulesChapter("vacation", _("Vacation"), _vacation(rules)),
        RulesChapter("leave", _("Coming and going"), _leave(rules)),
        RulesChapter("season", _("Seasons"), _season(rules), [_reset()] if rules.soft_reset else []),
        RulesChapter("stewards", _("Stewards"), _stewards()),
    ]
    unplayed = {"two": 2 not in rules.sizes, "more": max(rules.sizes) < 3}
    return [chapter for chapter in told if not unplayed.get(chapter.key)]


def days(number: int) -> str:
    return ngettext("%(days)d day", "%(days)d days", number) % {"days": number}


def rungs(number: int) -> str:
    return ngettext("%(rungs)d rung", "%(rungs)d rungs", number) % {"rungs": number}


def _challenge(rules: Rules) -> list[str]:
    three, four = ladder.reach(rules, 3), ladder.reach(rules, 4)
    two = _("To a game of two: anyone up to %(reach)s above you.") % {"reach": rungs(rules.reach)}
    more = _(
        "To a table of three or four: someone up to %(three)d or %(four)d rungs above you. The others can also be "
        "below you, but the first and the last at the table are at most %(three)d or %(four)d rungs apart."
    ) % {"three": three, "four": four}
    told = [
        *([two] if 2 in rules.sizes else []),
        *([more] if max(rules.sizes) > 2 else []),
        *_company(rules),
    ]
    smallest = {"seats": min(rules.sizes)}
    if rules.placement:
        told.append(
            _("Your first challenge on this ladder, if to a table of %(seats)d, reaches up to the middle.") % smallest
        )
    told += [
        _("You can have %(out)s open at a time, and be in %(into)s by others. Games being played count.")
        % {"out": challenges(rules.most_out), "into": challenges(rules.most_in)},
        _(
            "A live game that hasn’t started %(days)s after it was agreed, “as soon as everyone is there”, no longer "
            "counts among them: not for those challenged, nor for a challenger who has waited at its table. Whoever "
            "has waited there in vain can also challenge the others anew."
        )
        % {"days": days(rules.stall_days)},
    ]
    if rules.neighbour:
        told.append(
            _(
                "The player just below you can challenge you to a table of %(seats)d however many challenges you are "
                "in. Players on vacation between you don’t matter."
            )
            % smallest
        )
    if rules.rest_days:
        told.append(
            _(
                "When a challenge has ended (played, unanswered, declined, withdrawn or cancelled), the same two "
                "rest for %(days)s."
            )
            % {"days": days(rules.rest_days)}
        )
        if rules.free_withdrawals:
            told.append(
                ngettext(
                    "%(times)d challenge a season can be withdrawn without this rest.",
                    "%(times)d challenges a season can be withdrawn without this rest.",
                    rules.free_withdrawals,
                )
                % {"times": rules.free_withdrawals}
            )
    told.append(
        _(
            "You can’t challenge players who are on vacation, off the ladder, or already in a challenge with you. "
            "While no season is running, you can’t challenge anyone."
        )
    )
    return told


def _company(rules: Rules) -> list[str]:
    """Who sits at the table of a challenge besides two."""
    if max(rules.sizes) < 3:
        return []
    return [
        _(
            "At a table of three or four, you challenge one player. The others are drawn at random, among all who "
            "could sit there with you both. They must answer like the challenged."
        )
        if rules.drawn
        else _("At a table of three or four, you choose everyone. All of them must answer.")
    ]


def _terms(rules: Rules, game: Game) -> list[str]:
    sizes, names = [str(size) for size in rules.sizes], terms.presets(rules, game)
    possible = [terms.clock_words(name) for name in terms.clocks(rules, rules.sizes[0])]
    return [
        _("Players at a table: %(sizes)s.") % {"sizes": get_text_list(sizes, _("or"))},
        _("Clocks: %(clocks)s. The usual one is %(usual)s.")
        % {"clocks": "; ".join(possible), "usual": terms.label(terms.usual_clock(rules, rules.sizes[0]))},
        _("Rules of the game: %(presets)s. The usual ones are %(usual)s.")
        % {"presets": "; ".join(terms.label(name) for name in names), "usual": terms.label(names[0])},
        _("If the terms change while you read them, you’re asked to look again."),
    ]


def challenges(number: int) -> str:
    return ngettext("%(number)d challenge", "%(number)d challenges", number) % {"number": number}


def _answer(rules: Rules) -> list[str]:
    accept = days(rules.accept_days)
    return [
        _("A challenged player has %(days)s to accept, propose other terms, or decline.") % {"days": accept},
        _(
            "Everyone else must answer other terms within %(days)s. After the first %(days)s, only the challenger "
            "can propose any. If the challenger doesn’t answer, the challenge ends as if withdrawn."
        )
        % {"days": accept},
        *_giving_way(rules),
        _("Declining counts as not answering.")
        if rules.decline_yields
        else _("Declining ends the challenge and changes nothing."),
        *(
            [
                _(
                    "If only a third or fourth player declines or doesn’t answer, and no one gives way by it, it "
                    "counts as if the challenger had withdrawn."
                )
            ]
            if max(rules.sizes) > 2
            else []
        ),
        _("Until everyone has agreed, the challenger can withdraw. That moves no one."),
    ]


def _giving_way(rules: Rules) -> list[str]:
    """What it costs not to answer."""
    two = _(
        "At a game of two, a player who doesn’t answer gives way, as if they had lost: the challenger moves to just "
        "above them."
    )
    more = _(
        "At a table of three or four, each player above the challenger who doesn’t answer gives way by one rung. The "
        "challenger passes no one else: without a game, no one loses a rung for what others didn’t do."
    )
    return [*([two, *_cheaply(rules)] if 2 in rules.sizes else []), *([more] if max(rules.sizes) > 2 else [])]


def _cheaply(rules: Rules) -> list[str]:
    if not rules.cheap_refusals:
        return []
    return [
        ngettext(
            "But for a player’s first refusal within %(days)s, the challenger moves up one rung only.",
            "But for each of a player’s first %(times)d refusals within %(days)s, the challenger moves up one rung "
            "only.",
            rules.cheap_refusals,
        )
        % {"times": rules.cheap_refusals, "days": days(rules.late_days)}
    ]


def _game(rules: Rules) -> list[str]:
    return [
        _(
            "Live games start automatically at the agreed time, with all clocks running, or as soon as everyone "
            "is at the table; correspondence games start right away. All count for the ladder’s own rating, and for "
            "the site’s too unless the club is private."
        ),
        _(
            "The game must be over %(days)s after it was agreed; a live game that has started by then gets "
            "another day. Otherwise those at fault give way to the challenger as if they hadn’t answered, and are "
            "late. If the challenger is at fault, no one moves. A game in progress can go on, but no longer "
            "counts."
        )
        % {"days": days(rules.finish_days)},
        _(
            "If a live game never started, whoever came to its table on fewer than %(days)s is at fault. If no one "
            "is, no one moves. To come means to wait there, ready, until the table closes after twenty minutes. If "
            "others come meanwhile, the game starts."
        )
        % {"days": days(min(ENOUGH, rules.finish_days))},
        _(
            "If a game isn’t over, whoever left it is at fault, and so is whoever is still there and used more than "
            "their share of the time. Those still there share it equally: with two, half each."
        ),
        _(
            "Days per move can be agreed only if every player could use them in full %(answers)d times within "
            "these %(days)s."
        )
        % {"answers": FULL_ANSWERS, "days": days(rules.finish_days)},
        _("A result counts when the game ends, and moves the ladder as it is at that moment."),
    ]


def _two() -> list[str]:
    return [
        _("A winner who was below moves to just above the loser; those between move down one."),
        _("If the higher player wins, or they share first place, nothing changes."),
    ]


def _more() -> list[str]:
    return [
        _(
            "From last place to first: everyone who beat someone above them moves to just above the highest "
            "player they beat."
        ),
        _("Afterwards everyone is above all the players they beat, and those who didn’t play keep their order."),
        _("A shared place changes nothing between those who share it."),
        _(
            "Whoever left, or ran out of time, while the game could still be cancelled, hasn’t been beaten: they go "
            "down one rung for each other player below them who stayed, and lift no one past people who didn’t play."
        ),
    ]


def _at_table(rules: Rules) -> list[str]:
    reach = {"two": ladder.reach(rules, 2), "three": ladder.reach(rules, 3), "four": ladder.reach(rules, 4)}
    two = _("Of two players, the first and the last can be at most %(two)d rungs apart.")
    more = _("Of three or four, the first and the last can be at most %(three)d or %(four)d rungs apart.")
    return [
        _("One player, or a steward, enters the result of a game at a real table, at most %(days)s after it.")
        % {"days": days(ENTER_DAYS)},
        _("It counts when all its players have confirmed it, and moves the ladder as it is at that moment."),
        _(
            "If not all of them have confirmed it after %(hours)d hours, it lapses: it doesn’t count, and no one loses "
            "anything by it."
        )
        % {"hours": CONFIRM_HOURS},
        _(
            "Each of them can dispute it, with a word. Then a steward decides within %(days)s, or it lapses. A steward "
            "can also confirm or reject it before. Stewards who played can’t decide about their own game."
        )
        % {"days": days(DECIDE_DAYS)},
        *([two % reach] if 2 in rules.sizes else []),
        *([more % reach] if max(rules.sizes) > 2 else []),
        _(
            "All of them must be on the ladder, and none on vacation or in a challenge with another. Who is at the "
            "table, the players decide themselves: no one can be made to sit there."
        ),
        _(
            "The same two rest for %(days)s, whether they played at a real table or here; after a real table, from the "
            "day of the game."
        )
        % {"days": days(max(1, rules.rest_days))},
        _(
            "If a steward rejects a result, whoever entered it can’t enter another with the same players for %(days)s; "
            "they can."
        )
        % {"days": days(max(1, rules.rest_days))},
        _(
            "Such games count for the ladder’s own rating, by the same formula as games here: Elo’s, for each pair of "
            "players. They don’t count for the site’s rating."
        ),
    ]


def _time(rules: Rules) -> list[str]:
    return [
        _(
            "Players who run out of time lose the game but not their place: for the ladder it’s as if they hadn’t "
            "played. While a game could still be cancelled, they lose their place too."
        )
        if rules.late_keeps_place
        else _("Players who run out of time lose the game, and their place like any other loser."),
        ngettext(
            "Players who are late (out of time in a game, or at fault that it wasn’t over in time) %(times)d time "
            "within %(days)s are off the ladder until they press “I’m back”.",
            "Players who are late (out of time in a game, or at fault that it wasn’t over in time) %(times)d "
            "times within %(days)s are off the ladder until they press “I’m back”.",
            rules.most_late,
        )
        % {"times": rules.most_late, "days": days(rules.late_days)},
        _("They then return %(rungs)s lower than before, or at the bottom.") % {"rungs": rungs(rules.back_drop)}
        if rules.back_drop
        else _("They then return to where they were before."),
    ]


def _idle(rules: Rules) -> list[str]:
    return [
        _("Players who finish no game for %(idle)s sink by one rung, and by one more every %(again)s.")
        % {"idle": days(rules.idle_days), "again": days(rules.sink_days)},
        _("The leader sinks too. No one sinks below another idle player."),
        _("Vacations and breaks between seasons don’t count as idle. A game lost on time doesn’t count as finished."),
    ]


def _vacation(rules: Rules) -> list[str]:
    if not rules.vacation_days:
        return [_("This club has no vacations.")]
    return [
        _("Everyone has %(days)s of vacation a season, announced on the ladder’s page, all at once or in parts.")
        % {"days": days(rules.vacation_days)},
        _("Meanwhile their place is held, and no one can challenge them."),
        _(
            "A challenge to them waits that much longer for their answer. If they were only asked to a table besides "
            "the challenged, it doesn’t wait, but they don’t give way. Games in progress go on, with their clocks and "
            "deadlines."
        ),
    ]


def _join(rules: Rules) -> str:
    if rules.stewards_add:
        return _("Stewards put members on the ladder, at the bottom; these can leave it at any time.")
    if rules.members_join:
        return _("New members of the club are put on the ladder at once, at the bottom, and can leave it at any time.")
    return _("Every member of the club can join the ladder, at the bottom, and leave it at any time.")


def _leave(rules: Rules) -> list[str]:
    return [
        _join(rules),
        _(
            "Players who leave the ladder or the club can finish their games, but these no longer count for the "
            "ladder. The challenges they made count as withdrawn, and those by others are void. Players who come back "
            "start at the bottom."
        ),
        *_without(rules),
    ]


def _without(rules: Rules) -> list[str]:
    """What happens to a larger table when one of its players leaves the ladder."""
    if max(rules.sizes) < 3:
        return []
    return [
        _(
            "But a game of three or four, once agreed, still counts for the others, as if those who left hadn’t been "
            "in it. If it isn’t over in time, those who left are at fault too. If the challenger leaves before it "
            "has started, it counts as withdrawn."
        )
    ]


def _season(rules: Rules) -> list[str]:
    told = [
        ngettext(
            "A season lasts %(weeks)d week. Its final table stays in the archive.",
            "A season lasts %(weeks)d weeks. Its final table stays in the archive.",
            rules.season_weeks,
        )
        % {"weeks": rules.season_weeks},
        _("The next one starts right away.")
        if rules.season_follows
        else _("The next one starts when a steward starts it."),
        _("While no season is running, no one can be challenged, games that end don’t count, and no one sinks."),
        _(
            "Stewards can move the end of a season, and pause the ladder: then no one can be challenged or sinks, "
            "deadlines wait, and the season ends that much later. Agreed games can be played."
        ),
    ]
    told.append(
        _(
            "A new season starts halfway between the old order and the order of its ratings. Players with fewer "
            "than %(games)d games in the old season keep their rung."
        )
        % {"games": ladder.ENOUGH}
        if rules.soft_reset
        else _("A new season starts with the order in which the last one ended.")
    )
    return told


def _stewards() -> list[str]:
    return [
        _("Stewards set these rules; changes apply from then on."),
        _("They can undo a result or another change, correct who stands where, and reorder the ladder."),
        _(
            "Undoing and correcting need a reason, and so does reordering while a season is running. All of it is "
            "listed among the ladder’s events, for everyone to see, and whoever it moves is told."
        ),
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
    return example(_("E beats B: E moves to just above B."), ORDER, ladder.leapfrog(ORDER, E, B), [B, E])


def _lift() -> Example:
    after = ladder.lift(ORDER, {F: 1, B: 2, D: 3})
    text = _(
        "F comes first, B second, D third: F moves to just above B, the highest player they beat. "
        "B beat D, but was already above."
    )
    return example(text, ORDER, after, [B, D, F])


def _sinking() -> Example:
    first = ladder.sink(ORDER, D, {C, D})
    text = _("C and D are idle: D sinks by one rung, then C. They don’t pass each other.")
    return example(text, ORDER, ladder.sink(first, C, {C, D}), [C, D])


def _reset() -> Example:
    ratings = {A: 1500.0, B: 1600.0, C: 1550.0, D: 1480.0, E: 1700.0, F: 1400.0}
    text = _("By rating they’re E, B, C, A, D, F. The season starts with the mean of both orders.")
    return example(text, ORDER, ladder.soft_reset(ORDER, ratings, dict.fromkeys(ORDER, ladder.ENOUGH)), [])
