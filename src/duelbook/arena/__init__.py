"""Measuring agents: matches, tournaments, ratings and reports. Nothing here prints."""
