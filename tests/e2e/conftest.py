import json
import os
import re
import shutil
import socket
import threading
from collections import defaultdict
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import expect, sync_playwright

from accounts.web import throttle
from biblios_site.management.commands.serve import server_of
from games.worker import working
from tests.components import do_without

# Without windows it takes a third less of both cores.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
LOOKS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1440, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1440, "height": 900}},
    "phone": {"color_scheme": "light", "viewport": {"width": 360, "height": 740}},
    "dark phone": {"color_scheme": "dark", "viewport": {"width": 360, "height": 740}},
}
CALLED_OFF = re.compile("htmx:(afterRequest|sendAbort), ")
"""What htmx says when a page is left while it asks for something."""
expect.set_options(timeout=30_000)
# Playwright leaves an event loop running in this thread; the tests still ask the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


@pytest.fixture(autouse=True)
def database(transactional_db, settings, monkeypatch):
    """The site's own threads read what a test has written; its worker lets bots answer at once."""
    settings.BOT_DELAY_MS = (0, 5)
    settings.SHUFFLE_MS = 8000
    # Nobody else plays as fast as these tests.
    monkeypatch.setattr("games.table.socket.MESSAGES", 10_000)
    for what in ("moves", "answers"):
        monkeypatch.setitem(throttle.LIMITS, what, throttle.LIMITS[what]._replace(times=10_000))
    with working():
        yield


@pytest.fixture
def same_cards(monkeypatch):
    """The same deal at every table."""
    monkeypatch.setattr("games.lobby.open_matches.secrets.token_bytes", bytes)


@pytest.fixture(scope="session")
def site(static_files):
    """The address of the site, served by a thread of this process."""
    from biblios_site.asgi import application

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = server_of(application)
        thread = threading.Thread(target=server.run, args=[[listener]])
        thread.start()
        yield "http://{}:{}".format(*listener.getsockname())
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def browser():
    do_without("" if CHROMIUM else "Chromium is missing: nothing was tried in a browser")
    # Chromium's sandbox does not work as root.
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--renderer-process-limit=1", *sandbox])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def contexts(browser, site):
    """Gives a browser of its own to each who asks at a time. What it has fetched is known to whoever has it next.

    With the process that draws its pages, which an open page keeps: all that is two fifths of opening a page.
    """
    free = defaultdict(list)

    @contextmanager
    def contexts(look):
        others = free[json.dumps(look, sort_keys=True)]
        if others:
            context = others.pop()
        else:
            context = browser.new_context(**look)
            context.new_page().goto(f"{site}/static/js/live.js")
        first = context.pages[0]
        yield context
        for page in context.pages:
            if page != first:
                page.close()
        context.set_offline(False)
        context.clear_cookies()
        if look.get("java_script_enabled", True):
            first.evaluate("localStorage.clear()")
        others.append(context)

    return contexts


@pytest.fixture
def visitor(contexts):
    """A page in a browser of its own, which remembers the complaints of its console, those of its policy included."""
    with ExitStack() as stack:

        def visitor(**look):
            page = stack.enter_context(contexts(look)).new_page()
            page.complaints = []
            page.on("console", lambda message: CALLED_OFF.match(message.text) or page.complaints.append(message.text))
            page.on("pageerror", lambda error: page.complaints.append(str(error)))
            return page

        yield visitor


@pytest.fixture
def page(request, visitor):
    """A page of one of the LOOKS."""
    return visitor(**LOOKS[getattr(request, "param", "light")])
