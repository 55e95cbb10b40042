package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPlainTranscripts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, data, want string }{
		{"a.srt", "1\r\n00:00:01,000 --> 00:00:02,500\r\none\r\n<i>two</i>\r\n\r\n" +
			"2\r\n00:01:02,000 --> 00:01:03,000\r\nthree\r\n", "one\ntwo\nthree"},
		{"a.vtt", "WEBVTT\n\nNOTE hidden\n\nintro\n" +
			"00:01.000 --> 00:02.500 align:start\n<v Mary>one &amp; <00:01.500>two\n\nSTYLE\n::cue {}\n", "one & two"},
		{"a.srt", "1\n00:00:01,000 --> 00:00:02,500\n{\\an8}3 < 4 > 2\n", "3 < 4 > 2"},
		{"a.srt", "1\n00:00:02,000 --> 00:00:03,000\ntwo\n\n2\n00:00:00,000 --> 00:00:01,000\none\n\n",
			"one\ntwo"},
		// Lines that are said twice, by two speakers, after a pause or in one cue, do not roll.
		{"a.srt", "1\n00:00:00,000 --> 00:00:02,000\n- Yes.\n- Sure?\n\n2\n00:00:02,000 --> 00:00:04,000\n- Sure?\n- Yes.\n\n3\n00:00:04,000 --> 00:00:05,000\n- Yes.\n- Fine.\n\n",
			"- Yes.\n- Sure?\n- Sure?\n- Yes.\n- Yes.\n- Fine."},
		{"a.srt", "1\n00:00:00,000 --> 00:00:01,000\ngo\nleft\n\n2\n00:00:01,000 --> 00:00:02,000\nleft\nstop\n\n3\n00:00:08,000 --> 00:00:09,000\nstop\nplease\n\n",
			"go\nleft\nleft\nstop\nstop\nplease"},
		{"a.srt", "1\n00:00:00,000 --> 00:00:01,000\nbye\nbye\n\n2\n00:00:01,000 --> 00:00:02,000\nbye\nbye\n\n3\n00:00:02,000 --> 00:00:03,000\nbye\nbye\n\n",
			"bye\nbye\nbye\nbye\nbye\nbye"},
		{"a.srt", "1\n00:00:00,000 --> 00:00:01,000\none\ntwo\n\n2\n00:00:01,000 --> 00:00:02,000\ntwo\nthree\n\n3\n00:00:02,000 --> 00:00:03,000\nthree\nfour\n\n",
			"one\ntwo\nthree\nfour"},
		{"a.json", `{"text": " one two", "segments": [{"text": " one"}], "language": "en"}`, " one two"},
		{"a.json", `{"segments": [{"text": " one"}, {"text": " two"}]}`, " one two"},
		{"a.json", `{"transcription": [{"text": " one"}, {"text": " two"}]}`, " one two"},
		{"a.json", `{"text": ""}`, ""},
	} {
		f, err := parseAs(c.name, autoInput, c.data)
		if err != nil || !slices.Equal(f.Utterances, []utterance{{"", c.want}}) {
			t.Errorf("%s: %+v, %v: want %q", c.data, f, err, c.want)
		}
	}
	for _, c := range []struct{ name, data, want string }{
		{"a.vtt", "WEBVTT\n", "a.vtt: no subtitles: expected cues with times, as in 00:00:01.000 --> 00:00:02.500"},
		{"a.json", `{"word": "one"}`,
			`a.json: no transcript: expected an object with "text", as Whisper writes it, or with "segments" or "transcription"`},
		{"a.json", "one two", "a.json: no transcript in JSON: invalid character 'o' looking for beginning of value"},
	} {
		if _, err := parseAs(c.name, autoInput, c.data); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v: want %s", c.data, err, c.want)
		}
	}
}

// A folder has a file for each utterance; of several files with the same name it is that of
// the plainest format, and other files are none.
func TestTranscriptFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, data := range map[string]string{
		"b.txt": "two\n", "b.json": `{"text": "not this"}`, "a.wav.json": `{"text": "one"}`, "a.wav": "\xff",
		"day/c.vtt":   "WEBVTT\n\n00:00.000 --> 00:01.000\nthree\n",
		".hidden.txt": "no", "notes.md": "no",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f, err := readTranscripts("said/", dir)
	if want := []utterance{{"a", "one"}, {"b", "two"}, {"day/c", "three"}}; err != nil || !slices.Equal(f.Utterances, want) {
		t.Errorf("%+v, %v: want %v", f, err, want)
	}
	if _, err := readTranscripts("none/", t.TempDir()); err == nil ||
		err.Error() != "none/: no transcripts: expected files that end in .txt, .lab, .json, .vtt, .srt" {
		t.Errorf("%v", err)
	}
	// A file with ids is paired with the folder, and so are timed words.
	for name, data := range map[string]string{
		"hyp": "a uno\nb due\nday/c tre\n", "hyp.tsv": "a\tuno\nb\tdue\nday/c\ttre\n", "hyp.ctm": "b 1 0 1 due\na 1 0 1 uno\nday/c 1 0 1 tre\n",
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		format := autoInput
		if name == "hyp" {
			format = "kaldi" // "a" and "b" do not look like ids
		}
		p, err := pairFiles(&Env{}, dir, file, format)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := []spokenPair{{"a", "one", "uno"}, {"b", "two", "due"}, {"day/c", "three", "tre"}}; !slices.Equal(p.pairs, want) {
			t.Errorf("%s: %v: want %v", name, p.pairs, want)
		}
	}
}

// A folder of LibriSpeech has a file for each chapter, with an id in each line.
func TestTranscriptFolderOfLists(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, data string
		want       []utterance
		err        string
	}{
		"LibriSpeech":      {"84/121/84-121.trans.txt", "84-121-0000 GO HOME\n84-121-0001 AT 5\n", []utterance{{"84-121-0000", "GO HOME"}, {"84-121-0001", "AT 5"}}, ""},
		"one utterance":    {"84/121/84-121.trans.txt", "84-121-0000 GO HOME\n", []utterance{{"84-121-0000", "GO HOME"}}, ""},
		"another ending":   {"84-121.txt", "84-121-0000 GO HOME\n", []utterance{{"84-121-0000", "GO HOME"}}, ""},
		"ids of their own": {"x.trans.txt", "u1 go home\nu2 at 5\n", []utterance{{"u1", "go home"}, {"u2", "at 5"}}, ""},
		"a text":           {"84.txt", "84 people went home\nat 5\n", []utterance{{"84", "84 people went home\nat 5"}}, ""},
		"TIMIT":            {"DR1/FCJF0/SA1.TXT", "0 46797 She had your dark suit.\n", nil, "SA1.TXT: looks like numbers of samples, as TIMIT has them, which is not read"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, c.file)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(c.data), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := readTranscripts("said", dir)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", name, err, c.err)
			}
		case err != nil || !slices.Equal(f.Utterances, c.want):
			t.Errorf("%s: %+v, %v: want %v", name, f, err, c.want)
		}
	}
}

// Kaldi's files are told by ids that are the same on both sides. The first words of plain
// texts are none, also where a recogniser heard them all.
func TestKaldiIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, ref, hyp string
		want           [2]string
	}{
		{"the same ids", "u1 one\nu2 two\n", "u2 two\nu1 won\n", [2]string{"kaldi", "kaldi"}},
		{"one is missing", "s-a one\ns-b two\ns-c\n", "s-a one\ns-b two\n", [2]string{"kaldi", "kaldi"}},
		{"plain texts", "when does it leave\ndo i pay\n", "when does it live\ndo i pay\n", [2]string{"text", "text"}},
		{"an id twice", "u1 one\nu1 two\n", "u1 one\nu2 two\n", [2]string{"text", "text"}},
		{"an id again of several", "u1 one\nu2 two\nu2 three\n", "u1 one\nu2 two\n", [2]string{"kaldi", "kaldi"}},
		{"other ids", "u1 one\nu2 two\n", "v1 one\nv2 two\n", [2]string{"text", "text"}},
		{"numbers in one text", "2 tickets\n3 days\n", "two tickets\nthree days\n", [2]string{"text", "text"}},
	} {
		look := func(data string) transcriptLook {
			in, err := inputOfData("text", []byte(data))
			if err != nil {
				t.Fatal(err)
			}
			return in.look()
		}
		ref, hyp := look(c.ref), look(c.hyp)
		alone := func(k transcriptLook) string {
			format, err := k.format("text")
			if err != nil {
				t.Error(err)
			}
			return format
		}
		got := [2]string{alone(ref), alone(hyp)}
		if ref.kaldiWith(&hyp, got[1]) {
			got[0] = "kaldi"
		}
		if hyp.kaldiWith(&ref, alone(ref)) {
			got[1] = "kaldi"
		}
		if got != c.want {
			t.Errorf("%s: %v: want %v", c.what, got, c.want)
		}
	}
}

// Texts of subtitles and of Whisper are read without a panic, and never longer than the file.
func FuzzPlainTranscripts(f *testing.F) {
	f.Add("1\n00:00:01,000 --> 00:00:02,500\n<i>two</i>\n", "srt")
	f.Add("WEBVTT\n\n00:01.000 --> 00:02.500\none\n", "vtt")
	f.Add(`{"text": "one", "segments": [{"text": " one"}]}`, "whisper")
	f.Fuzz(func(t *testing.T, data, format string) {
		if hasIDs(format) {
			return
		}
		got, err := parseAs("a", format, data)
		if err != nil {
			return
		}
		if len(got.Utterances) != 1 || len(got.Utterances[0].Text) > 3*len(data) {
			t.Errorf("%q as %s: %q", data, format, got.Utterances)
		}
		if format != "whisper" && strings.Count(got.Utterances[0].Text, "\n") > strings.Count(data, "\n") {
			t.Errorf("%q as %s has more lines: %q", data, format, got.Utterances)
		}
	})
}
