package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/requiretest"
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

// The program accepts the replies and the configuration shown in the guide.
func TestStagesGuideBlocks(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join(requiretest.Root(), "docs", "stages.md"))
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
