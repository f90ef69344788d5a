"""Facts in words: a nudge that does not give the move away, what a move leads to, and why."""

from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

from duelbook.game import PASS, SeatName
from duelbook.narration import YOU, Voice
from duelbook.study.facts import (
    AnyFact,
    AnyReply,
    BestLine,
    EachReply,
    Effect,
    Estimate,
    Forcing,
    OnlyMove,
    Result,
    Threat,
    Trap,
    ValueName,
)
from duelbook.text import plural, sentence

FactT = TypeVar("FactT")
ESTIMATE = "an estimate: "
TOO_LARGE = "since this game is too large to be solved"


def find(facts: Sequence[AnyFact], kind: type[FactT]) -> FactT | None:
    """Return the fact of this kind, if there is one."""
    return next((fact for fact in facts if isinstance(fact, kind)), None)


def why(facts: Sequence[AnyFact], voice: Voice) -> str:
    """Return what the move leads to and why, in words that follow its name: `wins at once; every other move loses.`."""
    result, reason = f"{result_text(facts, voice)}.", reason_text(facts, voice)
    if reason and result.startswith(ESTIMATE):  # what is proven comes first
        return f"{reason[0].lower()}{reason[1:]} The rest is {result}"
    return f"{result} {reason}".rstrip()


def result_text(facts: Sequence[AnyFact], voice: Voice) -> str:
    """Return what the move does and leads to, without a full stop, in words that follow its name."""
    result, effect = find(facts, Result), find(facts, Effect)
    does = f"{effect.text} and " if effect else ""
    if result is None:
        estimate = find(facts, Estimate)
        assert estimate
        return _estimate(estimate, does)
    if result.value == "loss":
        return _loss(facts, result)
    return f"{does}{_outcome(result, voice)}{_contrast(facts, result)}"


def _estimate(estimate: Estimate, does: str) -> str:
    match estimate.proven:
        case "win":
            return f"{does}wins at once" if estimate.at_once else f"{does}wins, as a search to the end shows"
        case "loss":
            return "every move loses; this one holds out longest"
        case "draw":
            return f"{ESTIMATE}it draws, and the search finds nothing better"
    return f"{ESTIMATE}it scores {percent(estimate.score)} in simulated games, {TOO_LARGE}"


def _outcome(result: Result, voice: Voice) -> str:
    if result.value == "draw":
        how = ", since the game then never ends" if result.own_moves is None else ""
        return "ends the game in a draw" if result.at_once else f"holds the draw{how}"
    if result.at_once:
        return "wins at once"
    if result.own_moves == 1:
        return f"wins whatever {Voice.does(voice.opponent, 'reply')}"
    return f"wins in {result.own_moves} of your moves" if voice.mover == YOU else f"wins in {result.own_moves} moves"


def _loss(facts: Sequence[AnyFact], result: Result) -> str:
    if result.legal == 1:
        return "the only move, and it loses"
    if find(facts, Threat):  # no move holds out longer than another
        return "every move loses"
    turns = f" ({plural(result.own_moves, 'more turn')})" if result.own_moves else ""
    return f"every move loses; this one holds out longest{turns}"


def _contrast(facts: Sequence[AnyFact], result: Result) -> str:
    """Return what the other moves do, if this is the only good one and no threat says it."""
    only, threat = find(facts, OnlyMove), find(facts, Threat)
    if only is None or (threat and threat.losing == threat.others):
        return "" if result.legal > 1 else "; there is no other move"
    return "; every other move loses" if only.others == "loss" else "; every other move only draws"


def reason_text(facts: Sequence[AnyFact], voice: Voice) -> str:
    """Return the reason as sentences, or an empty text if there is none beyond the result."""
    for fact in facts:
        match fact:
            case Threat():
                return _threat(fact, voice)
            case Forcing():
                return _forcing(fact, voice)
            case AnyReply():
                return _any_reply(fact, voice)
            case EachReply():
                return _each_reply(fact, voice)
            case BestLine():
                return _line(fact, voice)
            case Trap():
                return trap_text(fact, voice)
    return ""


def _threat(threat: Threat, voice: Voice) -> str:
    them = voice.opponent
    if not threat.stopped:
        with_moves = f" with {any_of(threat.winning)}" if threat.winning else ""
        return f"Whatever {Voice.does(voice.mover, 'play')}, {Voice.does(them, 'win')} at once{with_moves}."
    when = "Otherwise" if threat.losing == threat.others else "After most other moves"
    if len(threat.winning) == 1:
        return f"{when} {Voice.does(them, 'play')} {threat.winning[0]} and {Voice.verb(them, 'win')} at once."
    with_moves = f" with {any_of(threat.winning)}" if threat.winning else ""
    return f"{when} {Voice.does(them, 'win')} at once{with_moves}."


def _forcing(forcing: Forcing, voice: Voice) -> str:
    winning, replies = forcing.winning, forcing.replies
    answer = "play it first" if winning == replies else f"answer {any_of(replies)}"
    if replies == [PASS]:
        answer = "pass"
    then = f"; then {_plays(voice.mover, [forcing.then])}" if forcing.then else ""
    return f"It threatens to win with {any_of(winning)}, so {voice.opponent} must {answer}{then}."


def _any_reply(fact: AnyReply, voice: Voice) -> str:
    me, them, moves = voice.mover, voice.opponent, fact.winning
    replies = f"whatever {Voice.does(them, 'reply')}"
    if not fact.at_once:
        return f"{sentence(replies)[:-1]}, {any_of(moves)} keeps the win."
    if len(moves) == 2:
        return f"Then {Voice.does(me, 'have')} two ways to win, {' and '.join(moves)}, and {them} can stop only one."
    return f"Then {Voice.does(me, 'win')} with {any_of(moves)}, {replies}."


def _each_reply(fact: EachReply, voice: Voice) -> str:
    me, them = voice.mover, voice.opponent
    (reply, answer), *others = fact.answers.items()
    plays = f"{Voice.does(me, 'win')} with {answer}" if fact.at_once else _plays(me, [answer])
    if not others:
        only = f"{them} must pass" if reply == PASS else f"{Voice.whose(them)} only reply is {reply}"
        return f"{sentence(only)[:-1]}; then {plays}."
    if len(set(fact.answers.values())) == 1:
        return f"Whatever {Voice.does(them, 'reply')}, {plays}."
    rest = "".join(f", after {other} {best}" for other, best in others)
    return f"After {reply} {plays}{rest}."


def _line(line: BestLine, voice: Voice) -> str:
    persons = {line.player: voice.mover}  # by seat: both may have the same name
    made = groupby(zip(line.players, line.moves, strict=True), key=lambda one: one[0])
    (_, own), *turns = [(player, [move for _, move in moves]) for player, moves in made]
    parts = [f"{Voice.does(voice.mover, 'move')} again: {', then '.join(own[1:])}"] if own[1:] else []
    for player, moves in turns:
        who = persons.get(player, voice.opponent)
        best_reply = f"{Voice.whose(who)} best reply is {', then '.join(moves)}"
        parts.append(f"then {_plays(who, moves)}" if parts else best_reply)
    if line.winner:
        winner = persons.get(line.winner, voice.opponent)
        parts[-1] += ", which wins" if line.winner == line.players[-1] else f", and {Voice.does(winner, 'win')}"
    return sentence("; ".join(parts))


def _plays(who: str, moves: Sequence[str]) -> str:
    """Return `you play 4`, `Ann plays 4, then 8`, or `Ann passes`."""
    return Voice.does(who, "pass") if moves == [PASS] else f"{Voice.does(who, 'play')} {', then '.join(moves)}"


def trap_text(trap: Trap, voice: Voice) -> str:
    """Return the trap as a sentence about the move that sets it."""
    whose = Voice.whose(voice.opponent)
    if trap.count == 1:
        return f"It sets a trap: the only one of {whose} {trap.replies} replies that wins is {trap.winning[0]}."
    named = f" ({any_of(trap.winning, 'and')})" if trap.winning else ""
    return f"It sets a trap: only {trap.count} of {whose} {trap.replies} replies win{named}."


def explanation(facts: Sequence[AnyFact], voice: Voice) -> str:
    """Return why a move is right, in sentences that leave out what it leads to; an empty text if there is no reason."""
    effect = find(facts, Effect)
    return " ".join(filter(None, (f"It {effect.text.rstrip(',')}." if effect else "", reason_text(facts, voice))))


def nudge(facts: Sequence[AnyFact]) -> str:
    """Return a first hint to the player who moves, which does not name the move."""
    result = find(facts, Result)
    if result is None:
        return _estimated_nudge(facts)
    if result.legal == 1:
        return "You have only one move."
    if result.value == "loss":
        if find(facts, Threat):
            return "Whatever you play, your opponent can win at once. You can only hope that they miss it."
        look = "leaves your opponent the fewest good replies" if find(facts, Trap) else "holds out longest"
        return f"Every move loses against best play. Look for the one that {look}."
    if result.at_once and result.value == "win":
        return "You can win at once."
    look = idea(facts)
    if not look and result.keeping < result.legal:
        look = "Think about how your opponent would reply."
    elif not look and result.value == "win":
        look = "Look for the quickest way."
    return f"{_count(result)} {look}".strip()


def _estimated_nudge(facts: Sequence[AnyFact]) -> str:
    estimate = find(facts, Estimate)
    assert estimate
    if estimate.proven == "loss":
        return "Every move loses against best play. Look for the one that holds out longest."
    if estimate.proven == "win":
        return "You can win at once." if estimate.at_once else f"You can win. {idea(facts)}".strip()
    look = idea(facts)
    return f"{look} {'The rest' if look else 'What is best here'} is an estimate, {TOO_LARGE}.".strip()


def _count(result: Result) -> str:
    """Return how many moves are good."""
    one, several = ("wins", "win") if result.value == "win" else ("holds the draw", "hold the draw")
    before = "" if result.value == "win" else "You cannot force a win. "
    if result.keeping == 1:
        return f"{before}Only one of your {result.legal} moves {one}."
    if result.keeping < result.legal:
        return f"{before}{result.keeping} of your {result.legal} moves {several}."
    return f"{before}Every move {one}."


def idea(facts: Sequence[AnyFact]) -> str:
    """Return what to look for, as a sentence, or an empty text."""
    for fact in facts:
        match fact:
            case Threat():
                return "Look at what your opponent threatens."
            case Forcing():
                return "Look for a threat that your opponent has to answer."
            case AnyReply(at_once=True, winning=[_, _]):
                return "Look for a move that leaves you two ways to win."
            case AnyReply(at_once=True):
                return "Look for a threat that your opponent cannot stop."
            case EachReply(answers=answers) if len(answers) == 1:
                only = "nothing but a pass" if PASS in answers else "only one reply"
                return f"Look for a move that leaves your opponent {only}."
            case Result(again=True):
                return "Look for a move that lets you move again."
    return ""


def mistake_text(followed: str, best: Sequence[AnyFact], reply: Sequence[AnyFact], voice: Voice) -> str:
    """Return why a move is a mistake: what follows, as a sentence, and what was better. One reason is enough."""
    better = f"Better was {best[0].move}: it {result_text(best, voice)}."
    result = find(reply, Result)
    refuted = result and result.value == "win" and result.player != best[0].player
    reason = reason_text(reply, voice.turned()) if refuted else ""
    if reason:
        return f"{followed} {reason} {better}"
    reason = "" if find(best, Threat) else reason_text(best, voice)  # what follows is the threat
    return f"{followed} {better} {reason}".rstrip()


def ending_text(effect: str, value: ValueName) -> str:
    """Return what a move does that ends the game, as words that follow its name."""
    return f"{effect and f'{effect} and '}{'loses at once' if value == 'loss' else 'ends the game in a draw'}"


def refutation_text(reply: Sequence[AnyFact], player: SeatName, voice: Voice) -> str:
    """Return what follows the mistake of a player, as a clause without a full stop."""
    result, me, them = find(reply, Result), voice.mover, voice.opponent
    plays = _plays(them, [reply[0].move])
    wins = f"{plays} and {Voice.verb(them, 'win')}"
    if result is None:  # in a game that is not solved, only a win at once is proven
        return f"{wins} at once"
    if result.player == player:
        but = "every move loses" if result.value == "loss" else "no move wins"
        return f"{Voice.does(me, 'move')} again, but {but}"
    if result.value == "draw":
        return f"{plays} and {Voice.verb(them, 'hold')} the draw"
    if result.at_once or result.own_moves == 1:
        return f"{wins} at once" if result.at_once else f"{wins} whatever {Voice.does(me, 'reply')}"
    return f"{wins} in {result.own_moves} moves"


def any_of(names: Sequence[str], link: str = "or") -> str:
    """Return `4`, `4 or 8`, or `4, 6 or 8`."""
    *others, last = names
    return f"{', '.join(others)} {link} {last}" if others else last


def percent(score: float) -> str:
    """Return `about 62%`."""
    return f"about {score:.0%}"
