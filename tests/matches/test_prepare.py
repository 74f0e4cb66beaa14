import gettext
import os

import pytest
from django.core.management import call_command

from biblios_site.management.commands.prepare import fingerprint

CATALOGUE = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Monks"
msgstr "Mönche"
"""


@pytest.fixture
def source(settings, tmp_path):
    """The folder of the only static files."""
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "a.css").touch()
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATICFILES_DIRS = [folder]
    settings.STATIC_ROOT = tmp_path / "static"
    return folder


@pytest.mark.django_db
def test_it_compiles_catalogues_and_collects_static_files(settings, source, tmp_path):
    folder = tmp_path / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(CATALOGUE, encoding="utf-8")
    settings.LOCALE_PATHS = [tmp_path / "locale"]

    call_command("prepare")

    assert gettext.translation("django", tmp_path / "locale", ["de"]).gettext("Monks") == "Mönche"
    assert list((tmp_path / "static").glob("a.*.css"))
    assert (tmp_path / "static" / "staticfiles.json").exists()


def test_static_files_are_collected_again_when_one_has_changed_even_to_what_it_was_before(source):
    os.utime(source / "a.css", (1, 1))
    first = fingerprint()
    assert fingerprint() == first
    os.utime(source / "a.css", (2, 2))
    assert fingerprint() != first
    os.utime(source / "a.css", (1, 1))
    assert fingerprint() == first
    (source / "b.css").touch()
    assert fingerprint() != first


@pytest.mark.django_db
def test_what_is_ready_is_not_written_again(settings, source, tmp_path):
    settings.LOCALE_PATHS = []
    call_command("prepare")
    manifest = tmp_path / "static" / "staticfiles.json"
    os.utime(manifest, (1, 1))
    call_command("prepare")
    assert manifest.stat().st_mtime == 1
    (tmp_path / "static" / ".collected").write_text("another release")
    call_command("prepare")
    assert manifest.stat().st_mtime != 1
