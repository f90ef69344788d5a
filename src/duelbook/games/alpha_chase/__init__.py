ORDER = 1  # of the rule book
