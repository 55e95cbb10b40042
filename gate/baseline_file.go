package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/schema"
)

var baselineFormat = schema.Format{Noun: "baseline", Schema: BaselineSchema}

// ReadBaseline reads a baseline file. Errors say what is wrong and where. Unknown
// members and duplicate keys are errors, because a file that was merged by hand or by
// git could have them; so is a file of a later version of the format.
func ReadBaseline(r io.Reader) (*Baseline, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if line := conflict(data); line > 0 {
		return nil, fmt.Errorf("baseline: line %d: a merge that git left unfinished: take one of the sides, or save the baseline again", line)
	}
	if data, err = baselineFormat.Check(data); err != nil {
		return nil, err
	}
	if err := new(walker).all(data); err != nil {
		return nil, err
	}
	var b Baseline
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&b); err != nil {
		if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return nil, fmt.Errorf("baseline: line %d: %s is no member of a baseline of schema %q",
				schema.Line(data, dec.InputOffset()), name, BaselineSchema)
		}
		return nil, baselineFormat.Located(data, err)
	}
	places := sync.OnceValue(func() map[string]int64 {
		w := &walker{places: map[string]int64{}}
		_ = w.all(data) // it found nothing before
		return w.places
	})
	where := func(path ...string) string {
		if at, ok := places()[strings.Join(path, "\x00")]; ok {
			return fmt.Sprintf("baseline: line %d: ", schema.Line(data, at))
		}
		return "baseline: "
	}
	if err := b.check(where); err != nil {
		return nil, err
	}
	if err := b.agree(where); err != nil {
		return nil, err
	}
	b.rename()
	return &b, nil
}

// rename gives the metrics of a baseline their present names, see [assay.MetricName], so
// that what was approved under a former name still counts.
func (b *Baseline) rename() {
	for _, was := range slices.Collect(maps.Keys(b.Metrics)) {
		now := assay.MetricName(was)
		if b.Metrics[now] != nil {
			continue
		}
		b.Metrics[now] = b.Metrics[was]
		delete(b.Metrics, was)
		for _, values := range b.Cases {
			if v, ok := values[was]; ok {
				values[now] = v
				delete(values, was)
			}
		}
	}
}

// agree returns an error if a mean is not that of the cases, as in a file that was
// edited by hand or merged from two.
func (b *Baseline) agree(where func(path ...string) string) error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(b.Metrics)) {
		m := b.Metrics[name]
		sum, n := 0.0, 0
		for _, values := range b.Cases {
			if v, ok := values[name]; ok {
				sum, n = sum+v, n+1
			}
		}
		// A pooled mean is computed from counts.
		if m.Pooled || n == 0 && m.N == 0 {
			continue
		}
		if n != m.N {
			problems = append(problems, fmt.Errorf("%smetric %q: n %d, but under \"cases\" it has %d: save the baseline again",
				where("metrics", name), name, m.N, n))
		} else if mean := sum / float64(n); math.Abs(mean-m.Mean) > 1e-6*max(1, math.Abs(mean)) {
			problems = append(problems, fmt.Errorf("%smetric %q: mean %g, but that under \"cases\" is %.6g: save the baseline again",
				where("metrics", name), name, m.Mean, mean))
		}
	}
	return errors.Join(problems...)
}

// Write writes the baseline as JSON with sorted keys and one line per metric and per
// case, so that a change of one case changes one line. The file ends with a line
// break. Equal baselines are written as equal bytes.
func (b *Baseline) Write(w io.Writer) error {
	if err := b.check(func(...string) string { return "baseline: " }); err != nil {
		return err
	}
	var out bytes.Buffer
	var failed error
	inline := func(v any) string {
		s, err := inline(v)
		failed = errors.Join(failed, err)
		return s
	}
	out.WriteString("{\n")
	member := func(name string, v any) { fmt.Fprintf(&out, "  %q: %s,\n", name, inline(v)) }
	member("schema", b.Schema)
	member("run", b.Run)
	if b.Name != "" {
		member("name", b.Name)
	}
	member("created", b.Created)
	member("assay", b.Version)
	if b.Reason != "" {
		member("reason", b.Reason)
	}
	member("dataset", b.Dataset)
	if b.Corpus != "" {
		member("corpus", b.Corpus)
	}
	if b.Judge != nil {
		member("judge", b.Judge)
	}
	if len(b.Canaries) > 0 {
		member("canaries", b.Canaries)
	}
	if b.Embed != "" {
		member("embedder", b.Embed)
	}
	if len(b.Failed) > 0 {
		member("failed", b.Failed)
	}
	lines(&out, "metrics", b.Metrics, inline)
	out.WriteString(",\n")
	cases := make(map[string]map[string]float64, len(b.Cases))
	for id, values := range b.Cases {
		// A nil map would be null, which looks like a mistake.
		cases[id] = map[string]float64{}
		maps.Copy(cases[id], values)
	}
	lines(&out, "cases", cases, inline)
	if b.Groups != nil {
		out.WriteString(",\n")
		lines(&out, "groups", b.Groups, inline)
	}
	out.WriteString("\n}\n")
	if failed != nil {
		return fmt.Errorf("baseline: %w", failed)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// lines writes an object with one line per entry, sorted by key.
func lines[V any](out *bytes.Buffer, name string, entries map[string]V, inline func(any) string) {
	fmt.Fprintf(out, "  %q: {", name)
	for i, key := range slices.Sorted(maps.Keys(entries)) {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(out, "\n    %s: %s", inline(key), inline(entries[key]))
	}
	out.WriteString("\n  }")
}

// oneLine joins the lines of indented JSON, in whose texts a line never ends.
var oneLine = strings.NewReplacer("{\n", "{", "[\n", "[", "\n}", "}", "\n]", "]", "\n", " ")

// inline returns JSON on one line, with a space after each comma and colon.
func inline(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	var spaced bytes.Buffer
	if err := json.Indent(&spaced, bytes.TrimSpace(b.Bytes()), "", ""); err != nil {
		return "", err
	}
	return oneLine.Replace(spaced.String()), nil
}

// conflict returns the line of the first conflict marker of a merge, or 0 if there is
// none.
func conflict(data []byte) int {
	for i, line := range bytes.Split(data, []byte("\n")) {
		if bytes.HasPrefix(line, []byte("<<<<<<< ")) || bytes.HasPrefix(line, []byte(">>>>>>> ")) {
			return i + 1
		}
	}
	return 0
}

// A walker walks through a baseline that is valid JSON. A duplicate name is an error,
// because one of two values of a case would be lost silently.
type walker struct {
	dec  *json.Decoder
	data []byte
	// places gets the offset of every object member, by its path: the names joined by NUL.
	// It is nil if they are not wanted.
	places map[string]int64
}

func (w *walker) all(data []byte) error {
	w.dec, w.data = json.NewDecoder(bytes.NewReader(data)), data
	w.dec.UseNumber()
	return w.walk("")
}

// named reports whether the members of an object are fields of the format rather than
// names of metrics, cases or parameters.
func named(path string) bool {
	above, inner, deep := strings.Cut(path, "\x00")
	switch above {
	case "", "dataset", "judge":
		return !deep
	case "metrics":
		return deep && !strings.Contains(inner, "\x00")
	}
	return false
}

// walk reads one value.
func (w *walker) walk(path string) error {
	token, err := w.dec.Token()
	if err != nil {
		return fmt.Errorf("baseline: %w", err)
	}
	if token == nil {
		// encoding/json would read it as 0.
		return fmt.Errorf("baseline: line %d: null: what is not known is left out", schema.Line(w.data, w.dec.InputOffset()))
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	if open == '{' {
		err = w.members(path)
	} else {
		for i := 0; w.dec.More() && err == nil; i++ {
			err = w.walk(path + "\x00" + strconv.Itoa(i))
		}
	}
	if err != nil {
		return err
	}
	if _, err := w.dec.Token(); err != nil { // the end of it
		return fmt.Errorf("baseline: %w", err)
	}
	return nil
}

// members reads the members of an object.
func (w *walker) members(path string) error {
	seen := map[string]int64{}
	for w.dec.More() {
		key, err := w.dec.Token()
		if err != nil {
			return fmt.Errorf("baseline: %w", err)
		}
		name := fmt.Sprint(key)
		if lower := strings.ToLower(name); lower != name && named(path) {
			// encoding/json would accept it for the lower-case name.
			return fmt.Errorf("baseline: line %d: %q is no member of a baseline: did you mean %q?",
				schema.Line(w.data, w.dec.InputOffset()), name, lower)
		}
		if first, twice := seen[name]; twice {
			return fmt.Errorf("baseline: line %d: %q is there twice, first in line %d",
				schema.Line(w.data, w.dec.InputOffset()), name, schema.Line(w.data, first))
		}
		seen[name] = w.dec.InputOffset()
		inner := name
		switch {
		case w.places != nil:
			if path != "" {
				inner = path + "\x00" + name
			}
			w.places[inner] = w.dec.InputOffset()
		case path == "cases":
			inner = path // what is below has no names of the format
		case path != "":
			inner = path + "\x00" + name
		}
		if err := w.walk(inner); err != nil {
			return err
		}
	}
	return nil
}
