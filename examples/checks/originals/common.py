"""Reads the inputs, and writes what the originals of one tool say about them."""

import json
import pathlib
import sys

folder = pathlib.Path(__file__).parent.parent


def inputs():
    """Returns the cases with their answers."""
    answers = {}
    for line in (folder / "answers.jsonl").read_text("utf-8").splitlines():
        one = json.loads(line)
        answers[one["id"]] = one
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text("utf-8").splitlines()]
    return [{**case, **answers[case["id"]]} for case in cases]


def write(tool, version, verdicts):
    """Writes the scores by check and case; true is 1, false is 0, and None a refusal to judge."""
    scores = {
        check: {case: None if score is None else float(score) for case, score in of.items()} for check, of in verdicts.items()
    }
    json.dump({"tool": tool, "version": version, "scores": scores}, sys.stdout, ensure_ascii=False, indent=1)
    print()
