package transcribe

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"
)

const (
	// maxParts bounds how many chunks or boxes of a file are looked at.
	maxParts = 1000
	// maxDuration bounds what is believed: no recording of 100 MiB is longer than
	// a week.
	maxDuration = 7 * 24 * time.Hour
)

// duration reads how long a recording is from its headers: 0 when they do not
// tell. Of WebM it is not known.
func duration(r io.ReaderAt, size int64, format string) time.Duration {
	read := map[string]func(io.ReaderAt, int64) float64{"wav": wav, "flac": flac, "ogg": ogg, "mp3": mp3, "m4a": m4a}[format]
	if read == nil {
		return 0
	}
	seconds := read(r, size)
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

// flac reads the block STREAMINFO, which comes first: 20 bits of samples a second
// and, 16 bits later, 36 of samples.
func flac(r io.ReaderAt, _ int64) float64 {
	b := bytesAt(r, 0, 8+18)
	if b == nil || b[4]&0x7f != 0 {
		return 0
	}
	v := binary.BigEndian.Uint64(b[18:])
	rate, samples := v>>44, v&(1<<36-1)
	if rate == 0 {
		return 0
	}
	return float64(samples) / float64(rate)
}

// oggTail is how much of the end of a file is searched for its last page, of
// which none is longer than 65,307 bytes.
const oggTail = 66 << 10

// ogg reads the position at the last page, in samples; of Opus they are 48,000 a
// second whatever was recorded, and the first are dropped.
func ogg(r io.ReaderAt, size int64) float64 {
	head := make([]byte, 128)
	n, _ := r.ReadAt(head, 0)
	head = head[:n]
	if len(head) < 28 {
		return 0
	}
	body := head[min(len(head), 27+int(head[26])):]
	var rate, skip uint64
	switch {
	case bytes.HasPrefix(body, []byte("OpusHead")) && len(body) >= 12:
		rate, skip = 48000, uint64(binary.LittleEndian.Uint16(body[10:]))
	case bytes.HasPrefix(body, []byte("\x01vorbis")) && len(body) >= 16:
		rate = uint64(binary.LittleEndian.Uint32(body[12:]))
	case bytes.HasPrefix(body, []byte("Speex   ")) && len(body) >= 40:
		rate = uint64(binary.LittleEndian.Uint32(body[36:]))
	}
	if rate == 0 {
		return 0
	}
	tail := bytesAt(r, max(0, size-oggTail), int(min(size, oggTail)))
	for len(tail) > 0 {
		i := bytes.LastIndex(tail, []byte("OggS"))
		if i < 0 {
			break
		}
		page := tail[i:]
		// A page on which nothing ends has the position -1. Other streams of the
		// file have other serial numbers.
		if len(page) >= 18 && bytes.Equal(page[14:18], head[14:18]) {
			if position := binary.LittleEndian.Uint64(page[6:]); position < 1<<62 {
				return float64(position-min(position, skip)) / float64(rate)
			}
		}
		tail = tail[:i]
	}
	return 0
}

// m4a reads the box mvhd within moov.
func m4a(r io.ReaderAt, size int64) float64 {
	begin, end := box(r, 0, size, "moov")
	if begin, end = box(r, begin, end, "mvhd"); end-begin < 20 {
		return 0
	}
	b := bytesAt(r, begin, 20)
	if b == nil {
		return 0
	}
	scale, units := uint64(binary.BigEndian.Uint32(b[12:])), uint64(binary.BigEndian.Uint32(b[16:]))
	if b[0] == 1 {
		// Times of 64 bits.
		if b = bytesAt(r, begin, 32); b == nil {
			return 0
		}
		scale, units = uint64(binary.BigEndian.Uint32(b[20:])), binary.BigEndian.Uint64(b[24:])
	}
	if scale == 0 {
		return 0
	}
	return float64(units) / float64(scale)
}

// box finds what a box of the kind holds between two places; begin and end are 0
// when there is none.
func box(r io.ReaderAt, from, to int64, kind string) (begin, end int64) {
	for range maxParts {
		head := bytesAt(r, from, 8)
		if head == nil || from+8 > to {
			break
		}
		length, begin := int64(binary.BigEndian.Uint32(head)), from+8
		switch length {
		case 0:
			length = to - from
		case 1:
			long := bytesAt(r, begin, 8)
			if long == nil {
				return 0, 0
			}
			length, begin = int64(binary.BigEndian.Uint64(long)), begin+8
		}
		if length < begin-from || length > to-from {
			break
		}
		if string(head[4:]) == kind {
			return begin, from + length
		}
		from += length
	}
	return 0, 0
}
