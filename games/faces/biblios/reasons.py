"""Why one answer is better than another, in sentences: one for each code of `games.engine.biblios.reasons`.

They speak of the position as it stands: in a hint to whoever is asked, and after the game to everybody.
"""

from __future__ import annotations

from games.engine.biblios.reasons import CODES
from games.engine.core import Reason
from games.faces.biblios.art import card_name, categories
from games.faces.language import N_, _, number

SENTENCES = {
    "leads": N_("With %(card)s this hand comes to %(mine)s in %(category)s, ahead of the %(theirs)s seen elsewhere."),
    "arms-rival": N_("%(card)s can bring a rival to %(theirs)s in %(category)s, where this hand has %(mine)s."),
    "harmless": N_(
        "By what was seen, %(card)s brings a rival to no more than %(theirs)s in %(category)s, where this hand "
        "has %(mine)s."
    ),
    "letter": N_("A tie in %(category)s goes to the letter nearest to A, and %(card)s has the nearest one known."),
    "open-die": N_("The %(category)s die shows %(die)s, and nobody is sure of it: cards of it are worth having."),
    "still-open": N_(
        "Nobody is sure of %(category)s: with %(card)s this hand has %(mine)s, against %(theirs)s seen elsewhere."
    ),
    "low-die": N_("The %(category)s die shows only %(die)s: there is little to win with it."),
    "enough": N_(
        "This hand has %(mine)s in %(category)s, and no more than %(theirs)s was seen elsewhere: it hardly needs more."
    ),
    "out-of-reach": N_(
        "Even with %(card)s this hand has only %(mine)s in %(category)s, and %(theirs)s were seen elsewhere."
    ),
    "wait": N_(
        "Only one card of a turn can be kept, and a better one than %(card)s can still come. "
        "Cards left to place: %(left)s."
    ),
    "no-present": N_("Put in the public space, %(card)s goes to somebody else for nothing."),
    "buy-back": N_("With %(gold)s gold in hand, %(card)s can be bought when it comes up for auction."),
    "pile-place": N_(
        "Only one card of a turn goes to the auction pile, and a better one than %(card)s can still come."
    ),
    "sold-to-all": N_("Kept, %(card)s costs nothing; at its auction it costs gold, and everybody may bid."),
    "gold-to-bid": N_("%(card)s buys cards later. Auctions in this game: %(lots)s."),
    "gold-to-rival": N_("Given away, %(card)s is gold for somebody else to bid with."),
    "gold-least": N_("%(card)s is the smallest gold there is: a cheap present."),
    "gold-or-cards": N_(
        "Only one card of a turn can be kept, and one that counts for a die can come after %(card)s. "
        "Cards left to place: %(left)s."
    ),
    "gold-for-cards": N_("At its auction %(card)s has to be paid for with other cards."),
    "higher-die": N_("%(card)s counts towards a die that shows %(die)s, %(other)s towards one that shows %(lower)s."),
    "more-of-it": N_("%(card)s counts for more than %(other)s."),
    "raises-own": N_(
        "%(card)s can raise the %(category)s die, where this hand has %(mine)s, against %(theirs)s seen elsewhere."
    ),
    "lowers-rival": N_(
        "%(card)s can lower the %(category)s die, where this hand has only %(mine)s, against %(theirs)s seen elsewhere."
    ),
    "church-against": N_(
        "Whoever gets %(card)s may lower the %(category)s die, where this hand is ahead with %(mine)s, against "
        "%(theirs)s seen elsewhere."
    ),
    "church-idle": N_("By what was seen, there is no die that %(card)s can move in favour of this hand."),
    "die-up": N_(
        "In %(category)s this hand is ahead with %(mine)s, against %(theirs)s seen elsewhere: a die to raise."
    ),
    "die-down": N_("In %(category)s this hand has only %(mine)s, against %(theirs)s seen elsewhere: a die to lower."),
    "die-for-rival": N_(
        "A higher %(category)s die helps whoever wins it, and this hand has only %(mine)s, against %(theirs)s seen "
        "elsewhere."
    ),
    "die-against-own": N_(
        "A lower %(category)s die hurts whoever wins it, and this hand has %(mine)s, against %(theirs)s seen elsewhere."
    ),
    "leave-dice": N_("By what was seen, no die can be moved in favour of this hand: the card may be left unused."),
    "cannot-pay": N_(
        "There is %(most)s to pay with, so a bid of %(bid)s cannot be paid: that costs cards, drawn at random."
    ),
    "last-lot": N_("No auction comes after that of %(card)s, and gold that is left over counts only in a tie."),
    "gold-elsewhere": N_("A bid of %(bid)s will be missed later. Auctions still to come: %(lots)s."),
    "gold-late": N_("There is hardly anything left to buy with %(card)s. Auctions still to come: %(lots)s."),
    "needed-to-pay": N_(
        "A bid of %(bid)s for %(card)s is paid in cards, and takes some of %(category)s, where this hand has %(mine)s, "
        "against %(theirs)s seen elsewhere."
    ),
    "too-dear": N_("A bid of %(bid)s is more than %(card)s is worth to this hand."),
    "cards-for-gold": N_(
        "A bid of %(bid)s for %(card)s is paid in cards, and that is more than this gold can still bring."
    ),
    "nobody-higher": N_("By what is known, nobody else can pay more: a bid of %(bid)s gets the card."),
    "gold-idle": N_(
        "There is %(gold)s gold to spend, and what is left over counts only in a tie. Auctions still to come: %(lots)s."
    ),
    "cheap": N_("A bid of %(bid)s is a low price for %(card)s."),
    "left-to-rival": N_("After a pass %(card)s goes to somebody else for a bid of %(bid)s."),
    "spare-cards": N_(
        "A bid of %(bid)s for %(card)s can be paid with cards of categories that are as good as decided."
    ),
    "less-is-enough": N_("A bid is paid in full: after %(bid)s one can still go on to %(made)s, if that is needed."),
    "same-price": N_("There is no change: to pay a bid of %(made)s costs this hand as much as %(bid)s."),
    "no-change": N_("There is no change: of %(due)s due, the other answer overpays by %(over)s, and less is possible."),
    "small-gold": N_("Small gold cards are good for paying an exact price later."),
    "refused": N_("Not to pay costs cards, drawn at random, and %(card)s is auctioned again."),
    "not-worth-it": N_("%(card)s is not worth its price, and what a refusal costs is less."),
    "spared": N_("%(card)s can be spared: in %(category)s this hand has %(mine)s, against %(theirs)s seen elsewhere."),
    "needed": N_(
        "%(card)s is worth more in hand: in %(category)s this hand has %(mine)s, against %(theirs)s seen elsewhere."
    ),
    "gold-spared": N_("To pay with %(card)s keeps %(other)s for the auctions still to come."),
    "worth-more": N_("No single reason stands out: over all that can follow, it does better on average."),
}
"""By code. What the facts are called is said in `CODES`."""


def sentence(reason: Reason) -> str:
    """The sentence for a reason; empty for a code that there is no more."""
    if reason.code not in SENTENCES or len(CODES[reason.code]) != len(reason.facts):
        return ""
    facts = zip(CODES[reason.code], reason.facts, strict=True)
    return _(SENTENCES[reason.code]) % {name: _said(name, fact) for name, fact in facts}


def _said(name: str, fact: int | str) -> str:
    if isinstance(fact, int):
        return number(fact)
    return categories()[fact] if name == "category" else card_name(fact)
