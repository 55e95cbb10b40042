package dataset

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// packed returns data as lz4 and as zstd have it.
func packed(t *testing.T, data []byte) (asLZ4, asZstd []byte) {
	t.Helper()
	var b bytes.Buffer
	w := lz4.NewWriter(&b)
	if _, err := w.Write(data); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), enc.EncodeAll(data, nil)
}

// Values that unpack to another size than they declare are refused.
func TestArrowUnpacks(t *testing.T) {
	t.Parallel()
	plain := bytes.Repeat([]byte("a value "), 100)
	asLZ4, asZstd := packed(t, plain)
	g := &arrowGuard{}
	defer g.close()
	for codec, data := range map[byte][]byte{arrowLZ4: asLZ4, arrowZstd: asZstd} {
		for want, ok := range map[int64]bool{800: true, 799: false, 801: false} {
			if err := g.unpacks(data, codec, want); (err == nil) != ok {
				t.Errorf("codec %d, %d bytes: %v", codec, want, err)
			}
		}
		if err := g.unpacks(data[:len(data)/2], codec, 800); err == nil {
			t.Errorf("codec %d: half of the data is whole", codec)
		}
	}
	if err := g.unpacks(asZstd, 7, 800); err == nil || !strings.Contains(err.Error(), "compression 7 is not supported") {
		t.Errorf("codec 7: %v", err)
	}
	// Without the flag of a single segment, byte 5 of a frame is its window: 2^(10+17) bytes (RFC 8878, section 3.1.1.1.2).
	wide := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 17 << 3, 0x01, 0x00, 0x00}
	if err := g.unpacks(wide, arrowZstd, 0); err == nil || !strings.Contains(err.Error(), "a window of 134217728 bytes for 0") {
		t.Errorf("a window of 128 MB: %v", err)
	}
}

// A batchLayout is what a batch says of itself.
type batchLayout struct {
	rows   int64
	nodes  [][2]int64
	pieces [][2]int64
	counts []int64
	packed bool
	codec  byte
}

// table writes a batch as a table of flatbuffers.
func (y batchLayout) table() flatTable {
	b := flatbuffers.NewBuilder(0)
	pairs := func(list [][2]int64) flatbuffers.UOffsetT {
		b.StartVector(16, len(list), 8)
		for i := len(list) - 1; i >= 0; i-- {
			b.PrependInt64(list[i][1])
			b.PrependInt64(list[i][0])
		}
		return b.EndVector(len(list))
	}
	nodes, pieces := pairs(y.nodes), pairs(y.pieces)
	b.StartVector(8, len(y.counts), 8)
	for _, n := range y.counts {
		b.PrependInt64(n)
	}
	counts := b.EndVector(len(y.counts))
	var packing flatbuffers.UOffsetT
	if y.packed {
		b.StartObject(2)
		b.PrependByteSlot(0, y.codec, 0)
		packing = b.EndObject()
	}
	b.StartObject(5)
	b.PrependInt64Slot(0, y.rows, 0)
	b.PrependUOffsetTSlot(1, nodes, 0)
	b.PrependUOffsetTSlot(2, pieces, 0)
	b.PrependUOffsetTSlot(3, packing, 0)
	b.PrependUOffsetTSlot(4, counts, 0)
	b.Finish(b.EndObject())
	out := b.FinishedBytes()
	return flatTable{flatbuffers.Table{Bytes: out, Pos: flatbuffers.GetUOffsetT(out)}}
}

// A batch that claims more than its body holds is refused.
func TestArrowGuardBatch(t *testing.T) {
	t.Parallel()
	_, asZstd := packed(t, bytes.Repeat([]byte{0}, 1000))
	piece := append([]byte{0xe8, 3, 0, 0, 0, 0, 0, 0}, asZstd...) // 1000
	bomb := append([]byte{0, 0, 0, 2, 0, 0, 0, 0}, asZstd...)     // 32 MB, of some bytes
	body := make([]byte, 64)
	one := [][2]int64{{0, 64}}
	for _, c := range []struct {
		what     string
		y        batchLayout
		body     []byte
		unpacked int64
		err      string
	}{
		{"plain", batchLayout{rows: 8, nodes: [][2]int64{{8, 0}}, pieces: [][2]int64{{0, 0}, {0, 64}}}, body, 64, ""},
		{"empty, anywhere", batchLayout{pieces: [][2]int64{{61, 0}}}, body, 0, ""},
		{"beyond the body", batchLayout{pieces: [][2]int64{{8, 64}}}, body, 0, "outside of their batch"},
		{"before the body", batchLayout{pieces: [][2]int64{{-8, 8}}}, body, 0, "outside of their batch"},
		{"a negative size", batchLayout{pieces: [][2]int64{{8, -1}}}, body, 0, "outside of their batch"},
		{"between words", batchLayout{pieces: [][2]int64{{4, 8}}}, body, 0, "outside of their batch"},
		{"negative rows", batchLayout{rows: -1, pieces: one}, body, 0, "damaged"},
		{"2^31 values", batchLayout{nodes: [][2]int64{{1 << 31, 0}}}, body, 0, "damaged"},
		{"more nulls than values", batchLayout{nodes: [][2]int64{{1, 2}}}, body, 0, "damaged"},
		{"unknown nulls", batchLayout{nodes: [][2]int64{{1, -1}}}, body, 0, "damaged"},
		{"texts in more pieces than there are", batchLayout{pieces: one, counts: []int64{2}}, body, 0, "damaged"},
		{"packed", batchLayout{pieces: [][2]int64{{0, int64(len(piece))}}, packed: true, codec: arrowZstd}, piece, 1000, ""},
		{"not packed after all", batchLayout{pieces: one, packed: true}, append(bytes.Repeat([]byte{0xff}, 8), body[8:]...), 56, ""},
		{"packed in seven bytes", batchLayout{pieces: [][2]int64{{0, 7}}, packed: true}, body, 0, "damaged"},
		{
			"a bomb", batchLayout{pieces: [][2]int64{{0, int64(len(bomb))}}, packed: true, codec: arrowZstd}, bomb, 0,
			"unpacks to more than 16 MB",
		},
	} {
		g := &arrowGuard{}
		err := g.batch(arrowMessage{header: c.y.table(), kind: messageBatch}, c.body)
		if c.err == "" && (err != nil || g.bytes != c.unpacked) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %d bytes, %v; want %d, %s", c.what, g.bytes, err, c.unpacked, c.err)
		}
		g.close()
	}
}

// Columns that share their parts are counted as often as they are there, and so are the
// texts in them.
func TestArrowColumnsWithin(t *testing.T) {
	t.Parallel()
	// schema writes a tree of columns: each level has two columns, which are the same.
	schema := func(depth, wide int) []byte {
		b := flatbuffers.NewBuilder(0)
		name := b.CreateString("a column")
		var below flatbuffers.UOffsetT
		list := func(of flatbuffers.UOffsetT) flatbuffers.UOffsetT {
			b.StartVector(4, wide, 4)
			for range wide {
				b.PrependUOffsetT(of)
			}
			return b.EndVector(wide)
		}
		for range depth {
			b.StartObject(7)
			b.PrependUOffsetTSlot(arrowFieldName, name, 0)
			b.PrependUOffsetTSlot(arrowFieldChildren, below, 0)
			below = list(b.EndObject())
		}
		b.StartObject(4)
		b.PrependUOffsetTSlot(1, below, 0)
		header := b.EndObject()
		b.StartObject(5)
		b.PrependByteSlot(1, messageSchema, 0)
		b.PrependUOffsetTSlot(2, header, 0)
		b.Finish(b.EndObject())
		return b.FinishedBytes()
	}
	for _, c := range []struct {
		what        string
		depth, wide int
		want        string
	}{
		{"two", 1, 2, ""},
		{"2^20", 20, 2, "more than 2000 columns"},
		{"65 deep", 65, 1, "nested more than 64 deep"},
		{"one name a hundred times", 1, 100, "damaged"},
	} {
		_, err := (&arrowGuard{}).describe(schema(c.depth, c.wide))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

// The lists of rows may be the same entries, and entries that are all null take no space.
func TestArrowEntries(t *testing.T) {
	t.Parallel()
	const all = 1 << 30
	none := array.NewData(arrow.Null, all, []*memory.Buffer{nil}, nil, all, 0)
	offsets := memory.NewBufferBytes(binary.LittleEndian.AppendUint32(make([]byte, 4), all))
	lists := array.NewListData(array.NewData(arrow.ListOf(arrow.Null), 1, []*memory.Buffer{nil, offsets}, []arrow.ArrayData{none}, 0, 0))
	schema := arrow.NewSchema([]arrow.Field{{Name: "question", Type: lists.DataType()}}, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema))
	if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{lists}, 1)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.arrow")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Load(t.Context(), path, Options{Name: "x.arrow"})
	const want = "x.arrow:1: Arrow: lists have more entries than the file has bits: want a whole file that another tool can read"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
