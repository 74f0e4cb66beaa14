"""Teams of a tournament: a steward makes them, and people choose theirs themselves."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.clubs import clubs
from accounts.models import Right, User
from accounts.text import plaintext
from accounts.text.names import folded, normal, validate_claim
from accounts.web.refused import Refused
from games.tournaments import events, payloads
from games.tournaments.formats import teams
from games.tournaments.models import Tournament
from games.tournaments.standing import Team, TournamentStanding

MOST_TEAMS = 16
MOST_MADE = 64
"""How many teams can be made and removed again: each is an event for good."""
MOST_CHOICES = 20
"""How often one person can choose a team of one tournament, ..."""
MOST_MOVES = 200
"""... and change the order of boards: every time is an event for good, too."""
LONGEST_NAME = 30


@transaction.atomic
def make(tournament: Tournament, steward: User, name: str, now: datetime) -> None:
    """Make a team, which nobody has chosen yet."""
    tournament, standing = _before(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    name = " ".join(plaintext.lines(name).split())[:LONGEST_NAME]
    if not name:
        raise Refused(_("Please enter a name."))
    try:
        validate_claim(normal(name))
    except ValidationError as wrong:
        raise Refused(" ".join(wrong.messages)) from None
    there = [team for team in standing.teams if not team.gone]
    if any(folded(team.name) == folded(name) for team in there):
        raise Refused(_("There’s a team of this name already."))
    if len(there) >= MOST_TEAMS or len(standing.teams) >= MOST_MADE:
        raise Refused(_("There’s no room for more teams."))
    events.write(tournament, payloads.TeamMade(name), now, steward)
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def remove(tournament: Tournament, steward: User, number: int, now: datetime) -> None:
    """Remove a team; those who had chosen it take part still, and can choose another."""
    tournament, standing = _before(tournament)
    clubs.check(tournament.club, steward, Right.EVENTS)
    _team(standing, number)
    events.write(tournament, payloads.TeamRemoved(number), now, steward)
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def choose(tournament: Tournament, user: User, number: int, now: datetime) -> None:
    """Choose one's team, or another one before the beginning; after it only one that plays, if one has none."""
    tournament, standing = _open(tournament)
    _team(standing, number)
    if user.pk not in standing.here:
        raise Refused(_("You take no part in this. Enter first."))
    mine = teams.team_of(standing, user.pk)
    if mine == number:
        return
    if standing.groups and mine is not None:
        raise Refused(_("This has begun, and you keep your team."))
    if standing.groups and number not in teams.playing(standing):
        raise Refused(_("This team had nobody when it began, and doesn’t play."))
    if tournament.log.filter(kind=payloads.TeamChosen.kind, by=user).count() >= MOST_CHOICES:
        raise Refused(_("You’ve chosen a team too often. You can’t choose another one any more."))
    events.write(tournament, payloads.TeamChosen(user.pk, number), now, user)
    events.schedule_wakeup(tournament, now)


@transaction.atomic
def move_up(tournament: Tournament, by: User, player: int, now: datetime) -> None:
    """Let somebody change places with who sits at the board above them: for their captain and stewards."""
    tournament, standing = _before(tournament)
    number = teams.team_of(standing, player)
    if number is None:
        raise Refused(_("This has changed since you looked."))
    team = standing.teams[number]
    if team.captain != by.pk:
        clubs.check(tournament.club, by, Right.EVENTS)
    at = team.players.index(player)
    if at:
        if tournament.log.filter(kind=payloads.TeamOrdered.kind, by=by).count() >= MOST_MOVES:
            raise Refused(_("You’ve changed the order of boards too often. It stays as it is."))
        order = [*team.players[: at - 1], player, team.players[at - 1], *team.players[at + 1 :]]
        events.write(tournament, payloads.TeamOrdered(number, tuple(order)), now, by)
        events.schedule_wakeup(tournament, now)


def _open(tournament: Tournament) -> tuple[Tournament, TournamentStanding]:
    """The tournament of teams, locked, and its standing. Raises Refused if it is over."""
    tournament = events.locked(tournament)
    if tournament.kind != Tournament.Kind.TEAMS:
        raise Refused(_("There are no teams here."))
    if tournament.closed_at is not None:
        raise Refused(_("This is over."))
    return tournament, events.standing(tournament)


def _before(tournament: Tournament) -> tuple[Tournament, TournamentStanding]:
    """As `_open`, before it begins."""
    tournament, standing = _open(tournament)
    if standing.groups:
        raise Refused(_("This has begun: teams and boards stay as they are."))
    return tournament, standing


def _team(standing: TournamentStanding, number: int) -> Team:
    if not 0 <= number < len(standing.teams) or standing.teams[number].gone:
        raise Refused(_("There’s no such team any more."))
    return standing.teams[number]
