"""The theme and the language of the pages: chosen in the account, or remembered by the browser."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.models import User

YEAR_S = 365 * 24 * 3600


def theme(request: HttpRequest) -> str:
    """`light` or `dark` as chosen, or `auto`."""
    return request.user.theme if request.user.is_authenticated else remembered(request)["theme"]


def remembered(request: HttpRequest) -> dict[str, str]:
    """The theme and the language that the browser remembers, as fields of a user."""
    theme, language = request.COOKIES.get("theme", ""), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return {
        "theme": theme if theme in User.Theme.values else "auto",
        "language": language if language in dict(settings.LANGUAGES) else "",
    }


def keep_theme(response: HttpResponse, theme: str) -> None:
    """Let the browser remember the theme."""
    response.set_cookie("theme", theme, max_age=YEAR_S, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax")


def keep_language(response: HttpResponse, language: str) -> None:
    """Let the browser remember the language, or follow its own settings again if it is empty."""
    name = settings.LANGUAGE_COOKIE_NAME
    if language:
        response.set_cookie(name, language, max_age=YEAR_S, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax")
    else:
        response.delete_cookie(name, samesite="Lax")


def dress(response: HttpResponse, user: User) -> HttpResponse:
    """The same response, which lets the browser remember what the user has chosen."""
    keep_theme(response, user.theme)
    keep_language(response, user.language)
    return response
