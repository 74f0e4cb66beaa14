"""Clubs and their members: the only module that changes them.

Each function that changes something is one transaction. It begins by locking the club, so that the
second of two simultaneous changes sees the first. `Refused` tells the person who asked why not.
"""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from anyascii import anyascii
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.crypto import constant_time_compare, get_random_string
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.clubs import decisions
from accounts.clubs.arms import Arms
from accounts.models import (
    LONGEST_CLUB_NAME,
    LONGEST_REASON,
    LONGEST_SLUG,
    LONGEST_TEXT,
    Announcement,
    Asking,
    Block,
    Club,
    Expulsion,
    Handover,
    Member,
    Rejection,
    Right,
    User,
)
from accounts.notices import notices
from accounts.signals import club_closed, club_founded, club_joined, club_left, seating_withdrawn
from accounts.text import plaintext
from accounts.text.names import folded, holds_office, normal, skeleton_of_club, validate_club
from accounts.text.pasted import entries
from accounts.web.datetimes import day
from accounts.web.refused import Refused
from accounts.web.requests import Visitor

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
RESERVED = {
    "new",
    "clubs",
    "club",
    "ladder",
    "ladders",
    "members",
    "desk",
    "join",
    "leave",
    "invited",
    "rules",
    "admin",
    "help",
}
"""Names that no club can have in its address."""
LANGUAGES = ("en", "de", "es", "fa", "ru")
"""The languages that a club may say it speaks, whatever the site is written in."""
MAIL_LASTS = timedelta(days=30)
"""How long an invitation by mail is good."""
ASK_AGAIN = timedelta(days=14)
"""How long somebody must wait before asking again once a steward has rejected their request."""
PARTS = (Right.PEOPLE, Right.LADDER, Right.EVENTS, Right.ANNOUNCEMENTS)
"""The rights that can be given to ordinary members."""
SETTINGS = ("name", "slug", "description", "language", "private", "joining")
"""What a club says of itself."""
MOST_MEMBERS = 500
MOST_CLUBS = 50
"""The number of clubs that a person may belong to."""
MOST_NAMES = 200
"""The number of people that one invitation may name."""


class Invited(NamedTuple):
    """The outcome of an invitation: each person on the list is in one of these, by name."""

    invited: list[str]
    unknown: list[str]
    """As they were written."""
    twice: list[str]
    already: list[str]
    """Members already."""
    waiting: list[str]
    """Invited before."""
    approved: list[str]
    """People who had asked to join, so that they are members now."""
    expelled: list[str]
    addresses: list[str]
    """Mail addresses of people who are not named, or by a name that nobody has."""


# Looking


def member(club: Club, user: Visitor) -> Member | None:
    """The membership of a user in a club."""
    return club.members.filter(user=user).first() if user.is_authenticated else None


def is_steward(club: Club, user: Visitor) -> bool:
    """Whether a user is a steward of a club, who has all rights."""
    return may(club, user, Right.CLUB)


def may(club: Club, user: Visitor, right: Right) -> bool:
    """Whether a user has a right in a club."""
    return right in rights(club, user)


def rights(club: Club, user: Visitor) -> tuple[Right, ...]:
    """The rights of a user in a club: none for those who are only members, or none."""
    known = member(club, user)
    return known.may if known else ()


def with_right(right: Right) -> Q:
    """What selects the members who have a right."""
    return Q(role=Member.Role.STEWARD) | Q(rights__contains=right)


def invitation(club: Club, user: Visitor) -> Asking | None:
    """A steward's invitation that the user has not answered."""
    return club.askings.filter(user=user, by__isnull=False).first() if user.is_authenticated else None


def rejection(club: Club, user: Visitor, now: datetime) -> datetime | None:
    """When a user may ask again to join whose request was rejected; None if they need not wait."""
    turned = club.rejections.filter(user=user, at__gt=now - ASK_AGAIN).first() if user.is_authenticated else None
    return turned.at + ASK_AGAIN if turned else None


def find(slug: str, user: Visitor) -> Club | None:
    """The club at an address, if the user may know that it exists: only its members and people whom a steward has
    invited know of a private one.

    It is one and the same query whether or not there is a club, so that the time it takes tells nothing.
    """
    may_see = Q(private=False)
    if user.is_authenticated:
        asked = Asking.objects.filter(club=OuterRef("pk"), user=user, by__isnull=False)
        may_see |= Exists(Member.objects.filter(club=OuterRef("pk"), user=user)) | Exists(asked)
    return Club.objects.filter(may_see, slug=slug).first() if SLUG.fullmatch(slug) else None


def shared(person: User, viewer: Visitor) -> list[Club]:
    """The clubs of a person that a viewer may know of: public ones, and those that both belong to."""
    found = Club.objects.filter(members__user=person)
    if not viewer.is_authenticated:
        found = found.filter(private=False)
    elif viewer.pk != person.pk:
        found = found.filter(Q(private=False) | Q(pk__in=Member.objects.filter(user=viewer).values("club")))
    return list(found.order_by("name", "pk"))


def free_slug(name: str) -> str:
    """An unused address made from a club's name: other scripts become Latin letters, sign by sign."""
    stem = re.sub("[-_]+", "-", slugify(anyascii(name)))[: LONGEST_SLUG - 5].strip("-") or "club"
    for number in range(1, 100):
        slug = stem if number == 1 else f"{stem}-{number}"
        if not wrong_slug(slug) and not Club.objects.filter(slug=slug).exists():
            return slug
    return f"club-{get_random_string(10, 'abcdefghijkmnpqrstuvwxyz23456789')}"


def wrong_slug(slug: str) -> str:
    """What is wrong with a club's address; empty if nothing is."""
    if not SLUG.fullmatch(slug) or not 2 <= len(slug) <= LONGEST_SLUG:
        return _("Use 2 to 40 lower-case letters (a to z) and digits, with single hyphens between them.")
    return slug_taken() if slug in RESERVED or holds_office(slug) else ""


def check_name(club: Club, name: str) -> None:
    """Refuse a name that no club can have, or that looks like that of a public club.

    Names of private clubs are not compared with: whoever asks would learn of them.
    """
    try:
        validate_club(name)
    except ValidationError as wrong:
        raise Refused(" ".join(wrong.messages)) from None
    alike = Club.objects.filter(skeleton=skeleton_of_club(name), private=False).exclude(pk=club.pk)
    if alike.exists():
        raise Refused(_("This name looks like that of another club. Please choose another."))


def slug_taken() -> str:
    """The message for an address that is taken or reserved: the same for both, not to give a private club away."""
    return _("This address isn’t available. Please choose another one.")


def at_desk(club: Club, steward: User, right: Right) -> Club:
    """The club as `locked` gives it, if they have this right there. Raises Refused."""
    club = locked(club)
    check(club, steward, right)
    return club


def check(club: Club, user: User, right: Right) -> None:
    """Refuse whoever does not have this right."""
    check_open(club)
    if may(club, user, right):
        return
    if right == Right.CLUB:
        raise Refused(_("Only a steward of the club can do that."))
    raise Refused(_("Only a steward of the club, or somebody to whom they gave that right, can do that."))


def check_open(club: Club) -> None:
    """Refuse whatever would go on in a closed club."""
    if club.closed_at is not None:
        raise Refused(_("This club is closed."))


def has_locked_member(club: Club, user: User) -> bool:
    """Whether somebody is a member, whose membership nobody then ends before this transaction does. Refuses whatever
    would go on in a club that is closed, or was at this moment."""
    found = club.members.select_for_update(no_key=True).filter(user=user).first()
    club.refresh_from_db(fields=["closed_at"])
    check_open(club)
    return found is not None


def check_room(club: Club, more: int) -> None:
    """Refuse more members than a club can have, if everybody came who is invited, and so many more."""
    invited = club.askings.filter(by__isnull=False).count() + club.mailed.count()
    if club.members.count() + invited + more > MOST_MEMBERS:
        raise Refused(_("A club can have at most %(most)d members.") % {"most": MOST_MEMBERS})


# The club itself


@transaction.atomic
def found(
    user: User,
    *,
    name: str,
    slug: str,
    description: str,
    language: str,
    private: bool,
    joining: str,
    now: datetime,
    moved_from: str = "",
) -> Club:
    """Found a club; its founder becomes its first steward. `moved_from`: the site from which it comes, if it was
    founded elsewhere."""
    user = _present(user)
    club = Club()
    _set(club, name, slug, description, language, private, joining)
    _may_enter(club, user)
    Member.objects.create(club=club, user=user, role=Member.Role.STEWARD, joined_at=now)
    if moved_from:
        decisions.record(club, "moved", user, now, says=decisions.OfSite(moved_from))
    else:
        decisions.record(club, "founded", user, now)
    club_founded.send(Club, club=club)
    return club


@transaction.atomic
def take_along(club: Club, user: User, role: Member.Role, rights: str, now: datetime) -> None:
    """Make somebody a member, with the role and the rights that they had, who comes with their club from another
    site."""
    user = _present(user)
    club = locked(club)
    _may_enter(club, user, of=user)
    rights = "" if role == Member.Role.STEWARD else rights
    Member.objects.create(club=club, user=user, role=role, rights=rights, joined_at=now)
    notify([user], "approved", club, now, by=club)


@transaction.atomic
def change(
    club: Club,
    steward: User,
    *,
    name: str,
    slug: str,
    description: str,
    language: str,
    private: bool,
    joining: str,
) -> Club:
    """Change a club's description and settings."""
    club = at_desk(club, steward, Right.CLUB)
    before = [getattr(club, name) for name in SETTINGS]
    _set(club, name, slug, description, language, private, joining)
    after = [getattr(club, name) for name in SETTINGS]
    changes = tuple(each for each in zip(SETTINGS, before, after, strict=True) if each[1] != each[2])
    if changes:
        decisions.record(club, "settings", steward, says=decisions.SettingsChanged(changes))
    return club


@transaction.atomic
def choose_arms(club: Club, steward: User, code: str) -> None:
    """Choose what stands beside the name of a club, as `Arms.read` reads it; empty: the first letter of the name."""
    club = at_desk(club, steward, Right.CLUB)
    if code and Arms.read(code) is None:
        raise Refused(_("Choose the picture and the colours from the lists."))
    if club.arms != code:
        club.arms = code
        club.save(update_fields=["arms"])
        decisions.record(club, "armed", steward)


@transaction.atomic
def announce(club: Club, steward: User, text: str, now: datetime, *, public: bool = False) -> Announcement:
    """Tell all members something; `public`: whoever sees the club can read it too, unless the club is private."""
    club = at_desk(club, steward, Right.ANNOUNCEMENTS)
    text = plaintext.lines(text)
    if not 0 < len(text) <= LONGEST_TEXT:
        raise Refused(_("An announcement needs 1 to %(most)d characters.") % {"most": LONGEST_TEXT})
    announcement = Announcement.objects.create(
        club=club, by=steward, text=text, public=public and not club.private, at=now
    )
    decisions.record(club, "announced", steward, now, says=decisions.OfAnnouncement(announcement.pk))
    others = User.objects.filter(memberships__club=club).exclude(pk=steward.pk)
    below = f"#announcement-{announcement.pk}"
    notify(others, "announced", club, now, below, by=steward, text=text, number=announcement.pk)
    return announcement


@transaction.atomic
def withdraw(club: Club, steward: User, announcement: int) -> None:
    """Delete an announcement, also where its members have been told of it."""
    club = at_desk(club, steward, Right.ANNOUNCEMENTS)
    if not club.announcements.filter(pk=announcement).delete()[0]:
        raise Refused(_("This announcement was deleted."))
    decisions.record(club, "unannounced", steward, says=decisions.OfAnnouncement(announcement))
    notices.take_back("announced", announcement)


@transaction.atomic
def new_link(club: Club, steward: User) -> str:
    """Replace the invitation link, by which anybody may join. Returns its new token; the old link stops working."""
    club = at_desk(club, steward, Right.PEOPLE)
    club.invitation, club.invitation_by = get_random_string(22), steward
    club.save(update_fields=["invitation", "invitation_by"])
    decisions.record(club, "linked", steward)
    return club.invitation


@transaction.atomic
def no_link(club: Club, steward: User) -> None:
    """Remove the invitation link."""
    club = at_desk(club, steward, Right.PEOPLE)
    if club.invitation:
        decisions.record(club, "unlinked", steward)
    club.invitation, club.invitation_by = "", None
    club.save(update_fields=["invitation", "invitation_by"])


# Who belongs to it


@transaction.atomic
def join(club: Club, user: User, now: datetime, token: str = "") -> Member | Asking:
    """Become a member, by a link with a token, by a steward's invitation, or freely; otherwise ask the stewards.

    The token is that of the club's link, or of a link in a mail, which is used up by it.
    """
    user = _present(user)
    club = locked(club)
    asking = club.askings.filter(user=user).first()
    _may_enter(club, user)
    by_link = bool(club.invitation) and constant_time_compare(token, club.invitation)
    if token and not by_link and not club.mailed.filter(token=token, at__gt=now - MAIL_LASTS).delete()[0]:
        raise Refused(_("This link is no longer valid. Ask a steward of the club for a new one."))
    if token or (asking and asking.by_id) or club.joining == Club.Joining.FREE:
        return _enter(club, user, now)
    if club.joining == Club.Joining.INVITATION:
        raise Refused(_("This club is invitation-only."))
    if asking:
        raise Refused(_("You’ve already asked to join. A steward will answer."))
    if again := rejection(club, user, now):
        raise Refused(_("Your request was rejected. You can ask again after %(day)s.") % {"day": day(again)})
    asking = Asking.objects.create(club=club, user=user, at=now)
    notify(having(club, Right.PEOPLE), "asked", club, now, "/desk", by=user, name=user.username)
    return asking


@transaction.atomic
def decline(club: Club, user: User) -> None:
    """Do not join after all: decline an invitation or withdraw a request."""
    club = locked(club)
    if not club.askings.filter(user=user).delete()[0]:
        raise Refused(_("You haven’t asked to join, and no one has invited you."))


@transaction.atomic
def approve(club: Club, steward: User, user: User, now: datetime) -> Member:
    """Accept a request to join."""
    user = _present(user)
    club = at_desk(club, steward, Right.PEOPLE)
    if not club.askings.filter(user=user, by=None).exists():
        raise Refused(_("%(name)s no longer wants to join.") % {"name": user.username})
    _may_enter(club, user, of=user)
    entered = _enter(club, user, now)
    decisions.record(club, "approved", steward, now, people=[user])
    notify([user], "approved", club, now, by=steward)
    return entered


@transaction.atomic
def reject(club: Club, steward: User, user: User, now: datetime) -> None:
    """Reject a request to join, so that the person is told and must wait before asking again; or withdraw an
    invitation."""
    club = at_desk(club, steward, Right.PEOPLE)
    asking = club.askings.filter(user=user).first()
    if asking is None:
        raise Refused(_("%(name)s is no longer waiting to join.") % {"name": user.username})
    asking.delete()
    decisions.record(club, "uninvited" if asking.by_id else "rejected", steward, now, people=[user])
    if asking.by_id is None:
        Rejection.objects.update_or_create(club=club, user=user, defaults={"at": now})
        _notify_outsider(user, "rejected", club, now, by=steward, number=ASK_AGAIN.days)


@transaction.atomic
def invite(club: Club, steward: User, names: str | Iterable[str], now: datetime) -> Invited:
    """Invite people by name: a list of names, or a text that `pasted.entries` reads. Who is to be invited by mail is
    told, but not written to: `accounts.clubs.mail_invitations` does that."""
    wanted = entries(names if isinstance(names, str) else "\n".join(names))
    if not wanted:
        raise Refused(_("There are no names in this list."))
    if len(wanted) > MOST_NAMES:
        raise Refused(_("Invite at most %(most)d people at a time.") % {"most": MOST_NAMES})
    named = User.objects.filter(folded__in={folded(entry.name) for entry in wanted if "\0" not in entry.name})
    named = named.filter(guest=False, closed=False, is_active=True)
    # Everybody locks in this order: people first, then the club.
    known = {user.folded: user for user in named.select_for_update(no_key=True).order_by("pk")}
    club = at_desk(club, steward, Right.PEOPLE)
    people = [user.pk for user in known.values()]
    members = set(club.members.filter(user__in=people).values_list("user", flat=True))
    askings = dict(club.askings.filter(user__in=people).values_list("user", "by"))
    expelled = set(club.expulsions.filter(user__in=people).values_list("user", flat=True))
    result = Invited([], [], [], [], [], [], [], [])
    new, seen = [], set()
    for text, name, address in wanted:
        user = known.get(folded(name))
        if user is None and address:
            result.addresses.append(address)
        elif folded(name) in seen:
            result.twice.append(name)
        elif user is None:
            result.unknown.append(text)
        elif user.pk in members:
            result.already.append(name)
        elif user.pk in expelled:
            result.expelled.append(name)
        elif user.pk not in askings:
            result.invited.append(name)
            new.append(user)
        elif askings[user.pk]:
            result.waiting.append(name)
        else:
            _may_enter(club, user, of=user)
            _enter(club, user, now)
            decisions.record(club, "approved", steward, now, people=[user])
            notify([user], "approved", club, now, by=steward)
            result.approved.append(name)
        seen.add(folded(name))
    check_room(club, len(new))
    Asking.objects.bulk_create(Asking(club=club, user=user, by=steward, at=now) for user in new)
    decisions.record(club, "invited", steward, now, people=new)
    deaf = set(Block.objects.filter(user__in=new, blocked=steward).values_list("user", flat=True))
    notify([user for user in new if user.pk not in deaf], "invited", club, now, by=steward, name=steward.username)
    return result


@transaction.atomic
def leave(club: Club, user: User, now: datetime) -> None:
    """End a membership. The last steward must stay, unless they are also the last member: then the club is gone."""
    club = locked(club)
    membership = member(club, user)
    if membership is None:
        raise Refused(_("You aren’t a member of this club."))
    if club.closed_at is None and last_steward(club, membership) and club.members.count() > 1:
        raise Refused(_("You’re the club’s only steward. Appoint another before you leave."))
    _part(club, membership, now)


@transaction.atomic
def let_seat(club: Club, user: User, yes: bool, now: datetime) -> None:
    """Let the stewards seat a member at club nights without asking each time, or no longer: then they leave those to
    which they have not said yes themselves."""
    membership = member(locked(club), user)
    if membership is None:
        raise Refused(_("You aren’t a member of this club."))
    membership.seatable = yes
    membership.save(update_fields=["seatable"])
    if not yes:
        seating_withdrawn.send(Club, club=club, user=user, at=now)


@transaction.atomic
def expel(club: Club, steward: User, user: User, reason: str, now: datetime) -> Expulsion:
    """End somebody's membership; they may not join again until a steward readmits them."""
    club = at_desk(club, steward, Right.PEOPLE)
    reason = reason.strip()
    if not 0 < len(reason) <= LONGEST_REASON:
        raise Refused(_("Keep the reason to %(most)d characters or fewer.") % {"most": LONGEST_REASON})
    if user == steward:
        raise Refused(_("You can’t expel yourself, but you can leave the club."))
    membership = _member(club, user)
    if membership.role == Member.Role.STEWARD:
        raise Refused(_("%(name)s is a steward. Remove them as a steward first.") % {"name": user.username})
    if membership.rights:
        raise Refused(
            _("%(name)s has rights in this club. A steward must take them away first.") % {"name": user.username}
        )
    expulsion = Expulsion.objects.create(club=club, user=user, by=steward, reason=reason, at=now)
    _part(club, membership, now, steward)
    decisions.record(club, "expelled", steward, now, people=[user], reason=reason)
    _notify_outsider(user, "expelled", club, now, by=steward, reason=reason)
    return expulsion


@transaction.atomic
def readmit(club: Club, steward: User, user: User) -> None:
    """Let an expelled person join again, if they want to."""
    club = at_desk(club, steward, Right.PEOPLE)
    if not club.expulsions.filter(user=user).delete()[0]:
        raise Refused(_("%(name)s is no longer expelled.") % {"name": user.username})
    decisions.record(club, "readmitted", steward, people=[user])


@transaction.atomic
def appoint(club: Club, steward: User, user: User, now: datetime) -> None:
    """Make a member a steward."""
    club = at_desk(club, steward, Right.CLUB)
    membership = _member(club, user)
    if membership.role == Member.Role.STEWARD:
        raise Refused(_("%(name)s is already a steward.") % {"name": user.username})
    make_steward(membership)
    _forget_offers(club, user)
    decisions.record(club, "appointed", steward, now, people=[user])
    notify([user], "appointed", club, now, by=steward)


@transaction.atomic
def dismiss(club: Club, steward: User, user: User) -> None:
    """Make a steward, perhaps oneself, an ordinary member."""
    club = at_desk(club, steward, Right.CLUB)
    membership = _member(club, user)
    if membership.role != Member.Role.STEWARD:
        raise Refused(_("%(name)s is no longer a steward.") % {"name": user.username})
    if last_steward(club, membership):
        raise Refused(_("A club needs a steward, and this is the only one. Appoint another first."))
    membership.role = Member.Role.MEMBER
    membership.save(update_fields=["role"])
    _forget_offers(club, user)
    decisions.record(club, "resigned" if user == steward else "dismissed", steward, people=[user])


@transaction.atomic
def entitle(
    club: Club, steward: User, user: User, seen: Iterable[Right], given: Iterable[Right], now: datetime
) -> None:
    """Give an ordinary member these rights and no others, and tell them. `seen`: those that the steward saw before;
    it is refused if another has changed them meanwhile."""
    club = at_desk(club, steward, Right.CLUB)
    membership = _member(club, user)
    if membership.role == Member.Role.STEWARD:
        raise Refused(_("%(name)s is a steward, who has all rights.") % {"name": user.username})
    if set(membership.may) != set(seen):
        raise Refused(
            _("Another steward has changed the rights of %(name)s in the meantime. Look at them again.")
            % {"name": user.username}
        )
    chosen = tuple(right for right in PARTS if right in set(given))
    if chosen == membership.may:
        return
    membership.rights = " ".join(chosen)
    membership.save(update_fields=["rights"])
    kind = "entitled" if chosen else "unentitled"
    decisions.record(club, kind, steward, now, people=[user], says=decisions.Entitled(tuple(chosen)))
    notify([user], kind, club, now, "/desk" if chosen else "", by=steward)


@transaction.atomic
def release(user: User, now: datetime) -> None:
    """Remove somebody whose account is being closed from all clubs. Expects the user's row to be locked.

    Where they were the last steward, the longest-standing member becomes one; a club without members disappears.
    """
    user.askings.all().delete()
    user.rejections.all().delete()
    user.expulsions.all().delete()
    decisions.forget(user)
    for club in Club.objects.select_for_update(no_key=True).filter(members__user=user).order_by("pk"):
        membership = club.members.get(user=user)
        alone = last_steward(club, membership)
        _part(club, membership, now)
        heir = club.members.order_by("joined_at", "pk").first()
        if heir and alone and club.closed_at is None:
            make_steward(heir)
            decisions.record(club, "succeeded", None, now, people=[heir.user])
            notify([heir.user], "appointed", club, now, by=club)


# Steps


def _present(user: User) -> User:
    """A user who can become a member, locked before the club, so that the account is not closed meanwhile."""
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if user.guest:
        raise Refused(_("Guests can’t join clubs. Sign up to join and keep your games."))
    if user.closed:
        raise Refused(_("This account is closed."))
    return user


def locked(club: Club) -> Club:
    """The club as it is now; until the end of the transaction nobody else changes it or its members.

    Others may refer to it: who holds a ladder or a tournament, and opens its tables, does not wait for who holds the
    club and waits for them.
    """
    return Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def _set(club: Club, name: str, slug: str, description: str, language: str, private: bool, joining: str) -> None:
    name, description = normal(" ".join(name.split())), plaintext.lines(description)
    if not 2 <= len(name) <= LONGEST_CLUB_NAME:
        raise Refused(_("A club’s name has 2 to 60 characters."))
    if (name, private) != (club.name, club.private):
        check_name(club, name)
    if wrong := wrong_slug(slug):
        raise Refused(wrong)
    if len(description) > LONGEST_TEXT:
        raise Refused(_("Keep the description to %(most)d characters or fewer.") % {"most": LONGEST_TEXT})
    if language and language not in LANGUAGES:
        raise Refused(_("A club can’t choose that language."))
    club.name, club.slug, club.description, club.language, club.private = name, slug, description, language, private
    club.joining = Club.Joining.INVITATION if private else Club.Joining(joining)
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError:
        raise Refused(slug_taken()) from None


def _may_enter(club: Club, user: User, of: User | None = None) -> None:
    """Refuse anybody who cannot be a member. The sentence addresses them, or whoever speaks `of` them."""
    check_open(club)
    if club.members.filter(user=user).exists():
        raise Refused(
            _("%(name)s is already a member.") % {"name": of.username} if of else _("You’re already a member.")
        )
    if expulsion := club.expulsions.filter(user=user).first():
        if of:
            raise Refused(_("%(name)s was expelled. Readmit them first.") % {"name": of.username})
        raise Refused(
            _("You were expelled from this club (%(reason)s). Only a steward can readmit you.")
            % {"reason": expulsion.reason}
        )
    if club.members.count() >= MOST_MEMBERS:
        raise Refused(_("A club can have at most %(most)d members.") % {"most": MOST_MEMBERS})
    if user.memberships.count() >= MOST_CLUBS:
        raise Refused(
            _("%(name)s is already in too many clubs.") % {"name": of.username}
            if of
            else _("You’re already in %(most)d clubs. Leave one first.") % {"most": MOST_CLUBS}
        )


def _enter(club: Club, user: User, now: datetime) -> Member:
    club.askings.filter(user=user).delete()
    club.rejections.filter(user=user).delete()
    member = Member.objects.create(club=club, user=user, joined_at=now)
    club_joined.send(Club, club=club, user=user, at=now)
    return member


def _part(club: Club, membership: Member, now: datetime, by: User | None = None) -> None:
    user = membership.user
    membership.delete()
    _forget_offers(club, user)
    club_left.send(Club, club=club, user=user, at=now, by=by)
    if not club.members.exists():
        # Its games stay, but nobody sees it any more.
        club.private, club.joining = True, Club.Joining.INVITATION
        club.save(update_fields=["private", "joining"])
        if club.closed_at is None:
            shut(club, now, None)


def shut(club: Club, now: datetime, by: User | None) -> None:
    """Close a locked club: nobody is invited any more, and what was to come ends."""
    list(club.members.select_for_update(no_key=True).order_by("pk"))  # `has_locked_member`
    club_closed.send(Club, club=club, at=now, by=by)
    club.askings.all().delete()
    club.mailed.all().delete()
    end_offers(Handover.objects.filter(club=club))
    club.invitation, club.invitation_by, club.closed_at = "", None, now
    club.save(update_fields=["invitation", "invitation_by", "closed_at"])


def _forget_offers(club: Club, user: User) -> None:
    """What a member has offered, or was offered, is void once their place in the club is another."""
    end_offers(Handover.objects.filter(Q(by=user) | Q(to=user), club=club))


def end_offers(offers: QuerySet[Handover]) -> None:
    """Nobody is asked any more to take the club over."""
    for each in offers:
        notices.take_back("handing", each.pk)
        each.delete()


def make_steward(membership: Member) -> None:
    membership.role, membership.rights = Member.Role.STEWARD, ""
    membership.save(update_fields=["role", "rights"])


def _member(club: Club, user: User) -> Member:
    membership = member(club, user)
    if membership is None:
        raise Refused(_("%(name)s is no longer a member of the club.") % {"name": user.username})
    return membership


def having(club: Club, right: Right) -> QuerySet[User]:
    """The members who have this right."""
    return User.objects.filter(pk__in=club.members.filter(with_right(right)).values("user"))


def last_steward(club: Club, membership: Member) -> bool:
    """Whether this is the only steward of the club."""
    steward = membership.role == Member.Role.STEWARD
    return steward and not club.members.filter(role=Member.Role.STEWARD).exclude(pk=membership.pk).exists()


def notify(
    users: Iterable[User],
    kind: str,
    club: Club,
    now: datetime,
    below: str = "",
    *,
    by: User | Club,
    **values: str | int,
) -> None:
    """Send a notice that leads to the club, or to a page below it."""
    notices.notify(users, kind, club.get_absolute_url() + below, now, by=by, own=None, club=club.name, **values)


def _notify_outsider(user: User, kind: str, club: Club, now: datetime, *, by: User, **values: str | int) -> None:
    """Send a notice to somebody who does not belong to the club: they see nothing of a private one."""
    address = reverse("clubs") if club.private else club.get_absolute_url()
    notices.notify([user], kind, address, now, by=by, own=None, club=club.name, **values)
