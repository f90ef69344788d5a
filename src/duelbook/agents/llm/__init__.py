"""Language models as players, behind any endpoint that speaks chat completions (docs/agents.md)."""

from duelbook.agents.llm.agent import Model as Model
from duelbook.agents.llm.budget import SpentError as SpentError
from duelbook.agents.llm.client import Desk as Desk
from duelbook.agents.llm.client import shared_desk as shared_desk
from duelbook.agents.llm.log import log_beside as log_beside
from duelbook.agents.llm.log import read_exchanges as read_exchanges
from duelbook.agents.llm.settings import read_llm_settings as read_llm_settings
