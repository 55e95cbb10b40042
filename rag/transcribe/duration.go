package transcribe

import (
	"encoding/binary"
	"io"
	"time"
)

const (
	// maxParts bounds how many chunks of a file are looked at.
	maxParts = 1000
	// maxDuration bounds what is believed: no recording of 100 MiB is longer than
	// a week.
	maxDuration = 7 * 24 * time.Hour
)

// duration reads how long a WAV or MP3 recording is from its headers: 0 when they do not
// tell, and of other formats, whose duration most servers report.
func duration(r io.ReaderAt, size int64, format string) time.Duration {
	var seconds float64
	switch format {
	case "wav":
		seconds = wav(r, size)
	case "mp3":
		seconds = mp3(r, size)
	}
	if !(seconds > 0 && seconds < maxDuration.Seconds()) {
		return 0
	}
	return time.Duration(seconds * float64(time.Second))
}

// bytesAt gives n bytes of a file; nil when it has not so many there.
func bytesAt(r io.ReaderAt, at int64, n int) []byte {
	if at < 0 {
		return nil
	}
	b := make([]byte, n)
	if got, _ := r.ReadAt(b, at); got < n {
		return nil
	}
	return b
}

// wav divides the bytes of samples by those of a second. A file that was written
// as it was heard has no length in its head; then the rest of it counts.
func wav(r io.ReaderAt, size int64) float64 {
	var rate float64
	at := int64(12)
	for range maxParts {
		head := bytesAt(r, at, 8)
		if head == nil {
			return 0
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		at += 8
		switch string(head[:4]) {
		case "fmt ":
			if f := bytesAt(r, at, 16); f != nil {
				rate = float64(binary.LittleEndian.Uint32(f[8:]))
			}
		case "data":
			if rate == 0 {
				return 0
			}
			if rest := size - at; length == 0 || length > rest {
				length = rest
			}
			return float64(length) / rate
		}
		at += length + length&1
	}
	return 0
}
