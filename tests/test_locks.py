import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent
LOCKS = ["requirements.txt", "requirements-test.txt", "requirements-training.txt"]


def requirements(name):
    """The requirements of a lock file, each with its hashes on one line."""
    return (ROOT / name).read_text().replace("\\\n", " ").splitlines()


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_pins_every_package_with_its_hashes(lock):
    assert requirements(lock)
    for line in requirements(lock):
        assert re.fullmatch(r"[a-z0-9-]+(\[[a-z,]+\])?==\S+( ;.*?)?( +--hash=sha256:[0-9a-f]{64})+", line), line


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_names_no_index_and_no_host(lock):
    text = (ROOT / lock).read_text()
    assert not re.search(r"://|--(extra-)?index|--find-links|\.(org|com|net|io)\b", text)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_holds_all_that_is_asked_for(lock):
    locked = {re.match(r"[a-z0-9-]+", line)[0] for line in requirements(lock)}
    asked = re.findall(r"^[a-z0-9-]+", (ROOT / lock.replace(".txt", ".in")).read_text(), re.MULTILINE)
    assert set(asked) - {"-c"} <= locked


def test_the_lock_files_agree():
    both = [dict(re.match(r"([a-z0-9-]+)==(\S+)", line).groups() for line in requirements(lock)) for lock in LOCKS]
    assert {name: both[0][name] for name in both[0].keys() & both[1].keys()}.items() <= both[1].items()
