"""The challenges on ladders that wait for a person: to be answered, to be played, and when."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Prefetch, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup

from accounts import moments
from accounts.models import User
from games.faces.paint import bdi, said
from games.ladders import agenda
from games.ladders.challenging import Situation
from games.ladders.models import Challenge, Party
from games.ladders.pages.challenge import giving_way
from games.ladders.standing import Standing
from games.lobby.times import left, time_control
from games.lobby.waits import ROWS, Act, Wait, until
from games.matches.clocks import ms_of
from games.matches.models import Match

Status = Challenge.Status


def waits(user: User, now: datetime) -> list[Wait]:
    """The challenges that wait for a person's answer, and the agreed ones whose game has not begun."""
    answers = Q(status=Status.OPEN, answer_by__gt=now, parties__user=user, parties__agrees=False)
    agreed = Q(status=Status.AGREED, finish_by__gt=now, parties__user=user)
    players = Prefetch("parties", Party.objects.select_related("user").order_by("number"))
    found = Challenge.objects.filter(answers | agreed).select_related("ladder__club", "proposed_by", "match")
    standings: dict[int, Standing] = {}
    told = []
    for challenge in found.prefetch_related(players).order_by("answer_by", "pk")[:ROWS]:
        of = challenge.ladder_id
        if challenge.status == Status.AGREED:
            told.append(_agreed(challenge, user, now))
        else:
            standings.setdefault(of, challenge.ladder.now_standing())
            told.append(_open(challenge, standings[of], user, now))
    return told


def _open(challenge: Challenge, standing: Standing, user: User, now: datetime) -> Wait:
    if challenge.proposed_by_id == challenge.challenger_id:
        text = _("%(name)s challenges you on the ladder of %(club)s.")
    else:
        text = _("%(name)s proposes other terms for your game on the ladder of %(club)s.")
    return Wait(
        said(text, name=bdi(challenge.proposed_by.username), club=bdi(challenge.ladder.club.name)),
        (Act(_("Answer"), challenge.get_absolute_url(), True),),
        [*until(challenge.answer_by, now), silence(challenge, standing, user, now), *_terms(challenge)],
        challenge.answer_by,
        challenge.ladder.club_id,
    )


def silence(challenge: Challenge, standing: Standing, user: User, now: datetime) -> str:
    """What it costs one of the players, in rungs, if nobody answers an open challenge in time."""
    silent = [party.user_id for party in challenge.parties.all() if not party.agrees]
    if challenge.challenger_id in silent:
        return _("Without an answer it ends, and no one moves")
    situation = Situation(standing, (), ms_of(now))
    moves = giving_way(situation, challenge, silent, {player: str(player) for player in standing.order})
    down = next((after - before for player, before, after in moves if player == str(user.pk)), 0)
    if not down:
        return _("Without an answer you keep your rung")
    return ngettext(
        "Without an answer you go down %(rungs)d rung", "Without an answer you go down %(rungs)d rungs", down
    ) % {"rungs": down}


def _agreed(challenge: Challenge, user: User, now: datetime) -> Wait:
    others = [party.user.username for party in challenge.parties.all() if party.user_id != user.pk]
    about = {"names": Markup(", ").join(map(bdi, others)), "club": bdi(challenge.ladder.club.name)}
    comes, club = agenda.comes(challenge), challenge.ladder.club_id
    page = challenge.get_absolute_url()
    if agenda.starts(challenge):
        sentence = said(_("Your game with %(names)s on the ladder of %(club)s begins at the agreed time."), **about)
        details = [moments.moment(comes), left(comes, now), *_terms(challenge)]
        return Wait(sentence, (Act(_("Terms"), page),), details, comes, club)
    act = Act(_("Open the table"), f"{page}/table", True, True)
    sentence = said(_("You’ve agreed to play %(names)s on the ladder of %(club)s."), **about)
    if challenge.match and challenge.match.status in Match.WAITING:
        sentence = said(_("Your table with %(names)s is open, for the ladder of %(club)s."), **about)
        act = Act(_("To the table"), challenge.match.get_absolute_url(), True)
    return Wait(sentence, (Act(_("Terms"), page), act), [*until(comes, now), *_terms(challenge)], comes, club)


def _terms(challenge: Challenge) -> list[str]:
    players = len(challenge.parties.all())
    return [
        ngettext("%(players)d player", "%(players)d players", players) % {"players": players},
        time_control(challenge),
    ]
