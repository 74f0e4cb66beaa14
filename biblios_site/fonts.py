"""The fonts of the site: cut out of packages, once, to what its pages need. static/css/tokens.css has their rules."""

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from biblios_site.made import Made

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


class Fonts(Made):
    folder = "fonts"
    names = tuple(cut.name for cut in CUTS)

    def recipe(self) -> bytes:
        packages = *sorted({cut.package for cut in CUTS}), "fonttools", "brotli"
        return Path(__file__).read_bytes() + " ".join(map(version, packages)).encode()

    def write(self, name: str, to: Path) -> None:
        write(next(cut for cut in CUTS if cut.name == name), to)


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
            record.string = "SiteSerif" if cut.package == SERIF[0] else "SiteArabic"
    font.flavor = "woff2"
    font.save(to)
