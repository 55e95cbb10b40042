package transcribe

import (
	"bytes"
	"encoding/binary"
	"io"
)

// A frame is the head of one of an MP3 file.
type frame struct {
	bits    int // a second
	rate    int // samples a second
	samples int
	size    int // bytes
	// info is where an encoder puts the count of all frames.
	info int
}

// The bits a second of layer III of MPEG 1, and of MPEG 2 and 2.5, in thousands.
var bitrates = [2][16]int{
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
}

// The samples a second of MPEG 1, 2 and 2.5.
var rates = [3][3]int{{44100, 48000, 32000}, {22050, 24000, 16000}, {11025, 12000, 8000}}

// frameOf reads the head of a frame of layer III, four bytes. Those of the other
// layers are no MP3; texts in UTF-16 begin like one of layer I.
func frameOf(b []byte) (f frame, ok bool) {
	if len(b) < 4 || b[0] != 0xff || b[1]&0xe6 != 0xe2 || b[2]>>2&3 == 3 {
		return f, false
	}
	version, known := map[byte]int{3: 0, 2: 1, 0: 2}[b[1]>>3&3]
	if !known {
		return f, false
	}
	first := version == 0
	f.rate = rates[version][b[2]>>2&3]
	f.bits = 1000 * bitrates[min(version, 1)][b[2]>>4]
	if f.bits == 0 {
		return f, false
	}
	f.samples = 576
	if first {
		f.samples = 1152
	}
	f.size = f.samples/8*f.bits/f.rate + int(b[2]>>1&1)
	// Side information stands between head and data.
	mono := b[3]>>6 == 3
	switch {
	case first && !mono:
		f.info = 4 + 32
	case first || !mono:
		f.info = 4 + 17
	default:
		f.info = 4 + 9
	}
	return f, true
}

const (
	// firstSync is how far behind the tag the first frame is looked for.
	firstSync = 64 << 10
	// evenFrames is how many frames of one length say that all are.
	evenFrames = 50
)

// mp3 counts the frames that the encoder has counted, or divides the bytes by
// those of a second when the first fifty frames are of one rate. Of others it is
// not known.
func mp3(r io.ReaderAt, size int64) float64 {
	at := afterTag(r)
	end := size
	if t := bytesAt(r, size-128, 3); string(t) == "TAG" {
		end -= 128
	}
	first, at, ok := firstFrame(r, at)
	if !ok {
		return 0
	}
	if n := counted(r, at, first); n > 0 {
		return float64(n) * float64(first.samples) / float64(first.rate)
	}
	next := at
	for range evenFrames {
		f, ok := frameOf(bytesAt(r, next, 4))
		if !ok {
			// The end, or what follows the sound.
			break
		}
		if f.bits != first.bits {
			return 0
		}
		next += int64(f.size)
	}
	return float64(end-at) * 8 / float64(first.bits)
}

// afterTag is where an ID3 tag at the beginning ends.
func afterTag(r io.ReaderAt) int64 {
	b := bytesAt(r, 0, 10)
	if b == nil || string(b[:3]) != "ID3" {
		return 0
	}
	// Seven bits of each byte.
	n := int64(10)
	n += int64(b[6]&0x7f)<<21 | int64(b[7]&0x7f)<<14 | int64(b[8]&0x7f)<<7 | int64(b[9]&0x7f)
	if b[5]&0x10 != 0 {
		n += 10 // the tag has a foot
	}
	return n
}

// firstFrame finds the first frame that another follows, or the end of the file.
func firstFrame(r io.ReaderAt, from int64) (frame, int64, bool) {
	b := make([]byte, firstSync)
	n, _ := r.ReadAt(b, from)
	b = b[:n]
	for i := 0; ; i++ {
		skip := bytes.IndexByte(b[min(i, len(b)):], 0xff)
		if skip < 0 {
			return frame{}, 0, false
		}
		i += skip
		f, ok := frameOf(b[i:])
		if !ok {
			continue
		}
		at := from + int64(i)
		next := bytesAt(r, at+int64(f.size), 4)
		if g, ok := frameOf(next); next == nil || ok && g.rate == f.rate {
			return f, at, true
		}
	}
}

// counted gives the number of frames that the first one tells, as LAME writes it; 0 when
// it does not.
func counted(r io.ReaderAt, at int64, f frame) uint32 {
	b := bytesAt(r, at+int64(f.info), 12)
	if b != nil && (string(b[:4]) == "Xing" || string(b[:4]) == "Info") && b[7]&1 != 0 {
		return binary.BigEndian.Uint32(b[8:])
	}
	return 0
}
