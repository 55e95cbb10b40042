"""The plugin of pytest: a test with assay.case is one run, whose cases are tests of their own.

pytest imports this module at its start, so everything else is imported when a test needs it.
"""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ._evaluation import Evaluation
    from .report import Outcome, Report

# The parameter that says which case a test is; None is the test of the rules, with this id.
_CASE, _GATE = "assay_case", "gate"
_MARK = "assay"
# Ways in which pytest-xdist spreads the tests of one function over several workers.
_SPREAD = ("load", "worksteal", "each")
# The id of the test by which a worker tells that the tests are spread so.
_REFUSED = "assay-needs-loadfile"
# Settings that select cases, or say how they are read.
_SELECTING = ("format", "split", "queries", "min_relevance", "map", "qrels", "limit", "sample", "seed", "tags", "ids")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("assay", "evaluations with assay")
    group.addoption(
        "--assay-baseline",
        metavar="FILE",
        help="baseline that evaluations are compared with: a file, or a folder with TEST.json for each test",
    )
    group.addoption("--assay-report", metavar="DIR", help="folder for the reports of evaluations: TEST.html and TEST.json")


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark that assay.case sets."""
    config.addinivalue_line("markers", f"{_MARK}(evaluation): set by assay.case on a test that evaluates a system")
    config.addinivalue_line("markers", "xdist_group(name): keeps tests on one worker of pytest-xdist, which may be absent")
    config.stash[_RUNS], config.stash[_TOLD] = {}, []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test for each case of the dataset, and one for the rules."""
    mark = metafunc.definition.get_closest_marker(_MARK)
    if mark is None:
        return
    if _dist(metafunc.config) in _SPREAD:
        metafunc.parametrize(_CASE, [pytest.param(None, id=_REFUSED)])
        return
    try:
        found = _list(mark.args[0], metafunc.definition.path.parent)
    except Exception as error:
        raise pytest.Collector.CollectError(f"{metafunc.function.__name__}: {error}") from None
    # The cases of a run stay on one worker of pytest-xdist (--dist loadgroup).
    group = pytest.mark.xdist_group(name=metafunc.definition.nodeid)
    params = [pytest.param(name, id=_shown(name, question), marks=group) for name, question in found]
    metafunc.parametrize(_CASE, [*params, pytest.param(None, id=_GATE, marks=group)])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tell the runs apart."""
    seen: dict[tuple[str, str | None], int] = {}
    for item in items:
        if item.get_closest_marker(_MARK) is None:
            continue
        name = _name(item)
        # Each case is once in a run: a second time is of other parameters, which look the same.
        times = seen[name, _case(item)] = seen.get((name, _case(item)), 0) + 1
        item.stash[_RUN] = name if times == 1 else f"{name}-{times}"


def pytest_collection_finish(session: pytest.Session) -> None:
    """Note which cases are left to be run."""
    runs = session.config.stash[_RUNS]
    for item in session.items:
        mark = item.get_closest_marker(_MARK)
        if mark is not None:
            run = runs.setdefault(item.stash[_RUN], _Run(session.config, mark.args[0], item))
            run.selected.append(_case(item))


def outcome(request: pytest.FixtureRequest, case: str | None, system: Callable[[], Any]) -> None:
    """Be a test: evaluate the system if no test of the run has yet, and fail with the sentence about the case."""
    run = request.config.stash[_RUNS][request.node.stash[_RUN]]
    report = run.perform(system)
    found = report.rule_outcomes if case is None else run.outcomes[case]
    bad = [o for o in found if o.state in ("failed", "error")]
    if bad:
        pytest.fail("\n".join(_sentence(o, whole=case is not None) for o in bad), pytrace=False)
    if case is None and not report.passed:
        pytest.fail(str(_reason(report)), pytrace=False)
    open_ = [o for o in found if o.state == "skipped"]
    if open_ and len(open_) == len(found):
        pytest.skip("; ".join(o.message for o in open_))


def _sentence(o: Outcome, whole: bool) -> str:
    return f"{o}\n{o.detail}" if whole and o.detail else str(o)


def _reason(report: Report) -> Exception:
    from .errors import Failed

    try:
        report.check()
    except Failed as error:
        return error
    return Failed("the run failed")


class _Run:
    """The run of one test function, or of one set of its other parameters."""

    def __init__(self, config: pytest.Config, evaluation: Evaluation, item: pytest.Item) -> None:
        self.selected: list[str | None] = []
        self.outcomes: dict[str, list[Outcome]] = {}
        self._config, self._evaluation = config, evaluation
        self._folder = item.path.parent
        # Some versions of pytest-xdist do not see the groups that --dist loadgroup is about.
        self._grouped = "@" in item.nodeid.rpartition("]")[2]
        # The name of the test with its other parameters, for files.
        self._name = re.sub(r"[^\w.-]+", "_", item.stash[_RUN].rpartition("::")[2]).strip("_")
        self._report: Report | None = None
        self._error: Exception | None = None

    def perform(self, system: Callable[[], Any]) -> Report:
        """Evaluate the system, once."""
        if self._report is None and self._error is None:
            try:
                self._report = self._evaluate(system())
            except Exception as error:
                self._error = error
                raise self._told(error) from None
        if self._error is not None:
            raise self._told(self._error) from None
        assert self._report is not None
        return self._report

    def _told(self, error: Exception) -> BaseException:
        from .errors import Error

        # What assay says needs no traceback; what the test's own code raised does.
        return pytest.fail.Exception(str(error), pytrace=False) if isinstance(error, (Error, TypeError, ValueError)) else error

    def _evaluate(self, system: Any) -> Report:
        from ._run import evaluate

        if _dist(self._config) == "loadgroup" and not self._grouped:
            raise ValueError(_repeats("loadgroup"))
        e = self._evaluation
        settings = dict(e.settings)
        baseline = self._config.getoption("--assay-baseline")
        if baseline is not None and settings.get("baseline") is None:
            settings["baseline"] = os.path.join(baseline, self._name + ".json") if os.path.isdir(baseline) else baseline
        # The rules are about all cases; without their test, only the selected cases are asked.
        names = [name for name in self.selected if name is not None]
        if None not in self.selected and not any("," in name for name in names):
            settings["ids"] = names
        report = evaluate(system, _located(e.dataset, self._folder), metrics=e.metrics, config=e.config, **settings)
        for case, found in zip(report.cases, report.case_outcomes, strict=True):
            # A repetition has the id of its case with "#2" behind it.
            name = case.id.rpartition("#")[0] if case.draw else case.id
            self.outcomes.setdefault(name, []).append(found)
        self._keep(report)
        return report

    def _keep(self, report: Report) -> None:
        told = str(report) if self._config.get_verbosity() >= 0 else repr(report)
        self._config.stash[_TOLD].append((self._name, told))
        folder = self._config.getoption("--assay-report")
        if folder is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
            for extension in (".html", ".json"):
                report.save(Path(folder, self._name + extension))


def _dist(config: pytest.Config) -> str | None:
    """Return how pytest-xdist spreads the tests; None if it does not."""
    dist: str | None = getattr(config, "workerinput", {}).get("assay_dist")
    return dist


def _repeats(dist: str | None) -> str:
    return (
        f"the cases of an evaluation are one run, which --dist {dist} would repeat on every worker: "
        "use --dist loadfile, which keeps them on one"
    )


def _case(item: pytest.Item) -> str | None:
    name: str | None = item.callspec.params[_CASE]  # type: ignore[attr-defined]
    return name


def _name(item: Any) -> str:
    """Return the name of a test without its case, with its other parameters."""
    path = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    others = [re.sub(r" at 0x[0-9a-fA-F]+", "", str(value)) for arg, value in sorted(item.callspec.params.items()) if arg != _CASE]
    return "-".join(["::".join([item.nodeid.partition("::")[0], *path, item.originalname]), *others])


def _located(dataset: Any, folder: Path) -> Any:
    if isinstance(dataset, (str, os.PathLike)) and (folder / dataset).exists():
        return folder / dataset
    return dataset


def _list(evaluation: Evaluation, folder: Path) -> list[tuple[str, str]]:
    """Return the ids and questions of the cases, as assay selects them."""
    import tempfile

    from . import _binary, _dataset, _options

    with tempfile.TemporaryDirectory(prefix="assay-") as temporary:
        path = _dataset.path_of(_located(evaluation.dataset, folder), Path(temporary))
        _options.flags(evaluation.settings, "assay.case()")  # tells a setting that there is not
        selecting = {name: evaluation.settings.get(name) for name in _SELECTING}
        out = _binary.run(["dataset", "sample", path, "-", "--to=jsonl", *_options.flags(selecting, "assay.case()", "--")])
    lines = [json.loads(line) for line in out.decode("utf-8").splitlines()]
    return [(line["id"], line["question"]) for line in lines if "id" in line]


def _shown(name: str, question: str) -> str:
    """Return the id of the test of a case: its id and the beginning of its question."""
    return inspect.cleandoc(f"{name}: {question[:60]}").replace("::", ":").replace("\n", " ")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist how tests are spread."""
    node.workerinput["assay_dist"] = node.config.getoption("dist", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: list[str]) -> None:
    """End before the first test if an evaluation would be repeated on every worker."""
    if any(_REFUSED in one for one in ids):
        raise pytest.UsageError(_repeats(node.workerinput["assay_dist"]))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the reports of a worker of pytest-xdist."""
    node.config.stash[_TOLD].extend(getattr(node, "workeroutput", {}).get("assay_told", []))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the reports of a worker of pytest-xdist to its controller."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["assay_told"] = session.config.stash[_TOLD]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Show the report of each run."""
    for name, told in config.stash[_TOLD]:
        terminalreporter.write_sep("-", f"assay: {name}")
        terminalreporter.write_line(told.rstrip())


# The runs by their names, and the name of the run of a test.
_RUNS = pytest.StashKey[dict[str, _Run]]()
_RUN = pytest.StashKey[str]()
# The name and the report of each run, for the end.
_TOLD = pytest.StashKey[list[tuple[str, str]]]()
