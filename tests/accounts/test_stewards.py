import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import Club, Report, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def abbess(client):
    client.force_login(User.objects.create_superuser("abbess"))
    return client


@pytest.fixture
def prior(client):
    """A steward who may change people, and no more."""
    user = User.objects.create_user("prior", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["change_user", "view_user"]))
    client.force_login(user)
    return client


@pytest.fixture
def bob():
    return User.objects.create_user("bob", password="a quiet scriptorium")


def page(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def act(client, action, *people):
    return client.post("/admin/accounts/user/", {"action": action, "_selected_action": [who.pk for who in people]})


def test_people_are_found_by_name(abbess, bob):
    User.objects.create_user("cho")
    html = page(abbess, "/admin/accounts/user/?q=bo")
    assert ">bob</a>" in html and ">cho</a>" not in html


def test_whoever_is_banned_is_signed_out_at_once_and_cannot_come_back(abbess, bob):
    browser = Client()
    browser.force_login(bob)
    assert browser.get("/account").status_code == 200
    act(abbess, "ban", bob)
    assert not bob.sessions.exists()
    assert browser.get("/account").status_code == 302
    browser.post("/sign-in", {"username": "bob", "password": "a quiet scriptorium"})
    assert browser.get("/account").status_code == 302
    act(abbess, "let_in_again", bob)
    browser.post("/sign-in", {"username": "bob", "password": "a quiet scriptorium"})
    assert browser.get("/account").status_code == 200


def test_unticking_active_ends_the_sessions_too(prior, bob):
    Client().force_login(bob)
    prior.post(f"/admin/accounts/user/{bob.pk}/change/", {"language": "", "theme": "auto"})
    bob.refresh_from_db()
    assert not bob.is_active
    assert not bob.sessions.exists()


def test_nobody_bans_themselves_by_mistake(abbess):
    me = User.objects.get(username="abbess")
    act(abbess, "ban", me)
    me.refresh_from_db()
    assert me.is_active


def test_a_steward_cannot_give_themselves_powers_or_touch_those_above(prior):
    me, above = User.objects.get(username="prior"), User.objects.create_superuser("abbess")
    prior.post(
        f"/admin/accounts/user/{me.pk}/change/",
        {"is_active": "on", "is_staff": "on", "is_superuser": "on", "language": "", "theme": "auto"},
    )
    me.refresh_from_db()
    assert not me.is_superuser
    assert prior.post(f"/admin/accounts/user/{above.pk}/change/", {"theme": "dark"}).status_code == 403
    act(prior, "ban", above)
    above.refresh_from_db()
    assert above.is_active


def test_people_are_neither_made_nor_deleted_here_and_no_password_is_shown(abbess, bob):
    assert abbess.get("/admin/accounts/user/add/").status_code == 403
    assert abbess.post(f"/admin/accounts/user/{bob.pk}/delete/", {"post": "yes"}).status_code == 403
    html = page(abbess, f"/admin/accounts/user/{bob.pk}/change/")
    assert "algorithm" not in html and bob.password not in html


def test_reports_are_listed_open_ones_first_and_settled(abbess, bob):
    cho = User.objects.create_user("cho")
    old = Report.objects.create(by=cho, about=bob, text="Shouts at people.", settled=True)
    new = Report.objects.create(by=cho, about=bob, text="Still shouts at people.", match="abcdefghijkm")
    html = page(abbess, "/admin/accounts/report/")
    assert html.index("Still shouts at people.") < html.index("Shouts at people.")
    assert "Shouts at people." not in page(abbess, "/admin/accounts/report/?settled__exact=0")
    assert 'href="/m/abcdefghijkm"' in page(abbess, f"/admin/accounts/report/{new.pk}/change/")
    abbess.post("/admin/accounts/report/", {"action": "settle", "_selected_action": [old.pk, new.pk]})
    assert not Report.objects.filter(settled=False).exists()


def test_a_report_says_what_its_writer_said(abbess, bob):
    report = Report.objects.create(by=bob, about=User.objects.create_user("cho"), text="Shouts at people.")
    abbess.post(f"/admin/accounts/report/{report.pk}/change/", {"text": "All is well.", "settled": "on"})
    report.refresh_from_db()
    assert (report.text, report.settled) == ("Shouts at people.", True)
    assert abbess.post(f"/admin/accounts/report/{report.pk}/delete/", {"post": "yes"}).status_code == 403


def test_what_a_club_says_of_itself_is_mended_and_nothing_else(abbess):
    club = Club.objects.create(name="Rude words", slug="rude", description="More of them", invitation="a-secret-link")
    address = f"/admin/accounts/club/{club.pk}/change/"
    assert "Rude words" in page(abbess, "/admin/accounts/club/?q=rude")
    assert "a-secret-link" not in page(abbess, address)
    abbess.post(address, {"name": "A club", "description": "", "slug": "other", "private": "on"})
    club.refresh_from_db()
    assert (club.name, club.description, club.slug, club.private) == ("A club", "", "rude", False)


def test_only_whoever_runs_the_site_sees_mail_addresses_and_can_give_one_back(abbess, bob):
    User.objects.filter(pk=bob.pk).update(email="thief@example.org", new_email="waiting@example.org")
    address = f"/admin/accounts/user/{bob.pk}/change/"
    html = page(abbess, address)
    assert "thief@example.org" in html and "waiting@example.org" not in html
    steward = User.objects.create_user("prior", is_staff=True)
    steward.user_permissions.set(Permission.objects.filter(codename__in=["change_user", "view_user"]))
    other = Client()
    other.force_login(steward)
    assert "@example.org" not in page(other, address)
    assert "bob" not in page(other, "/admin/accounts/user/?q=thief@example.org").split("</form>", 1)[1]
    form = {"is_active": "on", "theme": "auto", "language": "", "email": "bob@example.org"}
    other.post(address, form)
    bob.refresh_from_db()
    assert bob.email == "thief@example.org"
    abbess.post(address, form)
    bob.refresh_from_db()
    assert bob.email == "bob@example.org"
