"""MiniLM as a cross-encoder with low-rank adapters.

The weights of all-MiniLM-L6-v2 stay as they are. Each adapted linear layer computes
W x + (scale) B A x with A of `rank` rows (LoRA: Hu et al. 2021, arXiv 2106.09685).
The head reads the mean of the hidden states of the claim, that of the document, their
product and difference, and the first token, and on request two shares of words; it
gives three logits.
"""

import json
import math
import pathlib

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn

LABELS = ["supported", "not_supported", "contradicted"]
HEADS, EPSILON = 12, 1e-12


class Adapted(nn.Module):
    """A frozen linear layer with a low-rank addition; rank 0 adds nothing."""

    def __init__(self, weight, bias, rank):
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
        self.rank = rank
        if rank:
            self.down = nn.Parameter(torch.randn(rank, weight.shape[1]) / math.sqrt(weight.shape[1]))
            self.up = nn.Parameter(torch.zeros(weight.shape[0], rank))

    def forward(self, x):
        y = F.linear(x, self.weight, self.bias)
        if self.rank:
            y = y + F.linear(F.linear(x, self.down), self.up)
        return y


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self, weights, number, rank):
        super().__init__()
        at = f"encoder.layer.{number}."

        def linear(name, adapted):
            return Adapted(weights[at + name + ".weight"], weights[at + name + ".bias"], rank if adapted else 0)

        self.query = linear("attention.self.query", True)
        self.key = linear("attention.self.key", True)
        self.value = linear("attention.self.value", True)
        self.attended = linear("attention.output.dense", True)
        self.wide = linear("intermediate.dense", True)
        self.narrow = linear("output.dense", True)
        for name, key in [("first", "attention.output.LayerNorm"), ("second", "output.LayerNorm")]:
            self.register_buffer(name + "_scale", weights[at + key + ".weight"])
            self.register_buffer(name + "_shift", weights[at + key + ".bias"])

    def forward(self, x, mask, drop):
        b, n, d = x.shape

        def split(y):
            return y.view(b, n, HEADS, d // HEADS).transpose(1, 2)

        a = F.scaled_dot_product_attention(
            split(self.query(x)), split(self.key(x)), split(self.value(x)), attn_mask=mask
        )
        a = F.dropout(self.attended(a.transpose(1, 2).reshape(b, n, d)), drop, self.training)
        x = F.layer_norm(x + a, (d,), self.first_scale, self.first_shift, EPSILON)
        a = F.dropout(self.narrow(F.gelu(self.wide(x))), drop, self.training)
        return F.layer_norm(x + a, (d,), self.second_scale, self.second_shift, EPSILON)


class CrossEncoder(nn.Module):
    """MiniLM with adapters of `rank` in the layers from `first` on, and a head that reads `shares` more numbers."""

    def __init__(self, folder, rank=8, first=0, shares=0, drop=0.1, width_of_head=32):
        super().__init__()
        folder = pathlib.Path(folder)
        weights = load_file(folder / "model.safetensors")
        config = json.loads((folder / "config.json").read_text())
        width, depth = config["hidden_size"], config["num_hidden_layers"]
        for name, key in [
            ("words", "word_embeddings"),
            ("places", "position_embeddings"),
            ("kinds", "token_type_embeddings"),
        ]:
            self.register_buffer(name, weights[f"embeddings.{key}.weight"])
        self.register_buffer("scale", weights["embeddings.LayerNorm.weight"])
        self.register_buffer("shift", weights["embeddings.LayerNorm.bias"])
        self.layers = nn.ModuleList(Layer(weights, i, rank if i >= first else 0) for i in range(depth))
        # The second token type was never trained as a pair's in this model: it gets an addition.
        self.kind = nn.Parameter(torch.zeros(width))
        self.hidden = nn.Linear(5 * width + shares, width_of_head)
        self.out = nn.Linear(width_of_head + shares, len(LABELS))
        self.shares = shares
        self.drop = drop

    def states(self, ids, kinds, mask):
        """The hidden states of a batch: token ids, 1 where the claim is, 1 where a token is."""
        of_claim = kinds.unsqueeze(-1).to(self.words.dtype)
        x = (
            self.words[ids]
            + self.places[: ids.shape[1]]
            + self.kinds[0]
            + of_claim * (self.kinds[1] - self.kinds[0] + self.kind)
        )
        x = F.layer_norm(x, (x.shape[-1],), self.scale, self.shift, EPSILON)
        far = (1.0 - mask.to(x.dtype))[:, None, None, :] * -1e4
        for layer in self.layers:
            x = layer(x, far, self.drop)
        return x.float()

    def forward(self, ids, kinds, mask, shares=None):
        """Logits of a batch, as states; shares are the shares of words, if the head reads them."""
        x = self.states(ids, kinds, mask)

        def mean(of):
            of = of.unsqueeze(-1).float()
            return (x * of).sum(1) / of.sum(1).clamp(min=1)

        claim, document = mean(mask * kinds), mean(mask * (1 - kinds))
        h = torch.cat([x[:, 0], claim, document, claim * document, (claim - document).abs()], -1)
        h = F.dropout(h, self.drop, self.training)
        if not self.shares:
            return self.out(F.gelu(self.hidden(h)))
        h = F.gelu(self.hidden(torch.cat([h, shares], -1)))
        return self.out(torch.cat([h, shares], -1))

    def trained(self):
        """The names and values of what is trained."""
        return {n: p.detach() for n, p in self.named_parameters()}
