"""Make up an archive of a million games, to see how the site bears it."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import accumulate
from random import Random
from typing import Any

from django.core.management import CommandParser
from django.core.management.base import BaseCommand, CommandError
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.models import Max
from django.utils import timezone
from tqdm import tqdm

from accounts.career import ratings, tallies
from accounts.career.archive import RatingChange, Two, day, times, twos
from accounts.database.planner import learn_sizes
from accounts.models import ArchivedMatch, Rating, User, new_key, new_salt
from accounts.people import habits
from accounts.text.names import skeleton
from games.engine.core import Game, RulesError
from games.engine.registry import title
from games.matches.models import KEY_ALPHABET, KEY_LENGTH, Match, Seat
from tools import rehearsal

NAME = "syn{}"
YEARS = 3
CHUNK = 5000
Chunk = dict[type[models.Model], list[dict[str, Any]]]
"""Rows by table."""
TABLES: tuple[type[models.Model], ...] = (User, Match, Seat, ArchivedMatch, Rating)


class Command(BaseCommand):
    help = (
        "Write rows of the archive, with matches, seats and ratings that fit, but without logs: some people have "
        "played tens of thousands of games. For measurements; `verifylogs` finds only the ratings right in it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, default=1_000_000)
        parser.add_argument("--people", type=int, default=20_000)
        parser.add_argument("--game", default=title().slug, help="what they have played")
        parser.add_argument("--seed", default="archive")
        parser.add_argument("--yes", action="store_true", help="even on a site with real people")

    @transaction.atomic
    def handle(self, *, matches: int, people: int, game: str, seed: str, yes: bool, **_: Any) -> None:
        try:
            rules = title(game)
        except RulesError as error:
            raise CommandError(str(error)) from error
        if matches < 1 or people < 4:
            raise CommandError("expected at least one match and four people")
        if not yes and rehearsal.among_others(NAME.format("")):
            raise CommandError("there are real people on this site, who would meet these; say --yes if you mean it")
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA cache_size = -1000000")  # KiB: the indexes are written here and there
        rows = invented(rules, matches, people, Random(seed))
        with tqdm(total=matches, unit="match", disable=None) as bar:
            for chunk, games in rows:
                for model in TABLES:
                    write(model, chunk[model])
                bar.update(games)
        tallies.recount()
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), TABLES):
                cursor.execute(statement)
        learn_sizes()
        self.stdout.write(f"{matches} matches of {people} people")


def invented(game: Game, matches: int, people: int, rng: Random) -> Iterator[tuple[Chunk, int]]:
    """The rows by table, some thousands of matches at a time, each time with the number of matches."""
    next_id = {model: (model._default_manager.aggregate(last=Max("pk"))["last"] or 0) + 1 for model in TABLES}
    now = timezone.now()
    first = next_id[User]
    names = [NAME.format(first + number) for number in range(people)]
    weights = list(accumulate((number + 5) ** -0.9 for number in range(people)))
    held: defaultdict[tuple[int, str], ratings.Level] = defaultdict(ratings.Level)
    met: Counter[tuple[date, str, Two]] = Counter()
    chunk: Chunk = defaultdict(list)
    chunk[User] = [
        {"id": first + number, "username": name, "folded": name, "skeleton": skeleton(name)}
        | {"key": new_key(), "salt": new_salt(), "date_joined": now, "password": "!"}
        | PERSON
        for number, name in enumerate(names)
    ]
    for number in range(matches):
        size = rng.choice([2, *(size for size in game.seats if size > 1)])
        sitting: list[int] = []
        while len(sitting) < size:
            [who] = rng.choices(range(people), cum_weights=weights)
            if who not in sitting:
                sitting.append(who)
        key = "".join(rng.choices(KEY_ALPHABET, k=KEY_LENGTH))
        ended = now - timedelta(days=365 * YEARS) * (1 - (number + 1) / matches)
        points = [rng.randrange(16) for _ in sitting]
        places = [1 + sum(other > mine for other in points) for mine in points]
        pool = game.pool(size) if rng.random() < 0.85 else ""
        users = [first + who for who in sitting]
        changes = rated(held, met, users, places, pool, day(ended)) if pool else [None] * size
        result = {"points": points, "places": places, "winners": [i for i in range(size) if places[i] == 1]}
        chunk[Match].append(
            {"id": next_id[Match], "key": key, "places": size, "host_id": users[0], "rated": bool(pool), "ply": 250}
            | {"game": game.slug, "version": game.version}
            | {"created_at": ended, "started_at": ended, "ended_at": ended, "result": json.dumps(result)}
            | HEADER
        )
        scores, shown = json.dumps(points), json.dumps([names[who] for who in sitting])
        for seat, user in enumerate(users):
            chunk[Seat].append(
                {"id": next_id[Seat], "match_id": next_id[Match], "index": seat, "user_id": user, "left_ply": None}
                | CHAIR
            )
            change = changes[seat]
            chunk[ArchivedMatch].append(
                {
                    **{"id": next_id[ArchivedMatch], "user_id": user, "match": key, "ended_at": ended, "seats": size},
                    **{"game": game.slug, "seat": seat, "place": places[seat], "level": 0, "won": places[seat] == 1},
                    **{"points": points[seat], "left": "", "soon": False, "ended": "", "bots": False, "feats": "{}"},
                    **{"pool": pool},
                    **{"categories": rng.choice(game.categories or [""]) if places[seat] == 1 else "", "names": shown},
                    **{"scores": scores, "before": change and change.before, "after": change and change.after},
                    **{"games": change and change.games},
                }
            )
            next_id[Seat] += 1
            next_id[ArchivedMatch] += 1
        next_id[Match] += 1
        if number % CHUNK == CHUNK - 1:
            yield chunk, CHUNK
            chunk = defaultdict(list)
    chunk[Rating] = [
        {
            "id": next_id[Rating] + number,
            "user_id": user,
            "game": game.slug,
            "pool": pool,
            "value": rating.value,
            "best": rating.best,
            "games": rating.games,
            "opponents": json.dumps(rating.opponents),
            "ranked": rating.ranked,
        }
        for number, ((user, pool), rating) in enumerate(held.items())
    ]
    yield chunk, matches % CHUNK


def rated(
    held: dict[tuple[int, str], ratings.Level],
    met: Counter[tuple[date, str, Two]],
    users: list[int],
    places: list[int],
    pool: str,
    on: date,
) -> Sequence[RatingChange | None]:
    """What a match does to the ratings of these people; changes them."""
    before = [held[user, pool] for user in users]
    today = Counter({two: met[on, pool, two] for two in twos(users)})
    players = [
        ratings.Rated(one.value, one.games, place, met=times(today, users, user))
        for one, place, user in zip(before, places, users, strict=True)
    ]
    met.update((on, pool, two) for two in twos(users))
    for user, one, pairs in zip(users, before, ratings.changes(players), strict=True):
        held[user, pool] = one.after(pairs, players, users)
    return [RatingChange(one.value, held[user, pool].value, one.games) for user, one in zip(users, before, strict=True)]


PERSON = {
    **{"first_name": "", "last_name": "", "email": "", "new_email": ""},
    **{"is_staff": False, "is_superuser": False, "is_active": True},
    **{"guest": False, "guest_name": "", "closed": False, "language": "", "theme": "auto", "silenced": "[]"},
    **{"zone": "", "dates": "", "clock": "", "avatar": "", "about": "", "unseen": False},
    **{name: getattr(User(), name) for name in habits.FIELDS},
}
HEADER = {
    **{"options": "{}", "header": "{}", "status": "finished", "listed": True, "watch": "all"},
    **{
        "agreed": "",
        "tempo": "normal",
        "guided": False,
        "hidden": False,
        "hinted": False,
        "pace": "live",
        "bank_ms": 600_000,
        "increment_ms": 15_000,
        "days": 0,
        "commitment": "",
        "beacon_round": "",
        "beacon": "",
    },
    **{"secret": bytes(32), "link": bytes(32)},
}
CHAIR = {
    **{
        "bot": "",
        "name": "",
        "ready": True,
        "confirmed": True,
        "share": bytes(16),
        "share_from": "site",
        "seal": "",
        "salt": b"",
        "bank_ms": 300_000,
        "left": "",
    },
    **{"vote": "", "muted": False},
}


def write(model: type[models.Model], rows: list[dict[str, Any]]) -> None:
    """Insert rows into a table, in the quickest way that the database has."""
    if not rows:
        return
    quote = connection.ops.quote_name
    columns = ", ".join(map(quote, rows[0]))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {quote(model._meta.db_table)} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(list(row.values()))
        else:
            marks = ", ".join(["%s"] * len(rows[0]))
            adapted = [[adapt(value) for value in row.values()] for row in rows]
            cursor.executemany(f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({marks})", adapted)


def adapt(value: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if hasattr(value, "tzinfo") else value
