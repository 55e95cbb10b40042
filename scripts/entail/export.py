"""Writes a trained model as adapters in half precision, and as an ONNX cross-encoder.

merge.py makes the ONNX file; its logits are compared with torch's.

usage: export.py CHECKPOINT MODEL ONNX OUTPUT SHARED
"""

import json
import pathlib
import sys

import numpy as np
import onnxruntime
import torch
from safetensors.torch import load_file, save_file

from merge import merge
from model import CrossEncoder
from sources import FAMILIES
from train import SEED, Encoder, padded


def load(checkpoint, folder, halved=None):
    kept = torch.load(checkpoint)
    c = kept["config"]
    model = CrossEncoder(folder, c["rank"], c["first"], c["shares"]).eval()
    model.load_state_dict(halved or kept["trained"], strict=False)
    return model, kept


def card(kept, size, shared):
    """What the adapters are, what they were trained on and under which licences."""
    rows = []
    for s in [s for f in kept["families"] for s in FAMILIES[f]]:
        folder = "answers" if s == "begin" else "support"
        with (pathlib.Path(shared) / "data" / folder / f"{s}.jsonl").open(encoding="utf-8") as f:
            row = json.loads(f.readline())
        rows.append(
            f"| {s} | {row['license']} | {row.get('source', '').split(':')[0] or 'google/BEGIN-dataset@6e65f0d5'} |"
        )
    return (
        f"""# Adapters of MiniLM for entailment

Low-rank adapters and a head for all-MiniLM-L6-v2 (Apache-2.0), {kept["config"]}:
document and claim to supported, not supported, contradicted. {size} bytes in half precision. Made by `scripts/entail/train.py` with
seed {SEED} from {kept["items"]} items: those of the data sets below that are not in the kept fifth, and contrasts made from
their texts by `scripts/entail/contrasts.py`. `scripts/entail/README.md` has the protocol, and `results.md` beside it
the figures: by the protocol the model is no judge of support.

Texts under share-alike licences (CC-BY-SA: Wikipedia, SNLI, SQuAD) were used for training. No text is part of the adapters.

| data set | licence | from |
|---|---|---|
"""
        + "\n".join(rows)
        + "\n"
    )


def main():
    checkpoint, folder, onnx_file, out, shared = sys.argv[1:6]
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    _, kept = load(checkpoint, folder)
    halved = {k: v.half().contiguous() for k, v in kept["trained"].items()}
    save_file(halved, out / "adapters.safetensors", metadata={"config": json.dumps(kept["config"])})
    size = (out / "adapters.safetensors").stat().st_size
    if size >= 1 << 20:
        raise SystemExit(f"export.py: the adapters take {size} bytes, want less than 1 MiB")
    # What is exported is what the half precision gives.
    model, _ = load(checkpoint, folder, {k: v.float() for k, v in load_file(out / "adapters.safetensors").items()})
    (out / "card.md").write_text(card(kept, size, shared))
    merge(out / "adapters.safetensors", folder, onnx_file, out / "model.onnx")

    encoder = Encoder(folder)
    pairs = [
        ("Acme sued Borel in Paris.", "Borel sued Acme."),
        ("The fee may rise in spring, the council said.", "The fee will rise."),
        ("The firm was founded in 1957 in Lyon. It has two offices.", "The firm was founded in Lyon."),
    ]
    rows = [encoder.windows(*encoder.ids([d, c]), 256)[0] for d, c in pairs]
    ids, kinds, mask = padded(rows)
    shares = torch.full((len(rows), model.shares), 0.5)
    with torch.no_grad():
        want = model(ids, kinds, mask, shares).numpy()
    session = onnxruntime.InferenceSession(out / "model.onnx", providers=["CPUExecutionProvider"])
    feed = {"input_ids": ids.numpy(), "attention_mask": mask.numpy(), "token_type_ids": kinds.numpy()}
    if model.shares:
        feed["shares"] = shares.numpy()
    got = session.run(["logits"], feed)[0]
    worst = float(np.abs(got - want).max())
    if worst > 1e-3:
        raise SystemExit(f"export.py: the logits of ONNX differ by {worst}, want at most 0.001")
    print(f"adapters {size} bytes, {len(halved)} tensors; ONNX and torch differ by at most {worst:.2g}")


if __name__ == "__main__":
    main()
