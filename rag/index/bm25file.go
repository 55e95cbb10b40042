package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"github.com/assay-eval/assay/internal/atomic"
)

// ErrUnusable is wrapped by errors for files that are not an index, are damaged or were
// written by another version. Building the index again solves it.
var ErrUnusable = errors.New("not a usable index: build it again")

// bm25Magic begins a file. Its last byte is the version; increment it whenever the
// layout or the terms of a text change.
const bm25Magic = "assayBM\x01"

// bm25Header is the fixed part of a file, little-endian. After it come, without
// padding: the length byte of each passage; for each term, the number of its
// bytes and of its postings, both as unsigned varints; the terms' bytes; the
// blocks, blockRecord bytes each; the packed postings; slack zero bytes.
type bm25Header struct {
	Magic     [8]byte
	Checksum  uint32 // CRC-32C of all that follows
	Passages  uint32
	K1, B     float64
	Total     uint64
	NonEmpty  uint32
	Terms     uint32
	CountLen  uint64
	TextLen   uint64
	Blocks    uint64
	PackedLen uint64
}

const (
	bm25HeaderLen = 8 + 4 + 4 + 2*8 + 8 + 4 + 4 + 4*8
	// checksummed is the offset at which the checksummed part of a file begins.
	checksummed = 12
	// blockRecord is 4 bytes for last, 3 for most, 1 for each of the two widths.
	blockRecord = 9
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteFile writes the index to a file atomically. The same texts give the same bytes.
func (x *BM25) WriteFile(path string) error {
	return atomic.WriteFile(path, x.write)
}

func (x *BM25) write(w io.Writer) error {
	var counts []byte
	for t, l := range x.lists {
		counts = binary.AppendUvarint(counts, uint64(len(x.terms.at(uint32(t)))))
		counts = binary.AppendUvarint(counts, uint64(l.df))
	}
	blocks := make([]byte, 0, len(x.blocks)*blockRecord)
	for _, b := range x.blocks {
		blocks = binary.LittleEndian.AppendUint32(blocks, b.last)
		blocks = append(blocks, byte(b.most), byte(b.most>>8), byte(b.most>>16), b.gapBits, b.tfBits)
	}
	h := bm25Header{
		Magic: [8]byte([]byte(bm25Magic)), Passages: uint32(len(x.lengths)), K1: x.params.K1, B: x.params.B, Total: x.total, NonEmpty: x.nonEmpty,
		Terms: uint32(len(x.lists)), CountLen: uint64(len(counts)), TextLen: uint64(len(x.terms.text)), Blocks: uint64(len(x.blocks)),
		PackedLen: uint64(len(x.data)),
	}
	var head bytes.Buffer
	if err := binary.Write(&head, binary.LittleEndian, &h); err != nil {
		return err
	}
	parts := [][]byte{head.Bytes(), x.lengths, counts, x.terms.text, blocks, x.data}
	sum := crc32.Update(0, castagnoli, parts[0][checksummed:])
	for _, p := range parts[1:] {
		sum = crc32.Update(sum, castagnoli, p)
	}
	binary.LittleEndian.PutUint32(parts[0][8:], sum)
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// OpenBM25 reads an index that WriteFile wrote. The file is read into memory and
// checked completely, in a tenth of a second for 200,000 passages of 230 words. An
// error that wraps [ErrUnusable] means that the file exists but is not usable.
func OpenBM25(path string) (*BM25, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	x, err := parseBM25(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrUnusable, err)
	}
	return x, nil
}

// parseBM25 parses a file's bytes and keeps them.
func parseBM25(data []byte) (*BM25, error) {
	var h bm25Header
	if err := readHeader(data, bm25HeaderLen, bm25Magic, &h); err != nil {
		return nil, err
	}
	if sum := crc32.Checksum(data[checksummed:], castagnoli); sum != h.Checksum {
		return nil, fmt.Errorf("checksum %08x: expected %08x", sum, h.Checksum)
	}
	// The checksum detects damage. The following checks detect a malicious file: no
	// later search may read out of bounds.
	x := &BM25{params: BM25Params{K1: h.K1, B: h.B}, total: h.Total, nonEmpty: h.NonEmpty}
	if err := x.params.check(); err != nil {
		return nil, err
	}
	body := data[bm25HeaderLen:]
	if h.Passages > math.MaxInt32 || h.Blocks > uint64(len(body)) || h.Terms > uint32(min(h.Blocks, math.MaxUint32)) {
		return nil, fmt.Errorf("%d passages, %d terms, %d blocks in %d bytes", h.Passages, h.Terms, h.Blocks, len(data))
	}
	var parts [5][]byte
	for i, n := range []uint64{uint64(h.Passages), h.CountLen, h.TextLen, h.Blocks * blockRecord, h.PackedLen} {
		if n > uint64(len(body)) {
			return nil, fmt.Errorf("ends in part %d", i+1)
		}
		parts[i], body = body[:n:n], body[n:]
	}
	if len(body) > 0 || h.PackedLen < slack {
		return nil, fmt.Errorf("%d bytes after the end", len(body))
	}
	x.lengths = parts[0]
	if n := len(x.lengths) - bytes.Count(x.lengths, []byte{0}); n != int(h.NonEmpty) {
		return nil, fmt.Errorf("%d passages with terms: expected %d", n, h.NonEmpty)
	}
	if err := x.readTerms(int(h.Terms), parts[1], parts[2]); err != nil {
		return nil, err
	}
	x.readBlocks(parts[3])
	x.data = parts[4]
	if err := x.checkLists(); err != nil {
		return nil, err
	}
	x.prepare()
	return x, nil
}

func (x *BM25) readTerms(n int, counts, text []byte) error {
	x.terms = newDictionary(n)
	x.terms.text = make([]byte, 0, len(text))
	x.lists = make([]list, n)
	for t := range x.lists {
		length, a := binary.Uvarint(counts)
		if a <= 0 || length > uint64(len(text)) {
			return fmt.Errorf("term %d has no length", t)
		}
		df, b := binary.Uvarint(counts[a:])
		if b <= 0 || df < 1 || df > uint64(len(x.lengths)) {
			return fmt.Errorf("term %d has no count", t)
		}
		counts = counts[a+b:]
		if _, isNew := x.terms.add(text[:length]); !isNew {
			return fmt.Errorf("term %q occurs twice", text[:length])
		}
		text = text[length:]
		x.lists[t].df = uint32(df)
	}
	if len(counts) > 0 || len(text) > 0 {
		return errors.New("more terms than declared")
	}
	return nil
}

func (x *BM25) readBlocks(records []byte) {
	x.blocks = make([]block, len(records)/blockRecord)
	for i := range x.blocks {
		r := records[i*blockRecord:][:blockRecord]
		x.blocks[i] = block{
			last: binary.LittleEndian.Uint32(r), most: uint32(r[4]) | uint32(r[5])<<8 | uint32(r[6])<<16,
			gapBits: r[7], tfBits: r[8],
		}
	}
}

// checkLists walks all postings, computes the offsets of blocks and lists, and reports
// the first impossible one.
func (x *BM25) checkLists() error {
	nextBlock, nextData := 0, uint64(0)
	end := uint64(len(x.data) - slack)
	for t := range x.lists {
		l := &x.lists[t]
		l.block, l.data = uint32(nextBlock), nextData
		if l.blocks() > len(x.blocks)-nextBlock {
			return fmt.Errorf("term %d has no blocks", t)
		}
		before := int64(-1)
		for i := range l.blocks() {
			b := &x.blocks[nextBlock+i]
			n := l.length(i)
			size := uint64(b.size(n))
			if b.gapBits > 32 || b.tfBits > 32 || size > end-nextData || nextData-l.data > math.MaxUint32 {
				return fmt.Errorf("term %d: block %d goes beyond the end", t, i)
			}
			b.data = uint32(nextData - l.data)
			before += int64(n)
			for j := range n {
				before += int64(unpack(x.data[nextData:], j, b.gapBits))
			}
			if before != int64(b.last) || before >= int64(len(x.lengths)) {
				return fmt.Errorf("term %d: block %d ends at passage %d: expected %d of %d", t, i, before, b.last, len(x.lengths))
			}
			nextData += size
		}
		nextBlock += l.blocks()
	}
	if nextBlock != len(x.blocks) || nextData != end {
		return errors.New("more postings than terms")
	}
	return nil
}
