"""Games from their beginning to their end; less of the middle, which is answered elsewhere."""

import re

from playwright.sync_api import expect

from tests.e2e.tables import (
    PASSWORD,
    Keyboard,
    Pointer,
    bids,
    board,
    go_on,
    led_to_table,
    play,
    question,
    sign_up,
    within_reach,
)


def rating(page):
    """The rating in the pool of two players, on somebody's profile."""
    return page.locator(".stats div", has_text="Rating, 2 players").locator("dd").inner_text().split()[0]


def test_two_people_meet_and_play_a_rated_game_with_a_bluff(visitor, site):
    ann, bob = visitor(reduced_motion="reduce"), visitor(reduced_motion="reduce")
    sign_up(ann, site, "Ann")
    sign_up(bob, site, "Bob")

    # Bob's lobby stays as it is: what Ann opens appears there.
    ann.locator("#create .segments", has=ann.locator("#id_places_0")).get_by_text("2", exact=True).click()
    ann.get_by_role("button", name="Create table").click()
    ann.wait_for_url(re.compile(r"/m/\w+$"))
    bob.get_by_role("button", name="Join the table of Ann").click()
    table = ann.url.partition("#")[0]
    bob.wait_for_url(table)
    bob.get_by_role("button", name="I’m ready").click()
    for page in (ann, bob):
        page.locator("#ply").wait_for(state="attached")

    players = [Pointer(ann, bluff=True, most=1), Pointer(bob, most=1)]

    def asked():
        return {question for player in players for question in player.asked}

    play(players, lambda: asked() >= {"gift", "church"})
    go_on(players, bids((0, 1)))
    play(players, ann.locator("#log-lines").get_by_text("You don’t pay").count)
    go_on(players, bids((0, 1), last=True))
    play(players)

    assert asked() >= {"gift", "church", "bid", "pay"}
    assert ann.locator("#log-lines").get_by_text("You don’t pay").count()
    for page in (ann, bob):
        assert re.match(r"You |(Ann|Bob) won", page.get_by_role("heading", level=1).inner_text())
        assert page.locator(".standing-list li").count() == 2
        assert page.locator(".log-box").evaluate("box => box.scrollTop") > -1, "the log is not at its end"
    changes = ann.locator(".standing-list .change").all_inner_texts()
    assert sorted(change.split(" → ")[0] for change in changes) == ["1500", "1500"]
    own = ann.locator(".standing-list .you .change b").inner_text()

    ann.get_by_role("link", name="Review").click()
    ann.wait_for_url(re.compile(r"/m/\w+/\d+"))
    assert "Ann" in ann.get_by_role("heading", level=1).inner_text()
    ann.goto(f"{site}/@/Ann")
    assert rating(ann) == f"{own}?"
    ann.goto(f"{site}/leaders")
    assert ann.locator(".rung", has_text="Ann").locator(".rating").inner_text() == f"{own}?"

    # Another game: the one who asks waits on the page of the result, the other is offered it there.
    bob.get_by_role("button", name="Rematch").click()
    expect(bob.locator("#rematch")).to_contain_text("You want a rematch.")
    ann.goto(table)
    ann.get_by_role("button", name="Play again").click()
    for page in (ann, bob):
        page.wait_for_url(lambda url: url != table)
        led_to_table(page)
    assert ann.complaints == bob.complaints == []


def test_a_guest_plays_two_bots_by_keyboard_alone_and_keeps_the_game(visitor, site):
    page = visitor(reduced_motion="reduce")
    page.goto(site)
    begin = page.get_by_role("button", name="Play now against bots (Biblios)")
    player = Keyboard(page)
    player.reach(begin)
    page.keyboard.press("Enter")
    led_to_table(page)
    key = page.url.rpartition("/")[2]

    me = (int(board(page)["me"]),)
    while not {"gift", "choose"} <= {*player.asked} and question(page) != "over":
        player.answer()
    question(page)
    go_on([player], bids(me))
    while not {"bid", "pay"} <= {*player.asked} and question(page) != "over":
        player.answer()
    question(page)
    go_on([player], bids(me, last=True))
    while player.answer() != "over":
        pass

    assert set(player.asked) >= {"gift", "choose", "bid", "pay", "over"}
    assert page.get_by_role("heading", level=1).inner_text().startswith("You ")
    assert page.locator(".standing-list li").count() == 3
    player.reach(page.get_by_role("button", name="Menu"))
    page.keyboard.press("Enter")
    player.reach(page.locator("#site-menu [href='/account']"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/account")
    player.reach(page.locator(".top").get_by_role("link", name="Sign up"))
    page.keyboard.press("Enter")
    player.reach(page.get_by_label("Name at the table"))
    page.keyboard.press("Control+A")
    page.keyboard.type("Ann")
    player.reach(page.get_by_label("Password"))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/account")
    page.goto(f"{site}/@/Ann/games")
    assert page.locator(f"a[href*='/m/{key}']").count()
    assert page.complaints == []


def test_on_a_phone_a_game_is_played_by_taps(visitor, site):
    page = visitor(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce")
    sign_up(page, site, "Ann")
    page.locator("#create .segments", has=page.locator("#id_places_0")).get_by_text("2", exact=True).tap()
    page.locator("#create summary").tap()
    page.locator("#create .segments", has=page.locator("#id_bots_0")).get_by_text("1", exact=True).tap()
    page.get_by_role("button", name="Create table").tap()
    led_to_table(page)
    player = Pointer(page, tap=True, bluff=True)

    question(page)
    for name in ("Totals", "Hand", "Moves", "Count", "Help"):
        button = page.locator(".dock").get_by_role("button", name=name)
        button.tap()
        expect(button).to_have_attribute("aria-expanded", "true")
        button.tap()
        expect(button).to_have_attribute("aria-expanded", "false")

    seen = {}

    def answer(enough):
        while (asked := question(page)) != "over" and not enough():
            if asked not in seen or len(player.asked) % 10 == 0:
                seen.setdefault(asked, []).extend(within_reach(page))
            # For a while on the smallest phone.
            page.set_viewport_size(
                {"width": 360, "height": 740} if 5 <= len(player.asked) < 10 else {"width": 390, "height": 844}
            )
            player.answer()

    me = (int(board(page)["me"]),)
    answer(lambda: len(player.asked) > 10)
    go_on([player], bids(me))
    answer(lambda: {"bid", "pay"} <= {*player.asked})
    go_on([player], bids(me, last=True))
    answer(lambda: False)
    expect(page.get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)

    assert {question: faults for question, faults in seen.items() if faults} == {}
    assert set(seen) >= {"gift", "bid", "pay"}
    assert page.complaints == []
