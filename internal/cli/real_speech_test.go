package cli_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/quickstart"
	"github.com/assay-eval/assay/internal/requiretest"
)

// The tests of this file hear: recordings go through whole runs with the
// recogniser of Debian as the command that transcribes.

// A spokenRun is what the tests look at of a report.
type spokenRun struct {
	Cases []struct {
		ID     string
		Scores map[string]struct {
			Value    *float64
			Num, Den float64
		}
		Trace   *assay.Trace
		Failure *struct{ Kind, Message string }
	}
}

// heard gives the transcripts and the word error rates of a report, by case.
func (a *agent) heard(report string) (transcripts map[string]string, rates map[string]float64) {
	a.t.Helper()
	var run spokenRun
	if err := json.Unmarshal([]byte(a.read(report)), &run); err != nil {
		a.t.Fatal(err)
	}
	transcripts, rates = map[string]string{}, map[string]float64{}
	for _, c := range run.Cases {
		if c.Failure != nil || c.Trace == nil || c.Scores["wer"].Value == nil {
			a.t.Errorf("%s: not heard: %+v", c.ID, c)
			continue
		}
		r := assay.Response{Trace: c.Trace}
		transcripts[c.ID], _ = r.Transcript()
		rates[c.ID] = *c.Scores["wer"].Value
		for _, s := range r.Stages(assay.StageRetrieve) {
			var asked string
			if json.Unmarshal(s.Input, &asked) != nil || asked != transcripts[c.ID] {
				a.t.Errorf("%s: %s was searched for: want what was heard, %q", c.ID, s.Input, transcripts[c.ID])
			}
		}
	}
	return transcripts, rates
}

// wordErrors is the word error rate by its definition: the fewest words that are
// put in, taken out and replaced, by the number of those that were said.
func wordErrors(said, heard string) float64 {
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	}
	a, b := words(said), words(heard)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		corner := row[0]
		row[0] = i + 1
		for j := range b {
			same := corner
			if a[i] != b[j] {
				same++
			}
			corner = row[j+1]
			row[j+1] = min(same, row[j]+1, row[j+1]+1)
		}
	}
	return float64(row[len(b)]) / float64(len(a))
}

// recognise is the command line of the recogniser.
func recognise(t *testing.T, more ...string) string {
	t.Helper()
	return shellquote.Join(append([]string{requiretest.Env(t, "ASSAY_POCKETSPHINX"), "-infile", "{{audio}}", "-logfn", os.DevNull}, more...)...)
}

// Five recordings of LibriVox: transcripts and word error rates are those that
// were published with them, from the same recogniser without this program; and a
// second run hears nothing again.
func TestRecordingsAreHeard(t *testing.T) {
	command := recognise(t)
	speech := requiretest.Shared(t, "data/speech")
	var known []struct {
		File, Ref, Hyp string
		WER            float64
	}
	data, err := os.ReadFile(filepath.Join(speech, "results", "pocketsphinx_debian_0.8+5prealpha.json"))
	if err == nil {
		err = json.Unmarshal(data, &known)
	}
	if err != nil {
		t.Fatal(err)
	}
	a := newAgent(t, "")
	a.write("said.txt", "Mister John Dashwood was not an ill disposed young man.")
	var cases strings.Builder
	n := 0
	for _, k := range known {
		path := filepath.Join(speech, "librivox", k.File)
		if _, err := os.Stat(path); err != nil {
			continue // of another collection
		}
		n++
		line, _ := json.Marshal(map[string]any{"id": k.File, "question": "What is said of him?", "audio": path, "reference_transcript": k.Ref})
		cases.Write(append(line, '\n'))
	}
	if n < 5 {
		t.Fatalf("%d recordings: want five or more", n)
	}
	a.write("spoken.jsonl", cases.String())
	args := []string{"run", "--dataset", "spoken.jsonl", "--corpus", ".", "--unreadable", "skip", "--retriever", "sparse",
		"--set", "transcriber-command=" + command, "--set", "recording-language=en", "--metrics", "wer", "--timeout", "5m", "--concurrency", "2"}
	a.must(append(args, "--output", "heard")...)
	transcripts, rates := a.heard("heard.json")
	for _, k := range known {
		got, ok := transcripts[k.File]
		if !ok {
			continue
		}
		if got != k.Hyp || math.Abs(rates[k.File]-k.WER) > 1e-12 {
			t.Errorf("%s: %q at %v: want %q at %v", k.File, got, rates[k.File], k.Hyp, k.WER)
		}
		if own := wordErrors(k.Ref, got); math.Abs(rates[k.File]-own) > 1e-12 {
			t.Errorf("%s: a word error rate of %v: want %v", k.File, rates[k.File], own)
		}
	}
	if len(transcripts) != n {
		t.Errorf("%d of %d were heard", len(transcripts), n)
	}
	// The ledger has all of it: nothing is started.
	a.must(append(args, "--output", "again", "--replay")...)
	if again, _ := a.heard("again.json"); len(again) != n || again[known[0].File] != transcripts[known[0].File] {
		t.Errorf("by the ledger %q: want %q", again, transcripts)
	}
}

// Recordings of playing cards, with the grammar that belongs to them.
func TestRecordingsWithAGrammar(t *testing.T) {
	cards := requiretest.Shared(t, "data/speech/cards")
	command := recognise(t, "-jsgf", filepath.Join(cards, "cards.gram"))
	a := newAgent(t, "")
	a.write("said.txt", "Ten of clubs, four of clubs, seven of hearts.")
	var cases strings.Builder
	said := map[string]string{"003": "seven of clubs", "004": "five five", "005": "eight of spades four of clubs seven of hearts"}
	for id, text := range said {
		line, _ := json.Marshal(map[string]any{"id": id, "question": "Which cards?", "audio": filepath.Join(cards, id+".wav"),
			"reference_transcript": text})
		cases.Write(append(line, '\n'))
	}
	a.write("spoken.jsonl", cases.String())
	a.must("run", "--dataset", "spoken.jsonl", "--corpus", ".", "--unreadable", "skip", "--retriever", "sparse", "--set",
		"transcriber-command="+command, "--metrics", "wer", "--timeout", "5m", "--output", "heard")
	transcripts, rates := a.heard("heard.json")
	for id, text := range said {
		if own := wordErrors(text, transcripts[id]); transcripts[id] == "" || math.Abs(rates[id]-own) > 1e-12 {
			t.Errorf("%s: %q at %v: want %v", id, transcripts[id], rates[id], own)
		}
	}
	// What was heard of it without a program between is in the file beside it.
	if transcripts["004"] != "five five" || transcripts["005"] != said["005"] {
		t.Errorf("%q", transcripts)
	}
}

// Questions of the tour, spoken by a synthesiser and asked of its handbook.
func TestSpokenTour(t *testing.T) {
	command, flite := recognise(t), requiretest.Command(t, "flite")
	a := newAgent(t, "")
	if err := quickstart.Write(a.dir); err != nil {
		t.Fatal(err)
	}
	var gold struct {
		Cases []map[string]any `json:"test_cases"`
	}
	if err := json.Unmarshal([]byte(a.read("gold.json")), &gold); err != nil {
		t.Fatal(err)
	}
	// Questions without figures and names.
	spoken := map[string]bool{"q24": true, "q43": true, "q45": true}
	var cases strings.Builder
	said := map[string]string{}
	for _, c := range gold.Cases {
		id, _ := c["id"].(string)
		question, _ := c["question"].(string)
		if !spoken[id] {
			continue
		}
		if out, err := exec.Command(flite, "-voice", "slt", "-t", question, "-o", filepath.Join(a.dir, id+".wav")).CombinedOutput(); err != nil {
			t.Fatalf("flite: %v\n%s", err, out)
		}
		said[id] = question
		c["audio"], c["reference_transcript"] = id+".wav", question
		line, _ := json.Marshal(c)
		cases.Write(append(line, '\n'))
	}
	if len(said) != len(spoken) {
		t.Fatalf("%d of the questions are there: want %d", len(said), len(spoken))
	}
	a.write("spoken.jsonl", cases.String())
	a.must("run", "--dataset", "spoken.jsonl", "--corpus", "corpus", "--retriever", "sparse", "--set", "transcriber-command="+command, "--metrics",
		"wer,recall@5", "--timeout", "5m", "--output", "heard")
	transcripts, rates := a.heard("heard.json")
	total := 0.0
	for id, question := range said {
		own := wordErrors(question, transcripts[id])
		if math.Abs(rates[id]-own) > 1e-12 {
			t.Errorf("%s: %q at %v: want %v", id, transcripts[id], rates[id], own)
		}
		total += own
	}
	// Debian's flite and recogniser differ in 1 of the 21 words.
	if mean := total / float64(len(said)); mean > 0.2 {
		t.Errorf("a mean of %v: %q", mean, transcripts)
	}
}
