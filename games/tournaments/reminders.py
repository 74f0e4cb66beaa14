"""Those whose game of a round is not over are reminded of its deadline, a day and an hour before."""

from __future__ import annotations

from datetime import datetime

from accounts.models import User
from accounts.notices import notices
from games.ladders import agenda
from games.matches.clocks import instant, ms_of
from games.tournaments.models import Tournament
from games.tournaments.standing import Round, TournamentStanding


def moments(standing: TournamentStanding, given: datetime | None) -> list[tuple[datetime, Round]]:
    """When the players of each round that is not over are reminded, in order; not what was to be given by `given`."""
    found = [
        (at, each)
        for each in standing.rounds
        if each.until is not None and not each.over
        for at in agenda.moments(instant(each.at), instant(each.until), given)
    ]
    return sorted(found, key=lambda one: one[0])


def remind(tournament: Tournament, standing: TournamentStanding, now: datetime) -> None:
    """Give the reminders that are due at `now` in a locked tournament; of several that are late only one, and none of a
    deadline that has passed."""
    late = dict[int, set[int]]()
    for at, each in moments(standing, tournament.reminded):
        if at <= now and each.until is not None:
            playing = [player for table in each.tables if not table.over for player in table.players]
            late.setdefault(each.until, set()).update(playing)
    if not late:
        return
    tournament.reminded = now
    tournament.save(update_fields=["reminded"])
    for until, players in late.items():
        if until > ms_of(now):
            people = User.objects.filter(pk__in=players)
            address = tournament.get_absolute_url()
            notices.notify(people, "games-soon", address, now, by=tournament.club, event=tournament.name, until=until)
