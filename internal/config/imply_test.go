package config_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/config"
)

func TestImply(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		set           map[string]string
		adapter, from string
	}{
		{nil, "builtin", "default"},
		{map[string]string{"endpoint": "http://h"}, "http", "implied by flag --endpoint"},
		{map[string]string{"endpoint": "http://h", "mcp.tool": "ask"}, "mcp", "implied by flag --mcp.tool"},
		{map[string]string{"endpoint": "http://h", "openai.model": "m"}, "openai", "implied by flag --openai.model"},
		{map[string]string{"preset": "chroma"}, "http", "implied by flag --preset"},
		{map[string]string{"command": "rag"}, "exec", "implied by flag --command"},
		{map[string]string{"command": "rag", "mcp.tool": "ask"}, "mcp", "implied by flag --mcp.tool"},
		{map[string]string{"object": "a.py:answer"}, "python", "implied by flag --object"},
		{map[string]string{"chain-path": "a.py:c"}, "langchain", "implied by flag --chain-path"},
		{map[string]string{"index-path": "dir"}, "llamaindex", "implied by flag --index-path"},
		{map[string]string{"responses": "r.jsonl"}, "recorded", "implied by flag --responses"},
		{map[string]string{"endpoint": "http://h", "adapter": "builtin"}, "builtin", "flag --adapter"}, // said is said
	} {
		r := config.Default()
		for key, v := range test.set {
			if err := r.Set(key, v, config.FromFlag, "flag --"+key); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Imply(); err != nil || r.Adapter != test.adapter || r.Origins["adapter"] != test.from {
			t.Errorf("%v: adapter %q from %q, %v; want %q from %q", test.set, r.Adapter, r.Origins["adapter"], err, test.adapter, test.from)
		}
	}
}
