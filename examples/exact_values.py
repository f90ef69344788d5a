"""Print the exact value of a position and of every move in it."""

from duelbook import make, parse_move
from duelbook.solve import solve


def main() -> None:
    game = make("crystal-capture")
    solution = solve(game)
    state = game.initial()
    for name in ("8", "7"):
        state = game.play(state, parse_move(game, state, name))
    print(game.render(state))
    print(f"{solution.value(state).name} for the player to move, in {solution.remoteness(state)} plies")
    for scored in solution.moves(state):
        print(f"{game.move_name(state, scored.move)}: {scored.value.name} in {scored.plies} plies")


if __name__ == "__main__":
    main()
