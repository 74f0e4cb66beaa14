"""What the scripts of the table do for those who sit there."""

import re

import pytest
from django.test import Client
from playwright.sync_api import expect

from accounts.models import User
from accounts.people import sessions
from games.engine.biblios.cards import GOLD
from games.engine.biblios.notation import BID, PAY_GOLD, PLACE, TAKE_GIFT
from games.hub import nudges
from games.matches import access, history, play
from games.matches.models import LogEntry, StandingOrder
from tests.e2e.axe import violations
from tests.e2e.conftest import LOOKS
from tests.e2e.tables import read
from tests.matches.matches import played, rushed, seated
from tests.people import person

pytestmark = pytest.mark.usefixtures("same_cards")
STILL = {"reduced_motion": "reduce"}
OFFLINE = re.compile("ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|WebSocket")


@pytest.fixture
def sit(visitor, site):
    """Opens the page of somebody at a table, and waits until its line to the server is open."""
    pages = []

    def sit(name, match, line="open", **look):
        client = Client()
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        page = visitor(**STILL | LOOKS["light"] | look)
        page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
        if line != "open":
            page.route_web_socket("**/ws/**", lambda socket: socket.close(code=1013))
            page.clock.install()
        page.goto(site + match.get_absolute_url())
        expect(page.locator("body")).to_have_attribute("data-line", line)
        read(page)
        pages.append(page)
        return page

    yield sit
    for page in pages:
        assert [complaint for complaint in page.complaints if not OFFLINE.search(complaint)] == []


def asked(question, *names, more=lambda state: True, **table):
    """A match in which ann is asked this question."""
    return played(
        seated(*(names or ("ann", "bob")), **table),
        until=lambda state: state.question == question and state.seat == 0 and more(state),
    )


def answered(match, *texts):
    """Whoever is asked answers this, elsewhere; the match afterwards."""
    match = access.find(match.key)
    play.play(match, match.mover, match.ply, texts)
    return access.find(match.key)


def at(page, match):
    """Wait until the page shows the newest ply."""
    expect(page.locator("#ply")).to_have_attribute("data-ply", str(access.find(match.key).ply))


def moves(match, since=0):
    """What people have answered."""
    rows = LogEntry.objects.filter(match=match, ply__gte=since, by=None)
    return list(rows.order_by("ply").values_list("move", flat=True))


def moved(page, match, ply):
    """Wait until the page has gone beyond a ply; what was answered from there on."""
    page.locator(f"#ply:not([data-ply='{ply}'])").wait_for(state="attached")
    return moves(match, ply)


def for_sale(gold):
    """Whether a lot is up that is paid in gold, and ann holds so much."""
    return lambda state: not GOLD <= state.view(0).card < GOLD + 3 and sum(coins(state.view(0).hand)) >= gold


def coins(hand):
    return [kind - GOLD + 1 for kind in hand if GOLD <= kind < GOLD + 3]


def purchase(due=4):
    """A match in which ann has to pay so much gold."""
    match = asked(BID, more=lambda state: for_sale(7)(state) and not state.high)
    match = answered(match, f"bid {due}")
    while history.replay(match).state(match.ply).question != PAY_GOLD:
        match = answered(match, "pass")
    return match


def primary(page):
    return page.locator("[data-primary]")


# What one is doing stays


def test_half_a_sentence_and_the_focus_stay_while_others_play(sit):
    match = asked(PLACE)
    ann, bob = sit("ann", match), sit("bob", match)
    bob.get_by_role("tab", name="Chat").click()
    text = bob.get_by_label("Chat message")
    text.press_sequentially("Hands off my")
    for _ in range(2):
        match = answered(
            match, history.replay(match).state(match.ply).text(history.replay(match).state(match.ply).legal()[0])
        )
        at(bob, match)
        at(ann, match)
    expect(text).to_be_focused()
    text.press_sequentially(" manuscripts.")
    expect(text).to_have_value("Hands off my manuscripts.")

    text.press("Enter")
    expect(ann.locator("#chat-lines")).to_contain_text("Hands off my manuscripts.")
    expect(bob.locator("#chat-lines li")).to_have_count(1)
    expect(text).to_have_value("")


def test_what_is_chosen_but_not_sent_survives_news_that_are_no_move(sit):
    match = asked(BID, more=for_sale(5))
    ann = sit("ann", match)
    chosen = ann.locator("label:has([value^='bid ']:not([data-bluff]))").nth(2)
    chosen.click()
    label = primary(ann).inner_text()
    sit("bob", match)  # comes to the table, which ann's page shows
    expect(ann.locator(".seat [data-here=true]")).to_have_count(1)
    expect(chosen.locator("input")).to_be_checked()
    assert primary(ann).inner_text() == label


def test_when_the_question_goes_the_focus_goes_on_at_the_stage(sit):
    match = asked(BID, more=for_sale(5))
    ann = sit("ann", match)
    ann.get_by_role("button", name="Pass").focus()
    ann.keyboard.press("Enter")
    assert moved(ann, match, match.ply)[0] == "pass"
    expect(ann.locator("#stage, #stage *").and_(ann.locator(":focus"))).to_have_count(1)


# Keys


def test_the_wells_are_filled_by_their_numbers(sit):
    match = asked(PLACE)
    ann = sit("ann", match)
    wells = {"1": "keep", "2": "public", "3": "auction"}
    key = ann.locator(".well:enabled").first.get_attribute("data-key")
    ann.keyboard.press(key)
    assert moved(ann, match, match.ply)[0] == wells[key]


def test_whoever_wants_it_so_answers_by_a_second_press(sit):
    match = asked(PLACE)
    User.objects.filter(username="ann").update(confirms=True)
    ann = sit("ann", match)
    well = ann.locator(".well:enabled").first
    key = well.get_attribute("data-key")
    before = well.inner_text()
    ann.keyboard.press(key)
    expect(well).to_contain_text("Press again")
    other = ann.locator(".well:enabled").nth(1)
    ann.keyboard.press(other.get_attribute("data-key"))  # another button is another answer
    expect(other).to_contain_text("Press again")
    assert well.inner_text() == before and moves(match, match.ply) == []
    ann.keyboard.press(key)
    ann.keyboard.press(key)
    assert moved(ann, match, match.ply)[0] == {"1": "keep", "2": "public", "3": "auction"}[key]


def test_what_is_set_at_a_table_is_kept_with_the_account(sit):
    ann = sit("ann", asked(PLACE))
    for control in (ann.locator("header [data-sound-button]").first, ann.get_by_text("Notation", exact=True)):
        with ann.expect_response("**/account/play"):
            control.click()
    user = User.objects.get(username="ann")
    assert (user.volume, user.written) == (80, "notation")
    ann.evaluate("localStorage.clear()")
    ann.context.clear_cookies(name="written")
    ann.reload()  # as in another browser
    expect(ann.locator("header [data-sound-button]").first).to_have_attribute("data-level", "full")
    expect(ann.get_by_label("Notation")).to_be_checked()


def test_a_bid_is_typed_and_confirmed_and_p_passes(sit):
    match = asked(BID, more=lambda state: for_sale(5)(state) and not state.high)
    ann = sit("ann", match)
    ann.keyboard.press("4")
    expect(primary(ann)).to_contain_text("Bid 4")
    ann.keyboard.press("Enter")
    assert moved(ann, match, match.ply)[0] == "bid 4"

    bob = sit("bob", match)
    bob.keyboard.press("p")
    assert moved(bob, match, match.ply + 1)[0] == "pass"


def test_enter_on_a_chip_bids_and_does_not_pass(sit):
    match = asked(BID, more=for_sale(5))
    ann = sit("ann", match)
    chip = ann.locator("[name=move][value^='bid ']:not([data-bluff])").first
    chip.focus()
    chip.press("ArrowRight")
    chosen = ann.locator("[name=move]:checked").get_attribute("value")
    ann.keyboard.press("Enter")
    assert moved(ann, match, match.ply)[0] == chosen


def test_single_letters_can_be_switched_off(sit):
    match = asked(BID, more=for_sale(5))
    ann = sit("ann", match)
    ann.keyboard.press("?")
    expect(ann.get_by_role("dialog", name="Keys")).to_be_visible()
    with ann.expect_response("**/account/play"):
        ann.get_by_label("Single letters and digits are shortcuts").uncheck()
    ann.keyboard.press("Escape")
    expect(ann.get_by_role("dialog", name="Keys")).to_be_hidden()

    ann.reload()
    expect(ann.locator("body")).to_have_attribute("data-line", "open")
    ann.keyboard.press("p")
    ann.keyboard.press("Enter")  # is no letter: bids what is chosen
    assert moved(ann, match, match.ply)[0].startswith("bid ")


# Answers


def test_the_meter_says_how_much_is_paid_and_only_a_right_sum_can_be_sent(sit):
    match = purchase(4)
    ann = sit("ann", match)
    cards = ann.locator("input[name=move]")
    verdict = ann.locator("[data-meter] .tag")
    for card in cards.all():
        card.uncheck(force=True)
    expect(verdict).to_have_text("4 short")
    expect(primary(ann)).to_be_disabled()

    values = [int(card.get_attribute("data-worth")) for card in cards.all()]
    assert values == sorted(values, reverse=True)
    for card in cards.all():
        card.check(force=True)
    expect(verdict).to_have_text("a card too many")
    expect(primary(ann)).to_be_disabled()
    # It looks so even where the pointer rests since the last answer.
    primary(ann).hover(force=True)
    disabled = primary(ann).evaluate("button => getComputedStyle(button).backgroundColor")

    for card in cards.all():
        card.uncheck(force=True)
    paid = []
    for card, value in zip(cards.all(), values, strict=True):
        if sum(paid) < 4:
            card.check(force=True)
            paid.append(value)
    expect(verdict).to_have_text("exact" if sum(paid) == 4 else f"over by {sum(paid) - 4}")
    expect(primary(ann)).to_contain_text(" + ".join(map(str, paid)))
    primary(ann).hover()
    expect(primary(ann)).not_to_have_css("background-color", disabled)
    primary(ann).click()
    assert moved(ann, match, match.ply)[: len(paid)] == [f"pay G{value}" for value in paid]


def test_a_bid_beyond_ones_gold_is_asked_about_once_more(sit):
    match = asked(BID, more=lambda state: for_sale(1)(state) and not state.high)
    ann = sit("ann", match)
    own = int(ann.locator("form[data-answer=bid]").get_attribute("data-own"))
    ann.locator("label:has([data-bluff])").click()
    ann.locator("[data-more]").fill(str(own + 2))
    expect(ann.locator("[data-warn]")).to_be_visible()
    primary(ann).click()
    expect(primary(ann)).to_contain_text(f"Bid {own + 2} anyway")
    assert moves(match, match.ply) == []
    primary(ann).click()
    assert moved(ann, match, match.ply)[0] == f"bid {own + 2}"


@pytest.mark.parametrize("look", ["light", "phone"])
def test_with_nothing_to_pay_enter_passes_until_one_has_chosen_to_bluff(sit, look):
    def broke(state):
        return for_sale(0)(state) and sum(coins(state.view(0).hand)) <= state.high

    match = asked(BID, more=broke)
    ann = sit("ann", match, **LOOKS[look])
    expect(primary(ann)).to_have_text(re.compile("^Pass"))
    expect(ann.get_by_role("spinbutton", name="Your bid")).to_be_hidden()
    ann.get_by_text("Bluff…").click()
    own = ann.locator("form[data-answer=bid]").get_attribute("data-own")
    warning = f"A bluff: you hold {own}. If you win, your rival takes a card from you."
    expect(ann.locator("[data-warn]")).to_have_text(warning)
    low = int(ann.locator("[data-more]").input_value())
    expect(primary(ann)).to_contain_text(f"Bid {low} anyway")
    ann.reload()
    read(ann)
    ann.keyboard.press("Enter")
    assert moved(ann, match, match.ply)[0] == "pass"

    match = asked(BID, more=broke)
    ann.goto(ann.url.replace(ann.url.split("/")[-1], match.key))
    expect(ann.locator("body")).to_have_attribute("data-line", "open")
    read(ann)
    ann.keyboard.type(str(low))
    ann.keyboard.press("Enter")
    assert moved(ann, match, match.ply)[0] == f"bid {low}"


def test_a_double_click_answers_one_question(sit):
    match = asked(PLACE, "ann", "bob", "dan")
    ann = sit("ann", match)
    ann.locator(".well:enabled").first.dblclick()
    moved(ann, match, match.ply)
    ann.get_by_role("tab", name="Chat").click()
    ann.get_by_label("Chat message").fill("after it")
    ann.get_by_label("Chat message").press("Enter")
    expect(ann.locator("#chat-lines")).to_contain_text("after it")  # what was sent before has been answered too
    assert len(moves(match, match.ply)) == 1


def test_an_answer_to_an_old_question_is_refused_with_a_sentence_and_the_board_as_it_is(sit):
    match = asked(PLACE)
    ann = sit("ann", match, line="lost")  # with a line the newest board comes at some moment, and with it its ply
    ann.locator("#answer [name=ply]").evaluate("field => field.value = 0")
    ann.locator(".well:enabled").first.click()
    expect(ann.locator("#says")).to_have_text("The table has moved on. Here’s how it stands now.")
    expect(ann.locator("#answer [name=ply]")).to_have_value(str(match.ply))
    ann.complaints.clear()  # the browser notes that the answer was refused
    ann.locator(".well:enabled").first.click()
    moved(ann, match, match.ply)
    expect(ann.locator("#says")).to_be_hidden()


def test_my_turn_is_called_out_and_stands_in_the_title(sit):
    match = asked(BID, more=lambda state: for_sale(5)(state) and not state.high)
    ann, bob = sit("ann", match), sit("bob", match)
    assert not bob.title().startswith("Your turn")
    primary(ann).click()
    expect(bob).to_have_title(re.compile("Your turn"))
    expect(bob.locator("#urgent")).to_contain_text("Your turn")
    expect(bob.locator("#live")).to_contain_text("ann bids")


# The line


def test_without_a_line_the_page_says_so_sends_nothing_and_comes_back_by_itself(sit):
    match = asked(TAKE_GIFT, "ann", "bob", "dan")
    ann = sit("ann", match)
    ann.context.set_offline(True)
    expect(ann.locator("#net")).to_contain_text("No connection. It’s your turn; we keep trying.")
    assert ann.locator("#answer").evaluate("form => form.inert")
    ann.keyboard.press("1")
    ann.keyboard.press("Enter")

    ann.context.set_offline(False)
    expect(ann.locator("body")).to_have_attribute("data-line", "open")
    expect(ann.locator("#net")).to_be_hidden()
    assert moves(match, match.ply) == []
    ann.locator(".card-choice").first.dblclick()  # the second press takes it
    assert moved(ann, match, match.ply)[0].startswith("take ")


def test_what_happened_meanwhile_is_there_when_the_line_is_back(sit):
    match = asked(PLACE)
    bob = sit("bob", match)
    bob.context.set_offline(True)
    expect(bob.locator("body")).to_have_attribute("data-line", "lost")
    expect(bob.locator("#net")).to_contain_text("No connection. It’s ann’s turn; we keep trying.")
    match = played(match, until=lambda state: state.seat == 1)
    bob.context.set_offline(False)
    at(bob, match)


def test_where_no_socket_opens_one_plays_by_requests(sit):
    match = asked(PLACE)
    ann = sit("ann", match, line="lost")
    bob = sit("bob", match, line="lost")
    ply = match.ply
    while match.mover == 0:
        ann.locator(".well:enabled, .die-choice:has(:enabled)").first.click()
        if primary(ann).count():
            ann.get_by_role("button", name="Leave the dice").click()
        moved(ann, match, match.ply)
        match = access.find(match.key)
    assert moves(match, ply)
    bob.clock.fast_forward(9_000)
    at(bob, match)
    expect(bob.locator("#net")).to_contain_text("The connection is slow")


def test_an_answer_that_did_not_arrive_comes_back_and_can_be_sent_again(sit):
    match = asked(PLACE)
    ann, held = sit("ann", match, line="lost"), []
    ann.route("**/play", lambda route: held.append(route))
    ann.locator(".well:enabled").first.click()
    expect(ann.locator(".well[aria-busy=true]")).to_have_css("opacity", "0.6")
    while not held:
        ann.wait_for_timeout(10)
    held[0].abort()
    expect(ann.locator("#says")).to_contain_text("The move didn’t arrive")
    expect(ann.locator(".well:enabled").first).to_have_css("opacity", "1")
    expect(ann.locator("figure.focus [data-card]")).to_be_visible()
    assert moves(match, match.ply) == []

    ann.unroute("**/play")
    ann.locator(".well:enabled").first.click()
    assert moved(ann, match, match.ply)
    ann.complaints.clear()


def test_a_line_on_which_nothing_is_heard_is_opened_anew(sit):
    match = asked(PLACE)
    ann = sit("ann", match)
    ann.clock.install()
    ann.reload()
    expect(ann.locator("body")).to_have_attribute("data-line", "open")
    with ann.expect_websocket():
        ann.clock.fast_forward(46_000)
    expect(ann.locator("body")).to_have_attribute("data-line", "open")


def test_whoever_has_signed_out_elsewhere_is_told_and_not_kept_trying(sit):
    match = asked(PLACE)
    ann = sit("ann", match)
    while not nudges.here(match.key):
        ann.wait_for_timeout(20)
    sessions.end(person("ann"))
    expect(ann.locator("#net")).to_contain_text("You’re no longer signed in here.")
    expect(ann.locator("body")).to_have_attribute("data-line", "closed")
    assert ann.locator("#answer").evaluate("form => form.inert")


def test_an_answer_in_one_tab_shows_in_the_other(sit):
    match = asked(PLACE)
    one, other = sit("ann", match), sit("ann", match)
    one.locator(".well:enabled").first.click()
    moved(one, match, match.ply)
    at(other, match)


def test_whoever_may_not_see_the_table_is_not_asked_to_wait(sit, site, visitor):
    match = asked(PLACE, watch="none")
    cho = visitor()
    assert cho.goto(site + match.get_absolute_url()).status == 404


# Looks and sounds


def motions(page):
    return page.evaluate("window.motions")


RECORD = """() => {
  window.motions = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    window.motions.push([timing.id, "transform" in frames[0]]);
    return animate.call(this, frames, timing);
  };
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cards_travel_unless_one_wants_no_motion(sit, motion):
    match = asked(TAKE_GIFT, "ann", "bob", "dan")
    ann = sit("ann", match, reduced_motion=motion)
    ann.evaluate(RECORD)
    ann.keyboard.press("1")
    ann.keyboard.press("Enter")
    moved(ann, match, match.ply)
    travelled = ["travel", True] in motions(ann)
    assert travelled == (motion == "no-preference")
    if not travelled:
        assert all(not moving for _, moving in motions(ann))


FLIGHTS = """() => {
  window.flown = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node.matches?.(".flying")) window.flown.push(node.firstElementChild.getAttribute("href")?.split("#")[1]);
  }).observe(document.body, { childList: true });
}"""


def test_coins_that_a_rival_pays_fly_to_the_discards_and_none_stays(sit):
    def pays(state):
        return state.question == PAY_GOLD and state.seat == 1 and len(state.legal()) > 1

    match = played(asked(BID, "ann", "bob"), pays)
    ann = sit("ann", match, reduced_motion="no-preference")
    ann.evaluate(FLIGHTS)
    state, texts = history.replay(match).state(match.ply).copy(), []
    while not texts or state.same_answer:
        texts.append(match.rules.text(state.legal()[-1]))
        state.play(state.legal()[-1])
    at(ann, answered(match, *texts))
    flown = [name for name in ann.evaluate("window.flown") if name in ("G1", "G2", "G3")]
    assert flown == [text.split()[1] for text in texts]
    expect(ann.locator(".flying")).to_have_count(0)


STRUCK = """() => {
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node.matches?.(".flying:has([href$='#hammer'])")) window.struck = parseFloat(node.style.left);
  }).observe(document.body, { childList: true });
}"""


def test_the_hammer_falls_on_the_lot_where_it_comes_to_lie(sit):
    def last_bidder(state):
        return state.question == BID and state.seat == 1 and state.high and state.bidder == 0

    match = played(asked(BID, "ann", "bob"), last_bidder)
    ann = sit("ann", match, reduced_motion="no-preference")
    ann.evaluate(STRUCK)
    at(ann, answered(match, "pass"))
    expect(ann.locator(".flying")).to_have_count(0)
    lot = ann.locator("#lot").bounding_box()
    assert lot["x"] < ann.evaluate("window.struck") < lot["x"] + lot["width"] / 2


def test_the_theme_button_changes_the_theme_and_the_next_page_knows(sit):
    ann = sit("ann", asked(PLACE))
    with ann.expect_response("**/account/theme"):
        ann.locator("header [data-theme-toggle]").click()
    expect(ann.locator("html")).to_have_attribute("data-theme", "dark")
    ann.reload()
    expect(ann.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_sound_button_goes_through_its_three_levels(sit):
    ann = sit("ann", asked(PLACE))
    button = ann.locator("header [data-sound-button]")
    names = []
    for _ in range(3):
        names.append(button.get_attribute("aria-label"))
        button.click()
    assert names == ["Sound: quiet", "Sound: full", "Sound: off"]


def test_the_volume_is_remembered(sit):
    ann = sit("ann", asked(PLACE))
    ann.get_by_role("tab", name="Help").click()
    slider = ann.get_by_label("Volume")
    expect(slider).to_have_value("25")
    with ann.expect_response("**/account/play"):
        slider.fill("60")
    expect(ann.locator("header [data-sound-button]").first).to_have_attribute("data-level", "full")
    ann.reload()
    expect(ann.get_by_label("Volume")).to_have_value("60")


# On a phone


def test_sheets_open_from_the_dock_and_close_again(sit):
    match = asked(PLACE)
    ann = sit("ann", match, **LOOKS["phone"], has_touch=True)
    log = ann.locator("[data-pane=moves]")
    button = ann.locator(".dock [data-sheet=moves]")
    expect(log).to_be_hidden()
    button.tap()
    expect(log).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    ann.keyboard.press("Escape")
    expect(log).to_be_hidden()
    expect(button).to_be_focused()
    button.tap()
    ann.touchscreen.tap(180, 60)  # the shade
    expect(log).to_be_hidden()


def test_a_sheet_closes_when_it_is_my_turn_unless_it_is_the_chat(sit):
    match = asked(BID, more=lambda state: for_sale(5)(state) and not state.high)
    ann = sit("ann", match)
    bob = sit("bob", match, **LOOKS["phone"], has_touch=True)
    bob.locator(".dock [data-sheet=moves]").tap()
    primary(ann).click()
    expect(bob).to_have_title(re.compile("Your turn"))
    expect(bob.locator("[data-pane=moves]")).to_be_hidden()


def test_what_is_said_behind_a_closed_sheet_is_counted(sit):
    match = asked(PLACE)
    ann = sit("ann", match)
    bob = sit("bob", match, **LOOKS["phone"], has_touch=True)
    ann.get_by_role("tab", name="Chat").click()
    for text in ("Good game!", "Really."):
        ann.get_by_label("Chat message").fill(text)
        ann.get_by_label("Chat message").press("Enter")
        expect(ann.locator("#chat-lines")).to_contain_text(text)
    badge = bob.locator(".dock [data-sheet=chat] .badge")
    expect(badge).to_have_text("2")
    play.leave(access.find(match.key), 0, "resign")
    expect(bob.locator("#chat-lines .system")).to_have_count(1)
    expect(badge).to_have_text("2")  # what the site says there is said by the page, too
    bob.locator(".dock [data-sheet=chat]").tap()  # the sheets open at the end of a game, too
    expect(bob.locator("#chat-lines")).to_be_visible()
    expect(badge).to_be_hidden()


def test_a_line_of_the_chat_stands_at_its_senders_seat_for_a_moment_unless_one_has_muted_it(sit):
    match = asked(PLACE, "ann", "bob", "cho")
    bob, phone, deaf = sit("bob", match), sit("ann", match, **LOOKS["phone"], has_touch=True), sit("cho", match)
    expect(bob.get_by_role("tab", name="Chat")).to_have_attribute("aria-selected", "true")
    deaf.get_by_role("button", name="Mute").click()
    expect(deaf.get_by_role("button", name="Unmute")).to_be_attached()
    bob.get_by_role("button", name="Good luck!").click()
    for page in (bob, phone):
        expect(page.locator(".bubble")).to_have_text("Good luck!")
    seat, said = (phone.locator(part).bounding_box() for part in (".seat[data-seat='1']", ".bubble"))
    assert said["y"] >= seat["y"] + seat["height"] and abs(said["x"] - seat["x"]) < 40
    bob.get_by_label("Chat message").fill("<b>No</b> hurry")
    bob.get_by_label("Chat message").press("Enter")
    expect(phone.locator(".bubble")).to_have_text("<b>No</b> hurry")
    assert deaf.locator(".bubble").count() == 0
    assert violations(phone) == []
    expect(phone.locator(".bubble")).to_have_count(0)


def test_a_rival_who_is_gone_is_said_in_words_with_the_time(sit):
    match = asked(PLACE)
    ann, bob = sit("ann", match), sit("bob", match)
    expect(ann.locator(".seat [data-here=true]")).to_have_count(1)
    bob.context.set_offline(True)
    bob.close()
    told = ann.locator(".seat .gone")
    expect(told).to_have_text(re.compile(r"offline 0:\d\d"))
    expect(told).to_have_attribute("title", re.compile(r"bob lost the connection 0:\d\d ago\."))
    expect(ann.locator("#live")).to_have_text("bob isn’t connected.")
    sit("bob", match)
    expect(told).to_have_count(0)


# For all


def test_the_list_of_keys_is_open_to_everybody(sit):
    ann = sit("ann", asked(PLACE))
    ann.get_by_role("button", name="Menu").click()
    ann.locator("[data-keys-button]").click()
    expect(ann.get_by_role("dialog", name="Keys")).to_be_visible()
    assert violations(ann) == []


def test_a_form_that_came_by_the_line_is_taken_like_one_of_the_page(sit):
    match = asked(BID)
    ann = sit("ann", match)
    rushed(match)
    ann.get_by_role("button", name="Rematch").click()
    expect(ann.locator("#rematch")).to_contain_text("You want a rematch.")


def test_orders_wait_unseen_while_one_is_asked(sit):
    bobs = (BID, 1, 0)
    match = played(seated("ann", "bob"), until=lambda state: (state.question, state.seat, state.high) == bobs)
    page = sit("ann", match)
    page.locator("#orders summary").click()
    page.get_by_label("bid up to").focus()
    answered(match, "bid 1")
    expect(page.locator("#answer")).to_be_visible()
    expect(page.locator("#orders")).to_be_hidden()
    expect(page.locator("#stage")).to_be_focused()


def test_standing_orders_are_given_and_taken_back(sit):
    match = played(seated("ann", "bob"), until=lambda state: state.question == BID and state.seat == 1)
    lot = len(history.replay(match).view(match.ply, 0).lots) - 1
    page = sit("ann", match)
    orders = page.locator("#orders")
    orders.locator("summary").click()
    for given, said, kept in (
        (
            lambda: (page.get_by_label("bid up to").fill("9"), page.get_by_role("button", name="Set").click()),
            "For this card: bid up to 9.",
            ("bid", f"{lot} 9"),
        ),
        (
            lambda: page.get_by_role("button", name="Pass on this card").click(),
            "For this card: pass.",
            ("bid", f"{lot} 0"),
        ),
        (
            lambda: page.get_by_role("button", name="Pass on all gold cards").click(),
            "You pass on all gold cards.",
            ("gold", ""),
        ),
    ):
        given()
        expect(orders).to_contain_text(said)
        assert [one.order for one in StandingOrder.objects.all()] == [kept]
        page.get_by_role("button", name="Take back").click()
        expect(orders).not_to_contain_text(said)
        assert not StandingOrder.objects.exists()
