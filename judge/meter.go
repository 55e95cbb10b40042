package judge

import (
	"context"
	"slices"
	"sync"

	"github.com/assay-eval/assay"
)

// A Meter counts what judging one case consumes. It is safe for concurrent use.
type Meter struct {
	mu       sync.Mutex
	spent    assay.Spending
	warnings []string
	calls    []string
}

type meterKey struct{}

// WithMeter returns a context whose calls are counted by m.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// metered calls add with the meter of ctx, if it has one.
func metered(ctx context.Context, add func(*Meter)) {
	if m, ok := ctx.Value(meterKey{}).(*Meter); ok {
		m.mu.Lock()
		defer m.mu.Unlock()
		add(m)
	}
}

// Count adds to the meter of ctx. Judges with costs call it for every reply and for every
// question that they give up.
func Count(ctx context.Context, s assay.Spending) { metered(ctx, func(m *Meter) { m.spent.Add(s) }) }

// Called adds the ledger keys of calls to the meter of ctx: of all calls whose replies were
// read, whoever paid for them.
func Called(ctx context.Context, keys ...string) {
	metered(ctx, func(m *Meter) { m.calls = append(m.calls, keys...) })
}

// Warn adds a remark about the case, once, to the meter of ctx.
func Warn(ctx context.Context, warning string) {
	metered(ctx, func(m *Meter) {
		if !slices.Contains(m.warnings, warning) {
			m.warnings = append(m.warnings, warning)
		}
	})
}

// Total returns the counts and the remarks so far.
func (m *Meter) Total() (assay.Spending, []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent, slices.Sorted(slices.Values(m.warnings))
}

// Calls returns the keys of the calls so far, sorted, each once. Calls are made at the same
// time, so their order means nothing.
func (m *Meter) Calls() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(m.calls)))
}
