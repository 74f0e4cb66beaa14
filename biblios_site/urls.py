from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.urls import include, path
from django.views.generic import RedirectView

from biblios_site import status, views
from biblios_site.turns import STATUS

administration, app, instance = admin.site.urls
# One address of Django's leads whoever is a steward of anything to anything by its number, links of tables included.
administration = [page for page in administration if getattr(page, "name", "") != "view_on_site"]

handler500 = views.failed

urlpatterns = [
    path("favicon.ico", views.icon),
    path("robots.txt", views.robots),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("licence", views.licence, name="licence"),
    path("privacy", views.privacy, name="privacy"),
    path("terms", views.terms, name="terms"),
    path(STATUS[1:], status.show, name="status"),
    path("", include("accounts.urls")),
    path("", include("games.urls")),
    # Stewards sign in and change their passwords as everybody does, with the same limits.
    path("admin/login/", login_required(admin.site.login)),
    path("admin/password_change/", admin.site.admin_view(RedirectView.as_view(pattern_name="account"))),
    path("admin/", (administration, app, instance)),
]
