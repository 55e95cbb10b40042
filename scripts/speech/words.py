"""Writes the dictionary of Chinese words with their frequencies.

usage: words.py DICTIONARY OUTPUT

A line is a word and its frequency, sorted by word. Words with anything but Han
characters are left out, and so are those longer than eight characters.
"""

import gzip
import sys

source, output = sys.argv[1:]
words = {}
with open(source, encoding="utf-8") as lines:
    for line in lines:
        fields = line.split(" ")
        word = fields[0]
        if len(fields) >= 2 and len(word) <= 8 and all("㐀" <= c <= "䶿" or "一" <= c <= "鿿" for c in word):
            words[word] = max(words.get(word, 0), int(fields[1]))
text = "".join(f"{w} {words[w]}\n" for w in sorted(words))
with open(output, "wb") as f, gzip.GzipFile("", "wb", 9, f, mtime=0) as z:
    z.write(text.encode("utf-8"))
