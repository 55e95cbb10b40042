package server

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/watch"
)

// hostileWatch is a watch of 8 metrics of 20 kinds whose every text attacks, with huge counts.
func hostileWatch() *watch.State {
	st := production()
	st.Name, st.Trouble, st.Settings.By, st.Settings.Budget = "hostile", attack, attack, 1<<60
	st.Total = watch.Counts{Sampled: 1 << 60, Judged: 1 << 59, Failed: 1 << 58, Skipped: 1 << 57, Unread: 1 << 56, Cost: 1 << 60}
	st.Waiting = make([]watch.Waiting, 3000)
	st.Series, st.Strata, st.Alarms = nil, nil, nil
	for i := range 8 {
		m := watchFaith
		m.Name, m.Title = fmt.Sprint(attack, i), attack
		for k := range 20 {
			kind := fmt.Sprint(k, attack, strings.Repeat("wide", 10_000))
			one := seriesOf(m, kind, 90, k, epoch)
			one.Bounds.N, one.Bounds.Sum, one.Unscored, one.Excluded = 1<<50, 1<<49, 1<<48, 1<<47
			if k > 0 {
				one.Line, one.Worse = &watch.Line{At: 0.7, Cases: 200}, k%3 == 0
			}
			st.Series = append(st.Series, one)
			if i == 0 {
				st.Strata = append(st.Strata, watch.Stratum{Name: kind, Sampled: 1 << 50, Judged: 1 << 50, Skipped: 1 << 50})
				st.Alarms = append(st.Alarms, watch.Alarm{At: epoch, Metric: m.Name, Title: attack, Stratum: kind, Run: attack})
			}
		}
	}
	return st
}

var tags = regexp.MustCompile(`<[^>]*>`)

// shown returns the text of a page without its markup.
func shown(text string) string {
	_, text, _ = strings.Cut(text, "<main")
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(text, " "))), " ")
}

// TestPagesOfWatchesSay: the page says what is worse, and whether the watch goes on, in both
// languages.
func TestPagesOfWatchesSay(t *testing.T) {
	now := epoch.Add(time.Minute)
	b := start(t, func(c *Config) { c.World.Now = func() time.Time { return now } })
	if text := shown(b.see("/watches")); !strings.Contains(text, "assay watch --judge PROVIDER:MODEL") {
		t.Errorf("%s: want how a watch is begun", text)
	}
	b.do("GET", "/watches/none", nil, "Accept", "text/html").text404(t)
	for name, test := range map[string]struct {
		change      func(st *watch.State)
		want, zh    []string
		not, listed string
	}{
		"worse": {func(*watch.State) {}, []string{
			"faithfulness of /b has been worse than its learned line of 0.820 since 2026-11-22 05:00: mean 0.375 over 80 scores since the alarm.",
			"No process carries the watch out at the moment", "1 sampled exchange waits", "next round begins at 2026-11-22 09:10",
			"0.940 0.889…0.972", "threshold", "4 without", "30 of 200 scores", "0.799", "$3.72",
			"2026-11-19 18:00 faithfulness of /b is better again than its learned line of 0.820: mean 0.920 over the last 90 scores",
		}, []string{"/b 的 faithfulness 自 2026-11-22 05:00 起比學得的底線 0.820 差：警報以來 80 個分數的平均為 0.375。"}, "has not been judged", "1 of 4 worse"},
		"just now": {func(st *watch.State) {
			st.Series[1] = seriesOf(watchFaith, "/b", 0, 0, epoch.Add(-time.Hour))
			worsen(st.Series[1])
		}, []string{
			"since 2026-11-22 05:00: mean 0.400 over the last 60 scores at the time.", "– mean 0.400 over the last 60 scores at the time",
		}, []string{"當時最後 60 個分數的平均為 0.400"}, "since the alarm.", "1 of 4 worse"},
		"an estimate": {func(st *watch.State) { st.Series[1].Metric.Estimate = true }, []string{"since the alarm. It is an estimate"},
			[]string{"這是估計值"}, "No mean", "1 of 4 worse"},
		"fine": {func(st *watch.State) { st.Series[1].Worse = false }, []string{
			"No mean is shown to be worse than its line; 1 of 4 lines are still being learned.",
		}, []string{"沒有平均顯示比底線差；1 條底線仍在學習中，共 4 條。"}, "has been worse", "not worse"},
		"one kind": {func(st *watch.State) {
			st.Series, st.Strata = st.Series[:1], st.Strata[:1]
			st.Series[0].Stratum, st.Strata[0].Name = "", ""
		}, []string{"The mean is not shown to be worse than its line.", "faithfulness all not worse"},
			[]string{"1 項平均皆未顯示比底線差。"}, "All kinds", "not worse"},
		"learning": {func(st *watch.State) { st.Series = st.Series[3:] }, []string{"every line is still being learned"},
			[]string{"所有底線仍在學習中"}, "None of", "learning"},
		"nothing": {func(st *watch.State) { st.Series, st.Alarms, st.Last = nil, nil, "" }, []string{
			"Nothing has been judged yet.", "There has been no alarm.", "All runs of this watch",
		}, []string{"尚未評審任何內容。"}, "Last run", "nothing judged"},
		"left": {func(st *watch.State) { st.Due = now.Add(-2 * time.Hour) }, []string{
			"the round that was due at 2026-11-22 07:01 has not been judged", "Traffic is not watched", "assay watch --name production",
		}, []string{"流量無人監看"}, "at the moment", "does not run"},
		"trouble": {func(st *watch.State) {
			st.Trouble, st.Round = "no <key>", &watch.Round{Exchanges: make([]watch.Waiting, 7), Run: "r5"}
			st.Untold = []watch.Delivery{{Alarm: st.Alarms[2], Tries: 2, Next: epoch}}
		}, []string{"tried again when the next is due: no <key>", "A round of 7 exchanges was begun", "Run of this round",
			"1 alarm has not been taken by the webhook in 2 calls; the next call is at 2026-11-22 09:00."},
			[]string{"已開始一輪共 7 筆問答"}, "is being judged", "the last round was not judged"},
	} {
		t.Run(name, func(t *testing.T) {
			st := production()
			test.change(st)
			b.watched(st)
			text := shown(b.see("/watches/production", "Accept-Language", "en"))
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s\nwant %q", text, want)
				}
			}
			if strings.Contains(text, test.not) {
				t.Errorf("%s\nwant no %q", text, test.not)
			}
			zh := shown(b.see("/watches/production", "Accept-Language", "zh-Hant"))
			for _, want := range test.zh {
				if !strings.Contains(zh, want) {
					t.Errorf("%s\nwant %q", zh, want)
				}
			}
			if list := shown(b.see("/watches", "Accept-Language", "en")); !strings.Contains(list, test.listed) {
				t.Errorf("%s\nwant %q", list, test.listed)
			}
		})
	}
}

// worsen gives a series the line that it is worse than.
func worsen(s *watch.Series) { s.Worse, s.Line = true, &watch.Line{At: 0.82, Mean: 0.9, Cases: 200} }

// text404 checks that a page is missing.
func (g got) text404(t *testing.T) {
	t.Helper()
	if g.StatusCode != http.StatusNotFound || g.Header.Get("Content-Security-Policy") != web.Policy {
		t.Errorf("status %d: want a page that says that there is none", g.StatusCode)
	}
}

// TestPagesOfWatchesAreBounded: a watch with many kinds has pages of its metrics, those that are
// worse first, and texts of a bounded length.
func TestPagesOfWatchesAreBounded(t *testing.T) {
	b := start(t)
	b.watched(hostileWatch())
	text := b.see("/watches/hostile")
	if n := strings.Count(text, `<td class="daily"`); n != 40 {
		t.Errorf("%d rows, want 40", n)
	}
	first, _, _ := strings.Cut(text, `class="verdict pass"`)
	// Of each metric the 6 kinds that three divides, but 0, are worse: 48.
	if n := strings.Count(text, `class="verdict fail"`); n != 40 || len(text) > 200_000 || !strings.Contains(first, "44 more are worse") {
		t.Errorf("%d worse of the first page of %d bytes: want 40", n, len(text))
	}
	rest := b.see("/watches/hostile?page=2")
	if n := strings.Count(rest, `class="verdict fail"`); n != 8 {
		t.Errorf("%d worse of the second page, want 8", n)
	}
	if n := strings.Count(b.see("/watches/hostile?page=99"), `<td class="daily"`); n != 0 {
		t.Errorf("%d rows after the last page", n)
	}
	if strings.Contains(text, "<script>window") || strings.Contains(text, "<img") {
		t.Error("the text of a kind is markup")
	}
}

// TestPagesOfWatchesInABrowser: keys lead to a watch, and its page shows what is new, unless the
// reader is at something in it.
func TestPagesOfWatchesInABrowser(t *testing.T) {
	b := start(t)
	st := production()
	b.watched(st)
	release, err := b.store.Claim(t.Context(), "watch.production")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = release() }()
	v := b.visit()
	v.open("/")
	v.keys("g", "w")
	v.at("/watches")
	v.keys("j", kb.Enter)
	v.at("/watches/production")
	first := v.text(`document.querySelector(".said").textContent.trim()`)
	if !strings.HasPrefix(first, "faithfulness of /b has been worse") {
		t.Error(first)
	}
	// What is new by nothing moves nothing.
	const top = `String(document.querySelector(".means").getBoundingClientRect().top)`
	const fresh = `window.loads = 0; document.addEventListener("assay:part", () => { window.loads++; }); document.querySelector("page-fresh").look(); ""`
	was := v.text(top)
	v.text(`document.activeElement.blur(); ` + fresh)
	v.Until(`window.loads === 1`)
	if got := v.text(top); got != was {
		t.Errorf("the table is at %s after a look, and was at %s", got, was)
	}
	st.Series[1].Worse, st.Updated = false, epoch.Add(time.Minute)
	b.watched(st)
	v.text(`{ const whole = window.fetch; window.asked = 0; window.fetch = (...a) => { window.asked++; return whole(...a); }; } ""`)
	v.text(`document.querySelector("#part-list a").focus(); document.querySelector("page-fresh").look(); ""`)
	if got, n := v.text(focused), v.number(`window.asked`); got != "Last run" || n != 0 {
		t.Errorf("the focus is on %q, and the page asked %d times", got, n)
	}
	v.text(`document.activeElement.blur(); document.querySelector("page-fresh").look(); ""`)
	v.Until(`document.querySelector(".said").textContent.includes("No mean is shown to be worse")`)
	v.Click(`.back`)
	v.at("/watches")
	v.Clean()
}
