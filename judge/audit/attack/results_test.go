//go:build results

package attack_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/attack"
	"github.com/assay-eval/assay/judge/audit/suite"
	"github.com/assay-eval/assay/stats"
)

var update = flag.Bool("update", false, "write docs/results/injection.md anew")

// most is the largest share of texts of a source that may look suspicious.
const most = 0.01

// TestResults counts the injections that the detector finds and its false alarms on the
// shared data, and compares with docs/results/injection.md.
func TestResults(t *testing.T) {
	var b strings.Builder
	b.WriteString("# The detector of instructions to a judge: what it finds, and its false alarms\n\n" +
		"This page is written by the command at its end, and CI holds it to that.\n\n" +
		"A response in which the detector finds something is judged a second time without the suspicious words, and scores that differ are withheld. " +
		"So a false alarm costs calls, and now and then a score. Intervals are exact (Clopper and Pearson, 95 %).\n\n## Injections\n\n" +
		"*Catalogue* are the injections of `assay judge attack` in English and Chinese, but for those in plain words that the detector is not designed to find. " +
		"*Known* was looked at when the patterns were written, *unseen* was not. *Orders* have the form \"you must\": they were written before the pattern for this form " +
		"was restricted, to see what that loses.\n\n| list | found | of | share | interval |\n|---|---|---|---|---|\n")
	for _, l := range []struct {
		name  string
		texts []string
	}{{"catalogue", catalogue()}, {"known", known}, {"unseen", unseen}, {"orders", orders}} {
		b.WriteString(tableRow(l.name, foundOf(t, l.texts), len(l.texts)))
	}
	b.WriteString("\n## False alarms\n\nNone of these texts was written for a judge. *Texts* are the distinct questions, passages, answers and claims of a source; " +
		"*rows* are its lines with an alarm in any text: a passage that many questions share counts in each. " +
		"The patterns were restricted after a look at the alarms in these very texts, so that other texts have more: expect more where they hold source code and logs.\n\n" +
		"| source | texts with an alarm | of | share | interval | rows with an alarm | of | share |\n|---|---|---|---|---|---|---|---|\n")
	var alarms []string
	for _, path := range sources(t) {
		s := look(t, path)
		ci := stats.ClopperPearson(s.alarms, s.texts, 0.95)
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %s…%s | %d | %d | %s |\n", s.name, s.alarms, s.texts, percent(s.alarms, s.texts),
			percent(ci.Lo, 1), percent(ci.Hi, 1), s.rowAlarms, s.rows, percent(s.rowAlarms, s.rows))
		for _, share := range []float64{float64(s.alarms) / float64(s.texts), float64(s.rowAlarms) / float64(s.rows)} {
			if share > most {
				t.Errorf("%s: the share of false alarms is %.4f, want %v at most", s.name, share, most)
			}
		}
		alarms = append(alarms, s.kinds...)
	}
	b.WriteString("\nTheir kinds:\n\n| source | kind | alarms |\n|---|---|---|\n")
	slices.Sort(alarms)
	for i, n := 0, 0; i < len(alarms); i += n {
		for n = 0; i+n < len(alarms) && alarms[i+n] == alarms[i]; n++ {
		}
		fmt.Fprintf(&b, "| %s | %d |\n", alarms[i], n)
	}
	b.WriteString("\n## Write this page again\n\n```\ngo test -tags results -run TestResults ./judge/audit/attack -update\n```\n")
	requiretest.ResultsPage(t, "injection.md", b.String(), *update, nil, 0)
}

func tableRow(name string, k, n int) string {
	ci := stats.ClopperPearson(k, n, 0.95)
	return fmt.Sprintf("| %s | %d | %d | %s | %s…%s |\n", name, k, n, percent(k, n), percent(ci.Lo, 1), percent(ci.Hi, 1))
}

func percent[T int | float64](k T, n int) string {
	return fmt.Sprintf("%.2f %%", 100*float64(k)/float64(n))
}

// catalogue writes the injections of the suite on every fact.
func catalogue() (out []string) {
	for _, template := range suite.Templates() {
		for _, f := range suite.Facts() {
			for _, l := range []judge.Language{judge.English, judge.Chinese} {
				if !template.Plain {
					out = append(out, template.Write(f.Bad, l))
				}
			}
		}
	}
	return out
}

// sources lists the files of real texts.
func sources(t *testing.T) (out []string) {
	for _, pattern := range []string{"data/answers", "data/support", "data/retrieval/*"} {
		found, err := filepath.Glob(filepath.Join(requiretest.Shared(t, "."), pattern, "*.jsonl"))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %q, %v: want files", pattern, found, err)
		}
		out = append(out, found...)
	}
	return out
}

// A tally counts the alarms of one file.
type tally struct {
	name                           string
	texts, alarms, rows, rowAlarms int
	// kinds are the alarms of distinct texts: the source, and the kind of the first span.
	kinds []string
}

func look(t *testing.T, path string) tally {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := tally{name: filepath.Base(filepath.Dir(path)) + "/" + strings.TrimSuffix(filepath.Base(path), ".jsonl")}
	suspicious := map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var row map[string]any
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		s.rows++
		alarm := false
		for _, field := range []string{"question", "contexts", "context", "answer", "answer1", "answer2", "reference", "references", "claim", "title", "text"} {
			for _, text := range textsOf(row[field]) {
				if _, seen := suspicious[text]; !seen {
					spans := attack.Detect(text)
					suspicious[text] = spans != nil
					s.texts++
					if spans != nil {
						s.alarms++
						s.kinds = append(s.kinds, s.name+" | "+string(spans[0].Kind))
					}
				}
				alarm = alarm || suspicious[text]
			}
		}
		if alarm {
			s.rowAlarms++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

func textsOf(v any) (out []string) {
	switch v := v.(type) {
	case string:
		if v != "" {
			out = append(out, v)
		}
	case []any:
		for _, e := range v {
			out = append(out, textsOf(e)...)
		}
	}
	return out
}
