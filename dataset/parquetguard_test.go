package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	pq "github.com/parquet-go/parquet-go/format"
)

// A page that unpacks to another size than it declares is refused, and so is one that
// declares too much.
func TestUnpack(t *testing.T) {
	t.Parallel()
	plain := bytes.Repeat([]byte("a page "), 100)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(plain); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for codec, packed := range map[pq.CompressionCodec][]byte{
		pq.Uncompressed: plain, pq.Snappy: s2.EncodeSnappy(nil, plain), pq.Gzip: zipped.Bytes(), pq.Zstd: enc.EncodeAll(plain, nil),
	} {
		for _, c := range []struct {
			unpacked, values int32
			ok               bool
		}{{700, 5, true}, {699, 5, false}, {701, 5, false}, {-1, 5, false}, {maxPage + 1, 5, false}, {700, maxPageValues + 1, false}} {
			header := &pq.PageHeader{UncompressedPageSize: c.unpacked, CompressedPageSize: int32(len(packed))}
			header.DataPageHeader.V.NumValues = c.values
			g := &parquetGuard{}
			got, err := g.unpack(bytes.NewReader(packed), header, codec)
			if (err == nil) != c.ok || err == nil && !bytes.Equal(got, plain) {
				t.Errorf("codec %d, %+v: %d bytes, %v", codec, c, len(got), err)
			}
			if c.unpacked > maxPage && !strings.Contains(err.Error(), "at most 256 MB") {
				t.Errorf("codec %d: %v, want that the page is too large, before it is unpacked", codec, err)
			}
			g.close()
		}
	}
}

// What the library does not read, or reads wrong, is refused.
func TestUnknownCodec(t *testing.T) {
	t.Parallel()
	for codec, name := range map[pq.CompressionCodec]string{4: "Brotli", 5: "LZ4", 7: "LZ4_RAW", 9: "9"} {
		column := &pq.ColumnChunk{MetaData: pq.ColumnMetaData{Codec: codec, PathInSchema: []string{"a"}}}
		err := (&parquetGuard{}).chunk(column, columnLevels{})
		want := "compression " + name + " is not supported: use none, snappy, gzip or zstd"
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A group with fewer rows than it declares is refused.
func TestRowsOfGroup(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join("testdata", "parquet", "native-none.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := openParquet(file, st.Size(), "x", Options{})
	if err != nil {
		t.Fatal(err)
	}
	f.rows[0] = 4
	l := newLoader(t.Context(), &source{name: "x", rows: f}, &excerpt{}, formatOf("parquet"))
	err = f.each(l, func(*node, int) error { return nil })
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "3 rows in a group of 4") {
		t.Errorf("%v, want that 3 of 4 rows are there", err)
	}
}

// Runs by hand, of numbers of 3 bits: 0x10 0x05 is 8 fives; 0x03 and 3 bytes are one
// group of eight.
func TestCheckRuns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what   string
		b      []byte
		width  int
		values int64
		ok     bool
	}{
		{"a run", []byte{0x10, 0x05}, 3, 8, true},
		{"a run and a group", []byte{0x10, 0x05, 0x03, 1, 2, 3}, 3, 16, true},
		{"a group that is filled up", []byte{0x03, 1, 2, 3}, 3, 1, true},
		{"32 groups, as DuckDB fills up 3 values", append([]byte{0x41}, make([]byte, 96)...), 3, 3, true},
		{"32 groups twice", append(append([]byte{0x41}, make([]byte, 96)...), append([]byte{0x41}, make([]byte, 96)...)...), 3, 3, false},
		{"64 groups for 3 values", append([]byte{0x81, 0x01}, make([]byte, 192)...), 3, 3, false},
		{"a run of a million", []byte{0x80, 0x89, 0x7a, 0x05}, 3, 8, false},
		{"two runs of 64", []byte{0x80, 0x01, 0x05, 0x80, 0x01, 0x05}, 3, 8, false},
		{"groups of no bits", []byte{0x81, 0x89, 0x7a}, 0, 8, false},
		{"a count of 2^63", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 1, 8, false},
		{"a count that is cut", []byte{0x80}, 1, 8, false},
		{"40 bits", []byte{0x10, 0x05}, 40, 8, false},
	} {
		if err := checkRuns(c.b, c.width, c.values); (err == nil) != c.ok {
			t.Errorf("%s: %v, want ok %v", c.what, err, c.ok)
		}
	}
	for _, c := range []struct {
		b  []byte
		ok bool
	}{
		{[]byte{0x80, 0x01, 0x04, 0x05, 0x02}, true}, // blocks of 128 in 4 parts, 5 values
		{[]byte{0x80, 0x01, 0x04, 0x06, 0x02}, false},
		{[]byte{0x80, 0x80, 0x80, 0x01, 0x04, 0x05}, false},
		{[]byte{0x80, 0x01}, false},
	} {
		if err := checkDelta(c.b, 5); (err == nil) != c.ok {
			t.Errorf("% x: %v, want ok %v", c.b, err, c.ok)
		}
	}
}
