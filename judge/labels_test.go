package judge_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/judge"
)

// show writes labels so that a test can compare them at a glance.
func show(labels []judge.Label) string {
	var lines []string
	for _, l := range labels {
		s := fmt.Sprintf("%d %s", l.Origin.Line, l.Case)
		for _, v := range l.Labels {
			s += " " + optional(v)
		}
		lines = append(lines, s+" score "+optional(l.Score)+" in "+l.Cluster)
	}
	return strings.Join(lines, "\n")
}

func optional(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

func inUTF16(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func TestReadLabels(t *testing.T) {
	t.Parallel()
	const table = "case,label,label2,score,cluster\na,1,yes,0.9,x\nb,No,,,\nc,,FAIL,0.25,x\n"
	const want = "2 a 1 1 score 0.9 in x\n3 b 0 - score - in \n4 c - 0 score 0.25 in x"
	for name, c := range map[string]struct {
		in      string
		columns map[string]string
		want    string
	}{
		"comma":      {in: table, want: want},
		"semicolons": {in: strings.ReplaceAll(table, ",", ";"), want: want},
		"tabs":       {in: strings.ReplaceAll(table, ",", "\t"), want: want},
		"windows":    {in: "\xef\xbb\xbf" + strings.ReplaceAll(table, "\n", "\r\n"), want: want},
		"utf-16":     {in: inUTF16(table), want: want},
		"names":      {in: "ID,Human,extra,group\nq,true,?,g\n", want: "2 q 1 score - in g"},
		"chosen": {
			in: "id,verdict,other,score\nq,1,0,0.5\n", columns: map[string]string{"label": "verdict", "label2": "other", "score": ""},
			want: "2 q 1 0 score - in ",
		},
		"quotes over lines": {in: "case,note,label\n\"a\n,1\",\"x\ny\",1\nb,z,0\n", want: "2 a\n,1 1 score - in \n5 b 0 score - in "},
		"json": {
			in: "{\"id\": \"a\", \"label\": true, \"score\": 0.5}\n\n{\"id\": 7, \"label\": null, \"label2\": \"no\"}\n{\"id\": \"c\", " +
				"\"score\": \"1\"}",
			want: "1 a 1 score 0.5 in \n3 7 - 0 score - in \n4 c - score 1 in ",
		},
		"grades": {in: "case,label\na,2.5\nb,-3\n", want: "2 a 2.5 score - in \n3 b -3 score - in "},
	} {
		got, err := judge.ReadLabels(strings.NewReader(c.in), "labels.csv", c.columns)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, show(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestReadLabelsProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", `l.csv: empty file: expected a header and a label in each row`},
		{"\xef\xbb\xbf \n", `l.csv: empty file: expected a header and a label in each row`},
		{"case,label\n", `l.csv: no rows below the header: expected a label in each`},
		{"case,verdict\na,1\n", `l.csv:1: no column "label" among ["case" "verdict"]: expected one`},
		{"name,label\na,1\n", `l.csv:1: no column "case" among ["name" "label"]: expected one`},
		{"case,label,human\na,1,1\n", `l.csv:1: columns "label" and "human" are both the label: expected one`},
		{"case,label\na,maybe\nb,1\nc,NaN\n",
			"l.csv:2: label \"maybe\": expected 0 or 1, yes or no, or a grade\nl.csv:4: label \"NaN\": expected 0 or 1, yes or no, or a grade"},
		{"case,label\na,1,2\n", `l.csv:2: 3 columns: expected 2 as in the header`},
		{"case,label\na,1\nb,1\na,0\n", `l.csv:4: case "a" is there twice, first on line 2: expected further annotators in columns label2, label3, and the run of each answer in a column run`},
		{"case,label\n,1\n", `l.csv:2: no case: expected the id of one`},
		{"case,label,score\na,1,high\n", `l.csv:2: score "high": expected a number, or blank where the judge gave none`},
		{"case,label\na,\"1\n", `l.csv:2: column 6: extraneous or missing " in quoted-field: expected a table with quotes in pairs`},
		{`[{"case": "a", "label": 1}]`, `l.csv:1: a JSON list: expected one JSON object a line, or a table with a header`},
		{`{"case": "a"}`, `l.csv:1: no line has a label: expected a field "label"`},
		{`{"case": "a", "label": [1]}`, `l.csv:1: label: a list or an object: expected a plain value`},
		{`{"case": "a", "label": 1} {}`, `l.csv:1: text after the JSON object: expected one object a line`},
		{"{\"case\": \"a\", \"label\": 1}\n{\"label\": 1}", `l.csv:2: no case: expected the id of one`},
		{"{\"case\": \"a\", \"label\": 1}\n{", `l.csv:2: unexpected EOF: expected a JSON object`},
	} {
		got, err := judge.ReadLabels(strings.NewReader(c.in), "l.csv", nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, %v; want the error %s", c.in, show(got), err, c.want)
		}
	}
	_, err := judge.ReadLabels(strings.NewReader("case,label\na,1\n"), "l.csv", map[string]string{"score": "points"})
	if err == nil || err.Error() != `l.csv:1: no column "points" among ["case" "label"]: expected one for the score` {
		t.Errorf("a chosen column that is not there: %v", err)
	}
	var long strings.Builder
	long.WriteString("case,label\n")
	for i := range 50 {
		fmt.Fprintf(&long, "c%d,maybe\n", i)
	}
	_, err = judge.ReadLabels(strings.NewReader(long.String()), "l.csv", nil)
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 21 || lines[20] != "l.csv: 30 more problems" {
		t.Errorf("50 problems are told in %d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func FuzzReadLabels(f *testing.F) {
	f.Add("case,label,label2,score,cluster\na,1,yes,0.9,x\nb,No,,,\n")
	f.Add("{\"id\": \"a\", \"label\": true}\n")
	f.Add("case;label\n\"a;1")
	f.Add(inUTF16("case\tlabel\na\t1e999\n"))
	f.Fuzz(func(t *testing.T, in string) {
		labels, err := judge.ReadLabels(strings.NewReader(in), "f", nil)
		if (err == nil) == (len(labels) == 0) {
			t.Fatalf("%d labels and error %v: want one of them", len(labels), err)
		}
		seen := map[string]bool{}
		for _, l := range labels {
			if l.Case == "" || seen[l.Case] || l.Origin.Line < 1 || len(l.Labels) == 0 {
				t.Fatalf("got %+v", l)
			}
			seen[l.Case] = true
			for _, v := range append(l.Labels, l.Score) {
				if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
					t.Fatalf("%s: %v", l.Case, *v)
				}
			}
		}
	})
}
