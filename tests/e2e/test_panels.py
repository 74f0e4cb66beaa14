"""What stands beside the table: the moves in two ways, the counter, the sheets of a phone, and what one must read."""

import pytest
from playwright.sync_api import expect

from games.engine.biblios.notation import BID, PAY_GOLD, PLACE
from games.matches import access, history, play
from tests.e2e.axe import violations
from tests.e2e.conftest import LOOKS
from tests.e2e.tables import signed_in
from tests.matches.matches import rushed, seated

pytestmark = pytest.mark.usefixtures("same_cards")


@pytest.fixture
def sit(visitor, site):
    """Opens the page of somebody at a table."""

    def sit(name, match, **look):
        page = visitor(**LOOKS["light"] | {"reduced_motion": "reduce"} | look)
        signed_in(page, site, name)
        page.goto(site + match.get_absolute_url())
        if look.get("java_script_enabled", True):
            expect(page.locator("body")).to_have_attribute("data-line", "open")
        return page

    return sit


def answered(match, *texts):
    match = access.find(match.key)
    play.play(match, match.mover, match.ply, texts)
    return access.find(match.key)


def state_of(match):
    return history.replay(match).state(match.ply)


def at_auction(**table):
    """A match in which a card is sold for gold, nobody has bid for it, and all hold cards."""
    for seed in range(100):
        match = rushed(
            seated("ann", "bob", "dan", **table),
            lambda state: state.question == BID and not state.high and not 45 <= state.view(None).card < 48,
            seed,
        )
        if match.status == "running" and all(state_of(match).hands):
            return match
    raise AssertionError("no game came to this")


def penalty(match):
    """Whoever bids first bids all there is and doesn’t pay; their name."""
    bidder = match.mover
    match = answered(match, "bid 20")
    while state_of(match).question == BID:
        match = answered(match, "pass")
    assert state_of(match).question == PAY_GOLD and match.mover == bidder
    answered(match, "refuse")


def test_a_penalty_stays_until_it_is_read(sit):
    match = at_auction()
    name = ("ann", "bob", "dan")[match.mover]
    page = sit(name, match)
    panel = page.locator("#penalty")
    expect(panel).to_be_hidden()
    penalty(match)
    expect(panel.get_by_role("heading", name="You didn’t pay for")).to_be_visible()
    assert panel.locator(".lost li").count() == 2
    answered(match, "pass")
    expect(page.locator("#ply")).to_have_attribute("data-ply", str(access.find(match.key).ply))
    expect(panel).to_be_visible()
    assert violations(page, "#penalty") == []
    page.reload()
    expect(panel).to_be_visible()
    page.keyboard.press("Enter")
    expect(panel).to_be_hidden()
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-line", "open")
    expect(panel).to_be_hidden()
    expect(page.locator("#log-lines")).to_contain_text("from your hand")


def test_a_penalty_hides_no_question_while_a_clock_runs(sit):
    match = at_auction(pace="live", bank_ms=600_000)
    bidder = match.mover
    pages = [sit(name, match, **LOOKS["phone"]) for seat, name in enumerate(("ann", "bob", "dan")) if seat != bidder]
    penalty(match)
    match = access.find(match.key)
    seats = [seat for seat in range(3) if seat != bidder]
    asked, waits = pages if seats[0] == match.mover else reversed(pages)
    expect(waits.locator("#penalty")).to_contain_text("Only you two have seen it.")
    expect(asked.locator("#penalty")).to_be_hidden()
    expect(asked.locator("body")).to_have_attribute("data-unread", "")
    asked.get_by_role("button", name="Pass").click()
    expect(asked.locator("#penalty")).to_be_visible()
    asked.get_by_role("button", name="I have read it").click()
    expect(asked.locator("#penalty")).to_be_hidden()
    expect(asked.locator("body[data-unread]")).to_have_count(0)


def test_without_a_clock_a_penalty_is_read_before_the_question(sit):
    match = at_auction()
    bidder = match.mover
    penalty(match)
    match = access.find(match.key)
    assert match.mover != bidder
    page = sit(("ann", "bob", "dan")[match.mover], match)
    expect(page.locator("#penalty")).to_be_visible()
    page.keyboard.press("p")
    page.keyboard.press("1")
    expect(page.locator("#penalty")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#penalty")).to_be_hidden()
    expect(page.locator("#ply")).to_have_attribute("data-ply", str(match.ply))
    page.get_by_role("button", name="Pass").click()
    expect(page.locator("#ply")).not_to_have_attribute("data-ply", str(match.ply))


def test_the_moves_are_in_words_or_in_notation_as_one_likes(sit, site):
    match = rushed(seated("ann", "bob"), lambda state: state.question == BID)
    page = sit("ann", match)
    word = page.locator("#log-lines").get_by_text("keeps a card").first
    assert word.bounding_box()["width"] > 20
    page.get_by_text("Notation", exact=True).click()
    assert word.bounding_box()["width"] < 2, "it is there for those who listen"
    assert page.locator("#t1 [data-note]").last.evaluate("e => getComputedStyle(e, '::before').content").count("x")
    page.reload()
    expect(page.get_by_role("radio", name="Notation")).to_be_checked()
    with page.expect_popup() as other:
        page.get_by_role("link", name="What the notation means").click()
    assert other.value.url.endswith("#notation")
    page.goto(f"{site}/m/{match.key}/9")
    expect(page.get_by_role("radio", name="Notation")).to_be_checked()


def test_the_chosen_pace_of_bots_is_seen_in_forced_colours_too(sit):
    page = sit("ann", seated("ann", bots=1), forced_colors="active")
    page.get_by_role("tab", name="Help").click()
    choices = page.locator("#pace-set [name=tempo]")
    found = choices.evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(found) == 3 and found.count(found[0]) == found.count(found[2]) == 2 and found[1] != found[0]


def test_panels_share_a_place_and_piles_open_the_counter(sit):
    page = sit("ann", rushed(seated("ann", "bob"), lambda state: state.question == BID))
    count, chat, rules = (page.get_by_role("tab", name=name) for name in ("Count", "Chat", "Help"))
    expect(chat).to_have_attribute("aria-selected", "true")  # with somebody to talk to
    count.click()
    expect(page.locator("#count")).to_be_visible()
    page.reload()
    expect(count).to_have_attribute("aria-selected", "true")
    chat.click()
    expect(page.locator("#count")).to_be_hidden()
    expect(page.locator("#chat-lines")).to_be_attached()
    chat.press("ArrowRight")
    expect(rules).to_be_focused()
    rules.press("Enter")
    expect(page.locator("#info")).to_be_visible()
    page.reload()
    expect(page.locator("#info")).to_be_visible()
    page.locator("#discard").click()
    expect(page.locator("#count")).to_be_visible()
    assert violations(page, ".panels") == []


def test_on_a_phone_rivals_open_their_totals_and_lead_nowhere_else(sit):
    match = rushed(seated("ann", "bob", "dan"), lambda state: state.question == BID)
    page = sit("ann", match, **LOOKS["phone"], has_touch=True)
    cell = page.locator("#sum-1-M")
    expect(cell).to_be_hidden()
    page.locator(".dock [data-sheet=totals]").tap()
    expect(cell).to_be_visible()
    page.locator(".dock [data-sheet=count]").tap()
    expect(page.locator("#count")).to_be_visible()
    expect(cell).to_be_hidden()
    page.get_by_role("tab", name="Help").tap()
    expect(page.locator("#info")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#info")).to_be_hidden()


def test_links_to_people_and_rules_leave_the_table_open(sit):
    page = sit("ann", rushed(seated("ann", "bob"), lambda state: state.question == BID))
    links = page.locator("main a[href^='/@/'], main a[href^='/rules']").all()
    assert len(links) >= 3
    for link in links:
        assert link.get_attribute("target") == "_blank" and link.get_attribute("rel") == "noopener"
        assert "opens in a new tab" in link.text_content()


def test_without_scripts_all_panels_stand_there(sit):
    match = rushed(seated("ann", "bob"), lambda state: state.question == BID)
    page = sit("ann", match, java_script_enabled=False)
    for part in ("#count", "#chat-lines", "#info", "#log-lines"):
        assert page.locator(part).is_visible() or page.locator(part).count()
    assert page.locator("#count").is_visible() and page.locator("#info").is_visible()
    page.get_by_text("Notation", exact=True).click()
    assert page.locator("#log-lines").get_by_text("keeps a card").first.bounding_box()["width"] < 2


def test_not_to_pay_is_asked_twice_and_one_can_go_back(sit):
    match = answered(at_auction(), "bid 1")
    while state_of(match).question == BID:
        match = answered(match, "pass")
    page = sit(("ann", "bob", "dan")[match.mover], match, java_script_enabled=False)
    pay, refuse = [page.locator("#stage").get_by_role("button", name=name, exact=True) for name in ("Pay", "Don’t pay")]
    cost = page.get_by_text("costs you a random card to each rival (2 cards).")
    expect(refuse).to_be_hidden()
    page.get_by_text("Don’t pay…").click()
    expect(refuse).to_be_visible()
    expect(cost).to_be_visible()
    expect(pay).to_be_hidden()
    page.get_by_text("Back", exact=True).click()
    expect(pay).to_be_visible()
    expect(refuse).to_be_hidden()
    expect(cost).to_be_hidden()


def test_news_that_were_all_shown_lie_over_the_board_only_while_there_are_more_than_three(sit):
    """Whoever has opened them could not close them otherwise."""
    match = rushed(seated("ann", "bob", "dan"), lambda state: state.placed > 12 and state.room in (1, 2))
    page = sit(match.sitting[match.mover - 1].user.username, match)
    lines = page.locator("#news-lines")
    page.get_by_text("Show all").click()
    expect(lines).to_have_css("position", "absolute")
    page.evaluate("for (const line of document.querySelectorAll('#news-lines > :nth-child(n + 4)')) line.remove()")
    expect(lines).to_have_css("position", "static")
    assert page.complaints == []


def test_the_dots_of_whoever_waits_are_there_without_motion_too(sit):
    match = rushed(seated("ann", "bob", "dan"), lambda state: state.question == PLACE and state.placed > 12)
    page = sit(match.sitting[match.mover - 1].user.username, match)
    expect(page.locator(".dots")).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
