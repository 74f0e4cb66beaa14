from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.lobby import page as lobby


def waiting(request: HttpRequest) -> dict[str, object]:
    """The number of games that wait for the visitor; counted only by pages that show it."""
    return {"waiting": SimpleLazyObject(lambda: lobby.waiting(request.user))}
