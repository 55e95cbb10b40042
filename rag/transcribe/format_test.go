package transcribe_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/rag/transcribe"
	"github.com/assay-eval/assay/rag/transcribe/transcribetest"
)

// The tones of testdata are 1.25 s of a sine at 8,000 samples a second, made by
// ffmpeg 5.1.9. MP3 has 20 frames of 576 samples each: 1.44 s, as ffprobe has it,
// too.
func TestInspect(t *testing.T) {
	for _, c := range []struct {
		file, format string
		seconds      float64
	}{
		{"tone.wav", "wav", 1.25},
		{"tone.flac", "flac", 0},
		{"tone.ogg", "ogg", 0},
		{"tone.opus.ogg", "ogg", 0},
		{"tone.m4a", "m4a", 0},
		{"tone.cbr.mp3", "mp3", 1.44},
		{"tone.xing.mp3", "mp3", 1.44},
		{"tone.webm", "webm", 0},
	} {
		path := filepath.Join("testdata", c.file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := transcribe.Info{Format: c.format, Size: int64(len(data)), Duration: time.Duration(c.seconds * float64(time.Second))}
		for _, r := range []assay.Recording{{Path: path}, {Name: "x", Data: data}} {
			got, err := transcribe.Inspect(r)
			if off := (got.Duration - want.Duration).Abs(); off < 2*time.Millisecond {
				got.Duration = want.Duration
			}
			if err != nil || got != want {
				t.Errorf("%s: %+v, %v: want %+v", c.file, got, err, want)
			}
		}
	}
}

// Recordings that people made. Their durations are those of the alignments that
// come with them.
func TestInspectReal(t *testing.T) {
	speech := requiretest.Shared(t, "data/speech")
	for file, want := range map[string]time.Duration{
		"librivox/sense_and_sensibility_01_austen_64kb-0880.wav": 2990 * time.Millisecond,
		"librivox/sense_and_sensibility_01_austen_64kb-0870.wav": 7100 * time.Millisecond,
	} {
		if got, err := transcribe.Inspect(assay.Recording{Path: filepath.Join(speech,
			file)}); err != nil || got.Format != "wav" || (got.Duration-want).Abs() > 10*time.Millisecond {
			t.Errorf("%s: %+v, %v: want %v", file, got, err, want)
		}
	}
	for _, file := range []string{"d1", "d2", "m", "r1", "r2"} {
		path := filepath.Join(speech, "cantonese", file+".mp3")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := transcribe.Inspect(assay.Recording{Path: path})
		if want := frames(data); err != nil || (got.Duration-want).Abs() > 100*time.Millisecond {
			t.Errorf("%s: %+v, %v: want %v, by its frames", file, got, err, want)
		}
	}
}

// frames is how long an MP3 of layer III is, by going from frame to frame.
func frames(data []byte) (total time.Duration) {
	if len(data) > 10 && string(data[:3]) == "ID3" {
		data = data[10+(int(data[6])<<21|int(data[7])<<14|int(data[8])<<7|int(data[9])):]
	}
	kilobits := map[bool][]int{
		true:  {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
		false: {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
	}
	for len(data) >= 4 {
		if data[0] != 0xff || data[1]&0xe6 != 0xe2 || data[2]>>4 == 15 || data[2]>>4 == 0 {
			data = data[1:]
			continue
		}
		one := data[1]>>3&1 == 1
		rate := []int{44100, 48000, 32000}[data[2]>>2&3]
		samples := 1152
		if !one {
			samples = 576
			rate /= 2
			if data[1]>>4&1 == 0 {
				rate /= 2
			}
		}
		total += time.Duration(samples) * time.Second / time.Duration(rate)
		size := samples/8*1000*kilobits[one][data[2]>>4]/rate + int(data[2]>>1&1)
		data = data[min(size, len(data)):]
	}
	return total
}

func TestSniff(t *testing.T) {
	for head, want := range map[string]string{
		"": "", "RIFF": "", "RIFF\x00\x00\x00\x00AVI ": "", "RIFF\x00\x00\x00\x00WAVE": "wav", "fLaC": "flac", "OggS": "ogg",
		"\x1a\x45\xdf\xa3": "webm", "\x00\x00\x00\x1cftypM4A ": "m4a", "ID3\x04": "mp3", "\xff\xfb\x90\x00": "mp3",
		"\xff\xf3\x40\xc0": "mp3", // MPEG 2
		"\xff\xfd\x90\x00": "",    // layer II
		"\xff\xfb\xf0\x00": "",    // bits a second that are none
		"\xff\xd8\xff\xe0": "",    // JPEG
		"\xff\xfeH\x00":    "",    // a text in UTF-16
		"%PDF-1.7":         "",
	} {
		if got := transcribe.Sniff([]byte(head)); got != want {
			t.Errorf("%q: %q: want %q", head, got, want)
		}
	}
	if got := strings.Join(transcribe.Formats(), " "); got != "wav mp3 flac m4a ogg webm" {
		t.Error(got)
	}
}

// Heads that lie, or are cut, are a duration that is not known, or the one that
// the bytes allow.
func TestDurationOfStrangeFiles(t *testing.T) {
	wav := transcribetest.WAV(1, "x")
	streamed := bytes.Clone(wav)
	binary.LittleEndian.PutUint32(streamed[40:], 0xffffffff)
	norate := bytes.Clone(wav)
	binary.LittleEndian.PutUint32(norate[28:], 0)
	odd := append(append(bytes.Clone(wav[:36]), "LIST\x03\x00\x00\x00abc\x00"...), wav[36:]...)
	cbr, err := os.ReadFile("testdata/tone.cbr.mp3")
	if err != nil {
		t.Fatal(err)
	}
	// A frame of 8,000 bits a second has 72 bytes, one of 16,000 has 144.
	twice := append(bytes.Clone(cbr[:4]), make([]byte, 140)...)
	twice[2] = twice[2]&0x0f | 2<<4
	// A tag that is longer than what is searched for a frame.
	const long = 100_000
	tagged := append([]byte{'I', 'D', '3', 4, 0, 0, 0, long >> 14 & 0x7f, long >> 7 & 0x7f, long & 0x7f}, make([]byte, long)...)
	for name, c := range map[string]struct {
		data []byte
		want time.Duration
	}{
		"mp3 behind a long tag":   {append(tagged, cbr...), 1440 * time.Millisecond},
		"mp3 before an old tag":   {append(bytes.Clone(cbr), append([]byte("TAG"), make([]byte, 125)...)...), 1440 * time.Millisecond},
		"mp3 of several rates":    {slices.Concat(cbr[:3*72], twice, twice, twice), 0},
		"written as it was heard": {streamed, time.Second},
		"cut":                     {wav[:44+8000], 500 * time.Millisecond},
		"no samples a second":     {norate, 0},
		"a chunk of odd length":   {odd, time.Second},
		"the head alone":          {wav[:12], 0},
		"a tag and no frame":      {append([]byte("ID3\x04\x00\x00\x7f\x7f\x7f\x7f"), make([]byte, 100)...), 0},
	} {
		if got, err := transcribe.Inspect(assay.Recording{Data: c.data}); err != nil || got.Duration != c.want {
			t.Errorf("%s: %v, %v: want %v", name, got.Duration, err, c.want)
		}
	}
}

func TestTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.wav")
	if err := os.WriteFile(path, transcribetest.WAV(1, "x"), 0o600); err != nil {
		t.Fatal(err)
	}
	// The file has a hole, and takes no room.
	if err := os.Truncate(path, transcribe.MaxRecording+1); err != nil {
		t.Fatal(err)
	}
	if _, err := transcribe.Inspect(assay.Recording{Path: path}); err == nil || err.Error() != "104857601 bytes: expected at most 100 MiB" {
		t.Error(err)
	}
	if err := os.Truncate(path, transcribe.MaxRecording); err != nil {
		t.Fatal(err)
	}
	if _, err := transcribe.Inspect(assay.Recording{Path: path}); err != nil {
		t.Error(err)
	}
}

func FuzzInspect(f *testing.F) {
	files, err := filepath.Glob("testdata/tone.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := transcribe.Inspect(assay.Recording{Data: data})
		if err != nil {
			return
		}
		if got.Duration < 0 || got.Duration > 7*24*time.Hour || got.Format == "" {
			t.Errorf("%+v", got)
		}
	})
}
