"""The scores of an agent on positions as plain text."""

from typing import Any

from duelbook.arena.report.text import columns, replies_text, spent_text
from duelbook.positions.scores import LEGAL
from duelbook.text import plural

SCORE = "A score of 0 is what a player gets who picks any legal move, and 1 is perfect play. Intervals are 95%."
HEADINGS = ("answers", "accuracy", "chance", "score", "mean regret", "legal answers")
LABELS = {"distance": "plies to the end", "choices": "legal moves", "share": "share of good ones"}


def report_text(report: dict[str, Any]) -> str:
    """Return the report for people."""
    plan, overall = report["plan"], report["overall"]
    unfinished = "" if overall["answers"] == report["planned"] else f" of {report['planned']:,} planned"
    times = "once each" if plan["samples"] == 1 else f"{plan['samples']} times each"
    lines = [
        f"{plan['agent']}: {plural(overall['answers'], 'answer')}{unfinished}",
        f"{plural(plan['count'], 'position')}, asked {times}; seed {plan['seed']}",
    ]
    if model := plan["model"]:
        legal = "shown" if model["show_legal"] else "hidden"
        answers = plural(model["attempts"], "answer")
        lines.append(f"up to {answers} per question, legal moves {legal}, reading {model['reading']}")
    found = ["\n".join(lines)]
    if overall["answers"]:
        found += [
            _table(report),
            "\n".join([SCORE, _regret(overall), *_rules(overall), *_repetition(report["repetition"])]),
        ]
    replies = f"Replies: {replies_text(report['replies'])}" if report["replies"] else ""
    return (
        "\n\n".join([*found, *filter(None, ["\n".join(filter(None, [replies, spent_text(report["spent"])]))])]) + "\n"
    )


def _table(report: dict[str, Any]) -> str:
    """Return the scores by game, seat and stratum, and those of all answers."""
    rows: list[list[str]] = []
    for name, cells in {**report["parts"], "": [{"": "all", **report["overall"]}]}.items():
        rows += [
            [LABELS.get(name, name), *HEADINGS],
            *(_row(str(cell[name]), cell) for cell in cells),
            [""] * (len(HEADINGS) + 1),
        ]
    return "\n".join(line.rstrip() for line in columns(rows[:-1]))


def _row(name: str, cell: dict[str, Any]) -> list[str]:
    return [
        name,
        f"{cell['answers']:,}",
        _with_interval(cell["accuracy"], ".0%"),
        f"{cell['chance']['accuracy']:.0%}",
        _with_interval(cell["accuracy_score"]),
        f"{cell['regret']['rate']:.2f}",
        f"{cell['legal']['rate']:.0%}",
    ]


def _with_interval(found: dict[str, Any], how: str = "z.2f") -> str:
    interval = "" if found["low"] is None else f" ({found['low']:{how}} to {found['high']:{how}})"
    return f"{found['rate']:{how}}{interval}"


def _regret(overall: dict[str, Any]) -> str:
    regret, score = _with_interval(overall["regret"]), _with_interval(overall["regret_score"])
    return f"Mean regret: {regret}; by chance {overall['chance']['regret']:.2f}; score {score}."


def _rules(overall: dict[str, Any]) -> list[str]:
    """Return the line about answers without a legal move."""
    failed = {outcome: count for outcome, count in overall["outcomes"].items() if outcome != LEGAL}
    if not failed:
        return ["Every answer is a legal move."]
    kinds = ", ".join(f"{count} {outcome}" for outcome, count in failed.items())
    return [f"Answers without a legal move: {sum(failed.values())} ({kinds}). They count as losses."]


def _repetition(found: dict[str, Any] | None) -> list[str]:
    if found is None:
        return []
    shown = sorted({1, found["samples"]})
    passes = [
        f"pass@{k} {found['pass_at'][str(k)]['rate']:.0%} (chance {found['pass_at'][str(k)]['chance']:.0%})"
        for k in shown
    ]
    same = found["consistency"]
    consistency = f"Two answers to the same position agree in {same['rate']:.0%} (chance {same['chance']:.0%})."
    return [f"{', '.join(passes)}. {consistency}"]
