from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.faces.biblios import pages


@require_safe
def rules(request):
    """The rules in short, with pictures."""
    return render(request, "board/biblios/rules.html", pages.rules())
