ORDER = 2  # of the rule book
