from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from accounts.administration import StewardAdmin
from accounts.models import Browser
from accounts.people import browsers
from games.board.models import Post
from games.matches import chat, series
from games.matches.models import ChatLine, Line, Match, WatcherLine


class ReadOnly(StewardAdmin):
    """Pages that show things and never change them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Browser)
class SeriesAdmin(ReadOnly):
    """A report on rated games and shared browsers. It shows numbers; what they mean is for people to find out."""

    fields = ("user", "seen_at")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        self.get_changelist_instance(request)  # which refuses odd addresses
        context = {
            **self.admin_site.each_context(request),
            "title": _("Series of rated games"),
            "opts": self.opts,
            "series": series.series(timezone.now()),
            "sharing": series.sharing(),
            "days": series.SINCE.days,
            "kept": browsers.SHARED.days,
        }
        return TemplateResponse(request, "admin/series.html", context)


@admin.register(Post)
class PostAdmin(ReadOnly):
    """What members have written on the boards of clubs, so that a report about it can be looked into, and deleted."""

    fields = list_display = ("id", "club", "by", "at", "under", "text")
    search_fields = ("=id", "by__username")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return StewardAdmin.has_delete_permission(self, request, obj)


@admin.register(Match)
class MatchAdmin(ReadOnly):
    """Matches: header, seats, and the log of those that are finished.

    The pages name what they show. Of a running match that is only what everybody at the table knows: no secret and
    nothing that goes into it, no log (it holds face-down payments), no `wake_at` (it reveals standing orders). Of a
    hidden one it is not even how it ended: whoever looks may have yet to play the deal.
    """

    list_display = ("key", "status", "pace", "places", "rated", "host", "created_at", "ended_at")
    list_filter = ("game", "status", "pace", "rated", "places")
    search_fields = ("key", "seats__user__username")
    list_select_related = ("host",)
    ordering = ("-created_at",)
    fields = (
        *("key", "table", "game", "version", "options", "status", "host", "people", "rated", "listed", "watch"),
        *("hidden", "guided", "pace", "bank_ms", "increment_ms", "days", "commitment", "ply"),
        *("created_at", "started_at", "ended_at", "result", "moves"),
    )
    readonly_fields = ("key", "table", "people", "commitment", "created_at", "moves")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).defer("secret", "link")

    def get_fields(self, request: HttpRequest, obj: Match | None = None) -> tuple[str, ...]:
        told = "ply", "people", "result"
        return tuple(name for name in self.fields if not (obj and obj.hidden and name in told))

    @admin.display(description=_("table"))
    def table(self, match: Match) -> str:
        return format_html('<a href="{0}">{0}</a>', match.get_absolute_url())

    @admin.display(description=_("seats"))
    def people(self, match: Match) -> str:
        seats = match.seats.select_related("user").defer("share").order_by("index")
        return format_html_join(
            "", "<p>{}: {} {}</p>", ((seat.index, seat.shown_name or "–", seat.get_left_display()) for seat in seats)
        )

    @admin.display(description=_("log"))
    def moves(self, match: Match) -> str:
        if match.hidden:
            return str(_("Shown when its event is over."))
        if match.status != Match.Status.FINISHED:
            return str(_("Shown when the match is finished."))
        rows = match.log.order_by("ply").values_list("ply", "seat", "move", "by")
        return format_html("<pre>{}</pre>", "\n".join(f"{ply} {seat} {move} ({by})" for ply, seat, move, by in rows))


class LineAdmin(ReadOnly):
    """Lines of a chat. Single ones can be deleted. Those of hidden matches come when these are opened."""

    list_display = ("at", "match", "user", "words")
    search_fields = ("text", "user__username", "match__key")
    list_select_related = ("user",)
    ordering = ("-at",)
    fields = ("at", "match", "user", "words")
    readonly_fields = ("words",)

    @admin.display(description=_("text"))
    def words(self, line: Line) -> str:
        return str(chat.PHRASES.get(line.phrase) or line.phrase or line.text)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return StewardAdmin.has_delete_permission(self, request, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return (
            super()
            .get_queryset(request)
            .filter(match__hidden=False)
            .select_related("match")
            .defer("match__secret", "match__link")
        )


@admin.register(ChatLine)
class ChatLineAdmin(LineAdmin):
    """The chats of players."""


@admin.register(WatcherLine)
class WatcherLineAdmin(LineAdmin):
    """The chats of watchers. A steward who sits at a table sees nothing of its watchers while the game runs."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        lines = super().get_queryset(request)
        return lines.exclude(match__status__in=Match.ALIVE, match__seats__user=request.user.pk)
