"""The options that tests try: with golden files, for short matches, and so on (docs/write-a-game.md)."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"cells": "9"},
    {"cells": "11", "stride": "4"},
    {"cells": "99", "stride": "9"},
]
SHORT: list[dict[str, int | str]] = [{"cells": 9}, {"cells": 21, "stride": 3}]
LONG: dict[str, int | str] = {"cells": 21}  # at least eight moves, and quickly solved
SMALL: list[dict[str, int | str]] = [{}, {"cells": 21, "stride": 3}]
