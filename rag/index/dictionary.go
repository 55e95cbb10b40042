package index

import (
	"hash/maphash"
	"math"
)

// A dictionary numbers byte strings in order of arrival, from 0. It copies them into
// one block: a Go map of strings would allocate for each and take twice the time.
type dictionary struct {
	seed  maphash.Seed
	text  []byte
	ends  []uint32
	slots []slot
}

// A slot of the hash table; entry is the number plus one, 0 if empty.
type slot struct{ hash, entry uint32 }

// maxDictionary bounds the text of a dictionary, so that offsets fit 32 bits.
const maxDictionary = math.MaxUint32 - 1<<20

// newDictionary allocates space for n strings.
func newDictionary(n int) *dictionary {
	size := 1024
	for size < 2*n {
		size *= 2
	}
	return &dictionary{seed: maphash.MakeSeed(), slots: make([]slot, size)}
}

func (d *dictionary) len() int { return len(d.ends) }

func (d *dictionary) at(i uint32) []byte {
	start := uint32(0)
	if i > 0 {
		start = d.ends[i-1]
	}
	return d.text[start:d.ends[i]]
}

func (d *dictionary) find(b []byte) (n uint32, ok bool) {
	at := d.locate(uint32(maphash.Bytes(d.seed, b)), b)
	return d.slots[at].entry - 1, d.slots[at].entry != 0
}

// add returns the number of b, and a new number if b is new.
func (d *dictionary) add(b []byte) (n uint32, isNew bool) {
	hash := uint32(maphash.Bytes(d.seed, b))
	at := d.locate(hash, b)
	if entry := d.slots[at].entry; entry != 0 {
		return entry - 1, false
	}
	d.text = append(d.text, b...)
	d.ends = append(d.ends, uint32(len(d.text)))
	d.slots[at] = slot{hash, uint32(len(d.ends))}
	if 2*len(d.ends) > len(d.slots) {
		d.grow()
	}
	return uint32(len(d.ends) - 1), true
}

// locate returns the slot with b, or the empty slot for it.
func (d *dictionary) locate(hash uint32, b []byte) uint32 {
	mask := uint32(len(d.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		s := d.slots[at]
		if s.entry == 0 || s.hash == hash && string(d.at(s.entry-1)) == string(b) {
			return at
		}
	}
}

func (d *dictionary) grow() {
	old := d.slots
	d.slots = make([]slot, 2*len(old))
	mask := uint32(len(d.slots) - 1)
	for _, s := range old {
		if s.entry == 0 {
			continue
		}
		at := s.hash & mask
		for d.slots[at].entry != 0 {
			at = (at + 1) & mask
		}
		d.slots[at] = s
	}
}
