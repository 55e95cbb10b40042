package server

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/progress"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// pages adds the web interface.
func (s *Server) pages() {
	s.screen = web.New(web.Config{
		Backend: pageBackend{s}, Language: s.cfg.Settings.Language, Tokens: s.cfg.Tokens, Now: s.now, Patience: s.cfg.Patience, Problem: s.fail,
	})
	for _, r := range s.screen.Routes() {
		scope := ScopeRead
		switch {
		case r.Open:
			scope = ScopeNone
		case r.Label:
			scope = ScopeLabel
		case r.Run:
			scope = ScopeRun
		}
		s.screens[r.Pattern] = true
		s.page(r.Pattern, scope, r.Handler)
	}
}

// pageBackend gives the pages what the API gives its clients. The pages turn its errors into
// problems.
type pageBackend struct{ s *Server }

// Runs implements [web.Backend].
func (b pageBackend) Runs(ctx context.Context, q store.RunQuery) ([]web.Run, int, error) {
	hs, total, err := b.s.runPage(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	out, err := b.measured(ctx, hs...)
	return out, total, err
}

// Run implements [web.Backend].
func (b pageBackend) Run(ctx context.Context, id string) (web.Run, error) {
	h, err := b.s.header(ctx, id)
	if err != nil {
		return web.Run{}, err
	}
	out, err := b.measured(ctx, h)
	if err != nil {
		return web.Run{}, err
	}
	if out == nil { // deleted meanwhile
		return web.Run{}, absent("run", id)
	}
	return out[0], nil
}

// measured returns runs with their means, without those that are deleted meanwhile.
func (b pageBackend) measured(ctx context.Context, hs ...assay.Header) (out []web.Run, _ error) {
	means, err := b.s.meansOf(ctx, hs)
	if err != nil {
		return nil, err
	}
	for i, h := range hs {
		r, err := b.s.counted(ctx, h)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r.Means = means[i]
		out = append(out, r)
	}
	return out, nil
}

// counted returns a run with the number of its records.
func (s *Server) counted(ctx context.Context, h assay.Header) (web.Run, error) {
	n, err := wire.RecordsOf(s.store, h).Counts(ctx, h.ID)
	return web.Run{Header: h, Done: n.Records, Failed: n.Failed}, err
}

// Named implements [web.Backend].
func (b pageBackend) Named(ctx context.Context, ref string) (string, error) {
	h, err := b.s.store.Run(ctx, ref)
	return h.ID, b.s.orAbsent(ctx, err, "run", ref)
}

// RunSections implements [web.Backend].
func (b pageBackend) RunSections(
	ctx context.Context, h assay.Header, key string, write func(io.Writer, *report.Report) error,
) ([]byte, error) {
	if h.State == stateRunning {
		return b.sectionsSoFar(ctx, h, key, write)
	}
	release, err := b.s.renders.take(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	kept, err := b.s.reportKey(ctx, h, "page", key)
	if err != nil {
		return nil, err
	}
	return b.s.readRendered(ctx, kept, func(w io.Writer) error {
		progress.Of(ctx).Start(h.Asked())
		rep, err := b.s.report(ctx, h)
		if err != nil {
			return err
		}
		return write(w, rep)
	})
}

// readRendered returns a part of a page, which write writes if it is not kept under the key.
func (s *Server) readRendered(ctx context.Context, key string, write func(io.Writer) error) ([]byte, error) {
	text, _, done, err := s.rendered.of(ctx, key, write)
	if err != nil {
		return nil, err
	}
	defer done()
	return io.ReadAll(text)
}

// sectionsSoFar returns the sections of a run that goes on. Many readers who follow it share
// what one of them asked for, which can be of fewer cases than are done.
func (b pageBackend) sectionsSoFar(
	ctx context.Context, h assay.Header, key string, write func(io.Writer, *report.Report) error,
) ([]byte, error) {
	n, err := wire.RecordsOf(b.s.store, h).Counts(ctx, h.ID)
	if err != nil {
		return nil, err
	}
	shared := assay.Header{ID: h.ID + " " + key, State: h.State}
	return b.s.fragments.of(ctx, shared, n.Records, func() ([]byte, error) {
		rep, err := b.s.reportSoFar(ctx, h)
		if err != nil {
			return nil, err
		}
		var body bytes.Buffer
		err = write(&body, rep)
		return body.Bytes(), err
	})
}

// Record implements [web.Backend].
func (b pageBackend) Record(ctx context.Context, h assay.Header, caseID string) (assay.Record, error) {
	return b.s.record(ctx, h, caseID)
}

// Comparison implements [web.Backend].
func (b pageBackend) Comparison(ctx context.Context, runs, baseline, primary string) (web.Comparison, error) {
	return b.s.comparison(ctx, Compared{Runs: runs, Baseline: baseline, Primary: primary})
}
