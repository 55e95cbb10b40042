"""Writes metric/text/testdata/reference_tools.json: what sacreBLEU and
rouge-score say of pairs of texts, which the Go metrics must equal.

    pip install sacrebleu==2.6.0 rouge-score==0.1.2 regex
    python3 scripts/oracles/text_metrics.py metric/text/testdata/reference_tools.json

The pairs are drawn from a fixed seed; a pair is kept for a tool only when both
define the same thing for it (see "scores").
"""

import json
import random
import sys
from importlib.metadata import version

import regex
from rouge_score import rouge_scorer
from sacrebleu.metrics import BLEU, CHRF

PAIRS = 400
MIXED_PAIRS = 200
ENGLISH = """the a of in it is was on cat mat sat Paris France capital Eiffel Tower built 1889 tall
rose 3.09% 1,200,000 riders, stations. don't can't U.S. (see e.g.) "quoted" well-known x-ray semi- 2010-2015 &amp; $5 a/b
[1] it's end! why? C++ foo_bar -5 ... '' <tag> a,b 1.5.2 ;: @home #tag x=y {z} ~ ^ | \\ `code`""".split()
CHINESE = list("今天天氣很好香港大學圖書館開放九龍灣站票價上升的是在有人") + ["，", "。", "！", "？", "「", "」", "MTR", "3.09%", "2024", "Octopus"]
OTHER = """été naïve Straße Ελλάδα София привет мир مرحبا שלום नमस्ते दुनिया ไทย Việt İstanbul ﬁne
“curly” ‘quotes’ – — … 😀 👩‍💻 e\u0301 ½ ² № € £""".split()
# The ends of the ranges of sacreBLEU's tokenizer zh, with the characters next to
# them, and what else the tokenizers treat apart.
ENDS = "".join(map(chr, (
    0x2000, 0x2001, 0x2A6D, 0x2A6E, 0x2E7F, 0x2E80, 0x2EFF, 0x2F00, 0x2F80, 0x2F81, 0x2FA1, 0x2FDF, 0x2FE0, 0x2FEF, 0x2FF0, 0x303F, 0x3040,
    0x30FF, 0x3100, 0x312F, 0x3130, 0x319F, 0x31A0, 0x31BF, 0x31C0, 0x31EF, 0x31F0, 0x31FF, 0x3200, 0x33FF, 0x3400, 0x4DB5, 0x4DB6, 0x4DFF,
    0x4E00, 0x9FA5, 0x9FA6, 0x9FBB, 0x9FBC, 0xF8FF, 0xF900, 0xFA2D, 0xFA2E, 0xFA30, 0xFA6A, 0xFA6B, 0xFA70, 0xFAD9, 0xFADA, 0xFE0F, 0xFE10,
    0xFE1F, 0xFE20, 0xFE2F, 0xFE30, 0xFE4F, 0xFE50, 0xFEFF, 0xFF00, 0xFFEF, 0xFFF0, 0x20000, 0x2A6D6, 0x2F800, 0x2FA1D, 0x1C, 0x85, 0xA0)))
MIXED = list("今天好" * 8 + "１Ａ，。—–…“”‘’①★☃、〇々カん한a1.-,'" + ENDS) + ["&amp;", "&lt;", "<skipped>", "-\n", "\n", " ", "3.5", ",a", "MTR"]


def text(rng, vocabulary, most):
    words = [rng.choice(vocabulary) for _ in range(rng.randint(0, most))]
    glue = rng.choice(["", " "]) if vocabulary in (CHINESE, MIXED) else rng.choice([" ", " ", " ", "  ", "\n"])
    return glue.join(words)


def edited(rng, s, vocabulary):
    """A text that shares most of s, as answers and references do."""
    words = list(s) if vocabulary in (CHINESE, MIXED) else s.split(" ")
    out = []
    for w in words:
        dice = rng.random()
        if dice < 0.12:
            continue
        out.append(rng.choice(vocabulary) if dice < 0.3 else w)
        if dice > 0.93:
            out.append(rng.choice(vocabulary))
    if rng.random() < 0.15:
        rng.shuffle(out)
    return ("" if vocabulary in (CHINESE, MIXED) else " ").join(out)


def main(path):
    rng = random.Random(20240625)
    bleu = {t: BLEU(effective_order=True, tokenize=t) for t in ("13a", "zh")}
    chrf = CHRF(word_order=2)
    rouge = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
    pairs = []
    for i in range(PAIRS + MIXED_PAIRS):
        name, vocabulary = [("english", ENGLISH), ("english", ENGLISH), ("chinese", CHINESE), ("other", OTHER)][i % 4]
        if i >= PAIRS:
            name, vocabulary = "mixed", MIXED
        ref = text(rng, vocabulary, rng.choice([1, 3, 8, 30]))
        hyp = edited(rng, ref, vocabulary) if rng.random() < 0.8 else text(rng, vocabulary, 12)
        scores = {"chrf": chrf.sentence_score(hyp, [ref]).score}
        # What the metric chooses by itself for a question without Han characters.
        scores["bleu"] = bleu["zh" if regex.search(r"\p{Han}", ref) else "13a"].sentence_score(hyp, [ref]).score
        if name in ("chinese", "mixed"):
            for tokenizer, by in bleu.items():
                scores[f"bleu({tokenizer})"] = by.sentence_score(hyp, [ref]).score
        # rouge-score drops all but a-z and 0-9, and splits at underscores.
        if (ref + hyp).isascii() and "_" not in ref + hyp:
            r = rouge.score(ref, hyp)
            for k, n in (("rouge1", "rouge_1"), ("rouge2", "rouge_2"), ("rougeL", "rouge_l")):
                scores[n] = [r[k].fmeasure, r[k].precision, r[k].recall]
        pairs.append({"kind": name, "answer": hyp, "reference": ref, "scores": scores})
    tools = {p: version(p) for p in ("sacrebleu", "rouge-score")}
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"made_by": "scripts/oracles/text_metrics.py", "tools": %s, "pairs": [\n' % json.dumps(tools))
        f.write(",\n".join(json.dumps(p, ensure_ascii=False) for p in pairs))
        f.write("\n]}\n")


main(sys.argv[1])
