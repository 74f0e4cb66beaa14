"""The end of a game: what is shown, and that nothing lies over anything else, however long the names are."""

import pytest

from games.matches import access
from tests.matches.matches import rushed, seated

WAYS_TO_LEAVE = ("resign", "time", "leave")
OVERLAPS = """() => {
  const drawn = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const parts = ":is(.place, .avatar, .standing-name, .won-dice, .points, .gained)";
  const boxes = [...document.querySelectorAll(`.hero h1, .wreath, #rematch, .standing-list ${parts}`)].map((node) => {
    const box = node.matches("h1, .gained") ? drawn(node) : node.getBoundingClientRect();
    return { what: `${node.className} ${node.innerText}`, box };
  });
  // Lines of text that are set closely share a little of their empty height.
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 4 || b.bottom <= a.top + 4;
  const page = document.querySelector("#stage").getBoundingClientRect();
  const found = [];
  for (const [at, { what, box }] of boxes.entries()) {
    if (!box.width) continue;
    if (box.left < page.left || page.right < box.right || box.top < page.top || page.bottom < box.bottom)
      found.push(`${what} leaves the page`);
    for (const other of boxes.slice(at + 1)) {
      if (other.box.width && !apart(box, other.box)) found.push(`${what} and ${other.what}`);
    }
  }
  return found;
}"""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_longest_names_of_whoever_left_lie_over_nothing(visitor, site, database, same_cards, players):
    match = seated(*[f"{'W' * 19}{seat}" for seat in range(players)], pace="live", bank_ms=600_000, rated=True)
    for seat, why in enumerate(WAYS_TO_LEAVE[: players - 1]):
        match.seats.filter(index=seat).update(left=why)
    match = rushed(access.find(match.key))
    for width, height in [(1280, 720), (1440, 900), (861, 900), (360, 740)]:
        page = visitor(viewport={"width": width, "height": height})
        page.goto(f"{site}/m/{match.key}")
        assert page.locator(".standing-list li").count() == players
        assert page.evaluate(OVERLAPS) == [], (width, height)
