#!/usr/bin/env bash
# Installs what the checks against the outside need, once: a browser, pdftotext,
# the reference vectors of the embedder, a cross-encoder, servers with a small language model and with
# an embedding model, a recogniser of speech, an emulator of arm64, Wine, the generator
# of the site, and the systems that adapters are tried on. Writes what tests must know to $CACHE/env.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${CACHE:?names the folder that keeps downloads}"
mkdir -p "$CACHE"

need() { command -v "$1" >/dev/null || missing+=("$2"); }
missing=()
need chromium chromium
need pdftotext poppler-utils
need pocketsphinx_continuous pocketsphinx
need flite flite
need sctk sctk
# The commands of the documentation.
need curl curl
need git git
need jq jq
need zstd zstd
need runc runc
[ -x /usr/lib/wine/wine64 ] || missing+=(wine wine64)
need x86_64-w64-mingw32-ld binutils-mingw-w64-x86-64
[ -d /usr/share/pocketsphinx/model/en-us ] || missing+=(pocketsphinx-en-us)
# Tests start servers of their own; see store/postgrestest.
need pgbouncer pgbouncer
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" fonts-noto-cjk >/dev/null
fi

bash scripts/arm64/install.sh
reference=$(bash scripts/minilm/reference.sh "$CACHE/minilm" | tail -n 1)
ollama=$(bash scripts/models/ollama.sh "$CACHE/models" | tail -n 1)
models=$(bash scripts/models/smollm2.sh "$CACHE/models" "$ollama" | tail -n 1)
minilm=$(bash scripts/models/minilm.sh "$CACHE/models" "$ollama" | tail -n 1)
onnx=$(bash scripts/minilm/server.sh "$CACHE/minilm")
head=$(eval "$onnx" && bash scripts/entail/head/head.sh "$ASSAY_ONNX_PYTHON" "$ASSAY_ONNX_MINILM" "$CACHE/entail" | tail -n 1)
chroma=$(bash scripts/targets/chroma.sh "$CACHE/targets" | tail -n 1)
everything=$(bash scripts/targets/mcp.sh "$CACHE/targets" | tail -n 1)
python=$(bash scripts/targets/python.sh "$CACHE/targets")
jiwer=$(bash scripts/speech/jiwer.sh "$CACHE/speech" | tail -n 1)
pocketsphinx=$(bash scripts/speech/pocketsphinx.sh)
schemathesis=$(bash scripts/server/schemathesis.sh "$CACHE/server" | tail -n 1)
clients=$(bash scripts/server/clients.sh "$CACHE/server" | tail -n 1)
axe=$(bash scripts/web/axe.sh "$CACHE/web" | tail -n 1)
bash scripts/minilm/venv.sh scripts/site/requirements.txt "$CACHE/site" >/dev/null

wine=$(bash scripts/wine.sh "$CACHE/wine" | tail -n 1)
deepeval=$(bash scripts/minilm/venv.sh scripts/formats/deepeval.txt "$CACHE/formats" | tail -n 1)

cat >"$CACHE/env" <<ENV
export ASSAY_MINILM_REFERENCE="$reference"
export ASSAY_OLLAMA="$ollama"
export ASSAY_OLLAMA_MODELS="$models"
export ASSAY_OLLAMA_MINILM="$minilm"
export ASSAY_CHROMA="$chroma"
export ASSAY_MCP_EVERYTHING="$everything"
export ASSAY_JIWER="$jiwer"
export ASSAY_POCKETSPHINX="$pocketsphinx"
export ASSAY_SCHEMATHESIS="$schemathesis"
export ASSAY_CLIENTS="$clients"
export ASSAY_AXE="$axe"
export ASSAY_WINE="$wine"
export ASSAY_DEEPEVAL_PYTHON="$deepeval"
export ASSAY_ENTAIL_HEAD="$head"
$python
$onnx
ENV
