package question

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm/prompt"
)

const (
	good = `{"dimension_1_準確性":36,"dimension_2_完整性":20,"dimension_3_清晰度":17,"dimension_4_簡潔性":13,` +
		`"total_score":99,"comments":"fine"}`
	compared = `{"comments":"misses a fee","declines":false,"completeness_level":3,"factual_accuracy_level":4}`
)

// of reads a reply as a judge does: its object first.
func of[T any](read func([]byte) (T, error)) func(reply string) (T, error) {
	return func(reply string) (out T, err error) {
		object, err := prompt.Object(reply)
		if err != nil {
			return out, err
		}
		return read(object)
	}
}

func TestReadMarks(t *testing.T) {
	t.Parallel()
	for give, want := range map[string]string{
		good:                                    "86 fine",
		"```json\n" + good + "\n```":            "86 fine",
		"<think>{\"a\":1}</think>" + good:       "86 fine",
		"Here it is: " + good + " as {you} see": "86 fine",
		good + good:                             "86 fine",
		`{"scores":{"dimension_1_準確性":40,"dimension_2_完整性":25,"dimension_3_清晰度":20,` +
			`"dimension_4_簡潔性":15},"comments":" x "}`: "100 x",
		`{"dimension_1_準確性":0,"dimension_2_完整性":0.5,"dimension_3_清晰度":0,"dimension_4_簡潔性":0}`: "0.5 ",
		``:                      "it is empty: want one JSON object",
		`[1]`:                   "it holds no JSON object: want one",
		`{"dimension_1_準確性":36`: "its JSON object breaks off: want a whole one",
		`{"scores":{"dimension_1_準確性":40,"dimension_2_完整性":25,"dimension_3_清晰度":20,"dimension_4_簡潔性":15},"comments":"x`: "its JSON object " +
			"breaks off: want a whole one",
		good + `{"x":1}`:                  "it holds several JSON objects that differ: want one",
		`{"dimension_1_準確性":41}`:          `"dimension_1_準確性" is 41: want a number from 0 to 40`,
		`{"dimension_1_準確性":-1}`:          `"dimension_1_準確性" is -1: want a number from 0 to 40`,
		`{"dimension_1_準確性":"36"}`:        `"dimension_1_準確性" is "36": want a number from 0 to 40`,
		`{"dimension_1_準確性":null}`:        `"dimension_1_準確性" is null: want a number from 0 to 40`,
		`{"dimension_1_準確性":1e999}`:       `"dimension_1_準確性" is 1e999: want a number from 0 to 40`,
		`{"total_score":88}`:              `it has no field "dimension_1_準確性": want a number from 0 to 40`,
		`{"comments":[]}`:                 `"comments" is []: want a text`,
		`{"comments":"a","comments":"b"}`: `it is no JSON: the field "comments" stands twice in one object`,
		`{"dimension_1_準確性":1,"dimension_2_完整性":26}`: `"dimension_2_完整性" is 26: ` +
			`want a number from 0 to 25`,
		`{"dimension_1_準確性":1,"dimension_2_完整性":25,"dimension_3_清晰度":20.1}`:                   `"dimension_3_清晰度" is 20.1: want a number from 0 to 20`,
		`{"dimension_1_準確性":1,"dimension_2_完整性":25,"dimension_3_清晰度":2,"dimension_4_簡潔性":16}`: `"dimension_4_簡潔性" is 16: want a number from 0 to 15`,
	} {
		marks, err := of(readMarks)(give)
		total, comments := 0.0, ""
		for _, m := range marks {
			total, comments = total+m.Level, comments+m.Why
		}
		got := fmt.Sprintf("%v %s", total, comments)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", give, got, want)
		}
	}
}

func TestReadRelevant(t *testing.T) {
	t.Parallel()
	for give, want := range map[string]string{
		`{"relevant_chunk_indices":[0,3]}`:            "[true false false true]",
		`{"relevant_chunk_indices":[3.0]}`:            "[false false false true]",
		`{"relevant_chunk_indices":[]}`:               "[false false false false]",
		`{"nonce":"x","relevant_chunk_indices":[1]} `: "[false true false false]",
		`{"relevant_chunk_indices":[4]}`:              `"relevant_chunk_indices" holds 4: want whole numbers from 0 to 3`,
		`{"relevant_chunk_indices":[-1]}`:             `"relevant_chunk_indices" holds -1: want whole numbers from 0 to 3`,
		`{"relevant_chunk_indices":[0.5]}`:            `"relevant_chunk_indices" holds 0.5: want whole numbers from 0 to 3`,
		`{"relevant_chunk_indices":[null]}`:           `"relevant_chunk_indices" holds null: want whole numbers from 0 to 3`,
		`{"relevant_chunk_indices":[1,1]}`:            `"relevant_chunk_indices" holds 1 twice: want each once`,
		`{"relevant_chunk_indices":null}`:             `"relevant_chunk_indices" is null: want a list of numbers`,
		`{"relevant_chunk_indices":["1"]}`:            `"relevant_chunk_indices" is ["1"]: want a list of numbers`,
		`{"indices":[1]}`: `it has no field "relevant_chunk_indices": want the list of the ` +
			`indices of the relevant chunks`,
		`{"relevant_chunk_indices":[1]} or {"relevant_chunk_indices":[2]}`: "it holds several JSON objects that differ: want one",
	} {
		r, err := of(func(o []byte) ([]bool, error) { return readRelevant(o, 4) })(give)
		got := fmt.Sprint(r)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", give, got, want)
		}
	}
}

func TestReadComparison(t *testing.T) {
	t.Parallel()
	for give, want := range map[string]string{
		compared: "0.75 1 misses a fee",
		`{"declines":false,"completeness_level":4,"factual_accuracy_level":-0}`:  "1 0 ",
		`{"declines":true,"completeness_level":3,"factual_accuracy_level":4}`:    "0 none ",
		`{"declines":false,"completeness_level":5,"factual_accuracy_level":0}`:   `"completeness_level" is 5: want a number from 0 to 4`,
		`{"declines":false,"completeness_level":0.8,"factual_accuracy_level":0}`: `"completeness_level" is 0.8: want a whole number from 0 to 4`,
		`{"declines":false,"completeness_level":1}`:                              `it has no field "factual_accuracy_level": want a number from 0 to 4`,
		`{"completeness_level":1}`:                                               `it has no field "declines": want true or false`,
		`{"declines":"no"}`:                                                      `"declines" is "no": want true or false`,
	} {
		c, err := of(readComparison)(give)
		accuracy := "none"
		if c.FactualAccuracy != nil {
			accuracy = fmt.Sprint(*c.FactualAccuracy)
		}
		got := fmt.Sprintf("%v %s %s", c.Completeness, accuracy, c.Comments)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", give, got, want)
		}
	}
}

// TestPromptsAreNoReplies: a model that gives the form of the prompt back has said
// nothing.
func TestPromptsAreNoReplies(t *testing.T) {
	t.Parallel()
	for _, task := range Tasks() {
		if !task.TakesElements() {
			continue
		}
		files, version, _ := task.Files()
		for _, lang := range []string{"en", "zh"} {
			raw, err := fs.ReadFile(files, task.Operation()+"."+version+"."+lang+".md")
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(raw)) {
				_, marks := of(readMarks)(line)
				_, relevance := of(func(o []byte) ([]bool, error) { return readRelevant(o, 10) })(line)
				_, comparison := of(readComparison)(line)
				_, word := readTrueFalse(line)
				if marks == nil || relevance == nil || comparison == nil || word == nil {
					t.Errorf("%s %s: the prompt holds a reply: %s", task.Operation(), lang, line)
				}
			}
		}
	}
}

// FuzzReplies: whatever a model says, what is read of it is within its range.
func FuzzReplies(f *testing.F) {
	for _, s := range []string{good, compared, `{"relevant_chunk_indices":[0,3]}`, "<think>{</think>{", "\ufeff```json\n{}\n```",
		strings.Repeat("{", 300),
		`{"scores":{"scores":1}}`, "{\"a\":\"\xff\"}"} {
		f.Add(s)
	}
	within := func(v, top float64) bool { return v >= 0 && v <= top && !math.Signbit(v) }
	f.Fuzz(func(t *testing.T, reply string) {
		if marks, err := of(readMarks)(reply); err == nil {
			for i, m := range marks {
				if !within(m.Level, float64(scheme[i].points)) {
					t.Errorf("%q: %+v", reply, m)
				}
			}
		}
		if r, err := of(func(o []byte) ([]bool, error) { return readRelevant(o, 3) })(reply); err == nil && len(r) != 3 {
			t.Errorf("%q: %v", reply, r)
		}
		if c, err := of(readComparison)(reply); err == nil && !(within(c.Completeness, 1) && (c.FactualAccuracy == nil || within(*c.FactualAccuracy, 1))) {
			t.Errorf("%q: %+v", reply, c)
		}
		if holds, err := readTrueFalse(reply); err == nil && !strings.Contains(strings.ToLower(reply), strconv.FormatBool(holds)) {
			t.Errorf("%q: %v", reply, holds)
		}
	})
}
