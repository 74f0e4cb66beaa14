"""Every field of a document, and the document with one of them changed: for tests of what a verifier finds."""

import copy
import re
from itertools import groupby


def leaves(value, path=()):
    """The paths to all values that hold no others."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not inside or not value:
        yield path
        return
    for step, below in inside:
        yield from leaves(below, (*path, step))


def kind(path):
    """A path without its numbers: what a field is called, whichever of a list it is in."""
    return ".".join("*" if isinstance(step, int) or re.fullmatch(r"\d+", step) else step for step in path)


def of_each_kind(document, most):
    """The paths of a document: of each kind at most so many, from the first to the last."""
    for _name, paths in groupby(sorted(leaves(document), key=kind), key=kind):
        paths = list(paths)
        step = max(1, (len(paths) - 1) / max(1, most - 1))
        yield from (paths[round(number * step)] for number in range(min(most, len(paths))))


def changed(document, path):
    """The document with another value of the same type at a path."""
    document = copy.deepcopy(document)
    *way, last = path
    inner = document
    for step in way:
        inner = inner[step]
    inner[last] = another(inner[last])
    return document


def another(value):
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str() if value:
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case str() | None:
            return "1"
        case list():
            return [0]
        case dict():
            return {"1": 0}


class Table:
    """Which changes of which fields a tool has found."""

    def __init__(self, tool):
        self.tool = tool
        self.tried = {}

    def note(self, name, found):
        before = self.tried.get(name, (0, 0))
        self.tried[name] = before[0] + found, before[1] + 1

    @property
    def missed(self):
        """The kinds of fields of which a change was not found."""
        return {name for name, (found, tried) in self.tried.items() if found < tried}

    def __str__(self):
        return "\n".join(
            f"{self.tool}  {name}  {found} of {tried} found" for name, (found, tried) in self.tried.items()
        )
