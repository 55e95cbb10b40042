package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/stats"
)

// historyLine is the line of one run in the history.
type historyLine struct {
	Timestamp        time.Time               `json:"timestamp"`
	Run              string                  `json:"run"`
	Name             string                  `json:"name,omitempty"`
	State            string                  `json:"state"`
	Dataset          string                  `json:"dataset"`
	DatasetHash      string                  `json:"dataset_hash"`
	Composite        *float64                `json:"composite_score"`
	Verdict          *gate.Verdict           `json:"verdict"`
	TestCount        int                     `json:"test_count"`
	Failures         int                     `json:"failures"`
	CriticalFailures int                     `json:"critical_failures"`
	LatencyP95       *milliseconds           `json:"latency_p95_ms"`
	Cost             *usd                    `json:"cost_usd"`
	JudgingCost      *usd                    `json:"judging_usd"`
	Metrics          object[historyEstimate] `json:"metrics"`
}

type historyEstimate struct {
	Mean *float64        `json:"mean"`
	CI   *stats.Interval `json:"ci"`
	N    int             `json:"n"`
}

// AppendHistory appends one line about the run to a file of JSON lines. It creates the
// file and its folder if necessary. Names in the line are [visible] text without line
// breaks, because people read the file with tools that print it unchanged. The line is
// written with one write and synced, so lines of runs that end at the same time do not
// mix. A partial line that a crash left is closed first.
func AppendHistory(path string, r *Report) (err error) {
	text, err := json.Marshal(newHistoryLine(r))
	if err != nil {
		return fmt.Errorf("history %q: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	torn, err := isTorn(f)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if torn {
		text = slices.Insert(text, 0, '\n')
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.Sync()
}

// How often, and after how long, a line without a line end is checked again.
const (
	tornLooks = 20
	tornWait  = 5 * time.Millisecond
)

// isTorn reports whether the file's last line has no line end and no other process
// is still writing it. A line of several pages grows page by page.
func isTorn(f *os.File) (bool, error) {
	for range tornLooks {
		size, err := f.Seek(0, io.SeekEnd)
		if err != nil || size == 0 {
			return false, err
		}
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil || last[0] == '\n' {
			return false, err
		}
		time.Sleep(tornWait)
	}
	return true, nil
}

func newHistoryLine(r *Report) historyLine {
	h, s := r.Header, r.Summary
	l := historyLine{
		Timestamp: h.Finished.UTC(), Run: line(h.ID), Name: line(h.Name), State: line(h.State), Dataset: line(h.Dataset.Name),
		DatasetHash: line(h.Dataset.Hash),
		TestCount:   s.Cases, Failures: s.Failed + s.Errors, CriticalFailures: s.CriticalFailed,
	}
	if h.Finished.IsZero() {
		l.Timestamp = h.Started.UTC()
	}
	if s.Latency.N > 0 {
		l.LatencyP95 = (*milliseconds)(&s.Latency.P95)
	}
	if c := r.known(assay.CompositeName); c != nil && c.N > 0 {
		l.Composite = &c.Mean
	}
	if r.Gate != nil {
		l.Verdict = &r.Gate.Verdict
	}
	b := billOf(h, s)
	l.Cost, l.JudgingCost = dollars(b.Target), dollars(b.Judging)
	for _, m := range s.Metrics {
		e := historyEstimate{CI: m.CI, N: m.N}
		if m.N > 0 {
			e.Mean = &m.Mean
		}
		l.Metrics.put(line(m.Name), e)
	}
	return l
}
