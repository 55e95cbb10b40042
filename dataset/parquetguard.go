package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// The reader of Parquet takes the sizes that a file declares for granted, and
// allocates them. The guard checks them before: against the size of the file, against
// the bounds below, and against what the pages unpack to.
const (
	// maxFooter bounds the metadata of a file. A file of a million rows has some
	// kilobytes.
	maxFooter = 8 << 20
	// maxColumns bounds the columns, those in structs and lists included, and
	// maxChunks the columns of all row groups together.
	maxColumns = 2000
	maxChunks  = 1_000_000
	// maxPage bounds a page, unpacked, and maxPageValues its values. Writers aim at
	// one megabyte and some ten thousand values.
	maxPage       = 256 << 20
	maxPageValues = 1 << 24
	// A value that is repeated takes no space in the file. A file has at most leastValues or
	// valuesPerByte for each of its bytes, and leastText or textPerByte bytes of text.
	leastValues   = 1_000_000
	valuesPerByte = 100
	leastText     = 64 << 20
	textPerByte   = 1000
	// maxPageHeader bounds the header of a page, which may hold the least and the
	// greatest of its values.
	maxPageHeader = 64 << 10
)

// parquetFooter reads the metadata of a Parquet file, which ends it: the metadata,
// its length in four bytes, and four letters.
func parquetFooter(r io.ReaderAt, size int64) (thriftStruct, error) {
	end := make([]byte, 8)
	if size < 12 {
		return nil, errors.New("the file is cut short")
	}
	if _, err := r.ReadAt(end, size-8); err != nil {
		return nil, err
	}
	switch string(end[4:]) {
	case "PAR1":
	case "PARE":
		return nil, errors.New("the file is encrypted")
	default:
		return nil, errors.New("the file is cut short: it does not end with its metadata")
	}
	n := int64(binary.LittleEndian.Uint32(end))
	if n > size-12 {
		return nil, errors.New("the file is cut short: its metadata is longer than the file")
	}
	if n > maxFooter {
		return nil, fmt.Errorf("the metadata is longer than %d MB", maxFooter>>20)
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-8-n); err != nil {
		return nil, err
	}
	meta, _, err := parseThrift(footer)
	return meta, err
}

// Fields of the metadata, by struct.
const (
	fileSchema    = 2
	fileRowGroups = 4

	groupColumns = 1
	groupRows    = 3

	chunkPath = 1
	chunkMeta = 3

	metaCodec            = 4
	metaCompressedSize   = 7
	metaDataPage         = 9
	metaDictionaryPage   = 11
	pageKind             = 1
	pageUnpackedSize     = 2
	pageCompressedSize   = 3
	pageData             = 5
	pageDictionary       = 7
	pageDataV2           = 8
	pageValues           = 1
	pageV2DefinitionSize = 5
	pageV2RepetitionSize = 6
	pageV2IsCompressed   = 7
)

// Codecs of pages.
const (
	codecNone   = 0
	codecSnappy = 1
	codecGzip   = 2
	codecZstd   = 6
)

// otherCodecs names those that are not read. Of LZ4_RAW the library returns other bytes if
// a page is less than three times as long, unpacked, and does not tell
// (https://github.com/parquet-go/parquet-go/issues/608).
var otherCodecs = map[int64]string{3: "LZO", 4: "Brotli", 5: "LZ4", 7: "LZ4_RAW"}

// guardParquet checks what a file declares.
func guardParquet(r io.ReaderAt, size int64, meta thriftStruct, root *parquetColumn, limits Limits, name string) error {
	groups := meta.list(fileRowGroups)
	chunks := 0
	for _, g := range groups {
		if chunks += len(g.list(groupColumns)); chunks > maxChunks {
			return fmt.Errorf("more than %d pieces of columns", maxChunks)
		}
	}
	guard := &parquetGuard{r: r, size: size, name: name, limits: limits}
	leaves := root.levels(nil, columnLevels{})
	defer guard.close()
	for i, g := range groups {
		if len(g.list(groupColumns)) != len(leaves) {
			return errDamaged
		}
		for k, c := range g.list(groupColumns) {
			if err := guard.chunk(c, leaves[k]); err != nil {
				return fmt.Errorf("row group %d, column %d: %w", i+1, k+1, err)
			}
		}
	}
	return nil
}

// columnLevels are the greatest levels of a leaf: the numbers of repeated, and of
// optional or repeated, columns down to it.
type columnLevels struct{ repetition, definition int }

// levels appends those of the leaves of a column, of which above are those above it.
// The root has none.
func (c *parquetColumn) levels(out []columnLevels, above columnLevels) []columnLevels {
	if len(c.children) == 0 {
		return append(out, above)
	}
	for _, child := range c.children {
		below := above
		if child.repeated {
			below.repetition++
		}
		if child.repeated || child.optional {
			below.definition++
		}
		out = child.levels(out, below)
	}
	return out
}

type parquetGuard struct {
	r    io.ReaderAt
	size int64
	name string
	// limits bounds bytes and values, the sizes of all pages, unpacked, and the number
	// of their values.
	limits        Limits
	bytes, values int64
	zstd          *zstd.Decoder
	// packed and page are buffers for a page.
	packed, page bytes.Buffer
}

func (g *parquetGuard) close() {
	if g.zstd != nil {
		g.zstd.Close()
	}
}

// chunk checks the pages of a column in a row group.
func (g *parquetGuard) chunk(c thriftStruct, levels columnLevels) error {
	meta, ok := c.inner(chunkMeta)
	if !ok {
		return errDamaged
	}
	if c.text(chunkPath) != "" {
		return errors.New("the column is in another file")
	}
	start, length := meta.number(metaDataPage), meta.number(metaCompressedSize)
	if at := meta.number(metaDictionaryPage); at != 0 {
		start = at
	}
	if start < 0 || length < 0 || start > g.size || length > g.size-start {
		return errors.New("it lies beyond the end of the file")
	}
	codec := meta.number(metaCodec)
	if !slices.Contains([]int64{codecNone, codecSnappy, codecGzip, codecZstd}, codec) {
		name := otherCodecs[codec]
		if name == "" {
			name = strconv.FormatInt(codec, 10)
		}
		return fmt.Errorf("compression %s is not supported: use none, snappy, gzip or zstd", name)
	}
	in := bufio.NewReaderSize(io.NewSectionReader(g.r, start, length), maxPageHeader)
	for length > 0 {
		header, n, err := g.header(in)
		if err != nil {
			return err
		}
		packed := header.number(pageCompressedSize)
		if length -= int64(n) + packed; packed < 0 || length < 0 {
			return errors.New("a page is longer than its column")
		}
		body, err := g.unpack(in, header, packed, codec)
		if err != nil {
			return err
		}
		if err := g.content(body, header, levels); err != nil {
			return err
		}
	}
	return nil
}

// header reads the header of a page and returns its length.
func (g *parquetGuard) header(in *bufio.Reader) (thriftStruct, int, error) {
	head, err := in.Peek(maxPageHeader)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	header, n, err := parseThrift(head)
	if err != nil {
		return nil, 0, err
	}
	_, err = in.Discard(n)
	return header, n, err
}

// unpack reads a page of packed bytes and returns it unpacked, until the next call.
func (g *parquetGuard) unpack(in io.Reader, header thriftStruct, packed, codec int64) ([]byte, error) {
	unpacked, values, levels := header.number(pageUnpackedSize), int64(0), int64(0)
	isPacked := codec != codecNone
	for _, kind := range []int16{pageData, pageDictionary, pageDataV2} {
		inner, ok := header.inner(kind)
		if !ok {
			continue
		}
		values = inner.number(pageValues)
		if kind == pageDataV2 {
			levels = inner.number(pageV2DefinitionSize) + inner.number(pageV2RepetitionSize)
			if f := inner.field(pageV2IsCompressed); f != nil && f.number == 0 {
				isPacked = false
			}
		}
	}
	switch {
	case unpacked < 0 || unpacked > maxPage:
		return nil, fmt.Errorf("a page of %d bytes, unpacked: want at most %d MB", unpacked, maxPage>>20)
	case values < 0 || values > maxPageValues:
		return nil, fmt.Errorf("a page of %d values: want at most %d", values, maxPageValues)
	case levels < 0 || levels > packed || levels > unpacked:
		return nil, errDamaged
	}
	g.bytes, g.values = g.bytes+unpacked, g.values+values
	if most := max(leastValues, valuesPerByte*g.size); g.values > most {
		return nil, fmt.Errorf("more than %d values, too many for a file of %d bytes: split it, or write it as JSON Lines", most, g.size)
	}
	if err := g.limits.exceeded(g.bytes, g.values, g.name); err != nil {
		return nil, err
	}
	g.packed.Reset()
	if _, err := io.CopyN(&g.packed, in, packed); err != nil {
		return nil, errDamaged
	}
	body := g.packed.Bytes()
	if isPacked && packed > levels {
		g.page.Reset()
		g.page.Write(body[:levels])
		if err := g.decompress(body[levels:], codec, unpacked-levels); err != nil {
			return nil, fmt.Errorf("a page cannot be unpacked: %w", err)
		}
		body = g.page.Bytes()
	}
	if int64(len(body)) != unpacked {
		return nil, fmt.Errorf("a page unpacks to more or fewer than its %d bytes", unpacked)
	}
	return body, nil
}

// decompress appends data, unpacked, to the page; of more than most bytes it appends
// one too many.
func (g *parquetGuard) decompress(data []byte, codec, most int64) error {
	var in io.Reader
	switch codec {
	case codecSnappy:
		// The size stands at the beginning of a block.
		size, err := s2.DecodedLen(data)
		if err != nil || int64(size) != most {
			return errDamaged
		}
		out, err := s2.Decode(nil, data)
		g.page.Write(out)
		return err
	case codecGzip:
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return err
		}
		in = z
	case codecZstd:
		if g.zstd == nil {
			z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage))
			if err != nil {
				return err
			}
			g.zstd = z
		}
		if err := g.zstd.Reset(bytes.NewReader(data)); err != nil {
			return err
		}
		in = g.zstd
	}
	_, err := io.Copy(&g.page, io.LimitReader(in, most+1))
	return err
}

// Encodings of values and levels.
const (
	encodingPlainDictionary = 2
	encodingRuns            = 3
	encodingDelta           = 5
	encodingDeltaLengths    = 6
	encodingDeltaTexts      = 7
	encodingDictionary      = 8
)

// content checks that a page holds no more values than it declares: a run of equal
// values takes a few bytes, however long it is.
func (g *parquetGuard) content(page []byte, header thriftStruct, levels columnLevels) error {
	inner, isV1 := header.inner(pageData)
	encoding := inner.number(2)
	sizes := []int{-1, -1}
	if !isV1 {
		var ok bool
		if inner, ok = header.inner(pageDataV2); !ok {
			return nil
		}
		encoding = inner.number(4)
		sizes = []int{int(inner.number(pageV2RepetitionSize)), int(inner.number(pageV2DefinitionSize))}
	}
	values := inner.number(pageValues)
	for i, most := range []int{levels.repetition, levels.definition} {
		if most == 0 && (isV1 || sizes[i] == 0) {
			continue
		}
		// Field 4 tells how repetition levels are encoded, field 3 definition levels.
		if isV1 && inner.number(int16(4-i)) != encodingRuns {
			return errors.New("levels in an encoding of an early version")
		}
		var part []byte
		var err error
		if part, page, err = cutLevels(page, sizes[i]); err != nil {
			return err
		}
		if err := checkRuns(part, bits.Len(uint(most)), values); err != nil {
			return err
		}
	}
	if len(page) == 0 {
		return nil
	}
	switch encoding {
	case encodingPlainDictionary, encodingDictionary:
		return checkRuns(page[1:], int(page[0]), values)
	case encodingRuns:
		part, _, err := cutLevels(page, -1)
		if err != nil {
			return err
		}
		return checkRuns(part, 1, values)
	case encodingDeltaTexts:
		if g.limits != (Limits{}) {
			// A text may repeat all of the one before it, without a bound that can be checked.
			return errors.New("texts in the encoding of differences (DELTA_BYTE_ARRAY): want plain or dictionary")
		}
		return checkDelta(page, values)
	case encodingDelta, encodingDeltaLengths:
		return checkDelta(page, values)
	}
	return nil
}

// cutLevels returns the first size bytes of a page and the rest; below 0 the size stands
// before them, in four bytes.
func cutLevels(page []byte, size int) (part, rest []byte, err error) {
	if size < 0 {
		if len(page) < 4 {
			return nil, nil, errDamaged
		}
		n := binary.LittleEndian.Uint32(page)
		page = page[4:]
		if int64(n) > int64(len(page)) {
			return nil, nil, errDamaged
		}
		size = int(n)
	}
	if size > len(page) {
		return nil, nil, errDamaged
	}
	return page[:size], page[size:], nil
}

// checkRuns checks runs of numbers of some bits: a run is the double of a count and
// one number, or the double of a number of groups of eight, plus one, and the groups.
func checkRuns(b []byte, width int, values int64) error {
	if width > 32 {
		return errDamaged
	}
	// Groups are filled up.
	left := values + 64
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return errDamaged
		}
		b = b[n:]
		count, size := v>>1, uint64(width+7)/8
		if v&1 != 0 {
			size = count * uint64(width)
			if count > 1<<40 {
				return errDamaged
			}
			count *= 8
		}
		if count > uint64(left) {
			return errors.New("a page holds more values than it declares")
		}
		left -= int64(count)
		// The last group may be cut.
		b = b[min(size, uint64(len(b))):]
	}
	return nil
}

// checkDelta checks the counts at the beginning of differences: the size of a block,
// its parts, and the number of values.
func checkDelta(b []byte, values int64) error {
	for _, most := range []uint64{1 << 16, 1 << 10, uint64(values)} {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return errDamaged
		}
		if v > most {
			return errors.New("a page holds more values than it declares")
		}
		b = b[n:]
	}
	return nil
}
