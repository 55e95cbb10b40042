package dataset

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

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
	// maxPageHeader bounds the header of a page, which may hold the least and the
	// greatest of its values.
	maxPageHeader = 64 << 10
)

// errParquet is a problem of a file that has no better words.
var errParquet = errors.New("the file is damaged")

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

// guardParquet checks what a file declares.
func guardParquet(r io.ReaderAt, size int64, meta thriftStruct, limits Limits, name string) error {
	groups := meta.list(fileRowGroups)
	chunks := 0
	for _, g := range groups {
		if chunks += len(g.list(groupColumns)); chunks > maxChunks {
			return fmt.Errorf("more than %d pieces of columns", maxChunks)
		}
	}
	guard := &parquetGuard{r: r, size: size, name: name, limits: limits}
	defer guard.close()
	for i, g := range groups {
		for k, c := range g.list(groupColumns) {
			if err := guard.chunk(c); err != nil {
				return fmt.Errorf("row group %d, column %d: %w", i+1, k+1, err)
			}
		}
	}
	return nil
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
}

func (g *parquetGuard) close() {
	if g.zstd != nil {
		g.zstd.Close()
	}
}

// chunk checks the pages of a column in a row group.
func (g *parquetGuard) chunk(c thriftStruct) error {
	meta, ok := c.inner(chunkMeta)
	if !ok {
		return errParquet
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
		return fmt.Errorf("compression %d is not supported: want none, snappy, gzip or zstd", codec)
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
		if err := g.page(in, header, packed, codec); err != nil {
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

// page checks a page of packed bytes and passes over it.
func (g *parquetGuard) page(in *bufio.Reader, header thriftStruct, packed, codec int64) error {
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
		return fmt.Errorf("a page of %d bytes, unpacked: want at most %d MB", unpacked, maxPage>>20)
	case values < 0 || values > maxPageValues:
		return fmt.Errorf("a page of %d values: want at most %d", values, maxPageValues)
	case levels < 0 || levels > packed || levels > unpacked:
		return errParquet
	}
	g.bytes, g.values = g.bytes+unpacked, g.values+values
	if err := g.limits.exceeded(g.bytes, g.values, g.name); err != nil {
		return err
	}
	body := io.LimitReader(in, packed)
	if _, err := io.CopyN(io.Discard, body, levels); err != nil {
		return errParquet
	}
	if isPacked && packed > levels {
		size, err := g.unpackedSize(body, codec, unpacked-levels)
		if err != nil {
			return fmt.Errorf("a page cannot be unpacked: %w", err)
		}
		if size != unpacked-levels {
			return fmt.Errorf("a page unpacks to more or fewer than its %d bytes", unpacked)
		}
	} else if !isPacked && packed != unpacked {
		return errParquet
	}
	_, err := io.Copy(io.Discard, body)
	return err
}

// unpackedSize returns the size of a page, unpacked; anything above most if it is
// larger.
func (g *parquetGuard) unpackedSize(r io.Reader, codec, most int64) (int64, error) {
	var in io.Reader
	switch codec {
	case codecSnappy:
		// The size stands at the beginning of a block.
		head := make([]byte, binary.MaxVarintLen64)
		n, err := io.ReadFull(r, head)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
		size, err := s2.DecodedLen(head[:n])
		return int64(size), err
	case codecGzip:
		z, err := gzip.NewReader(r)
		if err != nil {
			return 0, err
		}
		in = z
	case codecZstd:
		if g.zstd == nil {
			z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage))
			if err != nil {
				return 0, err
			}
			g.zstd = z
		}
		if err := g.zstd.Reset(r); err != nil {
			return 0, err
		}
		in = g.zstd
	}
	return io.Copy(io.Discard, io.LimitReader(in, most+1))
}
