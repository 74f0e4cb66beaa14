import ast

import polib
import pytest
from django.core.management import CommandError, call_command

from biblios_site.management.commands.prepare import compile_catalogues
from games.faces import language
from tests.matches.matches import seated
from tests.people import person
from tools.management.commands.makemessages import sentences

pytestmark = [pytest.mark.once, pytest.mark.slow]


def marked(text):
    return f"«{text}»"


@pytest.fixture
def marked_language(settings, tmp_path):
    """A language, made as a translator would make it, that says every sentence between marks."""
    settings.LOCALE_PATHS = [tmp_path]
    settings.LANGUAGES = [("en", "English"), ("eo", "Esperanto")]
    call_command("makemessages", "eo")
    file = tmp_path / "eo" / "LC_MESSAGES" / "django.po"
    catalogue = polib.pofile(str(file))
    for entry in catalogue:
        entry.msgstr = marked(entry.msgid) if not entry.msgid_plural else ""
        entry.msgstr_plural = {n: marked(entry.msgid_plural) for n in entry.msgstr_plural}
    catalogue.save()
    compile_catalogues()
    yield file
    language._translated.cache_clear()
    language._plural.cache_clear()


@pytest.mark.django_db
def test_a_sentence_of_each_kind_arrives_translated_on_a_page(client, marked_language):
    match = seated("ann", "bob")
    client.force_login(person("ann"), backend="django.contrib.auth.backends.ModelBackend")
    client.cookies["django_language"] = "eo"
    page = client.get(f"/m/{match.key}").content.decode()
    assert '<html lang="eo"' in page
    for kind, sentence in {
        "Django template": "Your table",
        "Jinja template": "Scriptorium",
        "word of a script": "Choose a bid",
        "Python": "Forbidden Tomes",
    }.items():
        assert marked(sentence) in page, kind


def test_plurals_contexts_and_percent_signs_are_collected_as_templates_ask_for_them():
    found = {(sentence.context, sentence.id) for sentence in sentences()}
    assert (None, ("You can’t pay: you hold %(count)s card.", "You can’t pay: you hold %(count)s cards.")) in found
    assert (None, ("%(counter)s member", "%(counter)s members")) in found
    assert ("button", "Bid {n}") in found
    assert (None, "In your time zone: %%(zone)s.") in found


def test_no_sentence_is_hidden_inside_an_f_string(settings):
    collected = {sentence.id if isinstance(sentence.id, str) else sentence.id[0] for sentence in sentences()}
    for folder in ("accounts", "biblios_site", "games"):
        for file in (settings.BASE_DIR / folder).rglob("*.py"):
            for call in ast.walk(ast.parse(file.read_text())):
                match call:
                    case ast.Call(func=ast.Name(id="_" | "ngettext"), args=[ast.Constant(value=sentence), *_]):
                        assert sentence in collected, f"{file}, line {call.lineno}"


def test_a_catalogue_keeps_its_translations_when_it_is_brought_up_to_date(marked_language):
    catalogue = polib.pofile(str(marked_language))
    assert catalogue.percent_translated() == 100
    catalogue.append(polib.POEntry(msgid="A sentence of last year", msgstr="gone"))
    catalogue.save()
    call_command("makemessages", "eo")
    catalogue = polib.pofile(str(marked_language))
    assert catalogue.find("Your table").msgstr == marked("Your table")
    assert [entry.msgid for entry in catalogue.obsolete_entries()] == ["A sentence of last year"]


def test_an_unknown_language_begins_no_catalogue(settings, tmp_path):
    settings.LOCALE_PATHS = [tmp_path]
    with pytest.raises(CommandError, match="xx"):
        call_command("makemessages", "xx")
    assert not list(tmp_path.iterdir())
