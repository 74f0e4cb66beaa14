"""What axe finds on a page that shuts somebody out: those who see, hear or move otherwise."""

from axe_playwright_python.base import AXE_SCRIPT

from tests.e2e.conftest import LOOKS

RUN = """async ([within, options]) => (await axe.run(within ?? document, { ...options, resultTypes: ["violations"] }))
    .violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => [impact, `${id}: ${html.slice(0, 200)}`]))"""
COLOURS = {"runOnly": ["color-contrast"]}


def found(page, within=None, options=None):
    """How grave each fault is and what it is, on the page as it is shown, or in the parts that a selector names."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(RUN, [within, options or {}])


def violations(page, within=None):
    """All that is wrong with the page as it is shown."""
    return [what for _impact, what in found(page, within)]


def in_both_themes(page, within=None):
    """All that is wrong with the light page, and with the colours of the dark one, as `found` tells it."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    light = found(page, within)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return light + found(page, within, COLOURS)


def faults(page, within=None):
    """What is serious in either theme."""
    return [what for impact, what in in_both_themes(page, within) if impact in ("serious", "critical")]


def every_fault(page, within=None):
    """What is wrong in either theme, serious or not."""
    return [what for _impact, what in in_both_themes(page, within)]


def in_every_look(page, within=None):
    """What is wrong on a light desk and on a dark phone; a page that is too wide. Nothing, if all is well.

    The other two show nothing else: colours go by the theme, and what stands where by the width.
    """
    wrong = []
    for look in ("light", "dark phone"):
        page.set_viewport_size(LOOKS[look]["viewport"])
        page.emulate_media(color_scheme=LOOKS[look]["color_scheme"], reduced_motion="reduce")
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        wrong += [f"{look}: {what}" for what in violations(page, within) + ["the page is too wide"] * wide]
    return wrong
