package certify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/certify"
)

func read(t *testing.T, name, text string) (*certify.Set, error) {
	t.Helper()
	s := &certify.Set{Unfit: map[string]int{}}
	return s, s.Read(strings.NewReader(text), name)
}

// Rows of both formats become the same items.
func TestRead(t *testing.T) {
	t.Parallel()
	jsonl := `{"id":"a","claim":"It opened in 1957.","context":"Opened in 1957.","label":"supported","language":"en","meta":{"group":"g"}}
{"id":"b","answer":"1957","reference":"1958","question":"When?","label":"not_equivalent","language":"en","group":"g"}
{"id":"c","passage":"Cooking.","question":"When?","label":"partially","language":"en","group":"g","annotators":["Excellent","Bad",null,""]}
{"id":"d","point":"A fee is kept.","answer":"We keep a fee.","label":true,"language":"zh-Hant","group":"g"}
`
	csv := `id;claim;answer;passage;point;context;reference;question;label;language;group;label2;label3
a;It opened in 1957.;;;;Opened in 1957.;;;supported;en;g;;
b;;1957;;;;1958;When?;no;en;g;;
c;;;Cooking.;;;;When?;partly;en;g;bad;
d;;We keep a fee.;;A fee is kept.;;;;1;zh;g;;
`
	want := []certify.Item{
		{ID: "a", Kind: certify.Claim, Language: judge.English, Text: "It opened in 1957.", Sources: []string{"Opened in 1957."},
			Label: certify.Yes},
		{ID: "b", Kind: certify.Answer, Language: judge.English, Asked: "When?", Text: "1957", Sources: []string{"1958"}, Label: certify.No},
		{ID: "c", Kind: certify.Passage, Language: judge.English, Asked: "When?", Text: "Cooking.", Label: certify.Partly},
		{ID: "d", Kind: certify.Point, Language: judge.Chinese, Text: "A fee is kept.", Sources: []string{"We keep a fee."}, Label: certify.Yes},
	}
	for name, c := range map[string]struct {
		text   string
		people []certify.Label
	}{
		"x.jsonl": {jsonl, []certify.Label{certify.Yes, certify.No}},
		"x.csv":   {csv, []certify.Label{certify.Partly, certify.No}},
	} {
		s, err := read(t, name, c.text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(want, s.Items, cmpopts.IgnoreFields(certify.Item{}, "Dataset", "Cluster", "Tags", "Origin", "People")); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if d := cmp.Diff(c.people, s.Items[2].People); d != "" {
			t.Errorf("%s: people (-want +got):\n%s", name, d)
		}
		first := s.Items[0]
		line := map[string]int{"x.jsonl": 1, "x.csv": 2}[name]
		if first.Dataset != "x" || first.Origin.Line != line || !slices.Contains(first.Tags, "numbers") {
			t.Errorf("%s: %+v", name, first)
		}
		if s.Files[0].Data.Name != name || s.Files[0].Data.Items != 4 || !strings.HasPrefix(s.Files[0].Data.Hash, "sha256:") {
			t.Errorf("%s: file %+v", name, s.Files[0].Data)
		}
	}
}

// Items without a group share a cluster if they are about the same text.
func TestClusters(t *testing.T) {
	t.Parallel()
	s, err := read(t, "x.jsonl", `{"id":"a","claim":"One.","context":"Text.","label":"yes"}
{"id":"b","claim":"Two.","context":"Text.","label":"yes"}
{"id":"c","claim":"Two.","context":"Other text.","label":"yes"}
{"id":"d","passage":"One.","question":"Who?","label":"yes"}
{"id":"e","passage":"Two.","question":"Who?","label":"no"}
{"id":"f","claim":"Two.","context":"Text.","label":"yes","dataset":"another"}
`)
	if err != nil {
		t.Fatal(err)
	}
	c := map[string]string{}
	for _, x := range s.Items {
		c[x.ID] = x.Cluster
	}
	if c["a"] != c["b"] || c["a"] == c["c"] || c["d"] != c["e"] || c["d"] == c["a"] || c["f"] == c["a"] {
		t.Errorf("clusters %v", c)
	}
}

// Data sets with fields of their own are brought to the same form; what fits no question is
// counted with the reason.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ row, want, unfit string }{
		{`"dataset":"kqa_nuggets","claim":"P.","context":"An answer.","label":"supported"`, "point P. of [An answer.]: yes", ""},
		{`"dataset":"summhay_coverage","claim":"P.","context":"An answer.","label":"partially"`, "point P. of [An answer.]: partly", ""},
		{`"dataset":"feedbackqa","question":"Q?","context":"P.","label":"relevant"`, "passage P. of []: yes", ""},
		{`"dataset":"sas_equivalence","context":"R","answer":"A","label":"partially_equivalent"`, "answer A of [R]: partly", ""},
		{`"dataset":"finegrained_qa","context":"C.","answer":"One sentence.","label":"supported"`, "claim One sentence. of [C.]: yes", ""},
		{`"dataset":"finegrained_qa","context":"C.","answer":"One. And two.","label":"supported"`, "", "finegrained_qa: an answer of several"},
		{`"dataset":"begin","contexts":["C."],"answer":"It is so.","labels":{"begin":"Not fully attributable"}`,
			"claim It is so. of [C.]: no", ""},
		{`"dataset":"begin","contexts":["C."],"answer":"It is so.","labels":{"begin":"Generic"}`, "", `begin: labelled "Generic"`},
		{`"dataset":"nq301","question":"Q?","answer":"A","references":["R","S"],"labels":{"acceptable":"Yes","annotators":["No"]}`,
			"answer A of [R S]: yes", ""},
		{`"dataset":"clapnq-dev","question":"Q?","contexts":["P."],"labels":{"answerable":true}`, "passage P. of []: yes", ""},
		{`"dataset":"clapnq-dev","question":"Q?","contexts":["P.","R."],"labels":{"answerable":true}`, "", "clapnq: several passages"},
		{`"dataset":"nomiracl-en","question":"Q?","contexts":["P.","R."],"labels":{"answerable":false}`,
			"passage P. of []: no; passage R. of []: no", ""},
		{`"dataset":"nomiracl-en","question":"Q?","contexts":["P.","R."],"labels":{"answerable":true}`, "", "nomiracl: one of several"},
		{`"dataset":"mtrag-human","answer":"A.","contexts":["C."],"labels":{"faithfulness":[4]}`, "", "mtrag: grades of a whole answer"},
		{`"dataset":"ragchecker-kiwi","answer1":"A.","answer2":"B."`, "", "ragchecker: a comparison of two answers"},
		{`"dataset":"refchecker-zero_context","answer":"A.","claims":[]`, "", "refchecker: claims whose sources"},
		{`"dataset":"mine","claim":"C.","label":"yes"`, "", "mine: a claim without a context"},
		{`"dataset":"mine","point":"C.","label":"yes"`, "", "mine: a point without an answer"},
		{`"dataset":"mine","answer":"C.","label":"yes"`, "", "mine: an answer without a reference"},
		{`"dataset":"mine","passage":"C.","label":"yes"`, "", "mine: a passage without a question"},
		{`"dataset":"mine","label":"yes"`, "", "mine: no claim, answer, passage or point"},
	} {
		s, err := read(t, "x.jsonl", `{"id":"a",`+c.row+"}")
		if err != nil {
			t.Errorf("%s: %v", c.row, err)
			continue
		}
		var got []string
		for _, x := range s.Items {
			got = append(got, fmt.Sprintf("%s %s of %v: %s", x.Kind, x.Text, x.Sources, x.Label))
		}
		if g := strings.Join(got, "; "); g != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.row, g, c.want)
		}
		if why := s.Reasons(); c.unfit == "" && why != nil || c.unfit != "" && (len(why) != 1 || !strings.HasPrefix(why[0], c.unfit)) {
			t.Errorf("%s: unfit %q, want %q", c.row, why, c.unfit)
		}
	}
}

// Items that another file has with the same label count once, and those of one file all do.
func TestReadCountsItemsOnce(t *testing.T) {
	t.Parallel()
	const head = "id,claim,context,label\n"
	const a, b, c = "1,Boats float.,Boats float.,yes\n", "2,Boats sink.,Boats float.,no\n", "3,Boats float.,Boats float.,yes\n"
	s := certify.Set{Unfit: map[string]int{}}
	for _, more := range []struct{ name, text string }{
		{"x.csv", head + a + b + c},
		{"x.csv", head + a + b + c},                           // named twice
		{"y.csv", head + "7,Boats float.,Boats float.,yes\n"}, // a copy
		{"z.csv", head + "8,Boats float.,Boats float.,no\n"},  // another label
	} {
		if err := s.Read(strings.NewReader(more.text), more.name); err != nil {
			t.Fatal(err)
		}
	}
	if why := s.Reasons(); len(s.Items) != 4 || len(why) != 1 || s.Unfit[why[0]] != 4 || !strings.HasPrefix(why[0], "the same item") {
		t.Errorf("%d items, %v: want 4 items, and 4 left out", len(s.Items), s.Unfit)
	}
}

func TestReadTellsWhere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                                             "x.csv: empty file",
		`[1]`:                                          "x.csv:1: a JSON list",
		`{"id":"a"} {}`:                                "x.csv:1: text after the JSON object",
		`{"id":"a"`:                                    "x.csv:1: unexpected EOF",
		"claim,context\na,b\n":                         `x.csv:1: no column "label" among ["claim" "context"]: expected one`,
		"id,label\na,b\n":                              "x.csv:1: none of the columns claim, answer, passage and point",
		"id,claim,context,label\na,b,c,maybe\n":        `x.csv:2: label "maybe": expected one of yes, partly, no, contradicted`,
		"id,claim,context,label\na,b,c,\n":             `x.csv:2: no label: expected one of yes`,
		"id,claim,context,label\n,b,c,yes\n":           "x.csv:2: no id",
		"id,claim,context,label\na,b,c\n":              "x.csv:2: 3 columns: expected 4 as in the header",
		"id,claim,context,label\n":                     "x.csv: no rows below the header",
		"id,claim,context,label\na,\"b,c,yes\n":        "x.csv:2: column 12",
		"id,claim,context,label\na,b,c,1\na,b,c,1\n":   `x.csv:3: id "a" is there twice, first on line 2`,
		"id,claim,context,label,label2\na,b,c,yes,n\n": `x.csv:2: label2 "n": expected one of yes, partly, no, contradicted`,
		"id,claim,context,label,label3\na,b,c,yes,?\n": `x.csv:2: label3 "?": expected one of yes`,
		"id,claim,context,label,annotators\na,b,c,yes,yes no\n":                 `x.csv:2: annotators "yes no": expected a list; in a table, the columns`,
		`{"id":"a","claim":"b","context":"c","label":"yes","annotators":["?"]}`: `x.csv:1: annotators "?": expected one of yes`,
		`{"id":"a","claim":"b","context":"c","label":"yes","annotators":[3]}`:   `x.csv:1: annotators "3": expected one of yes`,
		`{"id":"a","claim":"b","context":"c","label":"yes","label2":["yes"]}`:   "x.csv:1: label2: a list or an object: expected one of yes",
		`{"id":"a","dataset":"nq301","question":"Q?","answer":"A","references":["R"],` +
			`"labels":{"acceptable":"Yes","annotators":["Maybe"]}}`: `x.csv:1: labels.annotators "Maybe": expected one of yes`,
		`{"id":"a","claim":["b"],"context":"c","label":"yes"}`:   "x.csv:1: claim: a list or an object: expected a plain value",
		`{"id":"a","claim":"b","contexts":[1],"label":"yes"}`:    "x.csv:1: contexts: expected a list of texts",
		`{"id":"a","claim":"b","context":{"x":1},"label":"yes"}`: "x.csv:1: context: expected a text or a list of texts",
	} {
		if _, err := read(t, "x.csv", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
	many := "id,claim,context,label\n" + strings.Repeat(",b,c,yes\n", 30)
	_, err := read(t, "x.csv", many)
	if err == nil || strings.Count(err.Error(), "no id") != 20 || !strings.Contains(err.Error(), "10 more problems") {
		t.Errorf("30 problems: %v", err)
	}
}

func FuzzReadItems(f *testing.F) {
	f.Add("x.jsonl", `{"id":"a","claim":"b","contexts":["c"],"label":"yes","meta":{"group":"g","phenomenon":"negation"},"annotators":["yes"]}`)
	f.Add("x.csv", "id,claim,context,label,label2\na,b,c,yes,no\n")
	f.Add("x.tsv", "id\tpassage\tquestion\tlabel\na\tb\tc\t0\n")
	f.Add("x.jsonl", `{"id":"a","dataset":"nomiracl-zh","question":"q","contexts":["c","d"],"labels":{"answerable":false}}`)
	f.Fuzz(func(t *testing.T, name, text string) {
		s := &certify.Set{Unfit: map[string]int{}}
		if err := s.Read(strings.NewReader(text), name); err != nil {
			return
		}
		for _, x := range s.Items {
			if x.ID == "" || x.Text == "" || x.Label == "" || x.Language == "" || x.Cluster == "" {
				t.Errorf("an item that is not whole: %+v", x)
			}
			if (x.Kind == certify.Claim || x.Kind == certify.Answer || x.Kind == certify.Point) && len(x.Sources) == 0 {
				t.Errorf("nothing to compare with: %+v", x)
			}
		}
	})
}
