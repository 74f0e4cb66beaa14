from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from accounts.people import habits, look

SECTIONS = [
    ("/play", _("Play"), "i-table", ("/play", "/m/", "/hand")),
    ("/watch", _("Watch"), "i-eye", ("/watch",)),
    ("/clubs", _("Clubs"), "i-people", ("/clubs", "/c/")),
    ("/leaders", _("Leaders"), "i-laurel", ("/leaders",)),
    ("/rules", _("Rules"), "i-rules", ("/rules",)),
]
"""The parts of the site: address, name, symbol, and how the addresses of their pages begin."""


def frame(request: HttpRequest) -> dict[str, object]:
    """What every page needs for its header and footer.

    `source_url` is where the source code of this server is: the licence makes every page offer it. A page belongs to
    the section in `request.section`, if its view says so, else to that of its address.
    """
    address = getattr(request, "section", request.path)
    return {
        "source_url": settings.SOURCE_URL,
        "site_url": settings.SITE_URL,
        "theme": look.theme(request),
        "habits": habits.marks(request),
        "written": SimpleLazyObject(lambda: habits.written(request)),
        "sections": [
            {"path": path, "name": name, "symbol": symbol, "here": address.startswith(places)}
            for path, name, symbol, places in SECTIONS
        ],
        "languages": settings.LANGUAGES if len(settings.LANGUAGES) > 1 else [],
    }
