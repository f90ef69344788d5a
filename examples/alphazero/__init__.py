"""AlphaZero on the games of Duelbook: see README.md."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # self-play has threads of its own; numpy reads this when it loads
