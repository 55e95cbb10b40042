package llm_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
)

func open(t *testing.T, kind string, o llm.Options) llm.Provider {
	t.Helper()
	p, err := llm.Open(kind, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// env is an environment of the given names and values.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

type object map[string]any

func (o object) json() []byte {
	data, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return data
}

// at walks down a JSON value; nil when something is missing.
func at(v any, path ...string) any {
	for _, name := range path {
		fields, _ := v.(map[string]any)
		v = fields[name]
	}
	return v
}

// textsOf gives the texts of a list of blocks.
func textsOf(blocks any) []string {
	var texts []string
	list, _ := blocks.([]any)
	for _, b := range list {
		texts = append(texts, at(b, "text").(string))
	}
	return texts
}

// chat reads a call whose body has a model and messages with a content each.
func chat(c llmtest.Call) llmtest.Asked {
	asked := llmtest.Asked{Model: c.Body["model"].(string)}
	for _, m := range c.Body["messages"].([]any) {
		asked.Texts = append(asked.Texts, at(m, "content").(string))
	}
	return asked
}

// chatReserved are the fields of such a body that extra fields must not set.
var chatReserved = []string{"model", "messages", "system", "stream"}

// in gives a reason for the end of a reply in the words of a protocol.
func in(words map[string]string, stop string) string {
	if w := words[stop]; w != "" {
		return w
	}
	return stop
}

// Every protocol passes the conformance kit, in the test beside its file.
func TestProtocolsConform(t *testing.T) {
	t.Parallel()
	for _, p := range llm.Protocols {
		test, err := os.ReadFile(p.Kind + "_test.go")
		if err != nil || !strings.Contains(string(test), "llmtest.Run(") || !strings.Contains(string(test), fmt.Sprintf("%q", p.Kind)) {
			t.Errorf("%s: %v: want llmtest.Run in %[1]s_test.go", p.Kind, err)
		}
		if p.Doc == "" || p.BaseURL == "" || p.Example == "" {
			t.Errorf("%s: %+v: want a doc, a base URL and an example", p.Kind, p)
		}
	}
}
