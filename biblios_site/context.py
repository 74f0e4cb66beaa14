from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

SECTIONS = [
    ("/play", _("Play"), "i-table", ("/play", "/m/")),
    ("/watch", _("Watch"), "i-eye", ("/watch",)),
    ("/leaders", _("Leaders"), "i-laurel", ("/leaders",)),
    ("/rules", _("Rules"), "i-rules", ("/rules",)),
]
"""The parts of the site: address, name, symbol, and how the addresses of its pages begin."""

THEMES = ("auto", "light", "dark")


def frame(request) -> dict:
    """What every page needs for its header and footer.

    `source_url` is where the source code of this server is: the licence makes every page offer it.
    """
    return {
        "source_url": settings.SOURCE_URL,
        "theme": theme(request),
        "sections": [
            {"path": path, "name": name, "symbol": symbol, "here": request.path.startswith(places)}
            for path, name, symbol, places in SECTIONS
        ],
        "languages": settings.LANGUAGES if len(settings.LANGUAGES) > 1 else [],
        "language": get_language(),
    }


def theme(request) -> str:
    """Light or dark as the user chose, or `auto`."""
    chosen = request.user.theme if request.user.is_authenticated else request.COOKIES.get("theme")
    return chosen if chosen in THEMES else "auto"
