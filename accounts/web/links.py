"""Addresses of pages with the site's own name: for mails, invitations, frames and files."""

from django.conf import settings
from django.utils.encoding import iri_to_uri


def full(path: str) -> str:
    """The whole address of a page. The name comes from the settings, never from a request, which may name any port."""
    return settings.SITE_URL + iri_to_uri(path)
