package dataset

import (
	"bufio"
	"bytes"
	"cmp"
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
	pq "github.com/parquet-go/parquet-go/format"
)

// The reader of Parquet takes the sizes that a file declares for granted, and
// allocates them. The guard checks them before: against the size of the file, against
// the bounds below, and against what the pages unpack to.
const (
	// maxFooter bounds the metadata of a file. A file of a million rows has some
	// kilobytes.
	maxFooter = 8 << 20
	// maxColumns bounds the columns, those in structs and lists included, and
	// maxStructs the structs of the metadata, such as the columns of all row groups.
	maxColumns = 2000
	maxStructs = 1_000_000
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
func parquetFooter(r io.ReaderAt, size int64) (*pq.FileMetaData, error) {
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
	meta := &pq.FileMetaData{}
	_, err := readMetadata(footer, meta)
	return meta, err
}

// otherCodecs names those that are not read. Of LZ4_RAW the library returns other bytes if
// a page is less than three times as long, unpacked, and does not tell
// (https://github.com/parquet-go/parquet-go/issues/608).
var otherCodecs = map[pq.CompressionCodec]string{pq.LZO: "LZO", pq.Brotli: "Brotli", pq.Lz4: "LZ4", pq.Lz4Raw: "LZ4_RAW"}

// guardParquet checks what a file declares.
func guardParquet(r io.ReaderAt, size int64, meta *pq.FileMetaData, root *parquetColumn, limits Limits, name string) error {
	guard := &parquetGuard{r: r, size: size, name: name, limits: limits}
	leaves := root.levels(nil, columnLevels{})
	defer guard.close()
	for i, g := range meta.RowGroups {
		if len(g.Columns) != len(leaves) {
			return errDamaged
		}
		for k := range g.Columns {
			if err := guard.chunk(&g.Columns[k], leaves[k]); err != nil {
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
func (g *parquetGuard) chunk(c *pq.ColumnChunk, levels columnLevels) error {
	meta := &c.MetaData
	if meta.PathInSchema == nil { // it is required: there is no metadata
		return errDamaged
	}
	if c.FilePath != "" {
		return errors.New("the column is in another file")
	}
	start, length := cmp.Or(meta.DictionaryPageOffset, meta.DataPageOffset), meta.TotalCompressedSize
	if start < 0 || length < 0 || start > g.size || length > g.size-start {
		return errors.New("it lies beyond the end of the file")
	}
	if !slices.Contains([]pq.CompressionCodec{pq.Uncompressed, pq.Snappy, pq.Gzip, pq.Zstd}, meta.Codec) {
		return fmt.Errorf("compression %s is not supported: use none, snappy, gzip or zstd",
			cmp.Or(otherCodecs[meta.Codec], strconv.Itoa(int(meta.Codec))))
	}
	in := bufio.NewReaderSize(io.NewSectionReader(g.r, start, length), maxPageHeader)
	for length > 0 {
		header, n, err := g.header(in)
		if err != nil {
			return err
		}
		packed := int64(header.CompressedPageSize)
		if length -= int64(n) + packed; packed < 0 || length < 0 {
			return errors.New("a page is longer than its column")
		}
		body, err := g.unpack(in, header, meta.Codec)
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
func (g *parquetGuard) header(in *bufio.Reader) (*pq.PageHeader, int, error) {
	head, err := in.Peek(maxPageHeader)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	header := &pq.PageHeader{}
	n, err := readMetadata(head, header)
	if err != nil {
		return nil, 0, err
	}
	_, err = in.Discard(n)
	return header, n, err
}

// unpack reads a page and returns it unpacked, until the next call.
func (g *parquetGuard) unpack(in io.Reader, header *pq.PageHeader, codec pq.CompressionCodec) ([]byte, error) {
	v2 := header.DataPageHeaderV2.V
	packed, unpacked := int64(header.CompressedPageSize), int64(header.UncompressedPageSize)
	// Only one of the headers is there; the others are zero.
	values := max(int64(header.DataPageHeader.V.NumValues), int64(header.DictionaryPageHeader.V.NumValues), int64(v2.NumValues))
	levels := int64(v2.DefinitionLevelsByteLength) + int64(v2.RepetitionLevelsByteLength)
	isPacked := codec != pq.Uncompressed && (!v2.IsCompressed.Valid || v2.IsCompressed.V)
	switch {
	case unpacked < 0 || unpacked > maxPage:
		return nil, fmt.Errorf("a page of %d bytes, unpacked: expected at most %d MB", unpacked, maxPage>>20)
	case values < 0 || values > maxPageValues:
		return nil, fmt.Errorf("a page of %d values: expected at most %d", values, maxPageValues)
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
func (g *parquetGuard) decompress(data []byte, codec pq.CompressionCodec, most int64) error {
	var in io.Reader
	switch codec {
	case pq.Snappy:
		// The size stands at the beginning of a block.
		size, err := s2.DecodedLen(data)
		if err != nil || int64(size) != most {
			return errDamaged
		}
		out, err := s2.Decode(nil, data)
		g.page.Write(out)
		return err
	case pq.Gzip:
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return err
		}
		in = z
	case pq.Zstd:
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

// content checks that a page holds no more values than it declares: a run of equal
// values takes a few bytes, however long it is.
func (g *parquetGuard) content(page []byte, header *pq.PageHeader, levels columnLevels) error {
	v1, v2, isV1 := header.DataPageHeader.V, header.DataPageHeaderV2.V, header.DataPageHeader.Valid
	encoding, values, sizes := v1.Encoding, int64(v1.NumValues), []int{-1, -1}
	if !isV1 {
		if !header.DataPageHeaderV2.Valid {
			return nil
		}
		encoding, values = v2.Encoding, int64(v2.NumValues)
		sizes = []int{int(v2.RepetitionLevelsByteLength), int(v2.DefinitionLevelsByteLength)}
	}
	for i, most := range []int{levels.repetition, levels.definition} {
		if most == 0 && (isV1 || sizes[i] == 0) {
			continue
		}
		if isV1 && []pq.Encoding{v1.RepetitionLevelEncoding, v1.DefinitionLevelEncoding}[i] != pq.RLE {
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
	case pq.PlainDictionary, pq.RLEDictionary: //nolint:staticcheck // older writers use the first
		return checkRuns(page[1:], int(page[0]), values)
	case pq.RLE:
		part, _, err := cutLevels(page, -1)
		if err != nil {
			return err
		}
		return checkRuns(part, 1, values)
	case pq.DeltaByteArray:
		if g.limits != (Limits{}) {
			// A text may repeat all of the one before it, without a bound that can be checked.
			return errors.New("texts in the encoding of differences (DELTA_BYTE_ARRAY): expected plain or dictionary")
		}
		return checkDelta(page, values)
	case pq.DeltaBinaryPacked, pq.DeltaLengthByteArray:
		return checkDelta(page, values)
	}
	return nil
}

// cutLevels returns the first size bytes of a page and the rest; below 0 the size stands
// before them, in four bytes.
func cutLevels(page []byte, size int) (part, rest []byte, err error) {
	if size < 0 && len(page) >= 4 {
		size, page = int(binary.LittleEndian.Uint32(page)), page[4:]
	}
	if size < 0 || size > len(page) {
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
			if count *= 8; left > 0 && count <= uint64(left)+256 {
				count = min(count, uint64(left)) // groups are filled up: DuckDB writes 256 values at least
			}
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
