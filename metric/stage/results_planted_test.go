//go:build results

package stage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

const matrixHead = "## Faults, labels and traces\n"

// TestMatrix writes the section of docs/results/attribution.md about planted faults by labels and
// traces, which takes seconds, and compares it.
func TestMatrix(t *testing.T) {
	path := filepath.Join(requiretest.Root(), "docs/results/attribution.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), matrixHead)
	_, after, _ := strings.Cut(rest, "\n## ")
	whole := before + plantedMatrix(t) + "\n## " + after
	requiretest.ResultsPage(t, "attribution.md", whole, *update, nil, 0)
}

// columns are the labels of the matrix, as bits of labelings.
var columns = []struct {
	name string
	set  int
}{{"chunk ids", 1}, {"passages", 2}, {"keywords", 4}, {"answer only", 8}, {"document + answer", 16 | 8}}

// inquiries is the number of questions of each cell.
const inquiries = 60

// plantedMatrix attributes the wrong answers of each fault with all labels and traces.
func plantedMatrix(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nA made-up system answers %d questions about the places of a town: each document has five chunks of one fact each, "+
		"eight chunks are retrieved, the reranker keeps four, three fit the prompt. One fault is planted, and a judge knows which answers are "+
		"wrong. The target cannot be asked again, and its index is unknown. A cell has the shares of the wrong answers that are named "+
		"**rightly / wrongly / unknown**. A stage that answers for the faulty one (\"pack cannot be told from generate\") counts as right. "+
		"Of two faults either counts. Traces have the **texts** of passages at each stage, **ids only**, or are **mixed**: texts where they "+
		"were retrieved, ids after that.\n\n"+
		"- low k: the chunk is not among those retrieved; other chunks of its document are\n"+
		"- dropped from the index: no chunk of the document is retrieved\n"+
		"- reranker inverted: the chunk is retrieved and not kept\n"+
		"- prompt cut: the chunk is kept and not in the prompt\n"+
		"- passage cut inside the prompt: the chunk ends before the answer there\n"+
		"- 30 %% partial: the reranker drops the chunk in 30 %% of the cases\n"+
		"- paraphrased passages: the chunks say the fact in other words than the labels, and the generator ignores them, or k is low\n"+
		"- garbled transcript: the recognizer mishears the name of the place\n\n"+
		"| fault | labels | %s |\n|---|---|%s\n", matrixHead, inquiries, strings.Join(details, " | "), strings.Repeat("---:|", len(details)))
	h := places(24, 3)
	var misses []string
	for _, p := range plantings {
		for _, labels := range columns {
			fmt.Fprintf(&b, "| %s | %s |", p.name, labels.name)
			for _, detail := range details {
				var count [3]int
				n := 0
				for i, q := range h.asked[:inquiries] {
					r, right := h.ask(q, p.broken(i))
					if right {
						continue
					}
					kind, _ := p.named(t, labelled(q, labels.set), told(r, detail))
					count[kind]++
					n++
				}
				share := func(k verdictKind) float64 { return 100 * float64(count[k]) / float64(max(n, 1)) }
				fmt.Fprintf(&b, " %.0f / %.0f / %.0f |", share(rightly), share(wrongly), share(undecided))
				cell := fmt.Sprintf("%s, %s, %s", p.name, labels.name, detail)
				if share(wrongly) > 2 {
					t.Errorf("%s: %.0f %% are named wrongly", cell, share(wrongly))
				}
				if share(rightly) < 90 && (detail != "ids only" || labels.set == 1) {
					misses = append(misses, fmt.Sprintf("%s: %.0f %%", cell, share(rightly)))
				}
			}
			b.WriteString("\n")
		}
	}
	fmt.Fprintf(&b, "\nThe goals are: wrongly at most 2 %% in each cell, rightly at least 90 %% where a trace has texts or the labels are ids of "+
		"chunks. The first is met. ")
	if len(misses) == 0 {
		b.WriteString("The second, too.\n")
	} else {
		fmt.Fprintf(&b, "These %d cells miss the second; what is missing there is unknown, not wrong:\n\n- %s\n", len(misses), strings.Join(misses, "\n- "))
	}
	b.WriteString("\n```\ngo test -tags results -run TestMatrix ./metric/stage -update\n```\n")
	return b.String()
}
