package simd

import "fmt"

// EditRows is the number of rows that [Level.AdvanceEdits] computes at a time.
const EditRows = 8

// editSlack is how many words after the last block the kernels read, and do not use.
const editSlack = EditRows - 1

// AdvanceEdits advances a row of a table of edits by EditRows rows. A bit of more tells
// that its column has one edit more than the column before it, one of less that it has one
// edit less: Myers, A fast bit-vector algorithm for approximate string matching based on
// dynamic programming, 1999, in the form of Hyyrö, 2003. match[i] says which columns have
// the token of row i+1; its words are preceded by i words that are not used. Before the
// first block each row has one edit more than the row before.
//
// It returns how many edits the last column of the blocks has more than before. It panics
// unless more, less and match[i] go on for 7 words after the blocks, or 7−i.
func (l Level) AdvanceEdits(more, less []uint64, match *[EditRows][]uint64, blocks int) int {
	short := min(len(more), len(less)) < blocks+editSlack
	for _, m := range match {
		short = short || len(m) < blocks+editSlack
	}
	if short || blocks < 1 {
		panic(fmt.Sprintf("simd: %d blocks of edits in %d and %d words", blocks, len(more), len(less)))
	}
	// The kernels need as many blocks as rows.
	if l > Generic && blocks >= EditRows {
		return advanceEditsVector(more, less, match, blocks)
	}
	return advanceEdits(more, less, match, blocks)
}

func advanceEdits(more, less []uint64, match *[EditRows][]uint64, blocks int) (change int) {
	for i := 0; i < EditRows; i += 2 {
		change += advanceTwo(more[:blocks], less[:blocks], match[i][i:], match[i+1][i+1:])
	}
	return change
}

// advanceTwo advances by two rows. A processor computes one row while it waits for the other.
func advanceTwo(more, less, first, second []uint64) (change int) {
	// All are of one length, which the compiler sees.
	n := len(more)
	less, first, second = less[:n], first[:n], second[:n]
	const last = 63
	up, under, upTwo, underTwo := uint64(1), uint64(0), uint64(1), uint64(0)
	for b, m := range first {
		p, n := more[b], less[b]
		x := m | under
		same := (((x & p) + p) ^ p) | x | n
		plus, minus := n|^(same|p), p&same
		nextUp, nextUnder := plus>>last, minus>>last
		plus, minus = plus<<1|up, minus<<1|under
		p, n = minus|^(same|plus), plus&same
		up, under = nextUp, nextUnder

		x = second[b] | underTwo
		same = (((x & p) + p) ^ p) | x | n
		plus, minus = n|^(same|p), p&same
		nextUp, nextUnder = plus>>last, minus>>last
		plus, minus = plus<<1|upTwo, minus<<1|underTwo
		more[b], less[b] = minus|^(same|plus), plus&same
		upTwo, underTwo = nextUp, nextUnder
	}
	return int(up) - int(under) + int(upTwo) - int(underTwo)
}
