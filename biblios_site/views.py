from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from games.engine.registry import title
from games.faces.registry import face_of
from games.lobby import watching


@require_safe
def home(request):
    face = face_of(title())
    parts = {part: f"board/{face.slug}/{part}.html" for part in ("hero", "how")}
    return render(request, "home.html", {"tables": watching.running(3), "face": face, **parts, **face.home()})


@require_safe
def licence(request):
    text = (settings.BASE_DIR / "LICENSE").read_text(encoding="utf-8")
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def icon(request):
    """The icon that browsers request for pages that are plain text and name none."""
    return redirect(static("img/initial.svg"))
