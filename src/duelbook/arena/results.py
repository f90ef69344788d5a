"""The results of matches, and the folder of a plan that holds them."""

from pathlib import Path

import msgspec
from msgspec import Struct

from duelbook.arena.judgement import JudgedDecisions
from duelbook.arena.manifest import load_manifest
from duelbook.arena.match import MatchForfeit
from duelbook.arena.plan import EvaluationPlan, MatchPlan, TournamentPlan
from duelbook.arena.results_log import ResultsLog, with_checksum
from duelbook.errors import RefusedError
from duelbook.game import Outcome, Reason, outcome_name
from duelbook.records.document import RecordDocument

OUTCOMES = {outcome_name(outcome): outcome for outcome in Outcome}


class MatchResult(Struct, forbid_unknown_fields=True):
    """The result of the match with this number."""

    number: int
    record: RecordDocument
    forfeit: MatchForfeit | None
    judged: tuple[JudgedDecisions, JudgedDecisions] | None  # by seat; None if the game cannot be solved
    first: tuple[float, ...]  # seconds of each move of the first player
    second: tuple[float, ...]

    @property
    def outcome(self) -> Outcome:
        return OUTCOMES[self.record.result]


def write_result(result: MatchResult) -> str:
    """Return the result as a line of the log."""
    return with_checksum(msgspec.json.encode(result))


def open_results(folder: Path) -> "ResultsFolder":
    """Return the results of a tournament or an evaluation, finished or not, to read them.

    Raise RefusedError if the folder holds neither, or if its rules are not those of this version of Duelbook.
    """
    for kind in (TournamentPlan, EvaluationPlan):
        if (folder / kind.manifest_name).is_file():
            plan: MatchPlan = load_manifest(folder / kind.manifest_name, kind, to_play=False)
            return ResultsFolder(folder, plan)
    raise RefusedError(f"'{folder}' holds neither a tournament nor an evaluation.")


class ResultsFolder(ResultsLog[MatchPlan, MatchResult]):
    """The results of matches in a folder."""

    result_type = MatchResult

    def fits(self, result: MatchResult) -> bool:
        if (result.forfeit is None) == (result.record.reason is Reason.FORFEIT):
            raise RefusedError("The forfeit does not follow from the record.")
        return result.record.seed == self.plan.seed_of(result.number)
