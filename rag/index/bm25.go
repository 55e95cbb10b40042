// Package index searches passages by their words (BM25), by their vectors (exact dense
// search), or by both (reciprocal rank fusion). Passages are identified by their
// ordinal, from 0, in the order in which they were given. The same passages and the
// same query always give the same hits, regardless of the number of processors.
package index

import (
	"fmt"
	"math"
	"math/bits"
	"sync"
)

// BM25Params are the two free parameters of BM25.
type BM25Params struct {
	// K1 sets how quickly repeated occurrences of a term saturate: at least 0, where 0
	// counts only whether a term occurs.
	K1 float64
	// B sets how strongly long passages are penalised, 0 to 1.
	B float64
}

// DefaultBM25 returns k1 = 0.9 and b = 0.4, Anserini's defaults, with which the
// published BM25 results on BEIR were computed.
func DefaultBM25() BM25Params { return BM25Params{K1: 0.9, B: 0.4} }

func (p BM25Params) check() error {
	if !(p.K1 >= 0 && p.K1 <= math.MaxFloat32) {
		return fmt.Errorf("bm25: k1 %v: expected a number of at least 0", p.K1)
	}
	if !(p.B >= 0 && p.B <= 1) {
		return fmt.Errorf("bm25: b %v: expected a number from 0 to 1", p.B)
	}
	return nil
}

// A BM25 is an inverted index with Lucene's form of BM25. For a query, the
// score of a passage is the sum over the query's terms, repeats included, of
//
//	idf · tf / (tf + k1·(1 − b + b·length/average))
//	idf = ln(1 + (N − df + ½)/(df + ½))
//
// where N counts the passages that hold any term. Lengths are counted in terms
// and, as in Lucene, kept in one byte each: exactly up to 40, then to within an
// eighth. Published numbers include that rounding (nDCG@10 on SciFact is 0.6789
// with it, as published, and 0.6777 without), and a table of 256 rows takes the
// place of a division.
//
// Sums are counted in whole units of 2⁻³², so that a score does not depend on
// the order of addition, nor on how much of the index a search could skip.
//
// A BM25 is safe for concurrent use. Source: Robertson and Zaragoza, The
// Probabilistic Relevance Framework, 2009; Lucene's BM25Similarity.
type BM25 struct {
	params BM25Params
	// lengths holds the length of each passage in Lucene's one-byte form.
	lengths []byte
	// total counts the terms of all passages, nonEmpty the passages with any term.
	total    uint64
	nonEmpty uint32
	terms    *dictionary
	lists    []list
	blocks   []block
	// data holds the packed blocks, followed by slack zero bytes.
	data []byte

	parts *[256 * tableTF]uint32
	norms [256]float64
	// codes lists the codes of the lengths that occur.
	codes   []byte
	scratch sync.Pool
}

const (
	// scoreUnit is the unit of sums: 2⁻³².
	scoreUnit = 1.0 / (1 << 32)
	// partBits is the precision of the passage-dependent part of a score, the same as a
	// float32's.
	partBits = 24
	// tableTF is how many frequencies, from 1, the table of parts covers; the table fits
	// the first-level cache.
	tableTF   = 1 << tableBits
	tableBits = 4
)

// Len returns the number of passages.
func (x *BM25) Len() int { return len(x.lengths) }

// Params returns the parameters that the index was built with.
func (x *BM25) Params() BM25Params { return x.params }

// Stats are the counts of an index.
type Stats struct {
	// Passages counts all passages, Empty those without any term.
	Passages, Empty int
	// Terms is the number of terms in all passages, including repeats; Distinct the
	// number of different terms.
	Terms, Distinct int
	// Bytes is the size of the packed postings.
	Bytes int
}

// Stats returns the counts.
func (x *BM25) Stats() Stats {
	return Stats{
		Passages: len(x.lengths), Empty: len(x.lengths) - int(x.nonEmpty), Terms: int(x.total), Distinct: x.terms.len(),
		Bytes: len(x.data) - slack,
	}
}

// prepare computes the tables that depend on the parameters and the lengths.
func (x *BM25) prepare() {
	average := float64(x.total) / float64(max(x.nonEmpty, 1))
	x.parts = new([256 * tableTF]uint32)
	for b := range 256 {
		x.norms[b] = x.params.K1 * (1 - x.params.B + x.params.B*float64(lengthOf(byte(b)))/max(average, 1))
		for i := range tableTF {
			x.parts[b*tableTF+i] = part(uint32(i+1), x.norms[b])
		}
	}
	var occurs [256]bool
	for _, code := range x.lengths {
		occurs[code] = true
	}
	for code, yes := range occurs {
		if yes {
			x.codes = append(x.codes, byte(code))
		}
	}
	x.scratch.New = func() any { return newScratch() }
}

// part is tf/(tf+norm) in units of 2⁻²⁴.
func part(tf uint32, norm float64) uint32 {
	return uint32(math.Round(float64(tf) / (float64(tf) + norm) * (1 << partBits)))
}

func (x *BM25) part(tf uint32, length byte) uint32 {
	if tf <= tableTF {
		return x.parts[uint(length)*tableTF+uint(tf-1)]
	}
	return part(tf, x.norms[length])
}

// idf returns the inverse document frequency in units of 2⁻³².
func (x *BM25) idf(df uint32) uint64 {
	n := float64(x.nonEmpty)
	return uint64(math.Round(math.Log1p((n-float64(df)+0.5)/(float64(df)+0.5)) / scoreUnit))
}

// contribution returns what a term adds to a score. It is never 0: a sum of 0 means
// that no term occurs.
func contribution(idf uint64, part uint32) uint64 { return idf*uint64(part)>>partBits + 1 }

// exactLengths is how many of the 256 length codes are exact; the rest are
// floating-point numbers with three bits after the leading one.
const exactLengths = 24

// lengthByte rounds a length down to a one-byte code, as Lucene's
// SmallFloat.intToByte4.
func lengthByte(n uint32) byte {
	if n < exactLengths {
		return byte(n)
	}
	n = min(n, math.MaxInt32) - exactLengths
	shift := bits.Len32(n) - 4
	if shift < 0 {
		return byte(exactLengths + n)
	}
	return byte(exactLengths + (uint32(shift+1)<<3 | n>>shift&7))
}

// lengthOf decodes a byte of lengthByte.
func lengthOf(b byte) uint32 {
	if b < exactLengths {
		return uint32(b)
	}
	b -= exactLengths
	if b < 8 {
		return exactLengths + uint32(b)
	}
	return exactLengths + (uint32(b&7)|8)<<(b>>3-1)
}
