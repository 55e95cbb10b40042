"""Scores the lines of two files by words and by characters with jiwer as its README does,
and prints the counts of the words."""
import json
import sys
from importlib.metadata import version

import jiwer

references, hypotheses = ([line.rstrip("\n") for line in open(name, encoding="utf-8")] for name in sys.argv[1:3])
words = jiwer.process_words(references, hypotheses)
jiwer.process_characters(references, hypotheses)
print(json.dumps({"version": version("jiwer"), "hits": words.hits, "substitutions": words.substitutions, "deletions": words.deletions, "insertions": words.insertions}))
