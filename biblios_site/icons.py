"""The icon of the site as PNG: for phones, for links in messengers, for the site as an app."""

from importlib.metadata import version
from pathlib import Path

from django.conf import settings

from biblios_site.made import Made


class Icons(Made):
    folder = "icons"
    names = ("180.png", "192.png", "512.png")
    """By their width in px."""

    def recipe(self) -> bytes:
        return self._drawing().encode() + version("resvg-py").encode()

    def write(self, name: str, to: Path) -> None:
        from resvg_py import svg_to_bytes

        size = int(name.removesuffix(".png"))
        to.write_bytes(bytes(svg_to_bytes(svg_string=self._drawing(), width=size, height=size)))

    def _drawing(self) -> str:
        return (settings.BASE_DIR / "static" / "img" / "initial.svg").read_text()
