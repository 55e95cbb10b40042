package cli

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/metric/speech"
	"github.com/assay-eval/assay/stats"
)

// parseAs parses a file in a format, or in that which it looks to have.
func parseAs(name, format, data string) (*transcriptFile, error) {
	in, err := inputOfData(name, []byte(data))
	if err != nil {
		return nil, err
	}
	if look := in.look(); format == autoInput {
		if format, err = look.format(name); err != nil {
			return nil, err
		}
	}
	return in.parse(format, refTexts)
}

func TestParseTranscripts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, format, data, read string
		want                     []utterance
	}{
		{"a.txt", "auto", "one\ntwo\n", "text", []utterance{{"", "one\ntwo"}}},
		{"a.txt", "auto", "", "text", []utterance{{"", ""}}},
		{"a.txt", "auto", "- Anna: one\n- Ben: two\n", "text", []utterance{{"", "- Anna: one\n- Ben: two"}}}, // no YAML
		{"a.txt", "auto", "[noise] one\n", "text", []utterance{{"", "[noise] one"}}},
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
		{"a.txt", "sphinx", "one two\n", `a.txt:1: "one two": expected a text and its id in parentheses, as in "<s> two words </s> (u1)"`},
		{"a.txt", "kaldi", "\n \n", "a.txt: no utterances: expected lines in the format kaldi"},
		{"a.stm", "auto", "f 1 s 0\n", "a.stm:1: 4 columns: expected recording, channel, speaker, start, end and text"},
		{"a.stm", "auto", "f 1 s 2 1 one\n", "a.stm:1: the segment ends at 1, before its start at 2"},
		{"a.stm", "auto", "f 1 s x 1 one\n", `a.stm:1: time "x": expected seconds`},
		{"a.ctm", "auto", "f 1 0 one\n", "a.ctm:1: 4 columns: expected recording, channel, start, duration and word"},
		{"a.ctm", "auto", "f 1 0 NaN one\n", `a.ctm:1: time "NaN": expected seconds`},
	} {
		if _, err := parseAs(c.name, c.format, c.data); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v: want %s", c.data, err, c.want)
		}
	}
	for data, want := range map[string]string{
		`{"text": "", "segments": [{"text": " one"}, {"text": " two"}]}`: " one two",
		`{"segments": [{"text": "one"}, {"text": "two"}]}`:               "one two",
		`{"transcription": [{"text": " on"}, {"text": "e"}]}`:            " one",
		`{"text": "", "segments": []}`:                                   "",
	} {
		if got, err := whisperText(data); err != nil || got != want {
			t.Errorf("%s: %q, %v: want %q", data, got, err, want)
		}
	}
	if got, err := parseAs("a.txt", "auto", "10:30 is when we meet\n11:15 is too late\n"); err != nil {
		t.Errorf("sentences that begin with times: %v, %v", got, err)
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
	ctm := parse("hyp.ctm", "auto", "f 1 0.0 0.2 a\nf 1 9 1 c\nf 1 0.8 0.6 gone\nf 1 2.5 0.1 b\n")
	pairs, err := pairTranscripts(stm, ctm)
	if want := []spokenPair{{"f-1-0", "one", "a"}, {"f-1-2", "two", "b c"}, {"f-2-0", "three", ""}}; err != nil || !slices.Equal(pairs,
		want) {
		t.Errorf("%v, %v: want %v", pairs, err, want)
	}
	const silent = `no word of "f 2": what was said there counts as deleted`
	if ctm.warning != silent {
		t.Errorf("warning %q, want %q", ctm.warning, silent)
	}
	overlap := parse("ref.stm", "auto", "f 1 a 0 5 one two\nf 1 b 2 4 yes\n")
	pairs, err = pairTranscripts(overlap, parse("hyp.ctm", "auto", "f 1 0.5 0.2 one\nf 1 2.5 0.2 yes\nf 1 4.5 0.2 two\n"))
	if want := []spokenPair{{"f-1-0", "one two", "one two"}, {"f-1-2", "yes", "yes"}}; err != nil || !slices.Equal(pairs, want) {
		t.Errorf("%v, %v: want %v", pairs, err, want)
	}
	tsv := parse("ref.tsv", "auto", "u1\tone\nu2\ttwo\n")
	if pairs, err := pairTranscripts(tsv, parse("hyp.txt", "kaldi", "u2 b\nu1 a\n")); err != nil ||
		!slices.Equal(pairs, []spokenPair{{"u1", "one", "a"}, {"u2", "two", "b"}}) {
		t.Errorf("%v, %v", pairs, err)
	}
	part := parse("hyp.ctm", "auto", "u1 1 0 1 a\n")
	if _, err := pairTranscripts(tsv, part); err != nil || part.warning != `no word of "u2": what was said there counts as deleted` {
		t.Errorf("%v, warning %q", err, part.warning)
	}
	for _, c := range []struct {
		ref, hyp *transcriptFile
		want     string
	}{
		{tsv, parse("hyp.tsv", "auto", "u1\tone\n"), `hyp.tsv lacks 1 of the 2 utterances of ref.tsv: "u2"`},
		{tsv, parse("hyp.tsv", "auto", "u1\tone\nu2\ttwo\nu3\tx\n"), `hyp.tsv has 1 utterances that ref.tsv lacks: "u3"`},
		{tsv, parse("hyp.txt", "auto", "one"), "ref.tsv has ids (tsv) and hyp.txt has none (text): expected both with ids or both without"},
		{tsv, ctm, `hyp.ctm has 1 utterances that ref.tsv lacks: "f"`},
		{ctm, ctm, "hyp.ctm: words with times (.ctm) as the reference: expected segments (.stm), or a text of each recording"},
		{stm, parse("hyp.ctm", "auto", "g 1 0 1 a\n"), `hyp.ctm: words of recording and channel "g 1": ref.stm has no segment of it`},
	} {
		if _, err := pairTranscripts(c.ref, c.hyp); err == nil || err.Error() != c.want {
			t.Errorf("%v: want %s", err, c.want)
		}
	}
}

func TestPairFiles(t *testing.T) {
	t.Parallel()
	env := &Env{Dir: t.TempDir(), Stdin: strings.NewReader("four\nfive\n"), Stderr: io.Discard}
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
		if p.format != c.format || p.told != c.told || !slices.Equal(p.pairs, c.want) {
			t.Errorf("%s, %s as %s: in %s, %q, want %q", c.ref, c.hyp, c.input, p.format, p.pairs, c.want)
		}
	}
	if _, err := pairFiles(env, "two.txt", "one.txt", "lines"); err == nil ||
		err.Error() != "two.txt has 2 lines and one.txt has 1: expected the same number" {
		t.Error(err)
	}
}

// A file that looks like a format and is not in it is an error: as a text its ids, marks and
// times would be scored as words.
func TestTranscriptsFailClosed(t *testing.T) {
	t.Parallel()
	hint := "; --input says how the files are to be read"
	foreign := func(what string) string {
		return "a.txt: looks like " + what + ", which is not read: convert it to a text, .stm, .ctm, .vtt or .csv file"
	}
	times := foreign("lines that begin with times, as Whisper prints them and LRC and SBV have them")
	for _, c := range []struct{ name, data, want string }{
		{"a.txt", "one (u1)\ntwo (u2)\nthree\n", "a.txt:3: the line is not in the format sphinx, as 2 of 3 lines are: fix it" + hint},
		{"a.txt", "u1\tone\nu2 two\nu3\tthree\n", "a.txt:2: the line is not in the format tsv, as 2 of 3 lines are: fix it" + hint},
		{"a.txt", ";; made by hand\none two\n", `a.txt: lines that begin with ";;" are comments of sclite's formats, ` +
			`but no line has an id as in "two words (u1)": remove the comments` + hint},
		{"a.txt", "<?xml version=\"1.0\"?>\n<tt>one</tt>\n", foreign("XML")},
		{"a.txt", "[00:00:00.000 --> 00:00:02.000]  one\n[00:00:02.000 --> 00:00:04.000]  two\n", times},
		{"a.ttml", `<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="0s">one</p></div></body></tt>`, foreign("XML")},
		{"a.txt", `<transcript><text start="0" dur="2">one</text></transcript>`, foreign("XML")},
		{"a.txt", `{\rtf1\ansi one}`, foreign("RTF")},
		{"a.txt", "{\n\"words\": []\n}\n", `a.txt: no transcript: expected an object with "text", as Whisper writes it, ` +
			`or with "segments" or "transcription"`},
		{"a.txt", "- text: one\n  start: 0\n- text: two\n  start: 1\n", foreign("YAML")},
		{"a.txt", "LJ001-0001|Printing, in|Printing, in\nLJ001-0002|the only|the only\n", foreign("id|text, as LJSpeech has it")},
		{"a.txt", "u1:\tref=['ONE', 'TWO']\nu2:\tref=['THREE']\n", foreign("lists of words, as icefall writes them")},
		{"a.csv", "id,text\nu1,\"['ONE', 'TWO']\"\n", foreign("lists of words, as icefall writes them")},
		{"a.lrc", "[ti:Song]\n[00:01.00]one\n[00:02.00]two\n", times},
		{"a.sbv", "0:00:01.000,0:00:02.000\none\n\n0:00:02.000,0:00:04.000\ntwo\n", times},
		{"a.txt", "0:01\none\n0:05\ntwo\n", times},
		{"a.txt", "0:03 one\n1:05 two\n", times},
		{"a.txt", "00:01:03 - one\n00:01:05 - two\n", times},
		{"a.txt", "00:01:03 -> one\n00:01:05 -> two\n", times},
		{"a.txt", "00:01:03 - 00:01:05: one\n00:01:05 - 00:01:09: two\n", times},
		{"a.txt", "00:01:03 Speaker 1: one\n00:01:05 Jane Roe: two\n", times},
		{"a.txt", "00:01:03.120 one\n00:01:05.120 two\n", times},
		{"a.trn", "one two\n", `a.trn:1: "one two": expected a text and its id in parentheses, as in "<s> two words </s> (u1)"`},
		{"a.tsv", "u1\tone\t5\n", "a.tsv:1: 3 columns: must be an id and a text, or a header must name the columns"},
		{"a.csv", "id,words\n1,one\n", "a.csv:1: the columns are id, words: name that of the texts reference, and that of the ids id"},
		{"a.csv", "id,text\n1,one\n,two\n", "a.csv:3: id is empty: every row must have an id"},
		{"a.csv", "id,text\n1,one,two\n", "a.csv:2: 3 columns: expected 2 as in the header"},
		{"a.csv", "id,text\n1,one\n1,two\n", `a.csv:3: duplicate utterance "1", first on line 2`},
		{"a.jsonl", "{\"audio_filepath\":\"a.wav\",\"text\":\"one\"}\n{\"audio_filepath\"\n",
			"a.jsonl:2: unexpected EOF: expected a JSON object"},
		{"a.jsonl", "{\"audio_filepath\":\"a.wav\",\"text\":\"one\"}\n{\"audio_filepath\":\"b.wav\",\"text\":null}\n",
			`a.jsonl:2: no text: every row must have one, "" for no words`},
		{"a.jsonl", "{\"audio_filepath\":\"a.wav\",\"text\":\"one\"}\n{\"text\":\"two\"}\n",
			"a.jsonl:2: audio_filepath is empty: every row must have an id"},
		{"a.json", "[{\"text\":\"one\"}]", `a.json: no transcript: expected an object with "text", as Whisper writes it, ` +
			`or with "segments" or "transcription"`},
	} {
		if _, err := parseAs(c.name, "auto", c.data); err == nil || err.Error() != strings.Replace(c.want, "a.txt: looks", c.name+": looks", 1) {
			t.Errorf("%q: %v: want %s", c.data, err, c.want)
		}
	}
}

func TestPairTablesAndManifests(t *testing.T) {
	t.Parallel()
	const manifest = `{"audio_filepath":"a.wav","offset":0,"text":"hello there","pred_text":"hello their"}
{"audio_filepath":"a.wav","offset":1.5,"text":"good day","pred_text":"good day"}
`
	env := &Env{Dir: t.TempDir()}
	for name, data := range map[string]string{
		"manifest.jsonl": manifest, "manifest.json": manifest, "both.csv": "id;reference;hypothesis\n1;\"hello; there\";hello their\n",
		"ref.tsv": "path\tsentence\tvotes\n1.mp3\tone two\t3\n", "hyp.csv": "path,text\n1.mp3,one\n", "rows.csv": "text\none two\n", "more.csv": "text\none\n",
		"ref.txt": "u1 the cat\nu2 on a mat\nu10 hello\nu11 x\n", "twice.txt": "u1 the cat\nu2 on a mat\nu2 on a hat\nu10 hello\nu11 x\n",
		"nemo.json": `{"audio_filepath":"1","text":"hello; there","pred_text_conformer":"hello their"}`,
		"asr.csv":   "id,text,asr\n1,hello; there,hello their\n", "two.jsonl": `{"id":"1","pred_text_a":"hello a","pred_text_b":"hello b"}`,
		"notes.csv": "id,text,notes\n1,hello their,read in a car\n", "late.csv": "id,text,predicted\n1,hello; there,hello their\n",
		"r_uid.csv": ",uid,text\n0,a,one\n1,b,two\n", "h_uid.jsonl": `{"":0,"uid":"b","text":"zwei"}` + "\n" + `{"":1,"uid":"a","text":"eins"}`,
		"r_who.csv": "who,text\nx,one\nx,two\ny,three\n", "h_who.csv": "who,text\ny,drei\nx,eins\nx,zwei\n", "r_uttid.tsv": "uttid\ttext\na\tone\n",
		"h_uttid.txt": "uttid\ttranscript\na\teins\n", "mood.csv": "who,text,length\nx,eins,2\nx,zwei,1\ny,drei,3\n", "p1.csv": "audio_path,text\n/x/a,one\n",
		"r_clip.csv": "clip_no,text,n\nk1,one,1\nk2,two,2\n", "h_item.csv": "item,text,m\nk2,zwei,2\nk1,eins,1\n",
		"texts.tsv": "text\tpred_text\nthe ship\tthe sheep\n", "bare.tsv": "the ship\tthe sheep\n", "recording.tsv": "recording\ttext\na\tthe ship\n",
		"words.tsv": "uttid\twords\na\tthe ship\n", "u1.tsv": "u1\ttext\nu2\tfile\n", "swap.csv": "reference,hypothesis\nship,sheep\nsheep,ship\n",
		"p2.csv": "audio_path,text\n/y/a,one\n", "h_few.csv": "uid,text\nb,zwei\n",
		"ref.trn": ";; comment\nhello there (u1)\nfriend (u2)\n", "hyp.trn": "friend (u2)\nhello there (u1)\n",
	} {
		if err := os.WriteFile(filepath.Join(env.Dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	segments := []spokenPair{{"a.wav", "hello there", "hello their"}, {"a.wav@1.5", "good day", "good day"}}
	for _, c := range []struct {
		ref, hyp, format, fails, warns string
		want                           []spokenPair
	}{
		{ref: "manifest.jsonl", hyp: "manifest.jsonl", format: "nemo", want: segments},
		{ref: "manifest.json", hyp: "manifest.jsonl", format: "nemo", want: segments},
		{ref: "both.csv", hyp: "both.csv", format: "csv", want: []spokenPair{{"1", "hello; there", "hello their"}}},
		{ref: "both.csv", hyp: "nemo.json", format: "csv", want: []spokenPair{{"1", "hello; there", "hello their"}}},
		{ref: "late.csv", hyp: "late.csv", format: "csv", want: []spokenPair{{"1", "hello; there", "hello their"}}},
		{ref: "both.csv", hyp: "notes.csv", format: "csv", want: []spokenPair{{"1", "hello; there", "hello their"}}},
		{ref: "both.csv", hyp: "asr.csv",
			fails: "asr.csv: the columns text and asr may both be the hypothesis: rename that of the hypothesis to hypothesis"},
		{ref: "both.csv", hyp: "two.jsonl",
			fails: "two.jsonl: the columns pred_text_a and pred_text_b may both be the hypothesis: rename that of the hypothesis to hypothesis"},
		{ref: "r_uid.csv", hyp: "h_uid.jsonl", format: "csv", want: []spokenPair{{"a", "one", "eins"}, {"b", "two", "zwei"}}},
		{ref: "r_uid.csv", hyp: "h_few.csv", fails: `h_few.csv lacks 1 of the 2 utterances of r_uid.csv: "a"`},
		{ref: "r_clip.csv", hyp: "h_item.csv", format: "csv", want: []spokenPair{{"row 1", "one", "zwei"}, {"row 2", "two", "eins"}},
			warns: "assay: warning: h_item.csv: has no column of ids with the name of one in r_clip.csv, so rows are paired in order: name that of the ids id in both\n"},
		{ref: "swap.csv", hyp: "swap.csv", format: "csv", want: []spokenPair{{"row 1", "ship", "sheep"}, {"row 2", "sheep", "ship"}}},
		{ref: "texts.tsv", hyp: "texts.tsv", format: "csv", want: []spokenPair{{"row 1", "the ship", "the sheep"}}},
		{ref: "bare.tsv", hyp: "bare.tsv", format: "tsv", want: []spokenPair{{"the ship", "the sheep", "the sheep"}}, warns: "assay: warning: bare.tsv: " +
			"the same texts are the reference and the hypothesis: in a table, name the columns reference and hypothesis\n"},
		{ref: "recording.tsv", hyp: "recording.tsv", format: "csv", want: []spokenPair{{"row 1", "the ship", "the ship"}}, warns: "assay: warning: " +
			"recording.tsv: the same texts are the reference and the hypothesis: in a table, name the columns reference and hypothesis\n"},
		{ref: "words.tsv", hyp: "words.tsv", fails: "words.tsv:1: the columns are uttid, words: name that of the texts reference, and that of the ids id"},
		{ref: "u1.tsv", hyp: "texts.tsv", fails: `texts.tsv lacks 2 of the 2 utterances of u1.tsv: "u1", "u2"`},
		{ref: "r_who.csv", hyp: "mood.csv", format: "csv", want: []spokenPair{{"row 1", "one", "eins"}, {"row 2", "two", "zwei"},
			{"row 3", "three", "drei"}}},
		{ref: "r_who.csv", hyp: "h_who.csv",
			fails: "r_who.csv, h_who.csv: the rows have no id, and the column who is not the same in each row: name the column of the ids id"},
		{ref: "p1.csv", hyp: "p2.csv",
			fails: "p1.csv, p2.csv: the rows have no id, and the column audio_path is not the same in each row: name the column of the ids id"},
		{ref: "r_uttid.tsv", hyp: "h_uttid.txt", format: "csv", want: []spokenPair{{"row 1", "one", "eins"}}},
		{ref: "ref.tsv", hyp: "hyp.csv", format: "csv", want: []spokenPair{{"1.mp3", "one two", "one"}}},
		{ref: "rows.csv", hyp: "more.csv", format: "csv", want: []spokenPair{{"row 1", "one two", "one"}}},
		{ref: "ref.trn", hyp: "hyp.trn", format: "sphinx", want: []spokenPair{{"u1", "hello there", "hello there"}, {"u2", "friend", "friend"}}},
		{ref: "ref.txt", hyp: "twice.txt", fails: `twice.txt:3: duplicate utterance "u2", first on line 2`},
	} {
		var warned bytes.Buffer
		env.Stderr = &warned
		p, err := pairFiles(env, c.ref, c.hyp, "auto")
		if warned.String() != c.warns {
			t.Errorf("%s, %s: warns %q, want %q", c.ref, c.hyp, &warned, c.warns)
		}
		if err != nil || c.fails != "" {
			if err == nil || err.Error() != c.fails {
				t.Errorf("%s, %s: %v, want %s", c.ref, c.hyp, err, c.fails)
			}
			continue
		}
		if p.format != c.format || !slices.Equal(p.pairs, c.want) {
			t.Errorf("%s, %s: %s, %q, want %q", c.ref, c.hyp, p.format, p.pairs, c.want)
		}
	}
}

// Each pair has the counts of words that sclite 2.10 of Debian prints: correct, substituted,
// deleted, inserted.
func TestAlternativesCountAsInSclite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, hyp string
		want     speech.Counts
	}{
		{"the { industry's / industry } slide", "the industry slide", speech.Counts{Hits: 3}},
		{"pay { @ / an } investor", "pay investor", speech.Counts{Hits: 2}},
		{"one { two / deux trois } four", "one deux four", speech.Counts{Hits: 3, Deletions: 1}},
		{"find {fig-/fi-} that", "find fi- that", speech.Counts{Hits: 3}},
		{"a { b / c { d e / f } } g", "a c f g", speech.Counts{Hits: 4}},
		{"a { b / cd } e", "a {cd / b} { x / e }", speech.Counts{Hits: 3}},
		{"well (uh) { um / uh } yes", "well yes", speech.Counts{Hits: 2, Deletions: 2}},
		{"yes { a / @ }", "yes yes", speech.Counts{Hits: 1, Insertions: 1}},
		{"either/or", "either or", speech.Counts{Hits: 2}}, // No alternative; assay parts words at a slash.
	} {
		p := spokenPair{"u1", c.ref, c.hyp}
		if err := p.choose("sphinx", "sphinx"); err != nil {
			t.Errorf("%q: %v", c.ref, err)
			continue
		}
		if got := speech.Compare(p.Reference, p.Hypothesis, speech.Options{}).Strict.Words; got != c.want {
			t.Errorf("%q, %q: %q, %q: %+v, want %+v", c.ref, c.hyp, p.Reference, p.Hypothesis, got, c.want)
		}
	}
	for ref, want := range map[string]string{"a { b": `"{" has no "}"`, "a } b": `"}" has no "{"`} {
		p := spokenPair{"u1", ref, "a"}
		if err := p.choose("stm", "ctm"); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", ref, err, want)
		}
	}
	p := spokenPair{"u1", "a { b", "a"}
	if err := p.choose("text", "text"); err != nil || p.Reference != "a { b" {
		t.Errorf("braces of a plain text: %+v, %v", p, err)
	}
}

// Segments with any label are ignored, channels match in either case, and alternatives of a
// .ctm file need no times.
func TestScliteSegments(t *testing.T) {
	t.Parallel()
	stm, err := parseAs("r.stm", "auto", `;; comment
f A spk 0 3 <O> well;tag { um / uh } yes
f A spk 3 6 <O> IGNORE_TIME_SEGMENT_IN_SCORING
f A spk 6 7 <o,f0,male> ignoretimesegmentinscoring
f A spk 7 9 <O> really good
`)
	if err != nil {
		t.Fatal(err)
	}
	ctm, err := parseAs("h.ctm", "auto", `F a 0.1 0.2 well
F a * * <ALT_BEGIN>
F a 0.5 0.2 hmm
F a 0.9 4.0 hmm
F a * * <ALT>
F a 0.5 0.2 uh
F a * * <ALT_END>
F a 2.0 0.2 yes
F a 4.0 0.2 noise
F a 6.1 0.2 noise
F a 7.5 0.2 really
F a 8.0 0.2 good
`)
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := pairTranscripts(stm, ctm)
	if err != nil {
		t.Fatal(err)
	}
	for i := range pairs {
		if err := pairs[i].choose("stm", "ctm"); err != nil {
			t.Fatal(err)
		}
	}
	if want := []spokenPair{{"f-A-0", "well uh yes", "well uh yes"}, {"f-A-7", "really good", "really good"}}; !slices.Equal(pairs, want) {
		t.Errorf("%q, want %q", pairs, want)
	}
	if _, err := parseAs("h.ctm", "auto", "f A * * word\n"); err == nil || err.Error() != `h.ctm:1: time "*": expected seconds` {
		t.Error(err)
	}
}

// Captions that roll show a line in several cues.
func TestRollingCaptionsAreReadOnce(t *testing.T) {
	t.Parallel()
	const cue = "00:00:01.000 --> 00:00:02.000\n"
	for _, c := range []struct{ what, data, want string }{
		{"words with times", "WEBVTT\n\n" + cue + " \ngood<00:00:00.400><c> morning</c>\n\n" + cue + "good morning\n \n\n" +
			cue + "good morning\ntoday<00:00:02.600><c> we</c>\n\n" + cue + "today we\n", "good morning\ntoday we"},
		{"lines that move up", cue + "one\n\n" + cue + "one\ntwo\n\n" + cue + "one\ntwo\nthree\n\n" + cue + "two\nthree\nfour\n",
			"one\ntwo\nthree\nfour"},
		{"said twice", cue + "no\n\n" + cue + "no\n\n" + cue + "well\nno\n", "no\nno\nwell\nno"},
		{"one line that comes again", cue + "la la\n\n" + cue + "la la\nlove\n", "la la\nla la\nlove"},
		{"no empty lines", "1\n" + cue + "in year\n1984\n2\n" + cue + "friend\n", "in year\n1984\nfriend"},
	} {
		f, err := parseAs("a.vtt", "auto", c.data)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := f.Utterances[0].Text; got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// The sums of many utterances are those of a list.
func TestScoreIsThatOfAList(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	var pairs []spokenPair
	for i := range 2*scoredAtOnce/3 + scoredAtOnce {
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
	s := &scoredTranscript{Script: speech.Strict}
	f := transcriptFlags{worst: 7, perUtterance: true, format: "json"}
	s.score(pairs, f, func(string, int, int) {})
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
	if s.N != len(pairs) || s.Total.Strict != sum || d.n != len(rates) || d.mean() != total/float64(len(rates)) || d.median() != median ||
		*d.interval() != *stats.PooledRatio(counts, stats.Interval{Hi: math.MaxFloat64}, stats.DefaultLevel, 1) {
		t.Errorf("%d, %+v, mean %v, median %v, interval %v: want %+v, %v, %v, %v", s.N, s.Total.Strict, d.mean(), d.median(), d.interval(), sum, total/float64(len(rates)), median,
			stats.PooledRatio(counts, stats.Interval{Hi: math.MaxFloat64}, stats.DefaultLevel, 1))
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
			if r.Format == "ctm" {
				continue
			}
			pairs, err := pairTranscripts(r, r)
			if err != nil || len(pairs) != len(r.Utterances) {
				t.Errorf("%s with itself: %d pairs, %v", r.Format, len(pairs), err)
			}
		}
	})
}
