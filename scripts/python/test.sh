#!/usr/bin/env bash
# Tests a wheel as users have it: in environments of its own, where Go is not on the path.
#
# usage: test.sh WHEELS PYTHON
#
# WHEELS is a folder with one wheel. PYTHON is that of an environment with the packages of
# test.txt, which the second environment sees.
set -euo pipefail
wheel=$(ls "$(cd "${1:?a folder of wheels}" && pwd)"/*.whl) python=${2:?a Python}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
path=/usr/bin:/bin
if PATH=$path command -v go >/dev/null; then
  echo "test.sh: Go is in $path, where the package must do without it" >&2
  exit 2
fi
bare() { env -i PATH="$work/$1/bin:$path" HOME="$work" LANG=C.UTF-8 "${@:2}"; }

# Nothing but pip and the wheel.
"$python" -m venv "$work/empty"
bare empty pip install --quiet --disable-pip-version-check --no-index "$wheel"
(
  cd "$work"
  bare empty assay --version
  bare empty assay-eval --version >"$work/same"
  bare empty assay --version | diff - "$work/same"
  printf 'question,answer\nWhere is the lamp?,on the table\n' >lamp.csv
  bare empty python -W error -c '
import sys, assay
report = assay.evaluate(lambda question: "on the table", "lamp.csv", metrics=["exact_match"])
assert report.summary["exact_match"].mean == 1, report
assert not {"pandas", "pytest", "typing_extensions"} & set(sys.modules)
' 2>"$work/warnings"
  diff /dev/null "$work/warnings"
)

# With pytest, pandas and LangChain.
"$python" -m venv "$work/full"
bare full pip install --quiet --disable-pip-version-check --no-index --no-deps "$wheel"
"$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$("$work/full/bin/python" -c \
  'import sysconfig; print(sysconfig.get_path("purelib"))')/packages.pth"
cp -r python/tests "$work/tests"
cp docs/python.md "$work/python.md"
(cd "$work/tests" && bare full env ASSAY_GUIDE="$work/python.md" python -m pytest -q -p no:cacheprovider -n 2 --dist loadfile .)
