from django.contrib import admin
from django.urls import path

from biblios_site import views

urlpatterns = [
    path("", views.home, name="home"),
    path("licence", views.licence, name="licence"),
    path("admin/", admin.site.urls),
]
