"""The evenings that wait for a person: a member can say that they are there, or play the deal of the week."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F, OuterRef, Q, Subquery
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Block, Member, User
from games.faces.paint import bdi, said
from games.lobby.pending import ROWS, Act, PendingAction, until
from games.matches.clocks import instant
from games.tournaments import duplicate, events, newcomers
from games.tournaments.models import EventInvitation, Tournament


def actions(user: User, now: datetime) -> list[PendingAction]:
    """The open evenings of a person's clubs at which they are not yet, what is open with the same deal for all, and
    where a steward asks them to take part: of each steward the latest such event."""
    kinds = (Tournament.Kind.EVENING, *Tournament.SAME_DEAL)
    mine = Q(kind__in=kinds, pk__in=Tournament.objects.filter(closed_at=None, club__members__user=user).values("pk"))
    # A steward whom they block must not reach them.
    blocked = Block.objects.filter(user=user).values("blocked")
    unanswered = EventInvitation.objects.filter(user=user, declined=False).exclude(by__in=blocked)
    asked = Q(pk__in=unanswered.values("tournament"))
    found = Tournament.objects.filter(mine | asked, closed_at=None).select_related("club")
    asked_by = Subquery(unanswered.filter(tournament=OuterRef("pk")).values("by__username"))
    joined = Subquery(Member.objects.filter(user=user, club=OuterRef("club")).values("joined_at"))
    # However many events they are asked to, those of their clubs come first.
    order = F("asked_by").asc(nulls_first=True), "-pk"
    rows = list(found.annotate(asked_by=asked_by, joined=joined).order_by(*order)[:ROWS])
    latest = {tournament.asked_by: tournament for tournament in reversed(rows) if tournament.asked_by}
    told = [_invited(tournament, by, tournament.joined is not None) for by, tournament in latest.items()]
    open_ = [tournament for tournament in rows if not tournament.asked_by]
    standings = events.standings(open_)
    for tournament in open_:
        standing = standings[tournament.pk]
        entrant = standing.entrants.get(user.pk)
        gone = entrant is not None and (entrant.out or tournament.kind == Tournament.Kind.DEAL)
        if user.pk in standing.here or duplicate.over(tournament, now) or (gone and tournament.same_deal):
            continue
        late = tournament.same_deal and tournament.joined > instant(standing.opened)
        if late and newcomers.refusal(tournament, standing, user):
            continue
        where = [tournament.club.slug, tournament.number]
        name = format_html('<a href="{}"><b>{}</b></a>', tournament.get_absolute_url(), bdi(tournament.name))
        sentence, label, details, closes = _asks(tournament, len(standing.here), now)
        told.append(
            PendingAction(
                said(sentence, club=bdi(tournament.club.name), event=name),
                (Act(label, reverse("enter_tournament", args=where), True, True),),
                details,
                until=closes,
                club=tournament.club_id,
                shown_on=tournament.get_absolute_url(),
            )
        )
    return told


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


def _asks(tournament: Tournament, here: int, now: datetime) -> tuple[str, str, list[str], datetime | None]:
    """What an open tournament says to who is not in it: a sentence, what they can press, details, until when."""
    many = ngettext("%(n)d person is here", "%(n)d people are here", here) % {"n": here}
    if tournament.kind == Tournament.Kind.EVENING:
        return _("Tonight in the club %(club)s: %(event)s."), _("I’m here"), [many], None
    if tournament.kind == Tournament.Kind.DUPLICATE:
        return _("The same deal for all in the club %(club)s: %(event)s."), _("Enter"), [many], None
    played = ngettext("%(n)d person has begun it", "%(n)d people have begun it", here) % {"n": here}
    closes = instant(tournament.settings["until"])
    told = [*until(closes, now), played]
    return _("The deal of the week of the club %(club)s: %(event)s."), _("Play"), told, closes
