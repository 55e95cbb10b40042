#!/usr/bin/env python3
"""Writes the compact copy of all-MiniLM-L6-v2 that the binary embeds.

usage: weights.py MODEL_FOLDER OUTPUT_FOLDER

MODEL_FOLDER holds model.safetensors in single precision and vocab.txt, as in
the package that fetch.sh unpacks. OUTPUT_FOLDER receives minilm.bin, vocab.txt
and SHA256SUMS. Needs numpy and nothing else.

minilm.bin, all little end first:

  8 bytes   "ASSAYML1"
  6 × u32   words, positions, width, heads, layers, inner width
  1 × u32   group: how many inner units are computed before they are used
  f16       word vectors, one row a word
  f32       position vectors with the vector of token type 0 added
  f32       gain and shift of the first layer norm
  and for each layer
  f32       biases of query, key, value and output; gain and shift of the norm;
            biases of up and down; gain and shift of the norm
  f16       matrices cut into strips of 32 outputs, each of one row an input,
            in the order in which the encoder uses them: for each head query,
            key, value; output; for each group its units of up, then down
            from these units

Only the first 256 positions are kept: the model's tokenizer cuts texts there.
The pooler is left out: sentence-transformers takes the mean instead.
"""
import hashlib
import json
import pathlib
import struct
import sys

import numpy as np

WORDS, POSITIONS, WIDTH, HEADS, LAYERS, INNER, GROUP, STRIP = 30522, 256, 384, 12, 6, 1536, 192, 32


def tensors(path):
    """Reads a safetensors file: its header's length, the header, the data."""
    data = path.read_bytes()
    (size,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + size])
    out = {}
    for name, t in header.items():
        if name == "__metadata__" or t["dtype"] != "F32":
            continue
        begin, end = t["data_offsets"]
        out[name] = np.frombuffer(data[8 + size + begin : 8 + size + end], "<f4").reshape(t["shape"])
    return out


def half(a):
    h = a.astype("<f2")
    assert np.isfinite(h).all()
    return h.tobytes()


def single(a):
    return a.astype("<f4").tobytes()


def strips(weight):
    """weight is [outputs, inputs]: gives the strips of 32 outputs."""
    for i in range(0, len(weight), STRIP):
        yield half(weight[i : i + STRIP].T)


def layer(w, i):
    at = f"encoder.layer.{i}."
    query, key, value = (at + f"attention.self.{n}." for n in ("query", "key", "value"))
    output, norm = at + "attention.output.dense.", at + "attention.output.LayerNorm."
    up, down, last = at + "intermediate.dense.", at + "output.dense.", at + "output.LayerNorm."
    for name in (query, key, value, output):
        yield single(w[name + "bias"])
    yield single(w[norm + "weight"])
    yield single(w[norm + "bias"])
    yield single(w[up + "bias"])
    yield single(w[down + "bias"])
    yield single(w[last + "weight"])
    yield single(w[last + "bias"])
    for h in range(HEADS):
        for name in (query, key, value):
            yield from strips(w[name + "weight"][h * STRIP : (h + 1) * STRIP])
    yield from strips(w[output + "weight"])
    for g in range(0, INNER, GROUP):
        yield from strips(w[up + "weight"][g : g + GROUP])
        yield from strips(w[down + "weight"][:, g : g + GROUP])


def parts(w):
    yield b"ASSAYML1"
    yield struct.pack("<7I", WORDS, POSITIONS, WIDTH, HEADS, LAYERS, INNER, GROUP)
    yield half(w["embeddings.word_embeddings.weight"])
    position = w["embeddings.position_embeddings.weight"][:POSITIONS]
    yield single(position + w["embeddings.token_type_embeddings.weight"][0])
    yield single(w["embeddings.LayerNorm.weight"])
    yield single(w["embeddings.LayerNorm.bias"])
    for i in range(LAYERS):
        yield from layer(w, i)


def main(model, output):
    model, output = pathlib.Path(model), pathlib.Path(output)
    w = tensors(model / "model.safetensors")
    assert w["embeddings.word_embeddings.weight"].shape == (WORDS, WIDTH)
    assert w["encoder.layer.0.intermediate.dense.weight"].shape == (INNER, WIDTH)
    assert WIDTH // HEADS == STRIP
    files = {"minilm.bin": b"".join(parts(w)), "vocab.txt": (model / "vocab.txt").read_bytes()}
    assert len(files["minilm.bin"]) <= 48_000_000
    sums = ""
    for name, data in files.items():
        (output / name).write_bytes(data)
        sums += f"{hashlib.sha256(data).hexdigest()}  {name}\n"
        print(name, len(data), "bytes", file=sys.stderr)
    (output / "SHA256SUMS").write_text(sums)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
