"""Reports of runs and of comparisons."""

from __future__ import annotations

import functools
import html
import json
import os
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _binary
from ._build import build
from .errors import Failed, raised
from .schema import Case, Counts, Estimate, Gate, ReportFile, Run, Waterfall

if TYPE_CHECKING:
    import pandas as pd

# How many cases a notebook shows one by one: the worst.
_SHOWN = 20
_EXTENSIONS = {
    ".html": "html",
    ".md": "markdown",
    ".json": "json",
    ".csv": "csv",
    ".xml": "junit",
    ".txt": "terminal",
}


@dataclass(frozen=True)
class Outcome:
    """A case or a rule as a test: state tells whether it passed, message why not, in a sentence; detail has the rest."""

    name: str
    state: Literal["passed", "failed", "error", "skipped"]
    message: str = ""
    detail: str = ""
    scores: str = ""

    def __str__(self) -> str:
        # The message of a rule begins with it.
        return self.message if self.message.startswith(self.name) else f"{self.name}: {self.message}" if self.message else self.name


def notebook(page: str) -> str:
    """Return a page of assay as a part of a notebook, without access to the notebook."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts allow-popups" title="report of assay" '
        'style="width:100%;height:640px;border:1px solid #ccc"></iframe>'
    )


class Report:
    """The results of a run: a report file, which the program turns into other formats."""

    def __init__(self, raw: bytes, exit_code: int | None = None, message: str = "") -> None:
        self.raw = raw
        self._exit_code, self._message = exit_code, message

    @functools.cached_property
    def data(self) -> dict[str, Any]:
        """The report as JSON: docs/format.md describes every member."""
        read: dict[str, Any] = json.loads(self.raw)
        return read

    @functools.cached_property
    def file(self) -> ReportFile:
        """The report with types."""
        return build(ReportFile, self.data)

    @property
    def run(self) -> Run:
        """What was run: its id, dataset, target, metrics and settings."""
        return self.file.run

    @property
    def summary(self) -> dict[str, Estimate]:
        """An estimate for each metric: mean, ci, n and more."""
        return self.file.summary

    @property
    def counts(self) -> Counts:
        """The outcomes of the cases."""
        return self.file.counts

    @property
    def cases(self) -> list[Case]:
        """The cases with their answers, passages, scores and traces."""
        return self.file.cases

    @property
    def waterfall(self) -> Waterfall | None:
        """Where answers are lost, stage by stage; None if no case was followed."""
        return self.file.waterfall

    @property
    def gate(self) -> Gate | None:
        """The verdicts on thresholds, rules and a baseline; None without any."""
        return self.file.gate

    @property
    def warnings(self) -> list[str]:
        """What limits the results."""
        return self.file.warnings

    @property
    def verdict(self) -> Literal["pass", "fail", "inconclusive"] | None:
        """The verdict of the gate; None without one."""
        return None if self.gate is None else self.gate.verdict

    @property
    def exit_code(self) -> int:
        """The exit code of the run: 0, or 1 when a threshold or rule failed, 2 when a critical case did."""
        if self._exit_code is not None:
            return self._exit_code
        # A report that was read from a file.
        return 2 if self.counts.critical_failed else 1 if self.verdict == "fail" else 0

    @property
    def passed(self) -> bool:
        """Whether no threshold, no rule and no critical case failed."""
        return self.exit_code == 0

    @functools.cached_property
    def outcomes(self) -> list[Outcome]:
        """The cases, in the order of cases, and then what else is held to something, such as rules; as tests."""
        return [outcome for suite in self._suites for outcome in suite]

    @property
    def case_outcomes(self) -> list[Outcome]:
        """The cases as tests, in the order of cases."""
        return self._suites[0][: len(self.cases)]

    @property
    def rule_outcomes(self) -> list[Outcome]:
        """The rules of the gate as tests, and what else made the run fail."""
        return self._suites[0][len(self.cases) :] + [outcome for suite in self._suites[1:] for outcome in suite]

    @property
    def failures(self) -> list[str]:
        """A sentence for each case and each rule that failed."""
        return [str(outcome) for outcome in self.outcomes if outcome.state in ("failed", "error")]

    def check(self) -> Report:
        """Return the report if the run passed, else raise Failed with the reasons."""
        if not self.passed:
            told = raised(self.exit_code, self._message) if self._message else "\n".join(str(o) for o in self.rule_outcomes if o.message)
            raise Failed(str(told) or "the run failed", self.exit_code)
        return self

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with a row a case and a column a metric; what has no score is NaN."""
        import pandas as pd

        metrics = list(self.data["summary"])
        rows = [
            {name: case.get(name) for name in ("id", "question", "answer", "status", "latency_ms")}
            | {"correctness": case.get("outcome")}  # of the case, as `assay cases` has it
            | {metric: case["scores"].get(metric, {}).get("value") for metric in metrics}
            for case in self.data["cases"]
        ]
        frame = pd.DataFrame(rows, columns=["id", "question", "answer", "status", "correctness", "latency_ms", *metrics])
        typed: pd.DataFrame = frame.astype(dict.fromkeys(metrics, "float64"))
        return typed

    def text(self, format: str = "terminal", *, cases: int | None = None, language: str | None = None) -> str:
        """Return the report in a format of `assay report`, such as "markdown" or "html"."""
        return self._written(format, cases, language).decode("utf-8")

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write the report to a file, in the format that its extension names."""
        named = format or _EXTENSIONS.get(Path(path).suffix)
        if named is None:
            raise ValueError(f"{os.fspath(path)}: no format has this extension: expected one of {', '.join(_EXTENSIONS)}, or format=")
        Path(path).write_bytes(self.raw if named == "json" else self._written(named))

    def _written(self, format: str, cases: int | None = None, language: str | None = None) -> bytes:
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            file = Path(folder) / "report.json"
            file.write_bytes(self.raw)
            args = ["report", str(file), f"--format={format}"]
            args += [] if cases is None else [f"--cases={cases}"]
            args += [] if language is None else [f"--language={language}"]
            return _binary.run(args)

    @functools.cached_property
    def _suites(self) -> list[list[Outcome]]:
        root = ET.fromstring(self._written("junit"))
        return [[_outcome(test) for test in suite.iter("testcase")] for suite in root.iter("testsuite")]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        numbers = (f"{name} {'–' if e.mean is None else format(e.mean, '.3f')}" for name, e in self.summary.items())
        return f"<assay.Report {self.run.id} of {self.run.dataset.name}: {', '.join(numbers)}>"

    def _repr_html_(self) -> str:
        return notebook(self.text("html", cases=_SHOWN))


def _outcome(test: ET.Element) -> Outcome:
    states: dict[str, Literal["failed", "error", "skipped"]] = {"failure": "failed", "error": "error", "skipped": "skipped"}
    scores = (test.findtext("system-out") or "").strip()
    for child in test:
        if child.tag in states:
            return Outcome(test.get("name", ""), states[child.tag], child.get("message", ""), (child.text or "").strip(), scores)
    return Outcome(test.get("name", ""), "passed", scores=scores)


def load(run: str | os.PathLike[str] = "latest", *, store: str | os.PathLike[str] | None = None) -> Report:
    """Return the report of a stored run, by its id, a prefix of it or its name, or the report in a file."""
    args = ["report", os.fspath(run), "--format=json"]
    if store is not None:
        args.append(f"--store={os.fspath(store)}")
    return Report(_binary.run(args))
