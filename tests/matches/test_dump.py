"""`dumprecords` and `loadrecords`: the archive moves from site to site, whatever the database."""

import gzip
import json
import re
from contextlib import ExitStack
from datetime import timedelta
from io import StringIO
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

import accounts.services
from accounts.career import tallies
from accounts.models import ArchivedMatch, Block, Feat, Rating, Tally, User
from games.deck import playing_on
from games.lobby import open_matches
from games.matches import access, outage
from games.matches.clocks import DAY_MS, now_ms
from games.matches.creation import create
from games.matches.models import Heartbeat, LogEntry, Match, Outage, Seat, StandingOrder
from games.transparency.models import TreeLeaf, TreeNode
from tests.matches.matches import seated
from tests.people import person
from tests.rewriting import rewritable
from tests.sites import Failed, Site

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CLOCKS = (Outage, Heartbeat)


def fill():
    """Put matches of every kind into the database, and people with secrets."""
    call_command(
        "playmatches", "--matches", "7", "--people", "6", "--unfinished", "2", "--seed", "s", stdout=StringIO()
    )
    User.objects.create_user("Ann", "ann@example.org", "correct horse", is_staff=True, theme="dark")
    Block.objects.create(user=person("sim1"), blocked=person("sim2"))
    open_matches.open_match(person("ann"), places=3, options={})
    running = Match.objects.filter(status="running").first()
    StandingOrder.objects.create(seat=running.seats.first(), kind="bid", value="3 2")
    ended = Match.objects.filter(status="finished").latest("ended_at")
    playing_on.play_on(access.find(ended.key), 10, 0, True, person("ann"))
    fields = {name: getattr(ended, name) for name in ("host", "places", "options", "pace", "bank_ms", "increment_ms")}
    rematch = create(ended.rules, rematch_of=ended, listed=False, **fields)
    for index, seat in enumerate(ended.seats.all()):
        Seat.objects.create(match=rematch, index=index, user=seat.user, bot=seat.bot, name=seat.name)


def dump(path, *options):
    call_command("dumprecords", str(path), *options, stdout=StringIO())
    return (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode().splitlines()


def wipe():
    """Empty the database."""
    StandingOrder.objects.all().delete()
    with rewritable(connection):
        for model in (
            TreeNode,
            TreeLeaf,
            LogEntry,
            Seat,
            ArchivedMatch,
            Tally,
            Feat,
            Rating,
            Block,
            Match,
            User,
            Outage,
            Heartbeat,
        ):
            model.objects.all()._raw_delete("default")


def load(path):
    out = StringIO()
    call_command("loadrecords", str(path), stdout=out)
    return out.getvalue()


made = []


@pytest.fixture
def lines(tmp_path):
    """A whole dump, also in the file `whole.jsonl`, and a database that is empty."""
    if not made:
        fill()
        made.extend(dump(tmp_path / "whole.jsonl", "--with-accounts", "--running"))
        wipe()
    (tmp_path / "whole.jsonl").write_text("".join(line + "\n" for line in made))
    return list(made)


def parts(lines):
    return [json.loads(line) for line in lines]


# What is in it


def test_only_what_has_ended_is_in_it_and_nothing_that_is_private(tmp_path):
    fill()
    since = now_ms()
    lines = dump(tmp_path / "a.jsonl")
    things = parts(lines)
    assert since <= things[0].pop("at") <= now_ms()
    assert things[0] == {"format": "armarium-dump/1", "accounts": False, "running": False}
    counts = {"user": 7, "rating": Rating.objects.count(), "match": 5, "archived": ArchivedMatch.objects.count()}
    assert things[-1] == {"end": counts}
    assert {thing["match"]["status"] for thing in things if "match" in thing} == {"finished"}
    text = "\n".join(lines)
    for user in User.objects.all():
        assert user.password not in text
    assert "example.org" not in text
    for match in Match.objects.exclude(status="finished"):
        assert match.key not in text
        assert bytes(match.secret).hex() not in text


@pytest.mark.once
def test_a_dump_is_for_the_owner_of_the_file_alone(tmp_path):
    fill()
    for number, options in enumerate((["--running"], ["--with-accounts"], [])):
        dump(tmp_path / f"{number}.jsonl", *options)
        assert (tmp_path / f"{number}.jsonl").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("accounts", [False, True])
def test_whoever_has_muted_a_chat_belongs_to_the_accounts(tmp_path, accounts):
    fill()
    Seat.objects.filter(match__status="finished").update(muted=True)
    lines = dump(tmp_path / "a.jsonl", *(["--with-accounts"] if accounts else []))
    assert any('"muted"' in line for line in lines) == accounts
    wipe()
    load(tmp_path / "a.jsonl")
    assert Seat.objects.filter(muted=True).exists() == accounts


@pytest.mark.once
def test_no_file_is_written_over(tmp_path):
    (tmp_path / "a.jsonl").write_text("mine")
    with pytest.raises(CommandError, match=r"cannot write .*a\.jsonl: File exists"):
        dump(tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_text() == "mine"


# And back


@pytest.mark.parametrize("name", ["whole.jsonl", "whole.jsonl.gz"])
def test_what_was_dumped_comes_back_as_it_was(tmp_path, name):
    fill()
    before = dump(tmp_path / name, "--with-accounts", "--running")
    wipe()
    said = load(tmp_path / name)
    assert "9 of match" not in said and "10 of match" in said
    again = dump(tmp_path / "again.jsonl", "--with-accounts", "--running")
    assert again[1:] == before[1:], "the first line says when it was"
    call_command("verifylogs", stdout=StringIO())
    assert User.objects.get(username="Ann").check_password("correct horse")


def test_without_accounts_nobody_can_sign_in_and_the_ratings_are_the_same(tmp_path):
    fill()
    before = {(r.user.username, r.pool): (r.value, r.games) for r in Rating.objects.select_related("user")}
    dump(tmp_path / "a.jsonl")
    wipe()
    load(tmp_path / "a.jsonl")
    assert {(r.user.username, r.pool): (r.value, r.games) for r in Rating.objects.select_related("user")} == before
    assert not any(user.has_usable_password() for user in User.objects.all())
    call_command("rerate", "--check", stdout=StringIO())


@pytest.mark.parametrize("stopped", [False, True])
def test_clocks_that_run_are_given_back_the_time_on_the_way(tmp_path, monkeypatch, stopped):
    match = seated("ann", "bob", pace="live", bank_ms=600_000, increment_ms=5_000)
    left = now_ms()
    if stopped:
        Heartbeat.objects.create(pk=1, at=left)
        monkeypatch.setattr("games.matches.dump.now_ms", lambda: left + DAY_MS // 2)
    dump(tmp_path / "a.jsonl", "--running")
    wipe()
    arrived = left + DAY_MS
    monkeypatch.setattr("games.matches.dump.now_ms", lambda: arrived)
    load(tmp_path / "a.jsonl")
    [(began, ended, settled)] = Outage.objects.values_list("began", "ended", "settled")
    assert left <= began < left + 60_000 and (ended, settled) == (arrived, False)
    outage.credit_all()
    wake_at = access.find(match.key).wake_at
    assert match.wake_at + timedelta(days=1, seconds=-60) < wake_at <= match.wake_at + timedelta(days=1, seconds=1)
    call_command("verifylogs", stdout=StringIO())


def test_no_clock_is_given_anything_for_what_has_ended(tmp_path):
    fill()
    dump(tmp_path / "a.jsonl")
    wipe()
    load(tmp_path / "a.jsonl")
    assert not Outage.objects.exists()


def test_a_closed_account_is_called_by_its_new_number(tmp_path):
    fill()
    person("sim1").archive.update(user=person("sim1"))
    User.objects.filter(username="sim1").update(closing_at=timezone.now() - timedelta(days=1))
    accounts.services.close_due(timezone.now())
    old = User.objects.get(closed=True).username
    dump(tmp_path / "a.jsonl")
    wipe()
    person("somebody").delete()
    for number in range(3):
        person(f"local{number}")
    load(tmp_path / "a.jsonl")
    closed = User.objects.get(closed=True)
    assert closed.username == closed.folded == f"closed-{closed.pk}" != old
    rows = ArchivedMatch.objects.filter(user=closed)
    assert rows and all(row.names[row.seat] == closed.username for row in rows)


def test_whoever_or_what_is_there_already_is_refused_and_nothing_is_written(tmp_path, lines):
    user = User.objects.create_user("SIM3")
    with pytest.raises(CommandError, match=r"whole.jsonl:\d+: there is somebody here already .* looks like, “SIM3”"):
        load(tmp_path / "whole.jsonl")
    assert list(User.objects.all()) == [user]
    user.delete()
    key = next(thing["match"]["key"] for thing in parts(lines) if "match" in thing)
    match = Match.objects.create(key=key, game="biblios", version=1, places=2, host=person("zoe"))
    with pytest.raises(CommandError, match=rf"whole.jsonl:\d+: there is a match {key} here already"):
        load(tmp_path / "whole.jsonl")
    assert (User.objects.count(), list(Match.objects.all())) == (1, [match])


def test_a_site_with_other_people_takes_it(tmp_path, lines):
    person("zoe")
    load(tmp_path / "whole.jsonl")
    call_command("verifylogs", stdout=StringIO())
    assert User.objects.count() == 8


def test_only_the_people_of_the_dump_are_counted(tmp_path, lines, monkeypatch):
    monkeypatch.setattr(tallies, "CHUNK", 3)
    zoe = Tally.objects.create(user=person("zoe"), seats=2, bots=False, early=False, games=1, won=1, points=9)
    load(tmp_path / "whole.jsonl")
    assert list(Tally.objects.filter(user=zoe.user)) == [zoe]
    zoe.delete()
    assert Tally.objects.exists() and tallies.wrong() is None


def index(lines, kind):
    return next(number for number, line in enumerate(lines) if line.startswith(f'{{"{kind}"'))


def changed(lines, kind, **values):
    """The lines, with other values in the first one of a kind."""
    at = index(lines, kind)
    thing = json.loads(lines[at])
    thing[kind] |= values
    return [*lines[:at], json.dumps(thing), *lines[at + 1 :]], at + 1


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("user", {"username": "a b"}, "“username” cannot be"),
        ("user", {"is_active": 1}, "“is_active” is 1; expected bool"),
        ("user", {"date_joined": "2026-11-21T20:00:00"}, "there is no time zone"),
        ("user", {"date_joined": "yesterday"}, "“date_joined” cannot be"),
        ("user", {"shoes": 44}, "expected an object with username, "),
        ("user", {"username": "a\u0000"}, "there is a NUL"),
        ("user", {"username": "\ud800"}, "surrogates not allowed"),
        ("rating", {"pool": "5"}, "“pool” is “5”; expected one of: 2, 3-4"),
        ("rating", {"game": "chess"}, "unknown title chess; expected one of: biblios"),
        ("rating", {"value": "1500"}, "“value” is"),
        ("rating", {"games": -1}, "“games” cannot be"),
        ("rating", {"user": "nobody"}, "expected the user “nobody” to come before"),
        ("rating", {"user": 3}, "expected the name of a user under “user”"),
        ("match", {"secret": "xyz"}, "“secret” cannot be"),
        ("match", {"ply": 2**80}, "“ply” cannot be"),
        ("match", {"status": "lost"}, "“status” is “lost”; expected one of: open, shuffling, running"),
        ("match", {"options": 3}, "“options” is 3; expected dict"),
        ("match", {"log": [[0, 0, "keep", 0]]}, "expected rows of the log as"),
        ("match", {"log": [[0, 0, "keep", 0, 1, "zz"]]}, "expected rows of the log as"),
        ("match", {"log": None}, "expected a match with “rematch_of”, “seats” and “log”"),
        ("match", {"seats": [3]}, "expected seats with “orders”"),
        ("match", {"rematch_of": "never"}, "the match never, of which"),
        ("archived", {"names": [1]}, "expected a list of names"),
        ("match", {"result": {"points": [3, 4]}}, "expected a result with “places”, or null"),
        ("archived", {"feats": {"moves": "many"}}, "expected numbers by name under “feats”"),
        ("archived", {"feats": [1]}, "expected numbers by name under “feats”"),
        ("archived", {"pool": "5"}, "“pool” is “5”; expected one of: 2, 3-4"),
        ("archived", {"before": "high"}, "“before” is"),
        ("end", {"match": 3}, "lines are missing"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(tmp_path, lines, kind, values, message):
    wrong, number = changed(lines, kind, **values)
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n".join(wrong) + "\n")
    with pytest.raises(CommandError) as error:
        load(path)
    assert message in str(error.value)
    if "rematch_of" not in values:
        assert f"wrong.jsonl:{number}: " in str(error.value)
    assert not User.objects.exists()


@pytest.mark.once
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda told: {"match": told["match"]}, "expected a beginning with match, ply"),
        (lambda told: [], "expected a beginning with match, ply"),
        (lambda told: told | {"match": []}, "expected the key of a match"),
        (lambda told: told | {"position": 3}, "expected the key of a match"),
        (lambda told: told | {"ply": -1}, "expected a move, a seat"),
        (lambda told: told | {"seat": 4}, "expected a move, a seat"),
        (lambda told: told | {"again": 1}, "expected a move, a seat"),
        (lambda told: told | {"position": {}}, "expected a position of the game"),
    ],
)
def test_a_match_that_begins_nowhere_is_not_loaded(tmp_path, lines, change, message):
    at = next(number for number, line in enumerate(lines) if '"beginning":{' in line)
    thing = json.loads(lines[at])
    thing["match"]["beginning"] = change(thing["match"]["beginning"])
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n".join([*lines[:at], json.dumps(thing), *lines[at + 1 :]]) + "\n")
    with pytest.raises(CommandError, match=f"wrong.jsonl:{at + 1}: {message}"):
        load(path)


@pytest.mark.once
def test_a_dump_from_before_games_were_played_on_and_hints_given_is_loaded(tmp_path, lines):
    old = []
    for thing in map(json.loads, lines):
        if match := thing.get("match"):
            if match["beginning"] is not None:
                continue
            del match["beginning"], match["hinted"]
        if "end" in thing:
            thing["end"]["match"] = sum("match" in it for it in old)
        old.append(thing)
    path = tmp_path / "old.jsonl"
    path.write_text("\n".join(map(json.dumps, old)) + "\n")
    load(path)
    assert set(Match.objects.values_list("hinted", "beginning")) == {(False, None)}


@pytest.mark.once
def test_an_order_that_the_game_does_not_know_is_not_loaded(tmp_path, lines):
    path = tmp_path / "wrong.jsonl"
    whole = (tmp_path / "whole.jsonl").read_text()
    assert '"3 2"' in whole
    path.write_text(whole.replace('"3 2"', '"three"'))
    with pytest.raises(CommandError, match="expected orders that the game knows"):
        load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:-1], "the last line, with “end”, is missing"),
        (lambda lines: [], "the last line, with “end”, is missing"),
        (lambda lines: lines[1:], "this is no dump"),
        (lambda lines: [*lines, lines[-1]], "expected nothing after"),
        (lambda lines: [*lines[:-2], lines[-1]], "lines are missing"),
        (lambda lines: [lines[0], *lines[2:]], "expected the user “"),
        (lambda lines: [*lines[:-1], lines[1], lines[-1]], "expected “user” before “archived”"),
        (lambda lines: [lines[0], lines[1], *lines[1:]], "the database does not take lines"),
        (lambda lines: [lines[0], "[]", *lines[1:]], "expected an object"),
        (lambda lines: [lines[0], "{}", *lines[1:]], "expected an object with one of these"),
        (lambda lines: [lines[0], '{"cow": {}}', *lines[1:]], "expected an object with one of these"),
        (lambda lines: [lines[0], "NaN", *lines[1:]], "this is no JSON"),
        (lambda lines: [lines[0], "[" * 100_000, *lines[1:]], "this is no JSON"),
        (lambda lines: ['{"format": "armarium-dump/2"}'], "expected a first line with “format” armarium-dump/1"),
        (lambda lines: ['{"format": "armarium-dump/1"}'], "expected “accounts” and “running”"),
        (lambda lines: [re.sub('"at":[0-9]+', '"at":true', lines[0])], "expected milliseconds since 1970"),
    ],
)
@pytest.mark.once
def test_a_torn_file_is_refused_and_nothing_is_written(tmp_path, lines, change, message):
    path = tmp_path / "torn.jsonl"
    path.write_text("".join(line + "\n" for line in change(lines)))
    with pytest.raises(CommandError, match=message):
        load(path)
    assert not User.objects.exists() and not Match.objects.exists()


@pytest.mark.parametrize(("kind", "column"), [("rating", "value"), ("match", "options"), ("archived", "after")])
@pytest.mark.parametrize("number", ["1e999", "-1e999", "Infinity", "1.5e99999"])
@pytest.mark.once
def test_a_number_beyond_all_is_refused(tmp_path, lines, kind, column, number):
    value = {"penalty": "@"} if column == "options" else "@"
    wrong, at = changed(lines, kind, **{column: value})
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n".join(wrong).replace('"@"', number) + "\n")
    with pytest.raises(CommandError, match=rf"wrong.jsonl:{at}: this is no JSON .*{number} is no number"):
        load(path)
    assert not User.objects.exists()


TRICKS = [b'"', b"{", b"null", b"-1", b"1e999", b"\\u0000", b"\xff", b"\n", b"true", b"9" * 5000]


@pytest.mark.twice
def test_whatever_is_in_the_file_there_is_a_sentence(tmp_path, lines):
    """Bytes changed, cut and doubled at random: it is taken as a whole or refused with a line, never half."""
    whole = "".join(line + "\n" for line in lines).encode()
    rng = Random(8)
    for number in range(80 if connection.vendor == "sqlite" else 25):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(data))
            how = rng.randrange(4)
            if how == 0:
                data[at] = rng.randrange(256)
            elif how == 1:
                del data[at : at + rng.randrange(1, 2000)]
            elif how == 2:
                data[at:at] = data[at : at + rng.randrange(1, 200)]
            else:
                data[at : at + 1] = rng.choice(TRICKS)
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(data)
        try:
            load(path)
        except CommandError as error:
            assert f"{number}.jsonl" in str(error)
            assert not User.objects.exists() and not Match.objects.exists()
        else:
            wipe()


@pytest.mark.once
def test_a_compressed_file_that_is_cut_is_refused(tmp_path, lines):
    whole = gzip.compress("".join(line + "\n" for line in lines).encode())
    for size in (5, 40, len(whole) // 2, len(whole) - 1):
        path = tmp_path / f"{size}.jsonl.gz"
        path.write_bytes(whole[:size])
        with pytest.raises(CommandError, match="cannot read"):
            load(path)
        assert not User.objects.exists()


@pytest.mark.once
def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"cannot read .*none\.jsonl after line 0: .*No such file"):
        load(tmp_path / "none.jsonl")


# Between databases


@pytest.fixture
def sites():
    with ExitStack() as sites:
        yield sites


@pytest.mark.once
def test_from_sqlite_to_postgresql_and_back_everything_is_the_same(tmp_path, postgres, sites):
    one, two, three = (
        sites.enter_context(Site(tmp_path / number, url)).empty()
        for number, url in (("1", ""), ("2", postgres.url), ("3", ""))
    )
    one.manage("playmatches", "--matches", 12, "--unfinished", 3, "--bots", "greedy,random", "--seed", "trip")
    dumps = []
    for number, (site, target) in enumerate([(one, two), (two, three), (three, None)]):
        file = tmp_path / f"{number}.jsonl.gz"
        site.manage("dumprecords", file, "--with-accounts", "--running")
        dumps.append(gzip.decompress(file.read_bytes()).decode().splitlines())
        if target:
            target.manage("loadrecords", file)
            assert "no fault" in target.manage("verifylogs")
    first, *others = [parts(lines) for lines in dumps]
    assert all(other[1:] == first[1:] for other in others), "to the last bit of the ratings"
    with pytest.raises(Failed, match="there is somebody here already"):
        two.manage("loadrecords", tmp_path / "0.jsonl.gz")
