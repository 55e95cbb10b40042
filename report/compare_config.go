package report

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
)

// A Setting is one that differs between the runs of a comparison.
type Setting struct {
	Key string
	// Values has one entry per run, "" if the run has no such setting.
	Values []string
}

// unmoving are settings that differ between any two runs and affect no number.
var unmoving = []string{"name", "output", "formats", "junit", "csv", "github", "store", "language"}

// Settings returns the settings that differ between runs, by name: first those of the
// resolved configuration, then those that the target reports and the configuration
// does not have, then anything else that can change a number. Runs without a
// configuration, such as baseline files, are ignored in the first two.
func (c *Comparison) Settings(w words.Words) []Setting {
	n := w.Names().SettingNames
	keys := map[string]bool{}
	told := map[string]bool{}
	for _, r := range c.Reports {
		for k := range r.Header.Config {
			keys[k] = true
		}
		for k := range r.Header.Target.Settings {
			told[k] = true
		}
	}
	for _, k := range unmoving {
		delete(keys, k)
	}
	var out []Setting
	add := func(key string, matters func(*Report) bool, value func(assay.Header) string) {
		s := Setting{Key: key}
		var first *string
		differ := false
		for _, r := range c.Reports {
			v := value(r.Header)
			s.Values = append(s.Values, v)
			if !matters(r) {
				continue
			}
			differ = differ || first != nil && *first != v
			first = &v
		}
		if differ {
			out = append(out, s)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		add(k, func(r *Report) bool { return r.Header.Config != nil }, func(h assay.Header) string { return h.Config[k] })
	}
	for _, k := range slices.Sorted(maps.Keys(told)) {
		if keys[strings.ReplaceAll(k, "_", "-")] {
			continue
		}
		// A target leaves out settings that do not apply to it: a retriever without
		// vectors names no embedder.
		add(n.Target+" "+k, func(r *Report) bool { _, has := r.Header.Target.Settings[k]; return has },
			func(h assay.Header) string { return h.Target.Settings[k] })
	}
	known := func(value func(assay.Header) string) func(*Report) bool {
		return func(r *Report) bool { return value(r.Header) != "" }
	}
	for _, f := range []struct {
		key   string
		value func(assay.Header) string
	}{
		{"assay", func(h assay.Header) string { return h.Version }},
		{n.Dataset, func(h assay.Header) string { return h.Dataset.Hash }},
		{n.Cases, func(h assay.Header) string { return strconv.Itoa(h.Dataset.Cases) }},
		{n.Corpus, func(h assay.Header) string {
			if h.Corpus == nil {
				return ""
			}
			return h.Corpus.Hash
		}},
		{n.Embedder, func(h assay.Header) string { return h.Embedder }},
	} {
		key := f.key
		if key == n.Corpus && keys["corpus"] {
			key += ", " + n.Content
		}
		add(key, known(f.value), f.value)
	}
	add(n.Judge, func(*Report) bool { return true }, func(h assay.Header) string {
		return judgeVersion(w.Names().Provenance, h.Judge, assay.PromptsOf(h.Metrics))
	})
	return out
}
