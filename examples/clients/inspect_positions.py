"""Inspect AI: ask a model for the best move in a few positions of Crystal Capture. Here it is Inspect's mock model.

With a model of your own: `inspect eval duelbook/positions -T path=positions --model openai/gpt-4o-mini`.
"""

import re
import tempfile
from pathlib import Path
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, ModelUsage, get_model

from duelbook.positions import make_dataset


def first_legal_move(messages: list[ChatMessage], tools: Any, choice: Any, config: GenerateConfig) -> ModelOutput:
    """Answer with the first legal move that the prompt names."""
    found = re.search(r"^Legal moves: ([^,\n]*)", messages[-1].text, re.MULTILINE)
    output = ModelOutput.from_content("mockllm/model", f"MOVE: {found[1] if found else ''}")
    output.usage = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)  # or Inspect downloads a tokenizer
    return output


def main(per_cell: int = 2) -> None:
    with tempfile.TemporaryDirectory() as folder:
        positions = Path(folder, "positions")
        make_dataset(["crystal-capture"], positions, per_cell=per_cell, seed=1, parquet=False)
        model = get_model("mockllm/model", custom_outputs=first_legal_move)
        [log] = evaluate(
            "duelbook/positions",  # the name under which the package declares the task
            task_args={"path": str(positions)},
            model=model,
            log_dir=f"{folder}/logs",
            display="none",
        )
    assert log.results, log.error
    means = {score.name: score.metrics["mean"].value for score in log.results.scores}
    shown = ", ".join(f"{name} {mean:.2f}" for name, mean in means.items())
    print(f"Inspect: {log.results.total_samples} positions, status {log.status}; {shown}")


if __name__ == "__main__":
    main()
