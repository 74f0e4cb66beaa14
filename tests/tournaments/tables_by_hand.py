"""The tables of tournaments, counted a second time: from the rules as the pages tell them, and from a plain list of
rounds. Knows nothing of the site.

A tournament is a dict: `seats` (people at a table), `players` (ids, by their seeds), `left` (ids of those who have
withdrawn), `rounds`. A round is a dict: `tables`, `byes`, `halves` (byes that were asked for). A table is a dict:
`players`, `places` (none if it does not count), `points` (of the game; none if it did not come to that), `absent`.
A table of people is a list of (place, player, points, tie-breaks).
"""

from __future__ import annotations

from fractions import Fraction


def won(places, seats):
    """The points of a table: at one of two 2 for a win and 1 for a shared place, else 6 to 0 by place."""
    worth = [Fraction(6 * (len(places) - 1 - place), len(places) - 1) for place in range(len(places))]
    found = []
    for place in places:
        sharing = places.count(place)
        found.append(sum(worth[place - 1 : place - 1 + sharing]) / sharing)
    return [each / 3 for each in found] if seats == 2 else found


def swiss(cup):
    """By points, Buchholz, Sonneborn-Berger, points of the game."""
    draw, bye = (1, 2) if cup["seats"] == 2 else (3, 3)
    people, counted = cup["players"], [t for each in cup["rounds"] for t in each["tables"] if t["places"]]
    points, drawn, empty = ({player: Fraction(0) for player in people} for _ in range(3))
    for each in cup["rounds"]:
        for player in people:
            [at] = [t for t in each["tables"] if player in t["players"]] or [None]
            if at is not None and at["places"]:
                points[player] += won(at["places"], cup["seats"])[at["players"].index(player)]
                continue
            empty[player] += 1
            if player in each["byes"]:
                points[player] += bye
            elif player in each["halves"]:
                points[player] += draw
            elif at is None:
                drawn[player] += draw
    rival = {player: points[player] + drawn[player] for player in people}
    ties = {}
    for player in people:
        buchholz, sonneborn, game = points[player] * empty[player], Fraction(0), 0
        for at in counted:
            if player not in at["players"]:
                continue
            seat = at["players"].index(player)
            others = [other for other in range(len(at["players"])) if other != seat]
            buchholz += sum(rival[at["players"][other]] for other in others) / len(others)
            sonneborn += beaten(at, seat, rival) / len(others)
            game += at["points"][seat] if at["points"] else 0
        ties[player] = [buchholz, sonneborn, game]
    return ranked(people, points, ties)


def beaten(at, seat, worth):
    """The points of the rivals one has beaten, and half of those with whom one shared the place."""
    total = Fraction(0)
    for other, player in enumerate(at["players"]):
        if at["places"][seat] < at["places"][other]:
            total += worth[player]
        elif other != seat and at["places"][seat] == at["places"][other]:
            total += worth[player] / 2
    return total


def robin(cup, group=None):
    """By points, direct encounter, Sonneborn-Berger, points of the game. `group`: of a box league, the box."""
    people = group or cup["players"]
    played = {player: 0 for player in people}
    tables = [t for each in cup["rounds"] for t in each["tables"] if set(t["players"]) <= set(people)]
    for at in tables:
        for player in at["players"]:
            played[player] += bool(at["places"]) and player not in at["absent"]
    void = {player for player in cup["left"] if player in played and 2 * played[player] < len(people) - 1}
    tables = [at for at in tables if at["places"] and not void & set(at["players"])]
    points = {player: Fraction(0) for player in people}
    for at in tables:
        for player, gain in zip(at["players"], won(at["places"], 2), strict=True):
            points[player] += gain
    ties = {}
    for player in people:
        mine = [(at, at["players"].index(player)) for at in tables if player in at["players"]]
        level = [other for other in people if points[other] == points[player]]
        ties[player] = [
            met(level, tables).get(player),
            sum((beaten(at, seat, points) for at, seat in mine), Fraction(0)),
            sum(at["points"][seat] for at, seat in mine if at["points"]),
        ]
    return ranked(people, points, ties)


def met(level, tables):
    """What those who are level have won against each other; nothing unless each of them has met all the others."""
    among = [at for at in tables if set(at["players"]) <= set(level)]
    if len(level) < 2 or len({frozenset(at["players"]) for at in among}) < len(level) * (len(level) - 1) / 2:
        return {}
    gains = {player: Fraction(0) for player in level}
    for at in among:
        for player, gain in zip(at["players"], won(at["places"], 2), strict=True):
            gains[player] += gain / 2
    return gains


def ranked(people, points, ties):
    keys = {player: (points[player], *(each or 0 for each in ties[player])) for player in people}
    return sorted(
        ((1 + sum(keys[o] > keys[p] for o in people), p, points[p], ties[p]) for p in people), key=lambda row: row[0]
    )


def cup(knockout):
    """By the rounds that each has come through, then those who are still in. All its games must be over."""
    seeds, rounds = knockout["players"], {player: 0 for player in knockout["players"]}
    out = set(knockout["left"])
    for each in knockout["rounds"]:
        for at in each["tables"]:
            shares = [p for p, place in zip(at["players"], at["places"], strict=False) if place == 1] or at["players"]
            best = min(shares, key=seeds.index)
            rounds[best] += 1
            out |= set(at["players"]) - {best}
        for player in each["byes"]:
            rounds[player] += 1
    keys = {player: (rounds[player], player not in out) for player in seeds}
    return sorted((1 + sum(keys[o] > keys[p] for o in seeds), p, rounds[p], []) for p in seeds)


def same_deal(night):
    """By the mean of the percents: of each deal, by what those in the same seat have; a bye is 50."""
    percents = {}
    for each in night["rounds"]:
        for player in each["byes"]:
            percents.setdefault(player, []).append(Fraction(50))
        for seat in range(night["seats"]):
            scores = [(at["points"][seat], at["players"][seat]) for at in each["tables"] if at["points"]]
            for score, player in scores:
                below = sum(other < score for other, _player in scores)
                level = sum(other == score for other, _player in scores) - 1
                most = len(scores) - 1
                gain = Fraction(100 * (2 * below + level), 2 * most) if most else Fraction(50)
                percents.setdefault(player, []).append(gain)
    mean = {player: sum(each) / len(each) for player, each in percents.items()}
    return sorted((1 + sum(o > mean[p] for o in mean.values()), p, mean[p], []) for p in mean)
