"""Play a random game of Charge and print every move."""

import random

import duelbook


def main(seed: int = 1) -> None:
    rng = random.Random(seed)
    game = duelbook.make("charge", goal=21)
    state = game.initial()
    while game.outcome(state) is duelbook.Outcome.UNDECIDED:
        move = rng.choice(list(game.legal_moves(state)))
        print("first " if game.mover(state) == 0 else "second", game.move_name(state, move))
        state = game.play(state, move)
    print(game.outcome(state).name)


if __name__ == "__main__":
    main()
