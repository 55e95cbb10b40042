"""Comparisons of runs."""

from __future__ import annotations

import functools
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _binary, _options
from ._dataset import Dataset
from ._run import evaluate
from .report import Report, notebook

if TYPE_CHECKING:
    import pandas as pd
    from typing_extensions import Unpack

    from .settings import Settings


class Comparison:
    """Runs set against each other: every difference with its interval and a sentence."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = dict(files)

    @functools.cached_property
    def data(self) -> dict[str, Any]:
        """The comparison as JSON: docs/format.md describes every member."""
        read: dict[str, Any] = json.loads(self._files[".json"])
        return read

    @property
    def baseline(self) -> str:
        """The name of the run that the others are compared with."""
        name: str = self.data["baseline"]
        return name

    @property
    def warnings(self) -> list[str]:
        """What makes the runs hard to compare."""
        told: list[str] = self.data["warnings"]
        return told

    @property
    def sentences(self) -> list[str]:
        """A sentence to quote for each metric and each run but the baseline."""
        found = (d.get("sentence") for metric in self.data["summary"].values() for d in metric["differences"].values())
        return [sentence for sentence in found if sentence]

    def difference(self, metric: str, run: str | None = None) -> dict[str, Any]:
        """Return the difference of a run from the baseline: old, new, diff, ci, p_adjusted, shown and more."""
        found: dict[str, dict[str, Any]] = self.data["summary"][metric]["differences"]
        return found[next(iter(found)) if run is None else run]

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with a row for each metric and each run but the baseline."""
        import pandas as pd

        columns = ["metric", "run", "old", "new", "diff", "ci_low", "ci_high", "p_adjusted", "shown", "n"]
        rows = []
        for metric, found in self.data["summary"].items():
            for run, d in found["differences"].items():
                low, high = d.get("ci") or (None, None)
                rows.append([metric, run, d["old"], d["new"], d["diff"], low, high, d.get("p_adjusted"), d["shown"], d["n"]])
        frame: pd.DataFrame = pd.DataFrame(rows, columns=columns)
        return frame

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the comparison to a file: .html, .md, .json or .txt."""
        page = self._files.get(Path(path).suffix)
        if page is None:
            raise ValueError(f"{os.fspath(path)}: no format has this extension: expected one of {', '.join(sorted(self._files))}")
        Path(path).write_bytes(page)

    def __str__(self) -> str:
        return self._files[".txt"].decode("utf-8")

    def __repr__(self) -> str:
        return f"<assay.Comparison of {', '.join(self.data['runs'])}>"

    def _repr_html_(self) -> str:
        return notebook(self._files[".html"].decode("utf-8"))


def compare(
    *runs: Report | str | os.PathLike[str] | Mapping[str, object],
    dataset: Dataset = None,
    metrics: Sequence[str] | str | None = None,
    primary: str | None = None,
    test: str | None = None,
    **settings: Unpack[Settings],
) -> Comparison:
    """Compare runs case by case; the first is what the others are compared with, unless baseline names another.

    A run is a report, the id or name of a stored one, or the file of a report or a baseline: compare(before, after).
    The objects of a mapping are evaluated first, each under its name and on the same dataset:
    compare({"sparse": chain, "hybrid": other}, dataset="gold.jsonl").
    """
    given: dict[str, Any] = dict(settings)
    if len(runs) == 1 and isinstance(runs[0], Mapping):
        if dataset is None:
            raise TypeError("compare() got objects to evaluate and no dataset: expected dataset=")
        runs = tuple(evaluate(asked, dataset, metrics=metrics, **(given | {"name": name})) for name, asked in runs[0].items())
        given = {name: given[name] for name in ("level", "seed", "group_by", "language", "baseline") if name in given}
        metrics = None
    elif dataset is not None:
        raise TypeError("compare() got a dataset beside runs that are there: expected a mapping of names to objects, or no dataset")
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        base = Path(folder) / "comparison"
        args = ["compare", f"--output={base}", *_named(runs, Path(folder))]
        args += _options.flags({**given, "metrics": metrics}, "compare()")
        args += [f"--{name}={value}" for name, value in (("primary", primary), ("test", test)) if value is not None]
        shown = _binary.run(args).decode("utf-8")
        # The last lines name files that are gone afterwards.
        files = {".txt": shown.partition("\nreport: ")[0].rstrip().encode("utf-8") + b"\n"}
        for extension in (".html", ".md", ".json"):
            files[extension] = Path(f"{base}{extension}").read_bytes()
    return Comparison(files)


def _named(runs: Sequence[object], folder: Path) -> list[str]:
    """Return the runs for the program: a name or a path, or the file of a report."""
    out: list[str] = []
    for run in runs:
        if isinstance(run, Report):
            file = folder / f"{len(out)}.json"
            file.write_bytes(run.raw)
            out.append(str(file))
        elif isinstance(run, (str, os.PathLike)):
            out.append(os.fspath(run))
        else:
            raise TypeError(
                f"compare() got {type(run).__name__}: expected a report, the name of a run, a path, or one mapping of names to objects"
            )
    if len(out) < 2:
        raise TypeError(f"compare() got {len(out)} runs: expected two or more")
    return out
