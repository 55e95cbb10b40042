// Package check finds defects of a dataset: repeated questions, cases that cannot
// fail, labels that refer to missing or wrong documents, and unjudged documents.
// It changes nothing; each finding names the cases and the problem, and each
// check says how to fix it.
//
// Each check is one file of this package.
package check

import (
	"context"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// Severity is the importance of a finding.
type Severity string

const (
	// Wrong: the case does not measure what it claims to.
	Wrong Severity = "wrong"
	// Doubtful: a person should look at it.
	Doubtful Severity = "doubtful"
)

// A Finding is one actual or likely defect.
type Finding struct {
	// Check is the name of the check; see [Checks].
	Check    string   `json:"check"`
	Severity Severity `json:"severity"`
	// Cases are the affected cases; the first is at Origin.
	Cases  []string     `json:"cases"`
	Origin assay.Origin `json:"origin,omitzero"`
	// Says describes the defect; the Fix of the check says what to do.
	Says string `json:"says"`
}

// Input is what is checked. Only Cases is required. Checks that lack their input
// are skipped, and reported as skipped.
type Input struct {
	Cases []assay.Case
	// Documents are the corpus; nil if unknown.
	Documents []assay.Document
	// Embedder finds paraphrased questions.
	Embedder assay.Embedder
	// Rankings are the results of retrievers for the cases.
	Rankings []Ranking
	// Depth is how many results of a ranking are searched for unjudged documents;
	// 0 means 10.
	Depth int
}

// A Ranking is the results of one retriever.
type Ranking struct {
	Name string
	// Passages are the results for each case, by its id, best first.
	Passages map[string][]assay.Passage
}

// A Report is the result of the checks.
type Report struct {
	Cases     int `json:"cases"`
	Documents int `json:"documents"`
	// Findings are in the order of [Checks], then in case order.
	Findings []Finding `json:"findings"`
	// Judged says for each ranking how much of its top is judged.
	Judged []Judged `json:"judged,omitempty"`
	// Skipped lists the checks that did not run, with the missing input.
	Skipped []string `json:"skipped,omitempty"`
}

// A Check describes one kind of defect.
type Check struct {
	Name string
	// Doc says what the check finds, Fix what to do about it, in one line each.
	Doc, Fix string
	// lacks names the missing input of the check, "" if nothing is missing.
	lacks func(*Input) string
	find  func(context.Context, *look) ([]Finding, error)
}

// Checks lists every check, in report order.
var Checks = []Check{
	{"duplicate", "repeated questions, which count twice", "remove one, or merge them", nothing, duplicates},
	{"near-duplicate", "questions with nearly the same meaning, whose scores move together",
		`leave one out, or give both the same "group", so that intervals stay honest`, needEmbedder, nearDuplicates},
	{"vacuous", "cases that any answer passes, or that no metric measures", "label them, or remove them", nothing, vacuous},
	{"missing-document", "expected documents missing from the corpus, which can never be found",
		"correct the name, or add the document", needDocuments, missingDocuments},
	{"missing-passage", "reference passages missing from every document, which can never be found", "copy them from the document verbatim",
		needDocuments, missingPassages},
	{"boilerplate", "reference passages that match more than 1 % of the corpus", "include more of the text",
		needDocuments, boilerplate},
	{"unjudged", "unjudged documents that retrievers rank above every relevant one",
		"judge them: relevant ones are missing labels", needRankings, unjudged},
	{"label", "probably wrong labels", "read the documents, and correct the label", nothing, labels},
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

// Run runs every check that the input allows. It returns errors of the embedder
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

// found returns a finding about cases.
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

// list names the first few of many.
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
