package wire

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
)

// opened is what is known of a target once it is open.
type opened struct {
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
var adapters = map[string]func(*Job, context.Context, *dataset.Dataset) (opened, error){
	"builtin":    (*Job).openBuiltin,
	"recorded":   (*Job).openRecorded,
	"http":       (*Job).openHTTP,
	"openai":     (*Job).openOpenAI,
	"mcp":        (*Job).openMCP,
	"exec":       (*Job).openExec,
	"langchain":  (*Job).openLangChain,
	"llamaindex": (*Job).openLlamaIndex,
}

func (j *Job) openTarget(ctx context.Context, data *dataset.Dataset) (opened, error) {
	open := adapters[j.cfg.Adapter]
	if j.world.Target != nil {
		open = (*Job).openGiven
	}
	o, err := open(j, ctx, data)
	if err != nil {
		return o, err
	}
	if o.info.Adapter == "" {
		o.info.Adapter = j.cfg.Adapter
	}
	if c, ok := j.target.(io.Closer); ok {
		j.close = c.Close
	}
	return o, j.translate(&o)
}

// translate renames documents as the data set names them, when a file says how.
func (j *Job) translate(o *opened) error {
	if j.cfg.DocumentMap == "" {
		return nil
	}
	f, err := os.Open(j.world.Path(j.cfg.DocumentMap))
	if err != nil {
		return fmt.Errorf("document map: %w", err)
	}
	defer f.Close()
	names, err := readDocumentMap(f, j.cfg.DocumentMap)
	if err != nil {
		return fmt.Errorf("document map: %w", err)
	}
	j.target = target.Translated{Target: j.target, Map: names}
	o.info.Settings = with(o.info.Settings, "document map", j.cfg.DocumentMap)
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
