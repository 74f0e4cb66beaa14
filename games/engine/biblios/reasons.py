"""Why one answer is better than another, in codes with facts: what a face says of it is a sentence for each.

Each code is given only where the view shows that its sentence is true; what another *was seen* to hold may have been
paid since, face down. The first that fits is given, and the general one, `worth-more`, where none does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from types import MappingProxyType

from games.engine.biblios.cards import (
    CATEGORIES,
    CHURCH,
    GOLD,
    HIDDEN,
    ONE_DOWN,
    ONE_UP,
    TEXTS,
    TWO_DOWN,
    TWO_UP,
    VALUES,
)
from games.engine.biblios.features import Forecast
from games.engine.biblios.greedy import Judge, cheapest_gold
from games.engine.biblios.notation import (
    AUCTION,
    BID,
    DIE,
    DOWN,
    KEEP,
    NO_DIE,
    PASS,
    PAY,
    PAY_CARDS,
    PAY_GOLD,
    PLACE,
    PUBLIC,
    REFUSE,
    SECOND_DIE,
    TAKE,
    TAKE_GIFT,
    UP,
)
from games.engine.biblios.situation import situation
from games.engine.biblios.view import BibliosView
from games.engine.core import Move, Reason

CODES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # What a card does for whoever gets it.
        "leads": ("card", "category", "mine", "theirs"),
        "arms-rival": ("card", "category", "mine", "theirs"),
        "harmless": ("card", "category", "mine", "theirs"),
        "letter": ("card", "category"),
        "open-die": ("category", "die"),
        "still-open": ("card", "category", "mine", "theirs"),
        "low-die": ("category", "die"),
        "enough": ("category", "mine", "theirs"),
        "out-of-reach": ("card", "category", "mine", "theirs"),
        # Gifts.
        "wait": ("card", "left"),
        "no-present": ("card",),
        "buy-back": ("card", "gold"),
        "pile-place": ("card",),
        "sold-to-all": ("card",),
        "gold-to-bid": ("card", "lots"),
        "gold-to-rival": ("card",),
        "gold-least": ("card",),
        "gold-or-cards": ("card", "left"),
        "gold-for-cards": ("card",),
        "higher-die": ("card", "die", "other", "lower"),
        "more-of-it": ("card", "other"),
        # Church cards.
        "raises-own": ("card", "category", "mine", "theirs"),
        "lowers-rival": ("card", "category", "mine", "theirs"),
        "church-against": ("card", "category", "mine", "theirs"),
        "church-idle": ("card",),
        "die-up": ("category", "mine", "theirs"),
        "die-down": ("category", "mine", "theirs"),
        "die-for-rival": ("category", "mine", "theirs"),
        "die-against-own": ("category", "mine", "theirs"),
        "leave-dice": (),
        # Auctions.
        "cannot-pay": ("bid", "most"),
        "last-lot": ("card",),
        "gold-elsewhere": ("bid", "lots"),
        "gold-late": ("card", "lots"),
        "needed-to-pay": ("card", "bid", "category", "mine", "theirs"),
        "too-dear": ("card", "bid"),
        "cards-for-gold": ("card", "bid"),
        "nobody-higher": ("bid",),
        "gold-idle": ("gold", "lots"),
        "cheap": ("card", "bid"),
        "left-to-rival": ("card", "bid"),
        "spare-cards": ("card", "bid"),
        "less-is-enough": ("bid", "made"),
        "same-price": ("bid", "made"),
        # Payments.
        "no-change": ("due", "over"),
        "small-gold": (),
        "refused": ("card",),
        "not-worth-it": ("card",),
        "spared": ("card", "category", "mine", "theirs"),
        "needed": ("card", "category", "mine", "theirs"),
        "gold-spared": ("card", "other"),
        "worth-more": (),
    }
)
"""The codes, with what the facts of each are."""

SURE, HOPELESS = 0.95, 0.05
"""From which chance on a hand hardly needs more for a die, or hardly gets there any more."""
HOPE = 0.2
"""From which chance on a card is missed."""
DECIDED = 0.05
"""A die that somebody else wins with so small a chance is as good as decided."""
HIGH, LOW = 4, 2
"""Dice from which on, and up to which, it matters which number they show."""
LARGE_GOLD = 2
MUCH_GOLD = 6
CHEAP = 2
"""The highest bid in gold that is low for any card. For gold a bid is low that is less than its value."""
FEW_LOTS, LAST_LOTS = 4, 2


def reason(view: BibliosView, better: Move, made: Move) -> Reason:
    """Why `better` is worth more than `made` to the seat that looks."""
    return next(reasons(view, better, made), Reason("worth-more"))


def reasons(view: BibliosView, better: Move, made: Move) -> Told:
    """All that can be said for `better` and against `made`, the best first."""
    return QUESTIONS[view.question](Sight(view), better, made)


def because(code: str, *facts: int | str) -> Reason:
    """A reason, by one of the codes."""
    return Reason(code, facts)


Told = Iterator[Reason]
"""What can truly be said, the best first."""


class Sight:
    """What the seat that is asked knows of all hands."""

    def __init__(self, view: BibliosView) -> None:
        self.view = view
        self.judge = Judge(view)
        self.situation = situation(view)
        self.chances = [chances[0] for chances in Forecast(self.situation).chances]
        """By category, the chance to win the die."""
        self.mine = self.judge.totals
        """By category, the sum in this hand."""
        rivals = [seat for seat in range(view.setup.seats) if seat != view.me]
        known = _known(view)
        sums = [[0] * 5 for _ in rivals]
        for total, seat in zip(sums, rivals, strict=True):
            for kind in known[seat].elements():
                if kind < GOLD:
                    total[kind // 9] += VALUES[kind]
        self.theirs = [max(total[category] for total in sums) for category in range(5)]
        """By category, the highest sum that another is known to have got and not known to have lost."""
        self.letters = [
            min(
                (kind % 9 for cards in (*known, Counter(self.judge.hand)) for kind in cards if kind // 9 == c),
                default=9,
            )
            for c in range(5)
        ]
        """By category, the letter nearest to A that is known to be in any hand; 9 without one."""
        self.gold = self.judge.my_gold
        self.richest = max(
            (
                sum(VALUES[kind] for kind in known[seat].elements() if kind >= GOLD)
                + 3 * max(0, view.counts[seat] - known[seat].total())
                for seat in rivals
                if not view.out >> seat & 1
            ),
            default=0,
        )
        """The most gold that another who is still in the bidding can have."""
        self.fullest = max((view.counts[seat] for seat in rivals if not view.out >> seat & 1), default=0)

    # Categories

    def facts(self, category: int, mine: int = 0, theirs: int = 0) -> tuple[str, int, int]:
        """A category, and the sums in it with so much more."""
        return CATEGORIES[category], self.mine[category] + mine, self.theirs[category] + theirs

    def sure(self, category: int) -> bool:
        """Whether the die is as good as won."""
        return self.mine[category] > self.theirs[category] and self.chances[category] >= SURE

    def hopeless(self, category: int) -> bool:
        """Whether the die is as good as lost."""
        return self.mine[category] < self.theirs[category] and self.chances[category] <= HOPELESS

    def hopeless_with(self, kind: int) -> bool:
        """Whether the die is as good as lost even with one more card."""
        category = kind // 9
        after = self.situation.copy()
        after.receive(0, kind)
        return (
            self.mine[category] + VALUES[kind] < self.theirs[category]
            and Forecast(after).chances[category][0] <= HOPELESS
        )

    def open(self, category: int) -> bool:
        """Whether anybody may win the die."""
        return DECIDED < self.chances[category] < 1 - DECIDED

    # What speaks for a card, and against it

    def gains(self, kind: int) -> Told:
        """Why one would have a card."""
        if kind >= CHURCH:
            yield from self.moves_dice(kind)
        elif kind < GOLD:
            category, value = kind // 9, VALUES[kind]
            mine, theirs, die = self.mine[category], self.theirs[category], self.view.dice[category]
            if die > LOW and theirs and mine <= theirs < mine + value:
                yield because("leads", TEXTS[kind], *self.facts(category, mine=value))
            if abs(mine + value - theirs) <= 1 and theirs and kind % 9 < self.letters[category]:
                yield because("letter", TEXTS[kind], CATEGORIES[category])
            if die >= HIGH and self.open(category):
                yield because("open-die", CATEGORIES[category], die)
            elif die > LOW and self.open(category):
                yield because("still-open", TEXTS[kind], *self.facts(category, mine=value))

    def denies(self, kind: int) -> Told:
        """Why one would not leave a card to a rival."""
        if kind >= CHURCH:
            for category in self.leading():
                die = self.view.dice[category]
                if _lowers(kind) and die > 1:
                    yield because("church-against", TEXTS[kind], *self.facts(category))
        elif kind < GOLD:
            category, value = kind // 9, VALUES[kind]
            mine, theirs = self.mine[category], self.theirs[category]
            if self.view.dice[category] > LOW and mine > 1 and theirs <= mine <= theirs + value:
                yield because("arms-rival", TEXTS[kind], *self.facts(category, theirs=value))

    def idle(self, kind: int) -> Told:
        """Why one would not need a card."""
        if kind >= CHURCH:
            if not any(True for _ in self.moves_dice(kind)):
                yield because("church-idle", TEXTS[kind])
        elif kind < GOLD:
            category, value = kind // 9, VALUES[kind]
            if self.hopeless_with(kind):
                yield because("out-of-reach", TEXTS[kind], *self.facts(category, mine=value))
            if self.sure(category):
                yield because("enough", *self.facts(category))
            if self.view.dice[category] <= LOW:
                yield because("low-die", CATEGORIES[category], self.view.dice[category])

    def moves_dice(self, church: int) -> Told:
        """What a Church card does for its owner."""
        dice = self.view.dice
        if _raises(church):
            for category in self.leading():
                if dice[category] < 6:
                    yield because("raises-own", TEXTS[church], *self.facts(category))
        if _lowers(church):
            for category in self.behind():
                if dice[category] > 1:
                    yield because("lowers-rival", TEXTS[church], *self.facts(category))

    def leading(self) -> list[int]:
        """The categories in which this hand is ahead of what was seen elsewhere, the surest first."""
        found = [category for category in range(5) if self.mine[category] > self.theirs[category]]
        return sorted(found, key=self.chances.__getitem__, reverse=True)

    def behind(self) -> list[int]:
        """The categories in which somebody was seen to be ahead of this hand, the surest first."""
        return sorted([c for c in range(5) if self.theirs[c] > self.mine[c]], key=self.chances.__getitem__)


def _known(view: BibliosView) -> list[Counter[int]]:
    """By seat, the cards that another is known to have got, and not known to have lost."""
    known: list[Counter[int]] = [Counter() for _ in view.counts]
    for source, target, kind in view.flow:
        if kind == HIDDEN:
            continue
        if source >= 0 and known[source][kind]:
            known[source][kind] -= 1
        if target >= 0 and target != view.me:
            known[target][kind] += 1
    return [+cards for cards in known]


def _raises(church: int) -> bool:
    return church not in (ONE_DOWN, TWO_DOWN)


def _lowers(church: int) -> bool:
    return church not in (ONE_UP, TWO_UP)


# The questions


def _place(sight: Sight, better: Move, made: Move) -> Told:
    """Where the drawn card goes."""
    kind = sight.view.drawn
    assert kind is not None
    card, room = TEXTS[kind], sight.view.room
    left = (room & 1) + (room >> 1 & 1) + (room >> 2) - 1
    if made == PUBLIC:
        yield from sight.denies(kind)
    if better == KEEP:
        yield from sight.gains(kind)
    if made == KEEP:
        yield from sight.idle(kind)
    if GOLD <= kind < CHURCH:
        large = VALUES[kind] >= LARGE_GOLD
        if made == PUBLIC and large:
            yield because("gold-to-rival", card)
        if better == KEEP and large:
            yield because("gold-to-bid", card, sight.view.setup.turns)
        if better == PUBLIC and not large:
            yield because("gold-least", card)
        if (better, made) in ((AUCTION, PUBLIC), (KEEP, AUCTION)):
            yield because("gold-for-cards", card)
    if made == KEEP and left and VALUES[kind] < 3:
        yield because("wait", card, left)
    elif made == KEEP and left and GOLD <= kind < CHURCH:
        yield because("gold-or-cards", card, left)
    if better == PUBLIC and kind < GOLD:
        category, value = kind // 9, VALUES[kind]
        if sight.theirs[category] + value < sight.mine[category]:
            yield because("harmless", card, *sight.facts(category, theirs=value))
        if sight.view.dice[category] <= LOW:
            yield because("low-die", CATEGORIES[category], sight.view.dice[category])
    if better == AUCTION and sight.gold >= MUCH_GOLD and kind < GOLD:
        yield because("buy-back", card, sight.gold)
    if made == PUBLIC:
        yield because("no-present", card)
    if better == KEEP and made == AUCTION:
        yield because("sold-to-all", card)
    if better == PUBLIC and made == AUCTION and left:
        yield because("pile-place", card)


def _take(sight: Sight, better: Move, made: Move) -> Told:
    """Which card of the public space is taken."""
    kind, other = better - TAKE, made - TAKE
    yield from sight.gains(kind)
    if len(sight.view.space) > 1:
        yield from sight.denies(kind)
    yield from sight.idle(other)
    if kind < GOLD and other < GOLD:
        die, lower = (sight.view.dice[card // 9] for card in (kind, other))
        if die > lower:
            yield because("higher-die", TEXTS[kind], die, TEXTS[other], lower)
    if kind < CHURCH and other < CHURCH and kind // 9 == other // 9 and VALUES[kind] > VALUES[other]:
        yield because("more-of-it", TEXTS[kind], TEXTS[other])
    if GOLD <= kind < CHURCH:
        yield because("gold-to-bid", TEXTS[kind], sight.view.setup.turns)


def _dice(sight: Sight, better: Move, made: Move) -> Told:
    """Which die a Church card moves."""
    if made != NO_DIE:
        category = (made - UP) % 5
        ahead = sight.mine[category] - sight.theirs[category]
        if made < DOWN and ahead < 0:
            yield because("die-for-rival", *sight.facts(category))
        if made >= DOWN and ahead > 0:
            yield because("die-against-own", *sight.facts(category))
    if better == NO_DIE:
        assert sight.view.card is not None
        if not any(True for _ in sight.moves_dice(sight.view.card)):
            yield because("leave-dice")
        return
    category = (better - UP) % 5
    ahead = sight.mine[category] - sight.theirs[category]
    if better < DOWN and ahead > 0:
        yield because("die-up", *sight.facts(category))
    if better >= DOWN and ahead < 0:
        yield because("die-down", *sight.facts(category))


def _bid(sight: Sight, better: Move, made: Move) -> Told:
    """Whether to bid, and how much."""
    view = sight.view
    kind = view.card
    assert kind is not None
    card, bid, other = TEXTS[kind], better - PASS, made - PASS
    for_cards = GOLD <= kind < CHURCH
    most = len(view.hand) if for_cards else sight.gold
    if other > most:
        yield because("cannot-pay", other, most)
    if not bid:
        yield from sight.idle(kind)
        if for_cards:
            yield from _price_in_cards(sight, card, other)
        else:
            if view.piled > FEW_LOTS and other > CHEAP:
                yield because("gold-elsewhere", other, view.piled)
            yield because("too-dear", card, other)
    elif not other:
        yield from sight.gains(kind)
        yield from sight.denies(kind)
        if view.bidder >= 0 and (sight.fullest if for_cards else sight.richest) <= view.high:
            yield because("nobody-higher", bid)
        if for_cards:
            spared = sight.judge.cheapest(view.hand, bid)[0] if bid <= most else []
            if spared and all(kind < GOLD and not sight.open(kind // 9) for kind in spared):
                yield because("spare-cards", card, bid)
        else:
            if not view.piled:
                yield because("last-lot", card)
            elif view.piled <= FEW_LOTS and sight.gold >= bid + 2 * view.piled:
                yield because("gold-idle", sight.gold, view.piled)
        if bid <= (VALUES[kind] - 1 if for_cards else CHEAP):
            yield because("cheap", card, bid)
        if view.bidder >= 0 and view.out.bit_count() == view.setup.seats - 2:
            yield because("left-to-rival", card, view.high)
    elif bid < other:
        yield because("less-is-enough", bid, other)
    elif not for_cards and bid <= sight.judge.price(other)[0] < inf:
        yield because("same-price", bid, other)


def _price_in_cards(sight: Sight, card: str, bid: int) -> Told:
    """Why a gold card is not worth so many cards."""
    if sight.view.piled <= LAST_LOTS:
        yield because("gold-late", card, sight.view.piled)
    if bid <= len(sight.view.hand):
        paid = {kind // 9 for kind in sight.judge.cheapest(sight.view.hand, bid)[0] if kind < GOLD}
        needed = [c for c in paid if sight.chances[c] >= HOPE and sight.view.dice[c] > LOW]
        if needed:
            category = max(needed, key=lambda c: sight.chances[c] * sight.view.dice[c])
            yield because("needed-to-pay", card, bid, *sight.facts(category))
    yield because("cards-for-gold", card, bid)


def _pay_gold(sight: Sight, better: Move, made: Move) -> Told:
    """With which gold a lot is paid."""
    view = sight.view
    assert view.card is not None
    if better == REFUSE:
        yield because("not-worth-it", TEXTS[view.card])
    elif made == REFUSE:
        yield because("refused", TEXTS[view.card])
    else:
        gold = [kind for kind in view.hand if GOLD <= kind < CHURCH]
        paid, other = (_paid_after(gold, move - PAY, view.due) for move in (better, made))
        less, more = (sum(VALUES[kind] for kind in kinds) for kinds in (paid, other))
        if more > less:
            yield because("no-change", view.due, more - view.due)
        if other.count(GOLD) > paid.count(GOLD):
            yield because("small-gold")


def _paid_after(gold: Sequence[int], first: int, due: int) -> list[int]:
    """The gold that pays what is due, beginning with one card, with the least to spare."""
    left = [kind for kind in gold if kind <= first]
    left.remove(first)
    due -= VALUES[first]
    return [first, *(cheapest_gold(left, due) or [] if due > 0 else [])]


def _pay_cards(sight: Sight, better: Move, made: Move) -> Told:
    """With which cards gold is paid. They are paid in the order of the list: what comes before the first one stays."""
    view = sight.view
    assert view.card is not None
    if better == REFUSE:
        yield because("not-worth-it", TEXTS[view.card])
        return
    if made == REFUSE:
        yield because("refused", TEXTS[view.card])
        return
    kind, other = better - PAY, made - PAY
    category, others = kind // 9, other // 9
    if category == others:
        if VALUES[kind] < VALUES[other]:
            yield because("more-of-it", TEXTS[other], TEXTS[kind])
        elif other < GOLD and other % 9 == sight.letters[others]:
            yield because("letter", TEXTS[other], CATEGORIES[others])
        return
    if better < made:  # this one was kept instead
        if kind < GOLD and (sight.sure(category) or sight.hopeless(category)):
            yield because("spared", TEXTS[kind], *sight.facts(category))
        if kind < GOLD and view.dice[category] <= LOW:
            yield because("low-die", CATEGORIES[category], view.dice[category])
        if kind < GOLD <= other and view.piled:
            yield because("gold-spared", TEXTS[kind], TEXTS[other])
    elif other < GOLD and sight.chances[others] >= HOPE:
        yield because("needed", TEXTS[other], *sight.facts(others))
    if kind < GOLD and other < GOLD and view.dice[category] < view.dice[others]:
        yield because("higher-die", TEXTS[other], view.dice[others], TEXTS[kind], view.dice[category])


QUESTIONS: Mapping[int, Callable[[Sight, Move, Move], Told]] = MappingProxyType(
    {
        PLACE: _place,
        TAKE_GIFT: _take,
        DIE: _dice,
        SECOND_DIE: _dice,
        BID: _bid,
        PAY_GOLD: _pay_gold,
        PAY_CARDS: _pay_cards,
    }
)
