from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.faces import biblios_pages


@require_safe
def rules(request):
    """The rules in short, with pictures."""
    return render(request, "games/rules.html", biblios_pages.rules())
