"""Finds and runs the program, which the wheel installs as a script."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .errors import Error, raised

VARIABLE = "ASSAY_BINARY"


@functools.lru_cache(maxsize=1)
def _installed() -> str:
    name = "assay" + (".exe" if sys.platform == "win32" else "")
    user = "nt_user" if os.name == "nt" else "osx_framework_user" if sys.platform == "darwin" and sys._framework else "posix_user"
    package = Path(__file__).resolve().parent
    folders = [
        Path(sysconfig.get_path("scripts")),
        Path(sysconfig.get_path("scripts", vars={"base": sys.base_prefix})),  # of the Python that a virtual environment is on top of
        Path(sysconfig.get_path("scripts", scheme=user)),
        package.parent / "bin",  # pip install --target
        package.parent / "Scripts",
        package.parents[3] / "bin" if len(package.parents) > 3 else package,  # pip install --prefix
    ]
    for folder in folders:
        if (folder / name).is_file():
            return str(folder / name)
    raise Error(
        "the program assay is not where the package was installed: looked in "
        + ", ".join(str(f) for f in folders[:4])
        + f"; install the wheel again, or set {VARIABLE} to its path"
    )


def find() -> str:
    """Return the path of the program: that of ASSAY_BINARY, else the installed one."""
    return os.environ.get(VARIABLE) or _installed()


def start(args: Sequence[str], **how: Any) -> subprocess.Popen[bytes]:
    """Start a command of the program."""
    program = find()
    try:
        return subprocess.Popen([program, *args], **how)
    except OSError as error:
        raise Error(f"the program cannot be started: {error}; {VARIABLE} names another") from None


def run(args: Sequence[str]) -> bytes:
    """Run a command and return its standard output; raise its message if it fails."""
    process = start(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        out, err = process.communicate()
    if process.returncode != 0:
        raise raised(process.returncode, err.decode("utf-8", "replace"))
    return out


def main() -> None:
    """Be the program: the script assay-eval."""
    try:
        program = find()
    except Error as error:
        sys.exit(f"assay-eval: {error}")
    if sys.platform == "win32":
        try:
            sys.exit(subprocess.run([program, *sys.argv[1:]], check=False).returncode)
        except KeyboardInterrupt:
            sys.exit(130)
    os.execv(program, [program, *sys.argv[1:]])
