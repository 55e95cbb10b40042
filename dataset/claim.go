package dataset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A claim says how likely a format is to be that of an excerpt, from 0 (it is
// not) to 1, and why.
type claim struct {
	score  float64
	reason string
}

// Scores of claims.
const (
	// certain: a structure or field that has no other meaning.
	certain = 1
	// particular: a field that only one tool uses.
	particular = 0.8
	// usual: fields that several tools use in this role.
	usual = 0.6
	// possible: fields that any dataset may have.
	possible = 0.4
	// conceivable: a shape without field names.
	conceivable = 0.2
)

var noClaim claim

// or returns the stronger claim; c when both are equal.
func (c claim) or(o claim) claim {
	if o.score > c.score {
		return o
	}
	return c
}

// A claimRule claims an excerpt by its layout and the names in it.
type claimRule struct {
	// In are the layouts, of which one must be that of the excerpt, Score is one of scores.
	In    []string
	Score string
	// With are names that all must be there, each with alternatives as in "a|b", and Without
	// those of which none may be. Of Any one must be there. "*" at one end of a name stands for
	// anything.
	With, Without, Any []string
	// Responses says that the rule holds where responses are wanted, not labels.
	Responses bool
	// Reason is by default the name of Any that is there.
	Reason string
}

var scores = map[string]float64{"certain": certain, "particular": particular, "usual": usual, "possible": possible}

// in reports whether the excerpt has a layout.
func (s *excerpt) in(layout string) bool {
	switch layout {
	case "json":
		return s.isRecords() && s.layout != layoutRows
	case "records":
		return s.isRecords()
	case "folder":
		return s.folder
	}
	return layout == "any" || layouts[layout] == s.layout && s.layout != layoutNone
}

var layouts = map[string]layout{"rows": layoutRows, "yaml": layoutYAML, "table": layoutTable, "top": layoutTop}

func (r *claimRule) claim(s *excerpt) claim {
	have, what, reason := s.keys, "field", r.Reason
	if s.layout == layoutTable {
		have, what = s.header, "column"
	}
	if !slices.ContainsFunc(r.In, s.in) || r.Responses && !s.responses || slices.ContainsFunc(r.Without, func(n string) bool { return find(n, have) != nil }) {
		return noClaim
	}
	for _, names := range r.With {
		if !slices.ContainsFunc(strings.Split(names, "|"), func(n string) bool { return find(n, have) != nil }) {
			return noClaim
		}
	}
	if r.Any != nil {
		i := slices.IndexFunc(r.Any, func(n string) bool { return find(n, have) != nil })
		if i < 0 {
			return noClaim
		}
		reason = cmp.Or(reason, fmt.Sprintf("%s %q", what, find(r.Any[i], have)[0]))
	}
	return claim{scores[r.Score], reason}
}

// find returns the names that a pattern with "*" at one end matches.
func find(pattern string, names []string) (out []string) {
	end, isEnd := strings.CutPrefix(pattern, "*")
	begin, isBegin := strings.CutSuffix(pattern, "*")
	for _, name := range names {
		if name == pattern || isEnd && strings.HasSuffix(name, end) || isBegin && strings.HasPrefix(name, begin) {
			out = append(out, name)
		}
	}
	return out
}

// claims returns the strongest claim of a format.
func (f *format) claims(s *excerpt) (out claim) {
	for _, r := range f.Claim {
		out = out.or(r.claim(s))
	}
	if f.claim != nil {
		out = out.or(f.claim(s))
	}
	return out
}

// choose returns the requested format, or else the one with the highest claim. It
// is an error if no format claims the excerpt or if two claim it equally.
func (s *excerpt) choose() (*format, error) {
	if s.opts.Format != "" {
		return s.asked()
	}
	var best []*format
	var claims []claim
	for _, f := range formats() {
		c := f.claims(s)
		if c.score == 0 || best != nil && c.score < claims[0].score {
			continue
		}
		if best != nil && c.score > claims[0].score {
			best, claims = nil, nil
		}
		best, claims = append(best, f), append(claims, c)
	}
	switch len(best) {
	case 0:
		return nil, s.unknown()
	case 1:
		return best[0], nil
	}
	var seen []string
	for i, f := range best {
		seen = append(seen, fmt.Sprintf("%s (%s)", f.Name, claims[i].reason))
	}
	return nil, &Error{
		File: s.name, Index: -1, Problem: "matches several formats: " + strings.Join(seen, ", "), Want: "--format with one of them",
	}
}

// asked returns the format that the options name.
func (s *excerpt) asked() (*format, error) {
	name := s.opts.Format
	i := slices.Index(FormatNames(), name)
	if i < 0 {
		all := FormatNames()
		return nil, fmt.Errorf("unknown format %q%s  (all: %s)", name, suggest(name, all), strings.Join(all, ", "))
	}
	f := formats()[i]
	switch {
	case f.Folder && !s.folder:
		return nil, &Error{
			File: s.name, Index: -1, Problem: "is not a directory or zip archive", Want: "a directory or zip for format " + f.Name,
		}
	case s.folder && !f.Folder:
		return nil, &Error{File: s.name, Index: -1, Problem: "is a directory or zip archive", Want: "one file for format " + f.Name}
	}
	return f, nil
}

// unknown describes an excerpt that no format claims.
func (s *excerpt) unknown() error {
	if s.broken {
		// The JSON reader reports the position.
		if _, err := newJSONReader(s.head, s.name, 1).node(); err != nil {
			return err
		}
	}
	for _, f := range formats() {
		if f.hint == nil {
			continue
		}
		if err := f.hint(s); err != nil {
			return err
		}
	}
	e := &Error{
		File: s.name, Index: -1, Problem: "unknown format", Want: "one of " + strings.Join(FormatNames(), ", ") + " (set it with --format)",
	}
	switch {
	case s.has("custom_id", "recordId") || s.has("request") && s.has("key", "status"):
		e.Problem = "requests or results of a provider's batch, with fields " + quoted(s.keys)
		e.Want = "a dataset, with --responses for the file of results, or the paths of a case, such as --map id=custom_id,question=body.messages[-1].content"
	case len(s.keys) > 0:
		what := "JSON"
		if s.layout == layoutRows {
			what = "Parquet"
		}
		if s.layout == layoutYAML {
			what = "YAML"
		}
		e.Problem = "unknown format: " + what + " with fields " + quoted(s.keys)
		e.Want = `a "question" in every case, --map question=FIELD, or --format`
		if column := s.opts.Columns["question"]; column != "" && !slices.Contains(s.names, column) {
			e.Problem = fmt.Sprintf("no field %q%s", column, suggest(column, s.names))
			e.Want = "--map question= with one of " + quoted(s.names)
		}
		if s.layout == layoutRows {
			e.Want = `a "question" in every case, or --map question=COLUMN`
		}
	case s.layout == layoutTable && len(s.header) > 1:
		e.Problem = "unknown format: a table with columns " + quoted(s.header)
		e.Want = "a column \"question\", or --map question=COLUMN"
	case s.layout == layoutList:
		e.Problem, e.Want = "a JSON list without objects", "a list of cases"
	}
	return e
}

func quoted(names []string) string {
	const most = 8
	var out []string
	for _, n := range names[:min(len(names), most)] {
		out = append(out, fmt.Sprintf("%q", clip(n)))
	}
	if len(names) > most {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

func isWhole(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}
