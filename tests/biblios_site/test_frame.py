import re

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory

from accounts.models import User

pytestmark = pytest.mark.django_db


def page(client, address="/sign-in"):
    return client.get(address).content.decode()


def test_every_page_leads_to_the_parts_of_the_site_twice_for_wide_and_narrow_screens(client):
    html = page(client)
    for place in ("/play", "/watch", "/clubs", "/leaders", "/rules"):
        assert html.count(f'<a href="{place}"') >= 2


def test_the_part_where_one_is_stands_out(client):
    html = page(client, "/rules")
    assert html.count('<a href="/rules" aria-current="page"') == 2
    assert html.count("aria-current") == 2


def test_whoever_is_not_signed_in_is_offered_both_ways_in(client):
    html = page(client, "/")
    assert 'href="/sign-in"' in html
    assert 'href="/sign-up"' in html


def test_whoever_is_signed_in_finds_their_profile_and_their_settings(client):
    client.force_login(User.objects.create_user("Bára"))
    html = page(client, "/")
    assert html.count('href="/@/B%C3%A1ra"') == 2
    letter = r'<span class="avatar pattern-[1-4] vellum" aria-hidden="true">B</span>'
    assert re.search(rf'{letter}\s*<bdi class="name">Bára</bdi>', html)
    assert 'href="/account"' in html
    assert 'href="/sign-in"' not in html


def test_a_guest_is_still_offered_to_sign_up(client):
    client.force_login(User.objects.create_user("guest-x", guest=True))
    html = page(client, "/rules")
    assert 'href="/sign-up?next=%2Frules"' in html
    assert "/@/guest-x" not in html


@pytest.mark.parametrize(("waiting", "said"), [(1, "1 game is waiting for you"), (2, "2 games are waiting for you")])
def test_games_that_wait_are_counted_for_eye_and_ear(waiting, said):
    request = RequestFactory().get("/")
    request.user = User.objects.create_user("ann")
    html = render_to_string("404.html", {"waiting": waiting}, request)
    assert html.count(f'aria-hidden="true">{waiting}</b><span class="visually-hidden">: {said}</span>') == 2
    request.user = AnonymousUser()
    assert said not in render_to_string("404.html", {"waiting": waiting}, request)


def test_style_sheets_name_no_side():
    for sheet in (settings.BASE_DIR / "static/css").glob("*.css"):
        sided = re.findall(r"[;{\s](?:margin-|padding-|border-)?(?:left|right)\s*:", sheet.read_text())
        assert not sided, f"{sheet.name}: {sided}"
