package draw_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/report/draw"
)

// TestLevel: the axis goes from 6 to 194 of 200 pixels, so that 0.5 is at 100, 0.25 at 53.
func TestLevel(t *testing.T) {
	t.Parallel()
	line := 0.5
	for name, test := range map[string]struct {
		level draw.Level
		want  []string
		not   string
	}{
		"worse": {draw.Level{Lo: 0, Hi: 1, Mean: 0.25, Bounds: draw.Span{Lo: 0, Hi: 0.5}, Line: &line, Worse: true, Label: `a "b" <c>`}, []string{
			`<line class="threshold" x1="100" y1="1" x2="100" y2="20"/>`, `<line class="whisker worse" x1="6" y1="10" x2="100" y2="10"/>`,
			`<circle class="point worse" cx="53" cy="10" r="4">`, `aria-label="a &#34;b&#34; &lt;c&gt;"`}, "better"},
		"another range": {draw.Level{Lo: -2, Hi: 2, Mean: -1, Bounds: draw.Span{Lo: -2, Hi: 9}}, []string{
			`cx="53"`, `class="whisker better" x1="6" y1="10" x2="194"`}, "threshold"},
		"none": {draw.Level{Lo: 0, Hi: 1, None: true, Line: &line}, []string{"threshold"}, "point"},
	} {
		got := string(test.level.SVG())
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s\nwant %s", name, got, want)
			}
		}
		if strings.Contains(got, test.not) {
			t.Errorf("%s: %s\nwant no %s", name, got, test.not)
		}
	}
}

// TestDays: days are as far apart as they are in time; the picture is 28 pixels high with 4 of
// room above and below.
func TestDays(t *testing.T) {
	t.Parallel()
	line := 0.5
	for name, test := range map[string]struct {
		days draw.Days
		want string
	}{
		"gap":  {draw.Days{Marks: []draw.DayMark{{10, 1}, {11, 0}, {14, 1}}}, `<path class="spark" d="M4 4L32 24L116 4"/><circle class="mean" cx="116" cy="4"`},
		"one":  {draw.Days{Marks: []draw.DayMark{{10, 1}}}, `d="M60 24"/><circle class="mean" cx="60" cy="24"`},
		"line": {draw.Days{Marks: []draw.DayMark{{1, 1}}, Line: &line}, `<line class="bounds" x1="0" y1="24" x2="120" y2="24"/><path class="spark" d="M60 4"/>`},
		// 0.1 of 0.4: the middle half of the height is not left.
		"calm":    {draw.Days{Marks: []draw.DayMark{{1, 0.5}, {2, 0.6}}, Least: 0.4}, `d="M4 16.5L116 11.5"`},
		"nothing": {draw.Days{Label: "no day"}, `aria-label="no day"></svg>`},
	} {
		if got := string(test.days.SVG()); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s\nwant %s", name, got, test.want)
		}
	}
}
