"""The messages of a table make out of one board the next: in a browser, by the script that does it at the table."""

import re

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage

from games.faces.regions import PLAIN
from games.table import board
from tests.faces.scenes import Tale

APPLY = """async ([script, first, updates]) => {
    const { parse, place } = await import(script);
    const element = (html) => document.createRange().createContextualFragment(html);
    document.body.replaceChildren(element(first));
    for (const [at, [update, whole]] of updates.entries()) {
        place(parse(update));
        const page = document.createElement("body");
        page.append(element(whole));
        page.normalize();
        document.body.normalize();
        if (document.body.isEqualNode(page)) continue;
        for (const node of [...page.querySelectorAll("*"), ...document.body.querySelectorAll("*")]) {
            const sorted = [...node.attributes].sort((a, b) => a.name < b.name ? -1 : 1);
            for (const { name } of sorted) node.removeAttribute(name);
            for (const { name, value } of sorted) node.setAttribute(name, value);
        }
        return [at, document.body.innerHTML, page.innerHTML];
    }
    return null;
}"""


def page_of(drawn):
    """The regions as they stand in a page with scripts."""
    regions = "".join([*map(str, drawn.regions.values()), str(drawn.lines)])
    return PLAIN.sub("", regions)


def first_difference(at, got, wanted):
    """Where two pages part, to be read by whoever mends it."""
    same = next(at for at, (one, other) in enumerate(zip(got, wanted, strict=False)) if one != other)
    return f"message {at}: …{got[same - 80 : same + 200]}… instead of …{wanted[same - 80 : same + 200]}…"


@pytest.mark.parametrize(("seats", "me"), [(2, 0), (3, 1), (4, None)])
def test_the_page_after_each_message_equals_a_fresh_one(visitor, site, seats, me):
    page = visitor()
    page.goto(site + "/rules")
    tale = Tale(f"messages {seats}", seats=seats)
    boards, updates = [None], []
    for ply in range(len(tale.states)):
        now = board.draw(tale.scene(ply, me), boards[-1])
        updates.append((board.update(boards[-1], now), page_of(now)))
        boards.append(now)
    first = page_of(boards[1])
    wrong = page.evaluate(APPLY, [staticfiles_storage.url("js/morph.js"), first, updates])
    assert wrong is None, first_difference(*wrong)
    assert not re.search("<!--plain-->", "".join(update for update, _page in updates))


def test_the_next_message_makes_up_for_lost_ones(visitor, site):
    page = visitor()
    page.goto(site + "/rules")
    tale = Tale("gaps", seats=3)
    older, updates = None, []
    for ply in range(0, len(tale.states), 3):
        now = board.draw(tale.scene(ply, 1), older)
        updates.append((board.update(older, now), page_of(now)))
        older = now
    wrong = page.evaluate(APPLY, [staticfiles_storage.url("js/morph.js"), updates[0][1], updates])
    assert wrong is None, first_difference(*wrong)
