// Package check looks for what makes a data set say less than it seems to:
// questions that are asked twice, cases that nobody can fail, labels that point
// nowhere or at the wrong place, documents that nobody judged. It changes
// nothing; every finding says which case and what, every check what would be right.
//
// Each check is one file of this package.
package check

import (
	"context"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Severity says how much a finding matters.
type Severity string

const (
	// Wrong: the case scores something else than it claims to.
	Wrong Severity = "wrong"
	// Doubtful: a person should look.
	Doubtful Severity = "doubtful"
)

// A Finding is one thing that is wrong, or looks it.
type Finding struct {
	// Check is the name of the check that found it; see [Checks].
	Check    string   `json:"check"`
	Severity Severity `json:"severity"`
	// Cases are those concerned, the first of them at Origin.
	Cases  []string     `json:"cases"`
	Origin assay.Origin `json:"origin,omitzero"`
	// Says what was found; the Fix of its check says what would be right.
	Says string `json:"says"`
}

// Input is what can be looked at. Only Cases is required: checks whose part is
// missing are skipped, and the report says so.
type Input struct {
	Cases []assay.Case
	// Documents are the corpus; nil when it is not known.
	Documents []assay.Document
	// Embedder finds questions that mean the same in other words.
	Embedder assay.Embedder
	// Rankings are what retrievers gave for the cases.
	Rankings []Ranking
	// Depth is how far down rankings are looked at for what nobody judged; 0 is
	// 10.
	Depth int
}

// A Ranking is what one retriever gave.
type Ranking struct {
	Name string
	// Passages are those of each case, by its id, best first.
	Passages map[string][]assay.Passage
}

// A Report is what was found.
type Report struct {
	Cases     int `json:"cases"`
	Documents int `json:"documents"`
	// Findings are in the order of [Checks], and then of the cases.
	Findings []Finding `json:"findings"`
	// Judged says of each ranking how much of its top is judged.
	Judged []Judged `json:"judged,omitempty"`
	// Skipped says which checks were not made, and what they lack.
	Skipped []string `json:"skipped,omitempty"`
}

// A Check is one kind of thing that is looked for.
type Check struct {
	Name string
	// Doc says what is looked for, Fix what is to be done, in one line each.
	Doc, Fix string
	// lacks says what of the input is missing for the check, "" for nothing.
	lacks func(*Input) string
	find  func(context.Context, *look) ([]Finding, error)
}

// Checks lists every check, in the order of the report.
var Checks = []Check{
	{"duplicate", "repeated questions, which count twice", "leave one out, or merge them", nothing, duplicates},
	{"near-duplicate", "questions with nearly the same meaning, whose scores move together",
		`leave one out, or give both the same "group", so that intervals stay honest`, needEmbedder, nearDuplicates},
	{"vacuous", "cases that any answer passes, or that no metric measures", "label them, or leave them out", nothing, vacuous},
	{"missing-document", "expected documents missing from the corpus, which can never be found",
		"mend the name, or add the document", needDocuments, missingDocuments},
	{"missing-passage", "reference passages missing from every document, which can never be found", "copy them from the document as it is",
		needDocuments, missingPassages},
	{"boilerplate", "reference passages that match more than 1 % of the corpus", "take more of their text",
		needDocuments, boilerplate},
	{"unjudged", "unjudged documents that retrievers rank above every relevant one",
		"judge them: relevant ones are missing labels", needRankings, unjudged},
	{"label", "probably wrong labels", "look at the documents, and mend the label", nothing, labels},
}

func nothing(*Input) string { return "" }

func needDocuments(in *Input) string {
	if len(in.Documents) == 0 {
		return "the documents"
	}
	return ""
}

func needEmbedder(in *Input) string {
	if in.Embedder == nil {
		return "an embedder"
	}
	return ""
}

func needRankings(in *Input) string {
	if len(in.Rankings) == 0 {
		return "a run, or documents to search"
	}
	return ""
}

// Run makes every check that the input allows. Errors are those of the embedder
// and of ctx.
func Run(ctx context.Context, in Input) (*Report, error) {
	if in.Depth <= 0 {
		in.Depth = 10
	}
	r := &Report{Cases: len(in.Cases), Documents: len(in.Documents), Findings: []Finding{}}
	l := newLook(&in)
	for _, c := range Checks {
		if lacks := c.lacks(&in); lacks != "" {
			r.Skipped = append(r.Skipped, c.Name+": needs "+lacks)
			continue
		}
		found, err := c.find(ctx, l)
		if err != nil {
			return nil, err
		}
		for i := range found {
			found[i].Check = c.Name
		}
		r.Findings = append(r.Findings, found...)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for _, name := range unheard(l) {
		r.Skipped = append(r.Skipped, "unjudged, label: not by "+name+", which gives the expected documents of fewer than half of the cases")
	}
	r.Judged = judged(l)
	return r, nil
}

// Count counts the findings of a severity.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// found makes a finding about cases.
func found(s Severity, says string, cases ...*assay.Case) Finding {
	f := Finding{Severity: s, Says: says}
	for _, c := range cases {
		f.Cases = append(f.Cases, c.ID)
	}
	if len(cases) > 0 {
		f.Origin = cases[0].Origin
	}
	return f
}

// list names a few of many.
func list(names []string) string {
	const shown = 3
	s := strings.Join(names[:min(shown, len(names))], ", ")
	if len(names) > shown {
		s += ", …"
	}
	return s
}

// relevant lists the labels of the case's relevant documents, in order.
func relevant(c *assay.Case) []string {
	var out []string
	for id, grade := range c.Want.Documents {
		if grade > 0 {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}
