"""The scores of an agent on positions as plain text."""

from collections.abc import Callable
from typing import Any

from duelbook.arena.report.text import asked_text, columns, replies_text, spent_text
from duelbook.positions.scores import LEGAL
from duelbook.text import hundredths, percentage, plural

SCORE = "A score of 0 is what a player gets who picks any legal move, and 1 is perfect play. Intervals are 95%."
HEADINGS = ("answers", "accuracy", "chance", "score", "mean regret", "legal answers")
LABELS = {"distance": "plies to the end", "choices": "legal moves", "share": "share of good ones"}


def report_text(report: dict[str, Any]) -> str:
    """Return the report for people."""
    found = ["\n".join(about_lines(report))]
    if report["overall"]["answers"]:
        found += [_table(report), "\n".join([SCORE, *result_lines(report)])]
    return "\n\n".join([*found, *filter(None, ["\n".join(spent_lines(report))])]) + "\n"


def about_lines(report: dict[str, Any]) -> list[str]:
    """Return what was asked: the agent and its answers, and then how it was asked."""
    plan, overall = report["plan"], report["overall"]
    unfinished = "" if overall["answers"] == report["planned"] else f" of {report['planned']:,} planned"
    times = "once each" if plan["samples"] == 1 else f"{plan['samples']} times each"
    lines = [
        f"{plan['agent']}: {plural(overall['answers'], 'answer')}{unfinished}",
        f"{plural(plan['count'], 'position')}, asked {times}; seed {plan['seed']}",
    ]
    return [*lines, *filter(None, [asked_text(plan["model"])])]


def result_lines(report: dict[str, Any]) -> list[str]:
    """Return what is to be said about all answers: regret, rules that were not followed, and repeated answers."""
    overall = report["overall"]
    return [_regret(overall), *_rules(overall), *_repetition(report["repetition"])]


def spent_lines(report: dict[str, Any]) -> list[str]:
    """Return how the replies of a language model were read, and what they cost."""
    replies = f"Replies: {replies_text(report['replies'])}" if report["replies"] else ""
    return [*filter(None, [replies, spent_text(report["spent"])])]


def _table(report: dict[str, Any]) -> str:
    """Return the scores by game, seat and stratum, and those of all answers."""
    rows: list[list[str]] = []
    for name, part in {**report["parts"], "": [{"": "all", **report["overall"]}]}.items():
        rows += [
            [LABELS.get(name, name), *HEADINGS],
            *(cells(str(row[name]), row) for row in part),
            [""] * (len(HEADINGS) + 1),
        ]
    return "\n".join(line.rstrip() for line in columns(rows[:-1]))


def cells(name: str, cell: dict[str, Any]) -> list[str]:
    """Return the name of a part of the answers, and its HEADINGS."""
    return [
        name,
        f"{cell['answers']:,}",
        with_interval(cell["accuracy"], percentage),
        f"{cell['chance']['accuracy']:.0%}",
        with_interval(cell["accuracy_score"]),
        hundredths(cell["regret"]["rate"]),
        percentage(cell["legal"]["rate"]),
    ]


def with_interval(found: dict[str, Any], shown: Callable[[float], str] = "{:z.2f}".format) -> str:
    """Return a number with its interval, if it has one."""
    interval = "" if found["low"] is None else f" ({shown(found['low'])} to {shown(found['high'])})"
    return f"{shown(found['rate'])}{interval}"


def _regret(overall: dict[str, Any]) -> str:
    regret, score = with_interval(overall["regret"], hundredths), with_interval(overall["regret_score"])
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
        f"pass@{k} {percentage(found['pass_at'][str(k)]['rate'])} (chance {found['pass_at'][str(k)]['chance']:.0%})"
        for k in shown
    ]
    same = found["consistency"]
    consistency = f"Two answers to the same position agree in {percentage(same['rate'])} (chance {same['chance']:.0%})."
    return [f"{', '.join(passes)}. {consistency}"]
