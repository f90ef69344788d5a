"""The tokens of an exchange, from the usage fields of several providers. They are estimated where there are none."""

from collections.abc import Sequence
from typing import Any

from duelbook.agents.llm.log import ChatMessage, Tokens

MAX_TOKENS = 100_000_000  # of one exchange; a larger count is ignored
CHARACTERS_PER_TOKEN = 4  # an estimate, used if the endpoint does not report tokens

# Fields as providers name them: a dot leads into an object. Of several names in a row, the first that is there counts.
READ = ("prompt_tokens", "input_tokens", "promptTokenCount", "inputTokens", "prompt_eval_count")
WRITTEN = ("completion_tokens", "output_tokens", "candidatesTokenCount", "outputTokens", "eval_count")
TOTAL = ("total_tokens", "totalTokenCount", "totalTokens")
REASONING = (
    "completion_tokens_details.reasoning_tokens",
    "output_tokens_details.reasoning_tokens",
    "output_tokens_details.thinking_tokens",
    "thoughtsTokenCount",
    "reasoning_tokens",
)
CACHED = (  # part of the tokens read
    "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens",
    "prompt_cache_hit_tokens",
    "cachedContentTokenCount",
)
CACHED_BESIDES = (
    "cache_read_input_tokens",
    "cacheReadInputTokens",
)  # not part of them, unless there are OpenAI's names
STORED_BESIDES = ("cache_creation_input_tokens", "cacheWriteInputTokens")


def read_usage(usage: Any, prompt: Sequence[ChatMessage], written: str) -> Tokens:
    """Return the tokens that the endpoint reports, or an estimate from the length of the texts."""
    known = usage if isinstance(usage, dict) else {}
    read, replied = _first(known, READ), _first(known, WRITTEN)
    total, reasoning = _first(known, TOTAL), _first(known, REASONING) or 0
    if replied is None and read is not None and total is not None and total >= read:
        replied = total - read  # Gemini leaves the field out if there are only thoughts
    if read is None or replied is None:
        return Tokens(sum(estimate_tokens(message.content) for message in prompt), estimate_tokens(written), True)
    cached, besides = _first(known, CACHED), 0
    if "prompt_tokens" not in known:
        besides = (_first(known, CACHED_BESIDES) or 0) + (_first(known, STORED_BESIDES) or 0)
    if cached is None:
        cached = _first(known, CACHED_BESIDES) or 0
    read += besides
    if total is not None and (hidden := total - read - replied) > 0:  # some count the reasoning only in the total
        reasoning, replied = max(reasoning, hidden), replied + hidden
    elif total is None and "thoughtsTokenCount" in known:
        replied += reasoning
    return Tokens(read, replied, False, min(reasoning, replied), min(cached, read))


def _first(usage: dict[str, Any], names: Sequence[str]) -> int | None:
    """Return the first of these fields that holds a count."""
    for name in names:
        found: Any = usage
        for part in name.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        if type(found) is int and 0 <= found <= MAX_TOKENS:
            return found
    return None


def estimate_tokens(text: str) -> int:
    """Return about how many tokens the text has."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)
