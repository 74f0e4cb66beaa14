from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts.career import titles
        from accounts.notices import book
        from games import signals  # noqa: F401  (connects them)
        from games.engine import registry
        from games.faces.titles import title_of
        from games.ladders.words import notices
        from games.matches import reminders

        for game in registry.titles():
            titles.register(title_of(game))
        for told in (notices, reminders):
            book.register(told.TOPICS, told.KINDS)
