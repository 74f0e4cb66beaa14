from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe


@require_safe
def licence(request: HttpRequest) -> HttpResponse:
    text = (settings.BASE_DIR / "LICENSE").read_text(encoding="utf-8")
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def icon(request: HttpRequest) -> HttpResponse:
    """The icon that browsers request for pages that are plain text and name none."""
    return redirect(static("img/initial.svg"))
