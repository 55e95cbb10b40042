package question

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
)

// readChoice reads a reply as prefer does.
func readChoice(raw []byte) (c judge.Choice, err error) {
	err = decoded(func(r preferReply) error {
		c = judge.Choice{First: choices[r.Better], Why: r.Why}
		return r.check()
	})(raw)
	if err != nil {
		return judge.Choice{}, err
	}
	return c, nil
}

func TestReadChoice(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]int{
		`{"why":"a","better":"first"}`: 1, `{"why":"a","better":"second"}`: -1, `{"why":"a","better":"same"}`: 0,
	} {
		if c, err := readChoice([]byte(reply)); err != nil || c.First != want || c.Why != "a" {
			t.Errorf("%s: %+v, %v", reply, c, err)
		}
	}
	for _, bad := range []string{`{"better":"First"}`, `{"better":""}`, `{}`, `{"better":1}`, `[]`, ``} {
		if c, err := readChoice([]byte(bad)); err == nil {
			t.Errorf("%s: %+v: want an error", bad, c)
		}
	}
}

func FuzzReadChoice(f *testing.F) {
	f.Add([]byte(`{"why":"a","better":"first"}`))
	f.Add([]byte(`{"better":"FIRST "}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := readChoice(raw)
		if err == nil && !strings.Contains(string(raw), `\u`) &&
			!strings.Contains(strings.ToLower(string(raw)), "better") {
			t.Errorf("%q: %+v without the field", raw, c)
		}
		if c.First < -1 || c.First > 1 || err != nil && c != (judge.Choice{}) {
			t.Errorf("%q: %+v, %v", raw, c, err)
		}
	})
}

func TestMergeChoices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ low, high, want int }{{1, 1, 1}, {-1, -1, -1}, {0, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {-1, 1, 0}} {
		if got, voted := mergeChoices(judge.Choice{First: c.low}, judge.Choice{First: c.high}); got.First != c.want || voted.First != c.want {
			t.Errorf("%d and %d: %d, voted %d, want %d", c.low, c.high, got.First, voted.First, c.want)
		}
	}
}

// TestPlayPreferIsSymmetric: the stand-in has no preference for a place.
func TestPlayPreferIsSymmetric(t *testing.T) {
	t.Parallel()
	swapped := map[any]any{preferFirst: preferSecond, preferSecond: preferFirst, preferNone: preferNone}
	texts := []string{"", "I do not know.", "In 1957.", "The pier opened in 1957.", "The pier opened in 1958."}
	found := map[any]bool{}
	for _, refs := range [][]string{nil, {"The pier opened in 1957"}} {
		for _, a := range texts {
			for _, b := range texts {
				there := playPrefer(preferData{Question: "When was the pier opened?", First: a, Second: b, References: refs})["better"]
				back := playPrefer(preferData{Question: "When was the pier opened?", First: b, Second: a, References: refs})["better"]
				if found[there] = true; swapped[there] != back {
					t.Errorf("%q beside %q: %v, the other way round %v", a, b, there, back)
				}
			}
		}
	}
	if len(found) != 3 {
		t.Errorf("replies %v: want all three", found)
	}
}
