ORDER = 3  # of the rule book
