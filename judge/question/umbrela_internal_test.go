package question

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/assay-eval/assay/judge"
)

func TestReadFinalScore(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]string{
		"##final score: 2": "2", "## Final Score: 0\n": "0", "final score 3": "3", "**Final score:** 1": "1", "2": "2", "**3**.": "3",
		"##final score: 1\n##final score: 1":     "1",
		"I weigh them. ##final score: 2":         "2",
		"##final score (0-3): 2":                 "2",
		"##final score: 2/3":                     "2",
		"##final score: 1 out of 3":              "1",
		"##final score: 2/10":                    "the final score is 2/10",
		"##final score: 1 or 2":                  "the final score is 1 or 2",
		"##final score: 1-2":                     "the final score is 1-2",
		"##final score: 2,5":                     "the final score is 2,5",
		"##final score [0-3]: 2":                 "the final score is 0-3",
		"":                                       "it is empty",
		"a good passage":                         "has no final score",
		"between 1 and 2":                        "has no final score",
		"##final score: 1 … ##final score: 2":    "has several final scores",
		"##final score: 4":                       "the final score is 4",
		"##final score: -1":                      "the final score is -1",
		"##final score: 2.5":                     "the final score is 2.5",
		"##final score: 30":                      "the final score is 30",
		"I would give it a final score of three": "has no final score",
	} {
		n, err := readFinalScore([]byte(reply))
		got := fmt.Sprint(n)
		if err != nil {
			got = err.Error()
		}
		if err != nil && (!strings.Contains(got, want) || !strings.HasSuffix(got, "want ##final score: and a whole number from 0 to 3")) ||
			err == nil && got != want {
			t.Errorf("%q: %s, want %s", reply, got, want)
		}
	}
}

// byWord is a model that replies to a passage by its first word.
type byWord struct {
	judge.Model
	replies map[string]string
	fatal   bool
	calls   atomic.Int32
}

func (w *byWord) PutElements(
	_ context.Context, _ judge.AnyTask, _ judge.Subject, elements []judge.Element, read func([]byte) error,
) (judge.Reply, error) {
	w.calls.Add(1)
	if w.fatal {
		return judge.Reply{}, &judge.FatalError{Err: errors.New("no budget")}
	}
	word, _, _ := strings.Cut(elements[1].Text, " ")
	if err := read([]byte(w.replies[word])); err != nil {
		return judge.Reply{}, &judge.Error{Operation: "umbrela", Message: err.Error()}
	}
	return judge.Reply{}, nil
}

// Each passage is graded in a call of its own; one without a usable reply is unknown and
// takes no other with it; a blank one costs nothing.
func TestGradeByUMBRELA(t *testing.T) {
	t.Parallel()
	m := &byWord{replies: map[string]string{"exact": "##final score: 3", "other": "##final score: 0", "odd": "perhaps"}}
	passages := []judge.Source{{Text: "other matter"}, {Text: "exact answer"}, {Text: " "}, {Text: "odd one"}}
	said, err := GradeByUMBRELA.AskModel(t.Context(), m, judge.Subject{Question: "When?"}, passages)
	grades, _ := said.([]judge.Grade)
	if err != nil || len(grades) != 4 || m.calls.Load() != 3 {
		t.Fatalf("%+v, %v, %d calls", said, err, m.calls.Load())
	}
	for i, want := range []judge.Grade{{Known: true}, {Known: true, Level: 3, Degree: 1}, {Known: true, Why: "the passage is empty"}} {
		if grades[i] != want {
			t.Errorf("passage %d: %+v, want %+v", i+1, grades[i], want)
		}
	}
	if g := grades[3]; g.Known || !strings.Contains(g.Why, "has no final score") {
		t.Errorf("an unusable reply: %+v", g)
	}

	var failed *judge.Error
	if _, err := GradeByUMBRELA.AskModel(t.Context(), m, judge.Subject{}, passages[3:]); !errors.As(err, &failed) {
		t.Errorf("no usable reply: %v, want an error of the judge", err)
	}
	if _, err := GradeByUMBRELA.AskModel(t.Context(), &byWord{fatal: true}, judge.Subject{}, passages); !judge.Fatal(err) {
		t.Errorf("%v: want a fatal error", err)
	}
}

func TestUMBRELAStandIn(t *testing.T) {
	t.Parallel()
	for passage, want := range map[string]string{
		"The tower opened in 1889.": "##final score: 3", "Preheat the oven.": "##final score: 0",
	} {
		material := "<query>\nWhen was the tower opened?\n</query>\n\n<passage>\n" + passage + "\n</passage>"
		if got, err := GradeByUMBRELA.Play([]byte(material)); err != nil || got != want {
			t.Errorf("%s: %v, %v: want %s", passage, got, err, want)
		}
	}
}

func FuzzReadFinalScore(f *testing.F) {
	f.Add("##final score: 2")
	f.Fuzz(func(t *testing.T, reply string) {
		if n, err := readFinalScore([]byte(reply)); err == nil && (n < 0 || n > topScore) {
			t.Errorf("%q: %d", reply, n)
		}
	})
}
