package target

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/template"
)

// Names of the placeholders that a case provides. embedding is the vector of its
// question, for a target with an embedder.
const (
	valueQuestion  = "question"
	valueID        = "id"
	valueTopK      = "top_k"
	valueMetadata  = "metadata"
	valueTags      = "tags"
	valueEmbedding = "embedding"
)

// jsonLine encodes a value as one line of JSON with its line end.
func jsonLine(v any) ([]byte, error) {
	line, err := template.Marshal(v)
	return append(line, '\n'), err
}

// caseValues returns the placeholder values for a case: its own and the user's. A topK
// below 1 becomes null, so that a default applies.
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

// checkValues checks the user's values and the placeholders without a default when a
// target is made. The names that a case provides cannot be redefined; metadata is
// checked only when a case is asked. also lists further names that will have a value
// then.
func checkValues(more map[string]any, names []string, also ...string) error {
	for _, own := range []string{valueQuestion, valueID, valueTopK, valueMetadata, valueTags, valueEmbedding} {
		if _, taken := more[own]; taken {
			return fmt.Errorf("value %q: the case itself provides this value; use another name", own)
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
