"""Stand-in until the board is drawn."""


def draw(scene):
    return {"ply": f'<div id="ply" data-ply="{scene.ply}"></div>'}


def update(before, now, says=""):
    return "".join(html for name, html in now.items() if before.get(name) != html)


def chat_update(lines):
    return ""


def table(scene):
    return {"regions": draw(scene)}
