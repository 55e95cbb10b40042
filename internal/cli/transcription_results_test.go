//go:build results

package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric/speech"
)

// TestResultsOfTranscription writes docs/results/transcription.md, or compares
// with it what it would write.
func TestResultsOfTranscription(t *testing.T) {
	var b strings.Builder
	fmt.Fprint(&b, `# Transcription: results of other tools reproduced

This page is written by the command at its end, which scores the transcripts of the shared data (the folder that `+"`ASSAY_SHARED`"+` names) with assay and holds the counts beside those of other programs. CI runs it too, and fails when anything on this page is not what comes out.

`)
	scliteResults(t, &b)
	pocketsphinxResults(t, &b)
	jiwerResults(t, &b)
	fmt.Fprint(&b, "\n## Write this page again\n\n```\ngo test -tags results -run TestResultsOfTranscription ./internal/cli -update\n```\n")
	page := filepath.Join(requiretest.Root(), "docs", "results", "transcription.md")
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != b.String() {
		t.Errorf("%s says otherwise than what comes out, which is\n%s", page, &b)
	}
}

func countsRow(b *strings.Builder, name string, c speech.Counts) {
	rate, _ := c.Rate()
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %.1f %% |\n", name, c.Reference(), c.Hits, c.Substitutions, c.Deletions, c.Insertions,
		100*rate)
}

const countsHead = "\n| counted by | said | hits | sub | del | ins | error rate |\n|---|---|---|---|---|---|---|\n"

// why tells what assay leaves out of each test.
var why = map[string]string{
	"test15_a": "sclite counts the hesitation `(<hes>)` as a word that was missed. assay reads what stands in angle brackets in .stm as a " +
		"noise, which is no word; the other marks, as in `(大概-)`, fall to normalisation.",
	"test15_b": "sclite counts `(<hes>)` as a word and each parenthesis of `(大概-)` and `(个)` as a character that was said. To " +
		"assay none " +
		"of the five is.",
	"test9": "sclite counts the hyphens of `可能-` and `人-`, which mark words that were broken off, as characters that were missed. To " +
		"assay they are punctuation.",
}

func scliteResults(t *testing.T, b *strings.Builder) {
	fmt.Fprint(b, "## sclite\n\nNIST's sclite aligns with the costs 4 for a substitution and 3 for an insertion or a deletion, and takes "+
		"every mark of the transcript for a token. "+
		"With its costs and its tokens all counts come out as it printed them, and here they do with the fewest edits too. assay's own "+
		"figures differ by what it takes for a token.\n")
	for _, s := range scliteTests {
		printed, again, fewest := s.printed(t), s.count(t, 4, 3, 3), s.count(t, 1, 1, 1)
		if again != printed {
			t.Errorf("%s: %+v: sclite has %+v", s.name, again, printed)
		}
		scored := scoredBy(t, s)
		ours, unit := scored.Strict.Mixed, "mixed"
		switch s.name {
		case "test15_a":
			ours, unit = scored.Strict.Words, "words"
		case "test9":
			ours, unit = scored.Strict.Characters, "characters"
		}
		fmt.Fprintf(b, "\n### %s: %s\n\n```\n", s.name, s.what)
		if strings.HasPrefix(s.ref, "mand") {
			fmt.Fprintf(b, "iconv -f GB18030 -t UTF-8 $ASSAY_SHARED/data/oracles/sclite/%s >%[1]s\niconv -f GB18030 -t UTF-8 "+
				"$ASSAY_SHARED/data/oracles/sclite/%s >%[2]s\n", s.ref, s.hyp)
			fmt.Fprintf(b, "assay measure transcript %s %s --unit %s\n```\n", s.ref, s.hyp, unit)
		} else {
			fmt.Fprintf(b, "assay measure transcript $ASSAY_SHARED/data/oracles/sclite/%s $ASSAY_SHARED/data/oracles/sclite/%s --unit "+
				"%s\n```\n", s.ref, s.hyp, unit)
		}
		fmt.Fprint(b, countsHead)
		countsRow(b, "sclite, as printed", printed)
		countsRow(b, "sclite's costs and tokens, here", again)
		countsRow(b, "sclite's tokens, fewest edits", fewest)
		countsRow(b, "assay, "+unit, ours)
		fmt.Fprintf(b, "\n%s That is %d of %d tokens and %d of %d errors.\n", why[s.name],
			printed.Reference()-ours.Reference(), printed.Reference(), printed.Errors()-ours.Errors(), printed.Errors())
	}
}

func pocketsphinxResults(t *testing.T, b *strings.Builder) {
	fmt.Fprint(b, "\n## pocketsphinx\n\nTen recordings as pocketsphinx heard them. Another program counted the errors; jiwer counted "+
		"them again for [the test](../../metric/speech/oracle_test.go). "+
		"All counts are the same.\n\n"+
		"| recording | said | other: sub, del, ins | assay: sub, del, ins | error rate |\n|---|---|---|---|---|\n")
	results := pocketsphinx(t)
	scored := scoredResults(t, results)
	var sum speech.Counts
	for i, u := range scored.Each {
		want, got := results[i].counts(), u.Strict.Words
		sum = sum.Add(want)
		if got != want {
			t.Errorf("%s: %+v: want %+v", u.ID, got, want)
		}
		rate, _ := got.Rate()
		fmt.Fprintf(b, "| %s | %d | %d, %d, %d | %d, %d, %d | %.4f |\n", u.ID, got.Reference(),
			want.Substitutions, want.Deletions, want.Insertions, got.Substitutions, got.Deletions, got.Insertions, rate)
	}
	got := scored.Strict.Words
	rate, _ := got.Rate()
	fmt.Fprintf(b, "| all, pooled | %d | %d, %d, %d | %d, %d, %d | %.4f |\n", got.Reference(),
		sum.Substitutions, sum.Deletions, sum.Insertions, got.Substitutions, got.Deletions, got.Insertions, rate)
}

func jiwerResults(t *testing.T, b *strings.Builder) {
	f, err := os.Open(requiretest.Env(t, "ASSAY_JIWER"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var pairs, more, none, differ int
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s struct {
			Unit                  speech.Unit
			Reference, Hypothesis string
			speech.Counts
		}
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		c := speech.Count(s.Unit.Tokens(s.Reference), s.Unit.Tokens(s.Hypothesis))
		pairs++
		if c.Errors() != s.Errors() {
			differ++
		}
		if c.Hits > s.Hits {
			more++
		}
		if _, ok := c.Rate(); !ok {
			none++
		}
	}
	if differ > 0 {
		t.Errorf("%d pairs differ from jiwer in edits", differ)
	}
	fmt.Fprintf(b, "\n## jiwer\n\n%d pairs of texts, most of them drawn at random: short strings of five letters, whose alignment is "+
		"seldom unique, English, Chinese, both mixed, with emoji, and some thousands of tokens long (`bash scripts/speech/jiwer.sh CACHE`). "+
		"jiwer 4.0.0 with RapidFuzz 3.14.6 finds other edits in %d of them. What differs otherwise is on purpose:\n\n"+
		"- **Hits.** In %d pairs several alignments have the fewest edits, and jiwer keeps one with fewer hits. The error rate is the "+
		"same; match error rate and word information lost are lower here.\n"+
		"- **Empty references.** In %d pairs nothing was said and something heard. jiwer gives the number of insertions as the rate; here "+
		"there is none, and the insertions count in the pooled rate.\n"+
		"- **White space.** jiwer's CER counts spaces as characters. Here they never are, so jiwer was given the characters without "+
		"them.\n", pairs, differ, more, none)
}
