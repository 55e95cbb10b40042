package index

import (
	"encoding/binary"
	"hash/crc32"
)

// What the tests need from inside.
var (
	LengthByte = lengthByte
	LengthOf   = lengthOf
	ParseBM25  = parseBM25
	FoldPlain  = func(s string) (string, bool) { b, ok := foldPlain(nil, s); return string(b), ok }
)

// The window's sums, added up by both forms of one function.
const (
	Window  = window
	TableTF = tableTF
)

var Add, AddPlain = add, addPlain

// Seal makes the checksum of a file's bytes right, if they have room for one.
func Seal(data []byte) {
	if len(data) >= checksummed {
		binary.LittleEndian.PutUint32(data[8:], crc32.Checksum(data[checksummed:], castagnoli))
	}
}

// Stem reduces a word to its stem.
func Stem(word string) string { return string(stem([]byte(word))) }
