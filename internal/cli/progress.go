package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// barRefresh is short enough for a smooth bar and long enough for a slow terminal.
const barRefresh = 120 * time.Millisecond

// bars shows progress on a terminal: a bar for each long preparation, then one for the
// cases.
type bars struct {
	out io.Writer
	// stop is closed at the user's first request to stop a run, which then finishes the
	// calls in flight. It is nil for work that stops at once.
	stop <-chan struct{}
	// shown guards progress, which Tell also uses.
	shown    sync.Mutex
	progress *mpb.Progress
	bar      *mpb.Bar
	what     string
	// name is the name of the run if there are several.
	name string
	// from is the number of cases that an earlier run finished.
	from int64
	// Another goroutine draws the bar. cost is in micro-dollars.
	errors, cost atomic.Int64
}

func newBars(out io.Writer) *bars { return &bars{out: out} }

// Preparing shows a bar for a preparation.
func (b *bars) Preparing(what string, done, total int) {
	if b.bar == nil || b.what != what {
		b.close()
		b.from = 0
		b.open(what, total)
	}
	b.bar.SetTotal(int64(total), false)
	b.bar.SetCurrent(int64(done))
	if done >= total {
		b.close()
	}
}

// Started shows the bar for the cases.
func (b *bars) Started(h assay.Header, done int) {
	b.close()
	// The bar may have shown another run before.
	b.errors.Store(0)
	b.cost.Store(0)
	b.from = int64(done)
	b.open("", h.Asked())
	b.bar.SetCurrent(int64(done))
}

// Finished advances the bar for the cases.
func (b *bars) Finished(r assay.Record) {
	if r.Failure != nil {
		b.errors.Add(1)
	}
	b.cost.Add(r.Usage().Cost)
	if j := r.Judging; j != nil && j.Calls > 0 {
		// Calls that an earlier run paid for are free.
		b.cost.Add(j.Usage.Cost * int64(j.Calls-j.Cached) / int64(j.Calls))
	}
	if b.bar != nil {
		b.bar.Increment()
	}
}

func (b *bars) open(what string, total int) {
	b.what = what
	b.show(mpb.New(mpb.WithOutput(b.out), mpb.WithWidth(40), mpb.WithRefreshRate(barRefresh), mpb.WithAutoRefresh()))
	label := strings.TrimSpace(b.name + " " + what)
	if label != "" {
		label += " "
	}
	b.bar = b.progress.New(int64(total),
		mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(label)),
		mpb.AppendDecorators(
			decor.CountersNoUnit(" %d/%d"),
			b.whileRunning(decor.AverageSpeed(0, "%.0f/s"), ""),
			decor.Any(func(decor.Statistics) string {
				if n := b.errors.Load(); n > 0 {
					return fmt.Sprintf("  %d failed", n)
				}
				return ""
			}),
			decor.Any(func(decor.Statistics) string {
				if c := b.cost.Load(); c > 0 {
					return "  " + assay.Dollars(c)
				}
				return ""
			}),
			b.whileRunning(decor.AverageETA(decor.ET_STYLE_GO), " left"),
			decor.Any(func(decor.Statistics) string { return stopping(b.stop) }),
		))
}

const stoppingText = "stopping: waits for what is in flight, Ctrl-C again ends at once"

// whileRunning shows an estimate from the first case of this run until the user asks to
// stop. Cases finished by an earlier run do not count: they say nothing about the speed
// of this one.
func (b *bars) whileRunning(estimate decor.Decorator, unit string) decor.Decorator {
	return decor.Any(func(s decor.Statistics) string {
		s.Current, s.Total = s.Current-b.from, s.Total-b.from
		if s.Current <= 0 || stopping(b.stop) != "" {
			return ""
		}
		text, _ := estimate.Decor(s)
		// "0s left" is false while a case is waited for, and so is "0/s".
		if strings.HasPrefix(text, "0") {
			return ""
		}
		return "  " + text + unit
	})
}

// stopping returns a note once stop is closed, otherwise "". The note is short because
// a bar longer than the line is not erased completely.
func stopping(stop <-chan struct{}) string {
	select {
	case <-stop:
		return "  stopping; Ctrl-C: at once"
	default:
		return ""
	}
}

// announceStop prints a line as soon as the user asks to stop, for output without a
// bar. It makes standard error safe for concurrent use until off is called.
func announceStop(env *Env) (off func()) {
	before := env.Stderr
	env.Stderr = &serial{out: before}
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-env.Interrupted:
			fmt.Fprintln(env.Stderr, "assay: "+stoppingText)
		case <-over:
		}
	}()
	return func() {
		close(over)
		<-gone
		env.Stderr = before
	}
}

// serial is a writer that is safe for concurrent use.
type serial struct {
	mu  sync.Mutex
	out io.Writer
}

func (s *serial) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

// close removes the current bar, if any.
func (b *bars) close() {
	if b.bar == nil {
		return
	}
	b.bar.Abort(true)
	b.progress.Wait()
	b.bar = nil
	b.show(nil)
}

// closeBars removes the current bar, if the progress is shown by bars.
func closeBars(p wire.Progress) {
	if b, ok := p.(*bars); ok {
		b.close()
	}
}

func (b *bars) show(p *mpb.Progress) {
	b.shown.Lock()
	defer b.shown.Unlock()
	b.progress = p
}

// Tell writes a line above the bar. It is safe for concurrent use.
func (b *bars) Tell(line string) {
	b.shown.Lock()
	defer b.shown.Unlock()
	line = "assay: " + text.Visible(line) + "\n"
	if b.progress != nil {
		if _, err := b.progress.Write([]byte(line)); err == nil {
			return
		}
	}
	_, _ = io.WriteString(b.out, line)
}

// lineWriter returns a function that writes a line without disturbing the progress.
func lineWriter(env *Env, p wire.Progress) func(string) {
	if t, ok := p.(interface{ Tell(string) }); ok {
		return t.Tell
	}
	return func(line string) { env.Warn("%s", line) }
}

// lines prints a line for each case (--verbose).
type lines struct {
	out         io.Writer
	metrics     []assay.MetricInfo
	total, done int
	// running is the running mean of this run, without the cases of an earlier one.
	running *summary.Running
}

// eachInterval is the number of cases between two lines with the mean so far.
const eachInterval = 10

// Preparing prints a line when a preparation is done.
func (l *lines) Preparing(what string, done, total int) {
	if done == total {
		fmt.Fprintf(l.out, "assay: %s: %d done\n", what, total)
	}
}

// Started records the number of cases.
func (l *lines) Started(h assay.Header, done int) {
	l.metrics, l.total, l.done = h.Metrics, h.Asked(), done
	l.running = summary.NewRunning(h.Metrics, l.total, (&report.Report{Header: h}).Level())
}

// Finished prints a line for the case, and the mean so far after every eachInterval
// cases.
func (l *lines) Finished(r assay.Record) {
	l.done++
	took, note := "", ""
	if r.Response != nil && r.Response.Latency > 0 {
		took = " " + r.Response.Latency.Round(time.Microsecond).String()
	}
	if r.Failure != nil {
		note = ": " + r.Failure.Kind + ": " + r.Failure.Message
	}
	fmt.Fprintf(l.out, "assay: %*d/%d %s %s%s\n", len(fmt.Sprint(l.total)), l.done, l.total, summary.Status(l.metrics, r),
		text.Visible(r.Case.ID+took), text.Visible(note))
	if l.running == nil {
		return
	}
	l.running.Add(r)
	if l.done%eachInterval > 0 {
		return
	}
	if e, ok := l.running.Estimate(); ok {
		fmt.Fprintf(l.out, "assay: %s so far %.3f (%.3f…%.3f, %.4g %% at all looks) over %d cases\n",
			l.running.Metric().Name, e.Mean, e.CI.Lo, e.CI.Hi, 100*e.Level, e.N)
	}
}
