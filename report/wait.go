package report

import (
	"time"

	"github.com/assay-eval/assay/report/words"
)

// waited returns how long the user waited for a run that has ended.
func (r *Report) waited() time.Duration {
	h := r.Header
	if h.Took == nil {
		return h.Finished.Sub(h.Started)
	}
	return h.Took.Prepared + h.Took.Evaluated + r.Reported
}

// What is outside of the evaluation is told if it is a second and a tenth of the time; in a
// short report, whose first lines have no room for less, if it is ten seconds.
const (
	leastOutside      = time.Second
	leastOutsideShort = 10 * time.Second
	outsideShare      = 10
)

// waited says how long the user waited, with its parts if the evaluation does not
// account for nearly all of it.
func (c *content) waited() string {
	total, took := c.r.waited(), c.r.Header.Took
	least := leastOutside
	if c.o.Short {
		least = leastOutsideShort
	}
	if took == nil || total-took.Evaluated < max(least, total/outsideShare) {
		return duration(total)
	}
	part := func(d time.Duration) string {
		if d < time.Millisecond {
			return ""
		}
		return duration(d)
	}
	return c.w.Say("Waited",
		words.V{"total": duration(total), "prepared": part(took.Prepared), "evaluated": duration(took.Evaluated), "reported": part(c.r.Reported)})
}
