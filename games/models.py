from games.ladders.models import Challenge, Ladder, LadderEvent, Party
from games.matches.models import (
    KEY_ALPHABET,
    KEY_LENGTH,
    ChatLine,
    Invitation,
    LogEntry,
    Match,
    Outage,
    Pulse,
    Seat,
    Seek,
    StandingOrder,
    new_key,
)
from games.transparency.models import TreeHead, TreeLeaf, TreeNode

__all__ = [
    "KEY_ALPHABET",
    "KEY_LENGTH",
    "Challenge",
    "ChatLine",
    "Invitation",
    "Ladder",
    "LadderEvent",
    "LogEntry",
    "Match",
    "Outage",
    "Party",
    "Pulse",
    "Seat",
    "Seek",
    "StandingOrder",
    "TreeHead",
    "TreeLeaf",
    "TreeNode",
    "new_key",
]
