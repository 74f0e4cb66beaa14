"""Judge one decision of a game again, or what chance did in it: the same numbers on any machine."""

from pathlib import Path
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError

from games.analysis import services
from games.analysis.models import Analysis, JudgedDecision
from games.engine import record
from games.engine.core import RulesError
from games.engine.judging import Case, is_decision
from games.engine.luck import luck_of
from games.engine.verdicts import WHOLE, DecisionVerdict, Measured, version_of
from games.matches import access, history


class Command(BaseCommand):
    help = (
        "Judge the decision after PLY rows of a game's log, by what its player knew, and print what its review says of "
        "it; without PLY, what chance brought each seat. The game is one of this site, or a record in a file. "
        "docs/analysis.md tells what the numbers are."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", metavar="KEY|FILE.json", help="the key of a match, or a record")
        parser.add_argument("ply", metavar="PLY", nargs="?", help="as in the address of the position in the review")

    def handle(self, *, game: str, ply: str | None, **_: Any) -> None:
        case, plies = from_file(Path(game)) if Path(game).suffix == ".json" else from_site(game)
        if ply is None:
            self.tell_luck(case, case.key or game)
        else:
            self.tell_decision(case, plies, ply, game)

    def tell_luck(self, case: Case, name: str) -> None:
        """What chance did in the whole game."""
        version = version_of(case.expert)
        self.stdout.write(f"{case.game.slug} {name}, by {version}: what chance brought, and its standard error")
        found = luck_of(case)
        for seat, luck in enumerate(found):
            self.stdout.write(f"{f'seat {seat}':>12}: {written(luck)}")
        if not found:
            self.stdout.write("nothing says it of this game")
        stored = Analysis.objects.filter(match__key=case.key, version=version, status=Analysis.Status.DONE).first()
        if stored is not None and (kept := stored.courses.get("luck")):
            self.compare([Measured(*it) for it in kept] == found)

    def compare(self, same: bool) -> None:
        """Say whether a review has the same numbers."""
        self.stdout.write("the review has the same numbers" if same else "THE REVIEW HAS OTHER NUMBERS")

    def tell_decision(self, case: Case, plies: list[int], ply: str, game: str) -> None:
        """What an answer was worth."""
        number = next((number for number, row in enumerate(plies) if str(row) == ply), None)
        if number is None:
            raise CommandError(f"row {ply} of the log is no move; it has {len(plies)} of them")
        [(_number, state)] = case.positions([number])
        if not is_decision(state):
            raise CommandError(f"there was nothing to decide after {ply} rows: only one answer was possible")
        try:
            found = next(case.verdicts([number]), None)
        except RulesError as error:
            raise CommandError(f"this position contradicts the rules: {error}") from error
        if found is None:
            raise CommandError(
                f"what was known after {ply} rows agrees with no deal: the cards were dealt again before"
            )
        version = version_of(case.expert)
        self.stdout.write(f"{case.game.slug} {case.key or game}, after {ply} rows: seat {found.seat}, by {version}")
        for line in lines(found):
            self.stdout.write(line)
        stored = JudgedDecision.objects.filter(analysis__match__key=case.key, analysis__version=version, ply=ply)
        if (row := stored.first()) is not None:
            self.compare(DecisionVerdict.read(row.figures) == found)


def lines(found: DecisionVerdict) -> list[str]:
    """What the verdict says, as a small table."""
    rows = [f"played {found.made}" + (f", better {found.better}" if found.better != found.made else ", nothing better")]
    for name, worth in zip(("first value", "second value"), found.worths, strict=True):
        made, better, loss = map(written, worth)
        rows.append(f"{name:>12}: played {made}, better {better}, difference {loss}")
    rows.append(f"clear: {'yes' if found.clear else 'no'}; loss {found.loss / 1000:.3f}")
    if found.reason:
        rows.append(" ".join(map(str, ("reason:", found.reason.code, *found.reason.facts))))
    return rows


def written(measured: Measured) -> str:
    return f"{measured.mean / WHOLE:.4f} ± {measured.error / WHOLE:.4f}"


def from_site(key: str) -> tuple[Case, list[int]]:
    """A match of this site, and the row of the log of each move."""
    match = access.find(key)
    if match is None:
        raise CommandError(f"there is no match {key}, and no file of that name that ends with .json")
    try:
        if why := services.refusal(match):
            raise CommandError(why)
        replay = history.replay(match)
    except RulesError as error:
        raise CommandError(f"the game cannot be replayed: {error}") from error
    expert = services.expert_of(match)
    assert expert is not None
    rows = [(ply, row) for ply, row in enumerate(replay.rows) if not row.is_event]
    moves = [match.rules.move(row.move) for _ply, row in rows]
    return Case(match.rules, expert, replay.states[0], moves, match.key), [ply for ply, _row in rows]


def from_file(path: Path) -> tuple[Case, list[int]]:
    """A record in a file, and the row of the log of each move: without events, its number."""
    try:
        found = record.read(path.read_bytes())
        _end, moves = found.replay()
    except OSError as error:
        raise CommandError(f"cannot read {path}: {error.strerror}") from error
    except RulesError as error:
        raise CommandError(f"{path}: {error}") from error
    expert = found.game.expert(len(found.players), found.start.options)
    if expert is None:
        raise CommandError("for this game and its table options there is nothing that could judge decisions")
    try:
        events = sorted(int(event["ply"]) for event in found.document.get("events", ()))
        key = str(found.document.get("match", ""))
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise CommandError(f"{path}: its events have no plies") from error
    plies = [ply for ply in range(len(moves) + len(events)) if ply not in events][: len(moves)]
    return Case(found.game, expert, found.start, moves, key), plies
