"""Instances of several models by one query that is written out, for the few that are asked again and again.

Putting such a query together takes the ORM several times as long as all the rest of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import Model

Converter = Callable[[Any, Any, Any], Any]


class Joined:
    """`Joined("FROM a_table a LEFT JOIN b_table b ON ... WHERE a.key = %s", a=A, b=B)`, called with the parameters.

    It returns a row for each row of the database: an instance for each model, None where there is none. What the
    database gives several times is the same instance. `also`: expressions whose values follow the instances. A query
    that ends with `IN (%s)` takes any number of parameters.
    """

    def __init__(self, tables: str, *also: str, **models: type[Model]):
        self.tables, self.also, self.models = tables, also, models

    @cached_property
    def sql(self) -> str:
        columns = [
            f"{alias}.{connection.ops.quote_name(field.column or '')}"
            for alias, model in self.models.items()
            for field in model._meta.concrete_fields
        ]
        return f"SELECT {', '.join([*columns, *self.also])} {self.tables}"

    @cached_property
    def parts(self) -> list[tuple[type[Model], list[str], int, int, list[tuple[int, Any, list[Converter]]]]]:
        """For each model its columns by name, where they begin, where its key is; what has to be converted, and how."""
        parts, start = [], 0
        for model in self.models.values():
            fields = model._meta.concrete_fields
            converted = []
            for number, field in enumerate(fields):
                column = field.get_col(model._meta.db_table)
                converters = connection.ops.get_db_converters(column) + column.get_db_converters(connection)
                if converters:
                    converted.append((number, column, converters))
            key = next(number for number, field in enumerate(fields) if field.primary_key)
            parts.append((model, [field.attname for field in fields], start, key, converted))
            start += len(fields)
        return parts

    def __call__(self, *parameters: Any) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(self.sql.replace("IN (%s)", f"IN ({', '.join(['%s'] * len(parameters))})"), parameters)
            rows = cursor.fetchall()
        known: dict[tuple[type[Model], Any], Model] = {}
        found = []
        for row in rows:
            instances: list[Model | None] = []
            end = 0
            for model, names, start, key, converted in self.parts:
                end, pk = start + len(names), row[start + key]
                instance = known.get((model, pk))
                if instance is None and pk is not None:
                    values = list(row[start:end])
                    for number, column, converters in converted:
                        for convert in converters:
                            values[number] = convert(values[number], column, connection)
                    instance = known[model, pk] = model.from_db(connection.alias, names, values)
                instances.append(instance)
            found.append((*instances, *row[end:]))
        return found
