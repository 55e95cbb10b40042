//go:build results

package stage_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric/stage"
)

// The goals of answers that are decided without a judge.
const (
	rightGoal = 0.99
	wrongGoal = 0.97
)

// A judgedAnswer is an answer that people judged.
type judgedAnswer struct {
	id, question, answer string
	references           []string
	// right and wrong are what people say; partly right answers are neither.
	right, wrong bool
}

// A judgedSet is a file of judged answers.
type judgedSet struct {
	name, file, what string
	read             func(r judgedRow) judgedAnswer
}

type judgedRow struct {
	ID, Question, Answer, Context, Claim, Label string
	References                                  []string
	Original                                    any `json:"original_label"`
	Labels                                      struct{ Acceptable string }
	Meta                                        struct{ Span string }
}

// entailment takes a text as the answer and a claim as the reference. A claim that the text
// contradicts makes the answer wrong.
func entailment(r judgedRow) judgedAnswer {
	return judgedAnswer{r.ID, r.Question, r.Context, []string{r.Claim}, r.Label == "supported", r.Label == "contradicted"}
}

var correction = regexp.MustCompile(`应为(.+?)[，。,]?$`)

var judgedSets = []judgedSet{
	{"nq301", "answers/nq301", "answers of systems to open questions, acceptable or not", func(r judgedRow) judgedAnswer {
		return judgedAnswer{r.ID, r.Question, r.Answer, r.References, r.Labels.Acceptable == "Yes", r.Labels.Acceptable == "No"}
	}},
	{"sas_equivalence", "support/sas_equivalence", "pairs of short answers: equivalent, partly, or not", func(r judgedRow) judgedAnswer {
		return judgedAnswer{r.ID, r.Question, r.Answer, []string{r.Context}, r.Label == "equivalent", r.Label == "not_equivalent"}
	}},
	{"uhgeval_zh", "support/uhgeval_zh", "Chinese spans that people corrected", func(r judgedRow) judgedAnswer {
		original, _ := r.Original.(string)
		if m := correction.FindStringSubmatch(original); m != nil {
			return judgedAnswer{r.ID, "", r.Meta.Span, []string{m[1]}, false, true}
		}
		return judgedAnswer{}
	}},
	{"kqa_nuggets", "support/kqa_nuggets", "long medical answers and the points that they should make", entailment},
	{"summhay_coverage", "support/summhay_coverage", "long summaries and insights", entailment},
	{"fever_symmetric", "support/fever_symmetric", "evidence and claims", entailment},
	{"fm2", "support/fm2", "evidence and claims that should fool", entailment},
	{"nli_breaking", "support/nli_breaking", "sentences with one word swapped", entailment},
	{"nli_negation", "support/nli_negation", "sentences with a negation put in", entailment},
	{"nli_hans", "support/nli_hans", "sentences that contain the claim, which may be false", entailment},
	{"nli_conj", "support/nli_conj", "sentences with and, or, nor", entailment},
	{"nli_scone", "support/nli_scone", "sentences with several negations", entailment},
	{"nli_med", "support/nli_med", "sentences with quantifiers and conditions", entailment},
	{"nli_counterfactual", "support/nli_counterfactual", "sentences with small edits that change the label", entailment},
}

// otherValue are answers that people accept, or hold to be equal in part, although they state
// a value that no reference states: other dates, years and amounts, as read one by one.
var otherValue = strings.Fields(`
nq301-96 nq301-99 nq301-111 nq301-113 nq301-163 nq301-164 nq301-337 nq301-383 nq301-386 nq301-700 nq301-737 nq301-740 nq301-741
nq301-743 nq301-800 nq301-895 nq301-898 nq301-915 nq301-948 nq301-949 nq301-957 nq301-962 nq301-964 nq301-965 nq301-966 nq301-1237
nq301-1238 nq301-1294 nq301-1336 nq301-1337 nq301-1340 nq301-1371 nq301-1372 nq301-1436 nq301-1438 sas_equivalence/NQ-open_SAS-140
sas_equivalence/NQ-open_SAS-146 sas_equivalence/NQ-open_SAS-251 sas_equivalence/NQ-open_SAS-263 sas_equivalence/NQ-open_SAS-374
sas_equivalence/NQ-open_SAS-439 sas_equivalence/NQ-open_SAS-440 sas_equivalence/NQ-open_SAS-473 sas_equivalence/NQ-open_SAS-759
sas_equivalence/NQ-open_SAS-767 sas_equivalence/NQ-open_SAS-1148 sas_equivalence/NQ-open_SAS-1390 sas_equivalence/NQ-open_SAS-1499
sas_equivalence/NQ-open_SAS-2135 sas_equivalence/NQ-open_SAS-2244 sas_equivalence/NQ-open_SAS-2390
sas_equivalence/NQ-open_SAS-2391 sas_equivalence/NQ-open_SAS-2541 sas_equivalence/NQ-open_SAS-2810
sas_equivalence/NQ-open_SAS-3155 sas_equivalence/NQ-open_SAS-3156 sas_equivalence/NQ-open_SAS-3258
sas_equivalence/NQ-open_SAS-3374 sas_equivalence/NQ-open_SAS-3375 sas_equivalence/NQ-open_SAS-3386
sas_equivalence/NQ-open_SAS-3459 sas_equivalence/NQ-open_SAS-3607 sas_equivalence/NQ-open_SAS-3635
sas_equivalence/NQ-open_SAS-3636
`)

type outcomeTally struct{ n, right, rightTrue, wrong, wrongTrue, unknown, rejected, other int }

func share(of, n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", of, n, 100*float64(of)/float64(n))
}

// TestResultsOutcome decides judged answers by their references alone, and holds what it
// decides against people and against docs/results/outcome.md.
func TestResultsOutcome(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Right and wrong without a judge\n\nThis page is written by the command at its end.\n\n"+
		"Without a judge, assay compares an answer with the reference answers of its case. The answer is **right** only if it states a "+
		"reference and all its other words are function words or echo the question. It is **wrong** if it states one other value of the "+
		"reference's kind in the same way: a number, date, time of day, amount, or yes or no. Everything else is **unknown**.\n\n"+
		"The goals: %.0f %% of the answers that are called right are right, and %.0f %% of those that are called wrong are wrong.\n",
		100*rightGoal, 100*wrongGoal)
	fmt.Fprint(&b, "\n## Answers that people judged\n\n"+
		"| set | answers | called right, and right | called wrong, and wrong | unknown |\n|---|---:|---:|---:|---:|\n")
	var all outcomeTally
	for _, set := range judgedSets {
		n := set.tally(t)
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %.1f %% |\n", set.name, n.n, share(n.rightTrue, n.right), share(n.wrongTrue, n.wrong),
			100*float64(n.unknown)/float64(n.n))
		all.add(n)
	}
	fmt.Fprintf(&b, "| all | %d | %s | %s | %.1f %% |\n\n", all.n, share(all.rightTrue, all.right), share(all.wrongTrue, all.wrong),
		100*float64(all.unknown)/float64(all.n))
	for _, set := range judgedSets {
		fmt.Fprintf(&b, "- **%s**: %s\n", set.name, set.what)
	}
	right := float64(all.rightTrue) / float64(all.right-all.rejected)
	wrong := float64(all.wrongTrue) / float64(all.wrong-all.other)
	fmt.Fprintf(&b, "\n### Labels that disagree with the reference\n\n"+
		"A label of nq301 says whether an answer is true, not whether it says what the reference says. Some references are outdated, or "+
		"one of several truths. sas_equivalence has pairs of which neither is a reference.\n\n"+
		"- %d of the %d answers that are called right and that people reject are a reference, word for word. "+
		"Without these, %.1f %% of the answers that are called right are right.\n"+
		"- %d of the %d answers that are called wrong and that people do not reject state a value that no reference states: "+
		"they were read one by one. Without these, %.1f %% of the answers that are called wrong are wrong.\n\n"+
		"Measured against the labels alone, right misses its goal by %.1f points and wrong by %.1f points.\n",
		all.rejected, all.right-all.rightTrue, 100*right, all.other, all.wrong-all.wrongTrue, 100*wrong,
		100*(rightGoal-float64(all.rightTrue)/float64(all.right)), 100*(wrongGoal-float64(all.wrongTrue)/float64(all.wrong)))
	if right < rightGoal || wrong < wrongGoal {
		t.Errorf("right %.3f, wrong %.3f", right, wrong)
	}
	framed(t, &b)
	fmt.Fprint(&b, "\n## Write this page again\n\n```\ngo test -tags results -run TestResultsOutcome ./metric/stage -update\n```\n")
	requiretest.ResultsPage(t, "outcome.md", b.String(), *update, nil, 0)
}

func (o *outcomeTally) add(n outcomeTally) {
	o.n += n.n
	o.right += n.right
	o.rightTrue += n.rightTrue
	o.wrong += n.wrong
	o.wrongTrue += n.wrongTrue
	o.unknown += n.unknown
	o.rejected += n.rejected
	o.other += n.other
}

func decide(question, answer string, references []string) assay.Correctness {
	c := &assay.Case{Question: question, Want: assay.Want{Answers: references}}
	return (stage.Outcome{}).Correct(c, &assay.Response{Answer: answer}, nil, nil)
}

func (s judgedSet) tally(t *testing.T) (n outcomeTally) {
	t.Helper()
	raw, err := os.ReadFile(requiretest.Shared(t, "data/"+s.file+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var r judgedRow
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		a := s.read(r)
		if a.references == nil {
			continue
		}
		n.n++
		switch decide(a.question, a.answer, a.references) {
		case assay.AnswerRight:
			n.right++
			if a.right {
				n.rightTrue++
			} else if slices.ContainsFunc(a.references, func(r string) bool { return letters(r) == letters(a.answer) }) {
				n.rejected++
			} else {
				t.Logf("called right: %s %q %q", a.id, a.references, a.answer)
			}
		case assay.AnswerWrong:
			n.wrong++
			if a.wrong {
				n.wrongTrue++
			} else if slices.Contains(otherValue, a.id) {
				n.other++
			} else {
				t.Logf("called wrong: %s %q %q %q", a.id, a.question, a.references, a.answer)
			}
		default:
			n.unknown++
		}
	}
	return n
}

// letters returns the letters and digits of a text, without articles.
func letters(s string) string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if w != "the" && w != "a" && w != "an" {
			out = append(out, w)
		}
	}
	return strings.Join(out, "")
}

// A frame is an answer around a reference R and another answer X.
type frame struct {
	text string
	// is the outcome: right, wrong or unknown; the last two may be each other.
	is assay.Correctness
}

var frames = map[string][]frame{
	"xquad_en": {
		{"R", assay.AnswerRight}, {"It is R.", assay.AnswerRight}, {"The answer is R.", assay.AnswerRight},
		{"It is not R.", assay.AnswerUnknown}, {"It is not R but X.", assay.AnswerUnknown}, {"Perhaps it is R.", assay.AnswerUnknown},
		{"Either R or X.", assay.AnswerUnknown}, {"R, X", assay.AnswerUnknown}, {"It was R until last year, now it is X.", assay.AnswerUnknown},
		{"It would be R if X were true.", assay.AnswerUnknown}, {"Some wrongly say R.", assay.AnswerUnknown}, {"Is it R?", assay.AnswerUnknown},
		{"It is X.", assay.AnswerWrong},
	},
	"drcd": {
		{"R", assay.AnswerRight}, {"是R。", assay.AnswerRight}, {"答案是R。", assay.AnswerRight},
		{"不是R。", assay.AnswerUnknown}, {"不是R，而是X。", assay.AnswerUnknown}, {"可能是R。", assay.AnswerUnknown}, {"R或X。", assay.AnswerUnknown},
		{"R、X", assay.AnswerUnknown}, {"以前是R，現在是X。", assay.AnswerUnknown}, {"如果X，就是R。", assay.AnswerUnknown},
		{"有人誤以為是R。", assay.AnswerUnknown}, {"是R嗎？", assay.AnswerUnknown}, {"是X。", assay.AnswerWrong},
	},
}

// framed puts the reference answers of questions, and those of other questions, into frames.
func framed(t *testing.T, b *strings.Builder) {
	t.Helper()
	fmt.Fprint(b, "\n## Reference answers in frames\n\nR is the reference answer of a question and X that of the next question whose "+
		"answer has none of the same words and is not in the question. Only the first three frames state the reference.\n")
	for _, c := range corpora {
		questions := shortQuestions(t, c.data)
		fmt.Fprintf(b, "\n### %s, %d questions\n\n| answer | right | wrong | unknown |\n|---|---:|---:|---:|\n", c.title, len(questions))
		for _, f := range frames[c.data] {
			n := map[assay.Correctness]int{}
			for i, q := range questions {
				x := ""
				for j := 1; j < len(questions); j++ {
					if x = questions[(i+j)%len(questions)].answers[0]; !overlaps(x, q.answers) && !strings.Contains(letters(q.text), letters(x)) {
						break
					}
				}
				answer := strings.NewReplacer("R", q.answers[0], "X", x).Replace(f.text)
				of := decide(q.text, answer, q.answers)
				if n[of]++; of == assay.AnswerRight != (f.is == assay.AnswerRight) {
					t.Logf("%q: %q for %q is %s", q.text, answer, q.answers, of)
				}
			}
			fmt.Fprintf(b, "| %s | %d | %d | %d |\n", f.text, n[assay.AnswerRight], n[assay.AnswerWrong], n[assay.AnswerUnknown])
			if f.is != assay.AnswerRight && n[assay.AnswerRight] > 0 {
				t.Errorf("%s: %q is right %d times", c.title, f.text, n[assay.AnswerRight])
			}
		}
	}
}

type shortQuestion struct {
	text    string
	answers []string
}

func shortQuestions(t *testing.T, data string) (out []shortQuestion) {
	t.Helper()
	raw, err := os.ReadFile(requiretest.Shared(t, "data/retrieval/"+data+"/queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var q struct {
			Text     string
			Metadata struct{ Answers []string }
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		if a := q.Metadata.Answers; len(a) > 0 && a[0] != "not" {
			out = append(out, shortQuestion{q.Text, q.Metadata.Answers})
		}
		if len(out) == 500 {
			break
		}
	}
	return out
}

func overlaps(x string, answers []string) bool {
	for _, a := range answers {
		if strings.ContainsAny(strings.ToLower(x), "0123456789") && strings.ContainsAny(a, "0123456789") {
			continue // another number
		}
		for w := range strings.FieldsSeq(strings.ToLower(a)) {
			if strings.Contains(strings.ToLower(x), w) {
				return true
			}
		}
	}
	return false
}
