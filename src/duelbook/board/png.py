"""SVG as PNG, with fonts that are part of the package: no font of the machine is needed."""

from pathlib import Path

from duelbook.extras import require_extra

FONTS = Path(__file__).parent / "fonts"
RENDERER = "resvg_py"
DRAWN_RANGES = ((0x20, 0x7E), (0xA0, 0x24F), (0x370, 0x3FF), (0x400, 0x52F), (0x2010, 0x203A), (0x2190, 0x21FF))


def png(svg: str, width: int | None = None) -> bytes:
    """Return the SVG document as a PNG file, or raise MissingExtraError."""
    require_extra("web", RENDERER)
    import resvg_py

    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(file) for file in sorted(FONTS.glob("*.ttf"))],
        font_family="Inter",
        sans_serif_family="Inter",
        serif_family="Gelasio",
        monospace_family="DejaVu Sans Mono",
    )


def is_drawable(text: str) -> bool:
    """Return True if the fonts have every character of the text."""
    return all(any(low <= ord(character) <= high for low, high in DRAWN_RANGES) for character in text)
