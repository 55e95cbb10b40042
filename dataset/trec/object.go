package trec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
)

// isObject reports whether a text is JSON rather than lines.
func isObject(in *bufio.Reader) bool {
	head, _ := in.Peek(64)
	return bytes.HasPrefix(bytes.TrimLeft(head, spaces), []byte("{"))
}

// eachInObject reads judgments or results as pytrec_eval and BEIR have them: {"query": {"document": 1}}. what they are, and
// of, which is their number, are for errors.
func eachInObject(r io.Reader, name, what, of string, visit func(line int, query, doc, number string) error) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return readError(name, 0, err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	// keys are the query and the document that the next value belongs to.
	var keys []string
	depth, line, from := 0, 1, int64(0)
	for {
		token, err := d.Token()
		line += bytes.Count(data[from:d.InputOffset()], []byte("\n"))
		from = d.InputOffset()
		wrong := problem(name, line, `expected %s as {"query": {"document": 1}}`, what)
		switch {
		case errors.Is(err, io.EOF) && depth == 0:
			return nil
		case errors.Is(err, io.EOF):
			return problem(name, line, "the JSON is cut short: expected a complete file")
		case err != nil:
			return problem(name, line, "%v: %s", err, wrong.Problem)
		}
		switch t := token.(type) {
		case json.Delim:
			switch {
			case t == '}':
				depth, keys = depth-1, nil
			case t == '{' && depth == len(keys) && depth < 2 && (depth == 1 || from <= int64(bytes.IndexByte(data, '{')+1)):
				depth++
			default:
				return wrong
			}
		case string:
			if keys = append(keys, t); len(keys) > 2 {
				return problem(name, line, "%s %q: must be a number", of, clip([]byte(t)))
			}
		case json.Number:
			if len(keys) != 2 {
				return wrong
			}
			if err := visit(line, keys[0], keys[1], t.String()); err != nil {
				return err
			}
			keys = keys[:1]
		default:
			return wrong
		}
	}
}

// results matches the beginning of a run in JSON, with the name of its first query that has results.
var results = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*\{(?:\s*"[^"]*"\s*:\s*\{\s*\}\s*,)*\s*"([^"]*)"\s*:\s*\{\s*"[^"]*"\s*:\s*-?\d`)
})

// FirstInObject returns the first query with results of a text that begins as a run in JSON; "" if it does not.
func FirstInObject(head []byte) string {
	if m := results().FindSubmatch(head); m != nil {
		return string(m[1])
	}
	return ""
}

// resultLines returns a run in JSON as lines; another text stays as it is.
func resultLines(r io.Reader, name string) (io.Reader, error) {
	in := bufio.NewReader(r)
	if !isObject(in) {
		return in, nil
	}
	var out bytes.Buffer
	seen := map[[2]string]int{}
	return &out, eachInObject(in, name, "results", "score", func(line int, query, doc, score string) error {
		key := [2]string{query, doc}
		switch {
		case query == "" || doc == "" || strings.ContainsAny(query+doc, spaces) || query[0] == '#':
			return problem(name, line, "query %q, document %q: ids must have no white space, and no # in front", clip([]byte(query)), clip([]byte(doc)))
		case seen[key] > 0:
			return problem(name, line, "query %q: document %q is returned again, first in line %d", clip([]byte(query)), clip([]byte(doc)), seen[key])
		}
		seen[key] = line
		fmt.Fprintf(&out, "%s Q0 %s 0 %s -\n", query, doc, score)
		return nil
	})
}
