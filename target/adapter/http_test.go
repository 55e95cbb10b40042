package adapter

import (
	"testing"

	"github.com/assay-eval/assay/metric"
)

func TestReadReplacesPathsOfAPresetOneByOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		preset, value  string
		passages, text string
		reports        metric.Part
	}{
		{"dify", "api_key", "metadata.retriever_resources[]", "content", Anything},
		{"elasticsearch", "index", "hits.hits[]", "_source.text", metric.ReadAnswer | metric.ReadPassages},
		{"langserve", "", "", "", metric.ReadAnswer}, // it has no paths
	} {
		e := Env{Adapter: "http", Settings: Settings{Preset: c.preset, Endpoint: "http://localhost", Read: map[string]string{"answer": "x"}},
			Shown: func(_, v string) string { return v }, Path: func(p string) string { return p }}
		if c.value != "" {
			e.Values = map[string]string{c.value: "v"}
		}
		got, o, err := e.httpConfig()
		if err != nil {
			t.Fatal(err)
		}
		if p := got.Read.Paths(); p["answer"] != "x" || p["passages"] != c.passages || p["text"] != c.text || o.Reports != c.reports {
			t.Errorf("%s: reports %v, reads %v", c.preset, o.Reports, p)
		}
	}
}
