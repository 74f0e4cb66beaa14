"""The shuffle of Ex Libris, checked in a browser: its vectors, a real game, and what is changed in its record."""

import json
from copy import deepcopy
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage

from games.engine.exlibris.cards import ALL, labels_of
from games.engine.registry import game_of
from games.matches import history
from games.review import records
from tests.e2e.test_review import verdict
from tests.matches.matches import rushed, seated

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "exlibris.json").read_text())


@pytest.fixture
def match(database):
    """A whole game."""
    game = game_of("exlibris", 1)
    table = {"game": game, "pace": "daily", "days": 1}
    return rushed(seated("ann", "bob", "dan", "eve", **table), seed=5)


def test_the_browser_deals_as_the_vectors_say_and_finds_what_is_changed(page, site, match):
    page.goto(f"{site}/m/{match.key}/{match.ply}")
    assert verdict(page) == "verified"
    names = [line.get_attribute("data-check") for line in page.locator("[data-check]").all()]
    one, other = map(staticfiles_storage.url, ("js/verify.js", "exlibris/shuffle.js"))
    both = f"const verify = {{ ...(await import('{one}')), ...(await import('{other}')) }};"
    found = page.evaluate(
        f"""async (given) => {{ {both}
        const all = [];
        for (const game of given.games) {{
          const shuffle = verify.shuffleOf(await verify.chanceOf(game.seed), given.labels);
          const anew = [], steals = [];
          for (const each of game.anew)
            anew.push({{ ...each, order: await shuffle.anew(each.kind, each.number, each.things) }});
          for (const each of game.steals) steals.push({{ ...each, card: await shuffle.steal(each.number, each.hand) }});
          all.push({{
            first: await shuffle.first(game.seats),
            libraries: await shuffle.libraries(game.seats, game.options),
            categories: await shuffle.categories(),
            tiles: await shuffle.tiles(game.tiles),
            deck: await shuffle.deck(),
            anew,
            steals,
          }});
        }}
        return all;
        }}""",
        VECTORS,
    )
    for mine, vector in zip(found, VECTORS["games"], strict=True):
        assert mine == {key: vector[key] for key in mine}

    record = json.loads(json.dumps(records.document(match, history.replay(match))))
    changed = {name: deepcopy(record) for name in ("first", "libraries", "categories", "tiles", "deck", "later")}
    changed["first"]["first"] = (record["first"] + 1) % 4
    changed["libraries"]["libraries"][1].reverse()
    anew = history.replay(match).state(0).deal.new_deck(0, ALL)
    changed["later"]["moves"].insert(0, {"chance": "deck", "cards": labels_of(anew[::-1])})
    for name in ("categories", "tiles", "deck"):
        things = changed[name][name]
        things[0], things[1] = things[1], things[0]
    answers = page.evaluate(
        f"async (given) => {{ {both} return Promise.all(given.map((each) => verify.check(each, verify.recompute))) }}",
        [record, *changed.values()],
    )
    assert [name for name, _holds in answers[0]] == names
    wrong = [[name for name, holds in answer if not holds] for answer in answers]
    assert wrong == [[], *([name] for name in changed)]
    assert page.complaints == []
