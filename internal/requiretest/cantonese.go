package requiretest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A Spoken is a recording of the shared Cantonese corpus, an MP3 file of about a
// minute, with its transcript.
type Spoken struct {
	Name string // d1, d2, m, r1 or r2
	File string // the recording
	// Turns are the utterances of the speakers, in order.
	Turns []string
}

// Cantonese reads the shared corpus. Its transcripts begin with lines about the
// recording, up to INFO-END. Each turn is a line with a letter for the speaker and a
// colon, which in one place is not ASCII.
func Cantonese(t testing.TB) []Spoken {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(Shared(t, "data/speech/cantonese"), "*.transcript.utf8.txt"))
	if err != nil || len(found) == 0 {
		t.Fatalf("%q, %v: want the transcripts", found, err)
	}
	var out []Spoken
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(path, ".transcript.utf8.txt")
		s := Spoken{Name: filepath.Base(base), File: base + ".mp3"}
		_, turns, ok := strings.Cut(string(text), "INFO-END")
		if !ok {
			t.Fatalf("%s: want a line INFO-END", path)
		}
		for line := range strings.Lines(turns) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			at := strings.IndexAny(line, ":﹕：")
			if at != 1 {
				t.Fatalf("%s: %q: want a speaker and a colon", path, line)
			}
			s.Turns = append(s.Turns, strings.TrimSpace(strings.TrimLeft(line[at:], ":﹕：")))
		}
		out = append(out, s)
	}
	return out
}
