import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts import services
from accounts.models import User
from accounts.notices import notices
from tests.e2e.axe import every_fault, in_every_look

PASSWORD = "a quiet scriptorium"


def sign_up(page, site, name="Ann", password=PASSWORD):
    page.goto(f"{site}/sign-up")
    page.get_by_label("Name at the table").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()


def background(page):
    return page.locator("body").evaluate("e => parseInt(getComputedStyle(e).backgroundColor.slice(4))")


def test_the_pages_of_accounts_are_open_to_everybody(page, site):
    for address in ("/sign-in", "/sign-up", "/account/forgot"):
        page.goto(site + address, wait_until="networkidle")
        assert in_every_look(page) == []
    sign_up(page, site, "a b", "short")
    page.locator(".errorlist").first.wait_for()
    page.wait_for_load_state()
    assert in_every_look(page) == []
    assert page.get_by_label("Name at the table").input_value() == "a b"
    sign_up(page, site)
    page.goto(f"{site}/account", wait_until="networkidle")
    assert in_every_look(page) == []
    fault = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
    assert page.complaints == [fault]


def test_what_is_wrong_with_a_field_is_said_with_the_field(page, site):
    sign_up(page, site, "a b")
    field = page.get_by_label("Name at the table")
    said = [page.locator(f"[id='{one}']").inner_text() for one in field.get_attribute("aria-describedby").split()]
    assert any("2 to 20 letters" in text for text in said)
    assert field.get_attribute("aria-invalid") == "true"


def test_one_signs_up_by_keyboard_alone(page, site):
    page.goto(f"{site}/sign-up")
    page.get_by_label("Name at the table").focus()
    page.keyboard.type("Ann")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/play")
    assert page.get_by_role("status").first.inner_text() == "Welcome, Ann!"


def test_the_theme_changes_at_once_and_stays(page, site):
    sign_up(page, site)
    light = background(page)
    with page.expect_response("**/account/theme"):
        page.get_by_role("button", name="Light or dark theme").click()
        assert background(page) < light
    page.goto(f"{site}/account")
    assert background(page) < light
    assert User.objects.get().theme == "dark"


def test_an_old_page_of_settings_changes_only_what_is_changed_on_it(page, site):
    sign_up(page, site)
    page.goto(f"{site}/account#self", wait_until="networkidle")
    ann = User.objects.get()
    services.change_settings(ann, about="Plays at night.", tint="woad")
    with page.expect_response("**/account/self"):
        page.get_by_title("Owl", exact=True).click()
    page.goto(f"{site}/account#told")
    notices.choose(ann, ["club"], timezone.now())
    with page.expect_response("**/account/told"):
        page.locator("input[value=turn]").uncheck()
    ann.refresh_from_db()
    assert ann.about == "Plays at night."
    assert ann.avatar.startswith("owl-woad")
    assert ann.silenced == ["turn", "club"]


def test_settings_that_change_faster_than_the_site_answers_are_all_kept(page, site):
    sign_up(page, site)
    page.goto(f"{site}/account#told", wait_until="networkidle")
    page.route("**/account/*", lambda route: None, times=2)  # on their way when the next change comes
    with page.expect_response("**/account/told"):
        for topic in ("turn", "challenge", "club"):
            page.locator(f"input[value={topic}]").uncheck()
    page.goto(f"{site}/account#play")
    page.route("**/account/*", lambda route: None, times=1)
    with page.expect_response("**/account/play"):
        page.get_by_role("group", name="Size of the text").get_by_text("Larger").click()
        page.get_by_role("group", name="Pace of the bots").get_by_text("Slow").click()
    ann = User.objects.get()
    assert (ann.silenced, ann.text, ann.tempo) == (["turn", "challenge", "club"], "larger", "slow")


def test_the_theme_button_works_without_scripts_too(browser, site):
    context = browser.new_context(java_script_enabled=False, color_scheme="light")
    page = context.new_page()
    page.goto(f"{site}/sign-in")
    page.get_by_role("button", name="Light or dark theme").click()
    assert page.url == f"{site}/sign-in"
    assert page.locator("html").get_attribute("data-theme") == "dark"
    context.close()


@pytest.mark.parametrize("page", ["phone"], indirect=True)
def test_buttons_are_large_enough_on_a_phone(page, site):
    sign_up(page, site)
    page.goto(f"{site}/account")
    small = page.locator("button, .button, .input, .dock a, .top a:not(.skip), .segments label").evaluate_all(
        "all => all.filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 44).map(e => e.outerHTML)"
    )
    assert small == []


def test_a_browser_that_was_signed_out_from_elsewhere_is_out(page, browser, site):
    sign_up(page, site)
    context = browser.new_context()
    other = context.new_page()
    other.goto(f"{site}/sign-in")
    other.get_by_label("Name at the table").fill("ann")
    other.get_by_label("Password").fill(PASSWORD)
    other.get_by_role("main").get_by_role("button", name="Sign in").click()
    other.goto(f"{site}/account")
    page.goto(f"{site}/account#sessions")
    page.get_by_role("button", name="Sign out Chromium on Linux").click()
    expect(page.get_by_role("status")).to_contain_text(["That browser is signed out."])
    other.goto(f"{site}/account")
    assert "/sign-in?next=/account" in other.url
    context.close()


SECTIONS = ("play", "look", "dates", "self", "told", "calendar", "email", "password", "sessions", "close")


@pytest.mark.parametrize("page", ["light", "dark phone"], indirect=True)
def test_each_section_of_the_settings_is_alone_at_its_anchor_and_whole(page, site):
    sign_up(page, site)
    page.goto(f"{site}/account")
    assert page.locator(".settings section:visible").count() == 1
    for section in SECTIONS:
        page.locator(f".settings nav [href='#{section}']").click()
        assert page.locator(".settings section:visible").get_attribute("id") == section
        expect(page.locator(".settings nav [aria-current]")).to_have_attribute("href", f"#{section}")
    for section in ("play", "told"):
        page.goto(f"{site}/account#{section}")
        assert every_fault(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.complaints == []


def test_a_setting_is_kept_as_it_changes_and_seen_on_the_page_at_once(page, site):
    sign_up(page, site)
    page.goto(f"{site}/account")
    kept = page.locator("#kept-play")
    assert not page.get_by_role("button", name="Save").first.is_visible()
    page.get_by_role("group", name="Size of the text").get_by_text("Larger").click()
    expect(kept).to_have_text("Kept.")
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "20px"
    page.get_by_role("group", name="Pace of the bots").get_by_text("Slow").click()
    with page.expect_response(lambda response: "volume=" in (response.request.post_data or "")):
        page.get_by_role("slider", name="Volume of the sounds").fill("60")
    page.reload()
    assert page.get_by_role("slider", name="Volume of the sounds").input_value() == "60"
    ann = User.objects.get()
    assert (ann.text, ann.tempo, ann.volume, ann.confirms) == ("larger", "slow", 60, False)
    assert page.complaints == []


def test_without_scripts_each_section_has_its_button(visitor, site):
    page = visitor(java_script_enabled=False)
    sign_up(page, site)
    page.goto(f"{site}/account")
    page.get_by_role("link", name="Look and language").click()
    page.get_by_role("main").get_by_text("Dark", exact=True).click()
    page.get_by_role("button", name="Save").click()
    assert page.url == f"{site}/account#look"
    assert page.get_by_text("Kept.").is_visible() and User.objects.get().theme == "dark"
