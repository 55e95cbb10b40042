package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestParseTranscripts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, format, data, read string
		want                     []utterance
	}{
		{"a.txt", "auto", "one\ntwo\n", "text", []utterance{{"", "one\ntwo"}}},
		{"a.txt", "auto", "", "text", []utterance{{"", ""}}},
		{"a.txt", "auto", "\ufeffIt was built in Paris (1889)\n", "text", []utterance{{"", "It was built in Paris (1889)"}}},
		{"a.txt", "lines", "one\r\n\r\n two \r\n", "lines", []utterance{{"", "one"}, {"", ""}, {"", "two"}}},
		{"a.txt", "auto", "u1\tone two\n\nu2\t\n", "tsv", []utterance{{"u1", "one two"}, {"u2", ""}}},
		{"a.txt", "auto", "not an id\tbut a tab\n", "text", []utterance{{"", "not an id\tbut a tab"}}},
		{"text", "kaldi", "u1 one two\nu2\nu3\tthree\n", "kaldi", []utterance{{"u1", "one two"}, {"u2", ""}, {"u3", "three"}}},
		{"a.match", "auto", "one two (u1 -3466)\n(u2 -5)\n", "sphinx", []utterance{{"u1", "one two"}, {"u2", ""}}},
		{"a.transcription", "auto", "<s> one <sil> two  </s> (u1)\n", "sphinx", []utterance{{"u1", "one   two"}}},
		{"a.stm", "auto", ";; remark\nf 1 s 0 1.5 <o,f0> one (<hes>) (()) two\nf 1 s 1.5 2 IGNORE_TIME_SEGMENT_IN_SCORING\nf 1 s 2 3\n", "stm",
			[]utterance{{"f-1-0", "one two"}, {"f-1-2", ""}}},
	} {
		f, err := parseTranscripts([]byte(c.data), c.name, c.format)
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
		if _, err := parseTranscripts([]byte(c.data), c.name, c.format); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v: want %s", c.data, err, c.want)
		}
	}
}

func TestPairTranscripts(t *testing.T) {
	t.Parallel()
	parse := func(name, format, data string) *transcriptFile {
		f, err := parseTranscripts([]byte(data), name, format)
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
		{tsv, ctm, "ref.tsv and hyp.ctm: words with times (.ctm) want a reference of segments (.stm)"},
		{stm, parse("hyp.ctm", "auto", "g 1 0 1 a\n"), `hyp.ctm: words of recording and channel "g 1": ref.stm has no segment of it`},
		{parse("ref.txt", "lines", "a\nb\n"), parse("hyp.txt", "lines", "a\n"), "ref.txt has 2 lines and hyp.txt has 1: want the same number"},
	} {
		if _, err := pairTranscripts(c.ref, c.hyp); err == nil || err.Error() != c.want {
			t.Errorf("%v: want %s", err, c.want)
		}
	}
}

func FuzzParseTranscripts(f *testing.F) {
	for i, data := range []string{"one\ntwo\n", "u1\tone", "<s> a </s> (b 1)\nc (d)", "f 1 s 0 1 <o> one", "f 1 0 1 one 0.5", "\ufeff\xff"} {
		f.Add(data, i%len(transcriptFormats))
	}
	f.Fuzz(func(t *testing.T, data string, format int) {
		for _, as := range []string{"auto", transcriptFormats[uint(format)%uint(len(transcriptFormats))]} {
			r, err := parseTranscripts([]byte(data), "a.txt", as)
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
