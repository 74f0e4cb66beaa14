import json
import logging
import sys

import pytest
from django.db import IntegrityError

from biblios_site.logs import Json, Plain
from games.engine.registry import game_of

pytestmark = pytest.mark.once

PLAIN, JSON = Plain(), Json()


def record(message, *arguments, error=None, **extra):
    return logging.getLogger("biblios.test").makeRecord(
        "biblios.test", logging.WARNING, __file__, 1, message, arguments, error, extra=extra
    )


def fault(call):
    """The fault in which a call ends, as logging wants it."""
    try:
        call()
    except Exception:
        return sys.exc_info()


def test_a_line_of_json_has_its_time_level_logger_and_message():
    line = JSON.format(record("%s came", "Ann"))
    assert "\n" not in line
    told = json.loads(line)
    assert told.pop("time").endswith("+00:00")
    assert told == {"level": "WARNING", "logger": "biblios.test", "message": "Ann came"}


def test_nothing_that_others_attach_to_a_line_is_told_but_the_status():
    told = json.loads(JSON.format(record("Not Found", request="<GET '/x?secret=1'>", status_code=404)))
    assert told["status_code"] == 404
    assert "secret" not in str(told)


@pytest.mark.parametrize("form", [PLAIN, JSON])
@pytest.mark.parametrize(
    "link",
    [
        *("/account/reset/MQ/c1-", "/c/st-gall/invited/", "/invited/", "/uninvited/f0/", "/unsubscribe/MQ/club/"),
        *("/calendar/", "/c/st-gall/feed/", "/c/st-gall/tournaments/1/come/"),
        "/sign-in?next=%2Fc%2Fst-gall%2Ftournaments%2F1%2Fcome%2F",
    ],
)
def test_a_link_that_acts_for_whoever_has_it_is_not_told(form, link):
    line = form.format(record("Forbidden: %s", f"{link}secret"))
    assert "..." in line
    assert "secret" not in line


@pytest.mark.parametrize("form", [PLAIN, JSON])
def test_of_a_fault_of_the_rules_the_place_is_told_and_not_what_it_says(form):
    game = game_of("biblios", 1)
    error = fault(lambda: game.move("pay B7"))
    assert "B7" in str(error[1])
    line = form.format(record("A bot cannot go on", error=error))
    assert "games/engine" in line
    assert error[0].__qualname__ in line
    assert "B7" not in line.replace('game.move("pay B7")', "").replace(r"game.move(\"pay B7\")", "")


@pytest.mark.parametrize("form", [PLAIN, JSON])
def test_nor_is_it_told_by_those_who_put_the_fault_into_their_sentence(form):
    error = fault(lambda: game_of("biblios", 1).move("pay B7"))[1]
    assert "B7" not in form.format(record("Exception inside application: %s", error))
    task = f"Task exception was never retrieved\nfuture: <Task finished name='Task-1' exception={error!r}>"
    assert "B7" in task
    assert "B7" not in form.format(record(task))


@pytest.mark.parametrize("form", [PLAIN, JSON])
def test_of_a_row_that_the_database_refuses_nothing_is_told(form):
    said = 'null value in column "name" violates not-null constraint\nDETAIL:  Failing row contains (1, secret).'

    def write():
        raise IntegrityError(said)

    line = form.format(record("Cannot write", error=fault(write)))
    assert "violates not-null constraint" in line
    assert "secret" not in line


@pytest.mark.parametrize("form", [PLAIN, JSON])
def test_a_fault_elsewhere_keeps_its_text_and_its_cause(form):
    def connect():
        try:
            raise ConnectionRefusedError("no database here")
        except OSError as error:
            raise RuntimeError("cannot start") from error

    line = form.format(record("Ended", error=fault(connect)))
    assert line.index("no database here") < line.index("cannot start")
