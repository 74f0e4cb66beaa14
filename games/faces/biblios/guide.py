"""The guided first game: what it is about, each decision when it first comes up, and the signs of the table.

All from what the player may know.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.biblios.cards import CATEGORIES, CHURCH, GOLD, ONE_DOWN, ONE_UP, TWO_DOWN, TWO_UP, VALUES
from games.engine.biblios.church import moves_two
from games.engine.biblios.notation import BID, DIE, PAY_CARDS, PAY_GOLD, PLACE, REFUSE, TAKE_GIFT
from games.engine.biblios.view import BibliosView
from games.faces.biblios.art import CATEGORIES as NAMES
from games.faces.biblios.art import card_name, code_of
from games.faces.biblios.scene import Scene, Step
from games.faces.face import Lesson

AIM = "welcome"
"""The lesson that comes before all others."""


def lessons(scene: Scene) -> tuple[Lesson, ...]:
    """The lessons that the viewer has had in this game, in order: the aim first, then one at most for each question.

    Those that explain what they face now are `due`. Each was told of the position at that time.
    """
    if scene.me is None or scene.status == "aborted":
        return ()
    me, told, drew = scene.me, {AIM: scene.steps[0].before if scene.steps else scene.view}, False
    answered = False
    for step in scene.steps:
        if step.seat != me:
            drew = drew or _drew(step)
        elif not step.forced and not step.move.startswith("!"):
            answered = True
            if name := _next(step.before, told, drew):
                told[name] = step.before
    due = set() if answered else {AIM}
    view = scene.view
    asked = view.seat == me and scene.playing
    if name := ("" if scene.ended else "end") if view.over else _next(view, told, drew) if asked else None:
        told[name] = view
        due.add(name)
    return tuple([_lesson(scene, name, at, name in due) for name, at in told.items()])


def _lesson(scene: Scene, name: str, view: BibliosView, due: bool) -> Lesson:
    assert scene.me is not None
    explains, write = LESSONS[name]
    title, text, anchor = write(scene, view, scene.me)
    return Lesson(name, title, " ".join(text), anchor, explains, due)


def _next(view: BibliosView, told: Container[str], drew: bool) -> str | None:
    """The lesson that a question brings: the decision, else its Church card, a rival's penalty, a sign of the table."""
    asked = decision(view)
    if asked and asked not in told:
        return asked
    if asked in ("place", "full") and view.drawn is not None and view.drawn >= CHURCH and "church" not in told:
        return "church"
    if drew and "drew" not in told:
        return "drew"
    return next((name for name in SIGNS if name not in told), None) if asked else None


def decision(view: BibliosView) -> str | None:
    """The kind of decision that a view asks of its owner, as lessons are named; None if it needs no lesson."""
    question = view.question
    if question == PLACE:
        return "place" if _nothing_full(view) else "full"
    if question == TAKE_GIFT:
        return "gift"
    if question == DIE and view.card is not None:
        return "two_dice" if moves_two(view.card, view.setup.both_ways) else "one_die"
    if question == BID:
        return "bid_cards" if _for_gold(view) else "bid_gold"
    if question in (PAY_GOLD, PAY_CARDS) and view.due == view.high:
        if view.legal == (REFUSE,):
            return "cannot_pay"
        return "pay_cards" if question == PAY_CARDS else "pay_gold"
    return None


def _nothing_full(view: BibliosView) -> bool:
    return bool(view.room & 1 and view.room & 2 and view.room >> 2)


def _for_gold(view: BibliosView) -> bool:
    return view.card is not None and GOLD <= view.card < CHURCH


def _drew(step: Step) -> bool:
    return step.move == "refuse" and len(step.after.penalties) > len(step.before.penalties)


Texts = tuple[str, list[str], str]
"""Title, sentences, and the section of the rules page."""


def _card(view: BibliosView, kind: int | None) -> str:
    return "" if kind is None else card_name(code_of(kind, view.setup.both_ways))


def _gold(view: BibliosView) -> int:
    return sum(VALUES[kind] for kind in view.hand if kind >= GOLD)


def _welcome(scene: Scene, view: BibliosView, me: int) -> Texts:
    text = [
        _("Five categories, five dice. Whoever holds the highest total in a category at the end wins its die."),
        _("Each die is worth what it shows, and the most points win the game."),
        _("First you hand out cards in turn, then you bid for the ones that were hidden."),
    ]
    if view.first == me:
        text.append(_("You begin."))
    else:
        text.append(_("%(name)s begins.") % {"name": scene.sitters[view.first].name})
    return _("How you win"), text, "goal"


def _place(scene: Scene, view: BibliosView, me: int) -> Texts:
    card = _card(view, view.drawn)
    text = [
        _("Only you see this card: %(card)s.") % {"card": card},
        ngettext(
            "In your turn you place %(all)s cards: keep one, hide one for the auctions, "
            "and leave %(open)s in the open for your rival.",
            "In your turn you place %(all)s cards: keep one, hide one for the auctions, "
            "and leave %(open)s in the open for your rivals.",
            view.setup.seats - 1,
        )
        % {"all": view.setup.seats + 1, "open": view.setup.seats - 1},
        _("You decide about each before you see the next."),
    ]
    if view.drawn is not None and GOLD <= view.drawn < CHURCH:
        text.append(_("Gold wins no die, but it pays in the auctions."))
    return _("Place this card"), text, "gifts"


def _church(scene: Scene, view: BibliosView, me: int) -> Texts:
    text = [
        _("A Church card moves dice, for whoever gets it: here the prices are made."),
        _("Keep it, and you may move dice at once. In the open it is a gift, and whoever takes it moves them."),
        _("Hidden, it goes to an auction. It never comes into a hand."),
    ]
    return _("A Church card"), text, "church"


def _full(scene: Scene, view: BibliosView, me: int) -> Texts:
    if not view.room & 1:
        text = _("You have kept your card for this turn. This one goes to the auction pile or into the open.")
    elif not view.room & 2:
        text = _("This turn’s card for the auctions is already hidden. Keep this one, or leave it in the open.")
    else:
        text = _("The others have their gifts. Keep this card, or hide it for the auctions.")
    left = (view.room & 1) + (view.room >> 1 & 1) + (view.room >> 2) - 1
    more = ngettext("One more card follows.", "%(count)s more cards follow.", left) % {"count": left}
    return _("One place is full"), [text, more], "gifts"


def _gift(scene: Scene, view: BibliosView, me: int) -> Texts:
    giver = scene.sitters[view.active].name
    choice = ngettext(
        "%(name)s leaves you one card.", "%(name)s leaves you the choice among %(count)s cards.", len(view.space)
    )
    text = [
        choice % {"name": giver, "count": len(view.space)},
        _("Take what raises a category that you collect, or gold for the auctions. Everyone sees what you take."),
    ]
    if view.setup.seats > 2:
        text.append(_("Whoever chooses last gets what is left."))
    if any(kind >= CHURCH for kind in view.space):
        text.append(_("A Church card does not come into your hand: you use it at once."))
    return _("Choose a gift"), text, "gifts"


def _one_die(scene: Scene, view: BibliosView, me: int) -> Texts:
    if view.card == ONE_UP:
        text = _("You have a Church card: raise one die by 1, or leave the dice alone.")
    elif view.card == ONE_DOWN:
        text = _("You have a Church card: lower one die by 1, or leave the dice alone.")
    else:
        text = _("You have a Church card: raise or lower one die by 1, or leave the dice alone.")
    return _("The bishop’s favour"), [text, *_advice(view)], "church"


def _two_dice(scene: Scene, view: BibliosView, me: int) -> Texts:
    if view.card == TWO_UP:
        text = _("This Church card raises two different dice by 1 each. Use it for both, or leave the dice alone.")
    elif view.card == TWO_DOWN:
        text = _("This Church card lowers two different dice by 1 each. Use it for both, or leave the dice alone.")
    else:
        text = _("This Church card raises one die by 1 and lowers another one by 1. Do both, or leave the dice alone.")
    return _("Two dice at once"), [text, *_advice(view)], "church"


def _advice(view: BibliosView) -> list[str]:
    totals = _totals(view.hand)
    best = max(totals)
    advice = [_("Raise the dice that you expect to win, and lower those of your rivals. A die stays within 1 and 6.")]
    if best:
        category = totals.index(best)
        facts = {"category": NAMES[CATEGORIES[category]], "total": best, "die": view.dice[category]}
        advice.append(_("Your highest total so far: %(category)s, %(total)s; the die shows %(die)s.") % facts)
    return advice


def _totals(hand: tuple[int, ...]) -> list[int]:
    return [sum(VALUES[kind] for kind in hand if kind // 9 == category) for category in range(5)]


def _bid_gold(scene: Scene, view: BibliosView, me: int) -> Texts:
    gold = _gold(view)
    text = [
        _("For sale: %(card)s. You bid in gold, and you hold %(gold)s.")
        % {"card": _card(view, view.card), "gold": gold},
        *_standing(scene, view),
        _("No change is given. Players who pass are out for this card."),
    ]
    if not view.setup.honest:
        text.append(_("No one checks your bid before you win: a winner who can’t pay loses cards."))
    return _("Bid, or pass"), text, "auctions"


def _bid_cards(scene: Scene, view: BibliosView, me: int) -> Texts:
    text = [
        ngettext(
            "For sale: %(card)s. For gold you bid a number of cards; you hold one.",
            "For sale: %(card)s. For gold you bid a number of cards; you hold %(count)s.",
            len(view.hand),
        )
        % {"card": _card(view, view.card), "count": len(view.hand)},
        *_standing(scene, view),
        _("The winner gives away that many cards of any kind, face down: think of those that win you nothing."),
    ]
    return _("Bid cards for gold"), text, "auctions"


def _standing(scene: Scene, view: BibliosView) -> list[str]:
    if view.bidder < 0:
        return [_("No one has bid so far.")]
    return [
        _("%(name)s bids %(bid)s; bid more, or pass.") % {"name": scene.sitters[view.bidder].name, "bid": view.high}
    ]


def _pay_gold(scene: Scene, view: BibliosView, me: int) -> Texts:
    text = [
        _("You won %(card)s for %(bid)s. Pay at least that with your gold; everyone sees it.")
        % {"card": _card(view, view.card), "bid": view.high},
        _("No change is given: choose the cards that come nearest."),
        *_refusal(view),
    ]
    return _("You won the lot"), text, "auctions"


def _pay_cards(scene: Scene, view: BibliosView, me: int) -> Texts:
    text = [
        ngettext(
            "You won %(card)s for one card. Choose which of your %(hand)s.",
            "You won %(card)s for %(count)s cards. Choose which of your %(hand)s.",
            view.high,
        )
        % {"card": _card(view, view.card), "count": view.high, "hand": len(view.hand)},
        _("They go away face down: the others learn only how many."),
        *_refusal(view),
    ]
    return _("Pay with cards"), text, "auctions"


def _refusal(view: BibliosView) -> list[str]:
    return [_("You may also refuse to pay, but that costs you cards.")] if view.setup.default_on_purpose else []


def _cannot_pay(scene: Scene, view: BibliosView, me: int) -> Texts:
    if view.question == PAY_GOLD:
        text = _("You bid %(bid)s and hold %(held)s in gold.") % {"bid": view.high, "held": _gold(view)}
    else:
        text = _("You bid %(bid)s cards and hold %(held)s.") % {"bid": view.high, "held": len(view.hand)}
    if view.setup.penalty_discards:
        price = _("The penalty: one card of your hand, drawn at random, is discarded.")
    else:
        price = _("The penalty: each of the others draws one card at random from your hand.")
    again = _("Then the same card is auctioned again without you.")
    return _("You could not pay"), [text, price, again], "auctions"


def _drawn(scene: Scene, view: BibliosView, me: int) -> Texts:
    culprit, _taker, kind = next(penalty for penalty in view.penalties if penalty[0] != me)
    text = [_("%(name)s won the card and did not pay.") % {"name": scene.sitters[culprit].name}]
    drawn = next((card for source, target, card in view.penalties if target == me), None)
    if drawn is not None:
        text.append(
            _("As the penalty each rival drew one card at random: yours is %(card)s.") % {"card": _card(view, drawn)}
        )
    elif view.setup.penalty_discards:
        text.append(_("As the penalty one card was discarded: %(card)s.") % {"card": _card(view, kind)})
    text.append(_("The same card is auctioned again among the others."))
    return _("A penalty"), text, "auctions"


def _end(scene: Scene, view: BibliosView, me: int) -> Texts:
    text = [_("The highest total in a category takes its die; where totals are level, the letter nearest A does.")]
    result = scene.result
    if result:
        for category, winner in enumerate(result["category_winners"]):
            if winner == me:
                facts = {
                    "category": NAMES[CATEGORIES[category]],
                    "total": result["totals"][me][category],
                    "die": result["dice"][category],
                }
                text.append(_("%(category)s: you have %(total)s and score %(die)s.") % facts)
        points = result["points"][me]
        text.append(ngettext("You have one point.", "You have %(count)s points.", points) % {"count": points})
        rivals = [scene.sitters[seat].name for seat in result["winners"] if seat != me]
        if me not in result["winners"]:
            facts = {"name": rivals[0], "points": result["points"][result["winners"][0]]}
            text.append(_("%(name)s wins with %(points)s.") % facts)
        elif not rivals:
            text.append(_("You win!"))
    text.append(_("Where points are level, gold decides."))
    return _("The library is judged"), text, "end"


# Signs


def _letters(scene: Scene, view: BibliosView, me: int) -> Texts:
    text = [
        _("The letter on a card breaks ties: where two totals are level, the letter nearest A wins the die."),
        _("The letter in a ring is the best one you hold in that category."),
    ]
    return _("The letters"), text, "end"


def _seen(scene: Scene, view: BibliosView, me: int) -> Texts:
    text = [
        _("These rows show what you have seen the others take."),
        _("“≥5” means at least 5: they may have more that you could not see."),
        _("“≈5” means about 5: they have lost cards since, and you could not see which."),
    ]
    return _("What the others have"), text, "goal"


def _first(scene: Scene, view: BibliosView, me: int) -> Texts:
    name = scene.sitters[view.first].name
    text = [
        _("You had the first turn, and turn up the first lot.")
        if view.first == me
        else _("%(name)s had the first turn, and turns up the first lot.") % {"name": name},
        _("The next player bids first, so whoever turns up a card bids last. For each lot it is somebody else’s turn."),
    ]
    return _("Who goes first"), text, "auctions"


def _count(scene: Scene, view: BibliosView, me: int) -> Texts:
    text = [
        _("The count shows every card of the game: yours, those you saw the others take, and those that are gone."),
        _("The cards that are left may still come. A few were taken out before the game, and no one knows which."),
    ]
    return _("Counting cards"), text, "goal"


def _notation(scene: Scene, view: BibliosView, me: int) -> Texts:
    text = [
        _("Everything that happens is written down here."),
        _("In the short form, k is a card kept, a one hidden for the auctions, and p one put in the open."),
    ]
    return _("The moves"), text, "notation"


QUESTION, TOTALS = "#stage", "#canon"
LESSONS: dict[str, tuple[str, Callable[[Scene, BibliosView, int], Texts]]] = {
    AIM: (TOTALS, _welcome),
    "place": (QUESTION, _place),
    "full": (QUESTION, _full),
    "church": (QUESTION, _church),
    "gift": (QUESTION, _gift),
    "one_die": (QUESTION, _one_die),
    "two_dice": (QUESTION, _two_dice),
    "bid_gold": (QUESTION, _bid_gold),
    "bid_cards": (QUESTION, _bid_cards),
    "pay_gold": (QUESTION, _pay_gold),
    "pay_cards": (QUESTION, _pay_cards),
    "cannot_pay": (QUESTION, _cannot_pay),
    "drew": (QUESTION, _drawn),
    "letters": ("#hand", _letters),
    "seen": (TOTALS, _seen),
    "count": ("#count", _count),
    "first": (TOTALS, _first),
    "notation": ("[data-pane=moves]", _notation),
    "end": (QUESTION, _end),
}
"""By name: a selector of what it explains, and what it says."""
SIGNS = "letters", "seen", "count", "first", "notation"
"""Lessons about the signs of the table, in this order, at questions that need no words of their own."""
