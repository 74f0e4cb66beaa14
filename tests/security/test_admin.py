"""What stewards may ask the administration by its addresses: what its pages show, and nothing else."""

from types import SimpleNamespace

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.test import RequestFactory
from django.urls import reverse

from accounts.administration import StewardAdmin
from accounts.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.twice]

DESKS = {model._meta.label: desk for model, desk in admin.site._registry.items()}
HIDDEN = {
    "accounts.User": {"password"},
    "accounts.Club": {"invitation"},
    "games.Match": {"secret", "link", "wake_at", "revision", "mover"},
}
"""What no page shows to anybody, whatever powers they have."""
LOOKUPS = ("", "exact", "isnull", "regex", "iregex", "gt", "contains", "startswith", "in", "range")


def paths(model):
    """The names of all columns and relations of a model, and of those that are one relation away."""
    for field in model._meta.get_fields():
        yield field.name
        if field.related_model:
            yield from (f"{field.name}__{deeper.name}" for deeper in field.related_model._meta.get_fields())


@pytest.fixture(params=["steward", "superuser"])
def steward(request, client):
    user = User.objects.create_user("abbess", is_staff=True, is_superuser=request.param == "superuser")
    user.user_permissions.set(Permission.objects.all())
    client.force_login(user)
    return SimpleNamespace(user=user, client=client)


def lists(desk, user, asked):
    """Whether a list is drawn for an address that asks this."""
    request = RequestFactory().get("/", asked)
    request.user = user
    try:
        desk.get_changelist_instance(request)
    except (SuspiciousOperation, BadRequest):
        return False
    return True


@pytest.mark.parametrize("desk", DESKS.values(), ids=DESKS)
def test_a_column_is_asked_for_only_by_the_filters_that_stand_beside_the_list(desk, steward):
    assert isinstance(desk, StewardAdmin)
    may = {"pk", "pk__exact", desk.opts.pk.name, f"{desk.opts.pk.name}__exact"}
    for name in desk.list_filter:
        may |= {name, *(f"{name}__{ending}" for ending in ("exact", "isnull", "gte", "lt"))}
    for path in paths(desk.model):
        for lookup in LOOKUPS:
            name = f"{path}__{lookup}" if lookup else path
            assert name in may or not lists(desk, steward.user, {name: "1"}), name


@pytest.mark.parametrize("desk", DESKS.values(), ids=DESKS)
def test_what_is_hidden_is_on_no_page_and_in_no_search_filter_or_order(desk):
    request = RequestFactory().get("/")
    request.user = User(is_staff=True, is_superuser=True)
    asked = (*desk.search_fields, *desk.list_filter, *(desk.ordering or ()))
    shown = {*desk.get_fields(request), *desk.get_list_display(request), *desk.get_readonly_fields(request)}
    shown |= {part for name in asked for part in name.split("__")}
    assert not shown & HIDDEN.get(desk.opts.label, set())
    assert not (desk.list_editable or desk.inlines or desk.autocomplete_fields or desk.date_hierarchy)


REFUSED = [
    *("o=99", "o=-99", "o=secret", "o=1.", "p=x", "p=-1", "p=9999999", "all=1", "e=1", "q=%00", "_facets=1"),
    *("_to_field=key", "_to_field=id", "_popup=1", "_source_model=x", "created_at__year=2026", "nonsense=1", "id=x"),
    *("id__exact=1%00", "pk=x", "id__gt=0", "_changelist_filters=q"),
]


@pytest.mark.parametrize("label", DESKS)
def test_an_odd_address_is_answered_400(label, steward):
    desk = DESKS[label]
    address = reverse(f"admin:{desk.opts.app_label}_{desk.opts.model_name}_changelist")
    columns = {field.name for field in desk.model._meta.get_fields()}
    odd = [*REFUSED, *(f"{name}__exact=%00" for name in desk.list_filter), *(f"{name}__regex=^a" for name in columns)]
    for query in odd:
        assert steward.client.get(f"{address}?{query}").status_code == 400, query
    for query in ("", "q=a", "o=1", "o=-1", "p=1", "all=", "id=1", "pk__exact=1"):
        assert steward.client.get(f"{address}?{query}").status_code == 200, query


@pytest.mark.parametrize("page", ["change", "history", "delete"])
def test_a_page_about_one_thing_takes_no_other_names(page, steward):
    address = f"/admin/accounts/user/{steward.user.pk}/{page}/"
    for query in ("_to_field=password", "_popup=1", "username=abbess"):
        assert steward.client.get(f"{address}?{query}").status_code == 400, query


@pytest.mark.parametrize("chosen", ["x", "", "1" * 30, "１", "-1"])
def test_an_action_on_what_is_no_row_is_answered_400(chosen, steward):
    answer = steward.client.post("/admin/accounts/user/", {"action": "ban", "_selected_action": [chosen]})
    assert answer.status_code == 400
