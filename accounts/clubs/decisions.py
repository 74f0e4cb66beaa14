"""The log of what the stewards of a club decide: who did what when, in words for whoever may read it.

Every member reads who has which rights, how the club is set up, and what was done to its ladder: it is about all of
them. What concerns one person, who was invited, rejected or expelled and why, is read by whoever has the right to
people, and by nobody else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.journal import payload
from accounts.models import Club, Right, StewardDecision, User

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class Nothing:
    """The kind of a decision says it all."""


@dataclass(frozen=True)
class Titled:
    """About a date or an event of the club."""

    title: str


@dataclass(frozen=True)
class OfLadder:
    """An event of a ladder, by their numbers."""

    ladder: int
    event: int


@dataclass(frozen=True)
class LadderNamed:
    """A ladder has a name now."""

    ladder: int
    title: str


@dataclass(frozen=True)
class OfSite:
    """About another site."""

    site: str


@dataclass(frozen=True)
class OfAnnouncement:
    """About an announcement, by its id."""

    announcement: int


@dataclass(frozen=True)
class SettingsChanged:
    """What was changed, from what, to what."""

    changes: tuple[tuple[str, Any, Any], ...]


@dataclass(frozen=True)
class Entitled:
    """All rights that a member has now."""

    rights: tuple[str, ...]


@dataclass(frozen=True)
class InvitationsMailed:
    """So many invitations were sent."""

    number: int


AnyDecision: TypeAlias = (
    Nothing | Titled | OfLadder | LadderNamed | OfSite | OfAnnouncement | SettingsChanged | Entitled | InvitationsMailed
)


NOTHING = Nothing()


class DecisionKind(NamedTuple):
    """A kind of decision."""

    label: StrOrPromise
    """The heading for all of this kind."""
    sentence: StrOrPromise
    """With the names of who decided (`by`) and whom it concerns (`name`), and fields of what its rows say."""
    right: Right | None = None
    """The right with which it is read; None: all members read it."""
    says: type[AnyDecision] = Nothing


KINDS = {
    "founded": DecisionKind(_("Foundings"), _("%(by)s founded the club.")),
    "settings": DecisionKind(_("Settings"), _("%(by)s changed the settings of the club."), says=SettingsChanged),
    "armed": DecisionKind(_("Arms"), _("%(by)s chose arms for the club.")),
    "appointed": DecisionKind(_("Stewards appointed"), _("%(by)s made %(name)s a steward.")),
    "dismissed": DecisionKind(_("Stewards removed"), _("%(by)s removed %(name)s as a steward.")),
    "resigned": DecisionKind(_("Stewards who stepped down"), _("%(name)s stepped down as a steward.")),
    "succeeded": DecisionKind(
        _("Stewards who succeeded"),
        _("%(name)s, the longest-standing member, became a steward: the last one closed their account."),
    ),
    "offered": DecisionKind(_("Offers of the club"), _("%(by)s offered to hand the club over to %(name)s.")),
    "unoffered": DecisionKind(
        _("Offers of the club taken back"), _("%(by)s took back the offer to hand the club over to %(name)s.")
    ),
    "refused": DecisionKind(_("Offers of the club declined"), _("%(name)s declined to take the club over.")),
    "handed": DecisionKind(_("Clubs handed over"), _("%(name)s took the club over from %(by)s.")),
    "closed": DecisionKind(_("Closings"), _("%(by)s closed the club.")),
    "reopened": DecisionKind(_("Openings"), _("%(by)s opened the club again.")),
    "entitled": DecisionKind(
        _("Rights given"), _("%(by)s gave %(name)s these rights, and no others: %(rights)s."), says=Entitled
    ),
    "unentitled": DecisionKind(_("Rights taken away"), _("%(by)s took away all rights of %(name)s."), says=Entitled),
    "announced": DecisionKind(_("Announcements"), _("%(by)s wrote an announcement."), says=OfAnnouncement),
    "unannounced": DecisionKind(_("Announcements deleted"), _("%(by)s deleted an announcement."), says=OfAnnouncement),
    "unposted": DecisionKind(_("Posts deleted"), _("%(by)s deleted a post of %(name)s.")),
    "dated": DecisionKind(_("Events planned"), _("%(by)s put %(title)s into the calendar."), says=Titled),
    "redated": DecisionKind(_("Events changed"), _("%(by)s changed %(title)s in the calendar."), says=Titled),
    "undated": DecisionKind(_("Events cancelled"), _("%(by)s cancelled %(title)s."), says=Titled),
    "created": DecisionKind(_("Tournaments opened"), _("%(by)s opened %(title)s."), says=Titled),
    "begun": DecisionKind(_("Tournaments begun"), _("%(by)s began %(title)s."), says=Titled),
    "paired": DecisionKind(_("Paired by hand"), _("%(by)s paired a round of %(title)s by hand."), says=Titled),
    "removed": DecisionKind(_("Taken out of events"), _("%(by)s took %(name)s out of %(title)s."), says=Titled),
    "renamed": DecisionKind(
        _("Names of guests"), _("%(by)s changed or removed the name of a guest of %(title)s."), says=Titled
    ),
    "relinked": DecisionKind(_("New links for guests"), _("%(by)s gave guests of %(title)s a new link."), says=Titled),
    "decided": DecisionKind(_("Results at the real table"), _("%(by)s decided a result of %(title)s."), says=Titled),
    "decided_own": DecisionKind(
        _("Results at one’s own table"),
        _("%(by)s decided a result of %(title)s, and played in it. The others of that table have no device."),
        says=Titled,
    ),
    "corrected": DecisionKind(
        _("Results of events corrected"), _("%(by)s corrected a result of %(title)s."), says=Titled
    ),
    "ended": DecisionKind(_("Tournaments ended"), _("%(by)s ended %(title)s."), says=Titled),
    "ladder": DecisionKind(_("The ladder"), _("%(by)s changed the ladder."), says=OfLadder),
    "opened": DecisionKind(_("Ladders opened"), _("%(by)s opened a further ladder, “%(title)s”."), says=LadderNamed),
    "named": DecisionKind(
        _("Ladders named"), _("%(by)s gave ladder %(ladder)s the name “%(title)s”."), says=LadderNamed
    ),
    "moved": DecisionKind(_("Moves of the club"), _("The club came here from another site, %(site)s."), says=OfSite),
    "hooked": DecisionKind(_("Webhooks"), _("%(by)s added a webhook to %(site)s."), Right.ANNOUNCEMENTS, says=OfSite),
    "unhooked": DecisionKind(
        _("Webhooks removed"), _("%(by)s removed a webhook to %(site)s."), Right.ANNOUNCEMENTS, says=OfSite
    ),
    "invited": DecisionKind(_("Invitations"), _("%(by)s invited %(name)s."), Right.PEOPLE),
    "uninvited": DecisionKind(
        _("Invitations withdrawn"), _("%(by)s withdrew the invitation of %(name)s."), Right.PEOPLE
    ),
    "mailed": DecisionKind(
        _("Invitations by mail"),
        ngettext_lazy(
            "%(by)s sent %(number)d invitation by mail.", "%(by)s sent %(number)d invitations by mail.", "number"
        ),
        Right.PEOPLE,
        says=InvitationsMailed,
    ),
    "unmailed": DecisionKind(
        _("Invitations by mail withdrawn"), _("%(by)s withdrew an invitation by mail."), Right.PEOPLE
    ),
    "linked": DecisionKind(_("Links made"), _("%(by)s made a link by which anyone can join."), Right.PEOPLE),
    "unlinked": DecisionKind(
        _("Links removed"), _("%(by)s removed the link by which anyone could join."), Right.PEOPLE
    ),
    "approved": DecisionKind(_("Requests approved"), _("%(by)s approved the request of %(name)s."), Right.PEOPLE),
    "rejected": DecisionKind(_("Requests rejected"), _("%(by)s rejected the request of %(name)s."), Right.PEOPLE),
    "expelled": DecisionKind(_("Expelled"), _("%(by)s expelled %(name)s."), Right.PEOPLE),
    "readmitted": DecisionKind(_("Readmitted"), _("%(by)s let %(name)s join again."), Right.PEOPLE),
}


def record(
    club: Club,
    kind: str,
    by: User | None,
    now: datetime | None = None,
    *,
    says: AnyDecision = NOTHING,
    people: Iterable[User | None] = (None,),
    reason: str = "",
) -> None:
    """Write down a decision, one for each of these people whom it concerns. Belongs to the transaction of what was
    decided."""
    assert isinstance(says, KINDS[kind].says)
    at, data = now or timezone.now(), asdict(says)
    StewardDecision.objects.bulk_create(
        StewardDecision(club=club, kind=kind, at=at, by=by, user=one, reason=reason, data=data) for one in people
    )


def said(row: StewardDecision) -> AnyDecision:
    """What a row says besides its kind."""
    return payload.read(KINDS[row.kind].says, row.data)


def readable(may: Iterable[Right]) -> list[str]:
    """The kinds that a member with these rights reads."""
    rights = {*may, None}
    return [kind for kind, about in KINDS.items() if about.right in rights]


def read(club: Club, may: Iterable[Right], kind: str = "", person: User | None = None) -> QuerySet[StewardDecision]:
    """What a member with these rights reads of the log; `kind` and `person`, who decided or whom it concerns, filter
    it."""
    known = readable(may)
    found = club.decisions.filter(kind__in=[one for one in known if kind in ("", one)])
    if person:
        found = found.filter(Q(by=person) | Q(user=person))
    return found.select_related("by", "user")


def forget(user: User) -> None:
    """Empty the reasons of decisions that concern somebody whose account is being closed."""
    StewardDecision.objects.filter(user=user).exclude(reason="").update(reason="")
