from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self):
        from accounts import career, clubs, notices, sessions
        from games import live, present
        from games.services import ladders

        career.closed.append(present.closed_keys)
        clubs.founded.append(ladders.lay)
        clubs.left += [ladders.left, live.left]
        sessions.ended.append(live.signed_out)
        notices.told.append(live.told)
