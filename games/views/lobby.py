"""Stand-in until the lobby is there."""

from django.http import Http404


def room(request, match):
    raise Http404
