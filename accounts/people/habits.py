"""How somebody plays: the settings of the section *Play*, kept with an account, or a guest.

Where nobody is signed in, the browser keeps what can be chosen at a table.
"""

from django.http import HttpRequest

from accounts.models import User

FIELDS = ("tempo", "volume", "written", "confirms", "letters", "text", "patterns", "reviewed")
"""The columns of a user that hold them."""


def marks(request: HttpRequest) -> dict[str, object]:
    """What scripts and styles are to know, as `data-` attributes of each page; nothing where nobody is signed in."""
    user = request.user
    if not user.is_authenticated:
        return {}
    found: dict[str, object] = {"volume": user.volume, "letters": "on" if user.letters else "off"}
    chosen = {"confirms": user.confirms, "patterns": user.patterns, "text": user.text != User.Text.NORMAL and user.text}
    return found | {name: value for name, value in chosen.items() if value}


def written(request: HttpRequest) -> str:
    """How moves are written: `words` or `notation`."""
    chosen = request.user.written if request.user.is_authenticated else request.COOKIES.get("written", "")
    return chosen if chosen in User.Written.values else User.Written.WORDS
