"""A ladder to which everything has happened, and what one reads of it."""

import re

from django.db import transaction

from accounts.clubs import clubs
from accounts.models import Member
from games.ladders import at_table, challenges, events, leaving
from games.ladders.rules import Rules
from games.ladders.terms import Terms
from games.lobby import open_matches
from games.matches import finish
from games.matches.clocks import ms_of
from games.matches.models import Match
from tests.clubs.clubs import DAILY, DAY, START, agreed, club_of, met, until
from tests.ladders.ladder_pages import HOUR
from tests.people import person


def everything():
    """A ladder to which everything has happened that can happen to one."""
    ann = person("ann", email="ann@example.org")
    ladder = club_of("ann", "bob", "dan", "eve", "fay", "gus", rules=Rules(most_late=1, at_table=True))
    met(ladder, "bob", "ann", now=START)
    met(ladder, "eve", "dan", "fay", places=(1, 2, 2), now=START + HOUR)
    met(ladder, "gus", "fay", places=(1, 2), late=("fay",), now=START + 2 * HOUR)
    events.back(ladder, person("fay"), START + 4 * HOUR)
    challenge = challenges.challenge(ladder, person("dan"), [person("ann")], DAILY, START + DAY)
    challenges.decline(challenge, ann, START + DAY)
    for taken_back in (True, False):
        made = challenges.challenge(ladder, person("gus"), [person("eve")], DAILY, START + DAY)
        if taken_back:
            challenges.withdraw(made, person("gus"), START + DAY)
    until(ladder, START + 5 * DAY)
    midnight = START - 9 * HOUR
    events.vacation(ladder, person("dan"), midnight + 6 * DAY, midnight + 9 * DAY, START + 5 * DAY)
    events.back(ladder, person("dan"), START + 7 * DAY)
    missed = agreed(ladder, "gus", "dan", "bob", now=START + 7 * DAY, terms=Terms())
    for hours in (1, 2, 25, 26):  # two days on which dan comes to the table, and bob an hour later
        opened = START + 7 * DAY + hours * HOUR
        open_matches.close_idle(opened)
        missed.refresh_from_db()
        challenges.open_room(missed, person("dan" if hours % 2 else "bob"), opened)
    open_matches.close_idle(START + 9 * DAY)
    aborted = agreed(ladder, "eve", "dan", now=START + 9 * DAY)
    with transaction.atomic():
        finish.abort(Match.objects.get(challenge=aborted), ms_of(START + 9 * DAY))
    until(ladder, START + 30 * DAY)
    events.back(ladder, person("gus"), START + 30 * DAY)
    events.order(ladder, ann, [person("fay").pk], START + 31 * DAY, reason="They were forgotten.")
    events.correct(ladder, ann, person("bob").pk, 1, "Was here <b>first</b>.", START + 32 * DAY)
    events.undo(ladder, ann, 8, "They had agreed to play again.", START + 33 * DAY)
    with transaction.atomic():
        clubs.expel(ladder.club, ann, person("gus"), "Shouted at people.", START + 34 * DAY)
    leaving.leave(ladder, person("fay"), START + 35 * DAY)
    for name in ("hal", "ivo"):
        Member.objects.create(club=ladder.club, user=person(name), joined_at=START)
    events.add(ladder, ann, [person("hal"), person("ivo")], START + 35 * DAY)
    day = (START + 34 * DAY).date()
    finished = [at_table.Finished(person("dan"), 1, 31), at_table.Finished(person("eve"), 2, 28)]
    at_table.confirm(
        at_table.enter(ladder, person("dan"), finished, day, START + 35 * DAY), person("eve"), START + 35 * DAY
    )
    events.move_end(ladder, ann, START + 91 * DAY, START + 35 * DAY)
    events.pause(ladder, ann, START + 39 * DAY, START + 35 * DAY)
    events.resume(ladder, ann, START + 35 * DAY + HOUR)
    events.end_season(ladder, ann, START + 36 * DAY)
    ladder.refresh_from_db()
    return ladder


def numbers(response) -> list[int]:
    """The numbers of the events on a page."""
    return [int(number) for number in re.findall(r'<li class="event[^"]*" id="e(\d+)"', response.content.decode())]
