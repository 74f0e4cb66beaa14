from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts.career import titles
        from accounts.notices import notices
        from accounts.people import avatar, calendar, following
        from games import signals  # noqa: F401  (connects them)
        from games.calendar import words as date_words
        from games.clubs import pending as of_clubs
        from games.clubs.calendar import page as dates
        from games.deck import pending as of_decks
        from games.deck import words as of_deck_notices
        from games.engine import registry
        from games.faces.registry import FACES
        from games.faces.titles import title_of
        from games.feeds import words as feed_words
        from games.hands import calendar as days
        from games.hands import words as of_hands
        from games.hub import nudges
        from games.ladders import calendar as ladder_dates
        from games.ladders import pending as of_ladders
        from games.ladders.words import notices as of_ladder_notices
        from games.lobby import calendar as turns
        from games.lobby import invitations, pending
        from games.matches import access, rematches, reminders
        from games.tournaments import calendar as rounds
        from games.tournaments import notices as of_tournaments
        from games.tournaments import page as events
        from games.tournaments import pending as of_evenings

        access.register(events.knows)
        following.register(nudges.online)
        pending.register(
            of_evenings.actions,
            of_evenings.results,
            of_ladders.actions,
            of_ladders.at_table,
            of_clubs.actions,
            dates.pending,
            of_decks.actions,
        )
        calendar.register(ladder_dates.entries, turns.entries, rounds.entries, days.entries)
        for game in registry.titles():
            titles.register(title_of(game))
        for face in FACES.values():
            avatar.register(face.bot_names)
        for told in (
            of_hands,
            of_deck_notices,
            date_words,
            feed_words,
            invitations,
            of_ladder_notices,
            of_tournaments,
            reminders,
            rematches,
        ):
            notices.register(told.TOPICS, told.KINDS)
