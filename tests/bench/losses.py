"""Whether answers cost what a review says: `python -m tests.bench.losses [--game biblios] [--players 2] [--by strong]`.

Games of the title's usual bot are judged. Where a better answer is clear, both are played on to the end in
the same positions that the view allows, all seats by one bot (`--by`). Printed are what was stated and what was found,
with intervals of 95 in 100. `--random .1` makes so many of the answers at random, so that there are large losses too.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

from games.engine.bots import play_out
from games.engine.core import Bot, Expert, Game, Seat, State
from games.engine.registry import title, titles
from games.engine.verdicts import DecisionVerdict, dealt, verdict

Loss = tuple[float, float]
"""What was stated, and what was found, in parts of the win."""


def won(state: State, seat: Seat) -> float:
    """A seat's part of the win."""
    places = state.places()
    return (places[seat] == 1) / places.count(1)


def found(game: Game, state: State, told: DecisionVerdict, by: Bot, pairs: int, rng: Random) -> float:
    """How much more the better answer brings, on average over so many positions that the view allows."""
    view, more = state.view(told.seat), []
    for _ in range(pairs):
        start, seed, ends = dealt(game, view, rng), rng.random(), []
        for text in (told.better, told.made):
            after = start.copy()
            after.play(game.move(text))
            play_out(after, [by] * len(after.scores()), Random(seed))
            ends.append(won(after, told.seat))
        more.append(ends[0] - ends[1])
    return fmean(more)


def losses(game: Game, expert: Expert, number: int, given: argparse.Namespace) -> list[tuple[str, Loss]]:
    """For each clear decision of one game, the first words of both answers, and the loss."""
    rng = Random(f"losses {number}")
    state = game.start(given.players, rng.randbytes(32))
    bot, by, told = game.bots[game.bot], game.bots[given.by], []
    ply = 0
    while not state.over:
        view = state.view(state.seat)
        forced = state.forced()
        if forced is not None or len(view.legal) == 1:
            move = view.legal[0] if forced is None else forced
        else:
            move = rng.choice(view.legal) if rng.random() < given.random else bot(view, rng)
            it = verdict(game, expert, view, move, f"losses {number}", ply)
            if it.better != it.made and it.clear:
                kind = f"{it.better.split()[0]} > {it.made.split()[0]}"
                told.append((kind, (it.loss / 1000, found(game, state, it, by, given.pairs, rng))))
        state.play(move)
        ply += 1
    return told


def show(name: str, of: Sequence[Loss]) -> None:
    """One line."""
    stated, seen = fmean([a for a, _ in of]), [b for _, b in of]
    error = f" ± {1.96 * stdev(seen) / sqrt(len(seen)):.3f}" if len(seen) > 1 else ""
    print(f"{name:30} {len(of):5}  stated {stated:.3f}  found {fmean(seen):.3f}{error}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=[game.slug for game in titles()], default="biblios")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--by", default="strong", help="the bot that plays on")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=8, help="positions in which each decision is played on")
    parser.add_argument("--random", type=float, default=0.0)
    given = parser.parse_args()
    game = title(given.game)
    expert = game.expert(given.players, game.options())
    if expert is None:
        parser.error(f"nothing judges {given.game} with {given.players}")
    of = defaultdict(list)
    for number in range(given.games):
        for kind, loss in losses(game, expert, number, given):
            of[kind].append(loss)
    for kind in sorted(of):
        show(kind, of[kind])
    show("all", [loss for each in of.values() for loss in each])


if __name__ == "__main__":
    main()
