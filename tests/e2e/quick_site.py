"""The settings of a site of its own, whose bots take just long enough to be interrupted."""

from biblios_site.settings import *  # noqa: F403

BOT_DELAY_MS = (50, 100)
