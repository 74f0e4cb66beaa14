"""The spread of the table of Biblios as regions: the situation on the left page, the answers on the right one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from accounts.avatar import avatar
from games.engine.biblios.notation import BID
from games.engine.biblios.orders import BID_UP_TO, PASS_GOLD, limit_for
from games.engine.biblios.view import BibliosView
from games.faces.biblios import stage
from games.faces.biblios.art import code_of, frame, kept, paint, picture
from games.faces.biblios.ask import answers
from games.faces.biblios.result import result
from games.faces.biblios.scene import Scene
from games.faces.biblios.scriptorium import Person
from games.faces.biblios.story import Story
from games.faces.biblios.words import drawn
from games.faces.language import _, language, ngettext
from games.faces.paint import plain, use
from games.faces.regions import Region

SHOWN_NEWS = 3
ASKED = ("gift", "choose", "church", "bid", "pay")
FILLER = '<span class="filler" aria-hidden="true"></span>'


class News(NamedTuple):
    """What a row of the log did."""

    ply: int
    fresh: Region
    """Its line among the newest."""
    older: Region
    """Its line among the older ones."""
    html: str


def spread(
    scene: Scene, state: str, title: str, everybody: list[Person], story: Story, news: tuple[News, ...]
) -> Region:
    """The whole leaf."""
    label = _("Current action")
    name, ask = answers(scene, everybody) if state in ASKED else ("", {})
    return Region(
        "stage",
        f'<section id="stage" class="spread leaf" tabindex="-1" aria-label="{label}" data-state="{state}">'
        f"{use('vine', 'vine upper')}",
        _head(title, *stage.progress(scene.view)),
        '<div class="pages">',
        _verso(scene, state, everybody, news, ask),
        _recto(scene, state, everybody, story, name, ask),
        "</div></section>",
    )


def _head(title: str, phase: str, stretch: str, done: int, marks: int) -> Region:
    progress, prick = _progress(phase, stretch, done, marks)
    h1 = Region("title", f'<h1 id="title">{plain(title)}</h1>')
    return Region("head", '<header id="head" class="spread-head">', h1, FILLER, progress, prick, "</header>")


@lru_cache(maxsize=500)
def _progress(phase: str, stretch: str, done: int, marks: int) -> tuple[Region, Region]:
    return (
        Region("progress", f'<p id="progress" class="spread-phase"><b>{phase}</b> · {stretch}</p>'),
        Region(
            "prick",
            f'<svg id="prick" class="prick marks-{marks}" viewBox="0 0 {marks} 1" preserveAspectRatio="none"'
            f' aria-hidden="true"><rect width="{done}" height="1"/></svg>',
        ),
    )


# The left page


def _verso(scene: Scene, state: str, everybody: list[Person], news: tuple[News, ...], ask: dict[str, Any]) -> Region:
    tag = '<div id="verso" class="page verso">'
    if state == "over":
        podium = paint("podium.jinja", result=result(scene, everybody), scene=scene)
        return Region("verso", f"{tag}{podium}</div>")
    if state == "aborted":
        deserted = scene.steps[-1].move == "!deserted"
        text = (
            _("Everybody had left. It counts for nobody.")
            if deserted
            else _("All players agreed. It counts for nobody.")
        )
        return Region(
            "verso", f'{tag}<div class="focus over">{use("i-x", "initial")}<p class="muted">{text}</p></div></div>'
        )
    parts = [_piles(scene.view), _focus(scene, state, everybody, ask)]
    if news:
        parts.append(_news(news))
    return Region("verso", tag, *parts, "</div>")


def _piles(view: BibliosView) -> Region:
    parts: list[str | Region] = ['<dl id="piles" class="piles">']
    for pile in stage.piles(view):
        id, name, cards, code = pile
        parts.append(f"<div><dt>{name}</dt><dd>")
        parts.append(_pile(language(), id, code if cards else ""))
        parts.append(_count(id, cards))
        parts.append("</dd></div>")
    return Region("piles", *parts, "</dl>")


@lru_cache(maxsize=500)
def _count(id: str, count: int) -> Region:
    return Region(f"{id}-n", f'<b id="{id}-n" class="number">{count}</b>')


@lru_cache(maxsize=500)
def _pile(language: str, id: str, code: str) -> Region:
    top = picture(code) if code else '<span class="slot"></span>'
    return Region(id, f'<span class="pile" id="{id}">{top}</span>')


def _focus(scene: Scene, state: str, everybody: list[Person], ask: dict[str, Any]) -> Region:
    view = scene.view
    if state == "choose":
        return Region("focus", str(kept("pick.jinja", **ask)))
    card = stage.focus(view, scene.me)
    if card:
        lot = _lot(language(), card.code, card.key, card.source)
        return Region("focus", '<figure id="focus" class="focus">', lot, *_caption(card.title, card.caption))
    label, cards = _("Public space"), stage.space_cards(view)
    slots = '<span class="slot middle-card"></span>' * (view.setup.seats - 1 - len(cards))
    return Region(
        "focus",
        f'<div id="focus" class="focus wait"><p class="label">{label}</p><div class="card-row">',
        *[_on_table(language(), it.code, it.key, "middle-card") for it in cards],
        f"{slots}</div></div>",
    )


@lru_cache(maxsize=1000)
def _lot(language: str, code: str, key: str, source: str) -> Region:
    return Region("lot", str(picture(code, "big", key, source, "lot")))


@lru_cache(maxsize=1000)
def _caption(title: str, caption: str) -> tuple[Region, str]:
    text = f'<b>{plain(title)}</b><span class="muted small">{plain(caption)}</span>'
    return Region("caption", f'<figcaption id="caption">{text}</figcaption>'), "</figure>"


@lru_cache(maxsize=1000)
def _on_table(language: str, code: str, key: str, cls: str) -> Region:
    source = "#deck" if cls else ""
    return Region(f"t-{key}", str(picture(code, cls, key, source, f"t-{key}")))


def _news(news: tuple[News, ...]) -> Region:
    parts: list[str | Region] = ['<div id="news" class="news"><ol>']
    parts += [one.fresh for one in news[-SHOWN_NEWS:]]
    parts.append("</ol>")
    if older := news[:-SHOWN_NEWS]:
        more = ngettext("%(count)s more", "%(count)s more", len(older)) % {"count": len(older)}
        parts += ['<details id="older">', Region("more", f'<summary id="more">{more}</summary>'), "<ol>"]
        parts += [one.older for one in older]
        parts.append("</ol></details>")
    return Region("news", *parts, "</div>")


def said(ply: int, html: str) -> News:
    """The news of the row at a ply."""
    id = f"said-{ply}"
    fresh = Region(id, f'<li id="{id}" class="new">{html}</li>')
    return News(ply, fresh, Region(id, f'<li id="{id}">{html}</li>'), html)


# The right page


def _recto(scene: Scene, state: str, everybody: list[Person], story: Story, name: str, ask: dict[str, Any]) -> Region:
    tag = '<div id="recto" class="page recto">'
    if state == "over":
        return Region("recto", f"{tag}{paint('why.jinja', result=result(scene, everybody), scene=scene)}</div>")
    if state == "aborted":
        lobby = _("Lobby")
        acts = f'<div class="acts"><a class="button primary" href="/play">{lobby}</a></div>'
        return Region("recto", f'{tag}<div class="act">{acts}</div></div>')
    if not name:
        return Region("recto", tag, _waiting(scene, state, everybody, story), "</div>")
    # The form contains the ply: a new question is never taken for the old one, whatever was chosen there.
    way = f'method="post" action="/m/{scene.key}/play"'
    inputs = f'<input type="hidden" name="ply" value="{scene.ply}"><!--csrf-->'
    form = f'<form id="answer" class="bare" {way} data-answer="{name}"{_facts(state, ask)}>{inputs}'
    end = f'<form id="answer-other" hidden {way} data-answer="other">{inputs}</form></div>'
    if state == "bid":
        bids = _bids(stage.bids_so_far(scene.view, everybody, story))
        more = f'<!--plain--><form id="answer-more" hidden {way}>{inputs}</form><!--/plain-->' if ask["last"] else ""
        choice = f"{form}{kept('ask_bid.jinja', **ask)}</form></div>"
        return Region("recto", tag, Region("act", '<div id="act" class="act">', bids, choice), more + end)
    if state == "gift":
        spoken = language()
        cards = [_on_table(spoken, code, key, "") for well in ask["wells"] for code, key in well.cards if key]
        return Region("recto", tag + form, frame("wells", "ask_gift.jinja", *cards, **ask), f"</form>{end}")
    return Region("recto", f"{tag}{form}{kept(f'ask_{state}.jinja', **ask)}</form>{end}")


def _facts(state: str, ask: dict[str, Any]) -> str:
    """What the script needs to know of a form."""
    if state == "bid":
        most = ask["last"] or (ask["chips"][-1].bid if ask["chips"] else 0)
        return f' data-own="{ask["own"]}" data-max="{most}" data-unit="{"gold" if ask["gold"] else "cards"}"'
    if state == "pay":
        return f' data-due="{ask["due"]}" data-unit="{ask["unit"]}"'
    if state == "church":
        ways = ' data-ways="both"' if ask["both"] else ""
        return f' data-count="{2 if ask["two"] else 1}"{ways}'
    return ""


def _waiting(scene: Scene, state: str, everybody: list[Person], story: Story) -> Region:
    view = scene.view
    wait = stage.waiting(scene, everybody, story)
    tag = '<div id="act" class="act waitbox">'
    if state == "penalty" and story.own:
        lost = tuple([(code_of(kind), everybody[to].name if to >= 0 else "") for _from, to, kind in drawn(story.own)])
        card = stage.focus(view, scene.me)
        title = card.title if card else ""
        parts: list[str | Region] = [tag + str(kept("penalty.jinja", lost=lost, title=title))]
    else:
        dots = DOTS if scene.status == "running" else ""
        lead = Region("lead", f'<span id="lead">{plain(wait.lead)}</span>')
        parts = [f'{tag}<p class="serif lead">', lead, f"{dots}</p>"]
    if wait.bids:
        parts.append(_bids(wait.bids))
    if wait.next and state != "penalty":
        lines = "".join([f"<li>{line}</li>" for line in wait.next])
        parts.append(Region("next", f'<ul id="next" class="next small">{lines}</ul>'))
    if scene.playing and view.lots:
        parts.append(_orders(scene))
    return Region("act", *parts, "</div>")


DOTS = '<span class="dots" aria-hidden="true"><i></i><i></i><i></i></span>'


def _bids(bids: list[stage.Bid]) -> Region:
    spoken = language()
    return Region("bids", _bids_tag(spoken), *[_bidder(spoken, *bid) for bid in bids], "</ol>")


@lru_cache(maxsize=50)
def _bids_tag(language: str) -> str:
    label = _("Bids so far")
    return f'<ol id="bids" class="bids" aria-label="{label}">'


def _bidder(language: str, person: Person, you: bool, bid: int, kind: str, text: str) -> Region:
    return _bid(language, person.seat, person.name, you, bid, kind, text)


@lru_cache(maxsize=4000)
def _bid(language: str, seat: int, name: str, you: bool, bid: int, kind: str, text: str) -> Region:
    shown = _("You") if you else f"<bdi>{plain(name)}</bdi>"
    value = "–" if kind in ("passed", "banned") else bid or ""
    return Region(
        f"bid-{seat}",
        f'<li id="bid-{seat}" class="{kind}{" you" if you else ""}">'
        f'{avatar(name)}<span class="bidder">{shown}</span>'
        f'<span class="bid-state">{text}</span><span class="bid-value number">{value}</span></li>',
    )


def _orders(scene: Scene) -> Region:
    """The viewer's standing orders that still apply, and those that they may give."""
    view = scene.view
    lot = len(view.lots) - 1
    given = dict(scene.orders)
    limit = limit_for(lot, given.get(BID_UP_TO))
    may_bid = scene.me is not None and not view.out >> scene.me & 1 and view.question == BID
    inside = []
    if may_bid and limit is None:
        low, high = view.high + 1, view.setup.highest_bid
        inside.append(
            Region(
                "limit",
                f'<input id="limit" class="input number" type="number" name="value" inputmode="numeric"'
                f' min="{low}" max="{high}" value="{low}">',
            )
        )
    return frame(
        "orders",
        "orders.jinja",
        *inside,
        key=scene.key,
        lot=lot,
        limit=limit,
        gold=PASS_GOLD in given,
        may_bid=may_bid,
    )
