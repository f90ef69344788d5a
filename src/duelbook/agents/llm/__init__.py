"""Language models as players, behind any endpoint that speaks chat completions (docs/agents.md)."""

from duelbook.agents.llm.desk import Desk as Desk
from duelbook.agents.llm.desk import shared_desk as shared_desk
from duelbook.agents.llm.exchanges import log_beside as log_beside
from duelbook.agents.llm.exchanges import read_exchanges as read_exchanges
from duelbook.agents.llm.player import Model as Model
from duelbook.agents.llm.settings import read_llm_settings as read_llm_settings
from duelbook.agents.llm.spending import SpentError as SpentError
