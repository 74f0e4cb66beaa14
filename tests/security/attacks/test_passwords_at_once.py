"""A check of a password is dear on purpose. A stranger asks for many at once, and somebody for their own for ever."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.security.attacks.outside import PASSWORD

MEBIBYTE = 1 << 20


def most_memory(site) -> int:
    """The most bytes that the site has had in memory so far."""
    lines = Path(f"/proc/{site.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


@pytest.mark.parametrize("networks", [1, 20], ids=["one network", "as many networks"])
@pytest.mark.parametrize("at_once", [20])
def test_wrong_passwords_at_once_take_no_memory_to_speak_of(attack, networks, at_once):
    site = attack()
    strangers = [site.visitor() for _ in range(networks)]
    for each in (*strangers, strangers[0]):
        each.post("/sign-in", username="nobody", password="a wrong guess")
    browsers = [strangers[number % networks].beside() for number in range(at_once)]
    for each in browsers:
        each.get("/sign-in")
    before = most_memory(site)
    with ThreadPoolExecutor(at_once) as threads:
        answers = threads.map(
            lambda browser: (
                browser[1].post("/sign-in", username=f"nobody{browser[0]}", password="a wrong guess").status
            ),
            enumerate(browsers),
        )
        assert set(answers) <= {422, 503}
    assert most_memory(site) - before < 200 * MEBIBYTE


def test_somebody_with_an_account_has_their_own_password_checked_ten_times_a_minute(attacked):
    eve = attacked.player("tireless_eve")
    answers = [eve.post("/account/email", email="", password=PASSWORD).status for _ in range(22)]
    assert answers.count(200) <= 20  # the minute may end meanwhile
    assert 429 in answers


def test_whoever_has_signed_in_often_has_no_password_checked_at_sign_in(attacked):
    eve = attacked.player("returning_eve")
    browsers = [eve.beside() for _ in range(31)]
    answers = [browser.post("/sign-in", username="returning_eve", password=PASSWORD).path for browser in browsers]
    assert answers == ["/play"] * 30 + ["/sign-in"]
    # No longer whether it is right decides what one reads.
    stranger = attacked.visitor()
    assert stranger.post("/sign-in", username="returning_eve", password="a wrong guess").status == 429
