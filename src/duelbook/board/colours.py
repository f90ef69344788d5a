"""The colours of the pictures: those of the page's light scheme, from `tokens.css`."""

PAGE = "#f5f0e6"
PAPER = "#fffdf8"
INK = "#22302b"
QUIET = "#5b665f"
FELT = "#2b5f50"
FELT_DEEP = "#234f43"
FELT_LINE = "#437a69"
ON_FELT = "#f8f3e4"
ON_FELT_QUIET = "#cfe0d6"
TILE = "#fbf6e9"
TILE_EDGE = "#d8ccaf"
LOSS = "#a3241c"
SEATS = ("#f3b64c", "#8fd0ff")  # of the first and the second player
SEATS_DEEP = ("#7a4a00", "#0a4a78")
