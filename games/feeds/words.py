"""What stewards are told of the webhooks of their club, in words."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from accounts.notices.notices import NoticeKind, Topic

TOPICS: Mapping[str, Topic] = {}
KINDS = {
    "webhook-off": NoticeKind(
        "club",
        _("The webhook to %(host)s in the club %(club)s failed again and again, and is switched off."),
        _("A webhook of one of your clubs failed again and again, and is switched off."),
    ),
}
