"""The heads of the public log as an Atom feed, so that others keep them."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.utils import formats
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.text.numbers import digits
from games.transparency.models import TreeHead

ITEMS = 30


def latest() -> str:
    """The feed of the latest heads, as XML. Its addresses are those of the site, whatever name a request used."""
    site = settings.SITE_URL
    feed = Atom1Feed(
        title=_("Public log of %(site)s") % {"site": site.partition("://")[2]},
        subtitle=_("The signed head of each day. If you keep them, you can tell whether the past was rewritten."),
        description=None,
        link=f"{site}/log",
        feed_url=f"{site}/log/feed.atom",
    )
    for head in TreeHead.objects.order_by("-day")[:ITEMS]:
        said = ngettext("%(day)s: %(size)s entry", "%(day)s: %(size)s entries", head.size)
        closed = datetime.combine(head.day, time(), UTC) + timedelta(days=1)
        feed.add_item(
            title=said % {"day": digits(formats.date_format(head.day)), "size": head.size},
            description=format_html("<pre>{}</pre>", head.note),
            link=f"{site}/log/heads/{head.day.isoformat()}.json",
            pubdate=closed,
            updateddate=closed,
        )
    return str(feed.writeString("utf-8"))
