"""A ladder to test with, as the list of its events: no database."""

from games.ladders.rules import DAY_MS, WEEK_MS
from games.ladders.standing import Event, Kind, replay

ANN, BOB, DAN, EVE, FAY, GUS = range(1, 7)
SIX = (ANN, BOB, DAN, EVE, FAY, GUS)


class Club:
    """A ladder whose events are written one after the other, at a time in days."""

    def __init__(self, *players, rules=None, season=True):
        self.events = []
        self.day = 0
        if rules:
            self.add(Kind.RULES, rules=rules.to_json())
        for player in players:
            self.add(Kind.JOIN, player=player)
        if season:
            self.add(Kind.SEASON, number=1, ends=12 * WEEK_MS)

    def add(self, kind, day=None, **data):
        """One more event; its number."""
        self.day = self.day if day is None else day
        if kind == Kind.SEASON:
            data["rules"] = self.standing.rules.to_json()
        if kind == Kind.JOIN:
            data["name"] = ""
        self.events.append(Event(len(self.events), kind, round(self.day * DAY_MS), data))
        return len(self.events) - 1

    def result(self, *players, places=None, late=(), day=None):
        """A game of these players, in the order of their places."""
        places = places or range(1, len(players) + 1)
        return self.add(
            *(Kind.RESULT, day),
            **{"challenge": 1, "match": "m", "link": ""},
            **{"players": [*players], "places": [*places], "late": [*late], "soon": []},
        )

    def unanswered(self, challenger, *silent, day=None, kind=Kind.UNANSWERED):
        return self.add(kind, day, challenge=1, player=challenger, silent=[*silent], seats=1 + len(silent))

    def undo(self, number, day=None):
        return self.add(Kind.UNDO, day, event=number)

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
    return club.add(Kind.OFF, player=player)


def away(club, player, begins, ends, day=None):
    club.add(
        Kind.VACATION,
        begins if day is None else day,
        player=player,
        begins=round(begins * DAY_MS),
        ends=round(ends * DAY_MS),
    )
