from django.urls import path

from accounts.views import entry, look

urlpatterns = [
    path("sign-up", entry.sign_up, name="sign_up"),
    path("sign-in", entry.sign_in, name="sign_in"),
    path("sign-out", entry.sign_out, name="sign_out"),
    path("guest", entry.guest, name="guest"),
    path("account", entry.account, name="account"),
    path("account/theme", look.theme, name="theme"),
    path("account/language", look.language, name="language"),
]
