"""Any program as a player: it reads questions and writes answers, one JSON object a line (docs/agents.md)."""

from duelbook.agents.process.agent import Program as Program
from duelbook.agents.process.agent import read_process_settings as read_process_settings
