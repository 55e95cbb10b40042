"""Answers the prompt in its first argument, as promptfoo asks programs."""

import sys

from handbook import answer

print(answer(sys.argv[1]))
