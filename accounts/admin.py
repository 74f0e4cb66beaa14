from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.administration import StewardAdmin
from accounts.models import Club, Report, User
from accounts.people import sessions
from accounts.web.requests import UserRequest

POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")

admin.site.unregister(Group)


@admin.register(Group)
class PowersAdmin(StewardAdmin, GroupAdmin):
    """Powers that several stewards share."""


@admin.register(User)
class UserAdmin(StewardAdmin):
    """People: found by name, banned and let in again. Nobody is created or deleted here."""

    list_display = ("username", "is_active", "guest", "closed", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "guest", "closed", "is_staff")
    search_fields = ("username",)
    ordering = ("-date_joined",)
    fields = (
        *("username", "is_active", "guest", "closed", "closing_at", "language", "theme"),
        *("date_joined", "last_login", *POWERS),
    )
    readonly_fields = ("username", "guest", "closed", "closing_at", "date_joined", "last_login")
    filter_horizontal = ("groups", "user_permissions")
    actions = ("ban", "let_in_again")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        above = obj is not None and obj.is_superuser and not request.user.is_superuser
        return super().has_change_permission(request, obj) and not above

    def get_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        # Stewards need no mail addresses. Whoever runs the site can give one back to the owner of a stolen account.
        return (*self.fields, *(("email",) if request.user.is_superuser else ()))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        # Staff who may ban people must not be able to give themselves more powers.
        return (*self.readonly_fields, *(() if request.user.is_superuser else POWERS))

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not obj.is_active:
            sessions.end(obj)

    @admin.action(description=_("Ban and sign out everywhere"), permissions=["change"])
    def ban(self, request: UserRequest, queryset: QuerySet[User]) -> None:
        queryset = queryset.exclude(pk=request.user.pk)
        if not request.user.is_superuser:
            queryset = queryset.filter(is_superuser=False)
        people = list(queryset)
        for person in people:
            person.is_active = False
            person.save(update_fields=["is_active"])
            sessions.end(person)
            self.log_change(request, person, "banned")
        said = ngettext("%(count)s person is banned.", "%(count)s people are banned.", len(people))
        self.message_user(request, said % {"count": len(people)}, messages.SUCCESS)

    @admin.action(description=_("Let in again"), permissions=["change"])
    def let_in_again(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        people = list(queryset.filter(is_active=False, closed=False))
        for person in people:
            person.is_active = True
            person.save(update_fields=["is_active"])
            self.log_change(request, person, "let in again")
        said = ngettext("%(count)s person can sign in again.", "%(count)s people can sign in again.", len(people))
        self.message_user(request, said % {"count": len(people)}, messages.SUCCESS)


@admin.register(Report)
class ReportAdmin(StewardAdmin):
    """Complaints about people: to read and to settle."""

    list_display = ("at", "about", "by", "beginning", "settled")
    list_filter = ("settled", "at")
    search_fields = ("about__username", "by__username", "text", "match")
    list_select_related = ("about", "by")
    ordering = ("settled", "-at")
    fields = ("about", "by", "at", "table", "text", "messages", "settled")
    readonly_fields = ("about", "by", "at", "table", "text", "messages")
    actions = ("settle",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    @admin.display(description=_("text"))
    def beginning(self, report: Report) -> str:
        return report.text if len(report.text) <= 80 else f"{report.text[:80]}…"

    @admin.display(description=_("game"))
    def table(self, report: Report) -> str:
        return format_html('<a href="/m/{0}">{0}</a>', report.match) if report.match else "–"

    @admin.action(description=_("Settle"), permissions=["change"])
    def settle(self, request: HttpRequest, queryset: QuerySet[Report]) -> None:
        settled = queryset.filter(settled=False).update(settled=True)
        said = ngettext("%(count)s report is settled.", "%(count)s reports are settled.", settled)
        self.message_user(request, said % {"count": settled}, messages.SUCCESS)


@admin.register(Club)
class ClubAdmin(StewardAdmin):
    """Clubs: their descriptions can be corrected here. Membership is up to their own stewards."""

    list_display = ("name", "slug", "private", "joining", "created_at")
    list_filter = ("private", "joining")
    search_fields = ("name", "slug", "description", "members__user__username")
    fields = ("name", "slug", "description", "private", "joining", "created_at")
    readonly_fields = ("slug", "private", "joining", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
