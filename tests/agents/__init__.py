"""Agents from outside: programs, and language models behind a server that speaks their protocol."""
