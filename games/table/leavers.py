"""The banner that tells the players of a larger table at once that somebody has left it, and how they may end the game
(`#leavers`). A game of two is over then."""

from __future__ import annotations

from games.engine.core import View
from games.faces import events
from games.faces.language import _
from games.faces.paint import CSRF, bdi, icon
from games.matches.scene import Scene


def leavers_of(scene: Scene[View]) -> tuple[object, ...]:
    """What the banner says to a player: who has left and how, by seat; the names; who agrees to end the game; whether
    the player does; and how many others are still there. Empty for others."""
    left = tuple([(it.index, it.left) for it in scene.sitters if it.left])
    if not left or not scene.playing or scene.me is None:
        return ()
    agreed = tuple([it.person.name for it in scene.others if it.vote == "end"])
    names = scene.names
    return left, names, agreed, scene.sitters[scene.me].vote == "end", len(scene.others)


def draw_leavers(
    key: str,
    left: tuple[tuple[int, str], ...] = (),
    names: tuple[str, ...] = (),
    agreed: tuple[str, ...] = (),
    mine: bool = False,
    others: int = 0,
) -> str:
    if not left:
        return '<div id="leavers" hidden></div>'
    marked = [bdi(name) for name in names]
    says = [str(events.sentence(f"!{why}", seat, marked, None)) for seat, why in left]
    says.append(_("Bots play on for them.") if len(left) > 1 else _("A bot plays on for them."))
    if not others:
        says.append(_("You’re the last one here: you can end the game and win it."))
    elif agreed:
        words = {"names": ", ".join([bdi(name) for name in agreed])}
        says.append(_("For ending the game: %(names)s") % words)
    if mine:
        act, value = _("Take it back"), ""
        says.append(_("You’ve agreed to end the game. It ends when all who are still here do."))
    else:
        act, value = (_("Agree to end the game") if others else _("End the game now")), "end"
    close = _("Play on")
    return (
        f'<aside id="leavers" class="leavers leaf" role="status">{icon("flag")}<p>{" ".join(says)}</p>'
        f'<form method="post" action="/m/{key}/vote" hx-boost="true">{CSRF}'
        f'<button class="button small" name="vote" value="{value}">{act}</button></form>'
        f'<button class="button small primary scripted" type="button" data-close>{close}</button></aside>'
    )
