package dataset

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/assay-eval/assay/dataset/trec"
)

// LoadResponses reads a dataset for the responses that are recorded in it. It returns nil
// if the content is of no format that holds responses, so that it may be something else.
// isLines tells that the content begins as lines of recorded responses do; then only a
// format whose fields have no other meaning takes it. What is missing in labels is no
// warning.
func LoadResponses(ctx context.Context, path string, o Options, isLines bool) (*Dataset, error) {
	st, err := os.Stat(path)
	if err != nil || !st.IsDir() && !st.Mode().IsRegular() {
		return nil, nil
	}
	name := o.Name
	if name == "" {
		name = path
	}
	src, err := open(path, name, o)
	if err != nil {
		if st.IsDir() || !isText(path) {
			return nil, listOf(err)
		}
		return nil, nil
	}
	defer src.close()
	s := newExcerpt(src, o, true)
	f, err := s.choose()
	switch {
	case s.layout == layoutTable && (err != nil || f.claims(s).score < possible) && len(s.header) > 1 && !s.width(6) && s.head[0] != '#':
		return nil, Errors{{File: name, Index: -1, Problem: "no responses: a table with columns " + quoted(s.header),
			Want: `the columns "question" and "answer", or a TREC run, which has 6 columns`}}
	case err != nil && src.text != nil:
		// A TREC run, or lines that are wrong.
		return nil, nil
	case err != nil:
		return nil, listOf(err)
	case isLines && f.claims(s).score < certain, f.Answers == "" && (s.layout == layoutLines || f.claims(s).score < possible):
		return nil, nil
	case f.Answers == "":
		return nil, Errors{{File: name, Index: -1, Problem: "format " + f.Name + " holds no recorded responses",
			Want: "lines of JSON, a TREC run, or one of " + strings.Join(answeringFormats(), ", ")}}
	}
	unlabelled := *f
	unlabelled.Labels = nil
	f = &unlabelled
	l := newLoader(ctx, src, s, f)
	if err := f.load(l); err != nil {
		return nil, l.failed(err)
	}
	d, err := l.finish()
	if err == nil && len(d.Responses)+len(d.Failures) == 0 {
		err = Errors{{File: name, Index: -1, Problem: "format " + f.Name + ", but no record holds a response", Want: "the field " + f.Answers}}
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// answeringFormats lists the formats that hold recorded responses.
func answeringFormats() (names []string) {
	for _, f := range formats() {
		if f.Answers != "" {
			names = append(names, f.Name)
		}
	}
	return names
}

// isText reports whether a file begins as none of those that are not text.
func isText(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	unpacked, err := trec.Decompress(f)
	if err != nil {
		return false
	}
	defer unpacked.Close()
	head := make([]byte, 8)
	n, _ := io.ReadFull(unpacked, head)
	return !isParquet(head[:n])
}
