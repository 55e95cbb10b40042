package accuracy

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/llm/prompt"
)

// readObject reads the members of the one JSON object of a reply.
func readObject(reply string) (out map[string]json.RawMessage, err error) {
	object, err := prompt.Object(reply)
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal(object, &out)
}

// number reads a field that is a number from 0 to top.
func number(object map[string]json.RawMessage, name string, top float64) (float64, error) {
	raw, ok := object[name]
	if !ok {
		return 0, fmt.Errorf("it has no field %q: want a number from 0 to %v", name, top)
	}
	var v *float64
	if json.Unmarshal(raw, &v) != nil || v == nil || !(*v >= 0 && *v <= top) {
		return 0, fmt.Errorf("%q is %s: want a number from 0 to %v", name, text.Shorten(string(raw), 40), top)
	}
	return math.Abs(*v), nil // no -0
}

// words reads a field that is a text; "" when it is not there.
func words(object map[string]json.RawMessage, name string) (string, error) {
	raw, ok := object[name]
	if !ok {
		return "", nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", fmt.Errorf("%q is %s: want a text", name, text.Shorten(string(raw), 40))
	}
	return strings.TrimSpace(s), nil
}

// readMarks reads the reply of a judge of key questions. Whatever it says the
// total is, the total is the sum.
func readMarks(reply string) (Scores, string, error) {
	object, err := readObject(reply)
	if err != nil {
		return Scores{}, "", err
	}
	comments, err := words(object, "comments")
	if err != nil {
		return Scores{}, "", err
	}
	// Models may put the scores below a field of that name, as the evaluation
	// itself has them.
	if inner, ok := object["scores"]; ok && strings.HasPrefix(strings.TrimSpace(string(inner)), "{") {
		if object, err = readObject(string(inner)); err != nil {
			return Scores{}, "", err
		}
	}
	var s Scores
	for _, d := range scheme {
		if *d.of(&s), err = number(object, d.name, d.most); err != nil {
			return Scores{}, "", err
		}
	}
	return s, comments, nil
}

// readRelevant reads which of n chunks are relevant, by their indices from 0, in
// order.
func readRelevant(reply string, n int) ([]bool, error) {
	const name = "relevant_chunk_indices"
	object, err := readObject(reply)
	if err != nil {
		return nil, err
	}
	raw, ok := object[name]
	if !ok {
		return nil, fmt.Errorf("it has no field %q: want the list of the indices of the relevant chunks", name)
	}
	var list []*float64
	if err := json.Unmarshal(raw, &list); err != nil || list == nil {
		return nil, fmt.Errorf("%q is %s: want a list of numbers", name, text.Shorten(string(raw), 40))
	}
	out := make([]bool, n)
	for _, v := range list {
		switch {
		case v == nil || *v != math.Trunc(*v) || *v < 0 || *v >= float64(n):
			return nil, fmt.Errorf("%q holds %s: want whole numbers from 0 to %d", name, shown(v), n-1)
		case out[int(*v)]:
			return nil, fmt.Errorf("%q holds %s twice: want each once", name, shown(v))
		}
		out[int(*v)] = true
	}
	return out, nil
}

func shown(v *float64) string {
	if v == nil {
		return "null"
	}
	return fmt.Sprint(*v)
}

// A comparison is what the reply to a comparison of answers holds.
type comparison struct {
	completeness, accuracy float64
	comments               string
}

// readComparison reads the two scores.
func readComparison(reply string) (c comparison, err error) {
	object, err := readObject(reply)
	if err != nil {
		return c, err
	}
	if c.completeness, err = number(object, "completeness_score", 1); err != nil {
		return c, err
	}
	if c.accuracy, err = number(object, "factual_accuracy_score", 1); err != nil {
		return c, err
	}
	c.comments, err = words(object, "comments")
	return c, err
}
