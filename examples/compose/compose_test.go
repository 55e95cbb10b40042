// Package compose_test runs what compose.yaml describes: the image of a release under runc,
// as server and worker, on a PostgreSQL of this machine.
package compose_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/internal/servertest"
	"github.com/assay-eval/assay/store/postgrestest"
)

// output collects what several goroutines write.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// A service is what the test reads of one in compose.yaml.
type service struct {
	Image       string            `yaml:"image"`
	Command     []string          `yaml:"command"`
	Environment map[string]string `yaml:"environment"`
	ReadOnly    bool              `yaml:"read_only"`
	Volumes     []string          `yaml:"volumes"`
}

func services(t *testing.T) map[string]service {
	t.Helper()
	data, err := os.ReadFile("compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]service `yaml:"services"`
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	return file.Services
}

var variable = regexp.MustCompile(`\$\{(\w+):-([^}]*)\}`)

// environment gives the variables of a service as they are when nothing is set, with the
// database of the test.
func (s service) environment(database string) (env []string) {
	for name, value := range s.Environment {
		value = variable.ReplaceAllString(value, "$2")
		if name == "ASSAY_STORE" {
			value = database
		}
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}

func TestReleaseRunsInContainers(t *testing.T) {
	runc := requiretest.Command(t, "runc")
	requiretest.Superuser(t)
	database := postgrestest.Start(t).Empty(t)
	dist := filepath.Join(t.TempDir(), "dist")
	release := exec.Command("bash", "scripts/release.sh", "v0.0.0", dist, "linux/"+runtime.GOARCH)
	release.Dir = requiretest.Root()
	if said, err := release.CombinedOutput(); err != nil {
		t.Fatalf("scripts/release.sh: %v: %s", err, said)
	}
	name := "assay_0.0.0_linux_" + runtime.GOARCH
	t.Run("checksums", func(t *testing.T) { checksums(t, dist) })
	t.Run("archive", func(t *testing.T) { archive(t, filepath.Join(dist, name+".tar.gz")) })
	t.Run("debian", func(t *testing.T) { debian(t, filepath.Join(dist, name+".deb")) })
	t.Run("bill of materials", func(t *testing.T) { bill(t, filepath.Join(dist, name+".sbom.json")) })
	t.Run("compose", func(t *testing.T) { composed(t, runc, unpack(t, filepath.Join(dist, name+"_image.tar")), database) })
}

func checksums(t *testing.T, dist string) {
	check := exec.Command("sha256sum", "--check", "--strict", "assay_0.0.0_checksums.txt")
	check.Dir = dist
	said, err := check.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, said)
	}
	if n := bytes.Count(said, []byte(": OK\n")); n != 4 {
		t.Errorf("%d artefacts have a checksum, want 4: %s", n, said)
	}
}

func archive(t *testing.T, path string) {
	dir := t.TempDir()
	if said, err := exec.Command("tar", "-xzf", path, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v: %s", err, said)
	}
	for _, file := range []string{
		"CHANGELOG.md", "LICENSE", "NOTICE", "README.md",
		"completions/assay.bash", "completions/_assay", "completions/assay.fish", "completions/assay.ps1",
	} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	said, err := exec.Command(filepath.Join(dir, "assay"), "--version").Output()
	if err != nil || string(said) != "assay v0.0.0\n" {
		t.Errorf("assay --version: %q, %v", said, err)
	}
}

func debian(t *testing.T, path string) {
	requiretest.Command(t, "dpkg-deb")
	said, err := exec.Command("dpkg-deb", "--field", path, "Package", "Version", "Architecture").Output()
	if want := fmt.Sprintf("Package: assay\nVersion: 0.0.0\nArchitecture: %s\n", runtime.GOARCH); err != nil || string(said) != want {
		t.Errorf("got %q, %v: want %q", said, err, want)
	}
	dir := t.TempDir()
	if said, err := exec.Command("dpkg-deb", "--extract", path, dir).CombinedOutput(); err != nil {
		t.Fatalf("dpkg-deb: %v: %s", err, said)
	}
	if said, err := exec.Command(filepath.Join(dir, "usr/bin/assay"), "--version").CombinedOutput(); err != nil {
		t.Errorf("usr/bin/assay: %v: %s", err, said)
	}
	for _, file := range []string{"usr/share/doc/assay/copyright", "usr/share/bash-completion/completions/assay"} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
	}
}

func bill(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		BomFormat  string
		Components []struct{ Type, Name, Version string }
	}
	if err := json.Unmarshal(data, &bom); err != nil || bom.BomFormat != "CycloneDX" {
		t.Fatalf("%q, %v", bom.BomFormat, err)
	}
	listed := map[string]string{}
	for _, c := range bom.Components {
		listed[c.Name] = c.Type
	}
	// Each module that go.mod requires directly is linked, but for tools and tests.
	for _, name := range []string{"modernc.org/sqlite", "github.com/jackc/pgx/v5", "github.com/spf13/cobra", "std"} {
		if listed[name] != "library" {
			t.Errorf("%s is %q: want a library", name, listed[name])
		}
	}
	if got := listed["all-MiniLM-L6-v2"]; got != "machine-learning-model" {
		t.Errorf("the embedding model is %q", got)
	}
}

// composed starts the server and a worker as compose.yaml says, and has them evaluate.
func composed(t *testing.T, runc string, img *image, database string) {
	all := services(t)
	for _, name := range []string{"server", "worker"} {
		if s := all[name]; !s.ReadOnly || !strings.HasPrefix(s.Image, "ghcr.io/assay-eval/assay:") {
			t.Errorf("%s: %+v: want the image of a release on a file system that is read-only", name, s)
		}
	}
	eval, work, cache := t.TempDir(), t.TempDir(), t.TempDir()
	put(t, eval, "tiny/corpus.jsonl", `{"_id":"lamp","title":"","text":"The lamp weighs two kilograms."}`+"\n"+
		`{"_id":"shop","title":"","text":"The shop opens at nine."}`+"\n")
	put(t, eval, "tiny/queries.jsonl", `{"_id":"q1","text":"What does the lamp weigh?"}`+"\n"+
		`{"_id":"q2","text":"When does the shop open?"}`+"\n")
	put(t, eval, "tiny/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\tlamp\t1\nq2\tshop\t1\n")

	port, err := servertest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	command := slices.Clone(all["server"].Command)
	for i := range command {
		command[i] = strings.Replace(command[i], "0.0.0.0:8321", "0.0.0.0:"+port, 1)
	}
	if _, ok := img.Config.ExposedPorts["8321/tcp"]; !ok {
		t.Errorf("the image exposes %v: want 8321/tcp", img.Config.ExposedPorts)
	}
	server := img.start(t, runc, "server", command, all["server"].environment(database),
		[]mount{{work, "/data", false}, {eval, "/data/eval", true}})
	var token string
	until(t, "the server prints its first token", func() bool {
		_, after, ok := strings.Cut(server.output.String(), "sign in with ")
		token, _, _ = strings.Cut(after, "\n")
		return ok && token != ""
	})
	url := "http://127.0.0.1:" + port
	check := img.Config.Healthcheck.Test
	if !slices.Equal(check, []string{"CMD", "/assay", "serve", "health"}) {
		t.Fatalf("the health check is %q", check)
	}
	until(t, "the health check passes", func() bool {
		_, err := server.exec(append(slices.Clone(check[1:]), url)...)
		return err == nil
	})
	if said, err := server.exec("/assay", "serve", "health", "http://127.0.0.1:1"); err == nil {
		t.Errorf("the health check of a closed port passes: %s", said)
	}
	worker := img.start(t, runc, "worker", all["worker"].Command, all["worker"].environment(database),
		[]mount{{cache, "/data", false}, {eval, "/data/eval", true}})

	var started struct {
		ID string `json:"run_id"`
	}
	ask(t, http.MethodPost, url+"/api/v1/runs", token,
		`{"dataset": "tiny", "config": {"metrics": ["hit@1"], "retriever": "sparse"}}`, &started)
	var run struct {
		State   string
		Summary map[string]struct{ Mean *float64 }
	}
	until(t, "a worker has evaluated the run", func() bool {
		ask(t, http.MethodGet, url+"/api/v1/runs/"+started.ID, token, "", &run)
		return run.State == "finished" || run.State == "failed"
	})
	if run.State != "finished" {
		t.Errorf("the run is %s", run.State)
	}
	var rows struct {
		Items []struct{ ID string }
	}
	ask(t, http.MethodGet, url+"/api/v1/runs/"+started.ID+"/cases", token, "", &rows)
	if len(rows.Items) != 2 {
		t.Errorf("%d cases, want 2", len(rows.Items))
	}
	if said, err := server.exec("/assay", "serve", "status"); err != nil || !strings.Contains(said, "present") {
		t.Errorf("assay serve status: %v: %s: want a worker that is present", err, said)
	}
	worker.stop(t)
	server.stop(t)
}

// ask sends a request and reads the reply.
func ask(t *testing.T, method, url, token, body string, into any) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%s %s: %d: %s", method, url, resp.StatusCode, data)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v: %s", url, err, data)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
