"""What next, on the page of a game that is over (`#rematch`): the rematch, asked for, offered, taken, declined, begun;
and the way to the review."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.faces.language import _
from games.faces.paint import CSRF, clock, icon, plain
from games.matches.scene import Offer, Reply

YES, ASKED, NO = "yes", "asked", "no"
SAID: dict[str, tuple[str, Callable[[], str]]] = {
    YES: ("check", lambda: _("yes")),
    ASKED: ("clock", lambda: _("not yet")),
    NO: ("x", lambda: _("no")),
}


def draw_rematch(key: str, me: int | None, seats: int, offer: Offer, left_ms: int | None, sealed: bool = False) -> str:
    """The box. `me`: the viewer's seat; `seats`: of the match that is over; `left_ms`: until the offer ends;
    `sealed`: there is no review yet (`Scene.hidden`)."""
    inside = _inside(key, me, seats, offer, left_ms)
    if not sealed:
        inside += _link(f"/m/{key}/0", _("Review this game"), "wide" if me is not None else "big wide")
    return f'<div id="rematch" class="rematch">{inside}</div>' if inside else '<div id="rematch" hidden></div>'


def _inside(key: str, me: int | None, seats: int, offer: Offer, left_ms: int | None) -> str:
    if offer.state == "begun":
        return _begun(offer, me)
    if me is None:
        return ""
    said = offer.said(me)
    if offer.state == "open":
        return _open(key, offer, said, left_ms)
    refused = [reply.person.name for seat, reply in offer.replies if reply.said == NO and seat != me]
    if offer.state == "closed" and refused:
        # Whoever has said no is not asked again.
        return _says(_("%(names)s said no.") % {"names": _listed(refused)}) + _link("/play", _("New table"))
    lapsed = _says(_lapsed(offer, said)) if offer.state == "closed" and said else ""
    ask = _("Play again") if seats == 1 else _("Rematch")
    return lapsed + _form(key, _choice(seats), _button("yes", ask, "primary big wide"))


def _lapsed(offer: Offer, said: str) -> str:
    """That the time for an answer is over: to whoever asked, and to whoever did not answer."""
    if said == YES:
        names = _listed([reply.person.name for _seat, reply in offer.replies if reply.said == ASKED])
        return _("%(names)s didn’t answer. Ask again?") % {"names": names}
    return _("%(name)s wanted a rematch. Ask them?") % {"name": f"<bdi>{plain(offer.host)}</bdi>"}


def _begun(offer: Offer, me: int | None) -> str:
    """A link to the new game. A page of one of its players goes there by itself (static/js/rematch.js)."""
    if not offer.key:
        return ""
    address = f"/m/{offer.key}"
    if offer.said(me) == YES:
        link = _link(address, _("To the rematch"), "primary big wide")
        return f'<span data-go="{address}">{link}</span>'
    return _link(address, _("Watch the rematch"))


def _open(key: str, offer: Offer, said: str, left_ms: int | None) -> str:
    left = ""
    if left_ms is not None and left_ms < 3_600_000:
        left = f' <span class="number muted" data-countdown="{left_ms}">{clock(left_ms)}</span>'
    if said == ASKED:
        line = _says(_("%(name)s wants a rematch.") % {"name": f"<bdi>{plain(offer.host)}</bdi>"}, left)
        acts = _button("yes", _("Play again"), "primary big") + _button("no", _("No thanks"), "big")
    elif said == NO:
        line = _says(_("You have said no."), left)
        acts = _button("yes", _("Play again after all"))
    else:
        waits = any(reply.said == ASKED for _seat, reply in offer.replies)
        line = _says(_("You want a rematch.") if waits else _("A seat is free."), left)
        acts = _button("no", _("Withdraw"))
    table = ""
    if said == YES and any(reply.said == NO for _seat, reply in offer.replies):
        table = _link(f"/m/{offer.key}", _("Go to the table: fill the seat, or add a bot"))
    return f"{line}{_people(offer)}{_form(key, acts)}{table}"


def _people(offer: Offer) -> str:
    return f'<ul class="rematch-people">{"".join([_person(reply) for _seat, reply in offer.replies])}</ul>'


def _person(reply: Reply) -> str:
    symbol, word = SAID[reply.said]
    return (
        f'<li class="{reply.said}">{reply.person.square} <bdi>{plain(reply.person.name)}</bdi>'
        f" <span>{icon(symbol)}{word()}</span></li>"
    )


def _choice(seats: int) -> str:
    """How one sits; with two it makes no difference: who begins is drawn with the cards."""
    if seats < 3:
        return ""
    label, drawn, same = _("Seats"), _("drawn anew"), _("as before")
    return (
        f'<label class="small">{label} <select class="input" name="seats"><option value="">{drawn}</option>'
        f'<option value="same">{same}</option></select></label>'
    )


def _says(text: str, more: str = "") -> str:
    return f'<p class="rematch-says" data-says><b>{text}</b>{more}</p>'


def _listed(names: Sequence[str]) -> str:
    return ", ".join([f"<bdi>{plain(name)}</bdi>" for name in names])


def _form(key: str, *parts: str) -> str:
    return f'<form method="post" action="/m/{key}/rematch" hx-boost="true">{CSRF}{"".join(parts)}</form>'


def _button(answer: str, text: str, kind: str = "") -> str:
    return f'<button type="submit" class="button {kind}" name="answer" value="{answer}">{text}</button>'


def _link(address: str, text: str, kind: str = "") -> str:
    return f'<a class="button {kind}" href="{address}">{text}</a>'
