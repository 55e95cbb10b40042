package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// packAll packs small programs for three systems, without bills of materials, which need
// programs of Go.
func packAll(t *testing.T) (output string) {
	t.Helper()
	programs := t.TempDir()
	for path, content := range map[string]string{
		"linux_amd64/assay": "for linux", "darwin_arm64/assay": "for macos", "windows_amd64/assay.exe": "for windows", "completions/assay.bash": "complete",
	} {
		path = filepath.Join(programs, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := &release{
		version: "1.2.3", date: time.Unix(1_764_000_000, 0).UTC(), output: t.TempDir(), source: "../..", url: "https://example.org/assay",
	}
	if err := r.load(programs); err != nil {
		t.Fatal(err)
	}
	for _, b := range r.programs {
		steps := []func(built) error{r.archive}
		if b.os == "linux" {
			steps = append(steps, r.debian, r.image)
		}
		for _, step := range steps {
			if err := step(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(r.formula(), r.checksums()); err != nil {
		t.Fatal(err)
	}
	return r.output
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestTheSameProgramsGiveTheSameBytes(t *testing.T) {
	first := packAll(t)
	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second))) // another second, were one written
	second := packAll(t)
	entries, err := os.ReadDir(first)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		if !bytes.Equal(read(t, first, e.Name()), read(t, second, e.Name())) {
			t.Errorf("%s differs between two releases of the same programs", e.Name())
		}
	}
	want := []string{
		"assay.rb", "assay_1.2.3_checksums.txt", "assay_1.2.3_darwin_arm64.tar.gz", "assay_1.2.3_linux_amd64.deb", "assay_1.2.3_linux_amd64.tar.gz",
		"assay_1.2.3_linux_amd64_image.tar", "assay_1.2.3_windows_amd64.zip",
	}
	if !slices.Equal(names, want) {
		t.Errorf("artefacts %q, want %q", names, want)
	}
}

func TestArchives(t *testing.T) {
	dir := packAll(t)
	z, err := gzip.NewReader(bytes.NewReader(read(t, dir, "assay_1.2.3_linux_amd64.tar.gz")))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		found[h.Name] = string(content)
		if h.Name == "assay" && h.Mode != 0o755 {
			t.Errorf("the program has mode %o", h.Mode)
		}
	}
	if found["assay"] != "for linux" || found["completions/assay.bash"] != "complete" || !strings.Contains(found["LICENSE"], "Apache License") {
		t.Errorf("the archive holds %q", found["assay"])
	}
	content := read(t, dir, "assay_1.2.3_windows_amd64.zip")
	zipped, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := zipped.Open("assay.exe"); err != nil {
		t.Error(err)
	}
}

func TestFormulaHasTheChecksumsOfItsArchives(t *testing.T) {
	dir := packAll(t)
	formula := string(read(t, dir, "assay.rb"))
	for system, name := range map[string]string{
		"on_macos do\n    on_arm do": "assay_1.2.3_darwin_arm64.tar.gz", "on_linux do\n    on_intel do": "assay_1.2.3_linux_amd64.tar.gz",
	} {
		want := fmt.Sprintf("  %s\n      url \"https://example.org/assay/releases/download/v1.2.3/%s\"\n      sha256 \"%x\"", system, name,
			sha256.Sum256(read(t, dir, name)))
		if !strings.Contains(formula, want) {
			t.Errorf("the formula lacks\n%s\nin\n%s", want, formula)
		}
	}
}

func TestRoots(t *testing.T) {
	roots, err := rootCertificates()
	if n := bytes.Count(roots, []byte("BEGIN CERTIFICATE")); err != nil || n < 100 {
		t.Errorf("%d certificates, %v: want those that Mozilla trusts", n, err)
	}
}

func TestLoadSaysWhatIsMissing(t *testing.T) {
	r := &release{source: "../.."}
	if err := r.load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "expected the programs that scripts/release.sh builds") {
		t.Errorf("error %v", err)
	}
}
