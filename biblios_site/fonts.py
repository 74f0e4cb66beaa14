"""The fonts of the site: cut out of packages, once, to what its pages need. static/css/tokens.css has their rules."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from os import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.files.storage import FileSystemStorage

LATIN = (
    "U+0000-017F,U+0192,U+0218-021B,U+02C6-02DD,U+1E9E,U+2000-206F,U+20A0-20BF,U+2116,U+2122,U+2190-2193,U+2212,"
    "U+2248,U+2260-2265"
)
CYRILLIC = "U+0400-052F"
ARABIC = "U+0600-06FF,U+0750-077F,U+FB50-FDFF,U+FE70-FEFC"


class Cut(NamedTuple):
    """A file for browsers, and what it is made of: some characters of a font in a package, and of a variable font some
    of what can vary."""

    name: str
    package: str
    font: str
    characters: str
    axes: dict[str, Any] = {}


SERIF = "font_source_serif_pro", "files/SourceSerifPro-{}.ttf"
CUTS = (
    Cut("serif-400-latin.woff2", SERIF[0], SERIF[1].format("Regular"), LATIN),
    Cut("serif-600-latin.woff2", SERIF[0], SERIF[1].format("Semibold"), LATIN),
    Cut("serif-400-cyrillic.woff2", SERIF[0], SERIF[1].format("Regular"), CYRILLIC),
    Cut("serif-600-cyrillic.woff2", SERIF[0], SERIF[1].format("Semibold"), CYRILLIC),
    Cut(
        "arabic.woff2",
        "justmytype_intl_rtl",
        "fonts/ofl/notosansarabic/NotoSansArabic[wdth,wght].ttf",
        ARABIC,
        {"wdth": 100, "wght": (400, 700)},
    ),
)


class Fonts(BaseFinder):
    """Finds the fonts as static files, under `fonts/`; the first time, makes them. They are kept in the data folder."""

    def __init__(self, *_: Any, **__: Any) -> None:
        made_by = [*sorted({version(cut.package) for cut in CUTS}), version("fonttools"), version("brotli")]
        recipe = sha256(Path(__file__).read_bytes() + " ".join(made_by).encode()).hexdigest()[:16]
        self.storage = FileSystemStorage(settings.DATA_DIR / "fonts" / recipe)
        self.storage.prefix = "fonts"  # type: ignore[attr-defined]  # where collectstatic puts them

    def check(self, **_: Any) -> list[Any]:
        return []

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:
        """The place of a font, `fonts/NAME`; with `find_all` a list of it. Empty if there is none of that name."""
        folder, _slash, name = path.partition("/")
        found = [self.storage.path(name) for cut in CUTS if (folder, name) == ("fonts", cut.name)]
        if found:
            self._make()
        return found if find_all or not found else found[0]

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        self._make()
        for cut in CUTS:
            if not matches_patterns(cut.name, ignore_patterns or []):
                yield cut.name, self.storage

    def _make(self) -> None:
        folder = Path(self.storage.location)
        if missing := [cut for cut in CUTS if not (folder / cut.name).exists()]:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=folder) as unfinished:  # another process may be at it too
                for cut in missing:
                    write(cut, made := Path(unfinished) / cut.name)
                    replace(made, folder / cut.name)


def write(cut: Cut, to: Path) -> None:
    """Make the file of a cut."""
    from fontTools.subset import Options, Subsetter, parse_unicodes  # half a second, which later starts do without
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    spec = find_spec(cut.package)
    assert spec and spec.origin
    font = TTFont(Path(spec.origin).parent / cut.font)
    options = Options()
    options.hinting = False
    options.name_IDs = [0, 1, 2, 4, 6, 13, 14]  # copyright and licence go with the font
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(cut.characters.replace(",", " ")))
    subsetter.subset(font)
    if cut.axes:
        font = instantiateVariableFont(font, cut.axes)
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):  # its licence keeps the name of the family for the whole font
            record.string = "BibliosSerif" if cut.package == SERIF[0] else "BibliosArabic"
    font.flavor = "woff2"
    font.save(to)
