"""Two accounts of one person play for ratings where nobody looks: at a table by link that nobody may watch."""

import pytest


@pytest.mark.parametrize("pace", ["live", "daily"])
def test_there_is_no_rated_table_that_nobody_may_watch(attacked, pace):
    ann = attacked.player(f"unseen_{pace}")
    answer = ann.post(
        "/play/new",
        places="2",
        pace=pace,
        time="5+10",
        days="1",
        preset="rulebook",
        kind="rated",
        access="link",
        watch="none",
    )
    assert answer.status == 422
    assert "Anyone can watch a rated game" in answer.text
    assert "You, the host" not in ann.get("/play").text
