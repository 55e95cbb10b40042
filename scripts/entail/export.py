"""Writes a trained model as adapters in half precision, and as an ONNX cross-encoder.

The ONNX file is that of scripts/minilm/fetch.sh with the adapters added to its weights and
the head added to its graph: logits (supported, not_supported, contradicted) of input_ids,
attention_mask, token_type_ids (1 for the claim) and, if the head reads them, shares.

usage: export.py CHECKPOINT MODEL ONNX OUTPUT SHARED
"""

import json
import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from safetensors.torch import load_file, save_file

from model import CrossEncoder
from sources import FAMILIES
from train import SEED, Encoder, padded

LINEAR = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}


def load(checkpoint, folder, halved=None):
    kept = torch.load(checkpoint)
    c = kept["config"]
    model = CrossEncoder(folder, c["rank"], c["first"], c["shares"]).eval()
    model.load_state_dict(halved or kept["trained"], strict=False)
    return model, kept


def patched(model, original, weights):
    """The ONNX graph with the adapters in its weights and the head as its output."""
    graph = original.graph
    arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    new = {}

    def put(old, value):
        names = [n for n, a in arrays.items() if a.shape == old.shape and np.array_equal(a, old)]
        if len(names) != 1:
            raise SystemExit(f"export.py: {len(names)} initializers equal a weight of shape {old.shape}, want one")
        new[names[0]] = value.astype(np.float32)

    with torch.no_grad():
        for n, layer in enumerate(model.layers):
            for name, key in LINEAR.items():
                if getattr(layer, name).rank:
                    put(weights[f"encoder.layer.{n}.{key}.weight"].numpy().T, getattr(layer, name).merged().numpy().T)
        kinds = weights["embeddings.token_type_embeddings.weight"].numpy()
        put(kinds, np.stack([kinds[0], kinds[1] + model.kind.numpy()]))
        head = {k: v.numpy() for k, v in model.state_dict().items() if k.startswith(("hidden", "out"))}
    for i in graph.initializer:
        if i.name in new:
            i.CopyFrom(numpy_helper.from_array(new[i.name], i.name))

    def constant(name, value):
        graph.initializer.append(numpy_helper.from_array(np.asarray(value), "head." + name))
        return "head." + name

    def node(op, inputs, name, **attributes):
        graph.node.append(helper.make_node(op, inputs, ["head." + name], name="head." + name, **attributes))
        return "head." + name

    states = graph.output[0].name
    one, zero = constant("one", np.float32(1)), constant("zero", np.int64(0))
    mask = node("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    claim = node("Mul", [mask, node("Cast", ["token_type_ids"], "kinds", to=TensorProto.FLOAT)], "claim")

    def mean(of, name):
        # The file is of opset 11, in which axes are attributes.
        each = node("Mul", [states, node("Unsqueeze", [of], name + ".wide", axes=[-1])], name + ".each")
        total = node("ReduceSum", [each], name + ".sum", axes=[1], keepdims=0)
        count = node("Max", [node("ReduceSum", [of], name + ".count", axes=[1], keepdims=1), one], name + ".least")
        return node("Div", [total, count], name + ".mean")

    c, d = mean(claim, "of_claim"), mean(node("Sub", [mask, claim], "document"), "of_document")
    parts = [
        node("Gather", [states, zero], "first", axis=1),
        c,
        d,
        node("Mul", [c, d], "product"),
        node("Abs", [node("Sub", [c, d], "minus")], "distance"),
    ]
    more = ["shares"] if model.shares else []
    if more:
        graph.input.append(helper.make_tensor_value_info("shares", TensorProto.FLOAT, ["batch_size", model.shares]))

    def linear(x, name):
        return node(
            "Gemm",
            [x, constant(name + ".weight", head[name + ".weight"]), constant(name + ".bias", head[name + ".bias"])],
            name,
            transB=1,
        )

    h = linear(node("Concat", parts + more, "features", axis=-1), "hidden")
    # x Φ(x), as torch's gelu
    half, root = constant("half", np.float32(0.5)), constant("root", np.float32(np.sqrt(2)))
    phi = node(
        "Mul", [node("Add", [node("Erf", [node("Div", [h, root], "scaled")], "erf"), one], "shifted"), half], "phi"
    )
    h = node("Mul", [h, phi], "active")
    if more:
        h = node("Concat", [h, "shares"], "with_shares", axis=-1)
    graph.node.append(helper.make_node("Identity", [linear(h, "out")], ["logits"], name="logits"))
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch_size", 3]))
    onnx.checker.check_model(original)
    return original


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

Low-rank adapters ({kept["config"]}) and a head for all-MiniLM-L6-v2 (Apache-2.0): document and claim to
supported, not supported, contradicted. {size} bytes in half precision. Made by `scripts/entail/train.py` with
seed {SEED} from {kept["items"]} items: those of the data sets below that are not in the kept fifth, and contrasts made from
their texts by `scripts/entail/contrasts.py`. `scripts/entail/README.md` has the protocol and the figures.

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
    save_file(halved, out / "adapters.safetensors", metadata={k: str(v) for k, v in kept["config"].items()})
    size = (out / "adapters.safetensors").stat().st_size
    if size >= 1 << 20:
        raise SystemExit(f"export.py: the adapters take {size} bytes, want less than 1 MiB")
    # What is exported is what the half precision gives.
    model, _ = load(checkpoint, folder, {k: v.float() for k, v in load_file(out / "adapters.safetensors").items()})
    (out / "card.md").write_text(card(kept, size, shared))
    weights = load_file(pathlib.Path(folder) / "model.safetensors")
    onnx.save(patched(model, onnx.load(onnx_file), weights), out / "model.onnx")

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
