from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.people import browsers, guesses, sessions
from accounts.people.passwords import TooBusy
from accounts.web import datetimes
from accounts.web.throttle import TooMany


class Accounts:
    """Keeps the list of signed-in browsers up to date, lets browsers know names, answers requests beyond a limit
    and those that find too many passwords waiting, and lets days and times be written as the visitor reads them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sessions.note(request)
        languages = request.headers.get("Accept-Language", "")
        told = request.COOKIES.get(datetimes.COOKIE, ""), languages
        with datetimes.as_read_by(lambda: datetimes.habits_of(request.user, *told)):
            response = self.get_response(request)
        browsers.carry(request, response)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooMany):
            response = render(request, "accounts/too_many.html", {"says": exception}, status=429)
        elif isinstance(exception, TooBusy):
            guesses.not_looked_at(request)
            response = render(request, "accounts/too_busy.html", {"says": exception}, status=503)
        else:
            return None
        response["Retry-After"] = str(exception.wait_s)
        return response
