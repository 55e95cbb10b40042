package server

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/internal/requiretest"
)

// jiwerRates gives what jiwer says of the transcripts that the recogniser of
// Debian makes of the shared recordings, by the recording's name.
func jiwerRates(t *testing.T) map[string]float64 {
	t.Helper()
	f, err := os.Open(requiretest.Env(t, "ASSAY_JIWER"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rates := map[string]float64{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var pair struct {
			Name string
			Rate float64
		}
		if err := json.Unmarshal(lines.Bytes(), &pair); err != nil {
			t.Fatal(err)
		}
		if file, ok := strings.CutPrefix(pair.Name, "pocketsphinx "); ok {
			rates[file] = pair.Rate
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rates
}

// Recordings of LibriVox come in by the API and are heard by the recogniser of
// Debian. Transcripts are those that it made of them without this program; word
// error rates are those that jiwer finds, and those of whoever counted then.
func TestRecordingsAreHeardThroughTheAPI(t *testing.T) {
	t.Parallel()
	command := shellquote.Join(requiretest.Env(t, "ASSAY_POCKETSPHINX"), "-infile", "{{audio}}", "-logfn", os.DevNull)
	jiwer := jiwerRates(t)
	shared := requiretest.Shared(t, "data/speech")
	text, err := os.ReadFile(filepath.Join(shared, "results", "pocketsphinx_debian_0.8+5prealpha.json"))
	if err != nil {
		t.Fatal(err)
	}
	var known []struct {
		File, Ref, Hyp string
		S, D, I, N     int
	}
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	l := laboratory(
		t, nil, "transcriber=command", "transcriber-command="+command, "timeout=5m", "decomposer=rule", "filter=none", "generator=extractive",
	)
	heard := 0
	for _, k := range known {
		// The shortest two: the recogniser takes as long as their speaker did.
		if !strings.HasSuffix(k.File, "-0880.wav") && !strings.HasSuffix(k.File, "-0930.wav") {
			continue
		}
		heard++
		recording, err := os.ReadFile(filepath.Join(shared, "librivox", k.File))
		if err != nil {
			t.Fatal(err)
		}
		r := read[accuracy.Result](t, l.speaks(k.File, recording, "profile", "A", "language", "en", "reference_transcript", k.Ref).want(t, 200))
		if in := r.Input; in.Text != k.Hyp || in.ASRLanguage != "en" || in.ReferenceTranscript == nil ||
			*in.ReferenceTranscript != k.Ref || r.Timing.ASRTimeMS == nil || *r.Timing.ASRTimeMS <= 0 {
			t.Errorf("%s: %+v, %+v: want %q", k.File, in, r.Timing, k.Hyp)
		}
		// 16-bit samples at 16000 a second, behind 44 bytes.
		if d := r.Input.AudioDurationSeconds; d == nil || math.Abs(*d-float64(len(recording)-44)/32000) > 1e-3 {
			t.Errorf("%s: lasts %v", k.File, d)
		}
		e := l.evaluates(r.ResultID, "?dimensions=audio")
		a := e.AudioEvaluation
		if a == nil || a.WER == nil || e.Status != accuracy.Completed || e.ChunkEvaluation != nil {
			t.Errorf("%s: %+v", k.File, e)
			continue
		}
		byCounts, byJiwer := float64(k.S+k.D+k.I)/float64(k.N), jiwer[k.File]
		if byJiwer == 0 || math.Abs(*a.WER-byJiwer) > 1e-12 || math.Abs(*a.WER-byCounts) > 1e-12 {
			t.Errorf("%s: a word error rate of %v: jiwer has %v, the counts are %v", k.File, *a.WER, byJiwer, byCounts)
		}
		// Characters are all but white space.
		said, got := len(strings.ReplaceAll(k.Ref, " ", "")), len(strings.ReplaceAll(k.Hyp, " ", ""))
		if a.ReferenceLength != said || a.TranscribedLength != got || a.Hits+a.Substitutions+a.Deletions != said ||
			a.Hits+a.Substitutions+a.Insertions != got {
			t.Errorf("%s: %+v: want %d characters said and %d heard", k.File, a.TranscriptErrors, said, got)
		}
	}
	if heard != 2 {
		t.Errorf("%d of the recordings are there: want 2", heard)
	}
}

// lengths of the recordings of the Cantonese corpus in seconds, as ffprobe
// estimates them.
var lengths = map[string]float64{"d1": 58.953500, "d2": 54.983000, "m": 58.535500, "r1": 59.663667, "r2": 65.384500}

// simplified is how a model that was trained on simplified text writes characters
// of the corpus.
var simplified = map[string]string{"個": "个", "開": "开", "當": "当", "幾": "几", "體": "体", "時": "时", "點": "点"}

// wrongly is what a poor transcriber makes of a text, and how many of its
// characters are in another script, are those of written Chinese in place of
// Cantonese, and are lost.
func wrongly(said string) (heard string, script, written, lost int) {
	heard = said
	for from, to := range simplified {
		script += strings.Count(heard, from)
		heard = strings.ReplaceAll(heard, from, to)
	}
	written = strings.Count(heard, "唔")
	heard = strings.ReplaceAll(heard, "唔", "不")
	for _, gone := range []string{"旅", "讀", "邊"} {
		lost += strings.Count(heard, gone)
		heard = strings.ReplaceAll(heard, gone, "")
	}
	return heard, script, written, lost
}

// spokenLength counts what is compared: letters and digits, and the apostrophes
// within words.
func spokenLength(s string) (n int) {
	r := []rune(s)
	for i := range r {
		if unicode.IsLetter(r[i]) || unicode.IsDigit(r[i]) || r[i] == '\'' && i > 0 && i+1 < len(r) && unicode.IsLetter(r[i-1]) &&
			unicode.IsLetter(r[i+1]) {
			n++
		}
	}
	return n
}

// Recordings in Cantonese come in as MP3 files, whose length is read without any
// program, and their transcripts are held to what the corpus says was spoken.
func TestCantoneseThroughTheAPI(t *testing.T) {
	t.Parallel()
	corpus := requiretest.Cantonese(t)
	if len(corpus) != len(lengths) {
		t.Fatalf("%d recordings: want %d", len(corpus), len(lengths))
	}
	texts := map[string]string{}
	for _, c := range corpus {
		texts[filepath.Base(c.File)], _, _, _ = wrongly(strings.Join(c.Turns, "\n"))
	}
	fake, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"heard.yaml": string(fake)})
	l := laboratory(t, nil, "transcriber=fake:"+filepath.Join(dir, "heard.yaml"), "decomposer=rule", "filter=none", "generator=extractive")
	for _, c := range corpus {
		said := strings.Join(c.Turns, "\n")
		heard, script, written, lost := wrongly(said)
		n := spokenLength(said)
		if c.Name == "m" && (n != 206 || script != 13 || written != 5 || lost != 3) {
			t.Fatalf("%d characters, %d, %d and %d of them wrong: want what was counted by hand, 206, 13, 5 and 3", n, script, written, lost)
		}
		recording, err := os.ReadFile(c.File)
		if err != nil {
			t.Fatal(err)
		}
		r := read[accuracy.Result](
			t, l.speaks(filepath.Base(c.File), recording, "profile", "B", "language", "yue", "reference_transcript", said).want(t, 200),
		)
		if d := r.Input.AudioDurationSeconds; d == nil || math.Abs(*d-lengths[c.Name]) > 0.1 {
			t.Errorf("%s lasts %v: want about %v s", c.Name, d, lengths[c.Name])
		}
		if r.Input.Text != heard || r.Input.ASRLanguage != "yue" {
			t.Errorf("%s: %+v: want what was heard", c.Name, r.Input)
		}
		a := l.evaluates(r.ResultID, "?dimensions=audio").AudioEvaluation
		if a == nil || a.CER == nil || a.Folded.CER == nil || a.WER == nil || a.Mixer == nil {
			t.Errorf("%s: %+v", c.Name, a)
			continue
		}
		// Each wrong character is one error, and those of script are none when the
		// scripts are folded.
		strict := accuracy.TranscriptErrors{
			ReferenceLength: n, TranscribedLength: n - lost, Substitutions: script + written, Deletions: lost, Hits: n - script - written - lost,
		}
		folded := accuracy.TranscriptErrors{
			ReferenceLength: n, TranscribedLength: n - lost, Substitutions: written, Deletions: lost, Hits: n - written - lost,
		}
		for name, pair := range map[string][2]accuracy.TranscriptErrors{
			"strict": {a.Strict, strict}, "folded": {a.Folded, folded}, "at the top": {a.TranscriptErrors, strict},
		} {
			got, want := pair[0], pair[1]
			if rate := float64(want.Substitutions+want.Deletions) / float64(n); got.CER == nil || math.Abs(*got.CER-rate) > 1e-12 {
				t.Errorf("%s, %s: a CER of %v: want %v", c.Name, name, got.CER, rate)
			}
			if r := got.NumberErrorRate; r != nil && !(*r >= 0 && *r <= 1) {
				t.Errorf("%s, %s: a number error rate of %v: want 0 to 1", c.Name, name, *r)
			}
			got.CER, got.WER, got.Mixer, got.NumberErrorRate, got.KeywordErrorRate = nil, nil, nil, nil, nil
			if got != want {
				t.Errorf("%s, %s: %+v: want %+v", c.Name, name, got, want)
			}
		}
	}
	// A file is what it begins like, whatever it is called.
	if g := l.speaks("d1.mp3", []byte(strings.Repeat("no recording ", 100)), "profile", "B"); g.StatusCode != 400 ||
		!strings.Contains(g.text, "expected wav, mp3") {
		t.Errorf("a text that is called d1.mp3: %d %s", g.StatusCode, g.text)
	}
}
