#!/usr/bin/env python3
"""Counts the instructions of the kernels and of plain Go on emulated processors, and writes the
table of docs/machines.md. With --check it fails where a number of the page differs by more than a
twentieth. It needs qemu-user and gcc.

Each benchmark runs twice with different numbers of rounds; the difference of the instructions,
divided by that of the rounds, is the number of a round, without what the program does besides.
Nothing interrupts the work, the monitor of Go's runtime is not counted, and there are so many rounds
that what else the runtime does at its own times changes a figure by about a hundredth.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "machines.md"
BEGIN, END = "<!-- instructions: generated -->\n", "<!-- end -->"

# What is counted: the name, the package, the benchmark with {} for the level, the unit, how many of
# it are in a round, and the numbers of rounds.
WORK = [
    ("matrix product (depth 192)", "internal/simd", "MulAdd/{}/192", "multiply-add", 240 * 192 * 32, (2, 52)),
    ("dot product of 384 values", "internal/simd", "Dot384/{}", "multiply-add", 384, (1000, 181_000)),
    ("half precision to single", "internal/simd", "Functions/widen6144/{}", "value", 6144, (100, 8100)),
    ("GELU", "internal/simd", "Functions/gelu384/{}", "value", 384, (100, 8100)),
    ("softmax of 128 values", "internal/simd", "Functions/softmax128/{}", "value", 128, (1000, 21_000)),
    ("layer norm of 384 values", "internal/simd", "Functions/layernorm384/{}", "value", 384, (1000, 21_000)),
    ("transposition, 32 × 32", "internal/simd", "Functions/transpose32/{}", "value", 1024, (1000, 21_000)),
    ("unpacking of 128 passages", "internal/simd", "UnpackSums/{}", "posting", 128, (1000, 41_000)),
    ("adding up of 128 postings", "rag/index", "Add/{}", "posting", 128, (1000, 41_000)),
    ("passing over sums of scores", "internal/simd", "ClearUpTo/{}", "passage", 1024, (1000, 21_000)),
    ("MiniLM, a question", "rag/embed", "Embed/question/{}", "word piece", 12, (1, 4)),
]
# The columns: the system, the emulator, and the name of the level in benchmarks.
COLUMNS = [("arm64", ["qemu-aarch64"], "generic"), ("arm64", ["qemu-aarch64"], "neon"), ("amd64", ["qemu-x86_64", "-cpu", "max"], "avx2")]


def build(folder):
    """Builds the plugin and the test programs, and returns the path of the plugin."""
    plugin = folder / "count.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", plugin, ROOT / "scripts/arm64/count.c"], check=True)
    for arch, _, _ in COLUMNS:
        for package in {w[1] for w in WORK}:
            env = dict(os.environ, GOARCH=arch, GOOS="linux", CGO_ENABLED="0")
            subprocess.run(["go", "test", "-c", "-o", program(folder, package, arch), "./" + package], cwd=ROOT, env=env, check=True)
    return plugin


def program(folder, package, arch):
    return folder / f"{package.replace('/', '-')}-{arch}.test"


def count(plugin, folder, package, column, benchmark, rounds):
    """Counts the instructions of a benchmark with so many rounds."""
    arch, emulator, _ = column
    pattern = "/".join(f"^{part}$" for part in ("Benchmark" + benchmark).split("/"))
    command = [*emulator, "-plugin", str(plugin), str(program(folder, package, arch)), "-test.run", "^$", "-test.bench", pattern]
    env = dict(os.environ, GOMAXPROCS="1", GOGC="off", GODEBUG="asyncpreemptoff=1")
    done = subprocess.run([*command, "-test.benchtime", f"{rounds}x"], cwd=ROOT / package, env=env, capture_output=True, text=True, check=True)
    if benchmark.rsplit("/", 1)[0].split("/")[0] not in done.stdout:
        sys.exit(f"{benchmark} on {arch}: no such benchmark:\n{done.stdout}")
    return int(re.search(r"^instructions (\d+)$", done.stderr, re.M)[1])


def figure(x):
    return f"{float(f'{x:.3g}'):,.0f}" if x >= 1000 else f"{x:.3g}"


def differences(kept, now):
    """Compares two tables, cell by cell."""
    kept, now = ([line.strip("| ").split(" | ") for line in text.splitlines()] for text in (kept, now))
    if [row[:2] for row in kept] != [row[:2] for row in now]:
        yield "the rows are not those of the page"
        return
    for before, after in zip(kept[2:], now[2:]):
        for a, b in zip(before[2:], after[2:]):
            was, is_ = float(a.replace(",", "")), float(b.replace(",", ""))
            if abs(is_ - was) > was / 20:
                yield f"{before[0]}: the page says {a}, counted are {b}"


def table(plugin, folder):
    lines = ["| work | unit | plain Go, arm64 | NEON | plain Go ÷ NEON | AVX2 |", "|---|---|---|---|---|---|"]
    for name, package, benchmark, unit, size, (few, many) in WORK:
        per = []
        for column in COLUMNS:
            level = column[2]
            if benchmark.startswith("Add/") and level != "generic":
                level = "kernel"
            of = [count(plugin, folder, package, column, benchmark.format(level), n) for n in (few, many)]
            per.append((of[1] - of[0]) / (many - few) / size)
        plain, neon, avx2 = per
        lines.append(f"| {name} | {unit} | {figure(plain)} | {figure(neon)} | {plain / neon:.1f} | {figure(avx2)} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines) + "\n"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = table(build(folder), folder)
    page = PAGE.read_text()
    begin = page.index(BEGIN) + len(BEGIN)
    end = page.index(END, begin)
    if sys.argv[1:] == ["--check"]:
        if wrong := list(differences(page[begin:end], text)):
            sys.exit("\n".join(wrong) + "\npython3 scripts/arm64/instructions.py writes the table of docs/machines.md anew")
        return
    PAGE.write_text(page[:begin] + text + page[end:])


main()
