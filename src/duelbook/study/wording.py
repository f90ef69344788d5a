"""Facts in words: a nudge that does not give the move away, what a move leads to, and why it is a mistake."""

from collections.abc import Sequence

from duelbook.game import PASS, SeatName
from duelbook.narration import YOU, Voice
from duelbook.study.facts import (
    AnyFact,
    AnyReply,
    EachReply,
    Effect,
    Estimate,
    Forcing,
    Mistake,
    OnlyMove,
    Result,
    Threat,
    Trap,
    ValueName,
    find,
)
from duelbook.study.reason_wording import plays, reason_text, short_reason
from duelbook.text import plural

AN_ESTIMATE = "an estimate, since this game is not solved"
LOST_AT_ONCE = "Whatever you play, your opponent can win at once. You can only hope that they miss it."


def why(facts: Sequence[AnyFact], voice: Voice) -> str:
    """Return what the move leads to and why, in words that follow its name: `wins at once; every other move loses.`."""
    result, reason = f"{result_text(facts, voice)}.", reason_text(facts, voice)
    if reason and result.startswith(AN_ESTIMATE):  # what is proven comes first
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
            return "every move loses, as a search to the end shows"  # not how soon
        case "draw":
            return f"{AN_ESTIMATE}: it draws, and the search finds nothing better"
    return f"{AN_ESTIMATE}: it scores {percent(estimate.score)} in simulated games"


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
    longest = "" if result.lasting == result.legal else "; this one holds out longest"
    return f"every move loses{longest}{turns}"


def _contrast(facts: Sequence[AnyFact], result: Result) -> str:
    """Return what the other moves do, if this is the only good one and no threat says it."""
    wins_at_once = result.at_once and result.value == "win"
    only, threat = find(facts, OnlyMove), None if wins_at_once else find(facts, Threat)
    if only is None or (threat and threat.losing == threat.others):
        return "" if result.legal > 1 else "; there is no other move"
    return "; every other move loses" if only.others == "loss" else "; every other move only draws"


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
            return LOST_AT_ONCE
        if find(facts, Trap):
            look = "Look for the one that leaves your opponent the fewest good replies."
        elif result.lasting == result.legal:
            look = "None holds out longer than another."
        else:
            look = "Look for the one that holds out longest."
        return f"Every move loses against best play. {look}"
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
        threat = find(facts, Threat)
        return LOST_AT_ONCE if threat and not threat.stopped else "Every move loses against best play."
    if estimate.proven == "win":
        return "You can win at once." if estimate.at_once else f"You can win. {idea(facts)}".strip()
    look = idea(facts)
    return f"{look} {'The rest' if look else 'What is best here'} is {AN_ESTIMATE}.".strip()


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
    reason = short_reason(reply, voice.turned()) if refuted else ""
    if reason:
        return f"{followed} {reason} {better}"
    lost_at_once = refuted and result and result.at_once  # what follows is reason enough
    lesser = find(best, Threat) or find(best, Mistake)  # how this move, or another one, loses
    reason = "" if lost_at_once or lesser else short_reason(best, voice)
    return f"{followed} {better} {reason}".rstrip()


def ending_text(effect: str, value: ValueName) -> str:
    """Return what a move does that ends the game, as words that follow its name."""
    return f"{effect and f'{effect} and '}{'loses at once' if value == 'loss' else 'ends the game in a draw'}"


def refutation_text(reply: Sequence[AnyFact], player: SeatName, voice: Voice) -> str:
    """Return what follows the mistake of a player, as a clause without a full stop."""
    result, me, them = find(reply, Result), voice.mover, voice.opponent
    they_play = plays(voice, them, [reply[0].move])
    wins = f"{they_play} and {Voice.verb(them, 'win')}"
    if result is None:  # in a game that is not solved, only a win at once is proven
        return f"{wins} at once"
    if result.player == player:
        but = "every move loses" if result.value == "loss" else "no move wins"
        return f"{Voice.does(me, 'move')} again, but {but}"
    if result.value == "draw":
        return f"{they_play} and {Voice.verb(them, 'hold')} the draw"
    if result.at_once or result.own_moves == 1:
        return f"{wins} at once" if result.at_once else f"{wins} whatever {Voice.does(me, 'reply')}"
    return f"{wins} in {result.own_moves} moves"


def percent(score: float) -> str:
    """Return `about 62%`."""
    return f"about {score:.0%}"
