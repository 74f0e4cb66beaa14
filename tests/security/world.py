"""A small world with everybody and every kind of match in it, and how each address of the site is asked for there."""

from __future__ import annotations

import re
from collections.abc import Container
from contextlib import contextmanager
from datetime import timedelta
from hashlib import sha256
from random import Random
from types import SimpleNamespace

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.auth.tokens import default_token_generator
from django.db import connection
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.clubs import clubs, mail_invitations
from accounts.mails import addresses
from accounts.models import Announcement, Asking, Expulsion, Member, Report, Session, User
from accounts.notices import unsubscribing
from accounts.people import calendar, inbox
from games.board import services as board
from games.board.models import Post
from games.calendar import services as dates
from games.calendar.services import EventPlan
from games.calendar.services import revision as revision_of
from games.deck import deck
from games.engine.biblios.notation import BID
from games.feeds import services as feeds
from games.hands import hands
from games.ladders import at_table, challenges, events
from games.ladders.models import Ladder
from games.ladders.rules import Rules
from games.ladders.terms import revision
from games.lobby import open_matches
from games.matches import access, history, play
from games.matches.clocks import Clock
from games.matches.models import ChatLine, Invitation, LogEntry, WatcherLine
from games.tournaments import evenings, services
from games.tournaments.models import Tournament
from games.transparency import intake
from tests.clubs.clubs import club_of
from tests.clubs.event_forms import MEETING
from tests.deck.decks import card_at
from tests.matches.matches import rushed, seated
from tests.people import person
from tests.sockets import session_of
from tests.tournaments.evenings import come, end

ROLES = ("anonymous", "guest", "outsider", "elsewhere", "player", "host", "steward")
"""Who asks. `elsewhere` plays another match, `steward` may use the admin as the stewards of the site do."""
UNCOUNTED = ("last_login", "seen_at", "seen_ply")
"""Columns that say when somebody was there."""
HANDLERS = {}
PASSWORD = "a quiet scriptorium"
POWERS = (
    *("view_user", "change_user", "view_report", "change_report"),
    *("view_match", "view_chatline", "delete_chatline", "view_watcherline", "delete_watcherline"),
    *("view_post", "delete_post"),
)


def patterns(resolver=None, before: str = ""):
    """All addresses that the site knows, as the resolver spells them."""
    for each in (resolver or get_resolver()).url_patterns:
        route = before + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from patterns(each, route)
        else:
            yield route


def build() -> SimpleNamespace:
    """The world: people by role, matches by kind, and other things that have an address."""
    people = {
        "guest": User.objects.create_user("guest-gus", guest=True),
        "outsider": User.objects.create_user("cho", "cho@example.org", PASSWORD),
        "elsewhere": User.objects.create_user("dan", "dan@example.org", PASSWORD),
        "host": User.objects.create_user("ann", "ann@example.org", PASSWORD),
        "player": User.objects.create_user("bob", "bob@example.org", PASSWORD),
        "steward": User.objects.create_user("ste", "ste@example.org", PASSWORD, is_staff=True),
    }
    people["steward"].user_permissions.set(Permission.objects.filter(codename__in=POWERS))
    eve = person("eve", email="eve@example.org", new_email="eve@elsewhere.example", password=PASSWORD)
    open_matches.open_match(people["guest"], places=2, options={}, bots=1)
    seated("dan", "eve", watch="none")

    at_auction = _bob_bids(seated("ann", "bob"))
    play.set_order(at_auction, at_auction.seats.all()[0], "bid", "3 7")
    opened = open_matches.open_match(people["host"], places=4, options={}, clock=Clock.live(1, 0))
    opened = open_matches.join(opened, people["player"])
    Invitation.objects.create(match=opened, user=people["outsider"])
    aborted = seated("ann", "bob")
    play.vote(aborted, 0, "abort")
    play.vote(aborted, 1, "abort")
    matches = {
        "open": opened,
        "running": at_auction,
        "unwatched": _bob_bids(seated("ann", "bob", watch="none")),
        "finished": rushed(seated("ann", "bob")),
        "aborted": access.find(aborted.key),
    }
    calendar.renew(eve)
    hands.draw(timezone.now())
    club, announcement, challenge, entry = _club(people)
    inbox.send(people["host"], eve, "a word in private", timezone.now())
    line = ChatLine.objects.create(match=at_auction, user=people["host"], text="a word among players")
    watched = WatcherLine.objects.create(match=at_auction, user=people["outsider"], text="a word among watchers")
    report = Report.objects.create(
        by=people["host"], about=people["player"], text="Shouts at people.", match=at_auction.key
    )
    uid = urlsafe_base64_encode(force_bytes(eve.pk))
    token = default_token_generator.make_token(eve)
    tomorrow = (timezone.now() + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    head = intake.close(timezone.now().date(), intake.leaves_of_matches(tomorrow), None)
    sessions = {role: session_of(user) for role, user in people.items()}
    return SimpleNamespace(
        people=people,
        sessions=sessions,
        matches=matches,
        club=club,
        announcement=announcement,
        challenge=challenge,
        entry=entry,
        head=head,
        line=line,
        watched=watched,
        report=report,
        uid=uid,
        token=token,
        confirmation=addresses.confirmation.make_token(eve),
        signature=unsubscribing.signature(eve, "club"),
        notice=people["host"].notices.latest("pk"),
        mailed=club.mailed.get(),
        date=club.calendar.get(),
        post=Post.objects.get(),
        webhook=club.webhooks.get(),
        calendar=eve.calendar.token,
        card=card_at(matches["finished"], 0, "bob", deck.today(timezone.now())),
    )


def _evening(club, host, now):
    """An evening at which ann and eve have played one round."""
    terms = services.GameTerms(seats=2)
    evening = services.open_tournament(club, host, Tournament.Kind.EVENING, "Candlemas", terms, now)
    come(evening, host, person("eve"), now=now)
    evenings.seat_everybody(evening, host, now)
    end(evening, 0, 1, 2, now=now)
    club.evening = evening


def _club(people):
    """A club on whose ladder ann, its steward, eve and bob stand; dan is a member, ida a steward too. bob has
    challenged ann, and eve has entered a result with bob from the real table. fay asks to join, hal has been expelled.

    Events 4 and 5 of the ladder can be undone.
    """
    now = timezone.now()
    ladder = club_of("ann", "eve", "bob", now=now - timedelta(days=1))
    for position in (1, 3):
        events.correct(ladder, people["host"], people["player"].pk, position, "Was forgotten.", now)
    Member.objects.create(club=ladder.club, user=people["elsewhere"], joined_at=now)
    Member.objects.create(club=ladder.club, user=person("ida"), role=Member.Role.STEWARD, joined_at=now)
    Asking.objects.create(club=ladder.club, user=person("fay"), at=now)
    Expulsion.objects.create(club=ladder.club, user=person("hal"), reason="Shouted at people.", at=now)
    announcement = Announcement.objects.create(club=ladder.club, text="We meet on Friday.", at=now)
    ladder.club.invitation = clubs.new_link(ladder.club, people["host"])
    soon = EventPlan("Friday evening", now + timedelta(days=9), 3, "At Eve’s", "Bring cake.", public=False)
    dates.make(ladder.club, people["host"], soon, now)
    board.write(ladder.club, people["player"], "Who brings the cake?", now, address=ladder.club.address("club_board"))
    feeds.renew(ladder.club, people["host"])
    ladder.club.feed = feeds.token_of(ladder.club, people["host"])
    feeds.add(ladder.club, people["host"], "https://hooks.example.org/1", "json", ["result"], now)
    mail_invitations.invite(ladder.club, people["host"], ["monk@example.org"], now)
    challenge = challenges.challenge(ladder, people["player"], [people["host"]], challenges.Terms(), now)
    _evening(ladder.club, people["host"], now)
    events.set_rules(ladder, people["host"], Rules(at_table=True), now)
    finished = [at_table.Finished(person("eve"), 1), at_table.Finished(people["player"], 2)]
    entry = at_table.enter(ladder, person("eve"), finished, now.date(), now)
    return ladder.club, announcement, challenge, entry


def _bob_bids(match):
    """The match in the auction, where bob is asked for a bid and both have cards."""
    seed = 1
    while True:
        match = rushed(match, until=lambda state: state.question == BID and state.seat == 1, seed=seed)
        state = history.replay(match).state(match.ply)
        if match.status == "running" and all(state.hands):
            return match
        seed += 1


def browser(*, careful: bool = False) -> Client:
    """A browser; the site wants the token of its forms from those that are `careful`.

    They share what Django would set up for each of them anew: the static files are looked through only once.
    """
    client = Client(raise_request_exception=False, enforce_csrf_checks=careful)
    client.handler = HANDLERS.setdefault(careful, client.handler)
    return client


def client_of(world, role: str, *, careful: bool = False) -> Client:
    """A browser of somebody; all those of one person have the same session."""
    client = browser(careful=careful)
    if role != "anonymous":
        client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[role]
    return client


def fields_of(world, route: str, match) -> dict:
    """What a form at this address sends, so that it would be accepted from somebody who may send it."""
    moves = {}
    if match is not None and match.status == "running":
        state = history.replay(match).state(match.ply)
        moves = {"ply": match.ply, "move": match.rules.text(Random(1).choice(state.legal()))}
    ladder = Ladder.objects.get(club=world.club)
    order = ",".join(str(player) for player in reversed(ladder.now_standing().order))
    bob = world.people["player"].pk
    today = timezone.now().date().isoformat()
    tomorrow = (timezone.now() + timedelta(days=1)).date().isoformat()
    terms = {"pace": "daily", "days": 1, "preset": "rulebook"}
    club = {"clubname": "Reichenau", "slug": "reichenau", "visible": "all", "joining": "free"}
    hook = {"address": "https://hooks.example.org/2", "format": "json", "topics": "date"}
    date = MEETING | {"starts": f"{tomorrow}T18:00", "seen": revision_of(world.date)}
    return {
        "c/<str:slug>/calendar/new": date,
        "c/<str:slug>/desk/webhooks/new": hook,
        "c/<str:slug>/calendar/<int:number>/change": date,
        "c/<str:slug>/calendar/<int:number>/answer": {"answer": "yes"},
        "clubs/new": club | {"game": "biblios"},
        "c/<str:slug>/desk/club": club,
        "c/<str:slug>/desk/invite": {"names": "cho, nobody"},
        "c/<str:slug>/desk/link": {"do": "new"},
        "c/<str:slug>/desk/arms": {"charge": "owl", "field": "madder", "other": "vellum"},
        "c/<str:slug>/board/post": {"text": "I do."},
        "c/<str:slug>/desk/announce": {"text": "We meet on Saturday."},
        "c/<str:slug>/desk/rights/<str:username>": {"given": ["people", "events"]},
        "c/<str:slug>/desk/expel/<str:username>": {"reason": "Shouts at people."},
        "c/<str:slug>/seating": {"yes": "1"},
        "c/<str:slug>/tournaments/<int:number>/tick": {"member": ["bob"], "names": "cho"},
        "c/<str:slug>/tournaments/<int:number>/untick": {"player": person("eve").pk},
        "c/<str:slug>/tournaments/<int:number>/seat": {"how": "unmet", "size": 2, "rounds": 1},
        "c/<str:slug>/tournaments/<int:number>/correct/<int:round_number>/<int:table>": {
            **{"place_0": 2, "place_1": 1, "counts": "on", "reason": "Typed wrong."}
        },
        "c/<str:slug>/ladders/new": {
            "name_": "Pairs",
            "first": "Tables",
            "sizes": [2],
            "who": "stewards",
            "game": "exlibris",
        },
        "c/<str:slug>/ladders/<int:number>/desk/name": {"name_": "Tables"},
        "c/<str:slug>/ladders/<int:number>/desk/season": {"do": "end"},
        "c/<str:slug>/ladders/<int:number>/desk/correct": {"player": bob, "position": 1, "reason": "Was forgotten."},
        "c/<str:slug>/ladders/<int:number>/desk/add": {"players": [world.people["elsewhere"].pk]},
        "c/<str:slug>/ladders/<int:number>/desk/undo/<int:event>": {"reason": "Was not."},
        "c/<str:slug>/ladders/<int:number>/desk/rules": Rules().to_json() | {"reach": 7},
        "c/<str:slug>/ladders/<int:number>/desk/order": {
            "events": ladder.events,
            "order": order,
            "reason": "So agreed.",
        },
        "c/<str:slug>/ladders/<int:number>/vacation": {"first": today, "last": today},
        "c/<str:slug>/ladders/<int:number>/challenge": {"seats": 2} | terms,
        "c/<str:slug>/ladders/<int:number>/challenges/<int:pk>/accept": {
            "revision": revision(world.challenge, Rules())
        },
        "c/<str:slug>/ladders/<int:number>/challenges/<int:pk>/counter": terms,
        "c/<str:slug>/ladders/<int:number>/table": {
            "player_1": world.people["host"].pk,
            "player_2": person("eve").pk,
            **{f"place_{number}": number for number in range(1, 5)},
            "played_on": today,
        },
        "c/<str:slug>/ladders/<int:number>/table/<int:pk>/dispute": {"word": "We never played."},
        "c/<str:slug>/ladders/<int:number>/table/<int:pk>/ask": {"word": "Who is right?"},
        "c/<str:slug>/ladders/<int:number>/table/<int:pk>/decide": {"do": "reject", "reason": "They never played."},
        "sign-up": {"username": "Nell", "new_password": PASSWORD},
        "sign-in": {"username": "eve", "password": PASSWORD},
        "account/play": {"tempo": "slow", "text": "large"},
        "account/look": {"theme": "dark", "language": "en"},
        "account/theme": {"theme": "dark"},
        "account/dates": {"zone": "Europe/Zurich"},
        "account/self": {"about": "Plays in the evening.", "motif": "owl", "tint": "woad", "pattern": "2"},
        "account/language": {"language": "en"},
        "account/email": {"email": "new@example.org", "password": PASSWORD},
        "account/password": {"password": PASSWORD, "new_password": "another scriptorium"},
        "account/close": {"password": PASSWORD},
        "account/forgot": {"email": "nobody@example.org"},
        "account/reset/<str:uid>/<str:token>": {"new_password": "another scriptorium"},
        "@/<str:username>/report": {"text": "Shouts at people."},
        "@/<str:username>/challenge": {"places": 2, "pace": "none", "preset": "rulebook", "watch": "all", "bots": 0},
        "messages/<str:username>": {"text": "hello"},
        "play/new": {"places": 3, "pace": "none", "preset": "rulebook", "access": "all", "watch": "all"},
        "play/quick": {"places": 2},
        "play/bots": {"places": 2},
        "play/alone": {"game": "exlibris", "level": 1},
        "m/<str:key>/play": moves,
        "m/<str:key>/orders": {"order": "bid", "value": ["0", "0"]},
        "m/<str:key>/tempo": {"tempo": "slow"},
        "m/<str:key>/hint": {"ply": 0},
        "again/switch": {"on": "no"},
        "again/<int:number>/answer": {"move": "keep"},
        "m/<str:key>/on": {"ply": 1, "seat": 0, "cards": "again"},
        "m/<str:key>/chat": {"text": "hello"},
        "m/<str:key>/invitation": {"answer": "accept"},
        "m/<str:key>/kick": {"seat": 1},
        "m/<str:key>/shuffle": {"ahead": "ab" * 16},
    }.get(route, {})


def address_of(world, route: str, match=None) -> str:
    """An address of this shape at which there is something."""
    parts = {
        "<str:key>": match and match.key,
        "<slug:game>": "biblios",
        "<str:day>": hands.today(timezone.now()).isoformat(),
        "<int:ply>": "3",
        "approve/<str:username>": "approve/fay",
        "reject/<str:username>": "reject/fay",
        "dismiss/<str:username>": "dismiss/ida",
        "readmit/<str:username>": "readmit/hal",
        "<str:username>": "eve",
        "<str:slug>": world.club.slug,
        "undo/<int:event>": "undo/4",
        "board/<int:number>": f"board/{world.post.pk}",
        "webhooks/<int:number>": f"webhooks/{world.webhook.pk}",
        "feed/<str:token>": f"feed/{world.club.feed}",
        "calendar/<int:number>": f"calendar/{world.date.pk}",
        "withdraw/<int:number>": f"withdraw/{world.announcement.pk}",
        "calendar/<str:token>": f"calendar/{world.calendar}",
        "come/<str:token>": f"come/{world.club.evening.token}",
        "<int:round_number>/<int:table>": "1/1",
        "/invited/<str:token>": f"/invited/{world.club.invitation}",
        "invited/<str:token>": f"invited/{world.mailed.token}",
        "<str:digest>/<str:signature>": f"{'0' * 64}/{mail_invitations.signature('0' * 64)}",
        "mailed/<int:number>": f"mailed/{world.mailed.pk}",
        "notices/<int:number>": f"notices/{world.notice.pk}",
        "<int:season>": "1",
        "<int:number>": "1",
        "table/<int:pk>": f"table/{world.entry.pk}",
        "<int:pk>": world.challenge.pk,
        "confirm/<str:uid>/<str:token>": f"confirm/{world.uid}/{world.confirmation}",
        "<str:topic>/<str:signature>": f"club/{world.signature}",
        "<str:written>": world.head.day,
        "again/<int:number>": f"again/{world.card.pk}",
        "<int:page>": "0",
        "<int:old>/<int:new>": "1/2",
        "<str:uid>": world.uid,
        "<str:token>": world.token,
        "^(?P<app_label>auth|accounts|games)/$": "games/",
        "(?P<url>.*)$": "nowhere",
    }
    objects = {"user": world.people["player"].pk, "report": world.report.pk, "chatline": world.line.pk, "group": 1}
    objects |= {"watcherline": world.watched.pk, "match": world.matches["running"].pk, "club": world.club.pk}
    objects["post"] = world.post.pk
    model = route.split("/")[2] if route.startswith("admin/") and route.count("/") > 2 else ""
    address = f"{route}?to=eve" if route.endswith("/ladders/<int:number>/challenge") else route
    for part, text in parts.items():
        if part in address:
            address = address.replace(part, str(text))
    return "/" + address.replace("<path:object_id>", str(objects.get(model, 1)))


WRITES = re.compile(r'(?:INSERT (?:OR \w+ )?INTO|UPDATE|DELETE FROM) "?(\w+)')
READS = ("SELECT", "BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "PRAGMA", "SET CONSTRAINTS", "--")


@contextmanager
def writing():
    """Gives the names of the tables to which this connection writes meanwhile; None among them: it may be any."""
    tables: set[str | None] = set()

    def note(sql):
        if not sql.startswith(READS):
            write = WRITES.match(sql)
            tables.add(write[1] if write else None)

    def wrapper(execute, sql, parameters, many, context):
        note(sql)
        return execute(sql, parameters, many, context)

    # Django does not see all of it: games.matches.writing asks the database itself.
    if connection.vendor == "sqlite":
        connection.connection.set_trace_callback(note)
        try:
            yield tables
        finally:
            connection.connection.set_trace_callback(None)
    else:
        before = written()
        with connection.execute_wrapper(wrapper):
            yield tables
        if written() != before:
            tables.add(None)


def written() -> int:
    """How many rows this connection to PostgreSQL has written in its transaction, whether they stayed or not."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_xact_user_tables")
        return cursor.fetchone()[0]


def rows(tables: Container[str | None] = (None,)) -> dict[str, str]:
    """A digest of each table of ours, but for the sessions, or of these. The log, to which rows are only added, is
    counted.
    """
    digests = {}
    for model in [*apps.get_app_config("accounts").get_models(), *apps.get_app_config("games").get_models()]:
        if None not in tables and model._meta.db_table not in tables:
            continue
        if model is LogEntry:
            digests["LogEntry"] = str(LogEntry.objects.count())
        elif model is not Session:
            names = [field.attname for field in model._meta.concrete_fields if field.attname not in UNCOUNTED]
            found = model.objects.order_by("pk").values_list(*names)
            text = repr([[bytes(cell) if isinstance(cell, memoryview) else cell for cell in row] for row in found])
            digests[model.__name__] = sha256(text.encode(errors="surrogatepass")).hexdigest()
    return digests


def changed_in(world, tables: Container[str | None]) -> set[str]:
    """Which of these tables are no longer as `world.rows` has them, by the names of their models."""
    return {name for name, digest in rows(tables).items() if digest != world.rows[name]}
