"""Write your own agent and measure it against the greedy agent, from both seats."""

from duelbook import Match, Move, ReadOnlyMatch, make, make_agent


class Biggest:
    """Always plays the last legal move: the biggest crystal in Crystal Capture."""

    def choose(self, match: ReadOnlyMatch) -> Move:
        return max(match.game.legal_moves(match.state))


def main(games: int = 100) -> None:
    game = make("crystal-capture")
    for seat in (0, 1):
        wins = 0
        for seed in range(games):
            match, greedy = Match(game), make_agent("greedy", seed)
            while not match.over:
                match.play((Biggest() if match.mover == seat else greedy).choose(match))
            wins += match.outcome == seat
        print(f"As {'first' if seat == 0 else 'second'} player: {wins} wins in {games} games")


if __name__ == "__main__":
    main()
