package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/servertest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/store"
)

// cut cuts the network of the page off, or gives it back.
func (v *visit) cut(off bool) {
	v.t.Helper()
	v.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{DownloadThroughput: -1, UploadThroughput: -1, Offline: off}},
		})
		return err
	}))
}

// quiet waits until the server has every label that was given.
func (v *visit) quiet() {
	v.t.Helper()
	v.Until(`document.querySelector("label-pad").queue.length === 0`)
}

// shows waits for the case that the page shows.
func (v *visit) shows(id string) {
	v.t.Helper()
	v.Until(fmt.Sprintf(`document.getElementById("part-label").dataset.case === %q`, id))
}

// TestLabelsSurviveTheServer types 200 labels by keyboard while the server is killed and
// started again, and the network is cut: all are kept as they were given, and none twice.
func TestLabelsSurviveTheServer(t *testing.T) {
	const labels = 200
	bin, dir := program(t), t.TempDir()
	port, err := servertest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	path, addr := filepath.Join(dir, "assay.db"), net.JoinHostPort("127.0.0.1", port)
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	(&bench{t: t, store: s}).judgedRun("a", "says ", labels+40)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	serve := func() *process { return launch(t, bin, dir, "--addr", addr, "--store", path, "--quiet") }
	p := serve()
	v := p.visit()
	v.open(labelPage)
	kill := func() {
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		p.drained.Wait()
		_ = p.cmd.Wait()
		p.gone = true
	}
	given := map[string]string{}
	const waiting = `document.querySelector("label-pad").waiting`
	// away is what brings the server or the network back, once some labels wait or no case is
	// left that was loaded ahead.
	var away func()
	most := 0
	for i := range labels {
		// Both at once: a label can be saved at any time.
		queued := v.text(`document.querySelector("label-pad").queue.length + " " + document.querySelector(".lab-queue").textContent`)
		count, told, _ := strings.Cut(queued, " ")
		n, err := strconv.Atoi(count)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, n)
		if away != nil && (n >= 4 || v.text(`String(`+waiting+`)`) == "true") {
			if n > 0 && !strings.Contains(told, fmt.Sprint(n, " unsaved")) {
				t.Errorf("%d labels wait, and the page says %q", n, told)
			}
			away()
			away = nil
		}
		v.Until(`!` + waiting)
		id := v.text(`document.getElementById("part-label").dataset.case`)
		if given[id] != "" {
			t.Fatalf("label %d: %s is asked for twice", i, id)
		}
		given[id] = []string{"y", "n", "u"}[i%3]
		switch i {
		case 60, 130:
			kill()
			away = func() { p = serve() }
		case 100, 160:
			v.cut(true)
			away = func() { v.cut(false) }
		}
		v.keys(given[id])
	}
	if away != nil {
		away()
	}
	v.quiet()
	if most < 2 {
		t.Errorf("%d labels waited at most: the server was never away", most)
	}
	if text := v.text(`document.querySelector(".lab-problems").textContent`); text != "" {
		t.Errorf("problems: %s", text)
	}
	all := read[page[LabelView]](t, p.do("GET", "/api/v1/labels?run_id=a&limit=500", nil).want(t, 200))
	if all.Total != labels {
		t.Errorf("%d labels are kept, want %d", all.Total, labels)
	}
	for _, l := range all.Items {
		is := "u"
		if l.Value != nil {
			is = map[float64]string{1: "y", 0: "n"}[*l.Value]
		}
		if is != given[l.Case] || l.Version != 1 || l.How != judge.Random {
			t.Errorf("%s: %q was given; kept is %+v", l.Case, given[l.Case], l.Label)
		}
	}
	p.calibratesAs(bin, path, p.do("GET", "/api/v1/labels.csv?run_id=a&metric=faithfulness", nil).want(t, 200).text)
}

// calibratesAs compares what assay judge calibrate makes of the exported table with what the
// server says.
func (p *process) calibratesAs(bin, path, table string) {
	p.t.Helper()
	file := filepath.Join(p.t.TempDir(), "labels.csv")
	if err := os.WriteFile(file, []byte(table), 0o600); err != nil {
		p.t.Fatal(err)
	}
	out, err := exec.CommandContext(p.t.Context(), bin, "judge", "calibrate", "--labels", file, "--run", "a", "--metric", "faithfulness",
		"--store", path, "--json").Output()
	if err != nil {
		p.t.Fatal(err)
	}
	type said struct {
		N      int
		Run    map[string]any
		Binary map[string]any
	}
	var cli said
	if err := json.Unmarshal(out, &cli); err != nil {
		p.t.Fatal(err)
	}
	api := read[said](p.t, p.do("GET", "/api/v1/calibration?run_id=a&metric=faithfulness", nil).want(p.t, 200))
	if d := cmp.Diff(cli, api); d != "" || cli.N < 100 || cli.Run["ppi"] == nil {
		p.t.Errorf("the command and the server differ (-command +server):\n%s", d)
	}
}

// TestLabelPad goes through the keys of the lab: label, undo, skip, note, the judge's score,
// and a conflict of two people who share a name.
func TestLabelPad(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 50)
	v := b.visit()
	v.open("/")
	v.keys("g", "j")
	v.at("/judge")
	v.keys("j", kb.Enter)
	v.at("/judge/a/faithfulness")
	v.open(labelPage)
	current := func() string { return v.text(`document.getElementById("part-label").dataset.case`) }
	labelOf := func(id string) labelHistory {
		t.Helper()
		all := read[page[LabelView]](t, b.do("GET", "/api/v1/labels?run_id=a&case_id="+id, nil))
		if all.Total != 1 {
			t.Fatalf("%d labels of %s", all.Total, id)
		}
		return read[labelHistory](t, b.do("GET", "/api/v1/labels/"+all.Items[0].ID, nil))
	}
	first := current()
	v.keys("y")
	v.Until(fmt.Sprintf(`document.getElementById("part-label").dataset.case !== %q`, first))
	second := current()
	if !strings.HasSuffix(v.text(`location.search`), "case="+second) {
		t.Errorf("the address is not that of the case: %s", v.text(`location.href`))
	}
	v.quiet()
	v.Until(`document.querySelector(".lab-progress").textContent.startsWith("1 labelled, 49 left")`)
	// Undo shows the first case again, and takes its label back.
	v.keys("z")
	v.shows(first)
	v.quiet()
	if all := read[page[LabelView]](t, b.do("GET", "/api/v1/labels?run_id=a", nil)); all.Total != 0 {
		t.Errorf("%d labels after the undo", all.Total)
	}
	v.keys("m")
	v.Until(`document.activeElement.name === "note"`)
	// The protocol of the browser sends the letter on its own, after the focus has moved.
	v.text(`document.activeElement.value = ""`)
	v.keys("why so", kb.Escape, "n")
	v.shows(second)
	v.quiet()
	if l := labelOf(first); l.Comment != "why so" || *l.Value != 0 || l.Version != 3 || len(l.History) != 2 {
		t.Errorf("the label after undo and note is %+v", l)
	}
	v.keys("s")
	v.Until(fmt.Sprintf(`document.getElementById("part-label").dataset.case !== %q`, second))
	third := current()
	// Another tab of the same person labels the case meanwhile.
	other := b.visit()
	other.open(labelPage + "?case=" + third)
	other.keys("y")
	other.quiet()
	v.keys("n")
	v.Until(`document.querySelector(".lab-problems").textContent.includes("It is now: right. Yours was: wrong.")`)
	if l := labelOf(third); *l.Value != 1 || l.Version != 1 {
		t.Errorf("the conflict changed the label: %+v", l)
	}
	other.Clean()
	// Back shows the skipped case, and b the judge's score.
	v.open(labelPage + "?case=" + second)
	v.keys("b")
	v.at(labelPage + "?blind=off&case=" + second)
	v.Until(`document.querySelector(".lab-judge").textContent.includes("the judge's own reason")`)
	v.keys("u")
	v.quiet()
	if l := labelOf(second); !l.Sighted || !l.Unsure {
		t.Errorf("the label in sight of the score is %+v", l)
	}
	// The outcome tells of labels that do not count.
	if text := b.see("/judge/a/faithfulness"); !strings.Contains(text, "1 label left out: the person was unsure") {
		t.Errorf("the outcome does not say what is left out: %s", text)
	}
}

// TestPagesFromRunsToALabel goes by keyboard alone from the list of runs to a label that is
// kept, and on to a comparison whose link is shared.
func TestPagesFromRunsToALabel(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 40)
	b.judgedRun("b", "tells ", 40)
	v := b.visit()
	v.open("/")
	v.keys("g", "j")
	v.at("/judge")
	v.keys("j", kb.Enter)
	v.Until(`location.pathname.startsWith("/judge/") && !!document.querySelector(".button")`)
	v.ready()
	for range 60 {
		if v.keys("\t"); v.text(`String(document.activeElement.matches(".actions .button"))`) == "true" {
			break
		}
	}
	v.keys(kb.Enter)
	v.Until(`location.pathname.endsWith("/label") && !!document.querySelector("label-pad")?.queue`)
	v.ready()
	first := v.text(`document.getElementById("part-label").dataset.case`)
	v.keys("y")
	v.Until(fmt.Sprintf(`document.getElementById("part-label").dataset.case !== %q`, first))
	v.quiet()
	run := strings.Split(v.text(`location.pathname`), "/")[2]
	all := read[page[LabelView]](t, b.do("GET", "/api/v1/labels?run_id="+run, nil))
	if all.Total != 1 || all.Items[0].Case != first || all.Items[0].How != judge.Random || all.Items[0].Sighted {
		t.Errorf("the labels are %+v, want one of %s", all.Items, first)
	}
	v.keys("g", "r")
	v.at("/")
	v.keys("j", "x", "j", "x", "c")
	v.at("/compare?runs=a%2Cb")
	v.text(`window.kept = ""; Object.defineProperty(navigator, "clipboard", {value: {writeText: async (s) => { window.kept = s; }}}); ""`)
	v.keys(".")
	v.Until(`window.kept === location.href`)
	v.Clean()
}
