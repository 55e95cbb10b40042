package offline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// A decision says whether a question is estimated in a language: only where the estimate
// was measured against people and is better than a plain baseline on the same items.
type decision struct {
	of       string
	language judge.Language
	// section, score and baseline are the heading and the rows of
	// docs/results/offline-judge.md that the decision rests on; "" if nothing was measured.
	section, score, baseline string
	// declined says why there is no estimate; "" if there is one.
	declined string
}

const neverMeasured = "never measured against people"

// decisions are all questions in the languages of the judge's prompts. The extraction of
// points and the reading of an answer give no score and are not among them.
var decisions = []decision{
	{ofFaithfulness, judge.English, "BEGIN: attribution", "**offline judge** (`faithfulness`)",
		"feature: share of words in the passages", ""},
	{ofFaithfulness, judge.Chinese, "", "", "", neverMeasured},
	{ofRelevance, judge.English, "NoMIRACL, English: is there an answer among the passages?", "**offline judge** (best `Relevance`)",
		"feature: share of the question's terms in three sentences", ""},
	{ofRelevance, judge.Chinese, "NoMIRACL, Chinese: is there an answer among the passages?", "**offline judge** (best `Relevance`)",
		"feature: share of the question's terms in three sentences", "little better than chance"},
	{ofEquivalence, judge.English, "NQ-301: is the answer acceptable?", "**offline judge** (`Equivalent`)",
		"feature: recall of terms beyond the question", ""},
	{ofEquivalence, judge.Chinese, "", "", "", neverMeasured},
	{ofReverse, judge.English, "Questions that an answer answers", "**offline judge**: the first three claims",
		"template: “What about” and eight terms", ""},
	{ofReverse, judge.Chinese, "", "", "", neverMeasured},
	{ofCompleteness, judge.English, "RAGChecker: which of two answers?", "offline judge (`completeness`)", "length of the answer", ""},
	{ofCompleteness, judge.Chinese, "", "", "", neverMeasured},
}

// Every estimate is better than its plain baseline on the page of results, and the page
// has the table of decisions.
func TestDecisionsFollowThePage(t *testing.T) {
	t.Parallel()
	all, err := os.ReadFile(filepath.Join(requiretest.Root(), "docs", "results", "offline-judge.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(all)
	if !strings.Contains(page, decisionTable()) {
		t.Errorf("the page lacks the table of decisions:\n%s", decisionTable())
	}
	for _, d := range decisions {
		if d.section == "" {
			if d.declined == "" {
				t.Errorf("%s in %s is estimated and was not measured", d.of, d.language)
			}
			continue
		}
		_, section, ok := strings.Cut(page, "\n## "+d.section+"\n")
		if !ok {
			t.Errorf("the page has no section %q", d.section)
			continue
		}
		section, _, _ = strings.Cut(section, "\n## ")
		score, baseline := figure(t, section, d.score), figure(t, section, d.baseline)
		if d.declined == "" && score <= baseline {
			t.Errorf("%s in %s is estimated: %.3f, the baseline %.3f", d.of, d.language, score, baseline)
		}
	}
}

// figure is the first figure of a row after its name and its n.
func figure(t *testing.T, section, name string) float64 {
	t.Helper()
	_, row, ok := strings.Cut(section, "\n| "+name+" | ")
	cells := strings.Split(row, "|")
	if !ok || len(cells) < 2 {
		t.Fatalf("no row %q", name)
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(cells[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The judge answers what the table lets it answer, and declines the rest.
func TestDecisionsHold(t *testing.T) {
	t.Parallel()
	j := New(nil)
	passages := []judge.Source{{Text: "The tower is 40 metres high. It was built in 1226."}}
	asks := map[string]func(judge.Subject) error{
		ofFaithfulness: func(s judge.Subject) error {
			claims := []judge.Claim{{Text: "It is 40 metres high."}}
			_, err := question.Support.Ask(t.Context(), j, s, question.SupportInput{Claims: claims, Sources: passages})
			return err
		},
		ofRelevance: func(s judge.Subject) error {
			_, err := question.Grade.Ask(t.Context(), j, s, passages)
			return err
		},
		ofEquivalence: func(s judge.Subject) error {
			_, err := question.Compare.Ask(t.Context(), j, s, question.CompareInput{Answer: "40 metres", References: []string{"40 metres"}})
			return err
		},
		ofReverse: func(s judge.Subject) error {
			_, err := question.Reverse.Ask(t.Context(), j, s, question.ReverseInput{Answer: "It is 40 metres high.", Count: 3})
			return err
		},
		ofCompleteness: func(s judge.Subject) error {
			_, err := question.Assign.Ask(t.Context(), j, s, question.AssignInput{Points: []string{"40 metres"}, Answer: "40 metres"})
			return err
		},
	}
	for _, d := range decisions {
		err := asks[d.of](judge.Subject{Question: "How high is the tower?", Language: d.language})
		var declined *judge.DeclinedError
		if got := errors.As(err, &declined); got != (d.declined != "") || err != nil && !strings.Contains(err.Error(), "("+d.declined+")") {
			t.Errorf("%s in %s: %v, declined because %q", d.of, d.language, err, d.declined)
		}
	}
	if err := asks[ofRelevance](judge.Subject{Question: "?", Language: "fr"}); err == nil {
		t.Error("a language that is not in the table is estimated")
	}
}

// decisionTable is the table of decisions on the page of results, whose figures stand in
// the sections that it names.
func decisionTable() string {
	var b strings.Builder
	b.WriteString("| question | language | measured in | plain baseline | |\n|---|---|---|---|---|\n")
	for _, d := range decisions {
		made, in, baseline := "estimated", d.section, strings.TrimPrefix(d.baseline, "feature: ")
		if in == "" {
			in, baseline = "nothing", "none"
		}
		if d.declined != "" {
			made = "declined: " + d.declined
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", d.of, d.language, in, baseline, made)
	}
	return b.String()
}
