"""Agents: built-in ones, programs, and language models behind a test endpoint."""
