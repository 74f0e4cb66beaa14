from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts import clubs, sessions
        from accounts.career import lines
        from accounts.notices import book as notices
        from games.hub import nudges
        from games.ladders import events
        from games.table import present

        lines.closed.append(present.closed_keys)
        clubs.founded.append(events.lay)
        clubs.left += [events.left, nudges.left]
        sessions.ended.append(nudges.signed_out)
        notices.told.append(nudges.told)
