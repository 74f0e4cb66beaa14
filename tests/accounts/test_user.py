import pytest
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import override_settings

from accounts.models import User
from biblios_site import settings as site_settings

pytestmark = pytest.mark.django_db


def test_two_names_may_not_differ_in_case_only():
    User.objects.create_user("Ann")
    with pytest.raises(IntegrityError):
        User.objects.create_user("ANN")


def test_a_form_is_told_so_before_the_database_refuses():
    User.objects.create_user("Ann")
    with pytest.raises(ValidationError, match="A user with that username already exists"):
        User(username="ann", password="x").full_clean()


def test_an_email_address_is_not_needed():
    bob = User(username="bob")
    bob.set_password("a quiet scriptorium")
    bob.full_clean()


def test_passwords_are_hashed_with_argon2():
    with override_settings(PASSWORD_HASHERS=site_settings.PASSWORD_HASHERS):
        ann = User.objects.create_user("ann", password="a quiet scriptorium")
        assert ann.check_password("a quiet scriptorium")
    # In 19 MiB, by two passes in one lane: what OWASP asks for at least.
    assert ann.password.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")


def test_the_form_of_the_stewards_is_told_so_too():
    ann = User.objects.create_user("Ann")
    bob = User.objects.create_user("bob")
    form = UserAdmin.form(instance=bob, data={"username": "ANN", "date_joined": "2026-11-21 20:00"})
    assert form.errors == {"username": ["A user with that username already exists."]}
    kept = UserAdmin.form(instance=ann, data={"username": "ann", "date_joined": "2026-11-21 20:00"})
    assert kept.errors == {}


def test_whoever_has_a_name_is_found_in_any_case():
    ann = User.objects.create_user("Ann")
    assert User.objects.get_by_natural_key("aNN") == ann
