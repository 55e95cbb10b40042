package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

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
		"run --fail-under-mrr":                      "run --threshold=mrr=", // which is said to want a number
		"run --fail-under-=1":                       "run --fail-under-=1",
		"run --fail-under-answer-relevance -0.5 -v": "run --threshold=answer-relevance=-0.5 -v",
	} {
		cmd := &cobra.Command{Use: "run"}
		addSettings(cmd)
		got := rewriteThresholds(cmd.Flags(), strings.Fields(in))
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s becomes %v: want %s", in, got, want)
		}
	}
}

// What a report says under "to reproduce" can be typed.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	cmd := &cobra.Command{Use: "run"}
	addSettings(cmd)
	flags := cmd.Flags()
	typed := strings.Fields("--fail-under 0.8 --fail-under-mrr 1 --threshold rbp(p=0.8)=0.5 --value a=1,2 --value api_key=hush --header " +
		"X-A:b --tags x --tags y --offline")
	if err := flags.Parse(rewriteThresholds(flags, typed)); err != nil {
		t.Fatal(err)
	}
	got := commandLine("run", flags)
	want := []string{
		"assay", "run", "--fail-under=0.8", "--threshold=mrr=1", "--threshold=rbp(p=0.8)=0.5", "--value=a=1,2", "--value=api_key=[secret]",
		"--header=X-A: [secret]", "--tags=x,y", "--offline=true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	second := &cobra.Command{Use: "run"}
	addSettings(second)
	again := second.Flags()
	if err := again.Parse(got[2:]); err != nil {
		t.Fatal(err)
	}
	r := config.Default()
	for _, name := range []string{"threshold", "value", "tags"} {
		if err := again.Lookup(name).Value.(*settingFlag).apply(r, true); err != nil {
			t.Error(err)
		}
	}
	if r.Thresholds["composite"] != 0.8 || r.Thresholds["mrr"] != 1 || r.Thresholds["rbp(p=0.8)"] != 0.5 || r.Values["a"] != "1,2" {
		t.Errorf("typed again, it sets %v and %v", r.Thresholds, r.Values)
	}
}

// Everything in the file that init writes can be used: without its signs of a
// comment it is a configuration, and gives the defaults where there are some.
func TestTemplateUncommented(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	template, err := sample(defaultConfig)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(template) {
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
	if r.HTTP.Headers["Authorization"] != "Bearer none" || r.Thresholds["composite"] != 0.8 || r.Weights["faithfulness"] != 40 ||
		r.Providers["local"].Kind != "openai" {
		t.Errorf("the examples are %+v", r.Config)
	}
	for _, name := range []string{"short", "long"} {
		if err := r.Apply(name); err != nil {
			t.Error(err)
		}
	}
	if len(r.Named()) != 2 || r.Chunk.Size != 320 || r.TopK != 10 || r.Retriever != "dense" {
		t.Errorf("configs %q give %+v", r.Named(), r.Config)
	}
	// As it stands, it sets what the sample needs and nothing else.
	r = config.Default()
	if err := r.File("eval-config.yaml", []byte(template)); err != nil {
		t.Fatal(err)
	}
	if got := len(r.Lines(false)); got != 4 {
		t.Errorf("%d settings: want dataset, corpus, adapter and retriever", got)
	}
}
