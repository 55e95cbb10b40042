"""Runs the tests of a project with the real DeepEval and prints the verdict of every metric.
The metrics of the example are formulas, so that no model is asked.

usage: deepeval-project.py FOLDER   (with the Python of scripts/formats/deepeval.txt)
"""

import json
import os
import sys

os.environ.update(DEEPEVAL_TELEMETRY_OPT_OUT="YES", DEEPEVAL_DISABLE_DOTENV="1")
os.chdir(sys.argv[1])
sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True
result = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import deepeval  # noqa: E402
import pytest  # noqa: E402

tests = {}
current = []


def assert_test(test_case, metrics, **kwargs):
    """Measures each metric, as deepeval.assert_test does, and keeps all verdicts."""
    for metric in metrics:
        metric.measure(test_case, _show_indicator=False)
        tests[current[-1]]["metrics"].append({"type": type(metric).__name__, "passed": bool(metric.is_successful())})
    original(test_case=test_case, metrics=metrics, **kwargs)


original, deepeval.assert_test = deepeval.assert_test, assert_test


class Plugin:
    def pytest_runtest_setup(self, item):
        current.append(item.nodeid)
        tests[item.nodeid] = {"metrics": [], "passed": None}

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            tests[report.nodeid]["passed"] = report.passed


pytest.main(["-q", "-p", "no:cacheprovider", "-o", "addopts=", "--rootdir", "."], plugins=[Plugin()])
json.dump(tests, result)
result.flush()
os._exit(0)
