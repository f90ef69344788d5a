"""The replies of a run added up: what each rule of reading accepts of them, and what is wrong with the others."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from duelbook.agents.agent import ForfeitKind
from duelbook.agents.llm.log import Exchange
from duelbook.agents.llm.reading import ACCEPTED
from duelbook.agents.llm.settings import Reading

FAULTS = (ForfeitKind.ILLEGAL, ForfeitKind.FORMAT, ForfeitKind.REFUSAL, ForfeitKind.TRUNCATED)  # of a reply that came


def count_replies(exchanges: Iterable[Exchange]) -> dict[str, Any] | None:
    """Return how many replies came, and what each rule makes of them, as a JSON document; None if none came."""
    return count_readings(exchange.readings for exchange in exchanges)


def count_readings(readings: Iterable[Mapping[str, str]]) -> dict[str, Any] | None:
    """Return the same, from what the rules make of each reply."""
    read = [*filter(None, readings)]
    if not read:
        return None
    return {"count": len(read)} | {str(rule): _counts([one[rule] for one in read]) for rule in Reading}


def _counts(results: list[str]) -> dict[str, Any]:
    found = Counter(results)
    rate = round(found[ACCEPTED] / len(results), 6)
    return {ACCEPTED: found[ACCEPTED], "rate": rate} | {str(kind): found[kind] for kind in FAULTS}
