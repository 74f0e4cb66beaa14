"""Collects the sentences to translate. Django's own command does not read Jinja's `trans`, nor plurals in it."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, Any

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template import Template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.translation import to_locale

KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "__": None,
}
DJANGO = f"{__name__}:django_template"
SOURCES = [
    ("accounts/**.py", "python"),
    ("biblios_site/**.py", "python"),
    ("games/**.py", "python"),
    ("templates/**.jinja", "jinja2"),
    ("templates/**.html", DJANGO),
    ("templates/**.txt", DJANGO),
]
OPTIONS = {"templates/**.jinja": dict.fromkeys(("newstyle_gettext", "trim_blocks", "lstrip_blocks"), "true")}


class Command(BaseCommand):
    help = "Collect all sentences of the site: begin the catalogue of a language, or bring it up to date."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("languages", metavar="CODE", nargs="+", help="the code of a language: de, pt-br")

    def handle(self, *, languages: Collection[str], **_: Any) -> None:
        found = sentences()
        for code in languages:
            try:
                locale = Locale.parse(to_locale(code))
            except UnknownLocaleError as error:
                raise CommandError(str(error)) from None
            file = settings.LOCALE_PATHS[0] / to_locale(code) / "LC_MESSAGES" / "django.po"
            update(file, locale, found)
            self.stdout.write(f"{file}: {len(found)} sentences")


def sentences() -> Catalog:
    """Every sentence in Python modules, Django templates (which hold the words of scripts) and Jinja templates."""
    catalogue = Catalog(charset="utf-8")
    for name, line, sentence, comments, context in extract_from_dir(
        settings.BASE_DIR, SOURCES, OPTIONS, KEYWORDS, ["Translators:"], strip_comment_tags=True
    ):
        catalogue.add(sentence, None, [(name, line)], auto_comments=comments, context=context)
    return catalogue


def update(file: Path, locale: Locale, found: Catalog) -> None:
    """Write the sentences into a catalogue, keeping its translations; those of gone sentences end as comments."""
    catalogue = Catalog(locale, project="Armarium", charset="utf-8", fuzzy=False)
    if file.exists():
        with file.open("rb") as old:
            catalogue = read_po(old, locale, charset="utf-8")
    catalogue.update(found, no_fuzzy_matching=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as new:
        write_po(new, catalogue, width=120)


def django_template(
    file: IO[bytes], keywords: Collection[str], comment_tags: Collection[str], options: dict[str, Any]
) -> Iterator[tuple[int, str, Any, list[str]]]:
    """The sentences of a Django template, in the form that Babel asks for: line, function, arguments, comments."""
    nodes = Template(file.read().decode()).nodelist
    for node in [*nodes.get_nodes_by_type(BlockTranslateNode), *nodes.get_nodes_by_type(TranslateNode)]:
        assert isinstance(node, BlockTranslateNode | TranslateNode) and node.token
        context = [node.message_context.var] if node.message_context else []
        if isinstance(node, TranslateNode):
            said = [node.filter_expression.var.literal.replace("%", "%%")]
        else:
            said = [node.render_token_list(tokens)[0] for tokens in (node.singular, node.plural) if tokens]
        function = ("np" if context else "n") if len(said) > 1 else ("p" if context else "")
        yield node.token.lineno or 0, f"{function}gettext", (*context, *said), []
