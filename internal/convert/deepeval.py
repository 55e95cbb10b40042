"""Records the test cases and metrics of tests of DeepEval, and runs no metric.

usage: deepeval.py FOLDER FILE…

The module deepeval is replaced by names that record. The tests are run by pytest; a file
without tests is run as a program. One line of JSON is written: the cases, the goldens of
data sets, what failed, and which other names were used.
"""

import csv
import importlib.abc
import importlib.machinery
import inspect
import json
import os
import sys
import types

folder, *files = sys.argv[1:]
result = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # what tests print is not the result
sys.dont_write_bytecode = True
os.chdir(folder)
sys.path.insert(0, os.getcwd())
os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"

cases, goldens, errors, others = [], [], [], []
current = {"test": "", "line": 0}


def other(name):
    # pytest looks for private names, which are not of the project.
    if name not in others and not name.rpartition(".")[2].startswith("_"):
        others.append(name)


class Anything:
    """Stands for a name of deepeval that takes no part: a class, a function, a decorator."""

    def __new__(cls, *args, **kwargs):
        if len(args) == 1 and not kwargs and (inspect.isfunction(args[0]) or inspect.isclass(args[0])) and cls.__name__ != "Anything":
            return args[0]  # a decorator without arguments
        return super().__new__(cls)

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        if len(args) == 1 and not kwargs and (inspect.isfunction(args[0]) or inspect.isclass(args[0])):
            return args[0]
        return Anything()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __iter__(self):
        return iter(())

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


class Record:
    """A test case or a golden: every argument is a field."""

    order = ("input", "actual_output", "expected_output", "context", "retrieval_context")

    def __init__(self, *args, **kwargs):
        for name in self.order + ("name", "tags", "comments", "additional_metadata", "metadata", "source_file"):
            setattr(self, name, None)
        for name, value in list(zip(self.order, args)) + list(kwargs.items()):
            setattr(self, name, value)


class LLMTestCase(Record):
    pass


class Golden(Record):
    pass


class ConversationalTestCase(Record):
    order = ("turns",)


class ConversationalGolden(Record):
    order = ("scenario",)


class BaseMetric:
    threshold = 0.5


positional = {
    "ExactMatchMetric": ("threshold",),
    "PatternMatchMetric": ("pattern", "ignore_case", "threshold"),
    "JsonCorrectnessMetric": ("expected_schema", "model", "threshold"),
    "GEval": ("name", "evaluation_params", "criteria"),
}


def metric(name):
    def init(self, *args, **kwargs):
        self.given = dict(zip(positional.get(name, ("threshold", "model")), args), **kwargs)
        for key, value in self.given.items():
            setattr(self, key, value)

    return type(name, (BaseMetric,), {"__init__": init, "given": {}})


def described(one):
    kind = type(one)
    known = hasattr(one, "given") and kind.__module__ == __name__
    given = getattr(one, "given", {})
    out = {"type": kind.__name__, "custom": not known}
    threshold = 1 if given.get("strict_mode") else given.get("threshold", getattr(one, "threshold", None))
    if isinstance(threshold, (int, float)):
        out["threshold"] = threshold
    for name in ("pattern", "name", "criteria"):
        if isinstance(given.get(name), str):
            out[name] = given[name]
    out["ignore_case"] = bool(given.get("ignore_case"))
    schema = given.get("expected_schema")
    if hasattr(schema, "model_json_schema"):
        out["schema"] = schema.model_json_schema()
    return out


def record(case, metrics):
    if not isinstance(case, LLMTestCase):
        errors.append(dict(current, message="a test case of %s: only cases of one turn are carried over" % type(case).__name__))
        return
    out = dict(current, metrics=[described(m) for m in metrics or []])
    for name in ("input", "actual_output", "expected_output", "name"):
        value = getattr(case, name)
        if value is not None:
            out[name] = str(value)
    for name in ("context", "retrieval_context", "tags"):
        value = getattr(case, name)
        if isinstance(value, str):
            value = [value]
        if value is not None:
            out[name] = [str(item) for item in value]
    extra = case.additional_metadata or case.metadata
    if isinstance(extra, dict):
        out["metadata"] = json.loads(json.dumps(extra, default=str))
    cases.append(out)


def assert_test(test_case=None, metrics=None, golden=None, **kwargs):
    if test_case is None:
        errors.append(dict(current, message="assert_test with a golden: the answer is in a trace, which is not carried over"))
        return
    record(test_case, metrics)


def evaluate(test_cases=None, metrics=None, **kwargs):
    for case in test_cases or []:
        record(case, metrics)
    return Anything()


names = ("input", "actual_output", "expected_output", "context", "retrieval_context")


class EvaluationDataset:
    def __init__(self, goldens=None, **kwargs):
        self.goldens, self.test_cases = [], list(kwargs.get("test_cases") or [])
        for one in goldens or []:
            self.add_golden(one)

    def add_golden(self, golden):
        self.goldens.append(golden)
        goldens.append(golden)

    def add_test_case(self, case):
        self.test_cases.append(case)

    def __iter__(self):
        return iter(self.test_cases)

    def evals_iterator(self, *args, **kwargs):
        errors.append(dict(current, message="evals_iterator: the answers are in traces, which are not carried over"))
        return iter(())

    def pull(self, *args, **kwargs):
        raise RuntimeError("the data set is on a server: want a file that EvaluationDataset.save_as wrote")

    def rows(self, path, kind, kwargs, cells):
        delimiters = {"context": kwargs.get("context_col_delimiter", "|"), "retrieval_context": kwargs.get("retrieval_context_col_delimiter", "|")}
        with open(path, encoding=kwargs.get("encoding_type") or "utf-8", newline="") as file:
            if kind == "csv":
                rows = list(csv.DictReader(file))
            elif kind == "jsonl":
                rows = [json.loads(line) for line in file if line.strip()]
            else:
                rows = json.load(file)
        for row in rows:
            fields = {}
            for name in names:
                value = row.get(kwargs.get(name + ("_col_name" if kind == "csv" else "_key_name"), name))
                if isinstance(value, str) and name in delimiters:
                    value = [part.strip() for part in value.split(delimiters[name]) if part.strip()] or None
                fields[name] = value if value != "" else None
            cells(fields)

    def __getattr__(self, name):
        for prefix, add in (("add_goldens_from_", lambda f: self.add_golden(Golden(**f))),
                            ("add_test_cases_from_", lambda f: self.add_test_case(LLMTestCase(**f)))):
            for kind in ("csv", "jsonl", "json"):
                if name == prefix + kind + "_file":
                    return lambda file_path, **kwargs: self.rows(file_path, kind, kwargs, add)
        raise AttributeError(name)


known = {
    "LLMTestCase": LLMTestCase, "Golden": Golden, "ConversationalTestCase": ConversationalTestCase, "ConversationalGolden": ConversationalGolden,
    "EvaluationDataset": EvaluationDataset, "BaseMetric": BaseMetric, "BaseConversationalMetric": BaseMetric, "assert_test": assert_test,
    "evaluate": evaluate,
}
quiet = ("observe", "log_hyperparameters", "LLMTestCaseParams", "SingleTurnParams", "ToolCall", "login", "update_current_span", "update_current_trace")


class Stub(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in known:
            value = known[name]
        elif self.__name__.startswith("deepeval.metrics"):
            value = metric(name)
        elif name in ("LLMTestCaseParams", "SingleTurnParams"):
            value = Anything()
        else:
            if name not in quiet:
                other(self.__name__ + "." + name)
            value = type(name, (Anything,), {})
        setattr(self, name, value)
        return value


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name == "deepeval" or name.startswith("deepeval."):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Stub(spec.name)

    def exec_module(self, module):
        if module.__name__ == "deepeval.evaluate":
            module.__class__ = type("Evaluate", (Stub,), {"__call__": staticmethod(evaluate)})


sys.meta_path.insert(0, Finder())
import deepeval  # noqa: E402, F401: the finder of pytest, which comes first, would find the real one


class Plugin:
    def pytest_runtest_setup(self, item):
        current.update(test=item.nodeid, line=(item.location[1] or 0) + 1)

    def pytest_pycollect_makemodule(self, module_path, parent):
        current.update(test=os.path.relpath(str(module_path)), line=0)

    def pytest_runtest_logreport(self, report):
        if report.failed or report.skipped:
            errors.append({"test": report.nodeid, "line": (report.location[1] or 0) + 1, "message": said(report)})

    def pytest_collectreport(self, report):
        if report.failed:
            errors.append({"test": report.nodeid, "line": 0, "message": said(report)})


def said(report):
    text = report.longrepr
    if isinstance(text, tuple):
        return str(text[-1])
    lines = [line for line in str(text).splitlines() if line.startswith("E ")] or [line for line in str(text).splitlines() if line.strip()]
    return lines[-1].lstrip("E ").strip() if lines else "failed"


def run():
    try:
        import pytest
    except ImportError:
        return "%s has no pytest: want the Python of the project (--python)" % sys.executable
    pytest.main(["-q", "-p", "no:deepeval", "-p", "no:cacheprovider", "-o", "addopts=", "--rootdir", ".", *files], plugins=[Plugin()])
    if not cases and not errors:
        import runpy

        for file in files:
            current.update(test=file, line=0)
            try:
                runpy.run_path(file, run_name="__main__")
            except SystemExit:
                pass
            except BaseException as error:
                errors.append({"test": file, "line": 0, "message": "%s: %s" % (type(error).__name__, error)})
    return ""


fatal = run()
if not cases:
    for golden in goldens:
        if isinstance(golden, Golden):
            current.update(test="goldens", line=0)
            golden.__class__ = LLMTestCase
            record(golden, [])
json.dump({"fatal": fatal, "cases": cases, "errors": errors, "others": others}, result)
result.flush()
os._exit(0)
