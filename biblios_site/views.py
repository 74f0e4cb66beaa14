from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
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


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines may read: all but what is one person's own."""
    own = ("account", "admin", "following", "messages", "notices", "sign-in")
    lines = ["User-agent: *", *(f"Disallow: /{path}" for path in own), ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a device needs to keep the site beside its apps."""
    sizes = (192, 512)
    kept = {
        "name": "Armarium",
        "start_url": "/play",
        "display": "standalone",
        "background_color": "#efe6d3",
        "theme_color": "#6b2459",
        "icons": [
            {"src": static(f"icons/{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"} for size in sizes
        ],
    }
    return JsonResponse(kept, content_type="application/manifest+json")
