"""What operators do with a store: back it up, copy it, check it."""
