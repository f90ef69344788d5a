ORDER = 4  # of the rule book
