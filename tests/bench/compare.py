"""What a change costs or saves: two checkouts under the same load, in alternating rounds.

    python -m tests.bench.compare --before ../before --start real
    python -m tests.bench.compare --before ../before --start embedded saturation idle
    python -m tests.bench.compare --before ../before --start real --server daphne --rounds 5 rate

Each round starts the site of each checkout anew, by its own .venv and with fresh data, and lets the people of
`tests.bench.load` of this checkout do the same at both; only one site runs at a time. Which of the two comes first
changes from round to round. Printed are the medians of the rounds, and the median of the ratios within a round.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from statistics import median

from tests.bench.load import Figures, options_of, run
from tests.bench.start import KINDS, ROOT, started


def measure(root: Path, options: argparse.Namespace) -> Figures:
    """The figures of one site, named by run and what was measured. Raises RuntimeError if anything went wrong."""
    with started(options.start, root, options.server, english=options.english) as site:
        found, faults = asyncio.run(run(site, options))
    if faults:
        raise RuntimeError(f"{root}: " + "\n".join(faults[:20]))
    return {f"{what}: {name}": value for what, figures in found.items() for name, value in figures.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options_of(parser)
    parser.add_argument("--before", type=Path, required=True, help="the other checkout")
    parser.add_argument("--now", type=Path, default=ROOT, help="by default the checkout of this file")
    parser.add_argument("--start", choices=KINDS, default="real", help="the sites (default: %(default)s)")
    parser.add_argument("--alternate", type=int, default=3, help="rounds, each with both sites (default: %(default)s)")
    options = parser.parse_args()
    options.people, options.rounds = "", 1
    roots = {"before": options.before.resolve(), "now": options.now.resolve()}
    rounds: dict[str, list[Figures]] = {side: [] for side in roots}
    for number in range(options.alternate):
        for side in sorted(roots, reverse=number % 2 == 1):
            print(f"\nRound {number + 1}, {side}: {roots[side]}", flush=True)
            rounds[side].append(measure(roots[side], options))
    print(f"\n{'before':>12}{'now':>12}{'ratio':>9}  (medians of {options.alternate} rounds)")
    for name in rounds["before"][0]:
        pairs = [(before[name], now[name]) for before, now in zip(*rounds.values(), strict=True) if name in now]
        ratios = [now / before for before, now in pairs if before]
        if pairs:
            before, now = (median(side) for side in zip(*pairs, strict=True))
            print(f"{before:12.3f}{now:12.3f}{median(ratios) if ratios else float('nan'):9.3f}  {name}")


if __name__ == "__main__":
    sys.exit(main())
