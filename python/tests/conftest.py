import re
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    """Each test has a folder of its own, with the dataset and the system."""
    for name in ("questions.csv", "rag.py"):
        (tmp_path / name).write_text((HERE / name).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def server(tmp_path):
    """The address of a server of the folder of the test."""
    from assay import _binary

    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "leave.md").write_text("In the first year everybody has 24 days of leave.", encoding="utf-8")
    process = subprocess.Popen(
        [_binary.find(), "serve", "--addr", "127.0.0.1:0", "--datasets", str(tmp_path), "--corpus", "docs"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    lines = iter(process.stderr.readline, "")
    yield next(found[0] for line in lines if (found := re.findall(r"http://[\d.:]+\d", line)))
    process.terminate()
    process.communicate()
