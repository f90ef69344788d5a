"""Any program as a player: it reads questions and writes answers, one JSON object per line (docs/programs.md)."""

from duelbook.agents.process.agent import ProcessAgent as ProcessAgent
from duelbook.agents.process.kept import KEPT as KEPT
from duelbook.agents.process.settings import read_process_settings as read_process_settings
