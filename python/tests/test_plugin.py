"""The plugin of pytest, in sessions of its own."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
SYSTEM = """
import assay, pytest
calls = []

@pytest.fixture
def suffix():
    return ""

@assay.case("gold.csv", metrics=["exact_match"], threshold={"exact_match": 0.5}, gate=["exact_match >= 0.9"], retries=0)
def test_self(suffix, question):
    open("asked", "a").write(question + "\\n")
    if question == "c?":
        raise LookupError("no such book")
    return {"a?": "1", "b?": "wrong"}[question] + suffix
"""


@pytest.fixture
def session(pytester):
    pytester.makefile(".csv", gold="id,question,answer\nalpha,a?,1\nbeta,b?,2\ngamma,c?,3\n")
    pytester.makepyfile(test_system=SYSTEM)

    def run(*args):
        return (
            pytester.runpytest_subprocess("-p", "no:cacheprovider", *args) if "--lf" not in args else pytester.runpytest_subprocess(*args)
        )

    return run


def asked():
    return Path("asked").read_text(encoding="utf-8").split() if Path("asked").exists() else []


def test_cases_and_rules_are_tests(session):
    result = session()
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(
        [
            "beta: b?: exact_match 0.000 misses 0.5*",
            "answer: wrong",
            "*test_self?gamma: c??*",
            "gamma: c?: exception: LookupError: no such book (test_system.py:12 in test_self)",
            "*test_self?gate?*",
            "exact_match >= 0.9: 0.3333 misses 0.9*",
            "*- assay: test_self -*",
            "gold · 3 cases · python in the calling program assay.cases.test_self(text)",
        ]
    )
    assert sorted(asked()) == ["a?", "b?", "c?"]
    assert "Traceback" not in result.stdout.str()


def test_only_chosen_cases_are_asked(session):
    session("-k", "beta").assert_outcomes(failed=1, deselected=3)
    assert asked() == ["b?"]


def test_the_rules_are_about_all_cases(session):
    session("-k", "gate or beta").assert_outcomes(failed=2, deselected=2)
    assert sorted(asked()) == ["a?", "b?", "c?"]


def test_collecting_asks_nothing(session):
    result = session("--collect-only", "-q")
    result.stdout.fnmatch_lines(["*test_self?alpha: a??", "*test_self?beta: b??", "*test_self?gamma: c??", "*test_self?gate?"])
    assert asked() == []


def test_the_first_failure_ends(session):
    session("-x").assert_outcomes(passed=1, failed=1)


def test_last_failures(session):
    session("--lf", "-k", "not gate").assert_outcomes(passed=1, failed=2, deselected=1)
    Path("asked").unlink()
    session("--lf", "-k", "not gate").assert_outcomes(failed=2)
    assert sorted(asked()) == ["b?", "c?"]


def test_reports_and_baselines(session, pytester):
    session("--assay-report", "out", "-q")
    assert sorted(p.name for p in Path("out").iterdir()) == ["test_self.html", "test_self.json"]
    from assay import _binary

    _binary.run(["baseline", "save", "out/test_self.json", "-o", "baseline.json"])
    pytester.makepyfile(
        test_system="""
        import assay
        @assay.case("gold.csv", metrics=["exact_match"], tolerance={"exact_match": 0})
        def test_self(question):
            return "none"
        """
    )
    result = session("--assay-baseline", "baseline.json")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(["*exact_match vs baseline >= 0*"])


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("assay.case('nope.csv')", "test_x: nope.csv: no such file or directory"),
        ("assay.case('gold.csv', metrik='x')", "test_x: assay.case() has no setting 'metrik': did you mean metrics"),
        ("assay.case('gold.csv', metrics=['hit@x'])", "*hit@x*"),
    ],
)
def test_mistakes_are_told(session, pytester, code, says):
    pytester.makepyfile(test_system=f"import assay\n@{code}\ndef test_x(question):\n    return 'x'\n")
    result = session()
    assert result.ret != 0
    result.stdout.fnmatch_lines([f"*{says}*"])


def test_strict_markers_without_xdist(session):
    for strict in (["--strict-markers"], ["-W", "error::pytest.PytestUnknownMarkWarning"]):
        session("-p", "no:xdist", *strict).assert_outcomes(passed=1, failed=3)


def test_parameters_and_classes(session, pytester):
    pytester.makepyfile(
        test_system="""
        import assay, pytest
        class TestIt:
            @pytest.mark.parametrize("answer", ["1", "2"])
            @assay.case("gold.csv", metrics=["exact_match"], threshold={"exact_match": 0.1}, limit=2)
            async def test_it(self, question, answer):
                return answer

        @assay.case([{"question": "a?", "answer": "1"}], metrics=["exact_match"])
        def test_returns():
            return lambda question: "1"

        def test_plain():
            pass
        """
    )
    # Each answer is right for one of two cases, and reaches the threshold of the mean.
    session().assert_outcomes(passed=2 + 2 + 2 + 1, failed=2)


@pytest.mark.parametrize("dist", ["loadfile", "load"])
def test_xdist(session, dist):
    result = session("-n", "2", "--dist", dist)
    if dist == "load":
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        assert str(result.stderr).count("use --dist loadfile, which keeps them on one") == 1
        result.assert_outcomes()
        assert asked() == []
        return
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines(["*- assay: test_self -*", "gold · 3 cases*"])
    assert sorted(asked()) == ["a?", "b?", "c?"]
