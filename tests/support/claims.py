"""Whether what hints, reviews and puzzles say is true: every claim is played out by the rules.

What is said "at once" needs the rules only. Who wins later is asked of `value`, which may be the naive method.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from duelbook.game import SEAT_NAMES, AnyGame, Move, Outcome, Player, move_names, won_by
from duelbook.narration import Voice
from duelbook.solve import solved
from duelbook.study.facts import (
    AnyFact,
    AnyReply,
    BestLine,
    EachReply,
    Effect,
    Estimate,
    Forcing,
    Mistake,
    OnlyMove,
    Result,
    Threat,
    Trap,
)

TOLD = re.compile(r"([A-Z]) in position (\d) on (their own|(?:your|[\w ]+?'s)) board")  # a move of Word Clash
MAX_FORCED_MOVES = 3  # wins in more moves are not searched
MAX_BRANCHES = 20  # legal moves in games in which they are
VALUES = {"win": 1, "draw": 0, "loss": -1}


class Claims:
    """The claims about one game; a false one raises AssertionError."""

    def __init__(self, game: AnyGame, value: Callable[[Any], int]) -> None:
        self._game = game
        self._value = value  # of a state, for the player to move
        self._strict = not solved(game).extra_turns and game.num_moves < MAX_BRANCHES
        self._forced: dict[Any, bool] = {}
        self._legal: dict[Any, dict[str, Move]] = {}

    # Facts

    def check(self, state: Any, fact: AnyFact) -> None:  # noqa: C901 - one case for each kind
        for name in fact.after:
            state = self._play(state, name)
        assert fact.player == SEAT_NAMES[self._game.mover(state)], "it is the other player's turn"
        match fact:
            case Result() | OnlyMove():
                self._check_values(state, fact)
            case Threat():
                self._threat(state, fact.move, fact.winning, fact.losing, stopped=fact.stopped)
                assert fact.others == len(self._others(state, fact.move)) < 2 * fact.losing, "most is more than half"
            case Mistake():
                self._mistake(state, fact.other, fact.reply, fact.reply_moves)
            case Forcing():
                self._forcing(state, fact.move, fact.winning, fact.replies, fact.then)
            case AnyReply():
                self._any_reply(state, fact.move, fact.winning, at_once=fact.at_once)
            case EachReply():
                self._each_reply(state, fact.move, fact.answers, at_once=fact.at_once)
            case BestLine():
                assert fact.moves[0] == fact.move
                self._line(state, fact.moves, [SEAT_NAMES.index(player) for player in fact.players], fact.winner)
            case Trap():
                self._trap(state, fact.move, fact.winning, fact.count, fact.replies)
            case Estimate():
                won = self._ends(self._play(state, fact.move), self._game.mover(state))
                assert won == (fact.at_once and fact.proven == "win")
            case Effect():
                self._play(state, fact.move)

    def _check_values(self, state: Any, fact: Result | OnlyMove) -> None:
        values = {name: self._after(state, name) for name in self._names(state)}
        others = [value for name, value in values.items() if name != fact.move]
        if isinstance(fact, OnlyMove):
            assert max(others) == VALUES[fact.others] != values[fact.move]
            assert values[fact.move] not in others
            return
        following = self._play(state, fact.move)
        assert values[fact.move] == VALUES[fact.value]
        assert (fact.keeping, fact.legal) == ([*values.values()].count(VALUES[fact.value]), len(values))
        scored = {self._game.move_name(state, one.move): one for one in solved(self._game).moves(state)}
        made = scored[fact.move]
        alike = [one for one in scored.values() if (one.value, one.remoteness) == (made.value, made.remoteness)]
        assert fact.lasting == len(alike)
        over = self._game.outcome(following) != Outcome.UNDECIDED
        assert fact.at_once == over
        assert fact.again == (not over and self._game.mover(following) == self._game.mover(state))

    # Claims

    def _threat(self, state: Any, move: str, winning: Sequence[str], losing: int, *, stopped: bool) -> None:
        """After so many other moves the opponent wins at once with one of the named moves, or with any."""
        opponent = 1 - self._game.mover(state)
        found = [self._play(state, name) for name in self._others(state, move)]
        lost = [following for following in found if self._wins(following, opponent)]
        assert len(lost) == losing
        assert all(self._wins(following, opponent, winning) for following in lost)
        assert bool(self._wins(self._play(state, move), opponent, winning)) != stopped
        assert stopped or losing == len(found)

    def _mistake(self, state: Any, other: str, reply: str, moves: int) -> None:
        """After the other move the opponent wins with the reply, in so many of their moves."""
        following = self._play(state, other)
        me = self._game.mover(following)
        assert me != self._game.mover(state)
        assert self._after(following, reply) == 1
        assert self._ends(self._play(following, reply), me) == (moves == 1)
        if self._strict and moves <= MAX_FORCED_MOVES:
            assert self._forces(following, me, moves, reply)
            assert not self._forces(following, me, moves - 1, reply)

    def _forcing(self, state: Any, move: str, winning: Sequence[str], replies: Sequence[str], then: str | None) -> None:
        """After every reply but the named ones the player wins at once with one of the named moves."""
        me, following = self._game.mover(state), self._play(state, move)
        assert self._game.mover(following) != me
        assert set(replies) < set(self._names(following))
        for reply in self._names(following):
            wins = self._wins(self._play(following, reply), me, winning if reply not in replies else ())
            assert wins == (reply not in replies)
        if then is not None:
            assert self._after(self._play(following, replies[0]), then) == self._value(state)

    def _any_reply(self, state: Any, move: str, winning: Sequence[str], *, at_once: bool) -> None:
        me, following = self._game.mover(state), self._play(state, move)
        assert self._game.mover(following) != me
        for reply in self._names(following):
            after = self._play(following, reply)
            assert self._game.mover(after) == me
            legal = [name for name in winning if name in self._names(after)]
            assert self._wins(after, me, winning) if at_once else any(self._after(after, name) == 1 for name in legal)

    def _each_reply(self, state: Any, move: str, answers: dict[str, str], *, at_once: bool) -> None:
        me, following = self._game.mover(state), self._play(state, move)
        assert self._game.mover(following) != me
        assert set(answers) == set(self._names(following)), "a reply is left out"
        for reply, answer in answers.items():
            after = self._play(following, reply)
            assert self._game.mover(after) == me
            assert self._after(after, answer) == self._value(state)
            assert not at_once or self._wins(after, me, [answer])

    def _line(self, state: Any, moves: Sequence[str], players: Sequence[Player], winner: str | None) -> None:
        """Both play these moves, and each of them keeps the value."""
        for name, player in zip(moves, players, strict=True):
            assert self._game.mover(state) == player
            assert self._after(state, name) == self._value(state), f"{name} gives something away"
            state = self._play(state, name)
        won = [seat for seat in (0, 1) if self._ends(state, seat)]
        assert [SEAT_NAMES[seat] for seat in won] == ([winner] if winner else [])

    def _trap(self, state: Any, move: str, winning: Sequence[str], count: int, replies: int) -> None:
        following = self._play(state, move)
        assert self._game.mover(following) != self._game.mover(state)
        values = {name: self._after(following, name) for name in self._names(following)}
        found = {name for name, value in values.items() if value == 1}
        assert (len(found), len(values)) == (count, replies)
        assert count < replies
        assert set(winning) in (found, set())

    # Texts

    def check_hint(self, state: Any, text: str) -> None:
        """Check the text of a hint, `move: why`, against the rules. A sentence that is not understood is an error."""
        move = max((name for name in self._names(state) if text.startswith(f"{name}: ")), key=len)
        result, *reasons = re.split(r"(?<=\.) ", text.removeprefix(f"{move}: "))
        if "estimate" in text:
            *reasons, result = result, *reasons
        self._check_result(state, move, result)
        for reason in reasons:
            self.check_reason(state, move, reason[0].upper() + reason[1:], Voice())

    def _check_result(self, state: Any, move: str, text: str) -> None:
        if "estimate" in text or "as a search to the end shows" in text:
            return
        value = self._after(state, move)
        others = [self._after(state, name) for name in self._others(state, move)]
        said = [words for words, means in RESULTS.items() if re.search(words, text) and means == value]
        assert said, f"not true, or not understood: {text}"
        count = re.search(r"wins in (\d+) ", text)
        if count and int(count[1]) <= MAX_FORCED_MOVES and self._strict:
            assert self._forces(state, self._game.mover(state), int(count[1]), move)
            assert not self._forces(state, self._game.mover(state), int(count[1]) - 1, move)
        over = self._game.outcome(self._play(state, move)) != Outcome.UNDECIDED
        assert ("at once" in text or "ends the game" in text) == over or value == -1
        if "every other move loses" in text:
            assert set(others) == {-1} != {value}
        if "every other move only draws" in text:
            assert max(others) == 0 < value
        if "every move loses" in text:
            assert {value, *others} == {-1}
        if "no other move" in text or "the only move" in text:
            assert not others

    def check_mistake(self, state: Any, text: str, voice: Voice) -> None:
        """Check a comment on a mistake, or on a trap that worked, in the position before the move."""
        sentences = re.split(r"(?<=\.) ", with_names(text, voice))
        first = sentences.pop(0)
        passes = Voice.does(voice.opponent, "pass")
        first = first.replace(f", {passes} and", f", {Voice.does(voice.opponent, 'play')} pass and")
        them = Voice.does(voice.opponent, "play")
        reply = re.fullmatch(rf"After (.+), {them} (.+) and wins? (at once|in (\d+) moves|whatever .+ repl.+)\.", first)
        draws = re.fullmatch(rf"After (.+), {them} (.+) and holds? the draw\.", first)
        again = re.fullmatch(
            rf"After (.+), {Voice.does(voice.mover, 'move')} again, but (every move loses|no move wins)\.", first
        )
        ends = re.fullmatch(r"(.+) (loses at once|ends the game in a draw)\.", first)
        found = reply or draws or again or ends
        assert found, f"not understood: {first}"
        said = f"{found[1].casefold()} "
        wrong = max((name for name in self._names(state) if said.startswith(f"{name.casefold()} ")), key=len)
        following = self._play(state, wrong)
        if reply or draws:
            assert self._game.mover(following) != self._game.mover(state)
            assert self._after(following, found[2]) == (1 if reply else 0)
        if reply:
            won = self._ends(self._play(following, found[2]), self._game.mover(following))
            assert won == (found[3] == "at once")
        if again:
            assert self._game.mover(following) == self._game.mover(state)
            assert self._value(following) == (-1 if "loses" in found[2] else 0)
        if ends:
            assert self._game.outcome(following) != Outcome.UNDECIDED
            assert self._after(state, wrong) == (-1 if "loses" in found[2] else 0)
        position, move, speaks = following, found[2] if reply else "", voice.turned()
        for one in sentences:
            better = re.match(r"Better was (.+?): it (.*)", one)
            if better:
                position, move, speaks = state, better[1], voice
                assert self._after(state, move) > self._after(state, wrong)
                self._check_result(state, move, better[2])
            else:
                self.check_reason(position, move, one, speaks)

    def check_reason(self, state: Any, move: str, text: str, voice: Voice) -> None:
        """Check one sentence about a move."""
        text = with_names(text, voice)
        for pattern, check in self._sentences(voice).items():
            found = re.fullmatch(pattern, text)
            if found:
                check(state, move, *found.groups())
                return
        raise AssertionError(f"not understood: {text}")

    def _sentences(self, voice: Voice) -> dict[str, Callable[..., None]]:
        does, me, them = Voice.does, re.escape(voice.mover), re.escape(voice.opponent)
        theirs = re.escape(Voice.whose(voice.opponent))
        wins, plays, replies = does(them, "win"), does(them, "play"), does(them, "reply")
        i_play, i_win = f"(?:{does(me, 'play')}|{does(me, 'pass')})", does(me, "win")
        trap = rf"(?i:it sets a trap|{re.escape(Voice.whose(voice.mover))} (.+) sets a trap that works)"
        return {
            rf"Whatever {i_play}, {wins} at once(?: with (.+))?\.": lambda state, move, names: self._threat(
                state, move, listed(names), len(self._others(state, move)), stopped=False
            ),
            rf"(Otherwise|After most other moves) {plays} (.+) and wins? at once\.": self._said_threat,
            rf"(Otherwise|After most other moves) {wins} at once(?: with (.+))?\.": self._said_threat,
            rf"After (.+) (?:{plays} (.+)|{does(them, 'pass')}) and wins? (?:at once|in (\d+) moves)\.": (
                lambda state, move, other, reply, moves: self._mistake(state, other, reply or "pass", int(moves or 1))
            ),
            rf"It threatens to win with (.+), so {them} must (.+?)(?:; then {i_play} ?(.*))?\.": self._said_forcing,
            rf"Then {does(me, 'have')} two ways to win, (.+) and (.+), and {them} can stop only one\.": (
                lambda state, move, one, two: self._said_two_ways(state, move, [one, two])
            ),
            rf"Then {i_win} with (.+), whatever {replies}\.": lambda state, move, names: self._any_reply(
                state, move, listed(names), at_once=True
            ),
            rf"(?i:whatever {replies}), (.+) keeps the win\.": lambda state, move, names: self._any_reply(
                state, move, listed(names.replace("a pass", "pass")), at_once=False
            ),
            rf"(?i:{them} must (pass)|{theirs} only reply is (.+)); then ({i_win} with|{i_play}) ?(.*)\.": (
                lambda state, move, passes, reply, verb, answer: self._said_only_reply(
                    state, move, passes or reply, verb, answer
                )
            ),
            rf"(?i:whatever {replies}), ({i_win} with|{i_play}) (.+)\.": self._said_same_answer,
            rf"After (.+?) ({i_win} with|{i_play}) (.+)\.": self._said_answers,
            rf"((?i:{theirs} best reply is |{does(me, 'move')} again: |{does(them, 'pass')}\b).*)\.": (
                lambda state, move, text: self._said_line(state, move, text, voice)
            ),
            rf"{trap}: only one of {theirs} (\d+) replies wins \((.+)\)\.": (
                lambda state, move, said, total, name: self._said_trap(state, move, said, [name], 1, int(total))
            ),
            rf"{trap}: only (\d+) of {theirs} (\d+) replies win(?: \((.+)\))?\.": (
                lambda state, move, said, count, total, names: self._said_trap(
                    state, move, said, listed(names), int(count), int(total)
                )
            ),
        }

    def _said_trap(
        self, state: Any, move: str, said: str | None, winning: Sequence[str], count: int, replies: int
    ) -> None:
        assert said in (None, move), f"{said} was not played"
        self._trap(state, move, winning, count, replies)

    def _said_threat(self, state: Any, move: str, when: str, names: str | None) -> None:
        opponent, others = 1 - self._game.mover(state), self._others(state, move)
        losing = sum(self._wins(self._play(state, name), opponent) for name in others)
        assert losing == len(others) if when == "Otherwise" else 2 * losing > len(others)
        self._threat(state, move, listed(names), losing, stopped=True)

    def _said_forcing(self, state: Any, move: str, names: str, must: str, then: str | None) -> None:
        winning = listed(names)
        replies = ["pass"] if must == "pass" else winning
        if must.startswith("reply "):
            replies = listed(must.removeprefix("reply "))
        if then is not None:
            then = self._said_answer(self._play(self._play(state, move), replies[0]), then)
        self._forcing(state, move, winning, replies, then)

    def _said_only_reply(self, state: Any, move: str, reply: str, verb: str, answer: str) -> None:
        answer = self._said_answer(self._play(self._play(state, move), reply), answer)
        self._each_reply(state, move, {reply: answer}, at_once=verb.endswith("with"))

    def _said_same_answer(self, state: Any, move: str, verb: str, text: str) -> None:
        following = self._play(state, move)
        answers = {reply: self._said_answer(self._play(following, reply), text) for reply in self._names(following)}
        self._each_reply(state, move, answers, at_once=verb.endswith("with"))

    def _said_answer(self, state: Any, text: str) -> str:
        """Return the name of the move that the player makes. Of a pass it is said how it wins."""
        found = re.fullmatch(r"and (?:(still wins?)|wins? in (\d+) moves|wins? whatever .+ plays?)", text)
        if not found:
            assert text, "a pass, but not how the game is won"
            return text
        assert self._after(state, "pass") == 1
        if self._strict and not found[1]:
            me, moves = self._game.mover(state), int(found[2] or 1)
            assert self._forces(state, me, moves, "pass")
            assert not self._forces(state, me, moves - 1, "pass")
        return "pass"

    def _said_two_ways(self, state: Any, move: str, names: list[str]) -> None:
        self._any_reply(state, move, names, at_once=True)
        for name in names:  # or one of them alone would do
            try:
                self._any_reply(state, move, [name], at_once=True)
            except AssertionError:
                continue
            raise AssertionError(f"{name} wins alone")

    def _said_answers(self, state: Any, move: str, reply: str, verb: str, rest: str) -> None:
        first, *others = rest.split(", after ")
        answers = {reply: first}
        for pair in others:
            name = next(name for name in self._names(self._play(state, move)) if pair.startswith(f"{name} "))
            answers[name] = pair.removeprefix(f"{name} ")
        self._each_reply(state, move, answers, at_once=verb.endswith("with"))

    def _said_line(self, state: Any, move: str, text: str, voice: Voice) -> None:
        me = self._game.mover(state)
        text, wins, _ = text.partition(", which wins")
        text, and_wins, _ = text.partition(", and ")
        moves, players = [move], [me]
        for part in text.split("; "):
            mine = re.match(rf"(?i)(then )?{re.escape(voice.mover)} (plays?|pass(es)?|moves? again:)", part)
            theirs = re.match(
                rf"(?i)(then )?({re.escape(voice.opponent)} (plays?|pass(es)?)"
                rf"|{re.escape(Voice.whose(voice.opponent))} best reply is)",
                part,
            )
            begins = mine or theirs
            assert begins, f"not understood: {part}"
            passes, rest = begins[0].endswith(("pass", "passes")), part[begins.end() :].strip()
            names = ["pass"] if passes else rest.split(", then ")
            moves += names
            players += [me if mine else 1 - me] * len(names)
        if passes and not wins and not and_wins:
            before = state
            for name in moves[:-1]:
                before = self._play(before, name)
            self._said_answer(before, rest)
        winner = players[-1] if wins else 1 - players[-1]
        self._line(state, moves, players, SEAT_NAMES[winner] if wins or and_wins else None)

    # The rules

    def _names(self, state: Any) -> dict[str, Move]:
        if state not in self._legal:
            self._legal[state] = move_names(self._game, state)
        return self._legal[state]

    def _others(self, state: Any, move: str) -> list[str]:
        return [name for name in self._names(state) if name != move]

    def _play(self, state: Any, name: str) -> Any:
        assert name in self._names(state), f"{name} is not legal"
        return self._game.play(state, self._names(state)[name])

    def _after(self, state: Any, name: str) -> int:
        """Return the value after the move for the player who makes it."""
        following = self._play(state, name)
        value = self._value(following)
        return value if self._game.mover(following) == self._game.mover(state) else -value

    def _forces(self, state: Any, player: Player, moves: int, first: str | None = None) -> bool:
        """Return True if the player can force a win within so many of their moves, however the opponent replies."""
        if self._game.outcome(state) != Outcome.UNDECIDED:
            return self._ends(state, player)
        mine = self._game.mover(state) == player
        if mine and moves == 0:
            return False
        key = state, player, moves, first
        if key not in self._forced:
            names = [first] if first else self._names(state)
            found = (self._forces(self._play(state, name), player, moves - mine) for name in names)
            self._forced[key] = any(found) if mine else all(found)
        return self._forced[key]

    def _ends(self, state: Any, player: Player) -> bool:
        return self._game.outcome(state) == won_by(player)

    def _wins(self, state: Any, player: Player, names: Sequence[str] = ()) -> bool:
        """Return True if the player, whose turn it is, wins at once with one of the named moves, or with any."""
        if self._game.mover(state) != player:
            return False
        if not names:
            return any(self._ends(self._game.play(state, move), player) for move in self._game.legal_moves(state))
        legal = self._names(state)
        return any(self._ends(self._game.play(state, legal[name]), player) for name in names if name in legal)


RESULTS = {  # words, and the value that they stand for
    r"\bwins (at once|whatever|in \d+)": 1,
    r"\b(holds the draw|ends the game in a draw)": 0,
    r"every move loses|, and it loses": -1,
}


def listed(text: str | None) -> list[str]:
    return re.split(r", | or | and ", text) if text else []


def with_names(text: str, voice: Voice) -> str:
    """Return the text with the names of moves in the place of what is told of them, which depends on who plays them."""
    for who in (voice.mover, voice.opponent):
        assert not re.search(rf"{Voice.does(who, 'play')} [A-Z] in position \d on {Voice.whose(who)} board", text)

    def name(found: re.Match[str]) -> str:
        assert found[3] in ("their own", Voice.whose(voice.mover), Voice.whose(voice.opponent)), found[3]
        return f"{found[1]} {'self' if found[3] == 'their own' else 'opponent'} {found[2]}"

    return TOLD.sub(name, text)
