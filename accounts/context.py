from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from accounts.notices import book as notices


def bell(request) -> dict:
    """The bell of the page; rung only by pages that show it. A page that is opened is seen by that."""
    page = request.path if request.method == "GET" else ""
    return {"bell": SimpleLazyObject(lambda: notices.bell(request.user, page, timezone.now()))}
