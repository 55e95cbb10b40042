package words_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A filler makes values in which every number and every text is another one, so
// that each can be found again in a sentence.
type filler struct {
	n int
	// flag is what booleans are, small what numbers are unless it is negative;
	// bare leaves texts empty.
	flag, bare bool
	small      int
	// inside are the types of the structures that are being filled: a list of judges in a
	// judge stays empty.
	inside []reflect.Type
	// given are the texts of the arguments as a sentence may show them.
	given []string
}

func (f *filler) fill(v reflect.Value) {
	f.n++
	if values, ok := enums[v.Type()]; ok {
		v.SetString(values[f.n%len(values)])
		return
	}
	switch v.Kind() {
	case reflect.String:
		if f.bare {
			return
		}
		f.given = append(f.given, fmt.Sprintf("x%dx", f.n))
		v.SetString(f.given[len(f.given)-1])
	case reflect.Int, reflect.Int64:
		n := f.small
		if n < 0 {
			n = 7000 + 13*f.n
			f.given = append(f.given, fmt.Sprint(n))
		}
		v.SetInt(int64(n))
	case reflect.Float64:
		v.SetFloat(float64(f.n%90) / 100)
	case reflect.Bool:
		v.SetBool(f.flag)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			f.fill(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Struct:
		if slices.Contains(f.inside, v.Type()) {
			return
		}
		f.inside = append(f.inside, v.Type())
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i))
			}
		}
		f.inside = f.inside[:len(f.inside)-1]
	}
}

// enums are the types of texts with a few values, and some of these.
var enums = map[reflect.Type][]string{
	reflect.TypeFor[words.CautionKind](): {string(words.OtherJudge), string(words.OtherVectors), string(words.OtherRules), string(words.RunUnfinished), string(words.SameRun)},
	reflect.TypeFor[assay.Status]():      {string(assay.StatusFailed), string(assay.StatusError)},
	reflect.TypeFor[summary.Lack]():      {string(summary.LacksLabels), string(summary.LacksFailed)},
}

// texts lists the parts of a result that are read: each field of a structure,
// with its lines as one.
func texts(v reflect.Value) (out []string) {
	switch v.Kind() {
	case reflect.String:
		out = append(out, v.String())
	case reflect.Array:
		var lines []string
		for i := range v.Len() {
			lines = append(lines, texts(v.Index(i))...)
		}
		out = append(out, strings.Join(lines, "\n"))
	case reflect.Slice:
		for i := range v.Len() {
			out = append(out, texts(v.Index(i))...)
		}
	case reflect.Pointer:
		out = texts(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			out = append(out, texts(v.Field(i))...)
		}
	}
	return out
}

// call gives what a method says of arguments made by f.
func call(w words.Words, method string, f filler) (said []string, given []string) {
	m := reflect.ValueOf(w).MethodByName(method)
	var in []reflect.Value
	for i := range m.Type().NumIn() {
		v := reflect.New(m.Type().In(i)).Elem()
		f.fill(v)
		in = append(in, v)
	}
	for _, r := range m.Call(in) {
		said = append(said, texts(r)...)
	}
	return said, f.given
}

// fillers are the kinds of arguments that every method is called with.
func fillers() []filler {
	return []filler{{small: -1}, {small: -1, flag: true}, {small: 1}, {small: 0, flag: true}, {small: 0}, {small: -1, bare: true}}
}

// chosen are methods whose arguments depend on one another or are one of a few,
// and the code.
var chosen = map[string]bool{"RunState": true, "Difference": true, "Language": true, "Limit": true, "Status": true, "TrendApart": true, "Say": true, "Fill": true, "Has": true}

// TestLanguages holds every method of every language to English: it says
// something where English does, in its own script, and shows the arguments that
// English shows. A new method is covered by its being in the interface.
func TestLanguages(t *testing.T) {
	t.Parallel()
	methods := reflect.TypeFor[words.Words]()
	for _, w := range words.All[1:] {
		for i := range methods.NumMethod() {
			name := methods.Method(i).Name
			if chosen[name] {
				continue
			}
			var own []bool
			for _, f := range fillers() {
				english, given := call(words.English, name, f)
				said, _ := call(w, name, f)
				if len(said) != len(english) {
					t.Errorf("%s: %s: %d texts, English has %d", w.Code, name, len(said), len(english))
					continue
				}
				own = append(own, make([]bool, max(len(said)-len(own), 0))...)
				for k, s := range said {
					own[k] = own[k] || strings.ContainsFunc(s, isHan) || english[k] == "" || english[k] == ": "
					if (s == "") != (english[k] == "") {
						t.Errorf("%s: %s: %q, English: %q", w.Code, name, s, english[k])
					}
				}
				for _, g := range given {
					if shown(english, g) && !shown(said, g) {
						t.Errorf("%s: %s: %q lacks %q, English: %q", w.Code, name, said, g, english)
					}
				}
				if s := strings.Join(append(said, english...), " "); strings.Contains(s, "%!") || strings.Contains(s, "template: ") || strings.Contains(s, "no such message") {
					t.Errorf("%s: %s: %q", w.Code, name, s)
				}
			}
			if slices.Contains(own, false) {
				said, _ := call(w, name, fillers()[0])
				t.Errorf("%s: %s: not in Chinese: %q", w.Code, name, said)
			}
		}
	}
}

// TestLimits holds every kind of warning to a text of each language's own that
// shows the numbers and names that English shows.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, w := range words.All[1:] {
		for kind := stats.StoredWarning + 1; kind < stats.Kinds; kind++ {
			warning := stats.Warning{Kind: kind, N: 731, M: 462, Value: 0.258, Test: "spoon"}
			for _, warning := range []stats.Warning{warning, warning.General()} {
				said, english := w.Limit(warning), words.English.Limit(warning)
				if !strings.ContainsFunc(said, isHan) {
					t.Errorf("%s: %q is %q", w.Code, english, said)
				}
				for _, given := range []string{"731", "462", "0.258", "spoon"} {
					if strings.Contains(english, given) != strings.Contains(said, given) {
						t.Errorf("%s: %q, English: %q", w.Code, said, english)
					}
				}
			}
		}
		if said := w.Limit(stats.Warning{Text: "as read"}); said != "as read" {
			t.Errorf("%s: a stored warning is %q", w.Code, said)
		}
	}
}

func shown(said []string, given string) bool {
	return slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, given) })
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// TestOwnStages: a target's own stage keeps its name, whatever that is.
func TestOwnStages(t *testing.T) {
	t.Parallel()
	for _, w := range words.All {
		for _, stage := range []string{"unknown", "other", "first", "guard"} {
			if got := w.Stage(stage); got != stage {
				t.Errorf("%s: the stage %q is %q", w.Code, stage, got)
			}
			if got := w.Again([]summary.Again{{Stage: stage, Cases: 2}}); !strings.Contains(got, stage) {
				t.Errorf("%s: %q lacks %q", w.Code, got, stage)
			}
		}
	}
}

// One thing is singular, with its verb.
func TestOneIsSingular(t *testing.T) {
	t.Parallel()
	w := words.English
	for got, want := range map[string]string{
		w.Say("SoFar", words.V{"state": "running", "done": 1, "of": 1, "failed": 0, "draws": false}): "1 of 1 case so far", w.Say("SeveralContents", words.V{"n": 1}): "1 content", w.Say("AtMostCalls", words.V{"calls": 1}): "If the passes of the judge never agree, 1 call is made.",
		w.Say("DrawsListed", words.V{"draws": 1}):                            "Each case was asked 1 time, and each draw is counted and listed as one.",
		w.Say("SliceMissing", words.V{"cases": 1, "of": 5, "change": true}):  "1 of 5 cases has no value in one of the runs, and is in no mean.",
		w.Say("SliceMissing", words.V{"cases": 2, "of": 5, "change": false}): "2 of 5 cases have no value, and are in no mean.",
		w.Say("CasesDiffer", words.V{"n": 1, "of": 5, "which": "a"}):         "1 of 5 cases differs between draws: a",
	} {
		if got != want {
			t.Errorf("%q: want %q", got, want)
		}
	}
}
