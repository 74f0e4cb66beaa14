"""What every page of the stewards' administration keeps to, whatever it is about."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import admin
from django.contrib.admin.filters import ListFilter
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters, ShowFacets
from django.contrib.admin.utils import get_fields_from_path
from django.contrib.admin.views.main import ALL_VAR, ORDER_VAR, PAGE_VAR, SEARCH_VAR, ChangeList
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.db import DataError
from django.http import HttpRequest, HttpResponse

LISTS = {ALL_VAR: r"", PAGE_VAR: r"\d{1,6}", ORDER_VAR: r"-?\d{1,3}(\.-?\d{1,3})*", SEARCH_VAR: r"[^\0]*"}
"""What the address of a list may ask besides its filters, and how that looks: a page, an order of columns, a search."""
ONE = {"_changelist_filters": r"[^\0]*", PAGE_VAR: r"\d{1,6}"}
"""What the address of a page about one thing may ask: where the way back leads; which page of its history."""


def refuse_unknown(asked: Iterable[tuple[str, Iterable[str]]], known: Mapping[str, str]) -> None:
    """Raises SuspiciousOperation, which is answered 400, if something is asked by a name that is not known or does not
    look as it should."""
    for name, values in asked:
        if name not in known or not all(re.fullmatch(known[name], value, re.ASCII) for value in values):
            raise SuspiciousOperation(f"Nobody may ask this page for {name}.")


class StewardAdmin(admin.ModelAdmin):
    """Pages for stewards, on which a column that they do not show cannot be found out either.

    Django would filter by any column of the model, so that `?secret__gt=...` tells what no page shows. Here an address
    may name the primary key and what the filters beside the list offer. Anything else is answered 400.
    """

    show_facets = ShowFacets.NEVER
    view_on_site = False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        assert request is not None
        pk = self.opts.pk.name
        return lookup in {"pk", "pk__exact", pk, f"{pk}__exact", *self.offered(request)}

    def offered(self, request: HttpRequest) -> list[str]:
        """The look-ups to which the filters beside the list lead."""
        names = []
        for each in self.get_list_filter(request):
            if isinstance(each, str):
                field = get_fields_from_path(self.model, each)[-1]
                made: ListFilter = admin.FieldListFilter.create(field, request, {}, self.model, self, field_path=each)
            else:
                assert callable(each), "a field, or a filter of our own"
                made = each(request, {}, self.model, self)
            names += [name for name in made.expected_parameters() if name]
        return names

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        offered = {name: r"[^\0]*" for name in request.GET if self.lookup_allowed(name, "", request)}
        refuse_unknown(request.GET.lists(), LISTS | offered)
        columns = len(self.get_list_display(request))
        if any(int(column) > columns for column in re.findall(r"\d+", request.GET.get(ORDER_VAR, ""))):
            raise SuspiciousOperation("There is no such column.")
        refuse_unknown([("keys", request.POST.getlist(ACTION_CHECKBOX_NAME))], {"keys": r"\d{1,18}"})
        try:
            return super().get_changelist_instance(request)
        except (IncorrectLookupParameters, ValueError, OverflowError, DataError) as wrong:
            raise BadRequest("No filter has such a value.") from wrong

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        refuse_unknown(request.GET.lists(), ONE)
        return super().changeform_view(request, object_id, form_url, extra_context)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        refuse_unknown(request.GET.lists(), ONE)
        return super().delete_view(request, object_id, extra_context)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        refuse_unknown(request.GET.lists(), ONE)
        return super().history_view(request, object_id, extra_context)
