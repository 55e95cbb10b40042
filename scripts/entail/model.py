"""MiniLM as a cross-encoder with low-rank adapters; several models are trained beside each other.

The weights of all-MiniLM-L6-v2 stay as they are and are shared. Each adapted linear layer of
model k computes W x + B_k A_k x with A_k of `rank` rows (LoRA: Hu et al. 2021, arXiv
2106.09685), or (W + D_k) x where all weights are trained. The head reads the mean of the
hidden states of the claim, that of the document, their product and difference, the first
token, and FEATURES numbers about the pair; it gives three logits.
"""

import math

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn

LABELS = ["supported", "not_supported", "contradicted"]
HEADS, DEPTH, EPSILON, WIDTH_OF_HEAD = 12, 6, 1e-12, 32
FEATURES = 5  # overlap, ROUGE-L precision, the formula's degree and its logit, whether there is a degree


class Adapted(nn.Module):
    """A frozen linear layer, shared by all models, and what each model adds to it."""

    def __init__(self, weight, bias, ranks, full, draw):
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
        wide, narrow = weight.shape
        self.full, self.rank = full, max(ranks, default=0)
        if full:
            self.delta = nn.Parameter(torch.zeros(len(ranks), wide, narrow))
        elif self.rank:
            down = torch.stack([draw(k, (self.rank, narrow)) for k in range(len(ranks))]) / math.sqrt(narrow)
            for k, r in enumerate(ranks):
                down[k, r:] = 0  # Rows of zeros with a zero `up` have no gradient: the rank stays r.
            self.down = nn.Parameter(down)
            self.up = nn.Parameter(torch.zeros(len(ranks), wide, self.rank))

    def forward(self, x):
        if self.full:
            return torch.bmm(x, (self.weight.float() + self.delta).to(x.dtype).transpose(1, 2)) + self.bias
        y = F.linear(x, self.weight, self.bias)
        if self.rank:
            y = y + torch.bmm(torch.bmm(x, self.down.to(x.dtype).transpose(1, 2)), self.up.to(x.dtype).transpose(1, 2))
        return y


class Layer(nn.Module):
    """One layer of BERT."""

    def __init__(self, weights, number, ranks, full, draw):
        super().__init__()
        at = f"encoder.layer.{number}."

        def linear(name):
            return Adapted(weights[at + name + ".weight"], weights[at + name + ".bias"], ranks, full, draw)

        self.query = linear("attention.self.query")
        self.key = linear("attention.self.key")
        self.value = linear("attention.self.value")
        self.attended = linear("attention.output.dense")
        self.wide = linear("intermediate.dense")
        self.narrow = linear("output.dense")
        for name, key in [("first", "attention.output.LayerNorm"), ("second", "output.LayerNorm")]:
            self.register_buffer(name + "_scale", weights[at + key + ".weight"])
            self.register_buffer(name + "_shift", weights[at + key + ".bias"])

    def forward(self, x, mask, shape, drop):
        k, b, n = shape
        d = x.shape[-1]

        def split(y):
            return y.view(k * b, n, HEADS, d // HEADS).transpose(1, 2)

        a = F.scaled_dot_product_attention(split(self.query(x)), split(self.key(x)), split(self.value(x)), attn_mask=mask)
        a = F.dropout(self.attended(a.transpose(1, 2).reshape(k, b * n, d)), drop, self.training)
        x = F.layer_norm(x + a, (d,), self.first_scale, self.first_shift, EPSILON)
        a = F.dropout(self.narrow(F.gelu(self.wide(x))), drop, self.training)
        return F.layer_norm(x + a, (d,), self.second_scale, self.second_shift, EPSILON)


class CrossEncoders(nn.Module):
    """As many models as ranks and seeds; `features` says of each model which numbers its head reads."""

    def __init__(self, path, ranks=(0,), seeds=(1,), features=None, full=False, drop=0.1, dtype=torch.float32):
        super().__init__()
        weights = {n: w.to(dtype) for n, w in load_file(path).items() if w.is_floating_point()}
        made = [torch.Generator().manual_seed(s) for s in seeds]

        def draw(k, shape):
            return torch.randn(shape, generator=made[k])

        for name, key in [("words", "word"), ("places", "position"), ("kinds", "token_type")]:
            self.register_buffer(name, weights[f"embeddings.{key}_embeddings.weight"])
        self.register_buffer("scale", weights["embeddings.LayerNorm.weight"])
        self.register_buffer("shift", weights["embeddings.LayerNorm.bias"])
        self.layers = nn.ModuleList(Layer(weights, i, ranks, full, draw) for i in range(DEPTH))
        width, n = self.words.shape[1], len(ranks)
        # The second token type was never trained as a pair's in this model: it gets an addition.
        self.kind = nn.Parameter(torch.zeros(n, 1, 1, width))

        def start(inner, outer):
            return nn.Parameter(torch.stack([draw(k, (inner, outer)) for k in range(n)]) / math.sqrt(3 * inner))

        self.hidden, self.hidden_bias = start(5 * width + FEATURES, WIDTH_OF_HEAD), nn.Parameter(torch.zeros(n, 1, WIDTH_OF_HEAD))
        self.out, self.out_bias = start(WIDTH_OF_HEAD + FEATURES, len(LABELS)), nn.Parameter(torch.zeros(n, 1, len(LABELS)))
        read = torch.ones(n, FEATURES) if features is None else torch.tensor(features, dtype=torch.float32)
        self.register_buffer("read", read[:, None, :])
        self.drop = drop

    def states(self, ids, kinds, mask):
        """The hidden states of batches (model, item, token): token ids, 1 where the claim is, 1 where a token is."""
        k, b, n = ids.shape
        of_claim = kinds.unsqueeze(-1).to(self.words.dtype)
        x = self.words[ids] + self.places[:n] + self.kinds[0]
        x = x + of_claim * (self.kinds[1] - self.kinds[0] + self.kind.to(x.dtype))
        x = F.layer_norm(x, (x.shape[-1],), self.scale, self.shift, EPSILON).view(k, b * n, -1)
        seen = ((1 - mask).to(x.dtype) * -1e4).view(k * b, 1, 1, n).expand(-1, HEADS, n, -1)
        for layer in self.layers:
            x = layer(x, seen, (k, b, n), self.drop)
        return x.view(k, b, n, -1).float()

    def forward(self, ids, kinds, mask, features):
        """Logits (model, item, label)."""
        x = self.states(ids, kinds, mask)

        def mean(of):
            of = of.unsqueeze(-1).float()
            return (x * of).sum(2) / of.sum(2).clamp(min=1)

        claim, document = mean(mask * kinds), mean(mask * (1 - kinds))
        features = features * self.read
        h = torch.cat([x[:, :, 0], claim, document, claim * document, (claim - document).abs()], -1)
        h = torch.cat([F.dropout(h, self.drop, self.training), features], -1)
        h = F.gelu(torch.baddbmm(self.hidden_bias, h, self.hidden))
        return torch.baddbmm(self.out_bias, torch.cat([h, features], -1), self.out)
