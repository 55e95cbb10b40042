//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A question is a case with its recorded response, in the files that all programs read.
type question struct {
	ID        string   `json:"id"`
	Question  string   `json:"question"`
	Reference string   `json:"ground_truth,omitempty"`
	Answer    string   `json:"answer,omitempty"`
	Contexts  []string `json:"contexts,omitempty"`
}

// A case has so many passages of at most so many words, as retrievers return them.
const (
	passages = 10
	words    = 120
)

// readCases returns n cases made of the answers of MT-RAG that have another text as reference,
// and passages; again from the first, with a number in their texts, where there are not
// enough. No two cases are equal, of which a program could answer the second from the first.
// Half of the passages of a case, or fewer, are those of the answer, cut; then come those of
// other questions.
func readCases(path string, n int) ([]question, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows []question
	for line := range bytes.Lines(data) {
		var row struct {
			Question, Answer, Reference string
			Contexts                    []string
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		one := question{Question: row.Question, Answer: strings.TrimSpace(row.Answer), Reference: strings.TrimSpace(row.Reference)}
		for _, text := range row.Contexts {
			one.Contexts = append(one.Contexts, cut(text)...)
		}
		if one.Answer != "" && one.Reference != "" && one.Answer != one.Reference && len(one.Contexts) > 0 {
			rows = append(rows, one)
		}
	}
	if len(rows) < passages {
		return nil, fmt.Errorf("%s: %d answers with a reference and passages: want %d or more", path, len(rows), passages)
	}
	out := make([]question, n)
	for i := range out {
		out[i] = rows[i%len(rows)]
		out[i].ID = fmt.Sprintf("q%d", i)
		if again := i / len(rows); again > 0 {
			more := fmt.Sprintf(" (%d)", again+1)
			out[i].Question, out[i].Answer, out[i].Reference = out[i].Question+more, out[i].Answer+more, out[i].Reference+more
		}
		mine := append([]string(nil), out[i].Contexts[:min(passages/2, len(out[i].Contexts))]...)
		for at := i + 37; len(mine) < passages; at += 37 {
			if other := rows[at%len(rows)]; other.Question != rows[i%len(rows)].Question {
				mine = append(mine, other.Contexts[i%len(other.Contexts)])
			}
		}
		out[i].Contexts = mine
	}
	return out, nil
}

// cut cuts a text into passages of at most so many words; a rest of less than half of that is
// left out where there is another.
func cut(text string) []string {
	all := strings.Fields(text)
	var out []string
	for len(all) > 0 {
		n := min(words, len(all))
		if n >= words/2 || len(out) == 0 {
			out = append(out, strings.Join(all[:n], " "))
		}
		all = all[n:]
	}
	return out
}

// writeCases writes the cases and their responses, as assay reads them, and both together,
// as the peers do, into a folder.
func writeCases(dir string, all []question) error {
	for name, of := range map[string]func(question) question{
		"cases.jsonl":     func(q question) question { return question{ID: q.ID, Question: q.Question, Reference: q.Reference} },
		"responses.jsonl": func(q question) question { return question{ID: q.ID, Answer: q.Answer, Contexts: q.Contexts} },
		"all.jsonl":       func(q question) question { return q },
	} {
		var b bytes.Buffer
		to := bufio.NewWriter(&b)
		for _, q := range all {
			if err := json.NewEncoder(to).Encode(of(q)); err != nil {
				return err
			}
		}
		if err := to.Flush(); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// sizes says how long the parts of the cases are in the mean.
func sizes(all []question) string {
	var asked, said, want, given [2]float64
	add := func(to *[2]float64, text string) {
		n, _ := tokens(text) // an error ends the run at the first call
		to[0] += float64(len(strings.Fields(text))) / float64(len(all))
		to[1] += float64(n) / float64(len(all))
	}
	for _, q := range all {
		add(&asked, q.Question)
		add(&said, q.Answer)
		add(&want, q.Reference)
		add(&given, strings.Join(q.Contexts, "\n"))
	}
	return fmt.Sprintf("the question has %.0f words (%.0f tokens), the answer %.0f (%.0f), the reference %.0f (%.0f), "+
		"and the %d passages %.0f (%.0f)",
		asked[0], asked[1], said[0], said[1], want[0], want[1], passages, given[0], given[1])
}
