"""Reasons in words: the threat, the forced reply, the line or the trap, as one sentence about a move."""

from collections.abc import Sequence
from itertools import groupby

from duelbook.game import PASS
from duelbook.narration import Voice
from duelbook.study.facts import (
    AnyFact,
    AnyReply,
    BestLine,
    EachReply,
    Estimate,
    Forcing,
    Mistake,
    Result,
    Threat,
    Trap,
    find,
)
from duelbook.text import sentence


def reason_text(facts: Sequence[AnyFact], voice: Voice) -> str:
    """Return the reason as sentences, or an empty text if there is none beyond the result."""
    for fact in facts:
        match fact:
            case Result(value="win", at_once=True) | Estimate(proven="win", at_once=True):
                return ""  # that it wins at once says it all
            case Threat():
                return _threat(fact, voice)
            case Mistake():
                return _mistake(fact, voice)
            case Forcing():
                return _forcing(fact, voice, find(facts, Result))
            case AnyReply():
                return _any_reply(fact, voice)
            case EachReply():
                return _each_reply(fact, voice, find(facts, Result))
            case BestLine():
                return _line(fact, voice, find(facts, Result))
            case Trap():
                return trap_text(fact, voice)
    return ""


def short_reason(facts: Sequence[AnyFact], voice: Voice) -> str:
    """Return the reason if it shows how the game is won; what only goes on is left out."""
    return reason_text([fact for fact in facts if not _goes_on(fact)], voice)


def _goes_on(fact: AnyFact) -> bool:
    """Return True if the fact tells only what comes next."""
    match fact:
        case AnyReply(at_once=False) | BestLine(winner=None):
            return True
    return False


def _threat(threat: Threat, voice: Voice) -> str:
    them, winning = voice.opponent, [voice.move(voice.opponent, name) for name in threat.winning]
    with_moves = f" with {any_of(winning)}" if winning else ""
    if not threat.stopped:
        return f"Whatever {Voice.does(voice.mover, 'play')}, {Voice.does(them, 'win')} at once{with_moves}."
    when = "Otherwise" if threat.losing == threat.others else "After most other moves"
    if len(winning) == 1:
        return f"{when} {Voice.does(them, 'play')} {winning[0]} and {Voice.verb(them, 'win')} at once."
    return f"{when} {Voice.does(them, 'win')} at once{with_moves}."


def _mistake(mistake: Mistake, voice: Voice) -> str:
    them, soon = voice.opponent, mistake.reply_moves == 1
    end = "at once" if soon else f"in {mistake.reply_moves} moves"
    after = f"After {voice.move(voice.mover, mistake.other)}"
    return f"{after} {plays(voice, them, [mistake.reply])} and {Voice.verb(them, 'win')} {end}."


def _forcing(forcing: Forcing, voice: Voice, result: Result | None) -> str:
    winning = [voice.move(voice.mover, name) for name in forcing.winning]
    replies = [voice.move(voice.opponent, name) for name in forcing.replies]
    answer = "play it first" if winning == replies else f"reply {any_of(replies)}"
    if forcing.replies == [PASS]:
        answer = "pass"
    then = ""
    if forcing.then:
        after_pass = _pass_that_wins(forcing.then, voice, _moves_left(result, 1))
        then = f"; then {plays(voice, voice.mover, [forcing.then])}{after_pass}"
    return f"It threatens to win with {any_of(winning)}, so {voice.opponent} must {answer}{then}."


def _any_reply(fact: AnyReply, voice: Voice) -> str:
    me, them = voice.mover, voice.opponent
    moves = [voice.move(me, name) for name in fact.winning]
    replies = f"whatever {Voice.does(them, 'reply')}"
    if not fact.at_once:
        keeping = ["a pass" if move == PASS else move for move in moves]
        return f"{sentence(replies)[:-1]}, {any_of(keeping)} keeps the win."
    if len(moves) == 2:
        return f"Then {Voice.does(me, 'have')} two ways to win, {' and '.join(moves)}, and {them} can stop only one."
    return f"Then {Voice.does(me, 'win')} with {any_of(moves)}, {replies}."


def _each_reply(fact: EachReply, voice: Voice, result: Result | None) -> str:
    me, them = voice.mover, voice.opponent
    (reply, answer), *others = sorted(fact.answers.items(), key=lambda one: one[1] == PASS)
    answers = f"{Voice.does(me, 'win')} with {voice.move(me, answer)}" if fact.at_once else plays(voice, me, [answer])
    told = voice.move(them, reply)
    if not others:
        only = f"{them} must pass" if reply == PASS else f"{Voice.whose(them)} only reply is {told}"
        return f"{sentence(only)[:-1]}; then {answers}{_pass_that_wins(answer, voice, _moves_left(result, 1))}."
    if len(set(fact.answers.values())) == 1:
        return f"Whatever {Voice.does(them, 'reply')}, {answers}{_pass_that_wins(answer, voice, None)}."
    rest = "".join(f", after {voice.move(them, other)} {voice.move(me, best)}" for other, best in others)
    return f"After {told} {answers}{rest}."


def _pass_that_wins(move: str, voice: Voice, moves: int | None) -> str:
    """Return what follows if the move is a pass: the win, in this number of the player's moves with the pass."""
    if move != PASS:
        return ""
    win = Voice.verb(voice.mover, "win")
    if moves is None:
        return f" and still {win}"
    return f" and {win} in {moves} moves" if moves > 1 else f" and {win} whatever {Voice.does(voice.opponent, 'play')}"


def _moves_left(result: Result | None, made: int) -> int | None:
    """Return the moves that the player still makes until the end of a line in which they have made some."""
    return result.own_moves - made if result and result.own_moves else None


def _line(line: BestLine, voice: Voice, result: Result | None) -> str:
    persons = {line.player: voice.mover}  # by seat: both may have the same name
    made = groupby(zip(line.players, line.moves, strict=True), key=lambda one: one[0])
    (_, own), *turns = [(player, [move for _, move in moves]) for player, moves in made]
    more = [voice.move(voice.mover, name) for name in own[1:]]
    parts = [f"{Voice.does(voice.mover, 'move')} again: {', then '.join(more)}"] if more else []
    for player, moves in turns:
        who = persons.get(player, voice.opponent)
        told = ", then ".join(voice.move(who, name) for name in moves)
        first = plays(voice, who, moves) if moves == [PASS] else f"{Voice.whose(who)} best reply is {told}"
        parts.append(f"then {plays(voice, who, moves)}" if parts else first)
    last, wins = line.players[-1], result is not None and result.value == "win"
    if line.winner:
        winner = persons.get(line.winner, voice.opponent)
        parts[-1] += ", which wins" if line.winner == last else f", and {Voice.does(winner, 'win')}"
    elif wins and last == line.player:
        parts[-1] += _pass_that_wins(line.moves[-1], voice, _moves_left(result, line.players.count(last) - 1))
    elif not wins and last != line.player:
        parts[-1] += _pass_that_wins(line.moves[-1], voice.turned(), None)
    return sentence("; ".join(parts))


def plays(voice: Voice, who: str, moves: Sequence[str]) -> str:
    """Return `you play 4`, `Ann plays 4, then 8`, or `Ann passes`."""
    if moves == [PASS]:
        return Voice.does(who, "pass")
    return f"{Voice.does(who, 'play')} {', then '.join(voice.move(who, name) for name in moves)}"


def trap_text(trap: Trap, voice: Voice) -> str:
    """Return the trap as a sentence about the move that sets it."""
    return f"It sets a trap: {few_replies(trap, voice)}."


def sprung_trap_text(trap: Trap, voice: Voice) -> str:
    """Return a trap that worked as a sentence that names the move that set it."""
    return f"{sentence(Voice.whose(voice.mover))[:-1]} {trap.move} sets a trap that works: {few_replies(trap, voice)}."


def few_replies(trap: Trap, voice: Voice) -> str:
    """Return how few replies win against a trap, as a clause."""
    whose = Voice.whose(voice.opponent)
    winning = [voice.move(voice.opponent, name) for name in trap.winning]
    named = f" ({any_of(winning, 'and')})" if winning else ""
    if trap.count == 1:
        return f"only one of {whose} {trap.replies} replies wins{named}"
    return f"only {trap.count} of {whose} {trap.replies} replies win{named}"


def any_of(names: Sequence[str], link: str = "or") -> str:
    """Return `4`, `4 or 8`, or `4, 6 or 8`."""
    *others, last = names
    return f"{', '.join(others)} {link} {last}" if others else last
