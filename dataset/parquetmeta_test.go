package dataset

import (
	"bytes"
	"errors"
	"runtime"
	"testing"

	pq "github.com/parquet-go/parquet-go/format"
)

// metadata is that of a file without rows, written from the specification of the compact
// protocol: a field is a byte of the difference of its number and its type, and a number is
// in zigzag.
var metadata = []byte{
	0x15, 0x02, // field 1, i32: version 1
	0x19, 0x2c, // field 2, list of 2 structs, the schema
	0x48, 0x01, 'r', 0x15, 0x02, 0x00, // name "r", 1 child
	0x15, 0x0c, 0x25, 0x02, 0x18, 0x01, 'q', 0x7c, 0x1c, 0x00, 0x00, 0x00, // BYTE_ARRAY, optional, name "q", a text
	0x16, 0x04, // field 3, i64: 2 rows
	0x19, 0x0c, // field 4, list of no structs
	0xf9, 0x25, 0x02, 0x04, // field 19, list of 2 i32: passed over
	0x1c, 0x18, 0x01, 'x', 0x1c, 0x00, 0x00, // field 20, a struct with a text and a struct: passed over
	0x00,
}

func TestReadMetadata(t *testing.T) {
	t.Parallel()
	var m pq.FileMetaData
	n, err := readMetadata(append(bytes.Clone(metadata), 0xff), &m)
	if err != nil || n != len(metadata) {
		t.Fatalf("%v, %d bytes, want %d", err, n, len(metadata))
	}
	if len(m.Schema) != 2 || m.Schema[0].NumChildren.V != 1 || m.Schema[1].Name != "q" || m.NumRows != 2 {
		t.Errorf("%+v", m)
	}
	for cut := range n {
		if _, err := readMetadata(metadata[:cut], &pq.FileMetaData{}); err == nil {
			t.Errorf("cut after %d bytes: want an error", cut)
		}
	}
}

// A list that declares more elements than bytes are left is an error before anything is
// allocated for it, and so is a deep nesting.
func TestMetadataLies(t *testing.T) {
	t.Parallel()
	for name, b := range map[string][]byte{
		"list":         {0x15, 0x02, 0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07},
		"text":         {0x68, 0xff, 0xff, 0xff, 0xff, 0x0f, 'a'},
		"unknown list": {0xf9, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07},
		"map":          {0x1b, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x55},
		"set":          {0x1a, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x0f},
		"number":       {0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
		"type":         {0x1f},
	} {
		if _, err := readMetadata(b, &pq.FileMetaData{}); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	for name, b := range map[string][]byte{
		"structs":         bytes.Repeat([]byte{0x1c}, maxFooter),
		"lists":           bytes.Repeat([]byte{0x19}, maxFooter),
		"lists of struct": bytes.Repeat([]byte{0xf9, 0x1c}, maxFooter/2),
	} {
		if _, err := readMetadata(b, &pq.FileMetaData{}); !errors.Is(err, errMetadata) {
			t.Errorf("%s: %v, want %v", name, err, errMetadata)
		}
	}
}

// The structs of all lists together are bounded: one of a row group takes 3 bytes in the
// file and a hundred times that in memory.
func TestMetadataMemory(t *testing.T) {
	b := []byte{0x15, 0x02, 0x19, 0x0c, 0x16, 0x00, 0x19, 0xfc}
	b = append(b, 0xff, 0xff, 0xff, 0x03) // 8,388,607 row groups
	b = append(b, bytes.Repeat([]byte{0}, maxFooter)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readMetadata(b, &pq.FileMetaData{}); !errors.Is(err, errMetadata) {
		t.Errorf("%v, want %v", err, errMetadata)
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 10 {
		t.Errorf("%d MB were allocated", n)
	}
}

func FuzzMetadata(f *testing.F) {
	f.Add(metadata)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, into := range []any{&pq.FileMetaData{}, &pq.PageHeader{}} {
			if n, err := readMetadata(b, into); err == nil && (n < 1 || n > len(b)) {
				t.Fatalf("%d bytes of %d", n, len(b))
			}
		}
	})
}
