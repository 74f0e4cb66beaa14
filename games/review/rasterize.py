"""Turns an SVG from standard input into a PNG on standard output, with the fonts whose files are its arguments.

A program of its own: the library holds up all threads of its process for a tenth of a second.
"""

import sys

from resvg_py import svg_to_bytes

if __name__ == "__main__":
    drawn = svg_to_bytes(svg_string=sys.stdin.read(), skip_system_fonts=True, font_files=sys.argv[1:])
    sys.stdout.buffer.write(bytes(drawn))
