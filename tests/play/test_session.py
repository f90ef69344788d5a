"""A match at one keyboard as a conversation: taking back, the clock, help, computers, and what comes after it.

Every front end shows this same session, so it is proved here, and each front end only that it shows and sends.
"""

from collections.abc import Callable
from typing import Any

import pytest

from duelbook.game import Outcome, Reason
from duelbook.history.store import History
from duelbook.play.arguments import PlayArguments
from duelbook.play.events import (
    Act,
    Asked,
    Decided,
    Do,
    Done,
    Hinted,
    InterruptedWorkError,
    Kind,
    Moved,
    TakenBack,
    Tick,
    Typed,
    Valued,
)
from duelbook.play.local_table import LocalTable
from duelbook.play.next_match import NextStep
from duelbook.play.series import Series
from duelbook.play.session import Session
from duelbook.play.setup import new_match
from tests.support.conversing import begun, texts, told


def sit(game: str = "charge", *, one: str = "human", two: str = "human", **arguments: Any) -> Session:
    """Return a match whose players are greeted and whose first question is asked."""
    session = seated(game, one=one, two=two, **arguments)
    begun(session)
    return session


def seated(game: str, *, one: str = "human", two: str = "human", **arguments: Any) -> Session:
    """Return a match that has not begun."""
    series = Series(PlayArguments(game, agents=(one, two), **{"seed": 1, "first": "1", **arguments}))
    new = new_match(series.current, once=False)
    match, _ = new.begin({})
    return Session(LocalTable(match, new.setup, series))


def asked(session: Session) -> Asked | None:
    """Return what is asked for."""
    return session.asked.kind if session.asked else None


# Taking back and giving up


def test_of_two_people_the_other_one_is_asked_before_a_move_is_taken_back() -> None:
    session = sit()
    told(session, "charge 3", Act("undo"))
    assert session.asked
    assert session.asked.text == "Player 2, may Player 1 take back 'charge 3'?"
    assert session.asked.kind is Asked.OFFER
    assert texts(told(session, "perhaps"), Kind.REFUSAL) == ["Answer y or n."]
    assert texts(told(session, "n")) == ["Player 2 declines: the move is not taken back."]
    assert len(session.match.moves) == 1
    shown = told(session, "undo", "y")
    assert any(isinstance(one, TakenBack) for one in shown)
    assert session.match.moves == []


def test_a_computer_is_not_asked_and_its_reply_is_taken_back_with_the_move() -> None:
    session = sit(two="random")
    assert texts(told(session, "undo"), Kind.REFUSAL) == ["You have no move to take back."]
    told(session, "charge 3")
    assert len(session.match.moves) == 2
    told(session, "undo")
    assert session.match.moves == []


def test_the_last_answer_is_taken_back_before_a_move() -> None:
    session = sit("word-clash")
    told(session, "e self 1", "", "t")
    assert session.questions
    assert len(session.questions.answers) == 1
    assert texts(told(session, Act("undo")), Kind.ECHO) == ["Taken back."]
    assert not session.questions.answers
    assert len(session.match.moves) == 1


def test_who_gives_up_is_asked_whether_they_mean_it() -> None:
    session = sit()
    told(session, "charge 3", "resign")
    assert session.asked
    assert session.asked.text == "Player 2, do you want to resign?"
    assert texts(told(session, "n")) == ["The game goes on."]
    told(session, "resign", "y")
    assert (session.match.outcome, session.match.reason) == (Outcome.FIRST_WINS, Reason.RESIGNATION)
    told(session, Act("undo"))
    assert session.match.over, "there is nothing to take back after the end"


def test_who_resigns_before_ending_the_turn_with_enter_resigns_for_themselves() -> None:
    session = sit("word-clash")
    told(session, "e self 3", "resign", "y")
    assert (session.match.outcome, session.match.reason) == (Outcome.SECOND_WINS, Reason.RESIGNATION)


# The clock


def test_no_time_passes_while_the_other_player_is_asked() -> None:
    """ALL-6."""
    session = sit(time_limit=60)
    told(session, "charge 1")
    session.match.start_turn(2.5)
    told(session, "undo")
    assert session.deadline() is None
    session.match.start_turn(100)
    told(session, Tick())
    assert not session.match.over
    told(session, "n")
    assert 2.5 <= session.match.turn_seconds() < 30, "what passed before the question, and little more"
    assert session.deadline() is not None


def test_no_time_passes_while_help_is_looked_for() -> None:
    """ALL-6."""
    for how in ({}, {"error": InterruptedWorkError()}):
        session = sit("crystal-capture", time_limit=60)
        session.match.start_turn(2.5)
        list(session.handle(Act("hint")))
        assert session.deadline() is None
        session.match.start_turn(100)
        assert asked(session) is Asked.MOVE, "a move can be made meanwhile"
        work = work_of(session)
        list(session.handle(Done(work, **how) if how else Done(work, work.run())))
        assert session.deadline() is not None
        assert 2.5 <= session.match.turn_seconds() < 30, "what passed before it, and little more"


def test_thinking_about_a_resignation_takes_time_and_a_late_move_does_not_count() -> None:
    session = sit(time_limit=60)
    told(session, "resign")
    session.match.start_turn(61)
    told(session, Tick())
    assert session.match.reason is Reason.TIME
    assert asked(session) is Asked.NEXT, "the question is gone"
    session = sit(time_limit=60)
    session.match.start_turn(61)
    told(session, "charge 1")
    assert (session.match.moves, session.match.reason) == ([], Reason.TIME)


# Help


def work_of(session: Session) -> Do:
    """Return what goes on now."""
    assert session.work
    return session.work


def test_hints_come_in_steps_and_begin_anew_in_another_position() -> None:
    session = sit("crystal-capture")
    steps = [one for _ in range(4) for one in told(session, "hint") if isinstance(one, Hinted)]
    assert "Type hint again for the move." in steps[0].note
    assert steps[1].text.startswith("Play ")
    assert steps[2] == steps[3], "the last one is repeated"
    told(session, "4")
    [first] = [one for one in told(session, "hint") if isinstance(one, Hinted)]
    assert "for the move" in first.note
    assert History().game(1).helped


def test_every_wish_for_a_hint_counts_also_while_one_is_looked_for() -> None:
    session = sit("crystal-capture")
    last = [one for _ in range(3) for one in told(session, "hint") if isinstance(one, Hinted)][-1]
    session = sit("crystal-capture")
    works = []
    for _ in range(3):
        list(session.handle(Act("hint")))
        works.append(work_of(session))
    *earlier, found = [Done(work, work.run()) for work in works]
    assert [one for done in earlier for one in session.handle(done)] == []
    assert last in list(session.handle(found))


def test_who_sees_the_values_is_helped() -> None:
    session = sit("crystal-capture")
    assert any(isinstance(one, Valued) for one in told(session, "values"))
    told(session, "4")
    assert History().game(1).helped


def test_help_that_was_stopped_or_comes_too_late_has_no_effect() -> None:
    session = sit("crystal-capture")
    list(session.handle(Act("hint")))
    late = work_of(session)
    list(session.handle(Typed("4")))
    assert list(session.handle(Done(late, late.run()))) == []
    assert not session.table.setup.keeper or not session.table.setup.keeper.helped
    list(session.handle(Act("hint")))
    stopped = list(session.handle(Done(work_of(session), error=InterruptedWorkError())))
    assert texts(stopped, Kind.WARNING) == ["Stopped. Type a move, or hint to look for one again."]
    assert asked(session) is Asked.MOVE


def test_the_values_of_every_turn_are_shown_on_demand_with_those_of_the_positions_before() -> None:
    session = seated("crystal-capture", show_values=True)
    [first] = [one.values for one in begun(session) if isinstance(one, Valued)]
    [second] = [one.values for one in told(session, "4") if isinstance(one, Valued)]
    assert (len(first.marks), len(second.marks)) == (9, 8)
    assert second.worths[:1] == first.worths


def test_a_person_can_play_on_without_the_solution(use_games: Callable[[str], None]) -> None:
    use_games("tests.support.games.slow_stones:SlowStones")
    session = seated("slow-stones", two="easy", time_limit=60, options={"pause": "20011"})
    [solving] = [one for one in session.start() if isinstance(one, Do)]
    assert solving.stopping == "to play on without the solution"
    assert session.deadline() is None
    session.match.start_turn(61)
    told_meanwhile = list(session.handle(Tick()))
    assert (told_meanwhile, session.match.over) == ([], False), "no clock runs (ALL-6)"
    shown = list(session.handle(Done(solving, error=InterruptedWorkError())))
    assert texts(shown)[0].startswith("Stopped. This game is not solved: levels play by search")
    assert asked(session) is Asked.MOVE
    assert session.match.turn_seconds() < 30


# Computers


def test_a_move_is_taken_back_while_the_computer_thinks() -> None:
    session = sit(two="random")
    list(session.handle(Typed("charge 3")))
    assert session.is_thinking
    thinking = work_of(session)
    list(session.handle(Act("undo")))
    assert session.match.moves == []
    assert asked(session) is Asked.MOVE
    assert list(session.handle(Done(thinking, thinking.run()))) == []
    assert session.match.moves == []


def test_a_computer_that_is_stopped_waits_for_what_the_person_wants() -> None:
    session = sit(two="random")
    list(session.handle(Typed("charge 3")))
    shown = list(session.handle(Done(work_of(session), error=InterruptedWorkError())))
    assert texts(shown, Kind.WARNING) == ["Stopped. It is the turn of Player 2."]
    assert asked(session) is Asked.HALTED
    assert texts(told(session, "hint"), Kind.REFUSAL) == ["It is the turn of Player 2."]
    assert asked(session) is Asked.HALTED
    told(session, "")
    assert len(session.match.moves) == 2


def test_a_person_can_resign_while_a_computer_is_stopped() -> None:
    session = sit(two="random")
    list(session.handle(Typed("charge 3")))
    list(session.handle(Done(work_of(session), error=InterruptedWorkError())))
    told(session, "resign", "y")
    assert (session.match.outcome, session.match.reason) == (Outcome.SECOND_WINS, Reason.RESIGNATION)


@pytest.mark.parametrize("target", ["odd_agents:Broken", "odd_agents:Illegal", "outside_agents:Leaving"])
def test_an_agent_from_outside_that_fails_loses(target: str, use_agents: Callable[[str], None]) -> None:
    use_agents(f"failing=tests.support.{target}")
    session = sit("flag-chase", two="failing", first="2")
    assert (session.match.outcome, session.match.reason) == (Outcome.SECOND_WINS, Reason.FORFEIT)


def test_an_agent_that_cannot_play_ends_the_conversation(use_games: Callable[[str], None]) -> None:
    use_games("tests.support.games.drop_four:DropFour")
    session = sit("drop-four", two="perfect")
    assert session.ended
    assert "too large" in str(session.ended.problem)


# After the end


def test_after_a_match_what_decided_it_is_told_and_the_next_one_is_offered() -> None:
    session = sit("flag-chase", two="easy", options={"cells": "3"})
    shown = told(session, "1")
    assert [one.own for one in shown if isinstance(one, Decided)] == ["You won. "]
    assert asked(session) is Asked.NEXT
    assert session.choices()[:4] == ["rematch", "swap seats", "stronger", "weaker"]
    assert texts(told(session, "nothing"), Kind.WARNING)[0].startswith("Type one of rematch, ")
    told(session, "stronger")
    assert session.ended
    assert session.ended.step is NextStep.STRONGER
    assert session.ended.following
    assert session.ended.following.current.agents == ("human", "medium")
    told_again = list(session.ask_again())
    assert told_again
    assert session.ended is None, "somebody who does not choose a word is asked again"


def test_a_series_goes_on_with_the_seats_swapped_and_tells_the_points() -> None:
    session = sit("flag-chase", matches=2)
    told(session, "resign", "y")
    assert session.asked
    assert session.asked.text == "Press Enter for match 2 of 2: "
    told(session, "")
    assert session.ended
    assert session.ended.following
    assert session.ended.following.current.first == "2"
    assert session.ended.following.points == [0.0, 1.0]


def test_what_is_next_can_be_answered_while_it_is_looked_for_what_decided_the_match() -> None:
    session = sit("flag-chase")
    told(session, "resign")
    list(session.handle(Typed("y")))
    deciding = work_of(session)
    assert asked(session) is Asked.NEXT
    list(session.handle(Typed("rematch")))
    assert session.ended
    assert list(session.handle(Done(deciding, "the first move"))) == []


def test_a_match_is_kept_after_every_move_and_forgotten_if_all_are_taken_back() -> None:
    session = sit(two="random")
    assert sum(isinstance(one, Moved) for one in told(session, "charge 3")) == 2
    assert len(History().record(1).moves) == 2
    told(session, "undo", "quit")
    assert History().count() == 0
