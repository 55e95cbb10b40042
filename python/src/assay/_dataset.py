"""Datasets of a program as files that assay reads."""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

# What evaluate takes as a dataset: a path, rows, or a table of pandas or of Hugging Face.
Dataset = str | os.PathLike[str] | Iterable[Mapping[str, Any]] | Any


def path_of(dataset: Dataset, folder: Path) -> str:
    """Return the path of a dataset, which is written to folder if it is not a file yet.

    Rows are a table, whose columns have the names of the format csv. Rows that hold objects, such as documents
    with grades, are lines of assay's own format.
    """
    if isinstance(dataset, (str, os.PathLike)):
        return str(os.fspath(dataset))
    rows = [_plain(row) for row in _rows(dataset)]
    if not rows:
        raise ValueError("the dataset has no rows: want at least one case")
    if any(_holds_objects(value) for row in rows for value in row.values()):
        file = folder / "dataset.jsonl"
        file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return str(file)
    file = folder / "dataset.csv"
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, columns)
        table.writeheader()
        table.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return str(file)


def _rows(dataset: Any) -> Iterable[Mapping[Any, Any]]:
    if hasattr(dataset, "to_dict") and hasattr(dataset, "columns"):  # a frame of pandas
        rows: Iterable[Mapping[Any, Any]] = dataset.to_dict("records")
        return rows
    if isinstance(dataset, Mapping):
        want = f"dataset[{next(iter(dataset))!r}]" if dataset else "a split of it"
        raise TypeError(f"the dataset is a mapping, as of several splits: want one of them, such as {want}")
    if isinstance(dataset, Iterable):
        rows = list(dataset)
        for place, row in enumerate(rows):
            if not isinstance(row, Mapping):
                raise TypeError(
                    f"row {place} of the dataset is {type(row).__name__}: want a mapping such as {{'question': …, 'answer': …}}"
                )
        return rows
    raise TypeError(f"the dataset is {type(dataset).__name__}: want a path, a list of mappings, or a table of pandas or Hugging Face")


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a row of JSON values without those that are absent."""
    values = {str(name): _json(value) for name, value in row.items()}
    return {name: value for name, value in values.items() if value is not None}


def _json(value: Any) -> Any:
    if hasattr(value, "tolist") and not isinstance(value, type):  # of numpy
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        return {str(name): _json(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_json(inner) for inner in value]
    # NaT and NA of pandas are absent, too.
    return None if type(value).__name__ in ("NAType", "NaTType") else str(value)


def _holds_objects(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(inner, (dict, list)) for inner in value))


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else value
