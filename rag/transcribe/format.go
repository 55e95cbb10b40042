package transcribe

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assay-eval/assay"
)

// Formats lists the formats of recordings by the extension of their files.
func Formats() []string { return []string{"wav", "mp3", "flac", "m4a", "ogg", "webm"} }

// headSize is how much of a file tells its format.
const headSize = 12

// Sniff gives the format that a file begins like, one of [Formats]; "" when it is
// none of them. An MP3 file begins with a tag or with a frame.
func Sniff(head []byte) string {
	at := func(i int, s string) bool { return len(head) >= i && bytes.HasPrefix(head[i:], []byte(s)) }
	switch {
	case at(0, "RIFF") && at(8, "WAVE"), at(0, "RF64") && at(8, "WAVE"):
		return "wav"
	case at(0, "fLaC"):
		return "flac"
	case at(0, "OggS"):
		return "ogg"
	case at(0, "\x1a\x45\xdf\xa3"):
		return "webm"
	case at(4, "ftyp"):
		return "m4a"
	case at(0, "ID3"):
		return "mp3"
	}
	if _, ok := frameOf(head); ok {
		return "mp3"
	}
	return ""
}

// formatOf is Sniff of an open file.
func formatOf(r io.ReaderAt) (string, error) {
	head := make([]byte, headSize)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if f := Sniff(head[:n]); f != "" {
		return f, nil
	}
	return "", fmt.Errorf("not a recording: expected %s", list())
}

// list names the formats for a message.
func list() string {
	f := Formats()
	return strings.Join(f[:len(f)-1], ", ") + " or " + f[len(f)-1]
}

// Info is what the head of a recording tells.
type Info struct {
	// Format is one of [Formats].
	Format string
	Size   int64
	// Duration is 0 when it is not known: only WAV and MP3 tell it.
	Duration time.Duration
}

// Inspect looks at a recording without hearing it: that it is there, not empty,
// of a known format by its content, and not larger than [MaxRecording].
func Inspect(r assay.Recording) (Info, error) {
	c, err := open(r)
	if err != nil {
		return Info{}, err
	}
	defer c.close()
	return Info{Format: c.format, Size: c.size, Duration: duration(c, c.size, c.format)}, nil
}
