from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def next_page(request: HttpRequest, otherwise: str = "/") -> str:
    """The target of `next` in the form or the address, if it is a page of this site."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    inside = url_has_allowed_host_and_scheme(wanted, allowed_hosts=None)
    # Without the slash Django would look for a view of that name.
    return wanted if inside and wanted.startswith("/") else otherwise
