"""The steps of retrograde analysis in compiled code, on the states of one component, which several threads share."""

from typing import Any, NamedTuple

import numpy.typing as npt

from duelbook.compiled.atomic import atomic_add, compare_and_swap
from duelbook.compiled.kernel import jit_plain
from duelbook.solve.keyset import Longs, Places, Words, find, whole
from duelbook.solve.solution import DRAW, ENDLESS, KIND_BITS, KIND_MASK, LOSS, WIN
from duelbook.solve.successors import OPEN, Bytes, Ints

Codes = npt.NDArray[Any]  # of int16, or int32 if games are long

OUTSIDE = -(1 << 62)  # the offset of a cell in another component
NEVER = -1
UNKNOWN = 1 << 60  # a level
FINISHED, SETTLE, SPREAD, PAUSE, TOO_LONG = 0, 1, 2, 3, 4  # why levels are interrupted
LEVEL, HEAD = 0, 1


class TooLongError(Exception):
    """A game can last longer than the codes can tell."""


class Work(NamedTuple):
    """The states of a component, numbered from 0."""

    codes: Codes  # as in a solution; ENDLESS while they are not known
    left: Ints  # moves that may still be better than a loss
    due: Codes  # what moves out of the component lead to: won by this level, NEVER, or (-2 - level) lost not before it
    ends: Words  # where the parents of each state begin; while they are collected, where they end
    queue: Words  # the states whose codes are known, by level
    tail: Longs  # how many there are
    schedule: Bytes  # 1 for each level at which some state is due
    cursor: Longs  # the current level, and the first state in the queue that belongs to it
    is_begun: bool  # some codes were known before; the moves from and to their states are not stored


@jit_plain
def for_parent(code: int, entry: int) -> int:
    """Return the kind of a value for the player who moved to the state with this code."""
    kind = code & KIND_MASK
    return kind if entry & 1 or kind > WIN else kind ^ 1


@jit_plain
def _push(work: Work, state: int) -> None:
    work.queue[atomic_add(work.tail, 0, 1)] = state


@jit_plain
def _schedule(work: Work, state: int, won: int, lost: int, left: int) -> None:
    """Note by which level moves out of the component win, or before which they do not lose, and the moves left."""
    work.left[state] = left
    if won < UNKNOWN:
        work.due[state] = won
        work.schedule[won] = 1
    else:
        work.due[state] = -2 - lost
        if left == 0:
            work.schedule[lost] = 1


@jit_plain
def link(
    work: Work,
    children: Longs,
    ends: Ints,
    outcomes: Bytes,
    states: Longs,
    places: Places,
    codes: Codes,
    cell_size: int,
    offsets: Longs,
    kept: Words,
    kept_ends: Ints,
) -> int:
    """Count the parents of each state in the component, and note what the moves to known states promise.

    Store the moves inside the component in `kept`, if there is room, and return how many there are.
    """
    is_begun, own_codes = work.is_begun, work.codes
    at = used = 0
    for number in range(len(ends)):
        state = states[number]
        if outcomes[number] != OPEN:
            work.codes[state] = outcomes[number]
            if outcomes[number] != DRAW:
                _push(work, state)
        won, lost, left = UNKNOWN, 0, 0
        while at < ends[number]:
            entry = children[at]
            at += 1
            key = entry >> 1
            offset = offsets[key // cell_size]
            place = find(places, key)
            child = place + offset
            if offset != OUTSIDE and (not is_begun or own_codes[child] == ENDLESS):
                atomic_add(work.ends, child, 1)
                if len(kept):
                    kept[used] = 2 * child + (entry & 1)
                    used += 1
                left += 1
                continue
            code = whole(codes[place]) if offset == OUTSIDE else whole(own_codes[child])
            kind, level = for_parent(code, entry), (code >> KIND_BITS) + 1
            left += kind != LOSS  # this move stays
            if kind == LOSS:
                lost = max(lost, level)
            elif kind == WIN:
                won = min(won, level)
        kept_ends[number] = used
        if outcomes[number] == OPEN:
            _schedule(work, state, won, lost, left)
    return used


@jit_plain
def fill(
    work: Work,
    parents: Words,
    children: Longs,
    child_ends: Ints,
    outcomes: Bytes,
    states: Longs,
    places: Places,
    cell_size: int,
    offsets: Longs,
) -> None:
    """Store the moves inside the component with the states that they lead to."""
    is_begun, own_codes, own_ends = work.is_begun, work.codes, work.ends
    at = 0
    for number in range(len(child_ends)):
        while at < child_ends[number]:
            entry = children[at]
            at += 1
            offset = offsets[(entry >> 1) // cell_size]
            child = find(places, entry >> 1) + offset
            if offset != OUTSIDE and (not is_begun or own_codes[child] == ENDLESS):
                parents[atomic_add(own_ends, child, -1) - 1] = 2 * states[number] + (entry & 1)


@jit_plain
def fill_stored(ends: Words, parents: Words, kept: Words, kept_ends: Ints, local: int) -> None:
    """Do what `fill` does, with moves that were stored."""
    at = 0
    for number in range(len(kept_ends)):
        while at < kept_ends[number]:
            entry = whole(kept[at])
            at += 1
            parents[atomic_add(ends, entry >> 1, -1) - 1] = 2 * (local + number) + (entry & 1)


@jit_plain
def find_draws(
    work: Work,
    children: Longs,
    ends: Ints,
    outcomes: Bytes,
    states: Longs,
    places: Places,
    codes: Codes,
    cell_size: int,
    offsets: Longs,
) -> None:
    """Note for open states by which level a move to a state that is known to be drawn draws."""
    at = 0
    for number in range(len(ends)):
        drawn = UNKNOWN
        while at < ends[number]:
            key = children[at] >> 1
            at += 1
            offset, place = offsets[key // cell_size], find(places, key)
            code = whole(codes[place]) if offset == OUTSIDE else whole(work.codes[place + offset])
            if code & KIND_MASK == DRAW:
                drawn = min(drawn, (code >> KIND_BITS) + 1)
        if drawn != UNKNOWN:
            work.due[states[number]] = drawn
            work.schedule[drawn] = 1


@jit_plain
def settle(work: Work, level: int, kind: int, start: int, end: int) -> None:
    """Set the codes of the states that are due at this level; `kind` is what a move out of the component gives."""
    for state in range(start, end):
        if work.codes[state] != ENDLESS:
            continue
        if work.due[state] == level:
            work.codes[state] = level << KIND_BITS | kind
            _push(work, state)
        elif work.due[state] == -2 - level and work.left[state] == 0:
            work.codes[state] = level << KIND_BITS | LOSS
            _push(work, state)


@jit_plain
def spread(work: Work, parents: Words, level: int, start: int, end: int) -> None:
    """Tell the parents of the states in a part of the queue, all of this level, what they are worth."""
    for at in range(start, end):
        state = work.queue[at]
        code = whole(work.codes[state])
        for entry in parents[work.ends[state] : work.ends[state + 1]]:
            parent = entry >> 1
            if work.codes[parent] != ENDLESS:
                continue
            kind = for_parent(code, entry)
            if kind != LOSS:
                if compare_and_swap(work.codes, parent, ENDLESS, (level + 1) << KIND_BITS | kind) == ENDLESS:
                    _push(work, parent)
            elif atomic_add(work.left, parent, -1) == 1:
                lost = max(level + 1, -2 - whole(work.due[parent]))
                if lost == level + 1:
                    work.codes[parent] = lost << KIND_BITS | LOSS
                    _push(work, parent)
                else:
                    work.schedule[lost] = 1


@jit_plain
def next_level(work: Work) -> bool:
    """Move on to the next level at which there is something to do. Return False if there is none."""
    level = work.cursor[LEVEL] + 1
    if work.cursor[HEAD] == work.tail[0]:
        while level < len(work.schedule) and not work.schedule[level]:
            level += 1
        if level >= len(work.schedule):
            return False
    work.cursor[LEVEL] = level
    return True


@jit_plain
def advance(work: Work, parents: Words, kind: int, quota: int, many: int, highest: int) -> int:
    """Work through levels as long as they are small. Return why that ended."""
    while True:
        level, head = work.cursor[LEVEL], work.cursor[HEAD]
        if (level + 2) << KIND_BITS > highest:
            return TOO_LONG
        if level < len(work.schedule) and work.schedule[level]:
            if len(work.codes) > many:
                return SETTLE
            settle(work, level, kind, 0, len(work.codes))
            work.schedule[level] = 0
            quota -= len(work.codes)
        tail = work.tail[0]
        if tail - head > many:
            return SPREAD
        spread(work, parents, level, head, tail)
        work.cursor[HEAD] = tail
        quota -= tail - head + 1
        if not next_level(work):
            return FINISHED
        if quota < 0:
            return PAUSE
