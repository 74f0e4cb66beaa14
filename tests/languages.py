"""Languages to test with, which say every sentence between marks, and what is remembered of all that was said."""

import sys
from contextlib import suppress

from django.utils.translation import trans_real

from tests.bench.start import LANGUAGES as LANGUAGES
from tests.bench.start import MARKS


class Marked(trans_real.DjangoTranslation):
    """A language that says every sentence between marks, those of games that tests bring too."""

    def gettext(self, message):
        return MARKS[self.language()] % message

    def ngettext(self, singular, plural, number):
        return self.gettext(plural)


def learn(monkeypatch):
    """All languages but English say their sentences between marks, until the test is over and `forget` is called."""
    forget()
    for code in MARKS:
        monkeypatch.setitem(trans_real._translations, code, Marked(code))


def forget():
    """As if no board had been drawn in this process."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("games.faces.", "games.table.board", "tests.toy.", "accounts.people.avatar")):
            for value in vars(module).values():
                with suppress(AttributeError):
                    value.cache_clear()
