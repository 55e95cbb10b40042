"""Checks folders of golden traces: python check.py FOLDER...

Each has traces.jsonl, with an object a line, and expected.json, with an entry a
question; every answer is somewhere in the trace; nothing names a folder of the
machine that made it; and a folder takes less than 200 kB.
"""

import json
import pathlib
import re
import sys

LIMIT = 200_000
QUESTIONS = json.loads((pathlib.Path(__file__).parent / "corpus.json").read_text(encoding="utf-8"))["questions"]
# A folder of a user, of the system or of a temporary file.
PATH = re.compile(r"(?<![\w.:/])/(?:root|home|work|tmp|usr|var|opt)/[\w./-]+")


def written(text):
    """The ways in which JSON may hold a text: as it is, or inside strings of JSON, once and again."""
    ways = {text}
    for _ in range(3):
        ways |= {json.dumps(way, ensure_ascii=ascii_only)[1:-1] for way in ways for ascii_only in (False, True)}
    return ways


def problems(folder):
    text = (folder / "traces.jsonl").read_text(encoding="utf-8")
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not isinstance(json.loads(line), dict):
            yield f"traces.jsonl:{number}: expected an object"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    if [entry["question"] for entry in expected] != QUESTIONS:
        yield "expected.json: expected the questions of corpus.json in their order"
    for entry in expected:
        if not any(way in text for way in written(entry["answer"])):
            yield f"traces.jsonl: the answer {entry['answer']!r} is in no span"
    for path in sorted(folder.iterdir()):
        for found in set(PATH.findall(path.read_bytes().decode("utf-8", "replace"))):
            yield f"{path.name}: names a folder: {found}"
    size = sum(path.stat().st_size for path in folder.iterdir())
    if size > LIMIT:
        yield f"{size} bytes: expected {LIMIT} at most"


def main():
    found = [f"{folder}: {p}" for folder in sys.argv[1:] for p in problems(pathlib.Path(folder))]
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
