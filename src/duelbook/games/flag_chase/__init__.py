ORDER = 5  # of the rule book
