//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/text"
)

// A pair is an answer beside its reference, in the files that all contenders read.
type pair struct {
	ID        string `json:"id"`
	Question  string `json:"question"`
	Answer    string `json:"answer,omitempty"`
	Reference string `json:"ground_truth,omitempty"`
}

// generatePairs writes cases and recorded responses, unless they are there: answers of
// about thirty English words with punctuation, of which the reference has most.
func generatePairs(dir string, n int) (cases, responses string, err error) {
	base := filepath.Join(dir, fmt.Sprintf("text-%d-%d", seed, n))
	cases, responses = base+"-cases.jsonl", base+"-responses.jsonl"
	if _, err := os.Stat(responses); err == nil {
		return cases, responses, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	asked, err := os.Create(cases)
	if err != nil {
		return "", "", err
	}
	defer asked.Close()
	said, err := os.Create(responses + ".part")
	if err != nil {
		return "", "", err
	}
	defer said.Close()
	to, also := bufio.NewWriter(asked), bufio.NewWriter(said)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		reference := sentence(r, 20+r.IntN(20))
		one := pair{ID: fmt.Sprintf("q%d", i), Question: fmt.Sprintf("What is said of part %d?", i)}
		question, answer := one, one
		question.Reference, answer.Answer = strings.Join(reference, " "), strings.Join(changed(r, reference), " ")
		if err := json.NewEncoder(to).Encode(question); err != nil {
			return "", "", err
		}
		if err := json.NewEncoder(also).Encode(answer); err != nil {
			return "", "", err
		}
	}
	if err := to.Flush(); err != nil {
		return "", "", err
	}
	if err := also.Flush(); err != nil {
		return "", "", err
	}
	return cases, responses, os.Rename(responses+".part", responses)
}

// sentence draws words of which few are frequent, with punctuation and numbers.
func sentence(r *rand.Rand, n int) []string {
	frequent := strings.Fields("the of and to in a is that for it was on as with be by are at from or an this which has")
	out := make([]string, n)
	for i := range out {
		switch r.IntN(10) {
		case 0, 1, 2, 3:
			out[i] = frequent[r.IntN(len(frequent))]
		case 4:
			out[i] = fmt.Sprintf("%d.%d%%,", r.IntN(100), r.IntN(10))
		default:
			for v := r.IntN(5000) + 20; v > 0; v /= 20 {
				out[i] += string("bcdfghjklmnprstvwxyz"[v%20]) + string("aeiou"[v%5])
			}
			if r.IntN(8) == 0 {
				out[i] += ","
			}
		}
	}
	out[0] = strings.ToUpper(out[0][:1]) + out[0][1:]
	out[n-1] = strings.TrimRight(out[n-1], ",") + "."
	return out
}

// changed leaves words out, replaces some, and adds some.
func changed(r *rand.Rand, words []string) []string {
	var out []string
	for _, w := range words {
		switch r.IntN(8) {
		case 0:
		case 1:
			out = append(out, sentence(r, 2)...)
		default:
			out = append(out, w)
		}
	}
	return append(out, "so.")
}

// scorePairs scores the pairs of the files by metrics, with commas between their names, and
// prints the means as trec_eval would.
func scorePairs(cases, responses, names string) error {
	catalog := metric.NewCatalog(text.Defs()...)
	var metrics []metric.Metric
	for name := range strings.SplitSeq(names, ",") {
		m, err := catalog.Parse(name)
		if err != nil {
			return err
		}
		metrics = append(metrics, m)
	}
	references := map[string]string{}
	if err := eachPair(cases, func(p pair) error {
		references[p.ID] = p.Reference
		return nil
	}); err != nil {
		return err
	}
	sums, n := make([]float64, len(metrics)), 0
	err := eachPair(responses, func(p pair) error {
		in := metric.Input{
			Case:     &assay.Case{ID: p.ID, Question: p.Question, Want: assay.Want{Answers: []string{references[p.ID]}}},
			Response: &assay.Response{Answer: p.Answer}, Memo: metric.Memo{},
		}
		for i, m := range metrics {
			s := m.Score(context.Background(), in)
			if s.State != assay.Scored {
				return fmt.Errorf("%s: %s: %s %s", p.ID, m.Name, s.State, s.Reason)
			}
			sums[i] += s.Value
		}
		n++
		return nil
	})
	for i, m := range metrics {
		fmt.Printf("%s\tall\t%.9f\n", m.Name, sums[i]/float64(n))
	}
	return err
}

func eachPair(path string, visit func(pair) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for d := json.NewDecoder(bufio.NewReader(f)); d.More(); {
		var p pair
		if err := d.Decode(&p); err != nil {
			return err
		}
		if err := visit(p); err != nil {
			return err
		}
	}
	return nil
}
