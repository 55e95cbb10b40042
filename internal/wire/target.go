package wire

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/adapter"
)

// opened is a target that an adapter has opened.
type opened struct{ adapter.Opened }

// A selection is a dataset and the cases of it that are asked.
type selection struct {
	data  *dataset.Dataset
	cases *assay.Cases
}

func (w *wiring) openTarget(ctx context.Context, s *selection) (opened, error) {
	open := adapter.Find(w.cfg.Adapter).Open
	if w.world.Target != nil {
		open = openCallerTarget(w.world.Target)
	}
	got, err := open(ctx, w.env(s))
	if err != nil {
		return opened{}, err
	}
	o := opened{got}
	if o.Info.Adapter == "" {
		o.Info.Adapter = w.cfg.Adapter
	}
	o.Info.Metered = o.Free || o.Rehearsed
	if err := w.translate(&o); err != nil {
		return opened{}, errors.Join(err, o.close())
	}
	return o, nil
}

// env returns the environment in which an adapter is opened. s is nil outside
// of a run.
func (w *wiring) env(s *selection) *adapter.Env {
	e := &adapter.Env{
		Settings: w.cfg.Settings, Adapter: w.cfg.Adapter, TopK: w.cfg.TopK, Concurrency: w.cfg.Concurrency, Offline: w.cfg.Offline,
		Dataset: w.cfg.Dataset, Split: w.cfg.Split, SkipInvalid: w.cfg.SkipInvalid, Path: w.world.Path, Getenv: w.world.Getenv, Now: w.world.Now, Stderr: w.world.Stderr,
		Caller: w.world.Caller, Version: w.world.Version, Secrets: w.secrets, Shown: w.shown, Sampler: w.sampler(), Embedder: w.embedder,
		Model: func(spec string) (llm.Provider, llm.Request, error) {
			open := w.models.Open
			if w.cfg.Sampler == "" && spec == w.sampler() {
				open = func(spec string) (Model, error) { return w.models.open(spec, w.models.judgesAt()) } // few servers ask for samples
			}
			m, err := open(spec)
			return m.Provider, m.Base, err
		},
	}
	if s != nil {
		e.Cases, e.Recorded, e.Failures = s.cases, s.data.Responses, s.data.Failures
		e.Pipeline = func(ctx context.Context) (adapter.Opened, error) { return w.openBuiltin(ctx, s) }
	}
	return e
}

// sampler returns the model that answers an MCP server's sampling requests: the
// one that the settings name, or else the first judge that is a model.
func (w *wiring) sampler() string {
	if w.cfg.Sampler != "" {
		return w.cfg.Sampler
	}
	if models(w.cfg) {
		return w.cfg.Judges[0]
	}
	return ""
}

// shown removes secrets from the value of a setting that goes into a report:
// values that are secret by their setting or name, however short, and known
// secrets anywhere.
func (w *wiring) shown(key, value string) string {
	if set, err := config.Find(key); err == nil {
		value = set.Shown(value)
	}
	return w.secrets.Scrub(value)
}

// translate renames the target's documents to the names of the dataset, if a
// file maps them.
func (w *wiring) translate(o *opened) error {
	if w.cfg.DocumentMap == "" {
		return nil
	}
	f, err := os.Open(w.world.read(w.cfg.DocumentMap))
	if err != nil {
		return config.About("document-map", fmt.Errorf("document map: %w", err))
	}
	defer f.Close()
	names, err := readDocumentMap(f, w.cfg.DocumentMap)
	if err != nil {
		return config.About("document-map", fmt.Errorf("document map: %w", err))
	}
	o.Target = target.Translated{Target: o.Target, Map: names}
	o.Info.Settings = adapter.With(o.Info.Settings, "document map", w.cfg.DocumentMap)
	return nil
}
