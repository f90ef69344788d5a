"""Playing: a table, where a match is played, and a session, the dialogue with it. Nothing here prints or reads."""
