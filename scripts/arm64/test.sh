#!/usr/bin/env bash
# Tests the kernels for arm64, and what is built on them, on an emulated processor: the vectors of
# texts must be those of x86-64 (rag/embed/testdata/vectors.bin), each kernel's bytes too
# (internal/simd/testdata/bits.txt). The plain Go version runs on an emulated processor that has
# no kernels. Some three minutes on two processors.
set -euo pipefail
cd "$(dirname "$0")/../.."
bash scripts/arm64/install.sh
export CGO_ENABLED=0 GOOS=linux ASSAY_REQUIRE=all

echo "the words of the kernels are those of the GNU assembler"
go test -count=1 -run '^TestWords$' ./internal/simd

echo "plain Go on riscv64"
GOARCH=riscv64 go test -exec qemu-riscv64 -count=1 ./internal/simd
GOARCH=riscv64 go test -exec qemu-riscv64 -count=1 -run '^(TestAdd|TestBM25ByHand|TestDenseByHand)$' ./rag/index

# Left out: TestReference, a thousand texts that would take half an hour (TestPinned has forty, the
# longest and oddest), and TestRealServers, which tests clients of servers and not the encoder.
echo "kernels, encoder and indexes on arm64"
ASSAY_EMULATOR=qemu-aarch64 GOARCH=arm64 go test -exec qemu-aarch64 -count=1 -timeout 45m -skip '^(TestReference|TestRealServers)$' \
  ./internal/simd ./rag/embed ./rag/index/...
