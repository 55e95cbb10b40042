import asyncio
import contextvars
import datetime
import decimal
import enum
import json
import logging
import os
import pathlib
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import uuid

import pandas as pd
import pytest

import assay
from assay._dataset import path_of
from assay._options import flags

ROWS = [
    {"id": "a", "question": "Where is the lamp?", "answer": "on the table", "file": "lamp.md"},
    {"id": "b", "question": "Who has it?", "answer": "Anna", "file": "who.md"},
]


def right(question):
    answer, source = ("on the table", "lamp.md") if "lamp" in question else ("Anna", "who.md")
    return {"answer": answer, "passages": [{"text": f"It is {answer}.", "source": source}]}


async def asynchronous(question):
    await asyncio.sleep(0)
    return right(question)


def pieces(question):
    yield from ("on the ", "table")


class Engine:
    def query(self, question):
        return right(question)["answer"], [{"text": "x", "source": "lamp.md"}]


# The mean of hit@1 and of exact_match, by hand.
@pytest.mark.parametrize(
    ("target", "hit", "exact"),
    [(right, 1, 1), (asynchronous, 1, 1), (pieces, None, 0.5), (Engine(), 0.5, 1), (lambda q: "Anna", None, 0.5)],
)
def test_targets(target, hit, exact):
    report = assay.evaluate(target, ROWS, metrics=["hit@1", "exact_match"])
    assert report.summary["exact_match"].mean == exact
    assert report.summary["hit@1"].mean == hit
    assert report.run.target.endpoint == "in the calling program"
    assert report.run.target.adapter == "python"
    assert report.passed
    assert report.verdict is None
    assert report.check() is report


def test_report():
    def half(question):
        if "Who" in question:
            raise LookupError("no such book")
        return right(question)

    done = []
    report = assay.evaluate(
        half, ROWS, metrics="exact_match", retries=0, gate=["errors <= 0"], name="half", progress=lambda *n: done.append(n)
    )
    assert done[0] == (0, 2)
    assert done[-1] == (2, 2)
    assert not report.passed
    assert report.exit_code == 1
    assert report.verdict == "fail"
    assert report.counts.errors == 1
    first, second = report.failures
    assert first.startswith("b: Who has it?: exception: LookupError: no such book (")
    assert "test_evaluate.py" in first
    assert second.startswith("errors <= 0: ")
    with pytest.raises(assay.Failed, match=r"errors <= 0") as failed:
        report.check()
    assert failed.value.code == 1
    frame = report.to_pandas()
    assert list(frame["id"]) == ["a", "b"]
    assert frame["exact_match"][0] == 1
    assert frame["exact_match"].isna()[1]
    assert " · 2 cases · python in the calling program\n  test_evaluate.test_report.<locals>.half(text)\n" in str(report)
    assert re.search(r"of rows-[0-9a-f]{12}: exact_match 0\.500>$", repr(report))
    assert report.text("markdown").startswith("#")
    assert 'sandbox="allow-scripts' in report._repr_html_()
    for name in ("r.html", "r.md", "r.json", "r.csv", "r.xml", "r.txt"):
        report.save(name)
        assert os.path.getsize(name) > 100
    with pytest.raises(ValueError, match=r"r\.doc: no format has this extension: expected one of \.html"):
        report.save("r.doc")
    assert assay.load("r.json").failures == report.failures
    assert assay.load("half").run.id == report.run.id
    assert report.cases[0].want.documents == {"lamp.md": 1}


def test_files_are_written_where_output_says():
    assert assay.evaluate(right, ROWS, metrics="exact_match", output="out/eval", formats=["markdown"]).passed
    assert sorted(os.listdir("out")) == ["eval.json", "eval.md", "results.jsonl"]


def test_settings_say_what_is_asked():
    os.mkdir("docs")
    with open("docs/leave.md", "w", encoding="utf-8") as file:
        file.write("In the first year everybody has 24 days of leave.")
    report = assay.evaluate(dataset="questions.csv", corpus="docs", generator="none", retriever="sparse", metrics="hit@1", limit=2)
    assert report.counts.cases == 2


def test_errors():
    with pytest.raises(TypeError, match=r"evaluate\(\) has no setting 'topk': did you mean top_k"):
        assay.evaluate(right, ROWS, topk=3)
    with pytest.raises(TypeError, match=r"got an object to ask and endpoint"):
        assay.evaluate(right, ROWS, endpoint="http://x")
    with pytest.raises(assay.Error, match=r"nope\.csv: no such file") as error:
        assay.evaluate(right, "nope.csv")
    assert error.value.code == 3
    assert error.value.report is None
    with pytest.raises(assay.Error, match=r"hit@x"):
        assay.evaluate(right, ROWS, metrics=["hit@x"])
    with pytest.raises(assay.Error, match=r"is builtins\.object: expected a function, or an object with one of invoke"):
        assay.evaluate(object(), ROWS)

    def never(question):
        raise OSError("no network")

    with pytest.raises(assay.Error, match=r"no network") as error:
        assay.evaluate(never, ROWS, retries=0)
    assert error.value.report is not None
    assert error.value.report.counts.errors == 2


class Bug(Exception):
    pass


ERRORS = [
    KeyError("choices"),
    TypeError("expected str"),
    AttributeError("messages"),
    ValueError("the input key expected a message"),
    Bug("x"),
]


# A failure is that of its case, in either order of rows: no other form is tried, and no later case gets another.
@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("rows", [ROWS, ROWS[::-1]], ids=["last", "first"])
def test_a_failure_is_no_pass(error, rows):
    asked = []

    def buggy(question):
        asked.append(question)
        if question == "Who has it?":
            raise error
        return right(question)

    report = assay.evaluate(buggy, rows, metrics="exact_match", gate=["errors <= 0"], concurrency=1)
    assert sorted(asked) == sorted(row["question"] for row in ROWS)
    assert {c.id: c.status for c in report.cases} == {"a": "ok", "b": "error"}
    assert report.exit_code == 1
    assert "test_evaluate.py:" in report.failures[0]


def test_ten_failures_alike_end_the_run():
    asked = []

    def buggy(question):
        asked.append(question)
        return question + 1

    with pytest.raises(assay.Error, match=r"stopped after 10 cases, which all failed alike: TypeError: .*test_evaluate\.py"):
        assay.evaluate(buggy, [{"question": f"q{i}?", "answer": "x"} for i in range(30)], metrics="exact_match", concurrency=1)
    assert len(asked) == 10


def test_errors_name_the_row():
    def message(rows):
        with pytest.raises(assay.Error) as error:
            assay.evaluate(right, rows, metrics="exact_match")
        return str(error.value)

    assert message([{"question": "a", "answer": "two\nlines"}, {"question": "", "answer": "2"}]).startswith(
        "row 1 of the dataset: case 2: question"
    )
    twice = message([{"id": "a", "question": "x", "answer": "1\n2"}, {"id": "a", "question": "y", "answer": "2"}])
    assert "row 1 of the dataset" in twice
    assert "first in row 0 of the dataset" in twice
    assert message([{"question": "x", "expected_contexts": {"a": "b"}}]).startswith("row 0 of the dataset: ")
    assert message([{"q": "a"}]).startswith("the dataset: unknown format")


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises, also in a process of a background job, which starts with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("history", [["hi", "hello"], [("hi", "hello")], [{"role": "user", "content": "hi"}]])
def test_a_history_is_metadata_as_it_is(history):
    rows = [{"question": "and?", "history": history, "reference_answer": "x"}]
    given = []
    assay.evaluate(lambda question, metadata: given.append(metadata["history"]) or "x", rows, metrics="exact_match")
    assert given == [json.loads(json.dumps(history))]


def test_a_question_is_no_list():
    with pytest.raises(assay.Error, match="question: a list: expected "):
        assay.evaluate(lambda question: "x", [{"question": ["hi", "hello", "and?"], "answer": "x"}], metrics="exact_match")


def test_rows_are_resumed():
    rows = [{"question": f"q{i}?", "answer": "x"} for i in range(12)]
    asked = []

    def stops(question):
        asked.append(question)
        if len(asked) == 5:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        return "x"

    with pytest.raises(KeyboardInterrupt) as stopped:
        assay.evaluate(stops, rows, metrics="exact_match", concurrency=1, store="own.db")
    name = re.search(r'evaluate\(…, resume="(.+?)"\)', str(stopped.value))[1]
    before = len(asked)
    with pytest.raises(assay.Error, match=r"it asked .*stops\(text\), and the target is now .*<lambda> of test_evaluate.py:\d+\(text\)"):
        assay.evaluate(lambda q: "y", rows, metrics="exact_match", resume=name, store="own.db")
    report = assay.evaluate(stops, pd.DataFrame(rows), metrics="exact_match", concurrency=1, resume=name, store="own.db")
    assert len(report.cases) == 12
    assert 0 < len(asked) - before < 12
    again = assay.evaluate(stops, rows, metrics="exact_match", resume=name, store="own.db")
    assert again.cases == report.cases, "a finished run has its report"
    with pytest.raises(assay.Error, match=r"^the rows differ from those that the run was started with\n"):
        assay.evaluate(stops, rows[1:], metrics="exact_match", resume=name, store="own.db")
    assert not any(".csv" in text for text in [str(report), *report.warnings, str(report.cases[0].origin)])


class Talk:
    def chat(self, question):
        return question


class Graph:
    def __init__(self, thread, name="thread_id"):
        self.name, self.config = name, {"configurable": {name: thread}}

    def invoke(self, question, config=None):
        return config["configurable"][self.name] if config else "none"


def test_state_between_cases():
    report = assay.evaluate(Talk(), ROWS, metrics="exact_match")
    assert "has chat and no reset: a case may see those before it" in str(report)
    report = assay.evaluate(Graph("1"), ROWS, metrics="exact_match")
    assert "every case has the thread_id '1'" in str(report).replace("\n ", "")
    report = assay.evaluate(Graph("1", "session_id"), ROWS, metrics="exact_match")
    assert "every case has the session_id '1'" in str(report).replace("\n ", "")
    for name in ("thread_id", "session_id"):
        report = assay.evaluate(Graph("{{case_id}}", name), ROWS, metrics="exact_match")
        assert [c.answer[:2] for c in report.cases] == ["a-", "b-"]
        assert not report.cases[0].warnings


def test_the_traceback_is_logged(caplog):
    def wrong(question):
        return 1 / len(question[:0])

    with caplog.at_level(logging.INFO, "assay"), pytest.raises(assay.Error):
        assay.evaluate(wrong, ROWS, retries=0)
    assert "ZeroDivisionError" in caplog.text
    assert "return 1 / len" in caplog.text


def test_an_exception_of_progress_ends_the_run():
    def stop(done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        assay.evaluate(right, ROWS, progress=stop)


def test_within_a_running_event_loop():
    async def notebook():
        return assay.evaluate(asynchronous, ROWS, metrics="exact_match")

    assert asyncio.run(notebook()).summary["exact_match"].mean == 1


def test_context_variables_of_the_caller():
    tenant = contextvars.ContextVar("tenant", default="none")

    def plain(question):
        return tenant.get()

    async def later(question):
        return tenant.get()

    def pieces(question):
        yield tenant.get()

    rows = [{"question": str(i), "answer": "acme"} for i in range(3)]
    token = tenant.set("acme")
    for target in (plain, later, pieces):
        assert assay.evaluate(target, rows, metrics="exact_match", concurrency=3).summary["exact_match"].mean == 1
    tenant.reset(token)


def test_two_at_once():
    found = {}

    def one(name):
        found[name] = assay.evaluate(lambda q: name, [{"question": str(i), "answer": name} for i in range(20)], concurrency=4, name=name)

    threads = [threading.Thread(target=one, args=(name,)) for name in ("x", "y")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in ("x", "y"):
        assert {case.answer for case in found[name].cases} == {name}


def test_questions_are_asked_at_once():
    both = threading.Barrier(2, timeout=60)

    def waits(question):
        both.wait()
        return "yes"

    assert assay.evaluate(waits, ROWS, metrics="exact_match", concurrency=2).counts.errors == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_ctrl_c_keeps_the_finished_cases(tmp_path):
    program = tmp_path / "interrupted.py"
    program.write_text(
        textwrap.dedent("""
        import signal, time, assay
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it for what is in the background
        def slow(question):
            if question == "1":
                print("asked", flush=True)
                time.sleep(600)
            return "yes"
        try:
            assay.evaluate(slow, [{"id": i, "question": i, "answer": "yes"} for i in "01"], metrics="exact_match", timeout="1h")
        except KeyboardInterrupt as error:
            print("interrupted:", error, flush=True)
        """),
        encoding="utf-8",
    )
    process = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "asked\n"
    process.send_signal(signal.SIGINT)
    # The thread that sleeps does not keep the program alive.
    try:
        out, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    assert "interrupted: " in out
    assert process.returncode == 0
    assert assay.load("latest").counts.cases == 1


def test_a_target_that_hangs_does_not_keep_the_program_alive(tmp_path):
    program = tmp_path / "hangs.py"
    program.write_text(
        "import threading, assay\n"
        "def hangs(question):\n"
        "    if question == 'b':\n"
        "        threading.Event().wait()\n"
        "    return 'yes'\n"
        "report = assay.evaluate(hangs, [{'question': q, 'answer': 'yes'} for q in 'ab'], timeout='200ms', retries=0)\n"
        "print(report.failures)\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120, check=True)
    assert "no response within 200ms" in done.stdout


def test_datasets(tmp_path):
    frame = pd.DataFrame({"question": ["x", "y"], "answer": ["1", None], "n": [1, float("nan")]})
    table = path_of(frame, tmp_path)
    with open(table, encoding="utf-8") as file:
        assert file.read().split() == ["question,answer,n", "x,1,1.0", "y,,"]

    class Polars:
        columns = ("question", "answer")

        def to_dict(self):
            raise AssertionError("its columns")

        def to_dicts(self):
            return frame.to_dict("records")

    assert path_of(Polars(), tmp_path) == table
    midnight, morning = pd.Timestamp("2024-05-01"), pd.Timestamp("2024-05-02 09:30")
    dates = pd.DataFrame({"question": ["x", "y", "z"], "answer": [midnight, morning, None], "asked": [midnight, None, midnight]})
    with open(path_of(dates, tmp_path), encoding="utf-8") as file:
        assert file.read().split("\n")[1:4] == ["x,2024-05-01 00:00:00,2024-05-01", "y,2024-05-02 09:30:00,", "z,,2024-05-01"]
    lines = path_of([{"question": "x", "expected_contexts": [{"id": "a", "grade": 2}]}], tmp_path)
    with open(lines, encoding="utf-8") as file:
        assert file.read() == '{"question": "x", "expected_contexts": [{"id": "a", "grade": 2}]}\n'
    with open(path_of([{"question": "x", "file": ["a", "b"], "critical": True}], tmp_path), encoding="utf-8") as file:
        assert file.read().split("\n")[1].strip() == 'x,"[""a"", ""b""]",true'
    stored = [{b"question": b"b\xc3\xbcro?", "answer": bytearray(b"1"), "tags": [memoryview(b"a")], "n": decimal.Decimal("1.50")}]
    with open(path_of(stored, tmp_path), encoding="utf-8") as file:
        assert file.read().split("\n")[1].strip() == 'büro?,1,"[""a""]",1.50'
    level = enum.Enum("level", {"HIGH": "high"}, type=str)
    with open(path_of([{"question": "x", "level": level.HIGH, "id": uuid.UUID(int=7)}], tmp_path), encoding="utf-8") as file:
        assert file.read().split("\n")[1].strip() == "x,high,00000000-0000-0000-0000-000000000007"
    for wrong, says in (
        ([], "no rows"),
        ([{"question": "x"}, {"question": b"\xff"}], r"row 1 of the dataset, 'question': .*utf-8.*: expected text"),
        ([{"question": object()}], "row 0 of the dataset, 'question': an object of object"),
        (["x"], "row 0 of the dataset is str: expected a mapping"),
        (3, "the dataset is int: expected a path"),
        ({"train": frame}, r"dataset\['train'\]"),
    ):
        with pytest.raises((TypeError, ValueError), match=says):
            path_of(wrong, tmp_path)


def test_flags():
    given = {
        "top_k": 3, "statistical": True, "timeout": datetime.timedelta(seconds=2), "gate": ["a >= 1", "b >= 2"], "threshold": {"x": 0.5},
        "header": {"A": "b"}, "send": {"q": "{{question}}"}, "judge": None, "metrics": ("x", "y"),
    }  # fmt: skip
    assert flags(given, "f()") == [
        "--set=top-k=3", "--set=statistical=true", "--set=timeout=2.0s", "--set=gate=a >= 1,b >= 2", "--set=threshold=x=0.5",
        "--set=header=A: b", '--set=send={"q": "{{question}}"}', "--set=metrics=x,y",
    ]  # fmt: skip
    with pytest.raises(TypeError, match=r"top_k: .* is object: expected text, a number, a path"):
        flags({"top_k": object()}, "f()")


def test_compare():
    before = assay.evaluate(lambda q: "Anna", ROWS, metrics="exact_match", name="before")
    after = assay.evaluate(right, ROWS, metrics="exact_match", name="after")
    for found in (assay.compare(before, after), assay.compare("before", after, primary="exact_match")):
        assert found.baseline == "before"
        assert found.difference("exact_match")["diff"] == 0.5
        assert found.sentences[0].startswith("No difference in Exact match can be shown between before and after")
        assert found.to_pandas()["diff"][0] == 0.5
        assert "report: " not in str(found)
        assert "srcdoc" in found._repr_html_()
    found.save("c.html")
    assert os.path.getsize("c.html") > 1000
    for wrong, says in (
        ((before,), "got 1 runs"),
        ((before, 3), "got int"),
        (({"x": right},), "no dataset"),
    ):
        with pytest.raises(TypeError, match=says):
            assay.compare(*wrong)


def test_a_server_that_refuses(server):
    client = assay.Client(server)
    assert client.ready()["status"]
    with pytest.raises(assay.Refused, match="nope") as refused:
        client.get_run("nope")
    assert refused.value.status == 404
    with pytest.raises(assay.Refused) as refused:
        client.start_run({"dataset": "questions.csv", "config": {"metrics": ["hit@x"]}})
    assert refused.value.status in (400, 422)
    with pytest.raises(assay.Error, match="expected the address of a running assay serve"):
        assay.Client("http://127.0.0.1:9").health()
    with open("small.jsonl", "w", encoding="utf-8") as file:
        file.write('{"question": "x?", "ground_truth": "y"}\n')
    named = client.upload_dataset(file=pathlib.Path("small.jsonl"), name="uploaded")
    assert named["cases"] == 1


def test_stages_of_langchain():
    from rag import chain

    report = assay.evaluate(chain, "questions.csv", metrics=["hit@1"], concurrency=8, limit=2)
    for case in report.cases:
        stages = {stage.name: stage for stage in case.trace.stages}
        assert list(stages) == ["retrieve", "generate"]
        assert stages["retrieve"].input == case.question
        assert case.question in stages["generate"].input
        assert len(case.passages) == 2
    assert report.run.target.adapter == "langchain"


def test_a_program_that_is_not_there(monkeypatch):
    monkeypatch.setenv("ASSAY_BINARY", "/no/such/assay")
    with pytest.raises(assay.Error, match="/no/such/assay"):
        assay.evaluate(right, ROWS)


def test_importing_costs_little():
    began = time.perf_counter()
    code = "import sys, assay, assay.pytest_plugin as p; print(sorted(m for m in sys.modules if m.startswith('assay')))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "['assay', 'assay.pytest_plugin']", f"after {time.perf_counter() - began} s"
