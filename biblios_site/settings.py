"""One settings file for every place the site runs in; what differs comes from the environment.

BIBLIOS_DATA        folder of the database, the secret key and the collected static files (default: var)
DATABASE_URL        postgresql://user:password@host:port/name (default: a SQLite file in BIBLIOS_DATA)
MIGRATE_DATABASE_URL  the same for the role that owns the tables, only for the commands prepare and restore; that of
                    DATABASE_URL then gets its rights from prepare (default: one role does both)
BIBLIOS_POOL        how many connections to PostgreSQL a process may have (default: 10)
REDIS_URL           redis://host:port/0 links processes, holds the cache (default: one process, in memory)
BIBLIOS_SECRET_KEY  32 characters or more (default: made once and kept in BIBLIOS_DATA)
BIBLIOS_LOG_KEY     file of the private key that signs the public log (default: made once and kept in BIBLIOS_DATA)
BIBLIOS_HOSTS       names the site answers to, with commas (default: localhost,127.0.0.1,[::1])
BIBLIOS_URL         the address of the site as it stands in mails, invitations and files (default: from BIBLIOS_HOSTS
                    and BIBLIOS_HTTPS; without these, where it listens)
BIBLIOS_HTTPS       1 behind a proxy that speaks HTTPS and sets X-Forwarded-Proto and X-Forwarded-For
BIBLIOS_HSTS        subdomains, or preload, when all names below the site's speak HTTPS for ever (default: neither)
BIBLIOS_SMTP        smtp://user:password@host:port sends mail; ?tls=1 for STARTTLS (default: mail goes to the console)
BIBLIOS_MAIL_FROM   the sender of mail (default: armarium@localhost)
BIBLIOS_NEWCOMERS   how many guests and accounts one network address may make in an hour (default: 20)
BIBLIOS_MESSAGES    how many messages one page may send in 10 seconds (default: 40)
BIBLIOS_DEBUG       1 shows tracebacks in the browser; never in public
BIBLIOS_SOURCE_URL  where the source code of this very server is; linked in the footer
BIBLIOS_LOG         json for log lines that programs read: one JSON object each
BIBLIOS_LOG_LEVEL   DEBUG, INFO, WARNING or ERROR (default: WARNING)
BIBLIOS_BEACON      https://host/chain?genesis=seconds&period=seconds is a beacon as drand's, mixed into each shuffle
                    (default: none is asked)
BIBLIOS_METRICS     host:port where Prometheus reads the numbers of this process; never a public one (default: nowhere)
"""

import os
from contextlib import suppress
from fcntl import LOCK_EX, flock
from pathlib import Path
from stat import S_ISVTX
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("BIBLIOS_DATA") or BASE_DIR / "var")
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
mode = DATA_DIR.stat().st_mode
if mode & 0o077 and DATA_DIR.stat().st_uid == os.geteuid() and not mode & S_ISVTX:  # as /tmp, it would be others' too
    DATA_DIR.chmod(0o700)


def kept_secret(path: Path) -> str:
    """The secret in this file, readable by its owner only. The first call writes it, even if several come at once."""
    if not path.exists() or not path.read_text():
        with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
            flock(file, LOCK_EX)
            if not file.read():
                file.write(get_random_secret_key())
    return path.read_text()


def secret(name: str) -> str:
    """The value of a variable that nobody must be able to guess; empty if none is given."""
    value = os.environ.get(name, "")
    if 0 < len(value) < 32:
        raise ImproperlyConfigured(
            f"{name} must have 32 random characters or more, as `openssl rand -hex 32` prints them; it has {len(value)}"
        )
    return value


def number(name: str, default: int) -> int:
    """The whole number that a variable gives, 0 or more."""
    text = os.environ.get(name) or str(default)
    if not (text.isascii() and text.isdigit()):
        raise ImproperlyConfigured(f"{name} must be a whole number, as {default}; it is {text!r}")
    return int(text)


def address(name: str, *schemes: str) -> str:
    """The value of a variable that is the address of a server, if that can be one; empty if none is given."""
    url = os.environ.get(name, "")
    try:
        parts = urlsplit(url if schemes else f"//{url}")
        wrong = (bool(schemes) and (parts.scheme not in schemes or not parts.hostname)) or parts.port == 0
    except ValueError:
        wrong = True
    if url and wrong:
        raise ImproperlyConfigured(f"{name} must look like {f'{schemes[0]}://' if schemes else ''}host:port")
    return url


def postgresql(url: str, name: str = "DATABASE_URL") -> dict[str, Any]:
    """The database of a URL, which that variable gives, with pooled connections."""
    parts = urlsplit(url)
    try:
        port = str(parts.port or "")
    except ValueError:
        port = "-"
    if parts.scheme not in ("postgres", "postgresql") or not parts.path.strip("/") or port == "-":
        raise ImproperlyConfigured(f"{name} must look like postgresql://user:password@host:port/name")
    from psycopg_pool.base import AttemptWithBackoff

    # The pool would ask for a server that is away after one second, then two, four and so on: who waits for a
    # connection would do so long after it is back, or in vain.
    AttemptWithBackoff.INITIAL_DELAY, AttemptWithBackoff.DELAY_BACKOFF = 0.5, 1.0
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": port,
        # Whoever waits for a server that is away learns it in five seconds.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "connect_timeout": 5,
            "tcp_user_timeout": 10_000,
            # Not None, which would forbid to prepare statements; Django's own are not prepared.
            "prepare_threshold": 5,
            # A process that hangs must not hold up the others for longer.
            "options": "-c lock_timeout=4s -c idle_in_transaction_session_timeout=30s",
            "pool": {
                "min_size": 1,
                # One more writes the moves: games.table.writer.
                "max_size": max(1, number("BIBLIOS_POOL", 10) - 1),
                "timeout": 5,
            },
        },
    }


def sqlite(path: Path) -> dict[str, Any]:
    """A database in one file that many threads of one process may write, and only its owner may read."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with suppress(PermissionError):
        path.chmod(0o600)  # the files beside it inherit its mode
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            # FULL: what was acknowledged survives a power failure too.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
        },
        # In memory, two simultaneous requests would lock each other out.
        "TEST": {"NAME": path.with_name("test.sqlite3")},
    }


def smtp(url: str) -> dict[str, Any]:
    """The settings for a mail server given by a URL."""
    parts = urlsplit(url)
    if parts.scheme != "smtp" or not parts.hostname:
        raise ImproperlyConfigured("BIBLIOS_SMTP must look like smtp://user:password@host:port?tls=1")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or 25,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parse_qs(parts.query).get("tls") == ["1"],
        "EMAIL_TIMEOUT": 20,
    }


def beacon(url: str) -> tuple[str, int, int] | None:
    """The chain, genesis and period (s) of the beacon given by a URL; None if none is given."""
    if not url:
        return None
    parts = urlsplit(url)
    told = dict(parse_qsl(parts.query))
    genesis, period = (int(told[name]) if told.get(name, "").isdecimal() else 0 for name in ("genesis", "period"))
    safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1"))
    # The column of a round's address has 200 characters.
    if not safe or not parts.hostname or "@" in parts.netloc or not genesis or not 0 < period <= 5 or len(url) > 180:
        raise ImproperlyConfigured(
            "BIBLIOS_BEACON must look like https://host/chain?genesis=1692803367&period=3, with a period of 5 s or less"
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", genesis, period


def own_address(url: str) -> str:
    """The address of the site, without a trailing slash; if none is given, that of its first host."""
    if not url and not os.environ.get("BIBLIOS_HOSTS"):
        url = "http://localhost:8000"
    elif not url:
        host = os.environ["BIBLIOS_HOSTS"].split(",")[0].strip().lstrip("*.") or "localhost"
        url = f"{'https' if os.environ.get('BIBLIOS_HTTPS') == '1' else 'http'}://{host}"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ImproperlyConfigured("BIBLIOS_URL must look like https://play.example.org")
    return url.rstrip("/")


DEBUG = os.environ.get("BIBLIOS_DEBUG") == "1"
SECRET_KEY = secret("BIBLIOS_SECRET_KEY") or kept_secret(DATA_DIR / "secret_key")
LOG_KEY = Path(os.environ.get("BIBLIOS_LOG_KEY") or DATA_DIR / "log_key.pem")
if os.environ.get("BIBLIOS_HTTPS") == "1" and not os.environ.get("BIBLIOS_HOSTS"):
    raise ImproperlyConfigured(
        "BIBLIOS_HTTPS needs BIBLIOS_HOSTS: without names the site answers to this machine alone"
    )
ALLOWED_HOSTS = (os.environ.get("BIBLIOS_HOSTS") or "localhost,127.0.0.1,[::1]").split(",")
SITE_URL = own_address(os.environ.get("BIBLIOS_URL", ""))
NAMED = bool(os.environ.get("BIBLIOS_URL") or os.environ.get("BIBLIOS_HOSTS"))
"""Whether the address of the site is given; if not, `manage.py serve` takes the one it listens on."""
SOURCE_URL = os.environ.get("BIBLIOS_SOURCE_URL", "")
METRICS = address("BIBLIOS_METRICS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "accounts",
    "games",
    "biblios_site",
    "tools",
]

MIDDLEWARE = [
    "biblios_site.middleware.headers",
    "django.middleware.security.SecurityMiddleware",
    "biblios_site.middleware.StaticFiles",
    "biblios_site.middleware.nobody",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "accounts.middleware.Accounts",
    "django_htmx.middleware.HtmxMiddleware",
    "biblios_site.middleware.boosted",
]

AUTHENTICATION_BACKENDS = ["accounts.people.guesses.Guard", "django.contrib.auth.backends.ModelBackend"]

ROOT_URLCONF = "biblios_site.urls"
ASGI_APPLICATION = "biblios_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "games.templatetags.pictures",
                "accounts.templatetags.moments",
                "accounts.templatetags.numbers",
                "django.templatetags.l10n",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "biblios_site.context.frame",
                "accounts.context.bell",
                "games.context.waiting",
                "games.context.todays",
                "games.context.coming_back",
                "games.context.back",
            ],
        },
    },
    # What boards have of larger pieces of HTML: a quarter of the cost of Django's.
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates" / "board"],
        "OPTIONS": {"environment": "games.jinja.environment"},
    },
]

DATABASE_URL = os.environ.get("DATABASE_URL")
MIGRATE_DATABASE_URL = os.environ.get("MIGRATE_DATABASE_URL")
SITE_DATABASE = postgresql(DATABASE_URL) if DATABASE_URL else sqlite(DATA_DIR / "biblios.sqlite3")
"""The database as those have it who serve."""
DATABASES = {
    "default": postgresql(MIGRATE_DATABASE_URL, "MIGRATE_DATABASE_URL") if MIGRATE_DATABASE_URL else SITE_DATABASE
}
if MIGRATE_DATABASE_URL and not DATABASE_URL:
    raise ImproperlyConfigured("MIGRATE_DATABASE_URL needs DATABASE_URL, which names the role that gets the rights")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = address("REDIS_URL", "redis", "rediss")
MEMORY = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    # Limits are counted here. Django keeps 300 entries by default, too few for a busy evening. When it is full, the
    # third goes that was not touched for longest.
    "OPTIONS": {"MAX_ENTRIES": 300_000},
}
CACHES = {
    "default": (
        {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
        }
        if REDIS_URL
        else MEMORY
    ),
    "memory": MEMORY,
}

AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = ["accounts.people.passwords.Hasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

LOGIN_URL = "sign_in"
NEWCOMERS_AN_HOUR = number("BIBLIOS_NEWCOMERS", 20)
PAGE_MESSAGES = number("BIBLIOS_MESSAGES", 40)
SESSION_ENGINE = "accounts.models"
BROWSER_COOKIE_NAME = "browser"
SESSION_COOKIE_AGE = 30 * 24 * 3600
PASSWORD_RESET_TIMEOUT = 24 * 3600

EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
DEFAULT_FROM_EMAIL = os.environ.get("BIBLIOS_MAIL_FROM") or "armarium@localhost"
SENDS_MAIL = bool(os.environ.get("BIBLIOS_SMTP"))
if SENDS_MAIL:
    globals().update(smtp(os.environ["BIBLIOS_SMTP"]))

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "biblios_site" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

BOT_DELAY_MS = (600, 900)
"""How long a bot of normal pace waits before it answers (for `Game.bot_delay` of 1): drawn between these."""

SHUFFLE_MS = 8000
"""How long the browsers of a table have to seal their bytes for the shuffle, and again to open them."""

BEACON = beacon(os.environ.get("BIBLIOS_BEACON", ""))
"""What nobody at the table controls, mixed into each shuffle: chain, genesis and period; None by default."""

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "biblios_site.fonts.Fonts",
    "biblios_site.icons.Icons",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "biblios_site.storage.StaticStorage"},
}

# The largest answer has 90 fields. There is nothing to upload.
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 1
FILE_UPLOAD_HANDLERS = ["biblios_site.uploads.Refuse"]

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
if os.environ.get("BIBLIOS_HTTPS") == "1":
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_PRELOAD = os.environ.get("BIBLIOS_HSTS") == "preload"
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD or os.environ.get("BIBLIOS_HSTS") == "subdomains"
    # Only the owner knows whether all names below the site's speak HTTPS.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    # Browsers ask only this very site for these names, and over HTTPS.
    BROWSER_COOKIE_NAME = "__Host-browser"
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

LOG_LEVEL = os.environ.get("BIBLIOS_LOG_LEVEL") or "WARNING"
if LOG_LEVEL not in ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"):
    raise ImproperlyConfigured(f"BIBLIOS_LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR; it is {LOG_LEVEL!r}")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"()": "biblios_site.logs.Plain"}, "json": {"()": "biblios_site.logs.Json"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if os.environ.get("BIBLIOS_LOG") == "json" else "plain",
        },
        "counting": {"class": "biblios_site.logs.Counting", "level": "WARNING"},
    },
    "root": {"handlers": ["console", "counting"], "level": LOG_LEVEL},
    "loggers": {
        # Django adds handlers of its own, which know nothing of what must stay secret.
        "django": {"level": LOG_LEVEL, "handlers": []},
        # It would report several times a second that the database is away.
        "psycopg.pool": {"level": "ERROR"},
        # It would note every malformed request, and the addresses of sockets.
        "uvicorn.error": {"level": "ERROR"},
    },
}
