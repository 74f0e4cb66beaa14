import gettext
import os

import pytest
from django.core.management import call_command

from games.management.commands.prepare import static_files_are_fresh

CATALOGUE = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Monks"
msgstr "Mönche"
"""


@pytest.mark.django_db
def test_it_compiles_catalogues_and_collects_static_files(settings, tmp_path):
    folder = tmp_path / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.po").write_text(CATALOGUE, encoding="utf-8")
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.STATIC_ROOT = tmp_path / "static"

    call_command("prepare")

    assert gettext.translation("django", tmp_path / "locale", ["de"]).gettext("Monks") == "Mönche"
    assert (tmp_path / "static" / "staticfiles.json").exists()


def test_static_files_are_collected_again_when_one_has_changed(settings, tmp_path):
    source, manifest = tmp_path / "source", tmp_path / "static" / "staticfiles.json"
    source.mkdir()
    manifest.parent.mkdir()
    (source / "a.css").touch()
    settings.INSTALLED_APPS = ["django.contrib.staticfiles"]
    settings.STATICFILES_DIRS = [source]
    settings.STATIC_ROOT = manifest.parent
    assert not static_files_are_fresh()
    manifest.touch()
    os.utime(source / "a.css", (0, 0))
    assert static_files_are_fresh()
    os.utime(source / "a.css", (2**32, 2**32))
    assert not static_files_are_fresh()
