// Package transcribetest is the contract of an [assay.Transcriber] as a test, and the
// recordings that it needs.
package transcribetest

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
)

// WAV makes a recording of so many seconds: 8,000 samples a second of 16 bits
// each. What is in it differs with the mark.
func WAV(seconds float64, mark string) []byte {
	const rate = 8000
	data := make([]byte, 2*int(seconds*rate))
	copy(data, mark)
	var b []byte
	b = append(b, "RIFF"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(36+len(data)))
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, 2*rate)
	b = binary.LittleEndian.AppendUint16(b, 2)
	b = binary.LittleEndian.AppendUint16(b, 16)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	return append(b, data...)
}

// A Kit is a way to make transcribers under test.
type Kit struct {
	// Make gives one that hears what says gives for the mark of a recording of
	// [WAV], which is a word, and for its language, "" or a code.
	Make func(t *testing.T, says func(mark, language string) string) assay.Transcriber
	// Stalled gives one that hears nothing before its context ends.
	Stalled func(t *testing.T) assay.Transcriber
}

// Mark finds the mark in the bytes of a recording.
func Mark(wav []byte) string {
	if len(wav) < 44 {
		return ""
	}
	word, _, _ := strings.Cut(string(wav[44:]), "\x00")
	return word
}

// Run holds a transcriber to the contract.
func (k Kit) Run(t *testing.T) {
	echo := func(mark, language string) string { return "heard " + mark + " in " + language }
	t.Run("path and data", func(t *testing.T) {
		tr := k.Make(t, echo)
		data := WAV(1.5, "both")
		path := filepath.Join(t.TempDir(), "two words.wav")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, r := range []assay.Recording{
			{Name: "two words.wav", Path: path, Language: "yue"},
			{Name: "two words.wav", Data: data, Language: "yue"},
			// An upload whose name is not to be trusted.
			{Name: "../../\"evil\"\r\nX: y.exe", Data: data, Language: "yue"},
			{Data: data, Language: "yue"},
		} {
			got, err := tr.Transcribe(t.Context(), r)
			if err != nil || got.Text != "heard both in yue" {
				t.Errorf("%q: %q, %v", r.Name, got.Text, err)
			}
			if got.Duration != 1500*time.Millisecond {
				t.Errorf("%q: duration %v: want 1.5s", r.Name, got.Duration)
			}
		}
	})
	t.Run("no language", func(t *testing.T) {
		tr := k.Make(t, echo)
		for _, language := range []string{"", "auto"} {
			got, err := tr.Transcribe(t.Context(), assay.Recording{Name: "a.wav", Data: WAV(1, "x"), Language: language})
			if err != nil || got.Text != "heard x in" {
				t.Errorf("%q: %q, %v: want that the transcriber finds out", language, got.Text, err)
			}
		}
	})
	t.Run("texts", func(t *testing.T) {
		for _, c := range []struct{ says, want string }{
			{"立法會今日討論咗咩議題？", "立法會今日討論咗咩議題？"},
			{"", ""},
			{" \n one\ntwo \n", "one\ntwo"},
			{"a\x1b[2Jb", "a[2Jb"},
			{"{\"text\": 1}", "{\"text\": 1}"},
		} {
			tr := k.Make(t, func(string, string) string { return c.says })
			got, err := tr.Transcribe(t.Context(), assay.Recording{Name: "a.wav", Data: WAV(1, "x")})
			if err != nil || got.Text != c.want {
				t.Errorf("%q: %q, %v: want %q", c.says, got.Text, err, c.want)
			}
		}
	})
	t.Run("identity", func(t *testing.T) {
		tr := k.Make(t, echo)
		before := tr.Identity()
		if _, err := tr.Transcribe(t.Context(), assay.Recording{Name: "a.wav", Data: WAV(1, "x")}); err != nil {
			t.Error(err)
		}
		if after := tr.Identity(); before == "" || before != after {
			t.Errorf("%q, then %q", before, after)
		}
	})
	t.Run("at once", func(t *testing.T) {
		tr := k.Make(t, echo)
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				mark := strings.Repeat("m", i+1)
				got, err := tr.Transcribe(t.Context(), assay.Recording{Name: "a.wav", Data: WAV(1, mark), Language: "en"})
				if want := "heard " + mark + " in en"; err != nil || got.Text != want {
					t.Errorf("%q, %v: want %q", got.Text, err, want)
				}
			})
		}
		all.Wait()
	})
	t.Run("no recording", func(t *testing.T) {
		tr := k.Make(t, echo)
		for name, r := range map[string]assay.Recording{
			"no file":      {Name: "a.wav", Path: filepath.Join(t.TempDir(), "a.wav")},
			"a folder":     {Name: "a.wav", Path: t.TempDir()},
			"empty":        {Name: "a.wav"},
			"another file": {Name: "a.wav", Data: []byte("<html><body>this is no recording</body></html>")},
		} {
			_, err := tr.Transcribe(t.Context(), r)
			var e *llm.Error
			if !errors.As(err, &e) || e.Temporary() || e.Fatal() || !strings.Contains(err.Error(), `recording "a.wav"`) {
				t.Errorf("%s: %v: want an error for this recording, for good", name, err)
			}
			if r.Path != "" && strings.Contains(err.Error(), filepath.Dir(r.Path)) {
				t.Errorf("%s: %v: want the name alone", name, err)
			}
		}
	})
	t.Run("the context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := k.Make(t, echo).Transcribe(ctx, assay.Recording{Name: "a.wav", Data: WAV(1, "x")}); !errors.Is(err, context.Canceled) {
			t.Errorf("before: %v", err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := k.Stalled(t).Transcribe(ctx, assay.Recording{Name: "a.wav", Data: WAV(1, "x")}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while it listens: %v", err)
		}
	})
}
