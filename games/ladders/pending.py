"""What waits for a person on ladders: challenges to be answered or played, and results from the real table."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Prefetch, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from markupsafe import Markup

from accounts.clubs.clubs import with_right
from accounts.models import Member, Right, User
from accounts.web import datetimes
from games.faces.paint import bdi, said
from games.ladders import agenda
from games.ladders.models import Challenge, Ladder, Party, TablePlayer, TableResult
from games.ladders.pages.challenge import giving_way
from games.ladders.pages.table_results import entries, line
from games.ladders.standing import Standing
from games.lobby.pending import ROWS, Act, PendingAction, until
from games.lobby.times import left, time_control
from games.matches.clocks import ms_of
from games.matches.models import Match

Status = Challenge.Status


def actions(user: User, now: datetime) -> list[PendingAction]:
    """The challenges that wait for a person's answer, and the agreed ones whose game has not begun."""
    answers = Q(status=Status.OPEN, answer_by__gt=now, parties__user=user, parties__agrees=False)
    agreed = Q(status=Status.AGREED, finish_by__gt=now, parties__user=user)
    players = Prefetch("parties", Party.objects.select_related("user").order_by("number"))
    found = Challenge.objects.filter(answers | agreed).select_related("ladder__club", "proposed_by", "match")
    # A ladder's standing is large: it is read once for each ladder, and not for each challenge.
    found = found.defer("ladder__standing").prefetch_related(players).order_by("answer_by", "pk")[:ROWS]
    asked = {challenge.ladder_id for challenge in found if challenge.status == Status.OPEN}
    kept = Ladder.objects.filter(pk__in=asked).values_list("pk", "standing") if asked else ()
    standings = {pk: Standing.from_json(standing) for pk, standing in kept}
    return [
        _agreed(challenge, user, now)
        if challenge.status == Status.AGREED
        else _open(challenge, standings[challenge.ladder_id], user, now)
        for challenge in found
    ]


def _open(challenge: Challenge, standing: Standing, user: User, now: datetime) -> PendingAction:
    if challenge.proposed_by_id == challenge.challenger_id:
        text = _("%(name)s challenges you on the ladder of %(club)s.")
    else:
        text = _("%(name)s proposes other terms for your game on the ladder of %(club)s.")
    return PendingAction(
        said(text, name=bdi(challenge.proposed_by.username), club=bdi(challenge.ladder.full_name)),
        (Act(_("Answer"), challenge.get_absolute_url(), True),),
        [*until(challenge.answer_by, now), silence(challenge, standing, user, now), *_terms(challenge)],
        challenge.answer_by,
        challenge.ladder.club_id,
        shown_on=challenge.ladder.get_absolute_url(),
    )


def silence(challenge: Challenge, standing: Standing, user: User, now: datetime) -> str:
    """What it costs one of the players, in rungs, if nobody answers an open challenge in time."""
    challenger, challenged, *others = challenge.parties.all()
    if not challenger.agrees:
        return _("Without an answer it ends, and no one moves")
    if user.pk in {party.user_id for party in others}:
        return _("Without an answer someone else is asked")
    change = giving_way(standing, challenge, ms_of(now)) if not challenged.agrees else {}
    before, after = change.get(str(user.pk), (None, None))
    down = (after or 0) - (before or 0)
    if not down:
        return _("Without an answer you keep your rung")
    return ngettext(
        "Without an answer you go down %(rungs)d rung", "Without an answer you go down %(rungs)d rungs", down
    ) % {"rungs": down}


def _agreed(challenge: Challenge, user: User, now: datetime) -> PendingAction:
    others = [party.user.username for party in challenge.parties.all() if party.user_id != user.pk]
    about = {"names": Markup(", ").join(map(bdi, others)), "club": bdi(challenge.ladder.full_name)}
    comes, club = agenda.comes(challenge), challenge.ladder.club_id
    page, ladder = challenge.get_absolute_url(), challenge.ladder.get_absolute_url()
    if agenda.starts(challenge):
        sentence = said(_("Your game with %(names)s on the ladder of %(club)s begins at the agreed time."), **about)
        details = [datetimes.moment(comes), left(comes, now), *_terms(challenge)]
        return PendingAction(sentence, (Act(_("Terms"), page),), details, comes, club, shown_on=ladder)
    act = Act(_("Open the table"), f"{page}/table", True, True)
    sentence = said(_("You’ve agreed to play %(names)s on the ladder of %(club)s."), **about)
    if challenge.match and challenge.match.status in Match.WAITING:
        sentence = said(_("Your table with %(names)s is open, for the ladder of %(club)s."), **about)
        act = Act(_("To the table"), challenge.match.get_absolute_url(), True)
    details = [*until(comes, now), *_terms(challenge)]
    return PendingAction(sentence, (Act(_("Terms"), page), act), details, comes, club, shown_on=ladder)


def at_table(user: User, now: datetime) -> list[PendingAction]:
    """The results from the real table that wait for a person: to be confirmed, or, for stewards, to be decided."""
    played = TablePlayer.objects.filter(user=user)
    clubs = Member.objects.filter(with_right(Right.LADDER), user=user).values("club")
    open_ = (TableResult.Status.WAITING, TableResult.Status.ASKED)
    confirms = Q(status__in=open_, pk__in=played.filter(confirms=False).values("result"))
    decides = Q(status__in=TableResult.DECIDED, ladder__club__in=clubs) & ~Q(pk__in=played.values("result"))
    found = entries().filter(confirms | decides, until__gt=now).order_by("until", "pk")
    return [_entry(entry, user, now) for entry in found[:ROWS]]


def _entry(entry: TableResult, user: User, now: datetime) -> PendingAction:
    shown, page = line(entry, user, decides=True, now=now), entry.get_absolute_url()
    about = {"club": bdi(entry.ladder.full_name), "result": Markup(shown.told)}
    if shown.state == "confirm":
        text = _("%(name)s has entered a result from the real table, in %(club)s: %(result)s")
        sentence = said(text, name=bdi(entry.entered_by.username), **about)
        acts = [Act(_("Dispute"), page), Act(_("Confirm"), f"{page}/confirm", True, True)]
        lapses = _("If not everyone confirms it, it doesn’t count")
    else:
        disputed = entry.status == TableResult.Status.DISPUTED
        asks = _("A player asks a steward to decide about a result from the real table, in %(club)s: %(result)s")
        wrong = _("A result from the real table is disputed, in %(club)s: %(result)s")
        sentence = said(wrong if disputed else asks, **about)
        acts = [Act(_("Decide"), page, True)]
        lapses = _("If no one decides, it doesn’t count")
    details, ladder = [*until(entry.until, now), lapses], entry.ladder
    return PendingAction(
        sentence,
        tuple(acts),
        details,
        entry.until,
        ladder.club_id,
        shown_on=ladder.get_absolute_url(),
        at_club=shown.state != "confirm",
    )


def _terms(challenge: Challenge) -> list[str]:
    players = len(challenge.parties.all())
    return [
        ngettext("%(players)d player", "%(players)d players", players) % {"players": players},
        time_control(challenge.clock),
    ]
