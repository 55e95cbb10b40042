//go:build results

package offline

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// A row is an answer or a question with its human labels.
type row struct {
	ID       string
	Question string
	// Contexts are the passages, References the reference answers.
	Contexts   []string
	Answer     string
	Reference  string
	References stringList
	Model      string
	Dataset    string
	Split      string
	Answer1    string
	Answer2    string
	Labels     map[string]any
	Auto       map[string]any
	Outputs    map[string]string
}

// A stringList is a list of strings, or a string that holds one as JSON.
type stringList []string

func (l *stringList) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		b = []byte(s)
	}
	return json.Unmarshal(b, (*[]string)(l))
}

// group is the unit that must not be in both halves: the conversation of MT-RAG, whose
// questions share their passages, else the question.
func (r *row) group() string {
	if conversation, _, ok := strings.Cut(r.ID, "<::>"); ok && strings.HasPrefix(r.ID, "mtrag") {
		return conversation
	}
	return r.Question
}

// train reports whether a row is in the training half, by a hash of its group. All
// published figures are of the other half.
func (r *row) train() bool {
	h := sha256.Sum256([]byte("assay offline judge\n" + r.group()))
	return h[0]%2 == 0
}

// mean is the mean of a label that is a list of ratings.
func (r *row) mean(label string) float64 {
	list := r.Labels[label].([]any)
	sum := 0.0
	for _, x := range list {
		sum += x.(float64)
	}
	return sum / float64(len(list))
}

// readRows reads a dataset, one row a line.
func readRows(r io.Reader) ([]row, error) {
	var out []row
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("line %d: %w: %.200s", len(out)+1, err, lines.Text())
		}
		out = append(out, r)
	}
	return out, lines.Err()
}
