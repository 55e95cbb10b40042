"""Reads the verdicts of a local causal model: the reply is begun, and the probability of each
verdict is that of its tokens, so that every reply is usable.

usage: score.py MODEL JOBS OUT [--limit N]

MODEL is a folder of transformers or a GGUF file, JOBS a file of pack.py, also as .xz. OUT gets a
line a job: the probabilities of the verdicts, or the text.
"""

import argparse
import collections
import functools
import json
import lzma
import os
import time

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

# LONGEST is the window of the model in tokens; a longer prompt is left out and counted.
LONGEST = 8192


def load(path, device):
    """Returns the tokenizer and the model."""
    where = {}
    if path.endswith(".gguf"):
        path, where = os.path.dirname(os.path.abspath(path)), {"gguf_file": os.path.basename(path)}
    tokenizer = AutoTokenizer.from_pretrained(path, **where)
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    model = AutoModelForCausalLM.from_pretrained(path, dtype=dtype, attn_implementation="sdpa", **where)
    return tokenizer, model.to(device).eval()


def prompt(tokenizer, job):
    """Returns the prompt in the form of the model's chats."""
    messages = [{"role": "system", "content": job["system"]}, {"role": "user", "content": job["user"]}]
    return tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)


def prepare(tokenizer, jobs):
    """Adds the tokens to jobs: "ids" before the verdict and "ends", those of each verdict."""
    every = tokenizer([prompt(tokenizer, job) for job in jobs], add_special_tokens=False)["input_ids"]

    @functools.cache
    def tokens(text):
        return tokenizer(text, add_special_tokens=False)["input_ids"] if text else []

    for job, ids in zip(jobs, every):
        if "options" not in job:
            job["ids"] = ids + tokens(job["begin"])
            continue
        replies = [tokens(job["begin"] + o + job["end"]) for o in job["options"]]
        same = 0
        while all(len(r) > same + 1 for r in replies) and len({r[same] for r in replies}) == 1:
            same += 1
        job["ids"], job["ends"] = ids + replies[0][:same], [tuple(r[same:]) for r in replies]


def batches(jobs, budget):
    """Yields jobs of about the same length, as many as the budget of tokens takes."""
    batch = []
    for job in sorted(jobs, key=lambda j: -len(j["ids"])):
        if batch and len(batch[0]["ids"]) * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(job)
    if batch:
        yield batch


def budget(device, ends):
    """Returns how many tokens a batch may have. Without a GPU all verdicts are one batch and texts are alone."""
    if device == "cuda":
        return 1 << 17 if ends else 1 << 19
    return 1 << 62 if ends else 1


def padded(batch, pad, device):
    """Returns the tokens, padded on the left, and their mask."""
    longest = max(len(j["ids"]) for j in batch)
    ids = torch.tensor([[pad] * (longest - len(j["ids"])) + j["ids"] for j in batch], device=device)
    mask = torch.tensor([[0] * (longest - len(j["ids"])) + [1] * len(j["ids"]) for j in batch], device=device)
    return ids, mask


@torch.inference_mode()
def verdicts(model, batch, pad, device):
    """Returns the log probability of each verdict of each job; they have the same verdicts."""
    ids, mask = padded(batch, pad, device)
    places = (mask.cumsum(1) - 1).clamp(min=0)
    out = model.model(input_ids=ids, attention_mask=mask, position_ids=places, use_cache=True)
    return ended(model, out, batch[0]["ends"], mask)


@torch.inference_mode()
def ended(model, out, ends, mask):
    """Returns the log probability of each end after what the model has read."""
    cache = out.past_key_values
    first = torch.log_softmax(model.lm_head(out.last_hidden_state[:, -1]).float(), -1)
    sums = []
    for end in ends:
        total = first[:, end[0]].clone()
        if len(end) > 1:
            more = torch.tensor([end[:-1]] * len(mask), device=mask.device)
            longer = torch.cat([mask, torch.ones_like(more)], 1)
            at = mask.sum(1, keepdim=True) + torch.arange(more.shape[1], device=mask.device)
            out = model.model(input_ids=more, attention_mask=longer, position_ids=at, past_key_values=cache, use_cache=True)
            said = torch.log_softmax(model.lm_head(out.last_hidden_state).float(), -1)
            for k, token in enumerate(end[1:]):
                total += said[:, k, token]
            cache.crop(-more.shape[1])
        sums.append(total)
    return torch.stack(sums, 1).cpu().tolist()


@torch.inference_mode()
def continued(model, jobs):
    """Yields each job with the log probabilities of its verdicts, one job at a time. What a prompt
    has in common with the one before is not read again, which makes a processor fast enough."""
    cache, held = DynamicCache(), []
    for job in sorted(jobs, key=lambda j: j["ids"]):
        ids = job["ids"]
        same = next((k for k, (a, b) in enumerate(zip(held, ids[:-1])) if a != b), min(len(held), len(ids) - 1))
        if not same:
            cache = DynamicCache()
        elif same < len(held):
            cache.crop(same - len(held))
        out = model.model(input_ids=torch.tensor([ids[same:]]), past_key_values=cache, use_cache=True)
        held = ids
        yield job, ended(model, out, job["ends"], torch.ones(1, len(ids), dtype=torch.long))[0]


@torch.inference_mode()
def texts(model, tokenizer, batch, pad, device):
    """Returns what the model goes on with."""
    ids, mask = padded(batch, pad, device)
    out = model.generate(input_ids=ids, attention_mask=mask, max_new_tokens=batch[0]["tokens"], do_sample=False, pad_token_id=pad)
    return tokenizer.batch_decode(out[:, ids.shape[1]:], skip_special_tokens=True)


def limited(jobs, n):
    """Returns the first n jobs of each task, version and reading."""
    seen = collections.Counter()
    out = []
    for job in jobs:
        form = job["task"], job["version"], job["read"]
        seen[form] += 1
        if seen[form] <= n:
            out.append(job)
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("model")
    p.add_argument("jobs")
    p.add_argument("out")
    p.add_argument("--limit", type=int)
    p.add_argument("--seconds", type=float, default=1e9, help="stop to begin batches after this time; what is left is counted")
    o = p.parse_args()
    began = time.monotonic()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer, model = load(o.model, device)
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    with (lzma.open if o.jobs.endswith(".xz") else open)(o.jobs, "rt", encoding="utf-8") as f:
        jobs = [json.loads(line) for line in f]
    if o.limit:
        jobs = limited(jobs, o.limit)
    long = 0
    forms = collections.defaultdict(list)
    prepare(tokenizer, jobs)
    for job in jobs:
        if len(job["ids"]) + max([len(e) for e in job.get("ends", [])] + [job.get("tokens", 0)]) > LONGEST:
            long += 1
            continue
        # Texts are slow and lists of passages long: they come last.
        rank = 1 if "tokens" in job else 2 if job["read"].startswith("verdict ") else 0
        forms[rank, tuple(job.get("ends", ()))].append(job)
    print(f"{len(jobs)} jobs, {long} longer than the window, ready after {time.monotonic() - began:.0f} s on {device}", flush=True)
    left = done = 0
    with open(o.out, "w", encoding="utf-8") as f:
        for (_, ends), some in sorted(forms.items()):
            for batch in batches(some, budget(device, ends)):
                if time.monotonic() - began > o.seconds:
                    left += len(batch)
                    continue
                if not ends:
                    said = zip(batch, texts(model, tokenizer, batch, pad, device))
                elif device == "cuda":
                    said = zip(batch, verdicts(model, batch, pad, device))
                else:
                    said = continued(model, batch)
                for job, s in said:
                    keep = {k: job[k] for k in ("id", "task", "version", "read", "when")}
                    keep |= {"logs": [round(x, 4) for x in s]} if ends else {"text": s}
                    f.write(json.dumps(keep, ensure_ascii=False) + "\n")
                done += len(batch)
            print(f"{done} done, {left} left out after {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
