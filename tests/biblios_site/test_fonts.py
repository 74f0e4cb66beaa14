import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from fontTools.ttLib import TTFont

from biblios_site.fonts import CUTS, Fonts, write

pytestmark = pytest.mark.once


def test_the_style_sheet_names_each_font_with_the_characters_it_was_cut_to(settings):
    style = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text()
    rules = re.findall(r'url\("\.\./fonts/(.+?)"\).*?unicode-range:(.+?)}', style, re.DOTALL)
    assert sorted(rules) == sorted((cut.name, cut.characters) for cut in CUTS)


@pytest.mark.parametrize(
    "name, text",
    [
        ("serif-600-latin", "Größe, niño, Žižka 3 → 6 ≥ 1½"),
        ("serif-400-cyrillic", "Книга"),
        ("arabic", "کتابخانه گچ پ"),
    ],
)
def test_a_font_has_the_letters_its_readers_need(name, text):
    font = TTFont(finders.find(f"fonts/{name}.woff2"))
    assert {ord(letter) for letter in text if letter != " "} <= font.getBestCmap().keys()


def test_a_cut_does_not_bear_the_name_its_licence_reserves_but_has_the_licence(tmp_path):
    write(next(cut for cut in CUTS if cut.name == "serif-400-cyrillic.woff2"), tmp_path / "made")
    names = {record.nameID: record.toUnicode() for record in TTFont(tmp_path / "made")["name"].names}
    assert not any("Source" in names[which] for which in (1, 4, 6))
    assert "SIL Open Font License" in names[13]


def test_fonts_are_made_once_and_again_where_one_is_missing(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(Fonts, "names", Fonts.names[2:4])
    [first, second] = [Path(storage.path(name)) for name, storage in Fonts().list([])]
    second.unlink()
    written = first.stat().st_mtime_ns
    assert [name for name, _ in Fonts().list(["*-400-*"])] == [second.name]
    assert second.exists() and first.stat().st_mtime_ns == written
    assert Fonts().find("fonts/none.woff2") == []


@pytest.mark.django_db
def test_pages_load_the_font_of_their_titles_first_under_a_hashed_name(client, static_files):
    address = static("fonts/serif-600-latin.woff2")
    assert re.search(r"\.[0-9a-f]{12}\.woff2$", address)
    assert f'<link rel="preload" href="{address}" as="font" type="font/woff2" crossorigin>' in client.get("/").text
