package queue

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/run"
	"github.com/assay-eval/assay/store"
)

// Learned is what only asking shows of a run: the session writes it to the header at the end.
type Learned struct {
	// Versions are those that the target reports, by the name of its part.
	Versions map[string]string `json:"versions,omitempty"`
	// Warnings are about the models.
	Warnings []string `json:"warnings,omitempty"`
}

// Add adds what another process learned. A part of which the two have different versions has
// both, in the order of texts and separated by ", "; warnings are in the order of texts, each once.
func (l *Learned) Add(other Learned) {
	for name, version := range other.Versions {
		if l.Versions == nil {
			l.Versions = map[string]string{}
		}
		all := strings.Split(version, ", ")
		if was := l.Versions[name]; was != "" {
			all = append(all, strings.Split(was, ", ")...)
		}
		l.Versions[name] = strings.Join(sorted(all), ", ")
	}
	l.Warnings = sorted(append(l.Warnings, other.Warnings...))
}

// sorted returns the texts in their order, each once.
func sorted(texts []string) []string { return slices.Compact(slices.Sorted(slices.Values(texts))) }

// Learned returns what workers have learned of the run. What they learned in earlier sessions
// counts too.
func (d *Dispatcher) Learned(ctx context.Context) (out Learned, _ error) {
	err := d.Queue.store.Try(ctx, func(ctx context.Context) error {
		out = Learned{}
		items, _, err := d.Queue.store.Items(ctx, kindLearned, store.ItemQuery{Parent: d.Run, Bodies: true})
		for _, it := range items {
			var n note
			if err := json.Unmarshal(it.Body, &n); err != nil {
				return err
			}
			out.Add(n.Learned)
		}
		return err
	})
	return out, err
}

// learning tells the session of a run what its worker has learned.
type learning struct {
	mu   sync.Mutex
	told Learned
}

// tell stores what was learned if it is more than was told. It returns when it is stored, also if
// another batch stores it.
func (l *learning) tell(ctx context.Context, w *Worker, run string, now Learned) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if maps.Equal(l.told.Versions, now.Versions) && slices.Equal(l.told.Warnings, now.Warnings) {
		return nil
	}
	err := w.Queue.store.Try(ctx, func(ctx context.Context) error {
		return w.tell(ctx, kindLearned, run, note{Worker: w.ID, Learned: now})
	})
	if err == nil {
		l.told = now
	}
	return err
}

// telling stores what was learned before the records from which it was learned: the session ends
// with the last record, and then reads it.
type telling struct {
	run.Recorder
	tell func(context.Context) error
}

// Put implements [run.Recorder].
func (t telling) Put(ctx context.Context, recs ...assay.Record) error {
	if err := t.tell(ctx); err != nil {
		return err
	}
	return t.Recorder.Put(ctx, recs...)
}
