"""The options of Flag Chase that tests try."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"cells": "9"},
    {"cells": "11", "stride": "4"},
    {"cells": "99", "stride": "9"},
]
