"""A sixth game in one folder: the test that a new game gets everything."""
