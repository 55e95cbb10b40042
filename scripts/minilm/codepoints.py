#!/usr/bin/env python3
"""Prints the digest of Hugging Face's word pieces of "a", a character and "b",
for every character of Unicode's first two planes, which TestEveryRune pins.

usage: codepoints.py TOKENIZER_JSON
"""
import hashlib
import struct
import sys

import tokenizers

if len(sys.argv) != 2:
    sys.exit(__doc__)
tokenizer = tokenizers.Tokenizer.from_file(sys.argv[1])
tokenizer.no_truncation()
tokenizer.no_padding()
texts = ["a" + chr(c) + "b" for c in range(0x20000) if not 0xD800 <= c < 0xE000]
digest = hashlib.sha256()
for row in tokenizer.encode_batch(texts):
    digest.update(struct.pack(f"<{len(row.ids)}I", *row.ids))
print(digest.hexdigest(), "tokenizers", tokenizers.__version__)
