"""Scores texts of PDF files against the same manual in HTML, for measure.sh: the F1 of words
(of characters in Chinese and Japanese), and of four words in a row.
usage: score.py FOLDER READER..."""
import glob
import gzip
import re
import sys
import unicodedata
from collections import Counter
from html.parser import HTMLParser

root, readers = sys.argv[1], sys.argv[2:]
share = root + "/root/usr/share/"
BLOCKS = {"p", "div", "li", "td", "th", "tr", "br", "h1", "h2", "h3", "h4", "dt", "dd", "pre", "table", "ul"}


class Text(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.out, self.skip = [], 0

    def handle_starttag(self, tag, attrs):
        self.skip += tag in ("script", "style", "head")
        if tag in BLOCKS:
            self.out.append("\n")

    def handle_endtag(self, tag):
        self.skip -= tag in ("script", "style", "head")
        if tag in BLOCKS:
            self.out.append("\n")

    def handle_data(self, data):
        if self.skip <= 0:
            self.out.append(data)


def html(pattern):
    text = []
    for file in sorted(glob.glob(share + pattern)):
        raw = open(file, "rb").read()
        charset = re.search(rb"charset=[\"']?([\w-]+)", raw[:2000])
        parser = Text()
        parser.feed(raw.decode(charset.group(1).decode() if charset else "utf-8", "replace"))
        text += parser.out + ["\n"]
    return "".join(text)


def packed(file):
    return gzip.open(share + file, "rt", encoding="utf-8", errors="replace").read()


truth = {
    "developers-reference": packed("developers-reference/developers-reference.txt.gz"),
    "policy": packed("doc/debian-policy/policy.txt.gz"),
    "bash": html("doc/bash/bash.html"),
    "bashref": html("doc/bash/bashref.html"),
    "fhs-3.0": html("doc/debian-policy/fhs/fhs-3.0.html"),
    "debian-faq.en": html("doc/debian/FAQ/*.en.html"),
    "maint-guide.en": html("doc/maint-guide/html/*.en.html"),
    "maint-guide.zh-cn": html("doc/maint-guide-zh-cn/html/*.zh-cn.html"),
    "shared-mime-info-spec": html("doc/shared-mime-info/shared-mime-info-spec.html/*.html"),
}
truth |= {f"debian-reference.{l}": html(f"debian-reference/*.{l}.html") for l in ("en", "zh-cn", "ja")}
truth |= {f"R-{n}": html(f"R/doc/manual/R-{n}.html") for n in ("intro", "exts", "lang")}
truth |= {f"install.{l}": html(f"doc/installation-guide-amd64/{l}/*.html") for l in ("de", "ru", "ko", "vi", "zh_CN")}

CJK = "\u3040-\u30ff\u3400-\u9fff"


def words(text):
    text = re.sub("(?<=[^\\W\\d_])[-\u2010\x02]\r?\n(?=[^\\W\\d_])", "", text)
    return re.findall(f"[{CJK}]|[^\\W_{CJK}]+", unicodedata.normalize("NFKC", text).lower().replace("\u00ad", ""))


def f1(got, want, n):
    a, b = (Counter(tuple(w[i : i + n]) for i in range(len(w) - n + 1)) for w in (got, want))
    both = 2 * (a & b).total()
    return both and both / (a.total() + b.total())


total = Counter()
for name, text in sorted(truth.items()):
    want, row = words(text), []
    for reader in readers:
        got = words(open(f"{root}/out/{reader}/{name}.pdf.txt", encoding="utf-8", errors="replace", newline="").read())
        for n in (1, 4):
            total[reader, n] += (v := f1(got, want, n))
            row.append(f"{reader} {n}: {v:.3f}")
    print(f"{name:24}", *row)
print("mean", *(f"{reader} {n}: {total[reader, n] / len(truth):.3f}" for reader in readers for n in (1, 4)))
