package text

import (
	"math/bits"
	"sync"
)

// mostRun is the longest run of tokens that a metric compares.
const mostRun = 6

// sharedRuns returns how many runs of each length the answer and the texts share: of a
// run that the answer has m times and all texts together n times, min(m, n) count. Runs of
// length n stand at index n − 1, up to the longest; none goes from one text to the next.
// Tokens are numbers, equal for equal tokens. It takes time in proportion to the number of
// tokens times the longest run.
func sharedRuns(longest int, answer []uint32, texts ...[]uint32) (shared [mostRun]int) {
	c := counters.Get().(*counter)
	defer c.release()
	total := 0
	for _, text := range texts {
		total += len(text)
	}
	c.fit(len(answer), total)
	for n := range longest {
		c.clear()
		at := 0
		for _, text := range texts {
			// A run is the run without its last token, by its number, and this token.
			known := c.known[at : at+len(text)]
			for i := range max(len(text)-n, 0) {
				known[i] = c.add(known[i], text[i+n])
			}
			at += len(text)
		}
		for i := range max(len(answer)-n, 0) {
			before := c.said[i]
			if n > 0 && before == 0 {
				continue // no text has the shorter run
			}
			run := c.find(before, answer[i+n])
			c.said[i] = run
			if run > 0 && c.left[run-1] > 0 {
				c.left[run-1]--
				shared[n]++
			}
		}
	}
	return shared
}

// A counter numbers runs of one length from 1 on, and counts them. It is a table of open
// addressing: a map takes several times as long, most of it to be cleared and to grow.
type counter struct {
	slots []slot
	shift int
	// left counts how often the texts have each run, less how often the answer had it.
	left []int32
	// known and said are the numbers of the runs that begin at each token of the texts and
	// of the answer; 0 if there is none.
	known, said []uint32
}

// A slot holds a run; its number is 0 if the slot is empty.
type slot struct {
	run    uint64
	number uint32
}

var counters = sync.Pool{New: func() any { return new(counter) }}

// mostKept is the number of slots up to which a counter is kept for another comparison.
const mostKept = 1 << 16

func (c *counter) release() {
	if len(c.slots) <= mostKept {
		counters.Put(c)
	}
}

// fit makes room for the tokens of the answer and of the texts.
func (c *counter) fit(answer, texts int) {
	c.said = zeros(c.said, answer)
	c.known = zeros(c.known, texts)
	size := 1 << bits.Len(uint(2*texts))
	if cap(c.slots) < size {
		c.slots = make([]slot, size)
	}
	c.slots = c.slots[:size]
	c.shift = 64 - bits.Len(uint(size)) + 1
}

func zeros(s []uint32, n int) []uint32 {
	if cap(s) < n {
		return make([]uint32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (c *counter) clear() {
	clear(c.slots)
	c.left = c.left[:0]
}

// place returns the slot of a run, or the empty one where it belongs.
func (c *counter) place(before, token uint32) (*slot, uint64) {
	run := uint64(before)<<32 | uint64(token)
	high, low := bits.Mul64(run^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
	mask := len(c.slots) - 1
	for i := int((high ^ low) >> (c.shift & 63)); ; i++ {
		if s := &c.slots[i&mask]; s.number == 0 || s.run == run {
			return s, run
		}
	}
}

// add counts a run once more, and returns its number.
func (c *counter) add(before, token uint32) uint32 {
	s, run := c.place(before, token)
	if s.number == 0 {
		c.left = append(c.left, 0)
		*s = slot{run, uint32(len(c.left))}
	}
	c.left[s.number-1]++
	return s.number
}

// find returns the number of a run, 0 if no text has it.
func (c *counter) find(before, token uint32) uint32 {
	s, _ := c.place(before, token)
	return s.number
}
