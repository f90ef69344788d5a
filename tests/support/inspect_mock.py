"""The Inspect task with Inspect's mock model, as a program: it prints the metrics and the samples as JSON.

    python -m tests.support.inspect_mock DATASET LOGS

The mock model plays the first legal move of the prompt, except in the first two positions: there it names no move, and
one that is not legal.
"""

import json
import re
import sys
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, ModelUsage, get_model

ODD = ("I would rather not say.", "MOVE: 99")


def main() -> None:
    dataset, logs = sys.argv[1:]
    asked: list[str] = []

    def answer(messages: list[ChatMessage], tools: Any, choice: Any, config: GenerateConfig) -> ModelOutput:
        question = messages[-1].text
        asked.append(question)
        found = re.search(r"^Legal moves: (.*)$", question, re.MULTILINE)
        assert found
        reply = [*ODD, f"MOVE: {found[1].split(', ')[0]}"][min(len(asked) - 1, 2)]
        output = ModelOutput.from_content("mockllm/model", reply)
        output.usage = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)  # or it is looked up online
        return output

    model = get_model("mockllm/model", custom_outputs=answer)
    [log] = evaluate(
        "duelbook/positions",  # by the name that the package declares
        task_args={"path": dataset},
        model=model,
        max_connections=1,
        log_dir=logs,
        display="none",
    )
    assert log.results, log.error
    metrics = {one.name: {name: found.value for name, found in one.metrics.items()} for one in log.results.scores}
    scored = [
        {"id": sample.id, "answer": one.answer, "value": one.value, "outcome": (one.metadata or {})["outcome"]}
        for sample in log.samples or []
        for one in (sample.scores or {}).values()
    ]
    print(json.dumps({"status": log.status, "metrics": metrics, "samples": scored, "asked": asked}))


if __name__ == "__main__":
    main()
