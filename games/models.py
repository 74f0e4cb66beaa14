from games.analysis.models import Analysis, JudgedDecision
from games.board.models import Post
from games.calendar.models import CalendarAnswer, CalendarEvent
from games.clubs.moving.models import ClubHistory, FormerTournament
from games.deck.models import DailyPuzzle, DeckCard, DeckGathering, DeckRefusal
from games.feeds.models import Delivery, FeedToken, Webhook
from games.hands.models import Hand, HandReader, HandTry
from games.ladders.models import Challenge, Ladder, LadderEvent, Party
from games.matches.models import (
    KEY_ALPHABET,
    KEY_LENGTH,
    ChatLine,
    Heartbeat,
    Invitation,
    LogEntry,
    Match,
    Outage,
    Seat,
    Seek,
    StandingOrder,
    WatcherLine,
    new_key,
)
from games.tournaments.models import DealDifferences, EventInvitation, NamedGuest, Tournament, TournamentEvent
from games.transparency.models import TreeHead, TreeLeaf, TreeNode

__all__ = [
    "KEY_ALPHABET",
    "KEY_LENGTH",
    "Analysis",
    "CalendarAnswer",
    "CalendarEvent",
    "Challenge",
    "ChatLine",
    "ClubHistory",
    "DailyPuzzle",
    "DealDifferences",
    "DeckCard",
    "DeckGathering",
    "DeckRefusal",
    "Delivery",
    "EventInvitation",
    "FeedToken",
    "FormerTournament",
    "Hand",
    "HandReader",
    "HandTry",
    "Heartbeat",
    "Invitation",
    "JudgedDecision",
    "Ladder",
    "LadderEvent",
    "LogEntry",
    "Match",
    "NamedGuest",
    "Outage",
    "Party",
    "Post",
    "Seat",
    "Seek",
    "StandingOrder",
    "Tournament",
    "TournamentEvent",
    "TreeHead",
    "TreeLeaf",
    "TreeNode",
    "WatcherLine",
    "Webhook",
    "new_key",
]
