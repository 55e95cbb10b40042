package certify_test

import (
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
	jsonl := `{"id":"a","claim":"It opened in 1957.","context":"Opened in 1957.","label":"supported","language":"en","group":"g"}
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

// What fits no question is counted with the reason.
func TestReadCountsRowsWithoutAQuestion(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]string{
		`"claim":"C."`:   "a claim without a context",
		`"point":"C."`:   "a point without an answer that may make it",
		`"answer":"C."`:  "an answer without a reference",
		`"passage":"C."`: "a passage without a question",
		`"question":"Q"`: "no claim, answer, passage or point",
	} {
		s, err := read(t, "x.jsonl", `{"id":"a","dataset":"mine","label":"yes",`+row+"}")
		if err != nil || len(s.Items) > 0 || !slices.Equal(s.Reasons(), []string{"mine: " + want}) {
			t.Errorf("%s: %v, %v, unfit %q, want %q", row, err, s.Items, s.Reasons(), want)
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
		`{"id":"a","claim":["b"],"context":"c","label":"yes"}`:                  "x.csv:1: claim: a list or an object: expected a plain value",
		`{"id":"a","claim":"b","contexts":[1],"label":"yes"}`:                   "x.csv:1: contexts: expected a list of texts",
		`{"id":"a","claim":"b","context":{"x":1},"label":"yes"}`:                "x.csv:1: context: expected a text or a list of texts",
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
	f.Add("x.jsonl", `{"id":"a","claim":"b","contexts":["c"],"label":"yes","group":"g","phenomenon":["negation"],"annotators":["yes"]}`)
	f.Add("x.csv", "id,claim,context,label,label2\na,b,c,yes,no\n")
	f.Add("x.tsv", "id\tpassage\tquestion\tlabel\na\tb\tc\t0\n")
	f.Add("x.jsonl", `{"id":"a","question":"q","passage":"p","label":false,"label2":"partly"}`)
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
