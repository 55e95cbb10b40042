package cli_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric/speech"
)

func scoredJSON(h harness, args ...string) scoredFile {
	h.t.Helper()
	var out scoredFile
	scoredInto(h, &out, args...)
	return out
}

func scoredInto(h harness, out any, args ...string) {
	h.t.Helper()
	printed := h.assay(0, append([]string{"measure", "transcript", "--format", "json"}, args...)...)
	// Warnings come before it.
	if err := json.Unmarshal([]byte(printed[max(0, strings.Index(printed, "{")):]), out); err != nil {
		h.t.Fatal(err)
	}
}

// A heardResult is a transcript of pocketsphinx with the counts that another
// program found in it.
type heardResult struct {
	File, Ref, Hyp string
	WER            float64
	S, D, I, N     int
}

func (r heardResult) counts() speech.Counts {
	return speech.Counts{Hits: r.N - r.S - r.D, Substitutions: r.S, Deletions: r.D, Insertions: r.I}
}

func pocketsphinx(t *testing.T) []heardResult {
	t.Helper()
	h := harness{t, "."}
	var results []heardResult
	path := requiretest.Shared(t, "data/speech/results/pocketsphinx_debian_0.8+5prealpha.json")
	if err := json.Unmarshal([]byte(h.mustRead(path)), &results); err != nil || len(results) < 10 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	return results
}

// scoredResults is what assay makes of them.
func scoredResults(t *testing.T, results []heardResult) scoredFile {
	t.Helper()
	h := harness{t, t.TempDir()}
	var ref, hyp string
	for _, r := range results {
		ref, hyp = ref+r.File+"\t"+r.Ref+"\n", hyp+r.File+"\t"+r.Hyp+"\n"
	}
	h.write("ref.tsv", ref)
	h.write("hyp.tsv", hyp)
	return scoredJSON(h, "ref.tsv", "hyp.tsv", "-q")
}

// What pocketsphinx heard is scored as it was elsewhere: the same errors, and as
// many hits or more.
func TestPocketsphinx(t *testing.T) {
	t.Parallel()
	results := pocketsphinx(t)
	for i, u := range scoredResults(t, results).Each {
		want, got := results[i].counts(), u.Strict.Words
		if got.Errors() != want.Errors() || got.Reference() != want.Reference() || got.Hypothesis() != want.Hypothesis() ||
			got.Hits < want.Hits {
			t.Errorf("%s: %+v: want %+v", u.ID, got, want)
		}
	}
}

// Where a terminal has 60 columns no line is longer, but what was said.
func TestTranscriptOnANarrowTerminal(t *testing.T) {
	t.Parallel()
	h := harness{t, t.TempDir()}
	h.write("ref.txt", "one two three\nfour five\nsix seven\neight nine\nten eleven\n")
	h.write("hyp.txt", "one too three\nfour five\nsix\neight nine\nten eleven\n")
	var out bytes.Buffer
	env := &cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: h.dir, Now: time.Now, Width: 60, Version: "test",
		Getenv: func(string) string { return "" }, Interrupted: make(chan struct{}),
	}
	if code := cli.Main(t.Context(), env, []string{"measure", "transcript", "ref.txt", "hyp.txt", "--lines"}); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, &out)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 60 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	h.wants(out.String(), `^ +rate +95 % interval +n +said +sub +del +ins$`, `^\* words +0\.182 +\S+ to \S+ +5 +11 +1 +1 +0$`)
}

func TestTranscriptWithMarkupOfModels(t *testing.T) {
	t.Parallel()
	h := harness{t, t.TempDir()}
	h.write("ref.txt", "u1 你好\nu2 再見 (一) \n")
	h.write("hyp.txt", "u1 <|yue|><|NEUTRAL|><|0.00|>你好\nu2 再見 (一) [noise]\n")
	h.wants(h.assay(0, "measure", "transcript", "ref.txt", "hyp.txt"), `not counted as words, .*: <\|0\.00\|>, <\|NEUTRAL\|>, <\|yue\|> \(`,
		`text in brackets that only one side has counts as words \(1 different, such as \[noise\]\): --drop '\[noise\]' removes it`)
	h.wants(h.assay(0, "measure", "transcript", "hyp.txt", "ref.txt"), `only one side has counts as words \(1 different, such as \[noise\]\)`)
	got := h.assay(0, "measure", "transcript", "ref.txt", "hyp.txt", "--drop", "[noise]")
	h.wants(got, `characters +0\.000 `)
	if strings.Contains(got, "brackets") {
		t.Errorf("warned of what is dropped:\n%s", got)
	}
}

func TestTranscriptWithSpeakers(t *testing.T) {
	t.Parallel()
	h := harness{t, t.TempDir()}
	h.write("ref.txt", "one two three\nfour five\n")
	h.write("hyp.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nJane Roe: one two three\n\n00:01.000 --> 00:02.000\n<v Jane Roe>Jane Roe: four five\n")
	h.wants(h.assay(0, "measure", "transcript", "ref.txt", "hyp.vtt"), `^\* words +0\.000 `, `not counted as words, as names of speakers or markup of models: Jane Roe`)
	h.write("hyp.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nJane: one\n\n00:01.000 --> 00:02.000\ntom (he/him): two three\n\n00:02.000 --> 00:03.000\nJane: four five\n")
	h.wants(h.assay(0, "measure", "transcript", "ref.txt", "hyp.vtt"), `1 line begins with "tom \(he/him\):", which counts as words`)
	h.write("hyp.txt", "Jane Roe: one two three\nJane Roe: four five\n")
	h.wants(h.assay(0, "measure", "transcript", "ref.txt", "hyp.txt"), `^\* words +0\.800 `,
		`2 lines begin with "Jane Roe:", which counts as words: remove it if it names who speaks`)
}
