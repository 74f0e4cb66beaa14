"""Short runs of `python -m tests.drills`."""

import pytest

from tests.components import do_without, missing
from tests.drills.__main__ import on_postgresql, on_sqlite

pytestmark = [pytest.mark.once, pytest.mark.slow]


def test_with_the_log_of_postgresql_elsewhere_less_than_a_second_is_lost(tmp_path):
    do_without(missing())
    assert on_postgresql(tmp_path / "site", seconds=4) < 1


def test_with_a_backup_of_sqlite_no_more_is_lost_than_was_played_since(tmp_path):
    assert on_sqlite(tmp_path, seconds=4) < 30
