"""The messages of a table make out of one board the next: in a browser, by htmx and what the site adds to it."""

import re
from dataclasses import replace
from random import Random

import pytest

from games.faces.language import drawing
from games.faces.slots import CSRF, scripted
from games.table import board
from tests.faces.scenes import Page, Tale, elsewhere, page_of
from tests.languages import LANGUAGES

APPLY = """async ([first, updates]) => {
    const socket = Object.assign(new EventTarget(), { readyState: 1, OPEN: 1, close() {} });
    htmx.createWebSocket = () => socket;
    const element = (html) => document.createRange().createContextualFragment(html);
    document.body.replaceChildren(element(first));
    document.body.setAttribute("ws-connect", `/ws/of/a/test/${performance.now()}`);
    htmx.process(document.body);
    for (const [at, [update, whole]] of updates.entries()) {
        socket.dispatchEvent(new MessageEvent("message", { data: update }));
        document.getElementById("ply").replaceChildren(); // the new rows of the log
        const page = document.body.cloneNode(false);
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


def shown(page):
    """The elements as they stand in a page with scripts."""
    return scripted("".join(page.roots.values())).replace(CSRF, "")


def first_difference(at, got, wanted):
    """Where two pages part, to be read by whoever mends it."""
    same = next(at for at, (one, other) in enumerate(zip(got, wanted, strict=False)) if one != other)
    return f"message {at}: …{got[same - 80 : same + 200]}… instead of …{wanted[same - 80 : same + 200]}…"


@pytest.mark.parametrize(("seats", "me"), [(2, 0), (4, None)])
def test_the_page_after_each_message_equals_a_fresh_one(visitor, site, seats, me):
    page = visitor()
    page.goto(site + "/rules")
    tale = Tale(f"messages {seats}", seats=seats)
    boards, updates = [None], []
    for ply in range(len(tale.states)):
        now = page_of(tale.scene(ply, me), boards[-1])
        updates.append((now.update(boards[-1]), shown(now)))
        boards.append(now)
    first = shown(boards[1])
    wrong = page.evaluate(APPLY, [first, updates])
    assert wrong is None, first_difference(*wrong)
    assert not re.search("<!--plain-->", "".join(update for update, _page in updates))


def test_pages_of_a_table_in_three_languages_are_brought_up_to_date_from_whatever_they_show(
    visitor, site, game, languages
):
    """Each misses most messages; people leave, give orders, run out of time, and call the game off in the end."""
    page = visitor()
    page.goto(site + "/rules")
    rng, tale = Random(3), Tale("table", seats=3, game=game)
    viewers = [(0, "en"), (1, "de"), (2, "fr"), (None, "en"), (None, "en"), (None, "de")]
    alike, boards, shows, updates = None, {}, [None] * len(viewers), [[] for _ in viewers]
    last = len(tale.states) - 2

    def seen(ply, me):
        scene = tale.scene(ply, me)
        if ply == last:
            called_off = replace(scene.steps[-1], ply=ply, move="!abort", before=scene.view)
            return replace(scene, guided=True, status="aborted", steps=[*scene.steps, called_off], ply=ply + 1)
        # What one has opened beside the board stays open, and the end is the end.
        other = elsewhere(scene, ply) if ply % 3 else scene
        return replace(scene if other.status == "aborted" else other, guided=True, can_abort=False)

    for ply in range(last + 1):
        alike = board.common(seen(ply, None), alike)
        looking = [number for number in range(len(viewers)) if ply in (0, last) or rng.random() < 0.1]
        for me, language in {viewers[number] for number in looking}:
            with drawing(language):
                boards[me, language] = board.draw(seen(ply, me), alike, boards.get((me, language)))
        drawn = {}
        for language in LANGUAGES:
            with drawing(language):
                drawn[language] = board.Update()
        for number in looking:
            now, language = boards[viewers[number]], viewers[number][1]
            with drawing(language):
                message = drawn[language].message(shows[number], now)
            updates[number].append((message, shown(Page(now, language))))
            shows[number] = now
    for told in updates:
        wrong = page.evaluate(APPLY, [told[0][1], told])
        assert wrong is None, first_difference(*wrong)
