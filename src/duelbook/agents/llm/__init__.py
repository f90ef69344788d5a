"""Language models as players, behind any endpoint that offers chat completions (docs/agents.md)."""

from duelbook.agents.llm.agent import LlmAgent as LlmAgent
from duelbook.agents.llm.agent import read_exchange as read_exchange
from duelbook.agents.llm.budget import BudgetSpentError as BudgetSpentError
from duelbook.agents.llm.budget import shared_budget as shared_budget
from duelbook.agents.llm.budget import stop_requests as stop_requests
from duelbook.agents.llm.client import RESUME_LOG as RESUME_LOG
from duelbook.agents.llm.client import ModelClient as ModelClient
from duelbook.agents.llm.client import shared_client as shared_client
from duelbook.agents.llm.log import Exchange as Exchange
from duelbook.agents.llm.log import cut_last_line as cut_last_line
from duelbook.agents.llm.log import log_beside as log_beside
from duelbook.agents.llm.log import read_exchanges as read_exchanges
from duelbook.agents.llm.reading import ModelReply as ModelReply
from duelbook.agents.llm.reading import ReplyVerdict as ReplyVerdict
from duelbook.agents.llm.reading import read_reply as read_reply
from duelbook.agents.llm.replies import count_readings as count_readings
from duelbook.agents.llm.replies import count_replies as count_replies
from duelbook.agents.llm.settings import LlmSettings as LlmSettings
from duelbook.agents.llm.settings import Reading as Reading
from duelbook.agents.llm.settings import read_llm_settings as read_llm_settings
