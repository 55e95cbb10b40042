"""Every snippet of the guide runs, and prints what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(os.environ.get("ASSAY_GUIDE", Path(__file__).parents[2] / "docs" / "python.md"))
SNIPPETS = dict(re.findall(r"<!-- file: (\S+) -->\n\n```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S))
# What a snippet prints, in part; of tests, how they end.
PRINTS = {
    "test_chain.py": "5 passed",
    "evaluate.py": "['retrieve', 'generate']",
    "rows.py": "No difference in Hit@1 can be shown",
    "test_search.py": "1 failed, 4 passed",
    "stages.py": "generate",
    "compare.py": "No difference",
    "client.py": "finished 0.",
}


def test_every_snippet_is_run():
    assert set(SNIPPETS) == set(PRINTS)
    assert GUIDE.read_text(encoding="utf-8").count("```python") == len(SNIPPETS)


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippet(name, request):
    Path(name).write_text(SNIPPETS[name], encoding="utf-8")
    environment = dict(os.environ)
    if name == "client.py":
        environment["ASSAY_URL"] = request.getfixturevalue("server")
    command = ["-m", "pytest", "-p", "no:cacheprovider", name] if name.startswith("test_") else [name]
    done = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, encoding="utf-8", check=False)
    assert PRINTS[name] in done.stdout, done.stdout + done.stderr
    assert (done.returncode == 0) == ("failed" not in PRINTS[name])
