"""Elements as htmx swaps them out of band, in messages and in answers to its requests: docs/live.md."""

from __future__ import annotations

from django.utils.html import format_html


def morphed(html: str) -> str:
    """An element that makes the one with its id like itself, unless it says how it is to be swapped."""
    html = html.lstrip()
    tag = html[: html.index(">")]
    if "hx-swap-oob=" in tag:
        return html
    at = tag.index(" ")
    return f'{html[:at]} hx-swap-oob="morph"{html[at:]}'


def refusal(says: str) -> str:
    """The element that says why something was not possible; empty if it was."""
    return said("says", says)


def said(place: str, says: str) -> str:
    """The element that puts a sentence into the place with this id, where it is read out."""
    return format_html('<p id="{}" hx-swap-oob="innerHTML">{}</p>', place, says)
