package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
)

// Texts of any length can be packed and unpacked, the short one of a pair alone.
func TestPack(t *testing.T) {
	t.Parallel()
	for _, length := range []int{40, 300, 5000, 1 << 17, 3 << 20} {
		short := strings.Repeat("a brief, 簡短。 ", length/40)
		long := short + strings.Repeat("and the record \x00\xff", length/15)
		for _, pair := range [][2]string{{short, long}, {long, short}, {"1", "2"}} {
			a, b, err := packPair(pair[0], pair[1])
			if err != nil {
				t.Fatal(err)
			}
			one, err := unpackShort(nil, a)
			two, err2 := unpackLong([]byte("used before"), a, b)
			if err := errors.Join(err, err2); err != nil || string(one) != pair[0] || string(two) != pair[1] {
				t.Errorf("%d and %d bytes become %d and %d, %v", len(pair[0]), len(pair[1]), len(one), len(two), err)
			}
		}
		parts, err := pack(long)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := unpack(nil, true, parts[0]); err != nil || string(got) != long {
			t.Errorf("%d bytes become %d, %v", len(long), len(got), err)
		}
	}
}

// Goroutines share encoders, decoders and buffers, but no text.
func TestPackConcurrently(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 50 {
				long := strings.Repeat(string(rune('a'+w))+" record ", 10*i+2)
				a, b, err := packPair(long[:len(long)/2], long)
				if err != nil {
					t.Error(err)
					return
				}
				buffer := takeBuffer()
				if got, err := unpackLong(buffer.bytes, a, b); err != nil || string(got) != long {
					t.Errorf("%d bytes: %v", len(long), err)
				}
				buffer.free()
			}
		})
	}
	wg.Wait()
}

// The dictionary is part of the format: what was packed with it once can be unpacked.
func TestDictionary(t *testing.T) {
	t.Parallel()
	const sum = 0xf23c1805
	if got := sumOf(dictionary1); got != sum {
		t.Errorf("dictionary_1.txt has the checksum %#x, not %#x: rows that were packed with it cannot be read: restore it, and add another "+
			"dictionary with another way of packing", got, sum)
	}
}

// A frame that asks for more memory than a text needs is an error.
func TestUnpackLimits(t *testing.T) {
	t.Parallel()
	wide, err := zstd.NewWriter(nil, zstd.WithWindowSize(64<<20), zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	defer wide.Close()
	zeros := make([]byte, 80<<20)
	frame := wide.EncodeAll(zeros, nil)
	if _, err := unpack(nil, true, append([]byte{packedOnce}, frame[len(zstdMagic):]...)); !errors.Is(err, zstd.ErrWindowSizeExceeded) {
		t.Errorf("a window of 64 MB: %v", err)
	}
	// A frame of one segment that says it has 2^40 bytes.
	huge := []byte{packedOnce, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0}
	if _, err := unpack(nil, true, huge); !errors.Is(err, zstd.ErrDecoderSizeExceeded) && !errors.Is(err, zstd.ErrWindowSizeExceeded) {
		t.Errorf("a frame of 2^40 bytes: %v", err)
	}
	if _, err := unpack(nil, true, []byte{2, 0, 0}); !errors.Is(err, errPacked) {
		t.Errorf("an unknown way: %v", err)
	}
}

// plainCommon is common by the tokens of encoding/json.
func plainCommon(request []byte) (from, to int) {
	dec := json.NewDecoder(bytes.NewReader(request))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return 0, 0
	}
	for dec.More() {
		before := int(dec.InputOffset())
		name, err := dec.Token()
		var value json.RawMessage
		if err == nil {
			err = dec.Decode(&value)
		}
		switch {
		case err != nil:
			return 0, 0
		case name != "schema" && name != "system":
		case to == 0:
			from, to = before, int(dec.InputOffset())
		case to == before:
			to = int(dec.InputOffset())
		}
	}
	if to-from < shortestText {
		return 0, 0
	}
	return from, to
}

func TestCommonEqualsPlain(t *testing.T) {
	t.Parallel()
	space := rapid.SampledFrom([]string{"", "", " ", "\n\t "})
	value := rapid.SampledFrom([]string{"1", "-1.5e3", "true", "null", `""`, `"\\"`, `"a\"},{\"b"`, "[]", "{}", `{"system":[1,{"a":"]}"}]}`,
		`[ 1 , "x" , { "y" : [ ] } ]`, `"` + strings.Repeat("long \\\" ", 40) + `"`, `["` + strings.Repeat("x", 300) + `"]`})
	name := rapid.SampledFrom([]string{"schema", "system", "schema", "system", "a", "", "schema2", "b\\"})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		gap := func() { b.WriteString(space.Draw(t, "space")) }
		gap()
		b.WriteByte('{')
		for i := range rapid.IntRange(0, 6).Draw(t, "members") {
			if i > 0 {
				b.WriteByte(',')
			}
			gap()
			fmt.Fprintf(&b, "%q", name.Draw(t, "name"))
			gap()
			b.WriteByte(':')
			gap()
			b.WriteString(value.Draw(t, "value"))
			gap()
		}
		b.WriteByte('}')
		gap()
		request := rapid.OneOf(rapid.Just(b.String()), value).Draw(t, "request")
		if !json.Valid([]byte(request)) {
			t.Fatalf("%s is no JSON", request)
		}
		from, to := common([]byte(request))
		if wantFrom, wantTo := plainCommon([]byte(request)); from != wantFrom || to != wantTo {
			t.Errorf("%s: %d to %d, want %d to %d", request, from, to, wantFrom, wantTo)
		}
	})
}

// What requests have in common is stored apart, once, and they are the same afterwards.
func TestCommon(t *testing.T) {
	t.Parallel()
	system := `"` + strings.Repeat("Judge \\\"them\\\". ", 30) + `"`
	for _, test := range []struct {
		request string
		apart   string
	}{
		{`{"messages":["m"],"schema":{"a":[1.0]},"system":` + system + `,"temperature":0}`, `,"schema":{"a":[1.0]},"system":` + system},
		{`{"system":` + system + `}`, `"system":` + system},
		{` { "a" : 1 , "system" : ` + system + ` } `, `, "system" : ` + system},
		{`{"schema":{},"x":1,"system":` + system + `}`, ""},
		{`{"messages":[{"system":` + system + `}]}`, ""},
		{`{"system":"short"}`, ""},
		{`[` + system + `]`, ""},
		{`null`, ""},
	} {
		from, to := common([]byte(test.request))
		if got := test.request[from:to]; got != test.apart {
			t.Errorf("%.60s: %q is apart, want %q", test.request, got, test.apart)
		}
		c := assay.Call{Request: json.RawMessage(test.request), Reply: json.RawMessage(`{"text":"r"}`)}
		packed, err := packCall(&c, from, to)
		if err != nil {
			t.Fatal(err)
		}
		var text []byte
		if to > 0 {
			row, err := newText(c.Request[from:to])
			if err != nil {
				t.Fatal(err)
			}
			text = row.packed
		}
		request, reply, err := unpackCall(packed, text)
		if err != nil || !bytes.Equal(request, c.Request) || !bytes.Equal(reply, c.Reply) {
			t.Errorf("%.60s becomes %s with the reply %s, %v", test.request, request, reply, err)
		}
	}
}

// Whatever a row holds, it is unpacked or an error.
func FuzzUnpack(f *testing.F) {
	a, b, err := packPair(`{"seq":1}`, `{"seq":1,"scores":{}}`)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(a, b)
	f.Add([]byte{packedOnce}, []byte{0})
	f.Add([]byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if _, err := unpackShort(nil, a); err != nil && !errors.Is(err, errPacked) {
			t.Error(err)
		}
		if _, err := unpackLong(nil, a, b); err != nil && !errors.Is(err, errPacked) {
			t.Error(err)
		}
		if _, _, err := unpackCall(a, b); err != nil && !errors.Is(err, errPacked) {
			t.Error(err)
		}
	})
}
