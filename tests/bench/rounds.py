"""How long moves and pages of others take while a round of a large tournament begins.

.venv/bin/python -m tests.bench.rounds --entrants 200 --rounds 4

A Swiss tournament; its games are not played, but given their ends. `BIBLIOS_ATTACKED` is the checkout whose site is
measured, by default this one.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.passwords import Watch, played
from tests.bench.tables import Tally
from tests.security.attacks import outside

CUP = "/c/cup/tournaments/1"
GIVEN = """
import datetime, random
from django.db import transaction
from django.utils import timezone
from accounts.models import Club, Member, User
from games.engine.registry import title
from games.ladders import events as ladders
from games.matches import finish
from games.matches.clocks import ms_of
from games.matches.models import Match
from games.tournaments import contests, events, playing, services
from games.tournaments.models import Tournament
now = timezone.now()
"""
OPENED = """
steward = User.objects.get(username="carol")
club = Club.objects.create(slug="cup", name="A club with a cup")
Member.objects.create(club=club, user=steward, role="steward", joined_at=now)
ladders.create(club, None)
terms, plan = services.GameTerms(seats={seats}), contests.Plan(rounds=15)
cup = contests.create(club, steward, Tournament.Kind.SWISS, "Cup", terms, plan, now, game=title())
for number in range({entrants}):
    user = User.objects.create_user("entrant%d" % number)
    Member.objects.create(club=club, user=user, joined_at=now)
    services.enter(cup, user, now)
"""
ENDED = """
cup = Tournament.objects.get()
for table in events.standing(cup).rounds[-1].tables:
    with transaction.atomic():
        match = Match.objects.seated().get(key=table.match)
        places = random.sample(range(1, match.places + 1), match.places)
        result = {"places": places, "points": [9 - place for place in places], "winners": [places.index(1)]}
        result["category_winners"] = [None] * 5
        finish.close(match, Match.Status.FINISHED, ms_of(now), result)
        playing.ended(match)
"""


async def measure(site: outside.Site, entrants: int, seats: int, rounds: int, at_least_s: float) -> None:
    steward = await asyncio.to_thread(site.player, "carol")
    filled = OPENED.replace("{entrants}", str(entrants)).replace("{seats}", str(seats))
    await asyncio.to_thread(site.manage, "shell", "--no-imports", "-c", GIVEN + filled)
    tally = Tally()
    table = await played(site, tally)
    print("| | moves, ms: median, 95 %, longest | pages, ms | memory, MiB | it took, s |\n|---|---|---|---|---|")
    watch = Watch(site, tally)
    await asyncio.sleep(at_least_s)
    print(f"| nothing begins | {await watch.end()} | |", flush=True)
    for number in range(rounds):
        if number:
            await asyncio.to_thread(site.manage, "shell", "--no-imports", "-c", GIVEN + ENDED)
            await asyncio.sleep(at_least_s / 2)
        watch = Watch(site, tally)
        form = f"{CUP}/next" if number else f"{CUP}/begin"
        answer = await asyncio.to_thread(steward.post, form, rounds=str(number))
        lasted = time.perf_counter() - watch.began
        assert answer.status == 200 and "cup" in answer.path, answer.text
        await asyncio.sleep(max(0, at_least_s - lasted))
        print(f"| round {number + 1} begins | {await watch.end()} | {lasted:.1f} |", flush=True)
    assert not tally.faults, tally.faults
    table.playing.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=200)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--at-least", type=float, default=4, help="seconds for which each beginning is watched")
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder, outside.running(Path(folder), BIBLIOS_LOG_LEVEL="CRITICAL") as site:
        asyncio.run(measure(site, wanted.entrants, wanted.seats, wanted.rounds, wanted.at_least))


if __name__ == "__main__":
    main()
