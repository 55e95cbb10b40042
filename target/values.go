package target

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/template"
)

// The names of placeholders that a case brings. embedding is the vector of its
// question, for a target that has an embedder.
const (
	valueQuestion  = "question"
	valueID        = "id"
	valueTopK      = "top_k"
	valueMetadata  = "metadata"
	valueTags      = "tags"
	valueEmbedding = "embedding"
)

// jsonLine writes a value as one line of JSON, with its end, and without the
// escapes that only a web page needs.
func jsonLine(v any) ([]byte, error) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	err := to.Encode(v)
	return b.Bytes(), err
}

// caseValues are the values of the placeholders for a case: its own and the
// user's. A topK below 1 is null, so that a default holds.
func caseValues(c *assay.Case, topK int, more map[string]any) map[string]any {
	v := make(map[string]any, len(more)+6)
	maps.Copy(v, more)
	metadata := c.Metadata
	if metadata == nil {
		metadata = map[string]any{}
	}
	tags := make([]any, len(c.Tags))
	for i, tag := range c.Tags {
		tags[i] = tag
	}
	v[valueQuestion], v[valueID], v[valueMetadata], v[valueTags], v[valueTopK] = c.Question, c.ID, metadata, tags, nil
	if topK >= 1 {
		v[valueTopK] = topK
	}
	return v
}

// checkValues checks, when a target is made, the values that a user gave and the
// placeholders without a default that they are for. The case's own names cannot
// be given; what its metadata holds is known only when it is asked. also lists
// names that will have a value then.
func checkValues(more map[string]any, names []string, also ...string) error {
	for _, own := range []string{valueQuestion, valueID, valueTopK, valueMetadata, valueTags, valueEmbedding} {
		if _, taken := more[own]; taken {
			return fmt.Errorf("value %q: the name is that of a case's own value: want another one", own)
		}
	}
	known := caseValues(&assay.Case{}, 1, more)
	for _, name := range also {
		if _, taken := more[name]; !taken {
			known[name] = ""
		}
	}
	for _, name := range names {
		root, _, _ := strings.Cut(name, ".")
		_, whole := known[name]
		if !whole && (root == valueMetadata || root == valueTags || slices.Contains(also, root)) {
			continue
		}
		if _, err := template.Find(known, name); err != nil {
			return err
		}
	}
	return nil
}
