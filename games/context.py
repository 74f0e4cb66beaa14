from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.http import urlencode

from games.deck import deck
from games.hands import page as hands
from games.lobby import page as lobby


def waiting(request: HttpRequest) -> dict[str, object]:
    """The number of games that wait for the visitor; counted only by pages that show it."""
    return {"waiting": SimpleLazyObject(lambda: lobby.waiting(request.user))}


def todays(request: HttpRequest) -> dict[str, object]:
    """The hands of the day as the visitor sees them; only pages that show them ask for it."""
    return {"todays": SimpleLazyObject(lambda: hands.tiles(request.user, timezone.now()))}


def coming_back(request: HttpRequest) -> dict[str, object]:
    """The number of decisions that come back to the visitor today; counted only by pages that show it."""
    return {"coming_back": SimpleLazyObject(lambda: deck.number_due(request.user, timezone.now()))}


def back(request: HttpRequest) -> dict[str, object]:
    """What the links to sign in and up add to their address, so that one comes back to this page."""
    if request.path.startswith("/sign-"):
        then = request.GET.get("next", "")
    else:
        then = request.get_full_path() if request.method == "GET" and request.path != "/" else ""
    return {"back": f"?{urlencode({'next': then})}" if then else ""}
