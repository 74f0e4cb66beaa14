"""What a link to a match says of it in messengers: a title, a sentence, and the picture of the result.

Whoever fetches it is nobody: a match that is not open to all, or not over, tells nothing of itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from accounts.web import links
from games.faces.language import _
from games.faces.registry import face_of
from games.matches.scene import Scene


class Preview(NamedTuple):
    """The values of the tags in templates/table/preview.html; addresses are whole."""

    title: str
    text: str
    address: str
    picture: str = ""


def preview(scene: Scene[Any]) -> Preview:
    """The preview of a match. `scene`: a watcher's."""
    face, address = face_of(scene.game), links.full(f"/m/{scene.key}")
    if scene.status == "finished" and scene.shared:
        title, text = face.summary(scene)
        return Preview(title, text, address, links.full(f"/m/{scene.key}/result.png"))
    return Preview(_("A game of %(game)s") % {"game": face.name}, str(face.motto), address)
