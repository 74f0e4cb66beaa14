"""Whatever is sent to the pages and forms of the site: no fault, and nothing happens that may not."""

import socket
from contextlib import closing, suppress
from urllib.parse import quote_from_bytes

import pytest
from django.conf import settings
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from games.engine.core import RulesError
from games.matches import access, history
from games.matches.models import LogEntry
from tests.security import world
from tests.security.server import get, running

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MARK = "<zq\"'>"
"""If this comes back as it is, anything could."""
FORMS = sorted(
    {
        *(
            "sign-up",
            "sign-in",
            "sign-out",
            "guest",
            "account/play",
            "account/look",
            "account/theme",
            "account/language",
        ),
        *("@/<str:username>/report", "@/<str:username>/block", "account/email", "account/password"),
        *("account/sessions", "account/close", "account/keep", "account/forgot", "account/told", "notices/seen"),
        *("account/email/again", "account/email/forget", "account/confirm/<str:uid>/<str:token>"),
        "unsubscribe/<str:uid>/<str:topic>/<str:signature>",
        "invited/<str:token>",
        "c/<str:slug>/desk/mailed/<int:number>",
        *(
            "account/reset/<str:uid>/<str:token>",
            "play/new",
            "play/quick",
            "play/quick/stop",
            "play/bots",
            "play/alone",
        ),
        *(
            "play/guided",
            "m/<str:key>/join",
            "m/<str:key>/shuffle",
            "m/<str:key>/ready",
            "m/<str:key>/stand",
            "m/<str:key>/kick",
        ),
        *("m/<str:key>/bot", "m/<str:key>/rematch", "m/<str:key>/play", "m/<str:key>/resign", "m/<str:key>/vote"),
        *("m/<str:key>/orders", "m/<str:key>/chat", "m/<str:key>/mute", "m/<str:key>/tempo", "m/<str:key>/skip"),
        "m/<str:key>/hint",
        *(f"c/<str:slug>/{what}" for what in ("join", "decline", "leave", "invited/<str:token>")),
        *(f"c/<str:slug>/desk/{what}" for what in ("club", "invite", "link", "announce", "withdraw/<int:number>")),
        *(
            f"c/<str:slug>/desk/{what}/<str:username>"
            for what in ("approve", "reject", "appoint", "dismiss", "rights", "expel", "readmit")
        ),
        *(
            f"c/<str:slug>/calendar/{what}"
            for what in ("new", *(f"<int:number>/{do}" for do in ("answer", "change", "cancel", "open")))
        ),
        *(f"c/<str:slug>/{what}" for what in ("feeds/token", "desk/webhooks/new")),
        *(f"c/<str:slug>/desk/webhooks/<int:number>/{what}" for what in ("test", "remove")),
        "account/calendar",
        "clubs/new",
        "c/<str:slug>/ladders/new",
        *(
            f"c/<str:slug>/tournaments/<int:number>/{what}"
            for what in (
                "enter",
                "leave",
                "come/<str:token>",
                "tick",
                "untick",
                "names",
                "guest",
                "link",
                "seat",
                "begin",
                "next",
                "last",
                "close",
            )
        ),
        "c/<str:slug>/tournaments/<int:number>/correct/<int:round_number>/<int:table>",
        *(
            f"c/<str:slug>/ladders/<int:number>/{what}"
            for what in ("join", "leave", "vacation", "back", "challenge", "table")
        ),
        *(
            f"c/<str:slug>/ladders/<int:number>/table/<int:pk>/{what}"
            for what in ("confirm", "dispute", "withdraw", "decide")
        ),
        *(
            f"c/<str:slug>/ladders/<int:number>/desk/{what}"
            for what in ("season", "correct", "add", "rules", "order", "name", "close")
        ),
        "c/<str:slug>/ladders/<int:number>/desk/undo/<int:event>",
        *(
            f"c/<str:slug>/ladders/<int:number>/challenges/<int:pk>/{what}"
            for what in ("accept", "decline", "withdraw", "counter", "table")
        ),
    }
)
NAMES = (
    *("title", "starts", "hours", "place", "plan", "readers", "seen", "address", "format", "topics"),
    *("clubname", "slug", "description", "visible", "joining"),
    *("username", "password", "new_password", "email", "theme", "language", "next", "session", "text", "match"),
    *("places", "pace", "time", "minutes", "seconds", "days", "bots", "bot", "preset", "kind", "access", "watch"),
    *("share", "ahead", "seal", "without", "level", "game"),
    *(
        "do",
        "player",
        "players",
        "everybody",
        "position",
        "reason",
        "events",
        "names",
        "list",
        "called",
        "up",
        "down",
        "reach",
        "soft_reset",
    ),
    *("name_", "member", "how", "size", "fill", "rounds", "place_0", "counts"),
    *("first", "last", "seats", "third", "fourth", "begins", "time_0", "time_1", "time_2"),
    *(
        "ready",
        "seat",
        "ply",
        "move",
        "vote",
        "order",
        "lot",
        "limit",
        "told",
        "older",
        "newer",
        "option_penalty",
        "csrfmiddlewaretoken",
    ),
)
ODD = (
    *("", " ", "0", "-1", "1", "2", "3", "4", "99", "9" * 30, "1e9", "NaN", "١", "½", "1\x000", "None", "true", "[]"),
    *("\x00", "\ud800", "\ufeff", "\u202e", "é" * 300, "x" * 5000, MARK, f"keep{MARK}", "../../etc", "//evil.example"),
    *(
        "javascript:1",
        "%00",
        "%s%n",
        "{{7*7}}",
        "${7}",
        "' OR 1=1 --",
        "keep",
        "public",
        "bid 5",
        "pass",
        "pay",
        "take 3",
    ),
    *("ab" * 16, "ann", "ANN", "limit", "gold", "clear", "all", "none", "live", "own", "custom", "rated", "en", "dark"),
)
TYPES = (
    *("application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=utf-16", "text/plain", ""),
    *(
        "application/json",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "application/x-www-form-urlencoded; charset=no",
    ),
    "multipart/form-data; boundary=" + "x" * 300,
)

texts = st.one_of(st.sampled_from(ODD), st.text(max_size=30), st.integers().map(str))
values = st.one_of(texts.map(lambda text: text.encode("utf-8", "surrogatepass")), st.binary(max_size=20))
fields = st.lists(st.tuples(st.one_of(st.sampled_from(NAMES), texts), values), max_size=8)
agents = st.dictionaries(
    st.sampled_from(
        ["HTTP_HX_REQUEST", "HTTP_USER_AGENT", "HTTP_REFERER", "HTTP_ACCEPT_LANGUAGE", "HTTP_X_FORWARDED_FOR"]
    ),
    st.one_of(
        st.sampled_from(["true", "x" * 3000, "é", "null", "en;q=x,,,;", MARK]), st.text("az<>\"';,=", max_size=20)
    ),
    max_size=2,
)
cookies = st.dictionaries(
    st.sampled_from([settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, "messages", "theme", "django_language"]),
    st.one_of(
        st.sampled_from(["", "x" * 33, "../..", "a" * 5000, "\x7f", MARK.strip('"'), "en-xx", "W10:x:y"]),
        st.text("abz09:_-", max_size=40),
    ),
    max_size=2,
)


def encoded(pairs) -> bytes:
    return "&".join(
        f"{quote_from_bytes(name.encode('utf-8', 'surrogatepass'))}={quote_from_bytes(value)}" for name, value in pairs
    ).encode()


class Undone(Exception):
    """Whatever happened in here is taken back."""


@pytest.fixture
def site(site, settings):
    settings.AXES_ENABLED = False
    site.rows = world.rows()
    return site


def send(site, role, method, address, body=b"", content_type="", more=None, jar=None):
    """Ask as somebody, and look whether all is well; what was changed is given back, and taken back."""
    client = world.client_of(site, role)
    client.raise_request_exception = True
    for name, text in (jar or {}).items():
        client.cookies[name] = text
    try:
        with transaction.atomic():
            with world.writing() as tables:
                answer = client.generic(method, address, body, content_type=content_type, **(more or {}))
            assert answer.status_code < 500, address
            if not answer.streaming:
                assert MARK not in answer.content.decode("utf-8", "replace"), f"{address} gives back what was sent"
            changed = world.changed_in(site, tables)
            if answer.status_code >= 400 or method == "GET":
                assert not changed, (address, answer.status_code, changed)
            for match in site.matches.values():
                if LogEntry.objects.filter(match=match).count() != match.ply:
                    history.Replay(access.find(match.key)).add(
                        history.Row(*row) for row in match.log.order_by("ply").values_list("seat", "move", "by", "at")
                    )
            raise Undone
    except Undone:
        return answer, changed


ALLOWED = {
    "m/<str:key>/chat": {"ChatLine", "WatcherLine"},
    "m/<str:key>/mute": {"Seat", "Match"},
    "m/<str:key>/tempo": {"User", "Match"},
    "m/<str:key>/skip": {"Match"},
    "m/<str:key>/hint": {"Match"},
    "m/<str:key>/orders": {"StandingOrder", "Match"},
    "account/forgot": set(),
    "@/<str:username>/report": {"Report"},
    "@/<str:username>/block": {"Block"},
    "account/play": {"User"},
    "account/look": {"User"},
    "account/theme": {"User"},
    "account/language": {"User"},
    "account/sessions": set(),
    "account/email": {"User"},
    "account/email/again": set(),
    "account/email/forget": {"User"},
    "account/confirm/<str:uid>/<str:token>": {"User"},
    "unsubscribe/<str:uid>/<str:topic>/<str:signature>": {"User", "Notice"},
    "account/password": {"User"},
}
"""What some forms may change at most."""


@given(data=st.data())
def test_forms(site, data):
    role = data.draw(st.sampled_from(world.ROLES))
    route = data.draw(st.sampled_from(FORMS))
    match = site.matches[data.draw(st.sampled_from(sorted(site.matches)))] if "<str:key>" in route else None
    pairs = data.draw(fields)
    if data.draw(st.booleans()):
        # A form that would be taken, but for what comes before or after.
        good = [(name, str(value).encode()) for name, value in world.fields_of(site, route, match).items()]
        pairs = good + pairs if data.draw(st.booleans()) else pairs + good
    content_type = data.draw(st.sampled_from((TYPES[0],) * 6 + TYPES))
    body = encoded(pairs) if data.draw(st.integers(0, 9)) else data.draw(st.binary(max_size=200))
    _, changed = send(
        site,
        role,
        "POST",
        world.address_of(site, route, match),
        body,
        content_type,
        data.draw(agents),
        data.draw(cookies),
    )
    assert changed <= ALLOWED.get(route, changed)


@pytest.mark.once
@given(data=st.data())
def test_answers_at_the_table(site, data):
    role = data.draw(st.sampled_from(("player", "player", "host", "outsider")))
    match = site.matches[data.draw(st.sampled_from(("running", "unwatched")))]
    state = history.replay(match).state(match.ply)
    legal = [match.rules.text(move) for move in state.legal()]
    moves = data.draw(st.lists(st.one_of(st.sampled_from(legal), texts), max_size=4))
    if data.draw(st.integers(0, 20)) == 0:
        moves = moves * 40
    ply = data.draw(st.one_of(st.just(str(match.ply)), st.just(str(match.ply)), texts))
    pairs = [("ply", ply.encode("utf-8", "surrogatepass"))]
    pairs += [("move", move.encode("utf-8", "surrogatepass")) for move in moves]
    answer, changed = send(site, role, "POST", f"/m/{match.key}/play", encoded(pairs), TYPES[0])
    seat = {"player": 1, "host": 0}.get(role)
    if may_be(match, state, seat, ply, moves):
        assert answer.status_code == 302 and {"LogEntry", "Match"} <= changed, (ply, moves)
    else:
        assert answer.status_code in ((404,) if seat is None else (409,)) and not changed, (ply, moves)


def may_be(match, state, seat, ply, moves) -> bool:
    """Whether the rules allow these moves, as the engine says."""
    if seat is None or not moves or not (ply.isdecimal() and len(ply) <= 6 and int(ply) == match.ply):
        return False
    try:
        for text in moves:
            state = state.after(match.rules.move(text), seat=seat)
    except RulesError:
        return False
    return True


PARTS = (
    *("clubs", "new", "members", "invited", "join", "desk", "expel", "withdraw", "club"),
    *("c", "st-gall", "ladder", "challenge", "challenges", "events", "player", "seasons", "desk", "ladder.csv"),
    *("embed", "print", "1", "1.csv", "undo", "4", "order", "former", "hand-over", "accept", "back", "close", "reopen"),
    *("m", "@", "play", "account", "reset", "admin", "static", "record.json", "record.txt", "games", "games.jsonl"),
    *(
        "board",
        "..",
        ".",
        "",
        "%00",
        "%2e%2e",
        "%ff",
        "%ed%a0%80",
        "%F0%9F%82%A1",
        "x" * 3000,
        "0",
        "99999999999",
        "-1",
    ),
    *(
        "ann",
        "ANN",
        "Ann%20",
        "guest-gus",
        "leaders",
        "report",
        "news",
        "%0d%0aX:1",
        "%3Czq%22%27%3E",
        "games/match/1/change",
    ),
)
paths = st.lists(st.one_of(st.sampled_from(PARTS), st.binary(max_size=10).map(quote_from_bytes)), max_size=5)
queries = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "as",
                "to",
                "all",
                "kind",
                "event",
                "by",
                "theme",
                "ply",
                "next",
                "room",
                "since",
                "older",
                "newer",
                "opponent",
                "until",
                "players",
                "result",
                "rated",
                "pool",
                "span",
                "match",
                "lang",
                "q",
                "o",
                "p",
                "e",
            ]
        ),
        st.one_of(
            values, st.sampled_from([b"0-0", b"9" * 17 + b"-" + b"9" * 18, b"2026-11-21", b"0000-00-00", b"1-1"])
        ),
    ),
    max_size=4,
)


@given(data=st.data())
def test_addresses(site, data):
    role = data.draw(st.sampled_from(world.ROLES))
    if data.draw(st.booleans()):
        match = site.matches[data.draw(st.sampled_from(sorted(site.matches)))]
        route = data.draw(st.sampled_from([route for route in world.patterns() if "logout" not in route]))
        path = world.address_of(site, route, match)
    else:
        path = "/" + "/".join(data.draw(paths))
    address = f"{path}?{encoded(data.draw(queries)).decode()}"
    send(
        site,
        role,
        data.draw(st.sampled_from(["GET", "GET", "GET", "HEAD", "OPTIONS"])),
        address,
        more=data.draw(agents),
        jar=data.draw(cookies),
    )


@pytest.mark.once
def test_a_file_is_refused_without_being_written(site, tmp_path, settings):
    content_type = "multipart/form-data; boundary=x"
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    head = b'--x\r\nContent-Disposition: form-data; name="text"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
    body = head + b"\x89PNG" * 1000 + b"\r\n--x--\r\n"
    for route in FORMS:
        client = world.client_of(site, "host")
        answer = client.post(world.address_of(site, route, site.matches["running"]), body, content_type=content_type)
        assert answer.status_code in (302, 400, 404, 409, 422), route
    match = site.matches["running"]
    answer = world.client_of(site, "player").post(f"/m/{match.key}/chat", body, content_type=content_type)
    assert answer.status_code == 400
    assert not list(tmp_path.iterdir())


@pytest.mark.once
def test_more_fields_than_any_form_has_are_refused(site):
    match = site.matches["running"]
    body = b"&".join([b"move=keep"] * 201)
    answer = world.client_of(site, "player").post(f"/m/{match.key}/play", body, content_type=TYPES[0])
    assert answer.status_code == 400


HEADS = (
    *(
        b"GET /",
        b"POST /sign-in",
        b"GET /m/abc",
        b"GET //evil",
        b"HEAD /play",
        b"GET http://evil.example/",
        b"\x00\x01",
    ),
    *(b"OPTIONS *", b"GET /@/%00", b"PRI *", b"GET /static/../../manage.py", b"GET /static/%2e%2e/settings.py"),
)
LINES = (
    *(
        b"Host: localhost",
        b"Host: evil.example",
        b"Host: a\x00b",
        b"Content-Length: 5",
        b"Content-Length: -1",
        b"Cookie: " + b"a=b;" * 500,
    ),
    *(
        b"Transfer-Encoding: chunked",
        b"Content-Length: 99999999999999999999",
        b"Upgrade: websocket",
        b"Connection: upgrade",
    ),
    *(b"X-Forwarded-Host: evil.example", b"X-Forwarded-Proto: https", b"Expect: 100-continue", b"Daphne-Root-Path: /x"),
    *(b"Sec-WebSocket-Key: x", b"Sec-WebSocket-Version: 13", b": x", b"a b: c", b"Content-Type: multipart/form-data"),
)
raw = st.tuples(
    st.one_of(st.sampled_from(HEADS), st.binary(max_size=40)),
    st.sampled_from([b" HTTP/1.1\r\n", b" HTTP/1.0\r\n", b" HTTP/9.9\r\n", b"\r\n", b" HTTP/1.1\n"]),
    st.lists(st.one_of(st.sampled_from(LINES), st.binary(max_size=30)), max_size=6).map(b"\r\n".join),
    st.sampled_from([b"\r\n\r\n", b"\r\n\r\nusername=x", b"\r\n\r\nfffffffff\r\nx", b"\r\n"]),
).map(b"".join)


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    with running(tmp_path_factory.mktemp("data")) as (port, _process):
        yield port


@pytest.mark.once
@given(request=raw)
def test_raw_requests_to_a_running_server(port, request):
    with closing(socket.create_connection(("127.0.0.1", port), timeout=30)) as line, suppress(OSError):
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        answer = line.recv(4000)
        assert not answer.startswith((b"HTTP/1.1 5", b"HTTP/1.0 5")), answer


@pytest.mark.once
def test_the_server_is_still_there_afterwards(port):
    assert get(port, "/rules")[0].status == 200
