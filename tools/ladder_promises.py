"""Whether a ladder holds what it promises about challenges that nobody plays: made-up seasons through the services of
the site, each event compared with the promises.

Whoever goes down was challenged by name and did not answer, or had agreed and did not come. Nobody goes up by more
rungs than there are of them, and all together by no more than these lose, as the rules bound it.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random

from accounts.clubs.clubs import free_slug
from accounts.models import Club, Member, User
from accounts.web.refused import Refused
from games.ladders import audit, challenges, due, events
from games.ladders.models import Challenge, Ladder, LadderEvent
from games.ladders.payloads import Declined, Overdue, Unanswered, Voided, Withdrawn
from games.ladders.rules import Rules
from games.ladders.terms import Terms
from games.matches.models import Match
from tools.pairing_promises import BrokenPromise
from tools.simulated_season import people

DAY = timedelta(days=1)
DAYS = 40
"""The length of a season."""
FRIENDS, NOBODY, ASKED = "three friends decline", "nobody answers", "the challenged agrees, others never answer"
SCENARIOS = (FRIENDS, NOBODY, ASKED)


def check_season(scenario: str, chance: Random, now: datetime) -> Counter[str]:
    """Let people challenge each other for a season in which others behave like this; returns what happened. Raises
    BrokenPromise. Belongs into a transaction that is rolled back."""
    everybody = people(chance, chance.randint(5, 12))
    club = Club.objects.create(name="Promises", slug=free_slug("Promises"))
    for one in everybody:
        role = Member.Role.STEWARD if one == everybody[0] else Member.Role.MEMBER
        Member.objects.create(club=club, user=one, role=role, joined_at=now)
    ladder = events.create(club)
    rules = Rules(forfeit=chance.randint(1, 4), most_late=20, idle_days=365, rest_days=chance.choice((0, 3)))
    for one in everybody:
        events.join(ladder, one, now)
    events.set_rules(ladder, everybody[0], rules, now)
    events.start_season(ladder, everybody[0], now)
    friends = {one.pk for one in chance.sample(everybody, 3)}
    began = events.locked(ladder).now_standing().order
    told = Counter[str]()
    for _day in range(DAYS):
        now += DAY
        while due.do_next(ladder, now):
            pass
        ladder.refresh_from_db()
        told["challenges"] += challenge_somebody(ladder, everybody, friends, scenario, chance, now)
        answer_all(ladder, friends, scenario, now)
    for event in ladder.log.order_by("number"):
        check_event(event, rules)
        told[event.kind] += event.kind in WITHOUT_GAME
    ladder.refresh_from_db()
    if scenario != NOBODY and ladder.now_standing().order != began:
        raise BrokenPromise(f"{scenario}: nobody was silent who was challenged, but the ladder has moved")
    told["replaced"] += sum(len(passed) for passed in ladder.challenges.values_list("passed", flat=True))
    audit.check(ladder)
    return told


WITHOUT_GAME = {Unanswered.kind, Declined.kind, Overdue.kind, Voided.kind, Withdrawn.kind}


def check_event(event: LadderEvent, rules: Rules) -> None:
    """Raises BrokenPromise if a challenge that was not played has moved somebody whom it must not."""
    match event.payload:
        case Unanswered(other=other) | Declined(other=other):
            named = {other}
        case Overdue(late=late, player=player):
            named = set() if player in late else {*late}
        case Voided() | Withdrawn():
            named = set()
        case _:
            return
    down = {int(one): after - before for one, (before, after) in event.steps.items() if after > before}
    up = {int(one): before - after for one, (before, after) in event.steps.items() if after < before}
    if strangers := down.keys() - named:
        raise BrokenPromise(f"event {event.number} ({event.kind}) put {strangers} down, who had done nothing")
    if max(up.values(), default=0) > len(named) or sum(up.values()) > rules.forfeit * len(named):
        raise BrokenPromise(f"event {event.number} ({event.kind}) gave too many rungs without a game: {up}")


def challenge_somebody(
    ladder: Ladder, everybody: list[User], friends: set[int], scenario: str, chance: Random, now: datetime
) -> bool:
    """One of them, a friend of the three in that scenario, challenges somebody to a table, as large as it may be."""
    order = ladder.now_standing().order
    by_id = {one.pk: one for one in everybody}
    me = chance.choice(order[1:])
    above = [one for one in order[: order.index(me)] if scenario != FRIENDS or one not in friends]
    for seats in chance.sample((2, 3, 4), 3):
        for other in chance.sample(above, len(above)):
            with suppress(Refused):
                challenges.challenge(ladder, by_id[me], [by_id[other]], Terms(), now, seats)
                return True
    return False


def answer_all(ladder: Ladder, friends: set[int], scenario: str, now: datetime) -> None:
    """Answer the open challenges as people do in this scenario; those who are drawn meanwhile, too."""
    if scenario == NOBODY:
        return
    for challenge in ladder.challenges.filter(status=Challenge.Status.OPEN):
        answered = True
        while answered:
            answered = False
            challenge.refresh_from_db()
            for party in challenge.parties.filter(agrees=False).select_related("user"):
                if challenge.status != Challenge.Status.OPEN:
                    break
                if party.number == 1 or (scenario == FRIENDS and party.user_id not in friends):
                    challenges.accept(challenge, party.user, now)
                elif scenario == FRIENDS:
                    challenges.decline(challenge, party.user, now)
                else:
                    continue
                answered = True
                break
        Match.objects.filter(challenge=challenge, status__in=Match.WAITING).update(status=Match.Status.CLOSED)
