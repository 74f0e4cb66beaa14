"""The pages of a ladder in every look."""

from django.utils import timezone

from games.ladders import challenges, events
from games.ladders.terms import Terms
from games.matches.clocks import ms_of
from tests.clubs.clubs import DAILY, DAY, club_of, met
from tests.e2e.axe import in_every_look
from tests.e2e.tables import signed_in
from tests.people import person


def test_the_pages_of_a_ladder_are_open_to_everybody_in_every_look(visitor, site):
    now = timezone.now()
    people = [f"Walafrid-von-{number:02}" for number in range(1, 31)]
    ladder = club_of(*people[:9], "ann", *people[9:], now=now - 5 * DAY)
    met(ladder, people[3], people[1], now=now - DAY)
    # The widest day of the week.
    wednesday = now + ((2 - now.weekday()) % 7 or 7) * DAY
    events.vacation(ladder, person(people[7]), now - DAY, wednesday, now - DAY)
    challenges.challenge(ladder, person(people[10]), [person("ann")], DAILY, now - DAY)
    times = Terms(times=(ms_of(now + DAY), ms_of(now + 2 * DAY)))
    made = challenges.challenge(ladder, person(people[11]), [person("ann"), person(people[9])], times, now)
    challenges.challenge(ladder, person("ann"), [person(people[8])], Terms(), now)
    address = ladder.get_absolute_url()
    paths = [address, f"{address}/rules", made.get_absolute_url(), f"{address}/challenge?to={people[6]}"]
    found = {}
    for name in ("ann", ""):
        page = visitor(reduced_motion="reduce")
        if name:
            signed_in(page, site, name)
        for path in paths:
            page.goto(site + path)
            found[name, path] = in_every_look(page) + page.complaints
    assert {where: faults for where, faults in found.items() if faults} == {}
