package cli

import (
	"encoding/json"
	"io"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// jsonLines tells of what goes on as one JSON object a line (--json), for
// programs.
type jsonLines struct {
	out         io.Writer
	mu          sync.Mutex // of out
	metrics     []assay.MetricInfo
	total, done int
}

// progressLine is one line: "preparing", "started", "case" or "notice".
type progressLine struct {
	Event string `json:"event"`
	// What is prepared.
	What string `json:"what,omitempty"`
	Run  string `json:"run,omitempty"`
	// Done of Total parts, or cases, are done.
	Done  int `json:"done"`
	Total int `json:"total"`

	// Text is what there is to notice, such as that the store is away.
	Text string `json:"text,omitempty"`

	ID        string             `json:"id,omitempty"`
	Status    assay.Status       `json:"status,omitempty"`
	LatencyMS float64            `json:"latency_ms,omitempty"`
	Attempts  int                `json:"attempts,omitempty"`
	Failure   *assay.Failure     `json:"failure,omitempty"`
	Scores    map[string]float64 `json:"scores,omitempty"`
}

func (l *jsonLines) write(p progressLine) {
	// A watcher that has gone away is no reason to end a run.
	if b, err := json.Marshal(p); err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		_, _ = l.out.Write(append(b, '\n'))
	}
}

// Tell tells of what is no progress, from any goroutine.
func (l *jsonLines) Tell(line string) { l.write(progressLine{Event: "notice", Text: line}) }

// Preparing tells of a preparation.
func (l *jsonLines) Preparing(what string, done, total int) {
	l.write(progressLine{Event: "preparing", What: what, Done: done, Total: total})
}

// Started tells which run begins.
func (l *jsonLines) Started(h assay.Header, done int) {
	l.metrics, l.total, l.done = h.Metrics, h.Asked(), done
	l.write(progressLine{Event: "started", Run: h.ID, Done: done, Total: l.total})
}

// Finished tells of a case, with the scores that it has.
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
