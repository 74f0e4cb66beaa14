"""The nights and tournaments that wait for a person: members can say that they are there, enter, or play."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Block, Member, User
from accounts.web import datetimes
from accounts.web.refused import Refused
from games.calendar import conditions
from games.calendar.models import CalendarEvent
from games.faces.paint import bdi, said
from games.lobby.pending import ROWS, Act, PendingAction, until
from games.matches.clocks import instant
from games.tournaments import duplicate, events, newcomers, plan
from games.tournaments.models import EventInvitation, Tournament, TournamentEvent, TypedResult
from games.tournaments.payloads import Entered
from games.tournaments.standing import TournamentStanding


def actions(user: User, now: datetime) -> list[PendingAction]:
    """The open nights and tournaments of a person's clubs that they can enter, but for those to which they have said
    no, and where a steward asks them to take part: of each steward the latest."""
    mine = Q(pk__in=Tournament.objects.filter(closed_at=None, club__members__user=user).values("pk"))
    # A steward whom they block must not reach them.
    blocked = Block.objects.filter(user=user).values("blocked")
    unanswered = EventInvitation.objects.filter(user=user, declined=False).exclude(by__in=blocked)
    asked = Q(pk__in=unanswered.values("tournament"))
    found = Tournament.objects.filter(mine | asked, closed_at=None).select_related("club", "calendar")
    asked_by = Subquery(unanswered.filter(tournament=OuterRef("pk")).values("by__username"))
    joined = Subquery(Member.objects.filter(user=user, club=OuterRef("club")).values("joined_at"))
    declined = Exists(EventInvitation.objects.filter(user=user, declined=True, tournament=OuterRef("pk")))
    # However many events they are asked to, those of their clubs come first.
    order = F("asked_by").asc(nulls_first=True), "-pk"
    rows = list(found.annotate(asked_by=asked_by, joined=joined, declined=declined).order_by(*order)[:ROWS])
    latest = {tournament.asked_by: tournament for tournament in reversed(rows) if tournament.asked_by}
    told = [_invited(tournament, by, tournament.joined is not None) for by, tournament in latest.items()]
    open_ = [tournament for tournament in rows if not tournament.asked_by and not tournament.declined]
    standings = events.standings(open_)
    for tournament in open_:
        standing = standings[tournament.pk]
        act = entry(tournament, standing, user, now)
        if act is None:
            continue
        late = tournament.same_deal and tournament.joined > instant(standing.opened)
        if late and newcomers.refusal(tournament, standing, user):
            continue
        where = [tournament.club.slug, tournament.number]
        name = format_html('<a href="{}"><b>{}</b></a>', tournament.get_absolute_url(), bdi(tournament.name))
        sentence, details, closes = _asks(tournament, len(standing.here), now)
        no = Act(_("No"), reverse("decline_tournament", args=where), posts=True)
        told.append(
            PendingAction(
                said(sentence, club=bdi(tournament.club.name), event=name),
                (act,) if tournament.same_deal else (no, act),
                details,
                until=closes,
                club=tournament.club_id,
                shown_on=tournament.get_absolute_url(),
                at_club=True,
            )
        )
    return told


def results(user: User, now: datetime) -> list[PendingAction]:
    """The results of a person's tables with real cards that others have entered."""
    came = TournamentEvent.objects.filter(tournament=OuterRef("tournament"), kind=Entered.kind, data__player=user.pk)
    found = TypedResult.objects.filter(Exists(came), disputed_by=None)
    # Who has been expelled cannot confirm any more.
    found = found.exclude(entered_by=user).exclude(tournament__club__expulsions__user=user)
    rows = list(found.order_by("until", "pk").select_related("tournament__club", "entered_by")[:ROWS])
    standings = events.standings([row.tournament for row in rows])
    return [
        PendingAction(
            said(
                _("%(name)s entered your result in %(event)s: confirm it."),
                name=bdi(row.entered_by.shown_name),
                event=bdi(row.tournament.name),
            ),
            (Act(_("See the result"), row.get_absolute_url(), True),),
            until(row.until, now),
            until=row.until,
            club=row.tournament.club_id,
            shown_on=row.tournament.get_absolute_url(),
        )
        for row in rows
        if user.pk in standings[row.tournament_id].rounds[row.round].tables[row.table].players
    ]


def entry(tournament: Tournament, standing: TournamentStanding, user: User, now: datetime) -> Act | None:
    """The button by which a member enters an open night or tournament; None if they are in, have been in, or cannot."""
    known, event = standing.entrants.get(user.pk), tournament.calendar
    if event and known is None and not open_to(event, standing, user, now):
        return None
    evening = tournament.kind == Tournament.Kind.EVENING
    if user.pk in standing.here or duplicate.over(tournament, now):
        return None
    if known and (known.out or not evening):
        return None
    planned = not evening and not tournament.same_deal
    round_by_round = tournament.kind == Tournament.Kind.DUPLICATE or (planned and not plan.of(standing).continuous)
    if standing.rounds and round_by_round:
        return None
    label = _("I’m here") if evening else _("Play") if tournament.kind == Tournament.Kind.DEAL else _("Enter")
    return Act(label, reverse("enter_tournament", args=[tournament.club.slug, tournament.number]), True, True)


def open_to(event: CalendarEvent, standing: TournamentStanding, user: User, now: datetime) -> bool:
    """Whether somebody who has not entered what was opened for an event may do so, by what the calendar says."""
    if (event.entry_until and event.entry_until <= now) or (
        event.most is not None and len(standing.here) >= event.most
    ):
        return False
    try:
        conditions.check(event, user)
    except Refused:
        return False
    return True


def _invited(tournament: Tournament, by: str, member: bool) -> PendingAction:
    """What a steward asks of somebody. Who is no member of the club reads nothing that it has written."""
    where, page = [tournament.club.slug, tournament.number], tournament.get_absolute_url()
    yes = _("I’m here") if tournament.kind == Tournament.Kind.EVENING else _("Enter")
    name = format_html('<a href="{}"><b>{}</b></a>', page, bdi(tournament.name))
    sentence = (
        said(_("The club %(club)s asks whether you take part: %(event)s."), club=bdi(tournament.club.name), event=name)
        if member
        else said(_("%(name)s asks whether you take part in an event of their club."), name=bdi(by))
    )
    return PendingAction(
        sentence,
        (
            *([] if member else [Act(_("To the event"), page)]),
            Act(_("No"), reverse("decline_tournament", args=where), posts=True),
            Act(yes, reverse("enter_tournament", args=where), True, True),
        ),
        [_("Only you can say yes: until then you have no seat.")],
        club=tournament.club_id,
        unasked=True,
        shown_on=page,
    )


def _asks(tournament: Tournament, here: int, now: datetime) -> tuple[str, list[str], datetime | None]:
    """What an open tournament says to who is not in it: a sentence, details, until when."""
    if tournament.kind == Tournament.Kind.DEAL:
        played = ngettext("%(n)d person has begun it", "%(n)d people have begun it", here) % {"n": here}
        closes = instant(tournament.settings["until"])
        return _("The deal of the week of the club %(club)s: %(event)s."), [*until(closes, now), played], closes
    if tournament.kind == Tournament.Kind.EVENING:
        many = ngettext("%(n)d person is here", "%(n)d people are here", here) % {"n": here}
        return _("Tonight in the club %(club)s: %(event)s."), [many], None
    entered = ngettext("%(n)d has entered", "%(n)d have entered", here) % {"n": here}
    if tournament.kind == Tournament.Kind.DUPLICATE:
        sentence = _("The same deal for all in the club %(club)s: %(event)s.")
    else:
        sentence = _("A tournament in the club %(club)s: %(event)s.")
    if tournament.calendar is None:
        return sentence, [str(tournament.get_kind_display()), entered], None
    begins = tournament.calendar.starts_at
    closes = tournament.calendar.entry_until or begins
    told = [str(tournament.get_kind_display()), said(_("begins %(time)s"), time=datetimes.moment(begins))]
    return sentence, [*told, entered], closes
