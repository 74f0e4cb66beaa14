"""Invitations to a club by mail, for people who have no account yet.

Nobody is told whether an address belongs to an account: every address gets the same mail and stands in the same list.
Whoever does not want such mails gets none; that is not told either. Of what people have chosen a mail has the names of
the steward and the club, and nothing of a private club.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import get_random_string, salted_hmac
from django.utils.translation import gettext as _

from accounts.clubs import clubs, decisions
from accounts.mails import addresses, mail
from accounts.models import Block, ClosedMailbox, Club, Enquiry, MailInvitation, Right, User
from accounts.notices import notices
from accounts.text import names
from accounts.web import links, throttle
from accounts.web.refused import Refused


class Mailed(NamedTuple):
    """The outcome of a list of mail addresses: each is in one of these."""

    sent: list[str]
    waiting: list[str]
    """Invited before."""
    twice: list[str]
    """In the list more than once."""


@transaction.atomic
def invite(club: Club, steward: User, wanted: Iterable[str], now: datetime) -> Mailed:
    """Invite whoever reads these mail addresses. Raises Refused or throttle.TooMany, and then invites nobody."""
    club = clubs.at_desk(club, steward, Right.PEOPLE)
    club.mailed.filter(at__lte=now - clubs.MAIL_LASTS).delete()
    before = set(club.mailed.values_list("mailbox", flat=True))
    new, seen = dict[str, str](), set[str]()
    result = Mailed([], [], [])
    for address in wanted:
        mailbox = addresses.mailbox(address)
        if mailbox in seen:
            result.twice.append(address)
        elif mailbox in before:
            result.waiting.append(address)
        else:
            new[mailbox] = address
            result.sent.append(address)
        seen.add(mailbox)
    clubs.check_room(club, len(new))
    _count(steward, len(new))
    rows = [
        MailInvitation(club=club, by=steward, address=address, mailbox=mailbox, token=get_random_string(22), at=now)
        for mailbox, address in new.items()
    ]
    MailInvitation.objects.bulk_create(rows)
    if rows:
        decisions.record(club, "mailed", steward, now, says=decisions.InvitationsMailed(len(rows)))
    language = translation.get_language()
    Enquiry.objects.bulk_create(
        Enquiry(address=row.address, invitation=row, language=language, mail_at=_due(steward, row.address, now))
        for row in rows
    )
    return result


def _due(steward: User, address: str, now: datetime) -> datetime:
    """When a steward's next invitation to an address may go."""
    return now + timedelta(seconds=throttle.full_s(("invitations from", f"{steward.pk} {addresses.share(address)}")))


def _count(steward: User, many: int) -> None:
    """Count so many mails by a steward, or none if that is too many."""
    for number in range(many):
        try:
            throttle.count("mail invitations", steward.pk)
        except throttle.TooMany:
            for _each in range(number):
                throttle.give_back("mail invitations", steward.pk)
            raise


def wanted(invitation: MailInvitation) -> bool:
    """Whether an invitation may be sent to its address."""
    if ClosedMailbox.objects.filter(digest=digest(invitation.mailbox)).exists():
        return False
    known = User.objects.filter(email__iexact=invitation.address)
    deaf = set(Block.objects.filter(user__in=known, blocked=invitation.by).values_list("user", flat=True))
    return all(user.pk not in deaf and notices.by_mail(user, "invited") for user in known)


def letter(invitations: Sequence[MailInvitation]) -> EmailMessage:
    """The mail with all these invitations to one address, in the active language."""
    sha = digest(invitations[0].mailbox)
    unsubscribe = links.full(reverse("uninvited", args=[sha, signature(sha)]))
    told = [sentence(each) for each in invitations]
    pages = [links.full(reverse("mailed", args=[each.token])) for each in invitations]
    return mail.letter(
        invitations[0].address,
        told[0] if len(told) == 1 else _("Several people invite you to their clubs."),
        "invitation",
        invitations=[f"{text}\n{page}" for text, page in zip(told, pages, strict=True)],
        days=str(clubs.MAIL_LASTS.days),
        unsubscribe=unsubscribe,
    )


def sentence(invitation: MailInvitation) -> str:
    """Who invites to which club. Nobody is named of a private club, nor where a name could lead elsewhere, nor if the
    steward is none any more."""
    club, by = invitation.club, invitation.by
    if by is None or club.private or not clubs.may(club, by, Right.PEOPLE):
        return _("Someone invites you to a club.")
    if names.leads_elsewhere(club.name) or names.leads_elsewhere(by.username):
        return _("Someone invites you to a club.")
    return _("%(name)s invites you to %(club)s.") % {"name": by.username, "club": club.name}


@transaction.atomic
def withdraw(club: Club, steward: User, number: int) -> None:
    """Withdraw an invitation by mail: its link stops working."""
    club = clubs.at_desk(club, steward, Right.PEOPLE)
    if not club.mailed.filter(pk=number).delete()[0]:
        raise Refused(_("This invitation is no longer waiting for an answer."))
    decisions.record(club, "unmailed", steward)


def find(token: str, now: datetime) -> MailInvitation | None:
    """The invitation of a link in a mail, while it is good."""
    if not token.isalnum():
        return None
    found = MailInvitation.objects.filter(token=token, at__gt=now - clubs.MAIL_LASTS)
    return found.select_related("club", "by").first()


def forget(now: datetime) -> None:
    """Delete the invitations whose links are no longer good, and so their addresses."""
    MailInvitation.objects.filter(at__lte=now - clubs.MAIL_LASTS).delete()


# No more invitations


def digest(mailbox: str) -> str:
    """A mailbox as it is kept when no more invitations go there."""
    return sha256(mailbox.encode()).hexdigest()


def signature(digest: str) -> str:
    """What shows that a link comes from a mail to this mailbox."""
    return salted_hmac("accounts.clubs.mail_invitations", digest, algorithm="sha256").hexdigest()[:32]


def close(digest: str) -> None:
    """Send no more invitations to this mailbox."""
    ClosedMailbox.objects.get_or_create(digest=digest)
