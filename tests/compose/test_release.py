"""The next release that tests.compose makes is one: its migrations are complete, and stop no game."""

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location

import pytest

from tests.biblios_site.test_migrations import refused
from tests.compose import release

pytestmark = pytest.mark.once


def test_it_has_a_migration_for_each_app_that_stops_no_game_and_can_be_taken_back(tmp_path):
    last = release.make(tmp_path)
    for app in last:
        [file] = (tmp_path / app / "migrations").glob(f"0*_{release.NAME}.py")
        spec = spec_from_file_location(f"{app}_{file.stem}", file)
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        assert not refused(module.Migration)
        assert all(operation.reversible for operation in module.Migration.operations)
    environment = os.environ | {"DATABASE_URL": "", "REDIS_URL": "", "BIBLIOS_DATA": str(tmp_path / "var")}
    command = [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
