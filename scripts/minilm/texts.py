"""The texts that the encoder is compared on: edge cases written for this
project, and passages and questions of the shared data."""
import json
import pathlib
import random

EDGES = [
    "This is an example sentence",
    "",
    " ",
    "\t\r\n",
    "a",
    "?",
    "Each sentence is converted",
    "Café naïve, Zürich; déjà vu — ÅNGSTRÖM İstanbul ﬁne ½ ²",
    "Cafe\u0301 nai\u0308ve e\u0323\u0302 \u0301 a\u0301\u0301\u0301b",
    "😀 👩‍👩‍👧‍👦 🇭🇰 👍🏽 ❤️ a😀b",
    "今天天氣很好，我們去香港。",
    "我爱北京天安门 and New York 2026年",
    "東京は日本の首都です。カタカナ ひらがな",
    "한국어 문장입니다. 서울",
    "Привет, мир! Ёлка и Йод",
    "Ελληνικά, Όμηρος; ΣΊΣΥΦΟΣ",
    "שלום עולם, עִבְרִית",
    "مرحبا بالعالم، اللُّغَة العربية",
    "नमस्ते दुनिया, हिन्दी",
    "สวัสดีชาวโลก ภาษาไทย",
    "Tiếng Việt có dấu: Nguyễn Ngọc Ngạn",
    "[CLS] inside [SEP] a [MASK] text [UNK] and [PAD]; [cls] [ CLS ] [[SEP]]",
    "x" * 100,
    "x" * 101,
    "é" * 100 + " " + "e\u0301" * 101,
    "a\u0000b\u0001c\u007fd\u0085e\u00adf\u200bg\u200dh\ufeffi\ufffdj",
    "a\u00a0b\u1680c\u2003d\u2028e\u2029f\u202fg\u205fh\u3000i\u000bj\u000ck\u001cl",
    "don't O'Neill's e-mail@example.com https://example.org/a?b=c&d=%20#e $3.50 50% 1,000,000 ~`^|<>=+",
    "“quotes” ‘single’ «guillemets» …—–‐ ¡hola! ¿qué? §5 ¶ © ® ™ € £ ¥ ° ± × ÷ • · ‰ † ‡",
    "ｆｕｌｌｗｉｄｔｈ １２３ ＡＢＣ，。！？ ｶﾀｶﾅ",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟙𝟚𝟛 ①②③ Ⅷ ㎏ ﷺ",
    "\U00020000\U0002a6df\U0002f800\uf900\u3007\u3400 㐀",
    "internationalization electroencephalography pneumonoultramicroscopicsilicovolcanoconiosis",
    "def f(x): return {'a': [1, 2.5e-3], \"b\": x**2} # comment",
    "UPPER lower MiXeD ǅ Ǆ ẞ ß ſ Ⅻ Ω Å",
    "word " * 300,
    "字" * 400,
    "!" * 300,
    "supercalifragilisticexpialidocious" * 40,
    "one\n\ntwo\n\n\nthree   four\t\tfive",
]


def read(path, count, rng, text):
    rows = [json.loads(line) for line in path.open(encoding="utf-8")]
    return [text(r) for r in rng.sample(rows, min(count, len(rows)))]


def mixed(shared, total):
    """The edge cases and a sample of the shared data, total texts in all."""
    data, rng = pathlib.Path(shared) / "data" / "retrieval", random.Random(20)
    whole = lambda r: (r.get("title", "") + " " + r["text"]).strip()
    out = list(EDGES)
    for name, passages, questions in (("scifact", 300, 100), ("drcd", 150, 70), ("xquad_en", 150, 70)):
        out += read(data / name / "corpus.jsonl", passages, rng, whole)
        out += read(data / name / "queries.jsonl", questions, rng, lambda r: r["text"])
    # Pieces of passages, of every length.
    source = read(data / "scifact" / "corpus.jsonl", 1000, rng, whole)
    while len(out) < total:
        text = rng.choice(source)
        at = rng.randrange(len(text))
        out.append(text[at : at + rng.randrange(1, 400)])
    return out[:total]
