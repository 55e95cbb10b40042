package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A drawing is the inside of an SVG picture. Colours come from the page's
// style sheet, so that a picture follows light and dark.
type drawing struct {
	b             strings.Builder
	width, height float64
}

// at shows a coordinate with a tenth of a pixel.
func at(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

func (d *drawing) rect(class string, x, y, w, h float64, title string) {
	fmt.Fprintf(&d.b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s">%s</rect>`, class, at(x), at(y), at(max(w, 0)), at(max(h, 0)), svgTitle(title))
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&d.b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, at(x1), at(y1), at(x2), at(y2))
}

func (d *drawing) dot(class string, x, y, r float64, title string) {
	fmt.Fprintf(&d.b, `<circle class="%s" cx="%s" cy="%s" r="%s">%s</circle>`, class, at(x), at(y), at(r), svgTitle(title))
}

// text writes a text whose anchor is "start", "middle" or "end".
func (d *drawing) text(x, y float64, anchor, s string) {
	fmt.Fprintf(&d.b, `<text x="%s" y="%s" text-anchor="%s">%s</text>`, at(x), at(y), anchor, template.HTMLEscapeString(s))
}

func svgTitle(s string) string {
	if s == "" {
		return ""
	}
	return "<title>" + template.HTMLEscapeString(s) + "</title>"
}

// svg closes the drawing; label is what it shows, in words.
func (d *drawing) svg(label string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="plot" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-label="%s">%s</svg>`,
		at(d.width), at(d.height), at(d.width), at(d.height), template.HTMLEscapeString(label), d.b.String()))
}

// A scale turns values into places.
type scale struct{ lo, hi, from, to float64 }

func (s scale) at(v float64) float64 {
	if s.hi <= s.lo {
		return s.from
	}
	return s.from + (min(max(v, s.lo), s.hi)-s.lo)/(s.hi-s.lo)*(s.to-s.from)
}

const bins = 20

// metricPlot draws how the cases scored as a histogram, cases that the target
// failed apart, and below it on the same axis the mean with its interval; a
// thin line holds the bounds where scores are missing.
func metricPlot(m summary.Metric, records []assay.Record) template.HTML {
	lo, hi := span(m.MetricInfo)
	var values []float64
	failed := 0
	for _, r := range records {
		switch s := r.Scores[m.Name]; {
		case s.State == assay.Scored:
			values = append(values, s.Value)
			if m.Range[1] >= math.MaxFloat64 {
				hi = max(hi, s.Value)
			}
		case s.State == assay.TargetError && m.Better == "higher":
			failed++
		}
	}
	d := &drawing{width: 380, height: 58}
	x := scale{lo, hi, 8, 372}
	count, most := histogram(values, failed, lo, hi)
	step := (x.to - x.from) / bins
	for i, n := range count {
		from, to := lo+float64(i)*(hi-lo)/bins, lo+float64(i+1)*(hi-lo)/bins
		where := fmt.Sprintf("%s to %s: ", number(m.MetricInfo, from), number(m.MetricInfo, to))
		h := barHeight(n, most)
		base := 32.0
		if i == 0 && failed > 0 {
			f := barHeight(failed, most)
			d.rect("err", x.from, base-f, step-1, f, plural(failed, "case", "cases")+" failed by the target")
			base -= f
		}
		if n > 0 {
			d.rect("bar", x.from+float64(i)*step, base-h, step-1, h, where+plural(n, "case", "cases"))
		}
	}
	d.line("axis", x.from, 32.5, x.to, 32.5)
	for _, t := range []float64{lo, (lo + hi) / 2, hi} {
		d.line("axis", x.at(t), 32.5, x.at(t), 35)
	}
	d.text(x.from, 57, "start", tick(lo))
	d.text((x.from+x.to)/2, 57, "middle", tick((lo+hi)/2))
	d.text(x.to, 57, "end", tick(hi))
	label := "no value"
	if m.N > 0 {
		label = drawEstimate(d, x, 42, m.MetricInfo, m.Estimate)
	}
	if m.Threshold != nil {
		d.line("threshold", x.at(*m.Threshold), 0, x.at(*m.Threshold), 47)
		label += ", threshold " + wants(m.MetricInfo)
	}
	return d.svg(line(m.Title) + ": " + label)
}

// drawEstimate draws a mean with its interval and bounds, and returns both in
// words.
func drawEstimate(d *drawing, x scale, y float64, m assay.MetricInfo, e stats.Estimate) string {
	words := "mean " + number(m, e.Mean)
	if open(m, e) {
		d.line("bounds", x.at(e.Bounds.Lo), y, x.at(e.Bounds.Hi), y)
	}
	if e.CI != nil {
		words += fmt.Sprintf(", %s interval %s to %s", percent(e.Level), number(m, e.CI.Lo), number(m, e.CI.Hi))
		d.rect("ci", x.at(e.CI.Lo), y-2.5, x.at(e.CI.Hi)-x.at(e.CI.Lo), 5, words)
	}
	d.dot("mean", x.at(e.Mean), y, 4, words)
	return words
}

func histogram(values []float64, failed int, lo, hi float64) (count [bins]int, most int) {
	for _, v := range values {
		count[min(max(int((v-lo)/(hi-lo)*bins), 0), bins-1)]++
	}
	most = max(count[0]+failed, slices.Max(count[:]), 1)
	return count, most
}

// barHeight keeps one case among thousands visible.
func barHeight(n, most int) float64 {
	if n == 0 {
		return 0
	}
	return max(28*float64(n)/float64(most), 1.5)
}

// tick shows a number on an axis without needless zeros.
func tick(v float64) string { return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'g', 4, 64) }

func latencies(records []assay.Record) []float64 {
	var out []float64
	for _, r := range records {
		if r.Response != nil && r.Response.Latency > 0 {
			out = append(out, float64(r.Response.Latency))
		}
	}
	slices.Sort(out)
	return out
}

// latencyPlot draws a histogram of sorted times on a logarithmic axis, with
// the quantiles as lines.
func latencyPlot(sorted []float64, h assay.Header, l summary.Latency) template.HTML {
	if len(sorted) == 0 {
		return ""
	}
	const places = 48
	d := &drawing{width: 560, height: 128}
	lo, hi := decade(sorted[0], math.Floor), decade(sorted[len(sorted)-1], math.Ceil)
	if hi <= lo {
		hi = lo + 1
	}
	x := scale{lo, hi, 12, 548}
	var count [places]int
	for _, v := range sorted {
		count[min(int((math.Log10(v)-lo)/(hi-lo)*places), places-1)]++
	}
	most := slices.Max(count[:])
	step := (x.to - x.from) / places
	for i, n := range count {
		if n > 0 {
			h := max(66*float64(n)/float64(most), 1.5)
			from := math.Pow(10, lo+float64(i)*(hi-lo)/places)
			to := math.Pow(10, lo+float64(i+1)*(hi-lo)/places)
			d.rect("bar", x.from+float64(i)*step, 104-h, step-1, h, fmt.Sprintf("%s to %s: %s", duration(time.Duration(from)), duration(time.Duration(to)), plural(n, "case", "cases")))
		}
	}
	d.line("axis", x.from, 104.5, x.to, 104.5)
	for e := lo; e <= hi; e++ {
		anchor := "middle"
		if e == lo {
			anchor = "start"
		} else if e == hi {
			anchor = "end"
		}
		d.line("axis", x.at(e), 104.5, x.at(e), 108)
		d.text(x.at(e), 122, anchor, axisTime(time.Duration(math.Round(math.Pow(10, e)))))
	}
	for i, q := range []struct {
		name string
		v    time.Duration
	}{{"p50", l.P50}, {"p95", l.P95}, {"p99", l.P99}} {
		if q.v <= 0 {
			continue
		}
		// Each label has a line of its own, so that near quantiles stay legible.
		at, y := x.at(math.Log10(float64(q.v))), float64(10+12*i)
		d.line("quantile", at, y-8, at, 104)
		anchor, dx := "start", 4.0
		if at > 440 {
			anchor, dx = "end", -4.0
		}
		d.text(at+dx, y, anchor, q.name+" "+duration(q.v))
	}
	return d.svg(fmt.Sprintf("latency of %s: %s", plural(l.N, "response", "responses"), latencyLine(h, l)))
}

func decade(v float64, round func(float64) float64) float64 { return round(math.Log10(v)) }

// axisTime shows a power of ten as a time: "10 ms".
func axisTime(d time.Duration) string {
	switch {
	case d >= time.Second:
		return fmt.Sprintf("%d s", d/time.Second)
	case d >= time.Millisecond:
		return fmt.Sprintf("%d ms", d/time.Millisecond)
	case d >= time.Microsecond:
		return fmt.Sprintf("%d µs", d/time.Microsecond)
	}
	return fmt.Sprintf("%d ns", d)
}

// stageBar draws a stage's mean time as a bar and its 95th percentile as a
// mark, against the longest of all stages.
func stageBar(s Stage, longest float64) template.HTML {
	d := &drawing{width: 240, height: 14}
	x := scale{0, max(longest, 1), 0, 238}
	d.rect("bar", 0, 3, max(x.at(float64(s.Mean)), 1), 8, "mean "+duration(s.Mean))
	d.line("quantile", x.at(float64(s.P95))+1, 1, x.at(float64(s.P95))+1, 13)
	return d.svg(fmt.Sprintf("mean %s, p95 %s", duration(s.Mean), duration(s.P95)))
}
