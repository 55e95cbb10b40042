package prompt

import (
	"encoding/json"
	"testing"
)

// What a model wrote in another form is read as what it is; what could mean two
// things, or is no value of the field at all, stays, and is refused later.
func TestMend(t *testing.T) {
	t.Parallel()
	s, err := compile("s.json", `{"type":"object","properties":{
		"id":{"type":"integer"},"holds":{"type":"boolean"},"verdict":{"type":"string","enum":["supported","not_found"]},"why":{"type":"string"},
		"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"}}}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	for give, want := range map[string]string{
		`{"id":"7"}`:                          `{"id":7}`,
		`{"id":2.0}`:                          `{"id":2}`,
		`{"id":"-3"}`:                         `{"id":-3}`,
		`{"id":2.5}`:                          `{"id":2.5}`,
		`{"id":"one"}`:                        `{"id":"one"}`,
		`{"id":"1e3"}`:                        `{"id":"1e3"}`,
		`{"id":1e400000000}`:                  `{"id":1e400000000}`,
		`{"id":true}`:                         `{"id":true}`,
		`{"holds":"True"}`:                    `{"holds":true}`,
		`{"holds":"no"}`:                      `{"holds":"no"}`,
		`{"holds":1}`:                         `{"holds":1}`,
		`{"verdict":"Not found"}`:             `{"verdict":"not_found"}`,
		`{"verdict":" SUPPORTED "}`:           `{"verdict":"supported"}`,
		`{"verdict":"supported, not found"}`:  `{"verdict":"supported, not found"}`,
		`{"why":"Not found"}`:                 `{"why":"Not found"}`,
		`{"other":"1","id":1}`:                `{"other":"1","id":1}`,
		`{"items":[{"id":"1"},{"id":2},"x"]}`: `{"items":[{"id":1},{"id":2},"x"]}`,
		`{"items":{"id":"1"}}`:                `{"items":{"id":"1"}}`,
		`[1]`:                                 `[1]`,
		`{`:                                   `{`,
		``:                                    ``,
	} {
		if got := s.mend(json.RawMessage(give)); string(got) != want {
			t.Errorf("%s became %s: want %s", give, got, want)
		}
	}
	if s.mend(nil) != nil {
		t.Error("nothing became something")
	}
}
