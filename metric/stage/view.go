package stage

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// A view is what a response tells of its stages.
type view struct {
	r *assay.Response
	// known is set when there are passages at all.
	known bool
	// transcribed, decomposed and filtered tell which stages there were.
	transcribed, decomposed, filtered bool
	// kept is what came to the generator, given what stood in its prompt; told is
	// set when the trace tells that.
	kept, given []assay.Passage
	told        bool
}

func newView(r *assay.Response) view {
	v := view{r: r}
	if r.Trace != nil {
		for _, s := range r.Trace.Stages {
			switch s.Name {
			case assay.StageTranscribe:
				v.transcribed = true
			case assay.StageDecompose:
				v.decomposed = true
			case assay.StageFilter:
				v.filtered = true
			}
		}
	}
	v.kept = r.Passages
	if v.filtered {
		if ps, ok := r.StagePassages(assay.StageFilter); ok {
			v.kept = ps
		}
	}
	v.given, v.told = r.Given()
	if !v.told {
		v.given = v.kept
	}
	v.known = v.kept != nil || v.told
	if !v.known {
		_, v.known = v.retrieved()
	}
	return v
}

// retrieved gives what the retriever put out. Reading it from the trace takes
// time, which a case whose facts are all kept need not spend. Without a filter
// the passages of the response are what was retrieved.
func (v *view) retrieved() (passages []assay.Passage, told bool) {
	if !v.filtered && !v.decomposed && v.kept != nil && v.asMany() {
		return v.kept, true
	}
	if ps, ok := v.r.StagePassages(assay.StageRetrieve); ok {
		return ps, true
	}
	return v.kept, !v.filtered && v.kept != nil
}

// asMany reports whether the one retrieve stage seems to have put out as many
// passages as the response has, so that they are the same. A passage is an object
// without another in it; a brace in a text makes it seem more, and only costs the
// reading.
func (v *view) asMany() bool {
	stages := v.r.Stages(assay.StageRetrieve)
	return len(stages) == 0 || len(stages) == 1 && bytes.Count(stages[0].Output, []byte("{")) == len(v.kept)
}

// generated gives what the generate stages wrote; ok is false when the trace does
// not tell.
func (v *view) generated() (written string, ok bool) {
	var parts []string
	for _, s := range v.r.Stages(assay.StageGenerate) {
		var one string
		var many []string
		switch {
		case json.Unmarshal(s.Output, &one) == nil && string(s.Output) != "null":
			parts = append(parts, one)
		case json.Unmarshal(s.Output, &many) == nil && many != nil:
			parts = append(parts, many...)
		}
	}
	return strings.Join(parts, "\n"), parts != nil
}

// named gives names for passages, as a reader finds them in the trace.
func named(passages []assay.Passage) string {
	var out []string
	for _, p := range passages {
		name := p.ID
		if name == "" {
			name = p.Document
		}
		if name == "" {
			name = p.Source
		}
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	const shown = 3
	if len(out) > shown {
		return strings.Join(out[:shown], ", ") + ", …"
	}
	return strings.Join(out, ", ")
}
