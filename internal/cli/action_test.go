package cli_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/requiretest"
)

// action is the part of action.yml that a runner reads.
type action struct {
	Inputs map[string]struct {
		Default string `yaml:"default"`
	} `yaml:"inputs"`
	Outputs map[string]struct {
		Value string `yaml:"value"`
	} `yaml:"outputs"`
	Runs struct {
		Using string       `yaml:"using"`
		Steps []actionStep `yaml:"steps"`
	} `yaml:"runs"`
}

type actionStep struct {
	ID    string            `yaml:"id"`
	Name  string            `yaml:"name"`
	If    string            `yaml:"if"`
	Uses  string            `yaml:"uses"`
	With  map[string]string `yaml:"with"`
	Shell string            `yaml:"shell"`
	Dir   string            `yaml:"working-directory"`
	Env   map[string]string `yaml:"env"`
	Run   string            `yaml:"run"`
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(requiretest.Root(), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// A runner performs the shell steps of the action as GitHub does.
type runner struct {
	t         *testing.T
	dir, bin  string
	inputs    map[string]string
	outputs   map[string]string
	pull      string
	summary   string
	stdout    strings.Builder
	gh        string
	variables []string
}

var expression = regexp.MustCompile(`\$\{\{ *([\w.-]+) *\}\}`)

// expand replaces expressions by their values.
func (r *runner) expand(s string) string {
	return expression.ReplaceAllStringFunc(s, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		known := map[string]string{"github.event.pull_request.number": r.pull, "github.repository": "o/r", "github.token": "secret",
			"steps.evaluate.outputs.exit-code": r.outputs["exit-code"], "github.action_path": requiretest.Root(), "runner.temp": r.dir}
		if input, ok := strings.CutPrefix(name, "inputs."); ok {
			v, ok := r.inputs[input]
			if !ok {
				r.t.Errorf("the action has no input %q", input)
			}
			return v
		}
		v, ok := known[name]
		if !ok {
			r.t.Errorf("expression %s is not known here", e)
		}
		return v
	})
}

// runs reports whether a step with the condition runs.
func (r *runner) runs(condition string, failed bool) bool {
	always := false
	for _, part := range strings.Split(condition, "&&") {
		switch part = strings.TrimSpace(part); part {
		case "":
		case "always()":
			always = true
		case "inputs.version != ''":
			if r.inputs["version"] == "" {
				return false
			}
		case "inputs.artifact != ''":
		case "inputs.comment == 'true'":
			if r.inputs["comment"] != "true" {
				return false
			}
		case "github.event.pull_request.number":
			if r.pull == "" {
				return false
			}
		default:
			r.t.Errorf("condition %q is not known here", part)
		}
	}
	return always || !failed
}

// perform runs the action and returns the exit code of the first step that fails.
func (r *runner) perform(a action) int {
	r.t.Helper()
	for name, input := range a.Inputs {
		if _, ok := r.inputs[name]; !ok {
			r.inputs[name] = strings.ReplaceAll(input.Default, "${{ github.token }}", "secret")
		}
	}
	r.outputs = map[string]string{}
	output := filepath.Join(r.t.TempDir(), "output")
	code := 0
	for _, step := range a.Runs.Steps {
		if step.Run == "" || !r.runs(step.If, code != 0) {
			continue
		}
		if strings.Contains(step.Run, "${{") {
			r.t.Errorf("step %q puts an expression into the script, which anybody may then write", step.Name)
		}
		script := filepath.Join(r.t.TempDir(), "step.sh")
		if err := os.WriteFile(script, []byte(step.Run), 0o644); err != nil {
			r.t.Fatal(err)
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
		cmd.Dir = filepath.Join(r.dir, r.expand(step.Dir))
		cmd.Env = append(r.variables, "PATH="+strings.TrimSpace(r.read(r.path()))+":"+r.bin+":/usr/bin:/bin",
			"GITHUB_PATH="+r.path(), "HOME="+r.dir, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+r.summary,
			"GITHUB_WORKSPACE="+r.dir, "GITHUB_ACTIONS=true", "GITHUB_SERVER_URL=https://github.example", "GITHUB_REPOSITORY=o/r", "GITHUB_RUN_ID=7",
			"GH_LOG="+r.gh)
		for name, v := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+r.expand(v))
		}
		out, err := cmd.CombinedOutput()
		r.stdout.Write(out)
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			if code == 0 {
				code = exit.ExitCode()
			}
		} else if err != nil {
			r.t.Fatalf("step %q: %v", step.Name, err)
		}
		written, err := os.ReadFile(output)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			r.t.Fatal(err)
		}
		for _, l := range strings.Split(string(written), "\n") {
			if name, v, ok := strings.Cut(l, "="); ok {
				r.outputs[name] = v
			}
		}
	}
	return code
}

// gh replaces GitHub's command line: it records its arguments, and reports one existing
// comment if there is a file of that name.
const gh = `#!/bin/bash
printf '%s\n' "$*" >> "$GH_LOG"
case "$*" in
*--jq*) [ "$MARK" = "$(cat "$GH_LOG.mark" 2>/dev/null)" ] && printf '41\n42\n' ;;
*body=@*) for a in "$@"; do case "$a" in body=@*) cat "${a#body=@}" > "$GH_LOG.body" ;; esac; done ;;
esac
exit 0
`

// prepare creates a repository that uses the action: a configuration with a judge, a
// baseline and the recorded calls of the judge. It returns the log of the model that
// judged.
func (r *runner) prepare() (log string) {
	t := r.t
	t.Helper()
	r.dir, r.bin = t.TempDir(), t.TempDir()
	r.summary, r.gh = filepath.Join(r.dir, "summary.md"), filepath.Join(r.dir, "gh.log")
	log = filepath.Join(r.dir, "calls.log")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The test binary acts as assay if it is called by that name.
	if err := os.Symlink(self, filepath.Join(r.bin, "assay")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.bin, "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	writeRecorded(t, r.dir, 8)
	for name, text := range map[string]string{
		"script.yaml": "simulate: true\nlog: calls.log\n",
		"eval-config.yaml": "adapter: recorded\ndataset: gold.jsonl\nresponses: responses.jsonl\nmetrics: [faithfulness, " +
			"context_recall]\njudge: fake:script.yaml\npasses: 1\ngate:\n  tolerances: {faithfulness: 0.02}\n",
	} {
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"run", "--quiet"}, {"store", "export", "calls.jsonl.gz"}, {"baseline", "save", "-o", "baseline.json"},
	} {
		cmd := exec.Command(filepath.Join(r.bin, "assay"), args...)
		cmd.Dir = r.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("assay %q: %v\n%s", args, err, out)
		}
	}
	if err := os.RemoveAll(filepath.Join(r.dir, "results")); err != nil {
		t.Fatal(err)
	}
	return log
}

// path is the file to which steps add folders with programs.
func (r *runner) path() string { return filepath.Join(r.dir, "path") }

func (r *runner) read(name string) string {
	r.t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	return string(data)
}

// The action judges a run from its ledger, without a call to a model, and writes
// everything that a pull request shows.
func TestAction(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "bash")
	var a action
	readYAML(t, "action.yml", &a)
	r := &runner{t: t, pull: "12", inputs: map[string]string{"version": "", "baseline": "baseline.json", "ledger": "calls.jsonl.gz",
		"args": "--gate=errors <= 0\n\n  \n--name=$(touch hacked) `touch hacked`"}}
	log := r.prepare()
	before := r.read(log)
	if len(before) == 0 {
		t.Fatal("the run that is replayed asked no model")
	}
	if code := r.perform(a); code != 0 || r.outputs["exit-code"] != "0" {
		t.Fatalf("exit code %d, output %v\n%s", code, r.outputs, &r.stdout)
	}
	if r.read(log) != before {
		t.Error("the replay asked the model")
	}
	if _, err := os.Stat(filepath.Join(r.dir, "hacked")); err == nil {
		t.Error("an argument was run")
	}
	base := filepath.Join(r.dir, r.inputs["output"])
	for _, ext := range []string{".md", ".json", ".html", ".xml", ".comment.md"} {
		if r.read(base+ext) == "" {
			t.Errorf("no %s%s", base, ext)
		}
	}
	var doc struct {
		Gate struct {
			Verdict string
			Rules   []struct{ Rule, Verdict string }
		}
	}
	if err := json.Unmarshal([]byte(r.read(base+".json")), &doc); err != nil || doc.Gate.Verdict != "pass" || len(doc.Gate.Rules) == 0 {
		t.Errorf("gate %+v, %v", doc.Gate, err)
	}
	if !strings.Contains(r.read(r.summary), "# Evaluation of") {
		t.Errorf("step summary %.100q", r.read(r.summary))
	}
	calls := r.read(r.gh)
	if !strings.Contains(calls, "--method POST repos/o/r/issues/12/comments -F body=@results/eval_report.comment.md") ||
		strings.Contains(calls, "PATCH") {
		t.Errorf("gh was called as\n%s", calls)
	}
	body := r.read(r.gh + ".body")
	if !strings.HasPrefix(body, "<!-- assay:") || body != r.read(base+".comment.md") {
		t.Errorf("comment %q", body)
	}

	// The next push replaces the first comment with the mark.
	mark, _, _ := strings.Cut(body, "\n")
	if err := os.WriteFile(r.gh+".mark", []byte(mark), 0o644); err != nil {
		t.Fatal(err)
	}
	if code := r.perform(a); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &r.stdout)
	}
	if calls := strings.TrimPrefix(r.read(r.gh), calls); !strings.Contains(calls, "--method PATCH repos/o/r/issues/comments/41 -F") ||
		strings.Contains(calls, "POST") {
		t.Errorf("gh was called as\n%s", calls)
	}
}

// The action fails as assay does, and writes the comment all the same.
func TestActionFails(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "bash")
	var a action
	readYAML(t, "action.yml", &a)
	shared := &runner{t: t}
	shared.prepare()
	for _, test := range []struct {
		name    string
		inputs  map[string]string
		code    int
		says    string
		comment bool
	}{
		{"a rule that is not met", map[string]string{"args": "--gate=faithfulness >= 0.99", "ledger": "calls.jsonl.gz"}, 1,
			"::error title=FAIL faithfulness >= 0.99::", true},
		{"no baseline", map[string]string{"baseline": "none.json", "ledger": "calls.jsonl.gz"}, 3, "none.json", false},
		{"no ledger", map[string]string{"ledger": "none.jsonl"}, 3, "none.jsonl", false},
		{"a call that was not recorded", map[string]string{"ledger": "calls.jsonl.gz", "args": "--metrics=faithfulness,answer_relevance"},
			3, "the ledger has no reply", false},
		{"no configuration", map[string]string{"config": "none.yaml"}, 3, "none.yaml", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := *shared
			r.t, r.pull, r.inputs = t, "12", test.inputs
			r.inputs["version"], r.inputs["output"] = "", filepath.Join("out", strings.ReplaceAll(test.name, " ", "-"))
			r.gh = filepath.Join(t.TempDir(), "gh.log")
			// Files left by an earlier run are not results of this one.
			for _, ext := range []string{".comment.md", ".xml"} {
				stale := filepath.Join(r.dir, r.inputs["output"]+ext)
				if err := os.MkdirAll(filepath.Dir(stale), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(stale, []byte("<!-- assay:stale -->\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			code := (&r).perform(a)
			if code != test.code || !strings.Contains(r.stdout.String(), test.says) {
				t.Errorf("exit code %d, want %d and %q:\n%s", code, test.code, test.says, &r.stdout)
			}
			if wrote := r.read(r.gh+".body") != ""; wrote != test.comment {
				t.Errorf("a comment was written: %v", wrote)
			}
		})
	}
}

// Outside pull requests there is no comment.
func TestActionWithoutPullRequest(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "bash")
	var a action
	readYAML(t, "action.yml", &a)
	r := &runner{t: t, inputs: map[string]string{"version": "", "ledger": "calls.jsonl.gz"}}
	r.prepare()
	if code := r.perform(a); code != 0 || r.read(r.gh) != "" {
		t.Errorf("exit code %d, gh: %s\n%s", code, r.read(r.gh), &r.stdout)
	}
}

// The workflow uses only inputs of the action, and both snippets use only flags and
// files that the program knows.
func TestSnippets(t *testing.T) {
	t.Parallel()
	var a action
	readYAML(t, "action.yml", &a)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) < 5 {
		t.Errorf("%+v", a.Runs)
	}
	for _, step := range a.Runs.Steps {
		if step.Run != "" && step.Shell != "bash" {
			t.Errorf("step %q has no shell", step.Name)
		}
		if step.Uses != "" && !strings.Contains(step.Uses, "@v") {
			t.Errorf("step %q uses %q without a version", step.Name, step.Uses)
		}
	}
	var w struct {
		On          map[string]any    `yaml:"on"`
		Permissions map[string]string `yaml:"permissions"`
		Jobs        map[string]struct {
			Steps []actionStep `yaml:"steps"`
		} `yaml:"jobs"`
	}
	readYAML(t, "examples/ci/github-workflow.yml", &w)
	if w.Permissions["pull-requests"] != "write" || w.Permissions["contents"] != "read" {
		t.Errorf("permissions %v", w.Permissions)
	}
	used := false
	for _, step := range w.Jobs["evaluate"].Steps {
		if !strings.HasPrefix(step.Uses, "assay-eval/assay@") {
			continue
		}
		used = true
		for name := range step.With {
			if _, ok := a.Inputs[name]; !ok {
				t.Errorf("the action has no input %q", name)
			}
		}
		for _, l := range strings.Split(strings.TrimSpace(step.With["args"]), "\n") {
			if flag, _, ok := strings.Cut(strings.TrimPrefix(l, "--"), "="); !ok || flag != "gate" {
				t.Errorf("argument %q", l)
			}
		}
	}
	if !used {
		t.Error("the workflow does not use the action")
	}
	var g map[string]struct {
		Script    []string `yaml:"script"`
		Artifacts struct {
			Reports struct {
				JUnit string `yaml:"junit"`
			} `yaml:"reports"`
		} `yaml:"artifacts"`
		Rules []map[string]string `yaml:"rules"`
	}
	readYAML(t, "examples/ci/gitlab-ci.yml", &g)
	job := g["evaluation"]
	if len(job.Script) != 2 || !strings.Contains(job.Script[1], "--junit "+job.Artifacts.Reports.JUnit) || len(job.Rules) != 2 {
		t.Errorf("%+v", job)
	}
	for _, l := range job.Script {
		for _, word := range strings.Fields(l) {
			name, ok := strings.CutPrefix(word, "--")
			if _, err := config.Find(name); ok && err != nil && name != "config" {
				t.Errorf("%s: %v", word, err)
			}
		}
	}
}
