package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/atomic"
)

// WriteBEIR writes the cases and the documents as a BEIR dataset with the split
// "test". The directory must not exist; it is created completely or not at all.
// WriteBEIR describes, one item per line, what the format cannot store. Cases
// without document labels, and ids that would break the table of judgments, are
// errors. Reference answers are stored in metadata.answers.
func WriteBEIR(ctx context.Context, dir string, d *Dataset, documents []assay.Document) (lost []string, err error) {
	if _, err := os.Lstat(dir); err == nil {
		return nil, fmt.Errorf("%s: already exists: expected a new directory", dir)
	}
	var lacking []string
	for _, c := range d.Cases.All() {
		if len(c.Want.Documents) == 0 {
			lacking = append(lacking, c.ID)
		}
		for _, id := range append(sortedKeys(c.Want.Documents), c.ID) {
			if strings.ContainsAny(id, "\t\r\n") || strings.TrimSpace(id) != id {
				return nil, fmt.Errorf("form beir: case %q: id %q: expected one without tabs, line breaks and spaces around it", c.ID, id)
			}
		}
	}
	if lacking != nil {
		have := "have"
		if len(lacking) == 1 {
			have = "has"
		}
		return nil, fmt.Errorf("form beir: %d of %s %s no expected_contexts: %s", len(lacking), countCases(d.Cases.Len()), have, quoted(lacking))
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(parent, ".beir.*")
	if err != nil {
		return nil, err
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(temp))
	}()
	// Only the user may read the temporary folder; the one in it has the umask's mode.
	made := filepath.Join(temp, "made")
	if err := os.Mkdir(made, 0o777); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{corpusFile, func(w io.Writer) error { return writeCorpus(ctx, w, documents) }},
		{queriesFile, d.writeQueries},
		{filepath.Join("qrels", "test.tsv"), d.writeJudgments},
	} {
		if err := atomic.WriteFile(filepath.Join(made, f.name), f.write); err != nil {
			return nil, err
		}
	}
	if err := os.Rename(made, dir); err != nil {
		return nil, err
	}
	return d.lost(slices.DeleteFunc(slices.Clone(lossy), func(p part) bool {
		return slices.Contains([]string{"ground_truth", "expected_contexts", "metadata", "group"}, p.name)
	})), nil
}

func writeCorpus(ctx context.Context, w io.Writer, documents []assay.Document) error {
	type line struct {
		ID       string         `json:"_id"`
		Title    string         `json:"title"`
		Text     string         `json:"text"`
		Metadata map[string]any `json:"metadata,omitempty"`
	}
	for _, d := range documents {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := encode(w, line{d.ID, d.Title, d.Text, d.Metadata}, ""); err != nil {
			return err
		}
	}
	return nil
}

func (d *Dataset) writeQueries(w io.Writer) error {
	type line struct {
		ID       string         `json:"_id"`
		Text     string         `json:"text"`
		Metadata map[string]any `json:"metadata"`
	}
	for _, c := range d.Cases.All() {
		meta := maps.Clone(c.Metadata)
		if meta == nil {
			meta = map[string]any{}
		}
		if c.Want.Answers != nil {
			meta["answers"] = c.Want.Answers
		}
		if c.Group != "" {
			meta["group"] = c.Group
		}
		if err := encode(w, line{c.ID, c.Question, meta}, ""); err != nil {
			return err
		}
	}
	return nil
}

func (d *Dataset) writeJudgments(w io.Writer) error {
	if _, err := io.WriteString(w, "query-id\tcorpus-id\tscore\n"); err != nil {
		return err
	}
	for _, c := range d.Cases.All() {
		for _, id := range sortedKeys(c.Want.Documents) {
			if _, err := fmt.Fprintf(w, "%s\t%s\t%d\n", c.ID, id, c.Want.Documents[id]); err != nil {
				return err
			}
		}
	}
	return nil
}
