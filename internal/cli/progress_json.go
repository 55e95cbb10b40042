package cli

import (
	"encoding/json"
	"io"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// jsonLines writes progress as one JSON object per line, for programs (--json).
type jsonLines struct {
	out         io.Writer
	mu          sync.Mutex // guards out
	metrics     []assay.MetricInfo
	total, done int
}

// progressLine is one line. Event is "preparing", "started", "case" or "notice".
type progressLine struct {
	Event string `json:"event"`
	// What is the preparation.
	What string `json:"what,omitempty"`
	Run  string `json:"run,omitempty"`
	// Done is the number of finished parts or cases, of Total.
	Done  int `json:"done"`
	Total int `json:"total"`

	// Text is a notice, such as that the store is unavailable.
	Text string `json:"text,omitempty"`

	ID        string             `json:"id,omitempty"`
	Status    assay.Status       `json:"status,omitempty"`
	LatencyMS float64            `json:"latency_ms,omitempty"`
	Attempts  int                `json:"attempts,omitempty"`
	Failure   *assay.Failure     `json:"failure,omitempty"`
	Scores    map[string]float64 `json:"scores,omitempty"`
}

func (l *jsonLines) write(p progressLine) {
	// Ignore write errors: a run does not end because its watcher has gone away.
	if b, err := json.Marshal(p); err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		_, _ = l.out.Write(append(b, '\n'))
	}
}

// Tell writes a notice. It is safe for concurrent use.
func (l *jsonLines) Tell(line string) { l.write(progressLine{Event: "notice", Text: line}) }

// Preparing writes the progress of a preparation.
func (l *jsonLines) Preparing(what string, done, total int) {
	l.write(progressLine{Event: "preparing", What: what, Done: done, Total: total})
}

// Started writes that the run begins.
func (l *jsonLines) Started(h assay.Header, done int) {
	l.metrics, l.total, l.done = h.Metrics, h.Asked(), done
	l.write(progressLine{Event: "started", Run: h.ID, Done: done, Total: l.total})
}

// Finished writes a case with its scores.
func (l *jsonLines) Finished(r assay.Record) {
	l.done++
	p := progressLine{Event: "case", ID: r.Case.ID, Status: summary.Status(l.metrics, r), Attempts: r.Attempts, Failure: r.Failure,
		Done: l.done, Total: l.total}
	if r.Response != nil {
		p.LatencyMS = float64(r.Response.Latency.Microseconds()) / 1000
	}
	for name, s := range r.Scores {
		if s.State == assay.Scored {
			if p.Scores == nil {
				p.Scores = map[string]float64{}
			}
			p.Scores[name] = s.Value
		}
	}
	l.write(p)
}
