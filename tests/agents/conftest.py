"""Fixtures for agents: a model behind an endpoint of the tests, and the command line."""

from tests.support.models import duelbook, serve_model

__all__ = ["duelbook", "serve_model"]
