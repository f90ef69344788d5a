"""Fixtures for agents: a model behind an endpoint of the tests, and the command line."""

from tests.support.models import duelbook, seat

__all__ = ["duelbook", "seat"]
