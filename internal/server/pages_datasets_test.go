package server

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/report"
)

// overSystem stores a finished run of a system over the cases of [bench.stored], which started at a
// second.
func (b *bench) overSystem(id, system string, second int64, hits string) {
	b.t.Helper()
	b.stored(id, hits)
	b.changed(id, func(h *assay.Header) {
		h.Target = assay.TargetInfo{Adapter: "http", Endpoint: system}
		h.Started, h.Dataset.Total = time.Unix(second, 0), h.Dataset.Cases
	})
}

// doubted returns the doubts about the content "h".
func (b *bench) doubted() *web.DatasetDoubts {
	b.t.Helper()
	d, err := pageBackend{b.server}.Doubts(b.t.Context(), "h")
	if err != nil {
		b.t.Fatal(err)
	}
	return d
}

func casesOf(cases []report.DoubtedCase) string {
	var out []string
	for _, c := range cases {
		out = append(out, c.Case)
	}
	return strings.Join(out, " ")
}

// TestDoubtsNeedThreeRunsOfTwoSystems: repeats of one system cast no doubt on a label, and a
// second system does. What is kept is made again when a run is added or deleted.
func TestDoubtsNeedThreeRunsOfTwoSystems(t *testing.T) {
	b := start(t)
	//               q0123
	b.overSystem("a", "x", 1, "0011")
	b.overSystem("b", "x", 2, "0001")
	b.overSystem("c", "x", 3, "0011")
	d := b.doubted()
	if len(d.Unsolved) != 0 || d.Decided != 0 || d.Systems != 1 {
		t.Errorf("three runs of one system: %+v", d)
	}
	if casesOf(d.Flaky) != "q2" || d.Repeated != 4 || d.Flaky[0].Right != 2 || d.Flaky[0].Wrong != 1 {
		t.Errorf("flaky: %+v", d)
	}
	if text := b.see("/datasets/d"); !strings.Contains(text, "No case is right or wrong in at least 3 runs of at least 2 systems") {
		t.Errorf("the page does not say what is missing: %s", text)
	}
	b.overSystem("e", "y", 4, "01x1")
	d = b.doubted()
	if casesOf(d.Unsolved) != "q0" || d.Decided != 3 || d.Unsolved[0].Runs != 4 || d.Unsolved[0].Systems != 2 ||
		d.Headers[d.Unsolved[0].Run].ID != "e" {
		t.Errorf("with a second system: %+v", d)
	}
	text := b.see("/datasets/d")
	for _, want := range []string{"1 of 3 cases is wrong in every run that decides on it", "wrong in 4 runs of 2 systems", `href="/runs/e/cases/q0"`,
		"1 of 4 cases came out right one time and wrong another", "2 × right, 1 × wrong", "A case is right or wrong by its answer: a judge decides, else the labels."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	for _, rule := range []string{"outcome", "gate.rules"} {
		b.changed("b", func(h *assay.Header) { h.Config = map[string]string{rule: "hit@1 >= 0.5"} })
		if d := b.doubted(); casesOf(d.Flaky) != "" || d.Repeated != 4 {
			t.Errorf("the run that differs has another %s: %+v", rule, d)
		}
	}
	b.do("DELETE", "/api/v1/runs/e", nil).want(t, 200)
	if d := b.doubted(); len(d.Unsolved) != 0 {
		t.Errorf("a deleted run still counts: %+v", d)
	}
}

// TestDoubtsReadEverySystem: of many runs, the latest of each system is read, however many
// repeats of one came after.
func TestDoubtsReadEverySystem(t *testing.T) {
	b := start(t)
	b.overSystem("old", "y", 1, "01")
	for i := range 14 {
		b.overSystem(fmt.Sprint("n", i), "x", int64(10+i), "01")
	}
	b.overSystem("other", "z", 100, "00")
	b.changed("other", func(h *assay.Header) { h.Dataset.Hash = "h2" })
	d := b.doubted()
	if len(d.Headers) != 10 || d.Headers[0].ID != "n13" || d.Headers[9].ID != "old" || d.All != 15 || d.Systems != 2 || casesOf(d.Unsolved) != "q0" {
		t.Errorf("%+v", d)
	}
	if text := b.see("/datasets/d?hash=h"); !strings.Contains(text, "From 10 of 15 finished runs, which asked 2 systems: the latest "+
		"run of each") {
		t.Errorf("the page does not say what was read: %s", text)
	} else if !strings.Contains(text, "No case was right one time and wrong another.") {
		t.Errorf("the page does not say that no case is flaky: %s", text)
	}
	// A run that asked some of the cases does not change how many there are.
	b.overSystem("limited", "x", 101, "0")
	b.changed("limited", func(h *assay.Header) { h.Dataset.Hash, h.Dataset.Total = "h2", 2 })
	if text := b.see("/datasets"); !strings.Contains(text, `data-label="Cases">2<`) {
		t.Errorf("the list does not have the cases of the content: %s", text)
	}
	if text := b.see("/datasets/d?hash=h2"); !strings.Contains(text, "2 cases · 2 runs") {
		t.Errorf("the page does not have the cases of the content: %s", text)
	}
	b.do("DELETE", "/api/v1/runs/limited", nil).want(t, 200)
	// The name has two contents.
	text := b.see("/datasets")
	if !strings.Contains(text, "2 contents") || !strings.Contains(text, `data-label="Runs">16<`) {
		t.Errorf("the list: %s", text)
	}
	l, err := pageBackend{b.server}.Datasets(t.Context())
	if err != nil || len(l) != 1 || len(l[0].Contents) != 2 {
		t.Fatalf("datasets %+v, %v", l, err)
	}
	if c := l[0].Contents; c[0].Hash != "h2" || c[1].Runs != 15 || c[1].LastRun != "n13" {
		t.Errorf("contents %+v", c)
	}
}

// TestDoubtsTurnPages: a long list is on pages, which have every case once.
func TestDoubtsTurnPages(t *testing.T) {
	b := start(t)
	for i, system := range []string{"x", "x", "y"} {
		b.overSystem(system+fmt.Sprint(i), system, int64(i), strings.Repeat("0", 120))
	}
	text := b.see("/datasets/d")
	if names, _ := rowsOf(text); len(names) != doubtsOnPage || !strings.Contains(text, `href="/datasets/d?list=unsolved">all 120`) {
		t.Errorf("the beginning: %v", names)
	}
	seen := map[string]bool{}
	for page := 1; page <= 4; page++ {
		names, _ := rowsOf(b.see(fmt.Sprint("/datasets/d?list=unsolved&page=", page)))
		for _, n := range names {
			if seen[n] {
				t.Errorf("%s is on two pages", n)
			}
			seen[n] = true
		}
	}
	if len(seen) != 120 {
		t.Errorf("%d cases on the pages, want 120", len(seen))
	}
}

// doubtsOnPage is the number of cases of a list on the page of a dataset.
const doubtsOnPage = 8

// TestFindingsOfAFile: checks of a file of the server lead to the cases of a run that has all
// of them; they are made again when the file changes.
func TestFindingsOfAFile(t *testing.T) {
	dir := folder(t, map[string]string{
		"two.jsonl": `{"id":"q0","question":"What?","expected_sources":["a"]}` + "\n" +
			`{"id":"q1","question":"what","expected_sources":["a"]}` + "\n",
		"bad.jsonl": "{",
	})
	b := start(t, func(c *Config) { c.Datasets = dir })
	c, err := pageBackend{b.server}.File(t.Context(), "two.jsonl")
	if err != nil || len(c.Findings) != 1 || c.Findings[0].Check != "duplicate" || strings.Join(c.Findings[0].Cases, " ") != "q1 q0" {
		t.Fatalf("findings %+v, %v", c, err)
	}
	text := b.see("/datasets/two.jsonl")
	for _, want := range []string{"Repeated questions, which count twice (1)", "folder of the server", "No stored run used this content",
		"1 wrong, 0 doubtful", "expected_contexts</span> 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	v := read[datasetView](t, b.do("GET", "/api/v1/datasets/two.jsonl", nil).want(t, 200))
	b.overSystem("a", "x", 1, "01")
	b.changed("a", func(h *assay.Header) { h.Dataset.Name, h.Dataset.Hash = "another name", v.Hash })
	if text := b.see("/datasets/two.jsonl"); !strings.Contains(text, `<a href="/runs/a/cases/q1"`) || strings.Contains(text, "No stored run") {
		t.Errorf("no link to the case in the run of this content: %s", text)
	}
	if text := b.see("/datasets/bad.jsonl"); !strings.Contains(text, "The file cannot be read") {
		t.Errorf("a broken file: %s", text)
	}
	if g := b.do("GET", "/datasets/none", nil); g.StatusCode != http.StatusNotFound {
		t.Errorf("no such dataset: status %d", g.StatusCode)
	}
	one := []byte(`{"id":"q0","question":"What?","expected_sources":["a"]}` + "\n")
	if err := os.WriteFile(filepath.Join(dir, "two.jsonl"), one, 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := (pageBackend{b.server}).File(t.Context(), "two.jsonl"); err != nil || len(c.Findings) != 0 {
		t.Errorf("the old file: %+v, %v", c, err)
	}
}

// TestOneFileIsOneDataset: a run of the command line calls a file by its name without the extension,
// and one of the server by its name.
func TestOneFileIsOneDataset(t *testing.T) {
	dir := folder(t, map[string]string{"gold.jsonl": `{"id":"q0","question":"What?","expected_sources":["a"]}` + "\n", "other.csv": "question\nWhat?\n"})
	b := start(t, func(c *Config) { c.Datasets = dir })
	b.overSystem("a", "x", 1, "01")
	b.overSystem("b", "x", 2, "01")
	for id, name := range map[string]string{"a": "gold", "b": "gold.jsonl"} {
		b.changed(id, func(h *assay.Header) { h.Dataset.Name = name })
	}
	list := b.see("/datasets")
	if strings.Contains(list, `href="/datasets/gold"`) || strings.Count(list, `href="/datasets/gold.jsonl"`) != 1 || !strings.Contains(list, "2 datasets") {
		t.Errorf("the list: %s", list)
	}
	for _, name := range []string{"gold", "gold.jsonl"} {
		if text := b.see("/datasets/" + name); !strings.Contains(text, ">gold.jsonl</h1>") || !strings.Contains(text, "2 runs") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestDatasetsAreSafe: names of datasets and texts of cases that attack are text.
func TestDatasetsAreSafe(t *testing.T) {
	b := start(t)
	for i, id := range []string{"h", "i", "j"} {
		b.hostileRun(id, 3)
		b.changed(id, func(h *assay.Header) { h.Target.Endpoint += fmt.Sprint(i % 2) })
	}
	_, sets := rowsOf(b.see("/datasets"))
	if len(sets) != 1 {
		t.Fatalf("datasets %v", sets)
	}
	for _, path := range []string{"/datasets", sets[0], sets[0] + "?list=unsolved", "/datasets/" + url.PathEscape("<img src=x>")} {
		text := b.do("GET", path, nil).text
		for _, bad := range []string{"<script>", "<img", "\x1b", "\u202e", "javascript:window"} {
			if strings.Contains(strings.ReplaceAll(text, "[a](javascript:window", ""), bad) {
				t.Errorf("%s: %q in the page", path, bad)
			}
		}
	}
	text := b.see(sets[0])
	cases, addresses := rowsOf(text)
	if len(cases) == 0 {
		t.Fatalf("no doubted cases in %s", text)
	}
	for _, a := range addresses {
		b.see(a)
	}
	chinese := regexp.MustCompile(`<h2>([^<]*)</h2>`).FindStringSubmatch(b.see(sets[0], "Accept-Language", "zh-TW"))
	if chinese == nil || chinese[1] != "執行結果引起的疑點" {
		t.Errorf("in Chinese: %v", chinese)
	}
}
