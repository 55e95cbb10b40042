package server

import (
	"context"

	"github.com/assay-eval/assay/internal/web"
)

// Watches implements [web.WatchBackend].
func (b pageBackend) Watches(ctx context.Context) (out []web.Watch, _ error) {
	states, running, err := b.s.allWatches(ctx)
	for i, st := range states {
		out = append(out, web.Watch{State: st, Running: running[i]})
	}
	return out, b.s.fail(ctx, err)
}

// Watch implements [web.WatchBackend].
func (b pageBackend) Watch(ctx context.Context, name string) (web.Watch, error) {
	st, running, err := b.s.watch(ctx, name)
	if err != nil {
		return web.Watch{}, b.s.orAbsent(ctx, err, "watch", name)
	}
	st.Trouble = b.s.cfg.Settings.Secrets().Scrub(st.Trouble)
	return web.Watch{State: st, Running: running}, nil
}
