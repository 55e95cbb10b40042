"""Writes the table of traditional to simplified characters.

usage: simplified.py FOLDER-OF-OPENCC OUTPUT

The first line holds pairs of characters, the second the phrases in which a
character keeps its form or takes another, as TRADITIONAL=SIMPLIFIED. Of several
simplified forms the first is taken, as OpenCC does.
"""

import sys


def read(path):
    table = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                traditional, simplified = line.split("\t")
                table[traditional] = simplified.split(" ")[0]
    return table


folder, output = sys.argv[1:]
characters = {t: s for t, s in read(folder + "/TSCharacters.txt").items() if t != s}
# What a character becomes must not become something else in turn.
for t, s in characters.items():
    while s in characters:
        s = characters[s]
    characters[t] = s
phrases = read(folder + "/TSPhrases.txt")
for t, s in list(characters.items()) + list(phrases.items()):
    if len(t) != len(s):
        sys.exit(f"{t}={s}: expected as many characters on both sides")

with open(output, "w", encoding="utf-8", newline="\n") as f:
    f.write("".join(t + characters[t] for t in sorted(characters)) + "\n")
    f.write(" ".join(f"{t}={phrases[t]}" for t in sorted(phrases)) + "\n")
