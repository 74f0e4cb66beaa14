"""The columns that a value reads: a situation in numbers, each with a name.

Nothing counts in Biblios but through a die or through gold, so the columns hold no totals and no numbers of cards: a
card is in them only by what it does to the chance to win its die. Columns are whole numbers, SCALE for 1, and all
steps towards them are sums, products, quotients and square roots, so they are the same on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from math import erf, sqrt

from games.engine.biblios.beliefs import SAMPLES
from games.engine.biblios.cards import CATEGORIES
from games.engine.biblios.situation import SeatSituation

SCALE = 1024
STEPS = 32
"""The table of the normal distribution has so many entries for one standard deviation."""
FAR = 4 * STEPS
NORMAL = [round(10000 * (0.5 + 0.5 * erf(i / STEPS / sqrt(2)))) / 10000 for i in range(-FAR, FAR + 1)]


def below(z: float) -> float:
    """The chance that a normal number is below z."""
    step = int(z * STEPS + FAR + 0.5)
    return NORMAL[0 if step < 0 else step if step <= 2 * FAR else 2 * FAR]


@cache
def names(seats: int) -> tuple[str, ...]:
    """The names of the columns, in order; seat 0 is the one that looks."""
    owners = range(1 if seats == 2 else seats)
    columns = []
    for c in CATEGORIES:
        columns += [f"die {c}", f"contested {c}"]
        columns += [f"points {c} of {i}" for i in owners]
        columns += [f"chance {c}", f"points {c} now", f"put {c}", f"put {c} contested"]
    for i in range(seats):
        columns += [f"gold of {i} to spend", f"gold of {i} while lots last"]
    columns += ["gold put", "gold in the pile", "church up", "church down", "church up mine", "church down mine"]
    columns += ["deck", "pile", "contested in the pile", "gift phase"]
    columns += [f"points of {i}" for i in owners]
    for i in range(1, seats):
        columns += [
            f"ahead of {i}",
            f"chance against {i}",
            f"chance against {i} now",
            f"more gold than {i} while lots last",
        ]
    return tuple(columns)


@cache
def table(seats: int) -> str:
    """Names the table of columns: weights belong to one table."""
    return hashlib.sha256(f"{SCALE} {SAMPLES} {names(seats)}".encode()).hexdigest()[:16]


class Forecast:
    """What a situation leads to, by the cards that are expected: who wins which die, and who has how much gold."""

    __slots__ = ("chances", "gold", "gold_spread", "now")

    chances: list[list[float]]
    """By category and seat, the chance to win the die in the end."""
    now: list[list[float]]
    """The same if no card came any more."""
    gold: list[float]
    gold_spread: list[float]
    """By seat, the variance of its gold."""

    def __init__(self, of: SeatSituation) -> None:
        seats = of.seats
        kept, evenly, pool = of.kept, of.evenly, of.pool
        takers = of.takers
        share = 1.0 / len(takers) if takers else 0.0
        hidden = of.hidden
        self.gold = [float(gold) for gold in of.gold]
        self.gold_spread = [0.0] * seats
        believed = of.believed
        for i in range(1, seats):
            if not of.cards[i]:
                self.gold[i] = 0.0
                continue
            if believed:
                belief = believed[i]
                self.gold[i] = max(0.0, self.gold[i] + belief.gold - of.owed[i])
                self.gold_spread[i] = belief.gold_spread
                continue
            number = hidden[i]
            expected = number * kept.gold - of.owed[i]
            least = 0.25 * min(number, of.cards[i])
            self.gold[i] += expected if expected > least else least
            self.gold_spread[i] = number * (kept.gold_square - kept.gold * kept.gold)
        keep, give, put = of.open_
        # Cards as usual will come to the places that are still open in my turn.
        self.gold[0] += keep * kept.gold
        for i in takers:
            self.gold[i] += share * (of.space_gold + give * evenly.gold)

        coming = of.deck / (seats + 1)
        self.chances, self.now = [], []
        others = range(1, seats)
        for category in range(5):
            mean = kept.means[category]
            spread = kept.squares[category] - mean * mean
            to_come = coming * evenly.squares[category]
            to_come += ((of.piled + put) * pool.squares[category] + of.put_squares[category]) / seats
            totals = [of.totals[0][category] + keep * mean]
            spreads = [0.025 + keep * spread]
            for i in others:
                there = of.cards[i] > 0
                if believed:
                    more, doubt = believed[i].totals[category], believed[i].spreads[category]
                else:
                    more, doubt = hidden[i] * mean, hidden[i] * spread
                totals.append((of.totals[i][category] + more) * there)
                spreads.append(0.025 + doubt * there)
            for i in takers:
                totals[i] += share * (of.space[category] + give * evenly.means[category])
                spreads[i] += (
                    share * give * evenly.squares[category] + share * (1.0 - share) * of.space_squares[category]
                )
            letters = [hand[category] for hand in of.letters]
            now = _winners(totals, spreads, letters, 0.0)
            self.now.append(now)
            self.chances.append(_winners(totals, spreads, letters, 2 * to_come) if to_come else now)


def _winners(totals: Sequence[float], spreads: Sequence[float], letters: Sequence[int], more: float) -> list[float]:
    """By seat, the chance to have the highest total, then the letter nearest to A."""
    seats = len(totals)
    if seats == 2:
        edge = 0.5 if letters[0] < letters[1] else -0.5 if letters[0] > letters[1] else 0.0
        chance = below((totals[0] - totals[1] + edge) / sqrt(spreads[0] + spreads[1] + more))
        return [chance, 1.0 - chance]
    chances = [1.0] * seats
    for i in range(seats):
        for j in range(i + 1, seats):
            edge = 0.5 if letters[i] < letters[j] else -0.5 if letters[i] > letters[j] else 0.0
            chance = below((totals[i] - totals[j] + edge) / sqrt(spreads[i] + spreads[j] + more))
            chances[i] *= chance
            chances[j] *= 1.0 - chance
    whole = sum(chances) or 1.0
    return [chance / whole for chance in chances]


def columns(of: SeatSituation, forecast: Forecast | None = None) -> list[int]:
    """The situation in numbers, in the order of `names`."""
    forecast = forecast or Forecast(of)
    seats, dice = of.seats, of.dice
    owners = range(1 if seats == 2 else seats)
    row: list[float] = []
    points = [0.0] * seats
    points_now = [0.0] * seats
    spreads = [0.0] * seats
    spreads_now = [0.0] * seats
    pooled = 0.0
    for category in range(5):
        die = dice[category]
        chances, now = forecast.chances[category], forecast.now[category]
        mine = chances[0]
        contested = mine * (1.0 - mine) * die
        put = of.put[category]
        pooled += contested * (put + of.piled * of.pool.means[category])
        row += [die / 6, contested / 1.5]
        for i in range(seats):
            points[i] += chances[i] * die
            points_now[i] += now[i] * die
        for i in range(1, seats):
            ahead, ahead_now = mine - chances[i], now[0] - now[i]
            spreads[i] += die * die * (mine + chances[i] - ahead * ahead)
            spreads_now[i] += die * die * (now[0] + now[i] - ahead_now * ahead_now)
        row += [chances[i] * die / 6 for i in owners]
        row += [mine, now[0] * die / 6, put * die / 24, put * contested / 6]
    lots = of.piled + of.open_[2] + of.put_cards + of.deck / (seats + 1)
    lasting = lots / (lots + 8.0)
    gold = forecast.gold
    for i in range(seats):
        row += [min(gold[i], 2 * lots) / 10, gold[i] * lasting / 10]
    row += [of.put_gold / 6, (of.put_gold + of.piled * of.pool.gold) / 10]
    upward = of.up - of.down
    favour = sum([(2 * forecast.chances[category][0] - 1) for category in range(5)])
    row += [of.up / 4, of.down / 4, upward * favour / 8, (of.up + of.down) * points[0] / 40]
    row += [of.deck / 66, lots / 24, pooled / 20, float(of.deck > 0)]
    row += [points[i] / 10 for i in owners]
    for i in range(1, seats):
        ahead = points[0] - points[i]
        more_gold = (gold[0] - gold[i]) / sqrt(forecast.gold_spread[i] + 1.0)
        tie = 0.5 * (1.0 if more_gold > 1 else -1.0 if more_gold < -1 else more_gold)
        row += [
            ahead / 10,
            below((ahead + tie) / sqrt(spreads[i] + 0.3)),
            below((points_now[0] - points_now[i] + tie) / sqrt(spreads_now[i] + 0.3)),
            (below(more_gold) - 0.5) * lasting,
        ]
    return [int(number * SCALE) for number in row]
