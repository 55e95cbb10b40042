// Command items draws the labelled items of the study from the shared data and writes them as
// JSON lines.
//
// usage: items SHARED >items.jsonl
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay/judge/audit/certify"
	"github.com/assay-eval/assay/scripts/labels"
)

// most is how many items of each question and language are drawn.
const most = 1000

// An item is one that the command ask reads, with its label.
type item struct {
	ID       string   `json:"id"`
	Study    string   `json:"study"`
	Tasks    []string `json:"tasks"`
	Dataset  string   `json:"dataset"`
	Language string   `json:"language"`
	Question string   `json:"question,omitempty"`
	Text     string   `json:"text,omitempty"`
	Sources  []string `json:"sources"`
	// Label is what people say, 0 to 1, or −1 to 1 for a pair of answers.
	Label float64 `json:"label"`
	// Group is what is resampled, Of the pair or the question that several items belong to.
	Group string `json:"group"`
	Of    string `json:"of,omitempty"`
	// People are what several people say of a pair, by what they were asked.
	People map[string][]int `json:"people,omitempty"`
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: items SHARED >items.jsonl")
	}
	if err := write(filepath.Join(os.Args[1], "data")); err != nil {
		log.Fatal(err)
	}
}

func write(data string) error {
	all, err := certified(data)
	if err != nil {
		return err
	}
	for _, read := range []func(string) ([]item, error){absent, pairs, importance, texts} {
		more, err := read(data)
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	out := bufio.NewWriter(os.Stdout)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, x := range all {
		if err := enc.Encode(x); err != nil {
			return err
		}
	}
	return out.Flush()
}

// studies are the tasks that an item of each kind is put to.
var studies = map[certify.Kind][]string{
	certify.Claim: {"support"}, certify.Answer: {"equivalence", "true_false"}, certify.Passage: {"relevance", "umbrela"},
	certify.Point: {"assign"},
}

// certified draws items that certificates are measured by. NoMIRACL is left to [absent].
func certified(data string) ([]item, error) {
	prepared, err := os.MkdirTemp("", "labels")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(prepared) }()
	support, answers := filepath.Join(data, "support"), filepath.Join(data, "answers")
	if _, err := labels.Prepare(prepared, support, answers); err != nil {
		return nil, err
	}
	set, err := certify.ReadFiles([]string{filepath.Join(prepared, "support"), filepath.Join(prepared, "answers")},
		func(p string) string { return p })
	if err != nil {
		return nil, err
	}
	worth := map[certify.Label]float64{certify.Yes: 1, certify.Partly: 0.5}
	var out []item
	for _, x := range set.Items {
		if strings.HasPrefix(x.Dataset, "nomiracl") {
			continue
		}
		y := item{ID: x.Dataset + " " + x.ID, Study: string(x.Kind), Tasks: studies[x.Kind], Dataset: x.Dataset,
			Language: string(x.Language), Question: x.Asked, Text: x.Text, Sources: x.Sources, Label: worth[x.Label], Group: x.Cluster}
		if x.Kind == certify.Passage {
			y.Text, y.Sources = "", []string{x.Text}
		}
		out = append(out, y)
	}
	return draw(out, most), nil
}

// place orders texts as if by chance.
func place(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// draw takes n items of each study and language, as many of each data set and label as there
// are, and no more than ten of a group.
func draw(all []item, n int) []item {
	byPlace := slices.Clone(all)
	slices.SortStableFunc(byPlace, func(a, b item) int { return cmp.Compare(place("draw "+a.ID), place("draw "+b.ID)) })
	parts := map[string]map[string][]item{}
	in := map[string]int{}
	for _, x := range byPlace {
		study := x.Study + " " + x.Language
		if in[study+x.Group]++; in[study+x.Group] > 10 {
			continue
		}
		if parts[study] == nil {
			parts[study] = map[string][]item{}
		}
		stratum := fmt.Sprint(x.Dataset, " ", x.Label)
		parts[study][stratum] = append(parts[study][stratum], x)
	}
	var out []item
	for _, study := range sorted(parts) {
		strata := parts[study]
		for taken, round := 0, 0; taken < n; round++ {
			before := taken
			for _, s := range sorted(strata) {
				if round < len(strata[s]) && taken < n {
					out = append(out, strata[s][round])
					taken++
				}
			}
			if taken == before {
				break
			}
		}
	}
	return out
}

func sorted[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// A row is one of a file, as far as it is read here.
type row struct {
	ID, Dataset, Question, Reference, Claim, Answer, Answer1, Answer2 string
	Contexts                                                          []string
	Labels                                                            struct {
		Answerable                bool
		Correctness, Completeness []int
	}
	Meta struct{ Importance, Group string }
}

func rows(file string) ([]row, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []row
	for l := range bytes.Lines(raw) {
		var r row
		if err := json.Unmarshal(l, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b row) int { return cmp.Compare(place("draw "+a.ID), place("draw "+b.ID)) })
	return out, nil
}

// absent draws questions of NoMIRACL, half of them with an answer in one of ten passages; which
// one is not said. The batch form is asked about all ten, UMBRELA about each.
func absent(data string) ([]item, error) {
	all, err := rows(filepath.Join(data, "answers", "nomiracl.jsonl"))
	if err != nil {
		return nil, err
	}
	const each = 50
	taken := map[string]int{}
	var out []item
	for _, r := range all {
		key := fmt.Sprint(r.Dataset, r.Labels.Answerable)
		if taken[key]++; taken[key] > each {
			continue
		}
		label := 0.
		if r.Labels.Answerable {
			label = 1
		}
		lang := strings.TrimPrefix(r.Dataset, "nomiracl-")
		base := item{ID: r.ID, Study: "absent", Tasks: []string{"relevance"}, Dataset: r.Dataset, Language: lang, Question: r.Question,
			Sources: r.Contexts, Label: label, Group: r.Question, Of: r.ID}
		out = append(out, base)
		for i, c := range r.Contexts {
			one := base
			one.ID, one.Tasks, one.Sources = fmt.Sprintf("%s %d", r.ID, i+1), []string{"umbrela"}, []string{c}
			out = append(out, one)
		}
	}
	return out, nil
}

// pairs reads answers that two people compared.
func pairs(data string) ([]item, error) {
	all, err := rows(filepath.Join(data, "answers", "ragchecker_pairs.jsonl"))
	if err != nil {
		return nil, err
	}
	var out []item
	for _, r := range all {
		for i, answer := range []string{r.Answer1, r.Answer2} {
			out = append(out, item{ID: fmt.Sprint(r.ID, " ", i+1), Study: "pair", Tasks: []string{"evaluate_response_comparison"},
				Dataset: r.Dataset, Language: "en", Question: r.Question, Text: answer, Sources: []string{r.Reference}, Group: r.Question,
				Of: r.ID, People: map[string][]int{"completeness": r.Labels.Completeness, "factual_accuracy": r.Labels.Correctness}})
		}
	}
	return out, nil
}

// importance reads statements that people called needed or nice to have. Before, importance was
// a field of the points taken from sources: the sources are all statements on the question.
func importance(data string) ([]item, error) {
	all, err := rows(filepath.Join(data, "support", "kqa_nuggets.jsonl"))
	if err != nil {
		return nil, err
	}
	statements := map[string][]string{}
	for _, r := range all {
		if !slices.Contains(statements[r.Question], r.Claim) {
			statements[r.Question] = append(statements[r.Question], r.Claim)
		}
	}
	seen := map[string]bool{}
	var out []item
	for _, r := range all {
		if key := r.Question + r.Claim; seen[key] {
			continue
		} else {
			seen[key] = true
		}
		label := 0.
		if r.Meta.Importance == "Must_have" {
			label = 1
		}
		out = append(out, item{ID: "importance " + r.ID, Study: "importance", Tasks: []string{"points", "importance"}, Dataset: "kqa_nuggets",
			Language: "en", Question: r.Question, Text: r.Claim, Sources: []string{strings.Join(statements[r.Question], "\n")}, Label: label,
			Group: r.Meta.Group})
	}
	return out, nil
}

// texts draws answers by people with the passage that they used: claims are taken from the
// answer, points from the passage.
func texts(data string) ([]item, error) {
	all, err := rows(filepath.Join(data, "answers", "clapnq_dev.jsonl"))
	if err != nil {
		return nil, err
	}
	const each = 150
	var out []item
	for _, r := range all {
		if !r.Labels.Answerable || len(r.Contexts) != 1 || len(out) == each {
			continue
		}
		out = append(out, item{ID: r.ID, Study: "text", Tasks: []string{"claims", "points"}, Dataset: r.Dataset, Language: "en",
			Question: r.Question, Text: r.Reference, Sources: r.Contexts, Group: r.ID})
	}
	return out, nil
}
