from django.contrib import admin
from django.urls import include, path

from biblios_site import views

urlpatterns = [
    path("", views.home, name="home"),
    path("favicon.ico", views.icon),
    path("licence", views.licence, name="licence"),
    path("", include("accounts.urls")),
    path("", include("games.urls")),
    path("admin/", admin.site.urls),
]
