"""Draw the icons of the page again from `icon.svg`: PNG files for the manifest, and `favicon.ico`.

Run it with `python -m scripts.icons` after a change of `icon.svg`.
"""

import re
import struct
from pathlib import Path

from duelbook.board import png

PAGE = Path(__file__).parents[1] / "src/duelbook/web/page"
SIZES = {"icon-192.png": 192, "icon-512.png": 512}
FAVICON_SIZES = (16, 32, 48)
TOUCH_SIZE, MASKABLE_SIZE = 180, 512
SAFE_SHARE = 0.8  # of a maskable icon that no mask hides


def full_bleed(svg: str, share: float) -> str:
    """Return the icon with a ground that reaches to the edges, and the rest smaller."""
    [ground] = re.findall(r"<rect[^>]*/>", svg)
    margin = 32 * (1 - share) / 2
    smaller = f'<g transform="translate({margin:g} {margin:g}) scale({share:g})">'
    inside = svg.split(ground)[1].strip().removesuffix("</svg>")
    square = re.sub(' rx="[^"]*"', "", ground)
    return f"{svg.split(ground)[0]}{square}{smaller}{inside}</g></svg>"


def ico(pictures: dict[int, bytes]) -> bytes:
    """Return an ICO file of PNG pictures by their size."""
    offset, entries = 6 + 16 * len(pictures), b""
    for size, picture in pictures.items():
        entries += struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures.values())


def icons() -> dict[str, bytes]:
    """Return the content of each file."""
    svg = (PAGE / "icon.svg").read_text()
    files = {name: png(svg, size) for name, size in SIZES.items()}
    files["icon-maskable.png"] = png(full_bleed(svg, SAFE_SHARE), MASKABLE_SIZE)
    files["icon-touch.png"] = png(full_bleed(svg, 1.0), TOUCH_SIZE)  # iOS rounds the corners itself
    files["favicon.ico"] = ico({size: png(svg, size) for size in FAVICON_SIZES})
    return files


def main() -> None:
    """Write the files."""
    for name, content in icons().items():
        (PAGE / name).write_bytes(content)


if __name__ == "__main__":
    main()
