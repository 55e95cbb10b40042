package cli_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// releases serves release v1.2.3, whose program is a script, as GitHub does. The checksums
// are those of content, and the archive is what change makes of it.
func releases(t *testing.T, script string, change func([]byte) []byte) string {
	t.Helper()
	for _, program := range []string{"sh", "curl", "tar", "awk"} {
		requiretest.Command(t, program)
	}
	var content bytes.Buffer
	z := gzip.NewWriter(&content)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{"LICENSE": "text", "assay": script} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("assay_1.2.3_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /releases/latest", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/releases/tag/v1.2.3", http.StatusFound)
	})
	mux.HandleFunc("GET /releases/tag/v1.2.3", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /releases/download/v1.2.3/assay_1.2.3_checksums.txt", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "%064d  assay_1.2.3_plan9_mips.tar.gz\n%x  %s\n", 0, sha256.Sum256(content.Bytes()), name)
	})
	mux.HandleFunc("GET /releases/download/v1.2.3/"+name, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(change(content.Bytes())) // a client that is gone
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + "/releases"
}

func TestInstall(t *testing.T) {
	t.Parallel()
	same := func(b []byte) []byte { return b }
	for _, test := range []struct {
		name, version string
		change        func([]byte) []byte
		wrong         string
	}{
		{name: "latest", version: "latest", change: same},
		{name: "a version", version: "v1.2.3", change: same},
		{name: "a version without a v", version: "1.2.3", change: same},
		{name: "no such release", version: "v9.9.9", change: same, wrong: "release v9.9.9 has no checksums"},
		{name: "no version", version: "main", change: same, wrong: "version main: expected one such as v1.4.0, or latest"},
		{
			name: "another archive", version: "v1.2.3", change: func(b []byte) []byte { return append(bytes.Clone(b), 0) },
			wrong: "nothing was installed",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder := filepath.Join(t.TempDir(), "new", "bin")
			install := exec.Command("sh", filepath.Join(requiretest.Root(), "scripts/install.sh"), test.version, folder)
			install.Env = append(os.Environ(), "ASSAY_RELEASES="+releases(t, "#!/bin/sh\necho installed\n", test.change))
			said, err := install.CombinedOutput()
			got, missing := os.ReadFile(filepath.Join(folder, "assay"))
			if test.wrong == "" {
				if err != nil || missing != nil || !strings.HasSuffix(string(said), "installed\n") {
					t.Errorf("%v, %v: %s", err, missing, said)
				}
				return
			}
			if err == nil || !strings.Contains(string(said), test.wrong) {
				t.Errorf("%v: %s: want %q", err, said, test.wrong)
			}
			if missing == nil {
				t.Errorf("installed %q", got)
			}
		})
	}
}

// The action installs the release and evaluates with it.
func TestActionInstalls(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "bash")
	var a action
	readYAML(t, "action.yml", &a)
	r := &runner{t: t, inputs: map[string]string{"version": "v1.2.3", "baseline": "baseline.json", "ledger": "calls.jsonl.gz"}}
	r.prepare()
	log := filepath.Join(r.dir, "installed.log")
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>%s\nexec %s \"$@\"\n", log, filepath.Join(r.bin, "assay"))
	r.variables = []string{"ASSAY_RELEASES=" + releases(t, script, func(b []byte) []byte { return b })}
	if code := r.perform(a); code != 0 || r.outputs["exit-code"] != "0" {
		t.Fatalf("exit code %d, output %v\n%s", code, r.outputs, &r.stdout)
	}
	if got := r.read(log); !strings.HasPrefix(got, "--version\n") || !strings.Contains(got, "run --config eval-config.yaml") {
		t.Errorf("the installed program was asked %q", got)
	}
}
