package wire

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
)

// opened is what is known of a target once it is open.
type opened struct {
	target assay.Target
	info   assay.TargetInfo
	corpus *assay.CorpusInfo
	// reports are the parts of a response that the target gives, or may give
	// when nobody knows.
	reports  metric.Part
	warnings []string
	// depth is the most passages that the target returns; 0 when not known.
	depth int
	// free is set when asking costs nothing: no model, no other machine.
	free bool
	// rehearsed is set when asking costs nothing but calls of models that the
	// job opened, so that it is free with a stand-in for them.
	rehearsed bool
}

// adapters lists the ways to reach a target. Those of other systems are in
// remote.go.
var adapters = map[string]func(*wiring, context.Context, *selection) (opened, error){
	"builtin":    (*wiring).openBuiltin,
	"recorded":   (*wiring).openRecorded,
	"http":       (*wiring).openHTTP,
	"openai":     (*wiring).openOpenAI,
	"mcp":        (*wiring).openMCP,
	"exec":       (*wiring).openExec,
	"langchain":  (*wiring).openLangChain,
	"llamaindex": (*wiring).openLlamaIndex,
}

// A selection is a data set, and the cases of it that are asked.
type selection struct {
	data  *dataset.Dataset
	cases []assay.Case
}

func (w *wiring) openTarget(ctx context.Context, s *selection) (opened, error) {
	open := adapters[w.cfg.Adapter]
	if w.world.Target != nil {
		open = (*wiring).openGiven
	}
	o, err := open(w, ctx, s)
	if err != nil {
		return opened{}, err
	}
	if o.info.Adapter == "" {
		o.info.Adapter = w.cfg.Adapter
	}
	if err := w.translate(&o); err != nil {
		return opened{}, errors.Join(err, o.close())
	}
	return o, nil
}

// translate renames documents as the data set names them, when a file says how.
func (w *wiring) translate(o *opened) error {
	if w.cfg.DocumentMap == "" {
		return nil
	}
	f, err := os.Open(w.world.Path(w.cfg.DocumentMap))
	if err != nil {
		return fmt.Errorf("document map: %w", err)
	}
	defer f.Close()
	names, err := readDocumentMap(f, w.cfg.DocumentMap)
	if err != nil {
		return fmt.Errorf("document map: %w", err)
	}
	o.target = target.Translated{Target: o.target, Map: names}
	o.info.Settings = with(o.info.Settings, "document map", w.cfg.DocumentMap)
	return nil
}

// with adds a setting that is not empty.
func with(settings map[string]string, key, value string) map[string]string {
	if value == "" {
		return settings
	}
	if settings == nil {
		settings = map[string]string{}
	}
	settings[key] = value
	return settings
}
