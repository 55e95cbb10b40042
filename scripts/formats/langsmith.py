"""Writes examples of LangSmith as its SDK serialises them. The service itself is hosted:
no file of it is written here."""

import datetime
import importlib.metadata
import json
import pathlib
import sys

import uuid

from langsmith.schemas import Example

out = pathlib.Path(sys.argv[1])
made = datetime.datetime(2026, 1, 15, 12, 0, tzinfo=datetime.timezone.utc)
dataset = uuid.UUID(int=1)

def example(n, inputs, outputs, metadata=None):
    return Example(
        id=uuid.UUID(int=100 + n), dataset_id=dataset, inputs=inputs, outputs=outputs, metadata=metadata, created_at=made, modified_at=made
    )

examples = [
    example(1, {"question": "Who wrote the book?", "language": "en"}, {"answer": "Kim wrote it."}, {"dataset_split": ["base"]}),
    example(
        2, {"messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "When?"}]},
        {"messages": [{"role": "assistant", "content": "1999"}]},
    ),
    example(3, {"input": {"question": "Why?"}}, None),
]
with open(out / "examples.jsonl", "w") as f:
    for e in examples:
        f.write(e.model_dump_json() + "\n" if hasattr(e, "model_dump_json") else e.json() + "\n")
dumped = [json.loads(e.model_dump_json() if hasattr(e, "model_dump_json") else e.json()) for e in examples]
(out / "examples.json").write_text(json.dumps(dumped, indent=2) + "\n")
(out / "versions.txt").write_text(f"langsmith {importlib.metadata.version('langsmith')}\n")
