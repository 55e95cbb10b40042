"""Writes what jiwer says of pairs of texts, a JSON object a line.

usage: pairs.py SHARED

Ten thousand pairs are drawn with a fixed seed: short strings of few letters, whose
alignment is seldom unique, and sentences of words, of Chinese, of both, with emoji,
some of them thousands of tokens long, in which a share was changed. After them
come the pairs of the shared recordings.
"""

import json
import random
import sys

import jiwer

draw = random.Random(20260101)
LETTERS = "abcde"
WORDS = "the a cat dog sat on mat of clubs hearts seven ten to be or not that is it's question".split()
HAN = "我你佢唔係喺度今日要去開會食飯香港大學圖書館放開一二三四五六七八九十"
EMOJI = ["👍", "❤️", "👩‍💻", "🇭🇰", "é", "ﬁ"]


def tokens(kind, n):
    source = {
        "letters": lambda: draw.choice(LETTERS),
        "english": lambda: draw.choice(WORDS),
        "chinese": lambda: draw.choice(HAN),
        "mixed": lambda: draw.choice(HAN) if draw.random() < 0.7 else draw.choice(WORDS),
        "emoji": lambda: draw.choice(EMOJI) if draw.random() < 0.3 else draw.choice(WORDS),
    }[kind]
    return [source() for _ in range(n)]


def changed(reference, kind, share):
    out = []
    for token in reference:
        if draw.random() >= share:
            out.append(token)
            continue
        what = draw.randrange(3)
        if what == 0:
            out += tokens(kind, 1)
        elif what == 1:
            out += [token] + tokens(kind, 1)
    return out


def pairs(n):
    kinds = ["letters", "english", "chinese", "mixed", "emoji"]
    for i in range(n):
        kind = kinds[i % len(kinds)]
        if i % 500 == 499:
            size = draw.randrange(1000, 3000)
        elif kind == "letters":
            size = draw.randrange(0, 12)
        else:
            size = draw.randrange(0, 40)
        reference = tokens(kind, size)
        if kind == "letters" or draw.random() < 0.1:
            hypothesis = tokens(kind, draw.randrange(0, 12))
        else:
            hypothesis = changed(reference, kind, draw.random() ** 2)
        yield kind, reference, hypothesis


def say(name, unit, reference, hypothesis, r):
    rate = r.wer if unit == "words" else r.cer
    print(json.dumps({
        "name": name, "unit": unit, "reference": reference, "hypothesis": hypothesis,
        "hits": r.hits, "substitutions": r.substitutions, "deletions": r.deletions, "insertions": r.insertions, "rate": rate,
        **({"mer": r.mer, "wil": r.wil, "wip": r.wip} if unit == "words" else {}),
    }, ensure_ascii=False))


def both(name, reference, hypothesis):
    say(name, "words", reference, hypothesis, jiwer.process_words(reference, hypothesis))


shared = sys.argv[1]
for i, (kind, reference, hypothesis) in enumerate(pairs(10000)):
    if kind == "chinese":
        # Characters are compared without spaces, which jiwer counts.
        r, h = "".join(reference), "".join(hypothesis)
        say(f"{kind} {i}", "characters", r, h, jiwer.process_characters(r, h))
    else:
        both(f"{kind} {i}", " ".join(reference), " ".join(hypothesis))

with open(shared + "/data/speech/results/pocketsphinx_debian_0.8+5prealpha.json", encoding="utf-8") as f:
    for case in json.load(f):
        both("pocketsphinx " + case["file"], case["ref"], case["hyp"])


def sphinx(path):
    out = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            text, _, name = line.strip().rpartition("(")
            out[name.rstrip(")").split()[0]] = text.replace("<s>", "").replace("</s>", "").strip()
    return out


for folder, references, results in (("librivox", "transcription", "test-lm.match"), ("cards", "cards.transcription", "cards.hyp")):
    said, heard = (sphinx(f"{shared}/data/speech/{folder}/{name}") for name in (references, results))
    for name in said:
        both(f"{folder} {name}", said[name], heard[name])
