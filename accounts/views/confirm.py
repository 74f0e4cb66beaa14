"""The page behind the link that asks whether an address is right."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import services
from accounts.mails import addresses


@never_cache
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    """Asks once more, since programs that read mail follow links too; the button confirms. Nobody needs to sign in."""
    user = addresses.whose(uid)
    if request.method == "GET" and user and addresses.confirms(user, token):
        return render(request, "accounts/confirm.html", {"whose": user})
    if request.method == "GET" or not user or not services.confirm_email(user, token):
        return render(request, "accounts/stale_address.html", status=404)
    messages.success(request, _("Thank you. Your address is confirmed."))
    return redirect("account" if request.user == user else "home")
