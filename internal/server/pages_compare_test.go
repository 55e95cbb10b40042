package server

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// mixed are the hits of a run of 120 cases, and of one with others and with gaps.
var mixed = [2]string{strings.Repeat("1100x1", 20), strings.Repeat("101x1-", 20)}

// changed changes the header of a run.
func (b *bench) changed(id string, change func(*assay.Header)) {
	b.t.Helper()
	h, err := b.store.Run(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	change(&h)
	if err := b.store.UpdateRun(b.t.Context(), h); err != nil {
		b.t.Fatal(err)
	}
}

// TestPagesCompareCanonically: the form of the list of runs leads to one address, with the
// oldest run as the baseline.
func TestPagesCompareCanonically(t *testing.T) {
	b := start(t)
	for i, id := range []string{"old", "mid", "new"} {
		b.stored(id, "1010")
		b.changed(id, func(h *assay.Header) { h.Started = time.Unix(int64(100*(i+1)), 0) })
	}
	for query, want := range map[string]string{
		"run=new&run=mid&run=old": "/compare?runs=old%2Cmid%2Cnew", "run=mid&run=old": "/compare?runs=old%2Cmid",
		"run=old,new": "/compare?runs=old%2Cnew",
	} {
		if g := b.do("GET", "/compare?"+query, nil); g.StatusCode != http.StatusSeeOther || g.Header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", query, g.StatusCode, g.Header.Get("Location"), want)
		}
	}
	for _, query := range []string{"", "?run=old", "?runs=old"} {
		if text := b.see("/compare" + query); !strings.Contains(text, "Which runs?") || !strings.Contains(text, `<a class="button" href="/">`) {
			t.Errorf("%s: the page does not say what to do: %s", query, text)
		}
	}
	for query, status := range map[string]int{
		"runs=old,none": 404, "run=old&run=none": 404, "runs=old,old": 400, "runs=old,new&base=mid": 400,
	} {
		if g := b.do("GET", "/compare?"+query, nil); g.StatusCode != status || !strings.Contains(g.text, "<html") {
			t.Errorf("%s: %d, want a page with %d", query, g.StatusCode, status)
		}
	}
	text := b.see("/compare?runs=old,mid,new&base=mid")
	for _, want := range []string{"<h1 dir=\"auto\">run mid → run old, run new</h1>", `<b dir="auto">run mid</b>`, "base=old", "base=new"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

// TestPagesCompareAsTheReport: sentences, numbers and plots are those of the static report,
// byte for byte, and no setting that differs is left out.
func TestPagesCompareAsTheReport(t *testing.T) {
	b := start(t)
	b.stored("a", mixed[0])
	b.stored("b", mixed[1])
	b.stored("c", mixed[1])
	b.changed("a", func(h *assay.Header) { h.Config = map[string]string{"top_k": "5", "seed": "1"} })
	b.changed("b", func(h *assay.Header) { h.Config = map[string]string{"top_k": "9", "seed": "1"} })
	b.changed("c", func(h *assay.Header) { h.Config = map[string]string{"top_k": "9", "seed": "1"} })
	c, err := b.server.comparison(t.Context(), Compared{Runs: "a,b"})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := report.HTML.Compare(&file, c.Comparison, report.Options{Language: "en"}); err != nil {
		t.Fatal(err)
	}
	section := regexp.MustCompile(`(?s)<section id="([a-z]+)">.*?</section>`)
	text, found := b.see("/compare?runs=a,b"), []string{}
	for _, m := range section.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
		if !strings.Contains(file.String(), m[0]) {
			t.Errorf("section %s differs from that of the report: %s", m[1], m[0])
		}
	}
	if want := []string{"findings", "differences", "settings", "reproduce"}; !slices.Equal(found, want) {
		t.Errorf("sections %q, want %q", found, want)
	}
	if again := b.see("/compare?runs=a,b"); again != text {
		t.Error("the kept page differs")
	}
	if text := b.see("/compare?runs=a,b&view=settings"); !strings.Contains(text, "top_k") || strings.Contains(text, ">seed<") {
		t.Errorf("settings: want the one that differs: %s", text)
	}
	if text := b.see("/compare?runs=b,c&view=settings"); !strings.Contains(text, "No setting differs.") {
		t.Errorf("settings: %s", text)
	}
}

var classChip = regexp.MustCompile(`<a class="chip" data-part="list" href="([^"]*)"[^>]*>([^<]*) <b>(\d+)</b></a>`)

// listed returns the ids of all pages of a list of compared cases.
func (b *bench) listed(address string) (ids []string) {
	b.t.Helper()
	for page := 1; ; page++ {
		names, _ := rowsOf(b.see(fmt.Sprint(address, "&page=", page)))
		if len(names) == 0 {
			return ids
		}
		ids = append(ids, names...)
	}
}

// TestPagesCountClasses: the count of every class is the number of cases of the list that it
// leads to, with a filter and without; the list is that of the API; the classes divide the
// cases.
func TestPagesCountClasses(t *testing.T) {
	b := start(t)
	b.stored("a", mixed[0])
	b.stored("b", mixed[1])
	b.stored("c", strings.Repeat("111111", 20))
	for _, query := range []string{"", "&q=" + url.QueryEscape("hit@1<1"), "&run=c", "&run=c&q=status:ok&sort=delta&metric=mrr"} {
		address := "/compare?runs=a,b,c&view=matrix" + query
		chips := classChip.FindAllStringSubmatch(b.see(address), -1)
		if len(chips) != 8 {
			t.Fatalf("%s: %d classes, want 8: no run has repeated cases", address, len(chips))
		}
		parts := 0
		for _, m := range chips {
			to := html.UnescapeString(m[1])
			ids := b.listed(to)
			if fmt.Sprint(len(ids)) != m[3] {
				t.Errorf("%s: %s counts %s, the list has %d", address, m[2], m[3], len(ids))
			}
			at, err := url.Parse(to)
			if err != nil {
				t.Fatal(err)
			}
			of := at.Query()
			of.Del("view")
			of.Set("limit", "200")
			if of.Get("sort") == "" { // the page begins with the largest losses
				of.Set("sort", "delta")
			}
			api := read[page[pairedCase]](t, b.do("GET", "/api/v1/comparisons/cases?"+of.Encode(), nil).want(t, 200))
			var want []string
			for _, x := range api.Items {
				want = append(want, x.ID)
			}
			if !slices.Equal(ids, want) {
				t.Errorf("%s: %s lists %q, the API %q", address, m[2], ids, want)
			}
			switch class := of.Get("class"); class {
			case "":
				parts -= len(ids)
			case "different":
			default:
				parts += len(ids)
			}
		}
		if parts != 0 {
			t.Errorf("%s: the classes have %d cases too many", address, parts)
		}
	}
	if text := b.see("/compare?runs=a,b&view=matrix"); strings.Contains(text, `name="run"`) || !strings.Contains(text, "In one run only") {
		t.Error("two runs leave a choice")
	}
}

// TestPagesListFlakyCases: cases whose draws differ have a class if a run asked them twice.
func TestPagesListFlakyCases(t *testing.T) {
	b := start(t)
	b.stored("a", "1100")
	b.stored("b", "110")
	for draw, value := range []float64{1, 0} {
		r := assay.Record{Seq: 3 + draw, Attempts: 1, Case: assay.Case{ID: "q3", Question: "What?"}, Response: &assay.Response{Answer: "b says"},
			Scores: map[string]assay.Score{"hit@1": assay.Value(value), "mrr": assay.Value(value)}}
		if draw > 0 {
			r.Case = r.Case.Repeated(draw)
		}
		if err := b.store.Put(t.Context(), "b", r); err != nil {
			t.Fatal(err)
		}
	}
	address := "/compare?runs=a,b&view=matrix&class=flaky"
	if names, _ := rowsOf(b.see(address)); !slices.Equal(names, []string{"q3"}) || !strings.Contains(b.see(address), ">Flaky <b>1</b>") {
		t.Errorf("flaky cases: %q", names)
	}
	if got, _ := b.compared("runs=a,b&class=flaky"); !slices.Equal(got, []string{"q3 unknown"}) {
		t.Errorf("the API lists %q", got)
	}
	g := b.do("GET", "/compare/case/q3%232?runs=a,b&base=b", nil)
	if g.StatusCode != http.StatusSeeOther || g.Header.Get("Location") != "/compare/case/q3?base=b&runs=a%2Cb" {
		t.Errorf("a draw: %d to %q", g.StatusCode, g.Header.Get("Location"))
	}
}

// TestPagesDescribeASelection: the figures of a selection are those of the API's cases; a
// mistake in the filter stands beside the box.
func TestPagesDescribeASelection(t *testing.T) {
	b := start(t)
	b.stored("a", mixed[0])
	b.stored("b", mixed[1])
	if text := b.see("/compare?runs=a,b&view=matrix"); strings.Contains(text, "exploratory") {
		t.Error("all cases are called a selection")
	}
	hits := "q=" + url.QueryEscape("hit@1>0") + "&metric=mrr&sort=change"
	for _, query := range []string{"class=different&metric=mrr", hits, "class=unpaired"} {
		text := b.see("/compare?runs=a,b&view=matrix&" + query)
		api := read[page[pairedCase]](t, b.do("GET", "/api/v1/comparisons/cases?limit=200&runs=a,b&"+query, nil).want(t, 200))
		n, sum := 0, [2]float64{}
		for _, x := range api.Items {
			if x.Delta != nil {
				n++
				sum[0], sum[1] = sum[0]+*x.Cells[0].Value, sum[1]+*x.Cells[1].Value
			}
		}
		want := []string{"–", "–", "–"}
		if n > 0 {
			sign := "+"
			if sum[1] < sum[0] {
				sign = "−"
			}
			want = []string{fmt.Sprintf("%.3f", sum[0]/float64(n)), fmt.Sprintf("%.3f", sum[1]/float64(n)),
				fmt.Sprintf("%s%.3f", sign, math.Abs(sum[1]-sum[0])/float64(n))}
		}
		var got []string
		for _, m := range regexp.MustCompile(`<dd>([^<]*)</dd>`).FindAllStringSubmatch(text, 4) {
			got = append(got, html.UnescapeString(m[1]))
		}
		if want = append([]string{fmt.Sprint("n ", n)}, want...); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for q, want := range map[string]string{"hit@1<": "column", "mrrr<0.5": "column 1: ", "tag:nothing": "no case has the tag"} {
		text := b.see("/compare?runs=a,b&view=matrix&q=" + url.QueryEscape(q))
		if names, _ := rowsOf(text); !strings.Contains(text, `aria-invalid="true"`) || !strings.Contains(text, want) || len(names) != 50 {
			t.Errorf("%s: no %q beside the box, or not all cases: %d", q, want, len(names))
		}
	}
}

// TestPagesShowACaseSideBySide: a case has both answers with the words that differ, the
// ranks of its passages, and its neighbours in the list that it was opened from.
func TestPagesShowACaseSideBySide(t *testing.T) {
	b := start(t)
	b.stored("a", mixed[0])
	b.stored("b", mixed[1])
	for run, ids := range map[string][]string{"a": {"x", "y", "z"}, "b": {"z", "w", "y"}} {
		r := assay.Record{Seq: 500, Attempts: 1, Case: assay.Case{ID: "ranks", Question: "Which\nferry?"}, Scores: map[string]assay.Score{
			"hit@1": assay.Value(1), "mrr": assay.Value(1)}, Response: &assay.Response{Answer: run + " ferry", Latency: time.Second}}
		for _, id := range ids {
			r.Response.Passages = append(r.Response.Passages, assay.Passage{ID: id, Text: "text of " + id})
		}
		if err := b.store.Put(t.Context(), run, r); err != nil {
			t.Fatal(err)
		}
	}
	list := "/compare?runs=a,b&view=matrix&class=newly_wrong&metric=mrr&sort=delta"
	_, addresses := rowsOf(b.see(list + "&page=1"))
	if len(addresses) != 20 {
		t.Fatalf("%d newly wrong cases, want 20", len(addresses))
	}
	text := b.see(addresses[1])
	for _, want := range []string{
		"2 of 20", `rel="prev" data-part="case" href="` + html.EscapeString(addresses[0]), `rel="next" data-part="case" href="` +
			html.EscapeString(addresses[2]),
		`class="back" href="/compare?class=newly_wrong&amp;metric=mrr&amp;runs=a%2Cb&amp;sort=delta&amp;view=matrix"`,
		"<del>a</del><ins>b</ins> says", `href="/runs/a/cases/q`, `href="/runs/b/cases/q`, "▼ −1.000",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %s in %s", addresses[1], want, text)
		}
	}
	if text := b.see("/compare/case/q0?runs=a,b&class=newly_wrong"); strings.Contains(text, `rel="next"`) {
		t.Error("a case outside the list has neighbours")
	}
	if text := b.see("/compare/case/q4?runs=a,b"); !strings.Contains(text, "timeout: no reply") || !strings.Contains(text, "b says 4") {
		t.Errorf("a failed target: %s", text)
	}
	if text := b.see("/compare/case/q5?runs=a,b"); !strings.Contains(text, "a says 5") || !strings.Contains(text, "this case was not run") {
		t.Errorf("a case that a run lacks: %s", text)
	}
	text = b.see("/compare/case/ranks?runs=a,b")
	var notes []string
	for _, m := range regexp.MustCompile(`class="source" dir="auto">([^<]*)`).FindAllStringSubmatch(text, -1) {
		notes = append(notes, strings.TrimSpace(m[1]))
	}
	if want := []string{"x · only here", "y", "z", "z · 3 → 1", "w · only here", "y · 2 → 3"}; !slices.Equal(notes, want) {
		t.Errorf("ranks %q, want %q", notes, want)
	}
	none := b.do("GET", "/compare/case/nothing?runs=a,b", nil)
	if none.StatusCode != http.StatusNotFound || !strings.Contains(none.text, "no such case") {
		t.Errorf("a case that neither has: %d", none.StatusCode)
	}
	if part := b.see(addresses[1], "Assay-Part", "case"); !strings.HasPrefix(part, `<div id="part-case" class="one">`) {
		t.Errorf("the part is %.80q", part)
	}
}

// TestComparedPagesAreSafe: no text of a run is markup on a page of a comparison.
func TestComparedPagesAreSafe(t *testing.T) {
	b := start(t)
	b.hostileRun("h", 3)
	b.hostileRun("i", 4)
	base := "/compare?runs=h,i"
	_, cases := rowsOf(b.see(base + "&view=matrix"))
	if len(cases) != 8 {
		t.Fatalf("%d cases, want 8", len(cases))
	}
	for _, path := range append(cases, base, base+"&view=matrix&class=both_wrong&q="+url.QueryEscape(attack), base+"&view=settings",
		"/compare?run="+url.QueryEscape("<script>")) {
		text := typed.ReplaceAllString(b.see(path), "")
		for _, bad := range []string{"<script>", "<img", "\x1b", "\u202e", "javascript:window", `action="//`, `href="//`, " style=\""} {
			if strings.Contains(strings.ReplaceAll(text, "[a](javascript:window", ""), bad) {
				t.Errorf("%s: %q in the page", path, bad)
			}
		}
	}
	if text := b.see(base+"&view=matrix", "Accept-Language", "zh-TW"); !strings.Contains(text, "變為錯誤") || strings.Contains(text, "Newly") {
		t.Errorf("want Traditional Chinese: %s", text)
	}
}

// TestPagesCompareByKeyboard marks two runs, compares them, and walks through the cases that
// the newer one lost.
func TestPagesCompareByKeyboard(t *testing.T) {
	b := start(t)
	b.stored("a", mixed[0])
	b.stored("b", mixed[1])
	b.changed("b", func(h *assay.Header) { h.Started = time.Unix(100, 0) })
	v := b.visit()
	v.open("/")
	v.keys("j", "x", "j", "x", "c")
	v.at("/compare?runs=a%2Cb")
	v.open("/compare?runs=a,b&view=matrix&sort=dataset")
	v.keys("f")
	v.at("/compare?class=different&runs=a%2Cb&sort=dataset&view=matrix")
	v.keys("f")
	v.at("/compare?class=newly_wrong&runs=a%2Cb&sort=dataset&view=matrix")
	v.Until(`document.querySelectorAll("tbody tr").length === 20 && !!document.querySelector(".selected")`)
	// A choice is applied at once.
	v.text(`document.getElementById("metric").value = "mrr"`)
	v.text(`document.getElementById("metric").dispatchEvent(new Event("change", {bubbles: true})), ""`)
	v.Until(`location.search.includes("metric=mrr") && location.search.includes("class=newly_wrong")`)
	v.Until(`document.querySelector(".selected").textContent.includes("mrr")`)
	v.text(`document.activeElement.blur(), ""`)
	v.keys("j", "j", kb.Enter)
	v.at("/compare/case/q7?class=newly_wrong&metric=mrr&runs=a%2Cb&sort=dataset")
	v.Until(`document.querySelectorAll("ins").length === 1`)
	v.ready()
	v.keys("d")
	v.at("/compare/case/q7?class=newly_wrong&diff=off&metric=mrr&runs=a%2Cb&sort=dataset")
	v.Until(`document.querySelectorAll("ins").length === 0`)
	v.keys("d")
	v.Until(`document.querySelectorAll("ins").length === 1`)
	v.keys("j")
	v.Until(`document.querySelector("h1").textContent === "q13"`)
	v.keys("k")
	v.Until(`document.querySelector("h1").textContent === "q7"`)
	v.keys("k")
	v.Until(`document.querySelector("h1").textContent === "q1"`)
	v.keys(kb.Escape)
	v.at("/compare?class=newly_wrong&metric=mrr&runs=a%2Cb&sort=dataset&view=matrix")
	v.Clean()
}
