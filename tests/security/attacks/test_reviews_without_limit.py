"""One game after the other is reviewed from one address, each of which the site has to read first."""

import pytest

pytestmark = pytest.mark.once


def ended(visitor):
    """A game that its player left after the first answer, whichever way the site ends it."""
    address = visitor.against_bots()
    visitor.post(f"{address}/resign")
    return address


def test_nobody_makes_the_site_read_game_after_game(shared):
    site = shared(BIBLIOS_NEWCOMERS="1")
    games = [ended(site.visitor()) for _ in range(4)]
    reader = site.visitor()
    answers = [reader.get(f"{game}/0?as=public") for game in games]
    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) >= 1 and "Try again in" in answers[-1].text
