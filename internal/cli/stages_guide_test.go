package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	shellquote "github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/target/reply"
)

// blocks gives the fenced blocks of a guide that are in a language, "" being
// sessions.
func blocks(guide, language string) []string {
	var out []string
	for _, b := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```").FindAllStringSubmatch(guide, -1) {
		if b[1] == language {
			out = append(out, b[2])
		}
	}
	return out
}

// The sessions of the guide to stages print what it shows, in the folder of the
// example: the planted fault of its filter is found.
func TestStagesGuideSessions(t *testing.T) {
	t.Parallel()
	require.Command(t, "python3")
	guide, err := os.ReadFile(filepath.Join(require.Root(), "docs", "stages.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(require.Root(), "examples", "stages"))); err != nil {
		t.Fatal(err)
	}
	sessions := blocks(string(guide), "")
	if len(sessions) != 5 {
		t.Fatalf("%d sessions, want 5", len(sessions))
	}
	for _, session := range sessions {
		command, want, _ := strings.Cut(strings.ReplaceAll(session, "\\\n", " "), "\n")
		words, err := shellquote.Split(strings.TrimPrefix(command, "$ assay "))
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := cli.Main(t.Context(), &cli.Env{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Now: time.Now, Version: "test",
			Getenv: func(name string) string {
				switch name {
				case "HOME":
					return dir
				case "PATH":
					return os.Getenv(name)
				}
				return ""
			},
			Interrupted: make(chan struct{}),
		}, words)
		failing := 0
		if strings.Contains(command, "--gate") {
			failing = 1
		}
		if code != failing {
			t.Errorf("%s: exit code %d, want %d\n%s", command, code, failing, &errs)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s prints\n%s\nand the guide shows\n%s", command, &out, want)
		}
	}
}

// The program accepts the replies and the configuration shown in the guide.
func TestStagesGuideBlocks(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join(require.Root(), "docs", "stages.md"))
	if err != nil {
		t.Fatal(err)
	}
	replies, files := blocks(string(guide), "json"), blocks(string(guide), "yaml")
	if len(replies) != 1 || len(files) != 1 {
		t.Fatalf("%d replies and %d files, want one of each", len(replies), len(files))
	}
	var v any
	if err := json.Unmarshal([]byte(replies[0]), &v); err != nil {
		t.Fatal(err)
	}
	m, shape, ok := reply.Detect(v)
	if !ok {
		t.Fatal("the reply has no known shape")
	}
	r, readings, err := m.Read(v)
	if err != nil {
		t.Fatal(err)
	}
	kept, _ := r.StagePassagesEach(assay.StageFilter)
	found, _ := r.StagePassages(assay.StageRetrieve)
	given, told := r.Given()
	if questions, _ := r.SubQuestions(); len(questions) != 2 || len(kept) != 2 || len(found) != 3 || !told || len(given) != 1 ||
		given[0].Text == "" {
		t.Errorf("%s: %d sub-questions, %d lists kept, %d found, %v given\n%v", shape, len(questions), len(kept), len(found), given, readings)
	}
	c := config.Default()
	c.Variables = config.Environ(func(string) string { return "x" })
	if err := c.File("eval-config.yaml", []byte(files[0])); err != nil {
		t.Fatal(err)
	}
	if _, err := reply.NewMapping(c.Read); err != nil {
		t.Error(err)
	}
}
