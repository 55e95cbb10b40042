package report_test

import (
	"bytes"
	"encoding/csv"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// TestTerminalStripsControls: the only escape sequences are our own, and only
// when colours are wanted.
func TestTerminalStripsControls(t *testing.T) {
	t.Parallel()
	r := sample(t)
	for _, colour := range []bool{false, true} {
		got := render(t, lookup(t, "terminal"), r, report.Options{Colour: colour, Cases: 12})
		got += render(t, lookup(t, "terminal"), hostileGate(t), report.Options{Colour: colour})
		got += render(t, lookup(t, "terminal"), hostileLost(t), report.Options{Colour: colour})
		got += renderComparison(t, lookup(t, "terminal"), comparison(t, []*report.Report{r, hostileName(t)}), report.Options{Colour: colour})
		plain := strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(got)
		if colour == (plain == got) {
			t.Errorf("colour %v: our own sequences are there: %v", colour, plain != got)
		}
		for _, c := range plain {
			if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c)) {
				t.Errorf("colour %v: control character %U", colour, c)
			}
		}
		if !strings.Contains(plain, "window.hacked") {
			t.Error("the hostile case is not shown at all")
		}
	}
}

func hostileName(t *testing.T) *report.Report {
	t.Helper()
	r := sample(t)
	h := r.Header
	h.Name, h.Dataset.Name, h.Warnings = attack, attack, []string{attack}
	return report.New(h, held(r))
}

// hostileGate has an attack wherever a gate and what led to it can hold text: the
// name of a metric, its reason, attempts, failures and claims.
func hostileGate(t *testing.T) *report.Report {
	t.Helper()
	r := gated(t)
	h := r.Header
	h.Config, h.Warnings = map[string]string{"slow-threshold": attack}, []string{attack}
	want := 0.9
	rubric := assay.MetricInfo{Name: "rubric:" + attack, Title: attack, Better: "higher", Range: ratio, Judged: true, Version: 1,
		Weight: 0.5, Threshold: &want}
	h.Metrics = append(slices.Clone(h.Metrics), rubric)
	failure := assay.Failure{Kind: attack, Message: attack}
	records := slices.Clone(held(r))
	for i := range records {
		records[i].Scores = maps.Clone(records[i].Scores)
		records[i].Scores[rubric.Name] = assay.Score{State: assay.JudgeError, Reason: attack, Upper: 0.5}
		records[i].Tries = []assay.Try{{Failure: failure, Latency: time.Second, Wait: time.Second}, {Failure: failure}}
	}
	first := records[0].Scores["faithfulness"]
	first.Reason = attack
	first.Evidence = []assay.Evidence{{Kind: "unsupported", Text: attack, Where: attack}, {Kind: "contradicted", Text: attack},
		{Kind: attack, Text: attack}}
	records[0].Scores["faithfulness"] = first
	records[2].Failure = &failure
	return report.New(h, records)
}

func TestTerminalFitsItsWidth(t *testing.T) {
	t.Parallel()
	two := comparison(t, family(40, 0.2, "dense", "hybrid"))
	for _, width := range []int{40, 47, 60, 72, 80, 120} {
		got := render(t, lookup(t, "terminal"), sample(t), report.Options{Width: width, Cases: 12})
		got += render(t, lookup(t, "terminal"), gated(t), report.Options{Width: width, Cases: 12})
		if width >= 60 {
			got += renderComparison(t, lookup(t, "terminal"), two, report.Options{Width: width})
		}
		for _, l := range strings.Split(got, "\n") {
			// Chinese characters take two columns.
			w := 0
			for _, c := range l {
				if w++; unicode.Is(unicode.Han, c) || c >= 0x3000 && c < 0x3040 {
					w++
				}
			}
			// A word longer than the width cannot be broken.
			if w > width && strings.Count(strings.TrimSpace(l), " ") > 0 {
				t.Errorf("width %d: %d columns: %s", width, w, l)
			}
		}
	}
}

// harmless lists the elements that the Markdown reports are made of.
var harmless = []string{"h1", "h2", "h3", "p", "ul", "ol", "li", "strong", "em", "code", "blockquote", "br", "table", "thead", "tbody",
	"tr", "th", "td", "details", "summary", "del"}

// foreign renders Markdown as GitHub does, raw HTML allowed, and returns the
// elements that a report never has.
func foreign(t rapidOrTest, markdown string) (elements []string, text string) {
	elements, text, _ = parse(t, markdown)
	return elements, text
}

// parse also counts all elements.
func parse(t rapidOrTest, markdown string) (elements []string, text string, count map[string]int) {
	count = map[string]int{}
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(gmhtml.WithUnsafe())).Convert([]byte(markdown), &b); err != nil {
		t.Fatalf("%v", err)
	}
	var words strings.Builder
	z := html.NewTokenizer(&b)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return elements, words.String(), count
		case html.TextToken:
			words.Write(z.Text())
		case html.CommentToken:
			elements = append(elements, "comment")
		case html.StartTagToken, html.SelfClosingTagToken:
			tok := z.Token()
			count[tok.Data]++
			attributes := slices.ContainsFunc(tok.Attr, func(a html.Attribute) bool {
				return a.Key != "style" && a.Key != "align" &&
					a.Key != "start"
			})
			if !slices.Contains(harmless, tok.Data) || attributes {
				elements = append(elements, tok.String())
			}
		}
	}
}

func TestMarkdownDefusesText(t *testing.T) {
	t.Parallel()
	for name, got := range map[string]string{
		"report":     render(t, lookup(t, "markdown"), hostileName(t), report.Options{}),
		"gate":       render(t, lookup(t, "markdown"), hostileGate(t), report.Options{}),
		"lost":       render(t, lookup(t, "markdown"), hostileLost(t), report.Options{}),
		"comparison": renderComparison(t, lookup(t, "markdown"), comparison(t, []*report.Report{sample(t), hostileName(t)}), report.Options{}),
	} {
		elements, text := foreign(t, got)
		if elements != nil {
			t.Errorf("%s: text became markup: %q", name, elements)
		}
		if !strings.Contains(text, "<script>window.hacked=1</script>") {
			t.Errorf("%s: the text is not shown as it is:\n%s", name, got)
		}
		if strings.ContainsAny(got, "\x1b\x07\u202e") {
			t.Errorf("%s: a control character is left", name)
		}
	}
}

// TestMarkdownProperty: whatever a question or an answer holds, the report has
// the same structure as with plain text.
func TestMarkdownProperty(t *testing.T) {
	t.Parallel()
	bits := []string{"`", "```", "|", "\n", "\n\n", "#", "# x", "- ", "1. ", "1) ", "> ", "<b>", "<!--", "-->", "](x)", "[a", "![", "*",
		"__", "~~", "~~~", "\\", "&lt;", "http://a.b", "www.a.b", "a@b.c", "@x", "#12", "---", "===", "    x", "\t", "$", "<https://a.b>",
		"[^1]", "[^1]: x", "- [x] ", ":---", "中", " "}
	f := lookup(t, "markdown")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(bits), rapid.String()), 1, 8).Draw(t, "text"), "")
		if strings.TrimSpace(text) == "" {
			text += "\u00a0." // an answer of nothing is warned of
		}
		got, plain := oneCase(f, text), oneCase(f, "x")
		elements, _, count := parse(t, got)
		if elements != nil {
			t.Fatalf("%q became %q in\n%s", text, elements, got)
		}
		_, _, want := parse(t, plain)
		for _, e := range []string{"h1", "h2", "h3", "ol", "ul", "li", "table", "tr", "th", "td", "blockquote"} {
			if count[e] != want[e] {
				t.Fatalf("%q makes %d of %q instead of %d in\n%s", text, count[e], e, want[e], got)
			}
		}
	})
}

func oneCase(f report.Format, text string) string {
	want := 0.9
	judged := assay.MetricInfo{Name: "faithfulness", Title: "Faithfulness", Better: "higher", Range: ratio, Judged: true, Version: 1,
		Threshold: &want}
	h := header("run", ndcg, judged)
	failure := assay.Failure{Kind: text, Message: text}
	r := report.New(h, []assay.Record{{
		Case: assay.Case{ID: text, Question: text, Tags: []string{text}, Critical: true, Want: assay.Want{Answers: []string{text}}},
		Response: &assay.Response{Answer: text, Passages: []assay.Passage{{Document: text, Text: text}}, Latency: time.Second,
			Trace: &assay.Trace{Stages: []assay.Stage{{Name: text, Model: text, Note: text}}}},
		Tries: []assay.Try{{Failure: failure, Wait: time.Second}, {Failure: failure}},
		Scores: map[string]assay.Score{
			"ndcg@10": {State: assay.Scored, Value: 0.5, Lower: 0.5, Upper: 0.5, Reason: text,
				Evidence: []assay.Evidence{{Kind: text, Text: text, Where: text}}},
			"faithfulness": {State: assay.Scored, Value: 0.5, Lower: 0.5, Upper: 0.5, Reason: text, Evidence: []assay.Evidence{
				{Kind: "unsupported", Text: text, Where: text}, {Kind: "split", Text: text},
			}},
		},
	}})
	var b bytes.Buffer
	if err := f.Write(&b, r, report.Options{}); err != nil {
		panic(err)
	}
	return b.String()
}

func TestCSVDefusesFormulas(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx", "\rx": "'\nx", "＝1": "'＝1",
		"\x1b=1": "'=1", "a=1": "a=1", "a\n=1": "a\n=1", "": "", "中": "中", `say "hi", then`: `say "hi", then`,
	} {
		rows, err := csv.NewReader(strings.NewReader(oneCase(lookup(t, "csv"), text))).ReadAll()
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := rows[1][4]; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestCSVKeepsNumbers(t *testing.T) {
	t.Parallel()
	r := sample(t)
	rows, err := csv.NewReader(strings.NewReader(render(t, lookup(t, "csv"), r, report.Options{}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 13 {
		t.Fatalf("%d rows, want a heading and 12 cases", len(rows))
	}
	column := slices.Index(rows[0], "ndcg@10")
	for i, want := range map[int][2]string{1: {"0.387", "scored"}, 5: {"", "not_applicable"}, 7: {"", "target_error"}} {
		if got := [2]string(rows[i][column : column+2]); got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	if rows[1][8] != "21" || rows[1][9] != "0.00031" {
		t.Errorf("latency %q and cost %q, want 21 and 0.00031", rows[1][8], rows[1][9])
	}
}
