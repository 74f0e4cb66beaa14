"""The end of a game at the table of Biblios, as HTML: the own result large, the five dice, the order of the players.

All of it stands on the page at once. What is only for judging die by die has `aria-hidden`: static/biblios/result.js
shows it, step by step, to whoever sees the game end.
"""

from __future__ import annotations

import re

from accounts.people.avatar import avatar
from games.engine.biblios.cards import CATEGORIES as LETTERS
from games.faces.biblios.art import categories, die_face, own, picture, symbol
from games.faces.biblios.result import (
    LEFT,
    ORDINALS,
    Ending,
    Verdict,
    award,
    best_card,
    headline,
    leavers,
    notes,
    other_winner,
    reason,
    standing_after,
    verdicts,
)
from games.faces.biblios.scriptorium import Person, totals
from games.faces.language import _, ngettext
from games.faces.paint import bdi, icon, plain, use
from games.faces.slots import Slots, hole


def ending(end: Ending) -> Slots:
    """The slots of the end."""
    return {"stage": (draw_ending, end)}


def draw_ending(end: Ending) -> str:
    label = _("Result")
    inside = _hero(end)
    if end.status == "finished":
        judging, race = ("", "") if end.early else (_judging(end), _race(end))
        inside += f"{judging}{dice_columns(end)}{race}{_bottom(end)}"
    return f'<section id="stage" class="ending" tabindex="-1" aria-label="{label}">{inside}</section>'


# The viewer's own result, or the winner's


def _hero(end: Ending) -> str:
    lines = "".join([f'<p class="hero-line">{line}</p>' for line in _lines(end) if line])
    kicker = "" if end.status == "aborted" else f'<p class="kicker">{_kicker(end)}</p>'
    return (
        f'<header class="hero">{_wreath(end)}<div class="hero-text">{kicker}'
        f'<h1 id="title">{headline(end, bdi)}</h1>{lines}</div>{hole("rematch")}</header>'
    )


def _kicker(end: Ending) -> str:
    left = leavers(end)
    if end.early:
        return " ".join(left) or _("The game ended early")
    return _("The library is judged")


def _wreath(end: Ending) -> str:
    if end.status == "aborted":
        return f'<div class="wreath aborted" aria-hidden="true">{use("i-x")}</div>'
    place = end.places[end.hero.seat]
    number, rest = _parted(_(ORDINALS[place]))
    gilded = " gilded" if place == 1 else ""
    return (
        f'<div class="wreath{gilded}" aria-hidden="true">{own("wreath")}'
        f'<b class="number">{number}</b><span>{rest}</span></div>'
    )


def _parted(ordinal: str) -> tuple[str, str]:
    """An ordinal such as `1st`: its digits, and what follows them."""
    digits = re.match(r"\d*", ordinal)
    assert digits
    return digits[0], ordinal[digits.end() :]


def _lines(end: Ending) -> list[str]:
    """What stands below the headline."""
    if end.status == "aborted":
        why = {
            "!deserted": _("Everyone had left. It counts for no one."),
            "!absent": _("Somebody didn’t come to the table. It counts for no one."),
            "!closed": _("Its event is over. It counts for no one."),
        }
        return [
            why.get(end.cancelled, _("All players agreed. It counts for no one.")),
            '<a href="/play">' + _("Lobby") + "</a>",
        ]
    seat = end.hero.seat
    dice = "" if end.early else _dice_of(end, seat)
    return [" ".join([f"<span>{line}</span>" for line in (other_winner(end), dice, _rating_line(end, seat)) if line])]


def _dice_of(end: Ending, seat: int) -> str:
    names = [f'<b data-cat="{LETTERS[at]}">{plain(categories()[LETTERS[at]])}</b>' for at in end.won(seat)]
    return ", ".join(names) or _("No dice")


def _rating_line(end: Ending, seat: int) -> str:
    rating = end.ratings[seat]
    if not rating or seat != end.me:
        return ""
    return _("Rating") + " " + _change(*rating)


def _change(before: float, after: float) -> str:
    """What became of a rating."""
    old, new = round(before), round(after)
    gained = new - old
    trend = "up" if gained > 0 else "down" if gained < 0 else "level"
    sign = f"+{gained}" if gained > 0 else f"−{-gained}" if gained < 0 else "±0"
    return f'<span class="number change">{old} → <b data-count="{old}">{new}</b> <em class="{trend}">{sign}</em></span>'


# Die by die


def dice_columns(end: Ending) -> str:
    """A column for each die: who won it, or was ahead when the game ended, with which cards; the totals of all."""
    label = _("How the dice stood") if end.early else _("Die by die")
    columns = "".join([_column(end, verdict) for verdict in verdicts(end)])
    return f'<ol class="dice-columns" aria-label="{label}">{columns}</ol>'


def _column(end: Ending, verdict: Verdict) -> str:
    letter, die = verdict.letter, verdict.die
    mine = " mine" if verdict.winner is not None and verdict.winner == end.me else ""
    worth = _("worth %(points)s") % {"points": die}
    cards = "".join([f"<li>{picture(code)}</li>" for code in verdict.cards])
    rows = "".join([_row(end, verdict, at) for at in range(len(verdict.rows))])
    return (
        f'<li class="dice-column{mine}" data-cat="{letter}"><div class="die-arch">{die_face(f"{letter}{die}")}'
        f"<b>{plain(categories()[letter])}</b></div>"
        f'<p class="closed-die" aria-hidden="true"><b>?</b> {worth}</p>'
        f'<p class="die-winner">{_winner(end, verdict)}</p><ol class="won-cards">{cards}</ol>'
        f'<ol class="die-rows">{rows}</ol><p class="die-reason">{reason(verdict)}</p></li>'
    )


def _winner(end: Ending, verdict: Verdict) -> str:
    if verdict.first is None:
        return '<span class="muted">' + _("No one") + "</span>"
    person = end.people[verdict.first]
    square = avatar(person.name, person.worn)
    points = "" if end.early else f' <span class="number points">+{verdict.die}</span>'
    return f"{square} <b>{_shown(end, person)}</b>{points}"


def _shown(end: Ending, person: Person) -> str:
    return _("You") if person.seat == end.me else str(bdi(person.name))


def _row(end: Ending, verdict: Verdict, at: int) -> str:
    seat, total, best = verdict.rows[at]
    name = _shown(end, end.people[seat])
    wins = ' class="wins"' if seat == verdict.first else ""
    decided = ' class="decided"' if seat in verdict.tied else ""
    letter = f"<i{decided}>{best}</i>" if best else "<i></i>"
    return f'<li{wins}><span>{name}</span> <span class="number">{total}</span> {letter}</li>'


# Judging, one die after the other


def _judging(end: Ending) -> str:
    found = verdicts(end)
    shown = "".join([_announced(end, verdict) for verdict in found])
    every, one = _("Show all"), _("Next die")
    tied = "".join(["1" if verdict.tied else "0" for verdict in found])
    return (
        f'<div class="hero judging" data-tied="{tied}"><div class="verdicts" aria-hidden="true">{shown}</div>'
        f'<div class="judging-acts"><button class="button" type="button" data-judge="all">'
        f"{every}<kbd>Esc</kbd></button>"
        f'<button class="button primary" type="button" data-judge="next">{one}<kbd>↵</kbd></button></div></div>'
    )


def _announced(end: Ending, verdict: Verdict) -> str:
    kicker = _("The library is judged")
    if verdict.tied:
        _seat, high, _best = verdict.rows[0]
        line = _("Level at %(high)s. The letter nearest to A decides.") % {"high": high}
    elif verdict.winner is None:
        line = _("No one has a card of this category.")
    else:
        points = ngettext("%(reason)s, for %(points)s point", "%(reason)s, for %(points)s points", verdict.die)
        line = points % {"reason": reason(verdict), "points": verdict.die}
    return (
        f'<div class="verdict"><div class="hero-text"><p class="kicker">{kicker}</p>'
        f'<p class="serif verdict-title">{award(end, verdict)}</p><p class="hero-line">{line}</p></div>'
        f"{_duel(end, verdict)}</div>"
    )


def _duel(end: Ending, verdict: Verdict) -> str:
    """The two cards whose letters are nearest to A, side by side."""
    if not verdict.tied:
        return ""
    first, second = verdict.tied[:2]
    before = _("before")
    sides = [
        f'<div class="rival{" wins" if seat == verdict.winner else ""}">'
        f"<p>{avatar(end.people[seat].name, end.people[seat].worn)} <b>{_shown(end, end.people[seat])}</b></p>"
        f"{picture(best_card(end, seat, verdict.letter))}</div>"
        for seat in (first, second)
    ]
    return f'<div class="duel">{sides[0]}<span class="serif">{before}</span>{sides[1]}</div>'


def _race(end: Ending) -> str:
    """The points of the players while the dice are judged."""
    most = max(1, *end.points)
    points = standing_after(end)
    left = [sum(end.dice[at + 1 :]) for at in range(5)]
    heads = [_("Points so far. Still to come: %(points)s") % {"points": count} for count in left]
    first = [] if end.me is None else [end.people[end.me]]
    rows = "".join(
        [
            f'<li data-points="{" ".join(map(str, points[person.seat]))}">{avatar(person.name, person.worn)}'
            f' <b>{_shown(end, person)}</b> <progress max="{most}" value="0"></progress>'
            ' <span class="number">0</span></li>'
            for person in [*first, *[other for other in end.people if other.seat != end.me]]
        ]
    )
    head = '<div class="race-head small">' + "".join([f"<p>{line}</p>" for line in heads]) + "</div>"
    return f'<section class="race leaf" aria-hidden="true">{head}<ol>{rows}</ol></section>'


# The order, and where to go from here


def standing_list(end: Ending) -> str:
    """The players by place, with their dice and points, and what decided between those who are level."""
    label = _("Order")
    rows = "".join([_step(end, person) for person in end.ranked])
    said = "".join([f"<p>{note}</p>" for note in notes(end)])
    notes_box = f'<div class="standing-notes small muted">{said}</div>' if said else ""
    return f'<ol class="standing-list" aria-label="{label}">{rows}</ol>{notes_box}'


def _bottom(end: Ending) -> str:
    review, again = _("Review"), _("Show it again")
    away, text = (end.ladder, _("On the ladder")) if end.ladder else ("/play", _("Lobby"))
    if "/tournaments/" in end.ladder:
        text = _("Back to the event")
    show = (
        "" if end.early else f'<button class="button quiet scripted" type="button" data-judge="again">{again}</button>'
    )
    look = f'<a class="button" href="/m/{end.key}/{end.ply}">{icon("eye")}{review}</a>'
    if end.hidden:
        later = _("Others play the same deal: you can review this game once the event is over.")
        look = f'<p class="later small">{later}</p>'
    return (
        f'<section class="standing leaf"><div>{standing_list(end)}</div><div class="ending-acts">'
        f"{look}{_share(end)}{show}"
        f'<a class="button quiet" href="{plain(away)}">{text}</a></div></section>'
    )


def _share(end: Ending) -> str:
    """The picture of the result, and the link to it."""
    if not end.shared:
        return ""
    share, copy, copied, load = _("Share"), _("Copy link"), _("Copied"), _("Download picture")
    picture_of = f"/m/{end.key}/result.png"
    text = plain(_("The result as a picture"))
    return (
        f'<details class="share" data-share="/m/{end.key}"><summary class="button">{icon("share")}{share}</summary>'
        f'<div class="leaf share-box"><img src="{picture_of}" alt="{text}" width="1200" height="630" loading="lazy">'
        f'<button class="button small scripted" type="button" data-copied="{copied}">{copy}</button>'
        f'<a class="button small" href="{picture_of}" download="biblios-{end.key}.png">{load}</a></div></details>'
    )


def _step(end: Ending, person: Person) -> str:
    seat, points = person.seat, end.points[person.seat]
    you = ' class="you"' if seat == end.me else ""
    left = f' <span class="small muted">{_(LEFT[person.left])}</span>' if person.left else ""
    dice = "".join([die_face(f"{LETTERS[at]}{end.dice[at]}") for at in end.won(seat)])
    word = ngettext("point", "points", points)
    counted = f' <b class="number points">{points}<span class="visually-hidden"> {word}</span></b>'
    return (
        f'<li{you}><span class="place number">{end.places[seat]}</span> {avatar(person.name, person.worn)} '
        f'<span class="standing-name"><b>{_shown(end, person)}</b>{left}</span> <span class="won-dice">{dice}</span>'
        f"{'' if end.early else counted}"
        f' <span class="gained">{_gained(end, person)}</span></li>'
    )


def _gained(end: Ending, person: Person) -> str:
    """What became of a player's rating, or else their gold."""
    rating = end.ratings[person.seat]
    if rating:
        return _change(*rating)
    return f'{symbol("G")} <span class="number">{totals(end.hands[person.seat])["G"]}</span>'
