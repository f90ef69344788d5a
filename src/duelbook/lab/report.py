"""The report of the lab as one HTML page: pictures, the front, and every variant with the command to play it."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from duelbook import __version__
from duelbook.arena.report.markup import NO_VALUE, figure, page, percent, table, tag, text
from duelbook.games import title
from duelbook.lab.front import front
from duelbook.lab.measure import HALF_BREVITY, HALF_DEPTH, LevelMatches, Variant
from duelbook.lab.plan import LabPlan
from duelbook.lab.plots import DEPTH_RANGE, scatter, small_plot
from duelbook.lab.table import command_of
from duelbook.options import OptionText
from duelbook.text import plural

ABOUT_SCORES = (
    "Fairness is 100 % if the first seat scores 50 % between equal levels, and 0 % if one seat wins everything. Depth "
    "is the number of rating points between the weakest level and perfect play: 400 points mean odds of ten to one. "
    f"Its score is 50 % at {HALF_DEPTH} points. The score of brevity is 50 % if a match has {HALF_BREVITY} moves of "
    "both players. A variant is on the front if no other one is at least as good in all three scores and better in one."
)
ABOUT_FIGURES = (
    "Best play is what happens if both players know everything: who wins, and after how many moves of both. A decision "
    "matters if some legal move would give value away. Below the first seat's score is its 95% interval."
)


class Measure(NamedTuple):
    """A figure that has a plot for each option."""

    read: Callable[[LevelMatches], float]
    shown: tuple[float, float]  # the range that is always on its axis, so that plots can be compared


MEASURES = {
    "Score of the first seat in %": Measure(lambda played: 100 * played.first_score, (0, 100)),
    "Depth in rating points": Measure(lambda played: played.depth, DEPTH_RANGE),
    "Moves in a match": Measure(lambda played: played.moves, (0, 10)),
}
COLUMNS = (
    *("Variant", "First seat", "Depth", "Moves", "Decisions that matter", "Drawn", "Stopped"),
    *("Best play", "Winning first moves", "States", "Fairness", "Depth score", "Brevity"),
)


def lab_page(plan: LabPlan, variants: Sequence[Variant]) -> str:
    """Return the page."""
    best, measured = front(variants), [one for one in variants if one.played]
    pictures = _pictures(plan, measured, best) if measured else []
    return page(
        f"Variants of {title(plan.game)}",
        *_summary(plan, variants, measured),
        *pictures,
        tag("h2", "The front"),
        tag("p", text(ABOUT_SCORES), class_="soft"),
        table(
            "Variants on the front", COLUMNS, (_row(plan, one) for one in variants if one.number in best), "variants"
        ),
        tag("h2", "All variants"),
        tag("p", text(ABOUT_FIGURES), class_="soft"),
        table("All variants", COLUMNS, (_row(plan, one) for one in measured), "variants"),
        *_too_large(variants),
    )


def _summary(plan: LabPlan, variants: Sequence[Variant], measured: Sequence[Variant]) -> list[str]:
    """Return what was measured and how."""
    sweeps = "; ".join(
        f"{option} = {', '.join(map(str, values))}" for option, values in swept_values(plan, variants).items()
    )
    shared = f" All have {', '.join(f'{name}={value}' for name, value in plan.options)}." if plan.options else ""
    refused = f" The rules do not allow {plural(plan.variants.refused, 'other combination')}."
    drawn = (
        f" The start is drawn: each was measured over up to {plan.starts} starts."
        if plan.variants.entries[0].drawn
        else ""
    )
    facts = (
        f"{plural(len(variants), 'variant')}: {sweeps}.{shared}{refused if plan.variants.refused else ''}{drawn} "
        f"Every level below {plan.levels[-1]} played itself, and every level played the next one, in "
        f"{plural(plan.pairs, 'pair')} of matches each: the same start, once from each seat. "
        f"Levels: {', '.join(plan.levels)}. Seed: {plan.seed}. Duelbook {__version__}."
    )
    left = len(variants) - len(measured)
    large = f"{plural(left, 'variant')} of {len(variants)} could not be solved within {plan.megabytes:,} MB of memory."
    return [tag("p", text(facts)), *([tag("p", text(large), class_="warn")] if left else [])]


def swept_values(plan: LabPlan, variants: Sequence[Variant]) -> dict[str, list[OptionText]]:
    """Return the values that each swept option has in some variant, in order: not all are allowed by the rules."""
    return {
        sweep.option: [value for value in sweep.values if any(one.options[sweep.option] == value for one in variants)]
        for sweep in plan.sweeps
    }


def _pictures(plan: LabPlan, measured: Sequence[Variant], best: Collection[int]) -> list[str]:
    small = [
        figure(f"{what} by {option}", small_plot(option, values, what, points, measure.shown))
        for option, values in swept_values(plan, measured).items()
        if len(values) > 1
        for what, measure in MEASURES.items()
        for points in [[(one.options[option], measure.read(one.played)) for one in measured if one.played]]
    ]
    return [
        figure(
            "Fairness against depth: each dot is a variant, or several; those on the front have numbers",
            scatter(measured, best),
        ),
        tag("h2", "By option"),
        tag(
            "p", "Each faint dot is a variant, each strong one the mean of all variants with that value.", class_="soft"
        ),
        tag("div", *small, class_="pictures small"),
    ]


def _row(plan: LabPlan, one: Variant) -> list[str]:
    exact, played, scores = one.exact, one.played, one.scores
    assert exact is not None
    assert played is not None
    assert scores is not None
    plies = "endless" if exact.plies is None else f"{exact.plies:.4g} move{'' if exact.plies == 1 else 's'}"
    winner = exact.winner if exact.winner in ("nobody", "mixed") else f"{exact.winner} wins"
    options = ", ".join(f"{sweep.option}={one.options[sweep.option]}" for sweep in plan.sweeps)
    command = command_of(plan.variants.entries[one.number])
    return [
        f"{text(f'{one.number}: {options}')} {tag('code', text(command), class_='under')}",
        f"{percent(played.first_score)} {tag('small', f'{100 * played.low:.0f} to {100 * played.high:.0f} %')}",
        f"{played.depth:.0f}",
        f"{played.moves:.1f}",
        percent(played.mattered),
        percent(played.drawn),
        percent(played.stopped),
        f"{text(winner)} {tag('small', plies)}",
        percent(exact.winning_first_moves),
        f"{exact.states:,}",
        *(percent(score) for score in (scores.fairness, scores.depth, scores.brevity)),
    ]


def _too_large(variants: Sequence[Variant]) -> list[str]:
    rows = [
        [text(one.label), tag("td", text(one.too_large or NO_VALUE), class_="long")]
        for one in variants
        if one.too_large
    ]
    return (
        [tag("h2", "Too large"), table("Variants that were not measured", ["Variant", "Why"], rows, "words")]
        if rows
        else []
    )
