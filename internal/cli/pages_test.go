package cli_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/doctest"
	"github.com/assay-eval/assay/internal/process"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/internal/servertest"
	"github.com/assay-eval/assay/store/postgrestest"
)

// TestPages runs the commands of every page of the documentation, in the order in which a reader
// would type them, and compares what they print with what the page shows. A page runs in a folder
// with the files that pages speak of, which testdata/pages/world.sh makes, or in the one that its
// marks name; see package doctest. ASSAY_REQUIRE=all runs it, and with ASSAY_UPDATE=1 it writes what
// was printed into the pages.
func TestPages(t *testing.T) {
	requiretest.Minutes(t)
	requiretest.Apart(t)
	t.Parallel()
	bash := requiretest.Command(t, "bash")
	for _, program := range []string{"git", "python3", "zstd"} { // of world.sh, and of every page
		requiretest.Command(t, program)
	}
	d := &documented{bin: filepath.Dir(buildProgram(t)), bash: bash, target: httptest.NewServer(http.HandlerFunc(answer))}
	t.Cleanup(d.target.Close)
	d.world = t.TempDir()
	script, err := filepath.Abs(filepath.Join("testdata", "pages", "world.sh"))
	if err != nil {
		t.Fatal(err)
	}
	made := exec.Command(bash, script, requiretest.Root())
	made.Dir, made.Env = d.world, d.env(d.world)
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("world.sh: %v\n%s", err, out)
	}
	for _, page := range doctest.Pages(t) {
		for _, fault := range page.Faults {
			t.Errorf("%s: %q: want in FOLDER, in an empty folder, or not, REASON", page.Name, fault)
		}
		if len(page.Blocks) > 0 {
			t.Run(strings.TrimSuffix(page.Name, ".md"), func(t *testing.T) {
				t.Parallel()
				d.page(t, page)
			})
		}
	}
}

// documented is what the pages take for granted.
type documented struct {
	bin, bash, world string
	// target answers where pages ask http://localhost:8000.
	target *httptest.Server
}

// env is the environment of somebody with an empty home.
func (d *documented) env(home string) []string {
	env := []string{"HOME=" + home, "PATH=" + d.bin + ":" + os.Getenv("PATH"), "LANG=C.UTF-8", "OPENAI_API_KEY=sk-none", "TOKEN=none",
		"BROWSER=true", "EDITOR=true", `GIT_EDITOR=sh -c 'echo change >"$1"' -`, "PYTHONDONTWRITEBYTECODE=1"}
	return append(env, "TARGET="+d.target.URL, "MY_KEY=none", "CO_API_KEY=none", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.example",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.example")
}

// answer is the system that pages evaluate, which retrieves one passage and repeats it, and the
// servers that embed and rerank.
func answer(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Input     json.RawMessage
		Inputs    []string
		Documents []string
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var texts []string
	_ = json.Unmarshal(asked.Input, &texts) // a request with another input embeds nothing
	texts = append(texts, asked.Inputs...)
	var reply any
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/embeddings"):
		var data []any
		for i, text := range texts {
			data = append(data, map[string]any{"index": i, "embedding": []int{1, len(text) % 7, len(text) % 11}})
		}
		reply = map[string]any{"data": data}
	case strings.HasSuffix(path, "/embed"):
		var data [][]int
		for _, text := range texts {
			data = append(data, []int{1, len(text) % 7, len(text) % 11})
		}
		reply = data
	case strings.HasSuffix(path, "/info"):
		kind := map[string]any{"embedding": map[string]string{"pooling": "cls"}}
		reply = map[string]any{"model_id": "BAAI/bge-small-en-v1.5", "model_type": kind}
	case strings.HasSuffix(path, "/rerank"):
		var results []any
		for i := range asked.Documents {
			results = append(results, map[string]any{"index": i, "relevance_score": 1 / float64(i+1)})
		}
		reply = map[string]any{"results": results}
	case strings.HasSuffix(path, "/chat/completions"):
		message := map[string]string{"role": "assistant", "content": "It costs 12 dollars."}
		reply = map[string]any{"choices": []any{map[string]any{"message": message}}}
	default:
		text := "A ticket for the red harbour costs 1 dollars."
		reply = map[string]any{"answer": text, "sources": []map[string]string{{"id": "red-harbour.md", "text": text}}}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(reply)
}

// page runs the blocks of a page and, with ASSAY_UPDATE, rewrites it.
func (d *documented) page(t *testing.T, page doctest.Page) {
	printed := map[int]string{}
	var blocks []doctest.Block
	for _, b := range page.Blocks {
		if b.Folder != "" && len(blocks) > 0 {
			d.run(t, page.Name, blocks, printed)
			blocks = nil
		}
		blocks = append(blocks, b)
	}
	d.run(t, page.Name, blocks, printed)
	if os.Getenv("ASSAY_UPDATE") == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(requiretest.Root(), page.Name), []byte(page.Rewrite(printed)), 0o644); err != nil {
		t.Error(err)
	}
}

var (
	// lasting is a command that goes on until it is interrupted.
	lasting = regexp.MustCompile(`^assay (serve worker\b|view\b|serve(?:\s+[-#&]|\s*$))`)
	// remark is what an example in a help text says of its command.
	remark = regexp.MustCompile(`^(assay .*?\S) {3,}[^-'"\s#].*$`)
	ended  = regexp.MustCompile(`\x1e(\d+) (\d+)\n`)
	exits  = regexp.MustCompile(`exit code (\d+)`)
)

// run runs the blocks that share a folder, as one session of a shell.
func (d *documented) run(t *testing.T, page string, blocks []doctest.Block, printed map[int]string) {
	home := t.TempDir()
	defer os.RemoveAll(home) // not at the end of the page, for a page has many
	dir, notes := filepath.Join(home, "project"), filepath.Join(home, "notes")
	for _, d := range []string{dir, notes} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	switch folder := blocks[0].Folder; folder {
	case doctest.Usual:
		d.copy(t, dir, d.world)
	case doctest.Empty:
	default:
		d.copy(t, dir, filepath.Join(requiretest.Root(), folder))
	}
	steps, script := d.script(blocks, notes)
	if len(steps) == 0 {
		return
	}
	file := filepath.Join(notes, "page.sh")
	if err := os.WriteFile(file, []byte(d.replaced(t, dir, script)), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, d.bash, file)
	cmd.Dir, cmd.Env = dir, d.env(dir)
	// All that it started ends with it, and it ends with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.Cancel = func() error { return process.Kill(cmd) }
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := process.Start(cmd)
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		t.Errorf("%s: bash: %v", page, err)
	}
	rest := out.String()
	for i, s := range steps {
		at := ended.FindStringSubmatchIndex(rest)
		if at == nil || rest[at[2]:at[3]] != strconv.Itoa(s.Line) {
			t.Fatalf("%s:%d: %s\ndoes not end:\n%s", page, s.Line, s.Command, rest)
		}
		code, _ := strconv.Atoi(rest[at[4]:at[5]])
		stdout := rest[:at[0]]
		stderr, err := os.ReadFile(filepath.Join(notes, strconv.Itoa(s.Line)))
		if err != nil {
			t.Fatal(err)
		}
		rest = rest[at[1]:]
		want := 0
		if m := exits.FindStringSubmatch(s.Command); m != nil {
			want, _ = strconv.Atoi(m[1])
		}
		// In a session what is shown tells how it ended.
		told := s.Shown && (s.Output != "" || i+1 < len(steps) && steps[i+1].Command == "echo $?")
		if code != want && !told {
			t.Errorf("%s:%d: %s\nexit code %d, want %d\n%s%s", page, s.Line, s.Command, code, want, stdout, stderr)
			continue
		}
		if s.Shown && !shows(s.Output, stdout, string(stderr)) {
			printed[s.Line] = cmp.Or(stdout, string(stderr))
			if os.Getenv("ASSAY_UPDATE") == "" {
				t.Errorf("%s:%d: %s\nthe page shows something else than is printed (-page +printed):\n%s", page, s.Line, s.Command,
					gocmp.Diff(stable(s.Output), stable(printed[s.Line])))
			}
		}
	}
}

// shows reports whether a page shows what a command printed: on its standard output, with or
// without what it said on its standard error, or there alone. Progress is not shown.
func shows(shown, stdout, stderr string) bool {
	shown, stderr = stable(shown), progress.ReplaceAllString(stderr, "")
	return stdout != "" && doctest.Matches(shown, stable(stdout)) || doctest.Matches(shown, stable(stdout+stderr))
}

// script writes the blocks as a script of bash that says after each step how it ended.
func (d *documented) script(blocks []doctest.Block, notes string) (steps []doctest.Step, script string) {
	b := &strings.Builder{}
	// A folder of a project is under version control.
	b.WriteString(`[ -d .git ] || git init -q .
declare -A lasting
end() { for p in $*; do kill -INT $p 2>/dev/null; wait $p; done; }
trap 'end ${lasting[@]}' EXIT
status=0
`)
	for _, block := range blocks {
		if block.File != "" {
			fmt.Fprintf(b, "mkdir -p \"$(dirname %[1]s)\" && cat >%[1]s <<'END-OF-FILE'\n%[2]sEND-OF-FILE\n", block.File, block.Text)
		}
		if block.Needs != "" {
			continue
		}
		for _, s := range block.Steps {
			if !s.Runs() {
				continue
			}
			steps = append(steps, s)
			note := filepath.Join(notes, strconv.Itoa(s.Line))
			command := remark.ReplaceAllString(s.Command, "$1")
			if kind := lasting.FindStringSubmatch(command); kind != nil {
				name := strings.ReplaceAll(strings.TrimRight(kind[1], " \t-#&"), " ", "_")
				fmt.Fprintf(b, "end ${lasting[%s]}\n", name)
				command, _, _ = strings.Cut(command, " # ")
				// It has begun when it says so, and ends with the page or for the next of its kind. The note is
				// there before it is looked into: the shell may run grep before the command in the background.
				says := "."
				if name == "serve" {
					says = "listening"
				}
				fmt.Fprintf(b, ": >%[2]s; %[1]s >%[2]s 2>&1 & lasting[%[4]s]=$!\n"+
					"while kill -0 $! 2>/dev/null && ! grep -q %[3]s %[2]s; do sleep 0.05; done\ngrep -q %[3]s %[2]s; status=$?; cat %[2]s\n",
					strings.TrimSuffix(strings.TrimSpace(command), "&"), note, says, name)
			} else {
				fmt.Fprintf(b, "{ (exit $status)\n%s\n} 2>%s\nstatus=$?\n", command, note)
			}
			fmt.Fprintf(b, "printf '\\036%d %%d\\n' $status\n", s.Line)
		}
	}
	return steps, b.String()
}

func (d *documented) copy(t *testing.T, to, from string) {
	t.Helper()
	if out, err := exec.Command("cp", "-r", from+"/.", to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

var (
	address = regexp.MustCompile(`postgres://[a-z@.]+/assay`)
	models  = regexp.MustCompile(`(--(?:embedder|reranker) )?\b(openai|anthropic|ollama|gemini):[a-z0-9.:-]+`)
	runID   = regexp.MustCompile(`\b20261121(-[0-9]+)?\b`)
)

// replaced puts what CI has in the place of what pages name: addresses of servers, the Python with
// LangChain, a simulated model, the last run for one with an id.
func (d *documented) replaced(t *testing.T, dir, script string) string {
	t.Helper()
	for _, host := range []string{"localhost:8000", "127.0.0.1:8000", "localhost:6006", "gpu:8080", "rag:8000"} {
		script = strings.ReplaceAll(script, "http://"+host, d.target.URL)
	}
	if address.MatchString(script) {
		script = address.ReplaceAllString(script, postgrestest.Start(t).Empty(t))
	}
	serves := regexp.MustCompile(`(?m)\bassay serve(\s+[-&>]|\s*$)`)
	if strings.Contains(script, "8321") || serves.MatchString(script) {
		port, err := servertest.FreePort()
		if err != nil {
			t.Fatal(err)
		}
		free := net.JoinHostPort("127.0.0.1", port)
		script = strings.ReplaceAll(strings.ReplaceAll(script, "localhost:8321", free), "0.0.0.0:8321", free)
		script = serves.ReplaceAllString(script, "assay serve --addr "+free+"$1")
	}
	if strings.Contains(script, ".venv/bin/") {
		venv := filepath.Dir(filepath.Dir(requiretest.Env(t, "ASSAY_LANGCHAIN_PYTHON")))
		if err := os.Symlink(venv, filepath.Join(dir, ".venv")); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range []string{"python3", "node", "jq", "curl", "git", "zstdcat", "pocketsphinx_continuous"} {
		if regexp.MustCompile(`(^|[\s"'(])` + program + `\s`).MatchString(script) {
			requiretest.Command(t, program)
		}
	}
	if strings.Contains(script, "$ASSAY_SHARED") {
		script = strings.ReplaceAll(script, "$ASSAY_SHARED", requiretest.Shared(t, "."))
	}
	script = models.ReplaceAllStringFunc(script, func(name string) string {
		switch {
		case strings.HasPrefix(name, "--"):
			return name
		case strings.HasPrefix(name, "anthropic"): // another judge than that of OpenAI
			return "fake:judge.yaml"
		}
		return "fake:"
	})
	script = runID.ReplaceAllString(script, "latest")
	return strings.NewReplacer("go run ./cmd/assay", "assay", "go run ../cmd/assay", "assay").Replace(script)
}

var (
	durations = regexp.MustCompile(`\b\d+(\.\d+)? ?(ms|µs|s|min)\b`)
	runs      = regexp.MustCompile(`\b\d{8}-\d{9}-[0-9a-z]+\b`)
	progress  = regexp.MustCompile(`(?m)^assay: +(\d+/\d+ .*|(chunk|index|embed): \d+ done)\n`)
	ports     = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	timed     = regexp.MustCompile(`(?m)1 s  .*$`)
	waits     = regexp.MustCompile(`\s+\((?:prepared 1 s,\s+)?evaluated 1 s(?:,\s+reported 1 s)?\)`)
	columns   = regexp.MustCompile(`\b  +`)
	times     = regexp.MustCompile(`\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC`)
)

// stable replaces what differs from run to run: durations, with what stands right of one in a table, times,
// ports, the ids of runs, and the widths of columns.
func stable(text string) string {
	text = ports.ReplaceAllString(text, "127.0.0.1:8321")
	text = columns.ReplaceAllString(text, "  ")
	text = times.ReplaceAllString(text, "2026-11-21 09:00:00 UTC")
	text = waits.ReplaceAllString(durations.ReplaceAllString(text, "1 s"), "") // only of slow runs
	text = timed.ReplaceAllString(text, "1 s")
	return runs.ReplaceAllString(text, "20261121-090000000-abcdefgh")
}
