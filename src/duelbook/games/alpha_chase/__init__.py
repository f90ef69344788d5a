ORDER = 1  # of the rule book
GOAL_MOVES_PER_SECOND = 20e6  # compiled, on one core of the reference machine
