"""Having the decisions of a game looked at, in a browser: the button, the progress, what mattered, the rest."""

from playwright.sync_api import expect

from games.analysis import services
from tests.e2e.axe import in_every_look
from tests.e2e.tables import signed_in
from tests.matches.matches import rushed, seated


def test_the_decisions_are_looked_at_while_one_waits(visitor, site, toy):
    match = rushed(seated("ann", "bob", game=toy), seed=3)
    page = visitor(viewport={"width": 1366, "height": 625}, reduced_motion="reduce")
    signed_in(page, site, "ann")
    page.goto(f"{site}/m/{match.key}/{match.ply}")
    panel = page.locator("#decisions")
    panel.get_by_role("button", name="Look at the decisions").click()
    expect(panel.locator("svg")).to_be_visible()
    panel.get_by_role("link", name="decision").click()
    rows = services.found(match).decisions.filter(seat=0).count()
    expect(panel.locator(".decision-list li")).to_have_count(rows)
    panel.get_by_role("link", name="bob").click()
    expect(panel.get_by_role("link", name="bob")).to_have_attribute("aria-current", "true")
    assert in_every_look(page) == [] and page.complaints == []
    page.goto(f"{site}/m/{match.key}/decisions")
    assert in_every_look(page) == [] and page.complaints == []
