from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from accounts.notices import notices


def bell(request: HttpRequest) -> dict[str, object]:
    """The bell of the page. It rings only on pages that show it: opening a page marks what leads there as seen."""
    page = request.path if request.method == "GET" else ""

    def rung() -> notices.Bell | None:
        return notices.bell(request.user, page, timezone.now()) if request.user.is_authenticated else None

    return {"bell": SimpleLazyObject(rung)}
