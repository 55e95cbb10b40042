"""Makes an ONNX cross-encoder from adapters. Needs no torch.

The ONNX file is that of scripts/minilm/fetch.sh with the adapters added to its weights and
the head added to its graph: logits (supported, not_supported, contradicted) of input_ids,
attention_mask, token_type_ids (1 for the claim) and, if the head reads them, shares.

usage: merge.py ADAPTERS MODEL ONNX OUTPUT
"""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

DEPTH = 6
LINEAR = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}


def merged(adapters, original, weights):
    """The ONNX graph with the adapters in its weights and the head as its output."""
    graph = original.graph
    arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    new = {}

    def put(old, value):
        names = [n for n, a in arrays.items() if a.shape == old.shape and np.array_equal(a, old)]
        if len(names) != 1:
            raise SystemExit(f"merge.py: {len(names)} initializers equal a weight of shape {old.shape}, want one")
        new[names[0]] = value.astype(np.float32)

    for n in range(DEPTH):
        for name, key in LINEAR.items():
            at = f"layers.{n}.{name}."
            if at + "up" in adapters:
                old = weights[f"encoder.layer.{n}.{key}.weight"]
                put(old.T, (old + adapters[at + "up"] @ adapters[at + "down"]).T)
    kinds = weights["embeddings.token_type_embeddings.weight"]
    put(kinds, np.stack([kinds[0], kinds[1] + adapters["kind"]]))
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
    # The head reads five vectors, and shares of words if there is more.
    more_numbers = adapters["hidden.weight"].shape[1] - 5 * kinds.shape[1]
    more = ["shares"] if more_numbers else []
    if more:
        graph.input.append(helper.make_tensor_value_info("shares", TensorProto.FLOAT, ["batch_size", more_numbers]))

    def linear(x, name):
        return node(
            "Gemm",
            [
                x,
                constant(name + ".weight", adapters[name + ".weight"]),
                constant(name + ".bias", adapters[name + ".bias"]),
            ],
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


def merge(adapters, folder, onnx_file, output):
    """Writes the ONNX file for a file of adapters; folder has the weights that both add to."""
    values = {k: v.astype(np.float32) for k, v in load_file(adapters).items()}
    weights = load_file(pathlib.Path(folder) / "model.safetensors")
    onnx.save(merged(values, onnx.load(onnx_file), weights), output)


if __name__ == "__main__":
    merge(*sys.argv[1:5])
