from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from accounts.text import numbers


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        numbers.install()
