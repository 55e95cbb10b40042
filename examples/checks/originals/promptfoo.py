"""Runs the assertions of promptfooconfig.yaml on the inputs.

usage: promptfoo.py NODE MAIN.JS   (main.js of the package promptfoo, in dist/src)
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from common import inputs, write

node, main = (os.path.abspath(path) if os.sep in path else path for path in sys.argv[1:3])
version = json.loads((pathlib.Path(main).parent.parent.parent / "package.json").read_text())["version"]
with tempfile.TemporaryDirectory() as work:
    here = pathlib.Path(__file__).parent
    shutil.copy(here / "promptfooconfig.yaml", work)
    tests = [{"vars": {"id": one["id"], "answer": one["answer"]}} for one in inputs()]
    pathlib.Path(work, "tests.json").write_text(json.dumps(tests))
    env = {
        **os.environ,
        "HOME": work,
        "PROMPTFOO_CONFIG_DIR": work + "/.promptfoo",
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_SHARING": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
        "PROMPTFOO_PYTHON": sys.executable,
    }
    # The exit status tells of assertions that failed, which is wanted here.
    command = [node, main, "eval", "--config", "promptfooconfig.yaml", "--output", "results.json", "--no-cache"]
    done = subprocess.run(command + ["--no-progress-bar", "--no-table"], cwd=work, env=env, stdout=sys.stderr, check=False)
    if done.returncode not in (0, 100):
        sys.exit(f"promptfoo ended with the status {done.returncode}")
    results = json.loads(pathlib.Path(work, "results.json").read_text())["results"]["results"]
scores = {}
for result in results:
    for part in result["gradingResult"]["componentResults"]:
        scores.setdefault(part["assertion"]["metric"], {})[result["vars"]["id"]] = part["score"]
write("promptfoo", version, scores)
