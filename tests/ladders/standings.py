"""A ladder to test with, as the list of its events: no database."""

from dataclasses import fields

from accounts.journal.payload import read
from games.ladders.payloads import (
    Event,
    GameResult,
    JoinedLadder,
    RulesSet,
    SeasonBegun,
    TakenOff,
    Unanswered,
    Undone,
    Vacation,
)
from games.ladders.rules import DAY_MS, WEEK_MS
from games.ladders.standing import replay

ANN, BOB, DAN, EVE, FAY, GUS = range(1, 7)
SIX = (ANN, BOB, DAN, EVE, FAY, GUS)


def says(what, **data):
    """A payload of a class, with values for what the test does not care about."""
    blank = {
        **{"name": "", "names": [""] * len(data.get("players", ())), "challenge": 1, "match": "m", "link": ""},
        **{"late": [], "soon": [], "others": []},
    }
    names = {each.name for each in fields(what)}
    return read(what, {name: value for name, value in (blank | data).items() if name in names or name in data})


class Club:
    """A ladder whose events are written one after the other, at a time in days."""

    def __init__(self, *players, rules=None, season=True):
        self.events = []
        self.day = 0
        if rules:
            self.add(RulesSet, rules=rules.to_json())
        for player in players:
            self.add(JoinedLadder, player=player)
        if season:
            self.add(SeasonBegun, number=1, ends=12 * WEEK_MS)

    def add(self, what, day=None, **data):
        """One more event; its number."""
        self.day = self.day if day is None else day
        if what == SeasonBegun:
            data["rules"] = self.standing.rules.to_json()
        self.events.append(Event(len(self.events), round(self.day * DAY_MS), says(what, **data)))
        return len(self.events) - 1

    def result(self, *players, places=None, late=(), day=None):
        """A game of these players, in the order of their places."""
        places = places or range(1, len(players) + 1)
        return self.add(
            *(GameResult, day),
            **{"players": [*players], "places": [*places], "late": [*late], "soon": []},
        )

    def unanswered(self, challenger, challenged, day=None, kind=Unanswered):
        return self.add(kind, day, player=challenger, other=challenged)

    def undo(self, number, day=None):
        return self.add(Undone, day, event=number)

    @property
    def standing(self):
        return replay(self.events)

    @property
    def order(self):
        return self.standing.order

    def sinks_on(self, player):
        """The day on which a player sinks next."""
        standing = self.standing
        return standing.players[player].sinks_at(standing.rules) / DAY_MS


def late_thrice(club, player=BOB, days=(1, 5, 9)):
    for day in days:
        club.result(ANN, player, late=[player], day=day)
    return club.add(TakenOff, player=player)


def away(club, player, begins, ends, day=None):
    club.add(
        Vacation,
        begins if day is None else day,
        player=player,
        begins=round(begins * DAY_MS),
        ends=round(ends * DAY_MS),
    )
