from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.faces.registry import face_of
from games.lobby.forms import read_game


@require_safe
def rules(request: HttpRequest, game: str = "") -> HttpResponse:
    """The rules of a title in short, with pictures; by default of the first one."""
    found = read_game({"game": game})
    if found is None:
        raise Http404
    face = face_of(found)
    return render(request, f"board/{face.slug}/rules.html", face.rules())
