"""Static files that are made, once, out of what packages or this repository have. They are kept in the data folder."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from os import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.files.storage import FileSystemStorage


class Made(BaseFinder):
    """Finds files that it makes the first time, as static files under `folder`/."""

    folder: str
    names: tuple[str, ...]

    def __init__(self, *_: Any, **__: Any) -> None:
        recipe = sha256(self.recipe()).hexdigest()[:16]
        self.storage = FileSystemStorage(settings.DATA_DIR / self.folder / recipe)
        self.storage.prefix = self.folder  # type: ignore[attr-defined]  # where collectstatic puts them

    def recipe(self) -> bytes:
        """What differs whenever a file would come out differently."""
        raise NotImplementedError

    def write(self, name: str, to: Path) -> None:
        """Make the file of a name."""
        raise NotImplementedError

    def check(self, **_: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:
        """The place of a file, `folder`/NAME; with `find_all` a list of it. Empty if there is none of that name."""
        folder, _slash, name = path.partition("/")
        found = [self.storage.path(name)] if folder == self.folder and name in self.names else []
        if found:
            self._make()
        return found if find_all or not found else found[0]

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        self._make()
        for name in self.names:
            if not matches_patterns(name, ignore_patterns or []):
                yield name, self.storage

    def _make(self) -> None:
        folder = Path(self.storage.location)
        if missing := [name for name in self.names if not (folder / name).exists()]:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=folder) as unfinished:  # another process may be at it too
                for name in missing:
                    self.write(name, made := Path(unfinished) / name)
                    replace(made, folder / name)
