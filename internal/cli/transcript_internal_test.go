package cli

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay/metric/speech"
	"github.com/assay-eval/assay/stats"
)

// inputOf is a file with a content.
func inputOf(name, data string) transcriptInput {
	return transcriptInput{name: name, open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil }}
}

// parseAs parses a file in a format, or in that which it looks to have.
func parseAs(name, format, data string) (*transcriptFile, error) {
	in := inputOf(name, data)
	if format == autoInput {
		look, err := in.look()
		if err != nil {
			return nil, err
		}
		format = look.format(name)
	}
	return in.parse(format)
}

func TestParseTranscripts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, format, data, read string
		want                     []utterance
	}{
		{"a.txt", "auto", "one\ntwo\n", "text", []utterance{{"", "one\ntwo"}}},
		{"a.txt", "auto", "", "text", []utterance{{"", ""}}},
		{"a.txt", "auto", "\ufeffIt was built in Paris (1889)\n", "text", []utterance{{"", "It was built in Paris (1889)"}}},
		{"a.txt", "auto", "u1\tone two\n\nu2\t\n", "tsv", []utterance{{"u1", "one two"}, {"u2", ""}}},
		{"a.txt", "auto", "not an id\tbut a tab\n", "text", []utterance{{"", "not an id\tbut a tab"}}},
		{"text", "kaldi", "u1 one two\nu2\nu3\tthree\n", "kaldi", []utterance{{"u1", "one two"}, {"u2", ""}, {"u3", "three"}}},
		{"a.match", "auto", "one two (u1 -3466)\n(u2 -5)\n", "sphinx", []utterance{{"u1", "one two"}, {"u2", ""}}},
		{"a.transcription", "auto", "<s> one <sil> two  </s> (u1)\n", "sphinx", []utterance{{"u1", "one   two"}}},
		{"a.stm", "auto", ";; remark\nf 1 s 0 1.5 <o,f0> one (<hes>) (()) two\nf 1 s 1.5 2 IGNORE_TIME_SEGMENT_IN_SCORING\nf 1 s 2 3\n", "stm",
			[]utterance{{"f-1-0", "one two"}, {"f-1-2", ""}}},
	} {
		f, err := parseAs(c.name, c.format, c.data)
		if err != nil {
			t.Errorf("%q: %v", c.data, err)
			continue
		}
		if f.Format != c.read || !slices.Equal(f.Utterances, c.want) {
			t.Errorf("%q: read as %s, %q: want %s, %q", c.data, f.Format, f.Utterances, c.read, c.want)
		}
	}
	for _, c := range []struct{ name, format, data, want string }{
		{"a.tsv", "auto", "u1\tone\nu1\ttwo\n", `a.tsv:2: duplicate utterance "u1", first on line 1`},
		{"a.txt", "auto", "a\n\xff\n", "a.txt:2: invalid UTF-8"},
		{"a.txt", "sphinx", "one two\n", `a.txt:1: "one two": want a text and its id in parentheses, as in "<s> two words </s> (u1)"`},
		{"a.txt", "kaldi", "\n \n", "a.txt: no utterances: want lines in the format kaldi"},
		{"a.stm", "auto", "f 1 s 0\n", "a.stm:1: 4 columns: want recording, channel, speaker, start, end and text"},
		{"a.stm", "auto", "f 1 s 2 1 one\n", "a.stm:1: the segment ends at 1, before its start at 2"},
		{"a.stm", "auto", "f 1 s x 1 one\n", `a.stm:1: time "x": want seconds`},
		{"a.ctm", "auto", "f 1 0 one\n", "a.ctm:1: 4 columns: want recording, channel, start, duration and word"},
		{"a.ctm", "auto", "f 1 0 NaN one\n", `a.ctm:1: time "NaN": want seconds`},
	} {
		if _, err := parseAs(c.name, c.format, c.data); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v: want %s", c.data, err, c.want)
		}
	}
}

func TestPairTranscripts(t *testing.T) {
	t.Parallel()
	parse := func(name, format, data string) *transcriptFile {
		f, err := parseAs(name, format, data)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	stm := parse("ref.stm", "auto", "f 1 s 0 1 one\nf 1 s 1 2 IGNORE_TIME_SEGMENT_IN_SCORING\nf 1 s 2 3 two\nf 2 s 0 1 three\n")
	// Words go to the first segment that ends after their middle, the last word to
	// the last segment.
	ctm := parse("hyp.ctm", "auto", "f 1 0.0 0.2 a\nf 1 0.8 0.6 gone\nf 1 2.5 0.1 b\nf 1 9 1 c\n")
	pairs, err := pairTranscripts(stm, ctm)
	if want := []spokenPair{{"f-1-0", "one", "a"}, {"f-1-2", "two", "b c"}, {"f-2-0", "three", ""}}; err != nil || !slices.Equal(pairs,
		want) {
		t.Errorf("%v, %v: want %v", pairs, err, want)
	}
	tsv := parse("ref.tsv", "auto", "u1\tone\nu2\ttwo\n")
	if pairs, err := pairTranscripts(tsv, parse("hyp.txt", "kaldi", "u2 b\nu1 a\n")); err != nil ||
		!slices.Equal(pairs, []spokenPair{{"u1", "one", "a"}, {"u2", "two", "b"}}) {
		t.Errorf("%v, %v", pairs, err)
	}
	for _, c := range []struct {
		ref, hyp *transcriptFile
		want     string
	}{
		{tsv, parse("hyp.tsv", "auto", "u1\tone\n"), `hyp.tsv lacks 1 of the 2 utterances of ref.tsv: "u2"`},
		{tsv, parse("hyp.tsv", "auto", "u1\tone\nu2\ttwo\nu3\tx\n"), `hyp.tsv has 1 utterances that ref.tsv lacks: "u3"`},
		{tsv, parse("hyp.txt", "auto", "one"), "ref.tsv has ids (tsv) and hyp.txt has none (text): want both with ids or both without"},
		{tsv, ctm, `hyp.ctm has 1 utterances that ref.tsv lacks: "f"`},
		{ctm, ctm, "hyp.ctm: words with times (.ctm) as the reference: want segments (.stm), or a text of each recording"},
		{stm, parse("hyp.ctm", "auto", "g 1 0 1 a\n"), `hyp.ctm: words of recording and channel "g 1": ref.stm has no segment of it`},
	} {
		if _, err := pairTranscripts(c.ref, c.hyp); err == nil || err.Error() != c.want {
			t.Errorf("%v: want %s", err, c.want)
		}
	}
}

// The lines of a file are those of its text.
func FuzzTranscriptLines(f *testing.F) {
	for _, data := range []string{"", "\n", "\n\n", "one", "one\r\n\r\n two \r\n\n", "\ufeff\n\nx\r", "\r\n", "a\n\xff\n"} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data string) {
		whole := strings.TrimRight(strings.ReplaceAll(strings.TrimPrefix(data, "\ufeff"), "\r\n", "\n"), "\n")
		var got []string
		for line, err := range inputOf("a.txt", data).lines() {
			if err != nil {
				if utf8.ValidString(data) || !strings.HasPrefix(err.Error(), "a.txt:") {
					t.Fatal(err)
				}
				return
			}
			got = append(got, line)
		}
		if want := strings.Split(whole, "\n"); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", data, got, want)
		}
	})
}

func TestPairFiles(t *testing.T) {
	t.Parallel()
	env := &Env{Dir: t.TempDir(), Stdin: strings.NewReader("four\nfive\n")}
	for name, data := range map[string]string{"two.txt": "one\ntwo three\n", "too.txt": " un\ndeux\n\n", "three.txt": "a\nb\nc", "one.txt": "one\n"} {
		if err := os.WriteFile(filepath.Join(env.Dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := []spokenPair{{"line 1", "one", "un"}, {"line 2", "two three", "deux"}}
	for _, c := range []struct {
		ref, hyp, input, format string
		told                    bool
		want                    []spokenPair
	}{
		{"two.txt", "too.txt", "auto", "lines", false, lines},
		{"two.txt", "too.txt", "lines", "lines", true, lines},
		{"two.txt", "too.txt", "text", "text", true, []spokenPair{{"", "one\ntwo three", " un\ndeux"}}},
		{"two.txt", "three.txt", "auto", "text", false, []spokenPair{{"", "one\ntwo three", "a\nb\nc"}}},
		{"one.txt", "one.txt", "auto", "text", false, []spokenPair{{"", "one", "one"}}},
		{"one.txt", "one.txt", "lines", "lines", true, []spokenPair{{"line 1", "one", "one"}}},
		{"two.txt", "-", "auto", "lines", false, []spokenPair{{"line 1", "one", "four"}, {"line 2", "two three", "five"}}},
	} {
		p, err := pairFiles(env, c.ref, c.hyp, c.input)
		if err != nil {
			t.Errorf("%s, %s: %v", c.ref, c.hyp, err)
			continue
		}
		var got []spokenPair
		for pair, err := range p.each {
			if err != nil {
				t.Error(err)
			}
			got = append(got, pair)
		}
		if p.format != c.format || p.told != c.told || p.total != len(c.want) || !slices.Equal(got, c.want) {
			t.Errorf("%s, %s as %s: %d in %s, %q, want %q", c.ref, c.hyp, c.input, p.total, p.format, got, c.want)
		}
	}
	if _, err := pairFiles(env, "two.txt", "one.txt", "lines"); err == nil ||
		err.Error() != "two.txt has 2 lines and one.txt has 1: want the same number" {
		t.Error(err)
	}
	// The file that is read second may have become shorter.
	for _, err := range pairLines(inputOf("ref.txt", "a\nb"), inputOf("hyp.txt", "a")) {
		if err != nil && err.Error() != "hyp.txt has fewer lines than ref.txt: it changed while it was read" {
			t.Error(err)
		}
	}
}

// The sums of many utterances are those of a list.
func TestScoreIsThatOfAList(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	var pairs []spokenPair
	for i := range 700 {
		words := []string{"one", "two", "three", "我", "要", "five 7"}
		var ref, hyp []string
		for range rng.IntN(8) {
			w := words[rng.IntN(len(words))]
			ref = append(ref, w)
			if rng.IntN(4) > 0 {
				hyp = append(hyp, w)
			} else {
				hyp = append(hyp, words[rng.IntN(len(words))])
			}
		}
		pairs = append(pairs, spokenPair{fmt.Sprint("u", i), strings.Join(ref, " "), strings.Join(hyp, " ")})
	}
	each := func(yield func(spokenPair, error) bool) {
		for _, p := range pairs {
			if !yield(p, nil) {
				return
			}
		}
	}
	s := &scoredTranscript{Script: speech.Strict}
	f := transcriptFlags{worst: 7, perUtterance: true, format: "json"}
	if err := s.score(&transcriptPairing{total: len(pairs), each: each}, f, func(string, int, int) {}); err != nil {
		t.Fatal(err)
	}
	var sum speech.Rates
	var rates []float64
	var counts []stats.Count
	total := 0.0
	for i, p := range pairs {
		if s.Utterances[i].ID != p.ID {
			t.Fatalf("utterance %d is %s", i, s.Utterances[i].ID)
		}
		c := speech.Compare(p.Reference, p.Hypothesis, speech.Options{})
		sum = sum.Add(c.Strict)
		counts = append(counts, stats.Count{Num: float64(c.Strict.Mixed.Errors()), Den: float64(c.Strict.Mixed.Reference())})
		if v, ok := c.Strict.Mixed.Rate(); ok {
			rates = append(rates, v)
			total += v
		}
	}
	slices.Sort(rates)
	d := s.spreads[spreadKey{ratePart(speech.Mixed), speech.Strict}]
	median, _ := stats.Quantile(rates, 0.5)
	if s.N != len(pairs) || s.Strict != sum || d.n != len(rates) || d.mean() != total/float64(len(rates)) || d.median() != median ||
		*d.interval() != *stats.PooledRatio(counts, stats.DefaultLevel, 1) {
		t.Errorf("%d, %+v, mean %v, median %v: want %+v, %v, %v", s.N, s.Strict, d.mean(), d.median(), sum, total/float64(len(rates)), median)
	}
	all := slices.DeleteFunc(slices.Clone(s.Utterances), func(u scoredUtterance) bool { return s.counts(u).Errors() == 0 })
	slices.SortStableFunc(all, func(a, b scoredUtterance) int { return worse(s.counts(a), s.counts(b)) })
	worst := s.worstOnes()
	if len(worst) != 7 {
		t.Fatalf("%d are the worst", len(worst))
	}
	for i, u := range worst {
		if u.ID != all[i].ID {
			t.Errorf("%s is number %d of the worst, want %s", u.ID, i, all[i].ID)
		}
	}
}

// An error ends the work, and what was computed before is added in order.
func TestInOrder(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	var got []int
	err := inOrder(func(yield func(int, error) bool) {
		for i := range 1000 {
			if !yield(i, nil) {
				return
			}
		}
		yield(0, broken)
	}, func(i int) int { return 2 * i }, func(i *int) { got = append(got, *i) })
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	for i, v := range got {
		if v != 2*i {
			t.Fatalf("number %d is %d", i, v)
		}
	}
}

func FuzzParseTranscripts(f *testing.F) {
	for i, data := range []string{"one\ntwo\n", "u1\tone", "<s> a </s> (b 1)\nc (d)", "f 1 s 0 1 <o> one", "f 1 0 1 one 0.5", "\ufeff\xff"} {
		f.Add(data, i%len(transcriptFormats))
	}
	f.Fuzz(func(t *testing.T, data string, format int) {
		for _, as := range []string{"auto", transcriptFormats[uint(format)%uint(len(transcriptFormats))]} {
			if as == "lines" {
				continue
			}
			r, err := parseAs("a.txt", as, data)
			if err != nil {
				if !strings.HasPrefix(err.Error(), "a.txt") {
					t.Errorf("%v names no file", err)
				}
				continue
			}
			seen := map[string]bool{}
			for _, u := range r.Utterances {
				if hasIDs(r.Format) && (u.ID == "" || seen[u.ID]) {
					t.Errorf("%s: id %q", r.Format, u.ID)
				}
				seen[u.ID] = true
			}
			if len(r.words) > 0 && as == "ctm" {
				continue
			}
			pairs, err := pairTranscripts(r, r)
			if err != nil || len(pairs) != len(r.Utterances) {
				t.Errorf("%s with itself: %d pairs, %v", r.Format, len(pairs), err)
			}
		}
	})
}
