"""Puzzles: which one, attempts and help, what is counted, and which one comes next."""

from collections.abc import Callable
from datetime import date

import pytest

from duelbook.errors import RefusedError
from duelbook.game import parse_move
from duelbook.games import GAMES, name_of
from duelbook.play.events import Act, Asked, Done, Hinted, InterruptedWorkError, Kind, Moved, Page
from duelbook.play.progress import PuzzleProgress, load_puzzles
from duelbook.play.puzzle import PuzzleSession, shown_reply
from duelbook.play.puzzle_request import TODAY, PuzzleRequest, read_request
from duelbook.study.puzzle_bank import listed_places
from duelbook.study.puzzle_kinds import Puzzle, PuzzleKind
from tests.support.conversing import begun, texts, told
from tests.support.games.pits import Pits

DAY = PuzzleRequest(day=date(2026, 11, 1))  # charge, level 5, an only move: steal


def posed(request: PuzzleRequest) -> PuzzleSession:
    """Return a conversation with the puzzle that is asked for."""
    session = PuzzleSession(request)
    begun(session)
    return session


def right(session: PuzzleSession) -> str:
    """Return the answer to the puzzle."""
    assert session.puzzle
    return session.puzzle.game.move_name(session.puzzle.state, session.puzzle.answer)


def question(session: PuzzleSession) -> str:
    """Return what the person is asked."""
    assert session.asked
    return session.asked.text


class TestRequest:
    def test_a_puzzle_is_found_by_its_seed_its_number_its_level_and_its_kind(self) -> None:
        for request in (
            PuzzleRequest("crystal-capture", 1, 2),
            PuzzleRequest("charge", 1, 2, PuzzleKind.TRAP),
            PuzzleRequest("alpha-chase", level=3, listed=("alpha-chase", 2)),
            PuzzleRequest(seed=3),
            DAY,
        ):
            puzzle = request.find()
            one, two = posed(request), posed(request)
            assert one.puzzle == two.puzzle == puzzle
            assert request.level in (None, puzzle.level)
            assert request.day or request.kind is puzzle.kind

    def test_the_command_that_is_shown_finds_the_same_puzzle(self) -> None:
        for request, command in (
            (PuzzleRequest("charge", 7, 2, PuzzleKind.TRAP), "charge --level 2 --kind trap --seed 7"),
            (PuzzleRequest("alpha-chase", level=3, listed=("alpha-chase", 2)), "alpha-chase --level 3 --number 2"),
            (PuzzleRequest(seed=3), "word-clash --seed 3"),
            (DAY, "--day 2026-11-01"),
        ):
            shown = begun(PuzzleSession(request))
            assert f"(To see it again: duelbook puzzle {command})" in texts(shown, Kind.NOTE)

    def test_a_level_that_only_another_kind_has_asks_for_that_kind(self) -> None:
        assert read_request("word-clash", 1, 2, None, None).kind is PuzzleKind.TRAP
        assert read_request("word-clash", 1, 1, None, None).kind is PuzzleKind.WIN
        assert read_request(None, None, None, None, TODAY).day

    @pytest.mark.parametrize("day", ["2999-01-01", "yesterday", "2026-02-30", "2025-12-31"])
    def test_a_day_without_a_puzzle_is_refused(self, day: str) -> None:
        with pytest.raises(RefusedError):
            read_request(None, None, None, None, day)

    def test_what_does_not_go_together_is_refused(self) -> None:
        for arguments in (("charge", None, None, None, TODAY), (None, None, None, "fork", None)):
            with pytest.raises(RefusedError):
                read_request(*arguments)
        with pytest.raises(RefusedError):
            read_request(None, None, None, None, None, 9)

    def test_a_puzzle_that_does_not_exist_ends_it_with_the_reason(self) -> None:
        session = posed(PuzzleRequest("flag-chase", 1, level=5))
        assert session.ended
        assert "level" in str(session.ended.problem)


class TestAttempt:
    @pytest.mark.parametrize("name", [*GAMES, "last-stone"])
    def test_a_puzzle_of_any_game_is_solved(self, name: str, use_games: Callable[[str], None]) -> None:
        use_games("tests.support.games.last_stone:LastStone")
        session = posed(PuzzleRequest(name, 1))
        assert session.exercise
        assert session.puzzle
        assert (session.exercise.state, session.exercise.moves) == (session.puzzle.state, session.puzzle.moves)
        assert session.asked
        assert session.asked.seat == session.exercise.mover
        shown = told(session, right(session))
        (moved,) = [one for one in shown if isinstance(one, Moved)]
        assert moved.turn.before == session.puzzle.state
        assert session.attempt
        assert moved.turn.after == session.attempt.state
        assert texts(shown, Kind.RESULT)[0].startswith(f"Right: {right(session)} wins in ")
        assert texts(shown, Kind.NOTE) == ["Solved at the first try: 1 of 1."]
        assert session.is_done

    def test_a_wrong_move_is_refuted_and_another_can_be_tried(self) -> None:
        session = posed(PuzzleRequest("crystal-capture", 1, 2))
        shown = told(session, "1")
        moved = [one.turn for one in shown if isinstance(one, Moved)]
        assert [session.narration.game.move_name(turn.before, turn.move) for turn in moved] == ["1", "5"]
        assert texts(shown, Kind.WARNING) == ["1 does not win: your opponent plays 5 and wins at once. Try again."]
        assert texts(shown, Kind.BOARD) == [session.narration.board(session.state)]
        assert "You have captured" in session.narration.announce(moved[0])
        assert "Player 1 has captured" in session.narration.announce(moved[1])
        assert not session.is_done
        told(session, "5")
        assert session.is_done
        assert load_puzzles() == PuzzleProgress(solved=0, tried=1)

    def test_a_move_that_loses_at_once_has_no_reply(self) -> None:
        session = posed(PuzzleRequest("word-clash", 1))
        assert len([one for one in told(session, "F self 5") if isinstance(one, Moved)]) == 1

    def test_no_reply_is_shown_while_the_person_has_another_turn(self) -> None:
        game = Pits()  # a pit whose stones are a multiple of three earns another turn
        puzzle = Puzzle(game, (), game.initial(), answer=6, plies=1, level=1, right=(6,))
        again, other = parse_move(game, game.initial(), "pit 3"), parse_move(game, game.initial(), "pit 1")
        assert shown_reply(puzzle, again) == []
        assert len(shown_reply(puzzle, other)) == 1

    def test_help_comes_in_steps_and_a_nudge_leaves_the_first_try(self) -> None:
        session = posed(PuzzleRequest("flag-chase", 1))
        steps = [
            Hinted("You can win at once.", "(Type hint again for the move.)"),
            Hinted("Play 2.", "(Type hint again for the reason.)"),
            Hinted("2: reaches the flag and wins at once; every other move loses.", ""),
        ]
        for step in (*steps, steps[-1]):
            assert step in told(session, "hint")
        told(session, "2")
        assert load_puzzles() == PuzzleProgress(solved=0, tried=1)
        told(session, "next", "hint")
        told(session, right(session))
        assert load_puzzles() == PuzzleProgress(solved=1, tried=2)

    def test_who_wants_to_give_up_by_another_word_is_told_how(self) -> None:
        session = posed(DAY)
        for word in ("resign", "Give up"):
            assert texts(told(session, word)) == ["To give up and see the answer, type answer."]

    def test_the_answer_is_shown_to_somebody_who_gives_up(self) -> None:
        session = posed(PuzzleRequest("flag-chase", 1))
        list(session.handle(Act("answer")))
        assert session.work
        list(session.handle(Done(session.work, error=InterruptedWorkError())))
        assert not session.is_done
        shown = told(session, "answer")
        assert [one for one in shown if isinstance(one, Moved)]
        assert texts(shown, Kind.RESULT) == ["The answer: 2 wins in 1 move. It reaches the flag."]
        assert load_puzzles() == PuzzleProgress(solved=0, tried=1)
        told(session, "")
        told(session, right(session))
        assert load_puzzles() == PuzzleProgress(solved=1, tried=2)

    def test_what_is_typed_wrong_changes_nothing(self) -> None:
        session = posed(PuzzleRequest("crystal-capture", 1, 2))
        for text in ("99", "", "harder", "trap", "save", "rules full please"):
            assert len(texts(told(session, text), Kind.REFUSAL)) == 1
        assert Page("board") in told(session, "board")
        told(session, "5")
        assert load_puzzles().solved == 1


class TestDay:
    def test_the_puzzle_of_a_day_counts_once_and_gives_a_text_to_share(self) -> None:
        session = posed(DAY)
        told(session, *["hint"] * 6)
        marks = "\U0001f7e8" * 4 + "\U0001f7e9"
        share = f"Duelbook puzzle of Sun 1 Nov: Charge, level 5 of 5\n{marks}\nduelbook puzzle --day 2026-11-01"
        assert share in texts(told(session, "steal"))
        assert load_puzzles().days == {"2026-11-01": "hhhho"}
        again = PuzzleSession(DAY)
        assert f"You have done this puzzle before: {marks} It does not count again." in texts(begun(again))
        assert share in texts(told(again, "answer"))
        assert load_puzzles().tried == 1

    def test_another_of_its_game_follows(self) -> None:
        session = posed(DAY)
        told(session, "steal")
        assert question(session) == "What now (Enter for the next puzzle, easier, quit)? "
        told(session, "easier")
        assert session.puzzle
        assert (name_of(session.puzzle.game), session.puzzle.level) == ("charge", 4)


class TestNext:
    def test_a_harder_and_an_easier_one_follow_where_there_is_one(self) -> None:
        session = posed(PuzzleRequest("crystal-capture", 1, 2))
        told(session, "5")
        assert question(session) == "What now (Enter for the next puzzle, harder, easier, quit)? "
        assert [*session.words()][:3] == ["next", "harder", "easier"]
        assert texts(told(session, "what"), Kind.REFUSAL) == [
            "Type one of these: Enter for the next puzzle, harder, easier, quit."
        ]
        told(session, "harder", "answer")
        assert session.puzzle
        assert session.puzzle.level == 3
        for event in ("harder", Act("harder")):
            assert texts(told(session, event), Kind.REFUSAL) == ["There is no harder level."]
        told(session, Act("easier"))
        assert session.puzzle.level == 2
        assert not session.is_done

    def test_no_puzzle_comes_twice_and_then_other_levels_and_kinds_are_offered(self) -> None:
        listed = len(listed_places("crystal-capture", 2, PuzzleKind.WIN))
        session, seen = posed(PuzzleRequest("crystal-capture", 1, 2)), set()
        while not session.is_done:
            assert session.exercise
            assert session.exercise.state not in seen
            seen.add(session.exercise.state)
            shown = told(session, "next")
        assert len(seen) >= listed
        assert session.request.listed, "the last ones come from the list"
        assert texts(shown, Kind.NOTE) == [
            "You have seen every puzzle of level 2 of Crystal Capture. Try another level, kind or game."
        ]
        offered = "harder, easier, only-move, trap, quit"
        assert question(session) == f"What now ({offered})? "
        for text in ("", "next"):
            assert texts(told(session, text), Kind.REFUSAL) == [f"Type one of these: {offered}."]
        told(session, "trap")
        assert session.puzzle
        assert session.puzzle.kind is PuzzleKind.TRAP
        assert load_puzzles().tried == 0, "what was skipped is not counted"

    def test_a_puzzle_of_any_game_is_followed_by_one_of_any_game(self) -> None:
        session = posed(PuzzleRequest(seed=3))
        games = set()
        for _ in range(8):
            assert session.puzzle
            games.add(name_of(session.puzzle.game))
            told(session, "next")
        assert len(games) > 1
        told(session, "q")
        assert session.ended

    def test_nothing_can_be_typed_while_a_puzzle_is_looked_for(self) -> None:
        session = PuzzleSession(PuzzleRequest("flag-chase", 1))
        list(session.start())
        assert session.work
        assert session.words() == {"quit": "leave"}
        assert texts(list(session.handle(Act("hint"))), Kind.REFUSAL)
        list(session.handle(Done(session.work, error=InterruptedWorkError())))
        assert session.ended
        assert session.ended.is_interrupted

    def test_it_rests_once_a_puzzle_is_done(self) -> None:
        session = posed(PuzzleRequest("flag-chase", 1))
        told(session, "2")
        assert session.asked
        assert session.asked.kind is Asked.NEXT
        assert texts(told(session, Act("hint")), Kind.REFUSAL)
        assert load_puzzles().tried == 1
