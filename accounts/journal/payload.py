"""What the rows of a journal say: a frozen dataclass for each kind of row, and its JSON. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from functools import cache, partial
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform, get_args, get_origin, get_type_hints

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
class Payload:
    """What a row of one kind says: each subclass is a frozen dataclass. Its fields are numbers, texts and truth values,
    and tuples, named tuples and dataclasses of these."""

    kind: ClassVar[str]

    def __init_subclass__(cls, *, kind: str) -> None:
        cls.kind = kind
        dataclass(frozen=True)(cls)

    def to_json(self) -> dict[str, Any]:
        """All fields, as the row keeps them."""
        return asdict(cast(Any, self))


def read(of: type[T], data: Mapping[str, Any]) -> T:
    """What `to_json` returned, and JSON has kept. Raises TypeError or LookupError for fields that are not its own."""
    return of(**{**data, **{name: reader(data[name]) for name, reader in _readers(cast(Any, of)) if name in data}})


@cache
def _readers(of: type) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """What makes values from JSON, by field; without those that JSON has as they are."""
    return tuple((name, reader) for name, hint in get_type_hints(of).items() if (reader := _reader(hint)))


def _reader(hint: Any) -> Callable[[Any], Any] | None:
    if get_origin(hint) is tuple:
        item = _reader(get_args(hint)[0])
        return tuple if item is None else lambda values: tuple(map(item, values))
    if type(None) in get_args(hint):
        [inner] = [_reader(each) for each in get_args(hint) if each is not type(None)]
        return inner and (lambda value: None if value is None else inner(value))
    if is_dataclass(hint):
        return partial(read, cast(type, hint))
    # A named tuple is a list in JSON.
    return getattr(hint, "_make", None)
