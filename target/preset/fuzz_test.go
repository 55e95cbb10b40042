package preset_test

import (
	"testing"

	"github.com/assay-eval/assay/target/preset"
)

// Whatever a user gives as a value, a preset is filled in or says what is wrong,
// and never loses a value that must be given.
func FuzzConfig(f *testing.F) {
	for _, name := range preset.Names() {
		f.Add(name, "http://h:1", "a, b", "payload.text")
	}
	f.Add("qdrant", "http://h?a=b?c", "{{question}}", `["a.b"]`)
	f.Add("weaviate-hybrid", "?", "1e5", "[]")
	f.Fuzz(func(t *testing.T, name, endpoint, a, b string) {
		p, err := preset.Load(name)
		if err != nil {
			return
		}
		values := map[string]string{}
		for i, v := range p.Values {
			values[v.Name] = []string{a, b}[i%2]
		}
		filled, err := p.Fill(values)
		if err != nil {
			if _, err := p.Config(endpoint, values); err == nil {
				t.Errorf("Config takes what Fill does not: %v", values)
			}
			return
		}
		for _, v := range filled.Values {
			if v.Required && v.Set == nil {
				t.Errorf("%s of %s is required and not set: %v", v.Name, name, values)
			}
		}
		// Paths that do not parse are Config's to find.
		_, _ = p.Config(endpoint, values)
	})
}
