"""A toy game in one folder, to test that a new game gets everything."""
