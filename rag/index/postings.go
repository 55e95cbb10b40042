package index

import (
	"encoding/binary"
	"math/bits"
)

// blockLen is how many postings are packed together, with one bound on their scores;
// Lucene uses the same number.
const blockLen = 128

// slack is how many bytes may be read beyond packed data.
const slack = 8

// A list holds the postings of a term: the passages that contain it, ascending, with
// the term's frequency in each.
type list struct {
	// block is the first of its consecutive blocks.
	block uint32
	// df is the number of postings.
	df uint32
	// data is the offset of its blocks in the packed data.
	data uint64
}

func (l list) blocks() int { return int((l.df + blockLen - 1) / blockLen) }

// length returns the number of postings in block i of the list.
func (l list) length(i int) int { return min(blockLen, int(l.df)-i*blockLen) }

// A block holds up to 128 postings: the gaps between the passages minus one, each in
// gapBits bits, then, from a byte boundary, the frequencies minus one, each in tfBits.
type block struct {
	// last is the last passage.
	last uint32
	// data is the offset of the block from the start of its list.
	data uint32
	// most is the greatest passage-dependent part of a score in the block.
	most            uint32
	gapBits, tfBits uint8
}

func packedLen(n int, width uint8) int { return (n*int(width) + 7) / 8 }

func (b block) size(n int) int { return packedLen(n, b.gapBits) + packedLen(n, b.tfBits) }

// A posting is a passage and how often a term occurs in it.
type posting struct{ passage, tf uint32 }

// pack appends a block to data. before is the passage of the previous posting, or the
// greatest uint32 if there is none, so that the sum with one is 0.
func pack(data []byte, before uint32, postings []posting) ([]byte, block) {
	var gaps, tfs [blockLen]uint32
	var anyGap, anyTF uint32
	for i, p := range postings {
		gaps[i], tfs[i] = p.passage-before-1, p.tf-1
		anyGap |= gaps[i]
		anyTF |= tfs[i]
		before = p.passage
	}
	b := block{last: before, gapBits: uint8(bits.Len32(anyGap)), tfBits: uint8(bits.Len32(anyTF))}
	data = packBits(data, gaps[:len(postings)], b.gapBits)
	return packBits(data, tfs[:len(postings)], b.tfBits), b
}

func packBits(data []byte, values []uint32, width uint8) []byte {
	var word uint64
	var held uint8
	for _, v := range values {
		word |= uint64(v) << held
		held += width
		for held >= 8 {
			data = append(data, byte(word))
			word >>= 8
			held -= 8
		}
	}
	if held > 0 {
		data = append(data, byte(word))
	}
	return data
}

// unpack reads value i of packed values; data must be readable for 8 bytes from the
// start of the value.
func unpack(data []byte, i int, width uint8) uint32 {
	bit := i * int(width)
	return uint32(binary.LittleEndian.Uint64(data[bit>>3:]) >> (bit & 7) & (1<<width - 1))
}
