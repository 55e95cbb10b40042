package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/assay-eval/assay/internal/config"
)

func TestRewriteThresholds(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"run --fail-under-faithfulness 0.9":         "run --threshold=faithfulness=0.9",
		"run --fail-under-faithfulness=0.9 -q":      "run --threshold=faithfulness=0.9 -q",
		"run --fail-under-rbp(p=0.8)=0.5":           "run --threshold=rbp(p=0.8)=0.5",
		"run --fail-under-rbp(p=0.8) 0.5 --seed 1":  "run --threshold=rbp(p=0.8)=0.5 --seed 1",
		"run --fail-under 0.8 --fail-under-mrr 1":   "run --fail-under 0.8 --threshold=mrr=1",
		"run --name --fail-under-mrr 1":             "run --name --fail-under-mrr 1", // the run's name
		"run --name=x --fail-under-mrr 1":           "run --name=x --threshold=mrr=1",
		"run --offline --fail-under-mrr 1":          "run --offline --threshold=mrr=1",
		"run -- --fail-under-mrr 1":                 "run -- --fail-under-mrr 1",
		"run --fail-under-mrr":                      "run --fail-under-mrr", // pflag says what is wrong
		"run --fail-under-=1":                       "run --fail-under-=1",
		"run --fail-under-answer-relevance -0.5 -v": "run --threshold=answer-relevance=-0.5 -v",
	} {
		flags := pflag.NewFlagSet("run", pflag.ContinueOnError)
		addSettings(flags)
		got := rewriteThresholds(flags, strings.Fields(in))
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s becomes %v: want %s", in, got, want)
		}
	}
}

// Everything in the file that init writes can be used: without its signs of a
// comment it is a configuration, and gives the defaults where there are some.
func TestTemplateUncommented(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for line := range strings.Lines(configTemplate()) {
		// A remark has one blank after the sign, a setting none or two.
		if rest, ok := strings.CutPrefix(line, "#"); ok && (!strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "  ")) {
			line = rest
		}
		b.WriteString(line)
	}
	r := config.Default()
	if err := r.File("eval-config.yaml", []byte(b.String())); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	for _, s := range config.Settings {
		set := slices.ContainsFunc(r.Keys(), func(key string) bool {
			return (key == s.Key || strings.HasPrefix(key, s.Key+".")) && r.From(key) == config.FromFile
		})
		if set != (s.Default != "" || s.Example != "" || s.Key == "dataset" || s.Key == "corpus") {
			t.Errorf("%s: set is %v", s.Key, set)
		}
		if s.Default != "" && r.Get(s.Key) != config.Default().Get(s.Key) {
			t.Errorf("%s is %q: want the default", s.Key, r.Get(s.Key))
		}
	}
	if r.HTTP.Headers["Authorization"] != "Bearer none" || r.Thresholds["composite"] != 0.8 || r.Weights["faithfulness"] != 40 || r.Providers["local"].Kind != "openai" {
		t.Errorf("the examples are %+v", r.Config)
	}
	// As it stands, it sets what the sample needs and nothing else.
	r = config.Default()
	if err := r.File("eval-config.yaml", []byte(configTemplate())); err != nil {
		t.Fatal(err)
	}
	if got := len(r.Lines(false)); got != 4 {
		t.Errorf("%d settings: want dataset, corpus, adapter and retriever", got)
	}
}
